"""Who plays the next hand, where the button is, and who sits in the blinds.

From the second hand on the house's rule decides (`controller/rulings/blinds.py`: a dead button, or one that moves to
the next player). A person, or a button antenna, may put the button anywhere; unless that is where the rule has it, the
blinds are then the next playing seats.
"""

from controller.rulings import blinds as rules
from controller.rulings.blinds import Places
from controller.rulings.switches import Profile
from controller.table.state import Table


def playing(table: Table) -> tuple[int, ...]:
    """Seats that are dealt in: with chips and not sitting out."""
    return tuple([number for number, seat in enumerate(table.seats, 1) if seat.playing and seat.stack > 0])


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


def next_places(profile: Profile, table: Table) -> Places | None:
    """Button and blinds of the next hand; None: fewer than two play."""
    seats = playing(table)
    if len(seats) < 2:
        return None
    if table.small_place is not None and table.big_place is not None:
        moved = rules.next_places(profile, seats, table.small_place, table.big_place)
        if moved is not None and (not table.button_placed or table.button == moved.button):
            return moved
    button = next_button(table)
    assert button is not None
    small, big = blinds(order_from(seats, button))
    return Places(button, small, big, small)


def sitting_out(table: Table) -> tuple[int, ...]:
    """Seats with chips that are not dealt in."""
    return tuple([number for number, seat in enumerate(table.seats, 1) if not seat.playing and seat.stack > 0])
