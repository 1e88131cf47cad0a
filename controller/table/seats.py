"""Who plays the next hand, where the button is, and who sits in the blinds.

The button moves each hand to the next seat that plays (a simple moving button: no dead button, no missed blinds). A
person, or a button antenna, may put it anywhere; the blinds are then the next playing seats.
"""

from controller.engine.state import Table


def playing(table: Table) -> tuple[int, ...]:
    """Seats that are dealt in: with chips and not sitting out."""
    return tuple(number for number, seat in enumerate(table.seats, 1) if seat.playing and seat.stack > 0)


def next_button(table: Table) -> int | None:
    """The button of the next hand; None: nobody plays."""
    seats = playing(table)
    if not seats:
        return None
    if table.button is None:
        return seats[0]
    if table.button_placed and (table.button in seats or len(seats) > 2):
        return table.button
    return next((seat for seat in seats if seat > table.button), seats[0])


def order_from(seats: tuple[int, ...], button: int) -> tuple[int, ...]:
    """Seats clockwise from the one left of the button; the button, or the seat before it, is last."""
    return tuple(seat for seat in seats if seat > button) + tuple(seat for seat in seats if seat <= button)


def blinds(order: tuple[int, ...]) -> tuple[int, int]:
    """Seats of the small and the big blind. Heads-up the button posts the small one (TDA 2024 34-B)."""
    return (order[1], order[0]) if len(order) == 2 else (order[0], order[1])
