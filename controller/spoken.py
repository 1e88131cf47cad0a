"""Words to commands: what a person types in a shell, sends over MQTT or puts on a button.

    4 raise to 600          seat 4 says it; without a seat the player to act does
    overrule 2              the second reading of the list that is shown
    overrule seat 2 to 600  the last ruling of that seat, although others have acted since
    out of turn 5 call      what seat 5 said before it was its turn
    blinds 100 200 200      small, big, ante
    bets 1:200 2:500 3:fold 4:all-in        all bets of this round at once

Pure: a list of words in, a `Command` out, or a WordsError that names the nearest word and lists what can be said.
Whether the command is legal now is for the engine, also whether the table has that seat.
"""

import difflib
from collections.abc import Callable, Sequence

from controller import commands
from controller.commands import Command
from controller.errors import WordsError
from controller.games.ranks import RANKS, SUITS
from controller.places import Zone
from controller.rulings.values import ACTIONS, MOST, Word, WordForm, WordKind

SAID = "[SEAT] call | check | fold | bet N | raise [to|by] N | all in | pot | tap | N"
FORMS = (
    SAID,
    "confirm",
    "undo",
    "redo",
    "next",
    "street",
    "overrule [seat SEAT | event NUMBER] K | [ACTION] to N",
    "answer K | [ACTION] to N",
    "show SEAT|all",
    "opens SEAT",
    "up SEAT CARD...",
    "award POT SEAT... [/ SEAT...]",
    "seat N in [NAME]|out",
    "stack SEAT N",
    "button SEAT",
    "blinds SMALL BIG [ANTE]",
    "bets SEAT:TOTAL|all-in|fold...",
    "kill SEAT",
    "misdeal",
    "not a chip ZONE [SEAT]",
    "out of turn [SEAT call | bet N | ...]",
    "accept",
    "pause",
    "resume",
)
MAX_SEAT = 10  # of any table
MAX_DIGITS = len(str(MOST)) - 1

_PLAIN_WORDS: dict[str, WordKind] = {
    "call": "call",
    "check": "check",
    "fold": "fold",
    "pot": "pot",
    "tap": "tap",
    "knock": "tap",
    "allin": "all_in",
    "all-in": "all_in",
    "all_in": "all_in",
    "pat": "pat",
}
_FORMS: dict[str, WordForm] = {
    "after": "after_chips",
    "with": "simultaneous",
    "unclear": "before_chips_unclear",
}
_PLAIN_COMMANDS: dict[str, Command] = {
    "confirm": commands.Confirm(),
    "undo": commands.Undo(),
    "redo": commands.Redo(),
    "next": commands.NextHand(),
    "next hand": commands.NextHand(),
    "street": commands.NextStreet(),
    "misdeal": commands.Misdeal(),
    "out of turn": commands.OutOfTurn(),
    "out_of_turn": commands.OutOfTurn(),
    "accept": commands.AcceptDifferences(),
    "pause": commands.Pause(),
    "resume": commands.Resume(),
}


def parse(words: Sequence[str]) -> Command:
    """The command that these words say; `["4", "raise to", "600"]` and `["4 raise to 600"]` are the same."""
    names = " ".join(words).split()
    tokens = [name.lower() for name in names]
    if not tokens:
        raise WordsError(f"nothing was said: say one of {_all_forms()}")
    plain = _PLAIN_COMMANDS.get(" ".join(tokens))
    if plain is not None:
        return plain
    head, rest = tokens[0], tokens[1:]
    if tokens[:3] == ["out", "of", "turn"]:
        return _out_of_turn(tokens[3:])
    if head == "seat":
        return _seat(rest, names[3:])
    if head in _COMMANDS:
        return _COMMANDS[head](rest)
    if head.isdecimal():
        return _say(_seat_number(head), rest)
    return _say(None, tokens)


# ---------------------------------------------------------------- what a player says
def _say(seat: int | None, tokens: list[str]) -> commands.Say:
    if not tokens:
        raise WordsError(f"seat {seat} says what? Say {SAID}")
    form: WordForm = "before_chips"
    if len(tokens) > 1 and tokens[-1] in _FORMS:
        form, tokens = _FORMS[tokens[-1]], tokens[:-1]
    kind, amount = _word(tokens)
    return commands.Say(seat, Word(kind, amount, form))


def _word(tokens: list[str]) -> tuple[WordKind, int | None]:
    head, rest = tokens[0], tokens[1:]
    if head == "all" and rest == ["in"]:
        return "all_in", None
    if head in _PLAIN_WORDS:
        _nothing_more(rest, head)
        return _PLAIN_WORDS[head], None
    if head in {"bet", "raise"}:
        return _wager(head, rest)
    if head == "draw":
        if len(rest) != 1:
            raise WordsError("draw: say how many cards, as in draw 2; pat is none")
        return "draw", _amount(rest[0])
    if head[:1].isdecimal():
        _nothing_more(rest, head)
        return ("ambiguous_number", _amount(head[:-1])) if head.endswith("?") else ("number", _amount(head))
    raise _unknown(head)


