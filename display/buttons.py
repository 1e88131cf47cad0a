"""The dealer's buttons: what a finger may touch now. Pure.

A button stands for keys, so it can do nothing that keys cannot.

    three pages   the words of a hand; corrections and the showdown; seats and the table. "MORE" turns over
    an amount     a keypad, OK and NO
    are you sure  NO above, YES at the far end, so that no second touch of the first button says yes

Eight rows, each large enough for a finger: 12 mm and more on a 10-inch panel of 1280x720.
"""

from controller.snapshot import SeatView, Snapshot
from display.keys import LISTS, PAGES, Desk
from display.labels import Labels
from display.parts import ButtonPart, ButtonTone

ROWS = 8
GAP = ButtonPart("")
NEXT_HAND: dict[str, ButtonTone] = {
    "between_hands": "go",
    "paying": "plain",
}  # in every other phase it would be refused


def buttons(seen: Snapshot, desk: Desk, words: Labels) -> tuple[ButtonPart, ...]:
    if desk.sure:
        return _sure(words)
    if desk.entry:
        return _keypad(desk, words)
    if desk.page % PAGES == 0:
        return _hand(seen, desk, words)
    return _corrections(seen, words) if desk.page % PAGES == 1 else _table(seen, desk, words)


def _sure(words: Labels) -> tuple[ButtonPart, ...]:
    no, yes = words.buttons["cancel"], words.buttons["yes"]
    return (ButtonPart(no, ("esc",)), *[GAP] * (ROWS - 2), ButtonPart(yes, ("enter",), "ask"))


# ---------------------------------------------------------------- pages
def _hand(seen: Snapshot, desk: Desk, words: Labels) -> tuple[ButtonPart, ...]:
    """The words of a player, and what the dealer does most."""
    named = words.buttons
    turn: ButtonTone = "turn" if desk.selected or seen.to_act else "off"
    waits = seen.question is not None or seen.provisional is not None
    agrees: ButtonTone = (
        "off" if seen.question is not None and seen.question.must_choose else "ask" if waits else "plain"
    )
    wager = "raise" if any(seat.bet for seat in seen.seats) else "bet"
    return (
        ButtonPart(_call(seen, desk, words), ("c",), turn),
        ButtonPart(named[wager], ("r" if wager == "raise" else "b",), turn),
        ButtonPart(named["all_in"], ("a",), turn),
        ButtonPart(named["fold"], ("f",), turn),
        ButtonPart(named["confirm"], ("enter",), agrees),
        ButtonPart(named["undo"], ("u",)),
        ButtonPart(named["next"], ("n",), NEXT_HAND.get(seen.phase, "off")),
        ButtonPart(named["more"], ("more",)),
    )


def _call(seen: Snapshot, desk: Desk, words: Labels) -> str:
    if desk.selected not in (None, seen.to_act):
        return words.buttons["call"]
    if seen.to_call == 0:
        return words.buttons["check"]
    return words.buttons["call_n"].format(n=words.amount(seen.to_call)) if seen.to_call else words.buttons["call"]


def _corrections(seen: Snapshot, words: Labels) -> tuple[ButtonPart, ...]:
    named = words.buttons
    pause = named["resume"] if seen.paused else named["pause"]
    return (
        ButtonPart(named["out_of_turn"], ("o",)),
        ButtonPart(named["overrule"], ("v",)),
        ButtonPart(named["street"], ("t",), "go" if seen.phase == "street_card" else "plain"),
        ButtonPart(named["show"], ("s",), "go" if seen.phase == "showdown" else "plain"),
        ButtonPart(named["award"], ("w",), "go" if seen.phase == "showdown" else "plain"),
        ButtonPart(pause, ("space",), "ask" if seen.paused else "plain"),
        ButtonPart(named["misdeal"], ("m",)),
        ButtonPart(named["more"], ("more",)),
    )


def _table(seen: Snapshot, desk: Desk, words: Labels) -> tuple[ButtonPart, ...]:
    named = words.buttons
    seat = next((one for one in seen.seats if one.seat == desk.selected), None)
    return (
        ButtonPart(named["seat_in"] if _is_away(seat) else named["seat_out"], ("i",), "plain" if seat else "off"),
        ButtonPart(named["stack"], ("=",), "plain" if seat else "off"),
        ButtonPart(named["button"], ("d",), "plain" if seat else "off"),
        ButtonPart(named["not_a_chip"], ("x",), "plain" if seat else "off"),
        ButtonPart(named["blinds"], ("l",)),
        ButtonPart(named["redo"], ("y",)),
        ButtonPart(named["help"], ("h",)),
        ButtonPart(named["more"], ("more",)),
    )


def _is_away(seat: SeatView | None) -> bool:
    return seat is not None and seat.state in ("empty", "out")


# ---------------------------------------------------------------- an amount
def _keypad(desk: Desk, words: Labels) -> tuple[ButtonPart, ...]:
    named = words.buttons
    digits = tuple(ButtonPart(digit, (digit,), wide=False, repeats=True) for digit in "1234567890")
    third = ("space",) if desk.entry in LISTS else ("0", "0")
    return (
        *digits,
        ButtonPart("⌫", ("backspace",), wide=False, repeats=True),
        ButtonPart(named["space"] if desk.entry in LISTS else "00", third, wide=False, repeats=True),
        *_switches(desk, words),
        ButtonPart(named["cancel"], ("esc",), wide=False),
        ButtonPart(named["ok"], ("enter",), "ask", wide=False),
    )


def _switches(desk: Desk, words: Labels) -> tuple[ButtonPart, ...]:
    """What a seat has done that set no amount; else one button."""
    if desk.entry != "bets":
        return (_switch(desk, words),)
    named = words.buttons
    return ButtonPart(named["all_of_it"], ("a",), wide=False), ButtonPart(named["fold"], ("f",), wide=False)


def _switch(desk: Desk, words: Labels) -> ButtonPart:
    """Another way to say the same amount, all bets in place of one ruling, or the next pot."""
    named = words.buttons
    match desk.entry:
        case "raise_to" | "amount":
            return ButtonPart(named["raise_by"], ("+",))
        case "raise_by" | "bet":
            return ButtonPart(named["raise_to"], ("r",))
        case "overrule":
            return ButtonPart(named["bets"], ("B",))
        case "award":
            return ButtonPart(named["next_pot"], ("w",))
        case _:
            return GAP
