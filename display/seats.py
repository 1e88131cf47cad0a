"""One seat of a snapshot -> what its box says. Pure."""

from controller.snapshot import SeatView, Snapshot
from display.keys import Desk
from display.labels import Labels
from display.parts import BetPart, Level, SeatPart
from display.plan import MOST_SEATS

NOT_KNOWN = "?"
BETWEEN = frozenset({"between_hands", "counting_in"})  # phases in which all who play wait for the next hand
MOST_URGENT: tuple[Level, ...] = ("alarm", "unknown")


def who(seat: SeatView, words: Labels) -> str:
    number = words.seat.format(n=seat.seat)
    return f"{seat.name} ({number})" if seat.name else number


def seat_parts(seen: Snapshot, desk: Desk, words: Labels) -> tuple[SeatPart, ...]:
    return tuple(_seat(seat, seen, desk, words) for seat in seen.seats[:MOST_SEATS])


def _seat(seat: SeatView, seen: Snapshot, desk: Desk, words: Labels) -> SeatPart:
    here = seat.state != "empty"
    to_act = seat.to_act or seat.seat in (seen.to_act, seen.to_draw)
    return SeatPart(
        seat=seat.seat,
        name=seat.name if here else "",
        look="in" if seat.state == "waiting" and seen.phase in BETWEEN else seat.state,
        stack=words.amount(seat.stack) + ("" if seat.known else f" {NOT_KNOWN}") if here else "",
        sign=words.all_in if seat.state == "all_in" and not seat.stack else "",
        won=words.won.format(n=words.amount(seat.won)) if seat.won else "",
        foot=words.to_act if to_act else _foot(seat, seen, words),
        mark=_mark(seat, words),
        hole_cards=seen.hole_cards,
        cards_read=seat.cards_read if seat.state in ("in", "all_in") else None,
        shown=_cards(seat, seen),
        bet=_bet(seat, seen, words),
        button=seat.button or seen.button == seat.seat,
        to_act=to_act,
        asked=seen.question is not None and seen.question.seat == seat.seat,
        selected=desk.selected == seat.seat,
        doubtful=not seat.known,
        level=_level(seat.seat, seen),
    )


def _cards(seat: SeatView, seen: Snapshot) -> tuple[str, ...]:
    """Cards that everybody sees: tabled ones, else stud's up cards behind the backs of the others ("")."""
    if seat.cards or not seat.up:
        return tuple(card.rpartition(":")[2] for card in seat.cards)
    up = tuple(card.rpartition(":")[2] for card in seat.up)
    first_down = min(2, seen.hole_cards - len(up))
    last_down = max(0, seen.hole_cards - len(up) - first_down)
    return ("",) * first_down + up + ("",) * last_down


def _foot(seat: SeatView, seen: Snapshot, words: Labels) -> str:
    waits = "" if seen.phase in BETWEEN else words.waiting
    said = {"empty": words.empty, "out": words.out, "waiting": waits, "folded": words.folded}
    return said.get(seat.state) or words.pick(seat.last_action)


def _mark(seat: SeatView, words: Labels) -> str:
    parts = []
    if seat.in_hand_value:
        parts.append(words.in_hand.format(n=words.amount(seat.in_hand_value)))
    if seat.said:
        parts.append(words.pick(seat.said))
    if seat.waiting:
        parts.append(words.early.format(n=words.amount(seat.waiting)))
    return " · ".join(parts)


def _bet(seat: SeatView, seen: Snapshot, words: Labels) -> BetPart | None:
    """What lies before the seat: while a push is being read what is seen there, else the bet and its difference."""
    moving = seen.provisional is not None and seen.provisional.seat == seat.seat
    if moving and seat.front:
        return BetPart(words.amount(seat.front), moving=True, chips=seat.front_chips)
    if not (seat.bet or seat.change_due or seat.uncalled or seat.missing):
        return None
    return BetPart(
        amount=words.amount(seat.bet) if seat.bet else "",
        change=words.amount(seat.change_due) if seat.change_due else "",
        back=words.amount(seat.uncalled) if seat.uncalled else "",
        missing=words.amount(seat.missing) if seat.missing else "",
        chips=seat.front_chips,
    )


def _level(seat: int, seen: Snapshot) -> Level | None:
    levels = {notice.level for notice in seen.notices if notice.seat == seat}
    return next((level for level in MOST_URGENT if level in levels), None)