def _wager(head: str, rest: list[str]) -> tuple[WordKind, int | None]:
    kinds: dict[str, WordKind] = {"bet": "bet", "raise": "raise", "raise to": "raise_to", "raise by": "raise_by"}
    key = f"{head} {rest[0]}" if rest else head
    if key in kinds and rest:
        if len(rest) == 1:
            raise WordsError(f"{key} what? Say {key} and a number, as in {key} 600")
        _nothing_more(rest[2:], key)
        return kinds[key], _amount(rest[1])
    _nothing_more(rest[1:], head)
    return kinds[head], _amount(rest[0]) if rest else None


# ---------------------------------------------------------------- what the dealer and the floor say
def _seat(rest: list[str], name: Sequence[str]) -> Command:
    if len(rest) < 2:
        raise WordsError("seat: say seat 5 in, seat 5 in Anna, or seat 5 out")
    seat = _seat_number(rest[0])
    match rest[1:]:
        case ["in", *_]:
            return commands.SeatIn(seat, " ".join(name)[:40])
        case ["out"]:
            return commands.SeatOut(seat)
        case words:
            return _say(seat, words)


def _overrule(rest: list[str]) -> Command:
    """The last ruling, or that of a seat or of an event as `betline journal show` numbers it."""
    seat = of = None
    match rest:
        case ["seat", number, *choice]:
            seat, rest = _seat_number(number), choice
        case ["event", number, *choice]:
            of, rest = _amount(number, least=1) - 1, choice  # the engine counts from 0
        case ["seat" | "event"]:
            raise WordsError(f"overrule {rest[0]} which? Say overrule seat 2 to 600, or overrule event 117 to 600")
    return commands.Overrule(*_choice("overrule", rest), seat=seat, of=of)


def _out_of_turn(rest: list[str]) -> Command:
    """Bare: the last inferred check was none. With a seat and a word: what that seat said out of turn."""
    if len(rest) < 2 or not rest[0].isdecimal():
        raise WordsError("out of turn: say the seat and its word, as in out of turn 5 call, or nothing more")
    said = _say(_seat_number(rest[0]), rest[1:])
    return commands.OutOfTurn(said.seat, said.word)


def _answer(rest: list[str]) -> Command:
    question = None
    if len(rest) > 2 and rest[-2] == "question":
        question, rest = _amount(rest[-1]), rest[:-2]
    reading, action, total_to = _choice("answer", rest)
    return commands.Answer(question, reading, action, total_to)


def _choice(head: str, rest: list[str]) -> tuple[int | None, str | None, int | None]:
    """Reading, action, total: `2`, `to 600`, `raise to 600`, `raise 600`, `fold`."""
    match rest:
        case [number] if number.isdecimal():
            return _amount(number, least=1), None, None
        case ["to", number]:
            return None, None, _amount(number)
        case [action] if action in ACTIONS:
            return None, action, None
        case [action, *to, number] if action in ACTIONS and to in ([], ["to"]):
            return None, action, _amount(number)
    if rest and rest[0] not in ACTIONS and rest[0] != "to":
        raise _unknown(rest[0], (*ACTIONS, "to"), f"{head} 2, {head} to 600, or {head} raise to 600")
    raise WordsError(f"{head} what? Say {head} 2 (the reading's number), {head} to 600, or {head} raise to 600")


def _show(rest: list[str]) -> Command:
    match rest:
        case [] | ["all"]:
            return commands.Show(None)
        case [seat]:
            return commands.Show(_seat_number(seat))
    raise WordsError("show: say show 2, or show all")


def _award(rest: list[str]) -> Command:
    if len(rest) < 2:
        raise WordsError("award: say the pot (0 is the main pot) and the seats that win it, as in award 0 2 5")
    high, slash, low = " ".join(rest[1:]).partition("/")
    if slash and not (high.split() and low.split()):
        raise WordsError("award: say who wins each half, as in award 0 2 / 5")
    return commands.Award(_amount(rest[0]), _winners(high), _winners(low))


def _opens(rest: list[str]) -> Command:
    if len(rest) != 1:
        raise WordsError("opens: say the seat that acts first, as in opens 4")
    return commands.Opens(_seat_number(rest[0]))


def _up(rest: list[str]) -> Command:
    cards = tuple(card[:1].upper() + card[1:].lower() for card in rest[1:])
    if not cards or not all(len(card) == 2 and card[0] in RANKS and card[1] in SUITS for card in cards):
        raise WordsError("up: say the seat and its cards that lie face up, as in up 4 Kd 7c")
    return commands.UpCards(_seat_number(rest[0]), cards)


