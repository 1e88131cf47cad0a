"""Where scenes of cards begin: a flop that is laid, a turn; and what people are told then."""

from controller.picture import notices
from controller.places import MUCK
from controller.table.events import BoardChanged, StreetOpened
from tests.controller.core_table import FLOP, TURN, CoreTable, dealt

UNKNOWN_TAG = "DEADBEEF00"  # of a maker whose tags this table has none of


def flop(seats: int = 3, *, cards: tuple[str, ...] = FLOP) -> CoreTable:
    """The flop is laid, seat 2 to act, nothing bet."""
    table = dealt(seats)
    bets_in(table)
    table.board(*cards)
    table.run(4000)
    return table


def bets_in(table: CoreTable) -> None:
    """All call before the flop, the bets are swept and a card is burnt."""
    table.push(1, 100)
    table.still()
    table.push(2, 50)
    table.still()
    table.say(3, "check")
    table.run(500)
    table.sweep()
    table.run(3000)
    table.move(("4c",), MUCK)
    table.run(500)


def checked(table: CoreTable) -> None:
    for seat in (2, 3, 1):
        table.say(seat, "check")
    table.run(500)


def turned() -> CoreTable:
    """The turn is laid, seat 2 to act."""
    table = flop()
    checked(table)
    table.board(TURN)
    table.run(4000)
    assert table.hand.board == (*FLOP, TURN)
    table.log.clear()
    return table


def told(table: CoreTable) -> set[str]:
    """Keys of the dealer's notices."""
    return {notice.key for notice in notices.of(table.core.seen())[1]}


def boards(table: CoreTable) -> list[tuple[str, ...]]:
    """Every board that the public heard of."""
    return [event.board for event in table.log if isinstance(event, StreetOpened | BoardChanged)]
