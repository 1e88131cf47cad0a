"""Chips that were not read when the stacks were counted come up where they lay: they are found, not bought."""

import pytest

from controller import commands
from tests.controller.core_table import CoreTable, counted, dealt, tray


def unread_at_the_start(seats: int = 3) -> tuple[CoreTable, list[str], int]:
    """One 1000 of seat 2 is not read while stacks are counted; the dealer says what really lies there."""
    hidden = ["s2-1000-0"]

    class Shaded(CoreTable):
        def __init__(self, seats: int, **options: object) -> None:
            super().__init__(seats, **options)  # type: ignore[arg-type]
            self.hidden |= {*hidden}

    table = counted(seats, kind=Shaded)
    stack = table.core.state.table.seats[1].stack
    return table, hidden, stack


def test_a_chip_that_is_read_late_fills_the_stack_that_was_said_for_it() -> None:
    table, hidden, stack = unread_at_the_start()
    table.tell(commands.SetStack(2, stack + 1000))
    table.hidden -= {*hidden}
    table.run(4000)
    assert table.core.state.places[hidden[0]] == tray(2)
    assert table.core.state.table.seats[1].stack == stack + 1000


def test_a_chip_from_the_case_beyond_the_stack_is_bought() -> None:
    table, hidden, stack = unread_at_the_start()
    table.hidden -= {*hidden}
    table.run(4000)
    assert table.core.state.table.seats[1].stack == stack + 1000


@pytest.mark.parametrize("said", [0, 400, 1000])
def test_of_a_chip_only_what_is_more_than_the_stack_is_bought(said: int) -> None:
    table, hidden, stack = unread_at_the_start()
    table.tell(commands.SetStack(2, stack + said))
    table.hidden -= {*hidden}
    table.run(4000)
    assert table.core.state.table.seats[1].stack == stack + 1000


def test_a_chip_that_is_read_late_in_a_hand_is_not_counted_from_the_next_hand_on() -> None:
    table = dealt()
    lost = table.chips(tray(3), 500)
    stack = table.core.state.table.seats[2]
    table.hidden |= {*lost}
    table.run(20_000)
    table.hidden -= {*lost}
    table.run(5000)
    assert table.core.state.table.seats[2] == stack