def _winners(text: str) -> tuple[int, ...]:
    seats = tuple(_seat_number(seat) for seat in text.split())
    if len(set(seats)) != len(seats):
        raise WordsError("award: a seat is named twice; name each winner once")
    return seats


def _stack(rest: list[str]) -> Command:
    if len(rest) != 2:
        raise WordsError("stack: say the seat and its chips, as in stack 5 2000")
    return commands.SetStack(_seat_number(rest[0]), _amount(rest[1]))


def _button(rest: list[str]) -> Command:
    if len(rest) != 1:
        raise WordsError("button: say the seat that has it, as in button 3")
    return commands.SetButton(_seat_number(rest[0]))


def _kill(rest: list[str]) -> Command:
    if len(rest) != 1:
        raise WordsError("kill: say the seat that kills the next hand, as in kill 3")
    return commands.Kill(_seat_number(rest[0]))


def _blinds(rest: list[str]) -> Command:
    if len(rest) not in {2, 3}:
        raise WordsError("blinds: say small, big and perhaps the ante, as in blinds 100 200 200")
    small, big, *ante = (_amount(number) for number in rest)
    if not 0 < small <= big:
        raise WordsError(f"blinds: {small} and {big} cannot be: the small blind is first, above 0 and no larger")
    return commands.SetBlinds(small, big, ante[0] if ante else 0)


def _bets(rest: list[str]) -> Command:
    if not rest:
        raise WordsError("bets: say each seat and its bet of this round, as in bets 1:200 2:500 3:fold 4:all-in")
    return commands.SetBets(tuple(_bet_of(word) for word in rest))


def _bet_of(word: str) -> commands.BetOf:
    seat, mark, bet = word.partition(":")
    if not mark or not bet:
        raise WordsError(f"bets: {word[:40]!r} is no seat and its bet: write 1:200, 1:all-in, or 1:fold")
    if bet == "fold":
        return commands.BetOf(_seat_number(seat), folds=True)
    return commands.BetOf(_seat_number(seat), None if _PLAIN_WORDS.get(bet) == "all_in" else _amount(bet))


def _not_a_chip(rest: list[str]) -> Command:
    rest = rest[2:] if rest[:2] == ["a", "chip"] else rest
    zones = [zone.value for zone in Zone]
    if not rest or len(rest) > 2:
        raise WordsError("not a chip: say where it lies, as in not a chip spot 3, or not a chip pot")
    if rest[0] not in zones:
        raise _unknown(rest[0], zones, f"not a chip and one of {', '.join(zones)}")
    return commands.NotAChip(rest[0], _seat_number(rest[1]) if len(rest) == 2 else None)


_COMMANDS: dict[str, Callable[[list[str]], Command]] = {
    "overrule": _overrule,
    "answer": _answer,
    "show": _show,
    "opens": _opens,
    "up": _up,
    "award": _award,
    "stack": _stack,
    "button": _button,
    "blinds": _blinds,
    "bets": _bets,
    "kill": _kill,
    "not": _not_a_chip,
    "not_a_chip": _not_a_chip,
    "out_of_turn": _out_of_turn,
}
KNOWN = tuple(
    sorted({"seat", "bet", "raise", "all in", "not a chip", *_COMMANDS, *_PLAIN_COMMANDS, *_PLAIN_WORDS} - {"not"})
)


# ---------------------------------------------------------------- small parts
def _seat_number(text: str) -> int:
    """A seat of some table; how many this one has is for the engine to say."""
    if not text.isascii() or not text.isdecimal() or len(text) > 2 or not int(text):
        raise WordsError(f"{text[:40]!r} is no seat: say its number, from 1, in digits")
    return int(text)


def seats_of(command: Command) -> tuple[int, ...]:
    """The seats that a command names, to check them where the table is known."""
    one: int | None = getattr(command, "seat", None)
    several: tuple[int, ...] = getattr(command, "seats", ())
    return several if one is None else (one, *several)


def _amount(text: str, least: int = 0) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > MAX_DIGITS or int(text) < least:
        most = f" and at most {MAX_DIGITS} digits" if text.isdecimal() else ", written in digits"
        raise WordsError(f"{text[:40]!r} must be a whole number of at least {least}{most}, as in 600")
    return int(text)


def _nothing_more(rest: Sequence[str], head: str) -> None:
    if rest:
        raise WordsError(f"{head!r} was understood, but not {' '.join(rest)!r} behind it: say {SAID}")


def _unknown(word: str, known: Sequence[str] = KNOWN, forms: str | None = None) -> WordsError:
    near = difflib.get_close_matches(word, known, 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return WordsError(f"{word[:40]!r} is not known: {hint}Say {forms or 'one of ' + _all_forms()}")


def _all_forms() -> str:
    return "; ".join(FORMS)
