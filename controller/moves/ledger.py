"""The ledger: stacks as the rules know them, and what moves of chips between hands do to them."""

from collections.abc import Iterable, Mapping

from controller.moves.meanings import Transfer
from controller.places import Zone
from controller.table.events import SeatChanged
from controller.table.meanings import Meaning
from controller.table.state import Table

IN_LEDGER = frozenset({Meaning.BUY_IN, Meaning.BOUGHT_IN_HAND, Meaning.CASH_OUT, Meaning.BETWEEN_PLAYERS})


def entries(
    table: Table,
    moves: Iterable[tuple[Transfer, Meaning]],
    in_hand: frozenset[int],
    unread: Mapping[int, int],
) -> tuple[SeatChanged, ...]:
    """Stacks after buy-ins, cash-outs and chips that players changed among themselves.

    `unread`: by seat, value that its stack has already and its tray did not show: so much of what comes from the bank
    was there all the time. What a seat of the running hand buys counts from the next hand on. Who comes to chips plays,
    who loses his last does not.
    """
    sums: dict[int, int] = {}
    left = dict(unread)
    for move, meaning in moves:
        if meaning in (Meaning.CASH_OUT, Meaning.BETWEEN_PLAYERS) and move.origin.seat is not None:
            sums[move.origin.seat] = sums.get(move.origin.seat, 0) - move.value
        if meaning in IN_LEDGER and meaning is not Meaning.CASH_OUT and move.target.seat is not None:
            seat = move.target.seat
            found = min(move.value, left.get(seat, 0)) if move.origin.zone is Zone.BANK else 0
            left[seat] = left.get(seat, 0) - found
            sums[seat] = sums.get(seat, 0) + move.value - found
    return tuple(_entry(table, seat, amount, seat in in_hand) for seat, amount in sums.items() if amount)


def _entry(table: Table, number: int, amount: int, later: bool) -> SeatChanged:
    seat = table.seats[number - 1]
    if later:
        return SeatChanged(number, seat.stack, seat.playing, seat.name, seat.bought + amount)
    return stack_set(table, number, max(0, seat.stack + amount))


def stack_set(table: Table, number: int, stack: int) -> SeatChanged:
    """A seat with a new stack: it plays with chips, unless it had some and sat out."""
    seat = table.seats[number - 1]
    return SeatChanged(number, stack, stack > 0 and (seat.playing or seat.stack == 0), seat.name, seat.bought)
