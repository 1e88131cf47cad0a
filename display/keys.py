"""Keys of the dealer -> commands. Pure: what a key means depends only on what is shown and on what was typed before.

A key is named as on the key cap: "a", "5", "enter", "backspace", "esc", "space", "left", "right", "+", "=", "?", "X".
The public view never gets here: it has no key that commands.

| what is open          | digits                    | Enter             | Esc, Backspace       | other keys            |
| --------------------- | ------------------------- | ----------------- | -------------------- | --------------------- |
| help                  | close it                  | close it          | close it             | close it              |
| "are you sure?"       | no                        | yes               | no                   | no                    |
| an amount             | add a digit               | send it           | leave it, rub out    | r, b, + change it     |
| all bets of the round | a seat, then its bet      | send them         | leave it, rub out    | a, f: all-in, fold    |
| a question            | choose a reading          | agree, if it may  | -, undo              | words and commands    |
| "out of turn"         | begin an amount           | confirm           | leave it             | words: out of turn    |
| nothing               | begin an amount           | confirm           | no seat chosen, undo | words and commands    |

A chosen seat is the one that a word is for. `o` before the word: the seat said it out of turn. `v`: its last ruling.
"more", the one key without a cap, is the button that turns over to other buttons.
"""

from collections.abc import Callable
from typing import Literal

import msgspec

from controller import commands
from controller.commands import Command, Word, WordKind
from controller.snapshot import SeatView, Snapshot
from display.labels import key_caps

Entry = Literal[
    "", "raise_to", "raise_by", "bet", "amount", "overrule", "stack", "award", "blinds", "bets", "draw", "up"
]
Sure = Literal["", "misdeal", "not_a_chip_spot", "not_a_chip_tray"]
MOST_DIGITS = 9
"""A stack above this is a slip of the finger."""
LISTS = frozenset({"award", "blinds", "bets"})  # entries of several numbers, with spaces between
PAGES = 3  # of buttons


class Desk(msgspec.Struct, frozen=True):
    """What the dealer at this screen is in the middle of."""

    selected: int | None = None  # a seat; None: the player to act
    out_of_turn: bool = False  # the chosen seat says something out of turn
    entry: Entry = ""  # an amount is being typed
    typed: str = ""
    begun: tuple[int, int | None] | None = None  # n of the snapshot, and who was to act, when typing began
    pot: int = 0  # which pot is being awarded
    sure: Sure = ""  # a question back: misdeal?
    help: bool = False
    page: int = 0  # of the buttons
    message: str = ""  # name of a label: why a key did nothing
    number: int = 0  # what the message is filled with


class Pressed(msgspec.Struct, frozen=True):
    desk: Desk
    command: Command | None = None
    n: int | None = None  # of the snapshot that it was said to; None: the one that is shown


def press(desk: Desk, key: str, seen: Snapshot) -> Pressed:
    """What one key does; keys without a meaning here do nothing."""
    key = key.translate(key_caps())
    if desk.help:
        return Pressed(_with(desk, help=False))
    if desk.sure:
        return _sure(desk, key, seen)
    if key in ("h", "?"):
        return Pressed(Desk(selected=desk.selected, help=True))
    if desk.entry:
        return _typing(desk, key, seen)
    return _open(_with(desk, message=""), key, seen)


def choose(desk: Desk, seat: int) -> Desk:
    """A click on a seat: chosen, or no longer where it was."""
    return Desk(selected=None if desk.selected == seat else seat, page=desk.page)


def _with(desk: Desk, **changes: object) -> Desk:
    return msgspec.structs.replace(desk, **changes)


def _done(desk: Desk, command: Command, *, keep: bool = False) -> Pressed:
    """Sent: a chosen seat counts for one command, so that the next word is again the player's to act."""
    if desk.out_of_turn and isinstance(command, commands.Say):
        command = commands.OutOfTurn(command.seat, command.word)
    return Pressed(Desk(selected=desk.selected if keep else None), command, desk.begun[0] if desk.begun else None)


