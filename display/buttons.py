"""The dealer's buttons: what a finger may touch now. Pure.

A button stands for keys, so it can do nothing that keys cannot.

    three pages   the words of a hand; corrections and the showdown; seats and the table. "MORE" turns over
    an amount     a keypad, OK and NO
    are you sure  NO above, YES at the far end, so that no second touch of the first button says yes

Eight rows, each large enough for a finger: 12 mm and more on a 10-inch panel of 1280x720.
"""

from controller.snapshot import DealerSnapshot, SeatView, Snapshot
from display.keys import LISTS, PAGES, Desk
from display.labels import Labels
from display.parts import ButtonPart, ButtonTone

ROWS = 8
GAP = ButtonPart("")
NEXT_HAND: dict[str, ButtonTone] = {
    "between_hands": "go",
    "paying": "plain",
}  # in every other phase it would be refused, and so below
SHOW: dict[str, ButtonTone] = {
    "showdown": "go",
    "sweeping": "plain",
    "street_card": "plain",
    "paying": "plain",
    "between_hands": "plain",
}
BETTING = ("posting", "dealing", "betting", "sweeping", "street_card")
NO_HAND = ("between_hands", "counting_in")
AWAY = ("empty", "out")
IN_A_HAND = ("in", "all_in", "folded")
TAGS = frozenset({"foreign_tag", "push_waits_for_tag"})
ENDED_BY_CONFIRM = frozenset(
    {
        "push_waits_for_place",
        "push_waits_for_other",
        "push_waits_for_tag",
        "cards_wait_for_place",
        "board_unclear",
    }
)  # notices that say so


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
    turn: ButtonTone = "turn" if _may_speak(seen, desk.selected or seen.to_act) else "off"
    raises = turn if desk.selected not in (None, seen.to_act) or seen.min_raise_to is not None else "off"
    if seen.to_draw is not None:
        return _draw(seen, words)
    wager = "raise" if any(seat.bet for seat in seen.seats) else "bet"
    return (
        ButtonPart(_call(seen, desk, words), ("c",), turn),
        ButtonPart(named[wager], ("r" if wager == "raise" else "b",), raises),
        ButtonPart(named["all_in"], ("a",), turn),
        ButtonPart(named["fold"], ("f",), turn),
        ButtonPart(named["confirm"], ("enter",), _agrees(seen)),
        ButtonPart(named["undo"], ("u",), _if(isinstance(seen, DealerSnapshot) and seen.can_undo)),
        ButtonPart(named["next"], ("n",), _next(seen)),
        ButtonPart(named["more"], ("more",)),
    )


def _draw(seen: Snapshot, words: Labels) -> tuple[ButtonPart, ...]:
    """Cards are changed: how many, or none."""
    named = words.buttons
    return (
        ButtonPart(named["pat"], ("k",), "off" if seen.paused else "turn"),
        ButtonPart(named["draw"], ("0",), "off" if seen.paused else "turn"),
        GAP,
        ButtonPart(named["fold"], ("f",), "off"),
        ButtonPart(named["confirm"], ("enter",), _agrees(seen)),
        ButtonPart(named["undo"], ("u",), _if(isinstance(seen, DealerSnapshot) and seen.can_undo)),
        ButtonPart(named["next"], ("n",), _next(seen)),
        ButtonPart(named["more"], ("more",)),
    )


def _may_speak(seen: Snapshot, seat: int | None) -> bool:
    """Whether a word of this seat can count now."""
    states = {one.seat: one.state for one in seen.seats}
    return not seen.paused and seen.phase not in NO_HAND and states.get(seat or 0) in ("in", "all_in")


def _next(seen: Snapshot) -> ButtonTone:
    return "off" if seen.paused or not seen.big_blind else NEXT_HAND.get(seen.phase, "off")


def _agrees(seen: Snapshot) -> ButtonTone:
    """Bright where agreement is waited for, grey where Confirm would be refused."""
    asked = seen.question
    if asked is not None:
        return "off" if asked.must_choose else "ask"
    if seen.provisional is not None:
        return "ask"
    waits = seen.behind is not None or seen.phase == "counting_in"
    return _if(waits or any(notice.key in ENDED_BY_CONFIRM for notice in seen.notices))


def _if(possible: bool) -> ButtonTone:
    return "plain" if possible else "off"


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
        ButtonPart(named["out_of_turn"], ("o",), _if(seen.phase in BETTING)),
        ButtonPart(named["overrule"], ("v",), _if(seen.ruling is not None)),
        ButtonPart(named["street"], ("t",), _street(seen)),
        ButtonPart(named["show"], ("s",), SHOW.get(seen.phase, "off") if seen.hand_number else "off"),
        ButtonPart(named["award"], ("w",), "go" if seen.phase == "showdown" else "off"),
        ButtonPart(pause, ("space",), "ask" if seen.paused else "plain"),
        ButtonPart(named["misdeal"], ("m",), _if(seen.phase not in NO_HAND)),
        ButtonPart(named["more"], ("more",)),
    )


def _table(seen: Snapshot, desk: Desk, words: Labels) -> tuple[ButtonPart, ...]:
    named = words.buttons
    seat = next((one for one in seen.seats if one.seat == desk.selected), None)
    between = seen.phase in NO_HAND
    return (
        ButtonPart(named["seat_in"] if _is_away(seat) else named["seat_out"], ("i",), _if(seat is not None)),
        ButtonPart(named["stack"], ("=",), _if(seat is not None and (between or seat.state not in IN_A_HAND))),
        ButtonPart(named["button"], ("d",), _if(seat is not None)),
        ButtonPart(named["not_a_chip"], ("x",), _if(seat is not None and _has_tag(seen, seat.seat))),
        ButtonPart(named["blinds"], ("l",)),
        ButtonPart(named["redo"], ("y",), _if(isinstance(seen, DealerSnapshot) and seen.can_redo)),
        ButtonPart(named["help"], ("h",)),
        ButtonPart(named["more"], ("more",)),
    )


def _street(seen: Snapshot) -> ButtonTone:
    """Open where the next street can be: nobody owes anything, and there is one."""
    if seen.phase in ("posting", "dealing"):
        return "plain"
    if seen.board_cards and seen.board_count >= seen.board_cards:
        return "off"
    if seen.phase == "betting":
        return _if(not seen.to_call and not seen.paused)
    return "go" if seen.phase == "street_card" else _if(seen.phase == "sweeping")


def _has_tag(seen: Snapshot, seat: int) -> bool:
    return any(notice.key in TAGS and notice.seat == seat for notice in seen.notices)


def _is_away(seat: SeatView | None) -> bool:
    return seat is not None and seat.state in AWAY


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