# ---------------------------------------------------------------- nothing open
def _open(desk: Desk, key: str, seen: Snapshot) -> Pressed:
    if key.isdigit():
        return _digit(desk, key, seen)
    if key in ("left", "right"):
        return Pressed(
            _with(desk, selected=_neighbour(desk.selected or seen.to_act, seen, 1 if key == "right" else -1))
        )
    if key == "esc":
        return Pressed(Desk())
    if key == "enter" and seen.question is not None and seen.question.must_choose:
        return Pressed(_with(desk, message="choose_number"))
    if key == "more":
        return Pressed(_with(desk, page=(desk.page + 1) % PAGES))
    if key == "o" and desk.selected not in (None, seen.to_act):
        return Pressed(_with(desk, out_of_turn=not desk.out_of_turn, page=0))
    if key == "backspace" and desk.out_of_turn:
        return Pressed(_with(desk, out_of_turn=False))
    if key in ENTRIES:
        return _begin(desk, ENTRIES[key], seen)
    if key in SURE:
        return _ask_back(desk, SURE[key])
    if key in FOR_A_SEAT:
        return _for_a_seat(desk, FOR_A_SEAT[key], seen)
    if key in PLAIN:
        return _done(desk, PLAIN[key](desk, seen), keep=key not in ONE_SHOT)
    return Pressed(desk)


def _digit(desk: Desk, key: str, seen: Snapshot) -> Pressed:
    asked = seen.question
    if asked is None and seen.to_draw is not None and not desk.out_of_turn:
        return Pressed(_with(desk, entry="draw", typed=key, begun=(seen.n, seen.to_draw)))
    if asked is None or not asked.choices or desk.out_of_turn:
        return Pressed(_with(desk, entry="amount", typed=key, begun=_frame(seen)) if key != "0" else desk)
    if int(key) in {choice.number for choice in asked.choices}:
        return _done(desk, commands.Answer(question=asked.id, reading=int(key)))
    return Pressed(_with(desk, message="no_reading", number=int(key)))


def _neighbour(seat: int | None, seen: Snapshot, step: int) -> int | None:
    """The next seat clockwise (step 1) or the other way round, empty ones too: somebody may sit down there."""
    seats = [view.seat for view in seen.seats]
    if not seats:
        return None
    if seat not in seats:
        return seats[0] if step > 0 else seats[-1]
    return seats[(seats.index(seat) + step) % len(seats)]


def _frame(seen: Snapshot) -> tuple[int, int | None]:
    return seen.n, seen.to_act


def _begin(desk: Desk, entry: Entry, seen: Snapshot) -> Pressed:
    if entry in ("stack", "up") and desk.selected is None:
        return Pressed(_with(desk, message="no_seat"))
    return Pressed(_with(desk, entry=entry, typed="", pot=0, begun=_frame(seen)))


def _ask_back(desk: Desk, sure: Sure) -> Pressed:
    if sure != "misdeal" and desk.selected is None:
        return Pressed(_with(desk, message="no_seat"))
    return Pressed(_with(desk, sure=sure))


def _for_a_seat(desk: Desk, make: Callable[[SeatView], Command], seen: Snapshot) -> Pressed:
    for view in seen.seats:
        if view.seat == desk.selected:
            return _done(desk, make(view))
    return Pressed(_with(desk, message="no_seat"))


def _say(kind: WordKind) -> Callable[[Desk, Snapshot], Command]:
    return lambda desk, seen: commands.Say(_speaker(desk, seen), Word(kind))


def _check(desk: Desk, seen: Snapshot) -> Command:
    """Where cards are changed who knocks stands pat."""
    if seen.to_draw is not None:
        return commands.Say(desk.selected or seen.to_draw, Word("pat"))
    return commands.Say(_speaker(desk, seen), Word("check"))


def _call_or_check(desk: Desk, seen: Snapshot) -> Command:
    if seen.to_draw is not None:
        return _check(desk, seen)
    return commands.Say(_speaker(desk, seen), Word("call" if _owes(desk.selected, seen) else "check"))


def _speaker(desk: Desk, seen: Snapshot) -> int | None:
    """The seat that a word is for, by number: if the turn has passed on meanwhile, it is not the next player's word.

    An amount is for whoever was to act when it was begun.
    """
    return desk.selected or (desk.begun[1] if desk.begun else seen.to_act)


def _owes(seat: int | None, seen: Snapshot) -> bool:
    """Whether this seat has something to call; unknown counts as yes: a call of nothing is refused, never lost."""
    if seat is None or seat == seen.to_act:
        return seen.to_call != 0
    bets = {view.seat: view.bet for view in seen.seats}
    return max(bets.values(), default=0) > bets.get(seat, 0)


def _in_or_out(view: SeatView) -> Command:
    if view.state in ("empty", "out"):
        return commands.SeatIn(view.seat, view.name)
    return commands.SeatOut(view.seat)


def _pause(_desk: Desk, seen: Snapshot) -> Command:
    return commands.Resume() if seen.paused else commands.Pause()


PLAIN: dict[str, Callable[[Desk, Snapshot], Command]] = {
    "c": _call_or_check,
    "k": _check,
    "a": _say("all_in"),
    "f": _say("fold"),
    "p": _say("pot"),
    "enter": lambda _desk, _seen: commands.Confirm(),
    "backspace": lambda _desk, _seen: commands.Undo(),
    "u": lambda _desk, _seen: commands.Undo(),
    "y": lambda _desk, _seen: commands.Redo(),
    "n": lambda _desk, _seen: commands.NextHand(),
    "t": lambda _desk, _seen: commands.NextStreet(),
    "o": lambda _desk, _seen: commands.OutOfTurn(),
    "s": lambda desk, _seen: commands.Show(desk.selected),
    "g": lambda _desk, _seen: commands.AcceptDifferences(),
    "space": _pause,
}
ONE_SHOT = frozenset("ckafps")  # these act for the chosen seat, which is then let go
FOR_A_SEAT: dict[str, Callable[[SeatView], Command]] = {
    "i": _in_or_out,
    "d": lambda view: commands.SetButton(view.seat),
    "K": lambda view: commands.Kill(view.seat),
    "O": lambda view: commands.Opens(view.seat),
}
ENTRIES: dict[str, Entry] = {
    "r": "raise_to",
    "b": "bet",
    "+": "raise_by",
    "v": "overrule",
    "l": "blinds",
    "=": "stack",
    "w": "award",
    "B": "bets",
    "U": "up",
}
CARD_KEYS = frozenset("23456789tjqkacdhs")  # ranks and suits
BET_MARKS = {"a": " a ", "f": " f ", ":": " "}  # behind a seat: its all-in, its fold, its bet
SURE: dict[str, Sure] = {"m": "misdeal", "x": "not_a_chip_spot", "X": "not_a_chip_tray"}


# ---------------------------------------------------------------- are you sure?
def _sure(desk: Desk, key: str, seen: Snapshot) -> Pressed:
    calm = _with(desk, sure="")
    seats = {view.seat for view in seen.seats}
    if key != "enter":
        return Pressed(calm)
    if desk.sure == "misdeal":
        return _done(calm, commands.Misdeal())
    if desk.selected not in seats:
        return Pressed(_with(calm, message="no_seat"))
    zone = "spot" if desk.sure == "not_a_chip_spot" else "tray"
    return _done(calm, commands.NotAChip(zone, desk.selected))


# ---------------------------------------------------------------- an amount is being typed
def _typing(desk: Desk, key: str, seen: Snapshot) -> Pressed:
    if key == "esc":
        return Pressed(Desk(selected=desk.selected))
    if key == "backspace":
        return Pressed(_rubbed(desk))
    if key == "enter":
        return _finish(desk, seen)
    if desk.entry == "up":
        return Pressed(_longer(desk, key.lower()) if key.lower() in CARD_KEYS else desk)
    if key == "/" and desk.entry == "award":
        return Pressed(_longer(desk, " / "))
    if key.isdigit() or (key == "space" and desk.entry in LISTS):
        return Pressed(_longer(desk, " " if key == "space" else key))
    if key == "B" and desk.entry == "overrule":
        return _begin(desk, "bets", seen)
    if key in BET_MARKS and desk.entry == "bets":
        return Pressed(_longer(desk, BET_MARKS[key]))
    if key == "w" and desk.entry == "award":
        return Pressed(_with(desk, pot=(desk.pot + 1) % max(1, len(seen.pots)), typed=""))
    if key in ("r", "b", "+") and desk.entry in ("raise_to", "raise_by", "bet", "amount"):
        return Pressed(_with(desk, entry=ENTRIES[key]))
    return Pressed(desk)


def _rubbed(desk: Desk) -> Desk:
    rest = desk.typed[:-1]
    if not desk.typed or (not rest and desk.entry == "amount"):
        return Desk(selected=desk.selected)
    return _with(desk, typed=rest)


def _longer(desk: Desk, character: str) -> Desk:
    typed = (desk.typed + character).lstrip(" 0") if desk.entry != "stack" else desk.typed + character
    limit = 10 * MOST_DIGITS if desk.entry == "bets" else 3 * MOST_DIGITS if desk.entry in LISTS else MOST_DIGITS
    return _with(desk, typed=typed) if len(typed) <= limit else desk


def _finish(desk: Desk, seen: Snapshot) -> Pressed:
    if desk.entry == "award":
        return _award(desk, seen)
    if desk.entry == "blinds":
        return _blinds(desk)
    if desk.entry == "bets":
        return _bets(desk)
    if desk.entry == "up":
        return _up(desk)
    amount = int(desk.typed) if desk.typed else None
    if amount is None and desk.entry in ("overrule", "stack"):
        return Pressed(Desk(selected=desk.selected))
    if desk.entry == "stack":
        return _done(desk, commands.SetStack(desk.selected or 0, amount or 0))
    if desk.entry == "overrule":
        return _done(desk, _overrule(amount or 0, seen, desk.selected))
    if desk.entry == "draw":
        word = Word("draw", amount) if amount else Word("pat")
        return _done(desk, commands.Say(_speaker(desk, seen), word))
    answers = seen.question is not None and not desk.out_of_turn and desk.entry != "raise_by"
    if answers and seen.question is not None and amount is not None:
        return _done(desk, commands.Answer(question=seen.question.id, total_to=amount))
    return _done(desk, commands.Say(_speaker(desk, seen), _word(desk.entry, amount, seen)))


def _overrule(number: int, seen: Snapshot, seat: int | None) -> Command:
    """A small number is one of the readings that stand beside the ruling, any other a total; of another seat always."""
    if seat is not None and (seen.ruling is None or seen.ruling.seat != seat):
        return commands.Overrule(total_to=number, seat=seat)
    if seen.ruling is not None and number in {choice.number for choice in seen.ruling.readings}:
        return commands.Overrule(reading=number)
    return commands.Overrule(total_to=number)


def _word(entry: Entry, amount: int | None, seen: Snapshot) -> Word:
    if entry == "bet" or (entry == "amount" and not _owes_anybody(seen)):
        return Word("bet", amount)
    if entry == "raise_by":
        return Word("raise_by" if amount is not None else "raise", amount)
    return Word("raise_to" if amount is not None else "raise", amount)


def _owes_anybody(seen: Snapshot) -> bool:
    """Whether there is a bet in this round: then an amount is a raise, else a bet."""
    return any(view.bet for view in seen.seats)


def _award(desk: Desk, seen: Snapshot) -> Pressed:
    high, _, low = desk.typed.partition("/")
    seats, others = _seats_in(high), _seats_in(low.replace("/", " "))
    if not seats:
        return Pressed(Desk(selected=desk.selected))
    if not {view.seat for view in seen.seats}.issuperset((*seats, *others)):
        return Pressed(_with(desk, typed="", message="no_seat"))
    return _done(desk, commands.Award(pot_number(seen, desk.pot), seats, others))


def _seats_in(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(part) for part in text.split()))


def _up(desk: Desk) -> Pressed:
    """Cards as they are written: kd 7c."""
    cards = tuple(desk.typed[at].upper() + desk.typed[at + 1 : at + 2] for at in range(0, len(desk.typed), 2))
    if not cards:
        return Pressed(Desk(selected=desk.selected))
    if not all(len(card) == 2 and card[0].isalnum() and card[1] in "cdhs" for card in cards):
        return Pressed(_with(desk, typed="", message="bad_cards"))
    return _done(desk, commands.UpCards(desk.selected or 0, cards))


def _blinds(desk: Desk) -> Pressed:
    """Small and big blind, and perhaps the ante."""
    numbers = [int(part) for part in desk.typed.split()]
    if not numbers:
        return Pressed(Desk(selected=desk.selected))
    if len(numbers) not in (2, 3) or not 0 < numbers[0] <= numbers[1]:
        return Pressed(_with(desk, typed="", message="bad_blinds"))
    return _done(desk, commands.SetBlinds(numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 0))


def _bets(desk: Desk) -> Pressed:
    """Each seat and its bet of the round, its all-in or its fold."""
    parts = desk.typed.split()
    if not parts:
        return Pressed(Desk(selected=desk.selected))
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    if len(parts) % 2 or not all(seat.isdigit() for seat, _ in pairs):
        return Pressed(_with(desk, message="bad_bets"))
    return _done(desk, commands.SetBets(tuple(_bet(int(seat), bet) for seat, bet in pairs)))


def _bet(seat: int, bet: str) -> commands.BetOf:
    return commands.BetOf(seat, int(bet) if bet.isdigit() else None, folds=bet == "f")


def pot_number(seen: Snapshot, place: int) -> int:
    """What `award` calls the pot at this place of the list; pots that were awarded are no longer in it."""
    if place >= len(seen.pots):
        return place
    number = seen.pots[place].number
    return place if number is None else number
