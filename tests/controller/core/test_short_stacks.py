"""A count-in that ends with a stack too small for the game says so by name: chips lay in shadow, and were not counted."""

from controller import commands
from controller.picture import notices
from controller.places import BANK
from tests.controller.core_table import CoreTable, chip, counted, dealt, tray


def named(table: CoreTable) -> list[tuple[str, int | None, str]]:
    found = notices.of(table.core.seen())[0]
    return [(one.key, one.seat, one.text["en"]) for one in found if one.key in ("stack_short", "tray_short")]


def only(table: CoreTable, seat: int, *kept: str) -> None:
    """No other chip of this seat is read."""
    table.hidden |= {name for name, lies in table.where.items() if lies == tray(seat) and name not in kept}


def test_a_stack_below_the_posts_is_named_until_its_chips_are_read() -> None:
    table = CoreTable(3)
    only(table, 2, chip(2, 25, 0), chip(2, 50, 0))
    table.until(lambda: table.core.known.counted, 40_000)
    assert [(key, seat) for key, seat, _ in named(table)] == [("stack_short", 2)]
    assert named(table)[0][2].startswith("Seat 2 was counted with 75, the posts are 100")
    table.hidden.clear()
    table.run(4000)
    assert named(table) == []


def test_a_stack_that_makes_the_posts_is_not_spoken_of() -> None:
    table = CoreTable(3)
    only(table, 2, chip(2, 100, 0))
    table.until(lambda: table.core.known.counted, 40_000)
    assert named(table) == []


def test_an_empty_seat_owes_no_posts() -> None:
    table = CoreTable(3)
    table.move(table.chips(tray(3), *[value for name, value in table.values.items() if name[1] == "3"]), BANK)
    table.until(lambda: table.core.known.counted, 40_000)
    assert named(table) == []


def test_after_a_restart_a_tray_that_shows_far_less_than_the_ledger_has_is_named() -> None:
    before = counted(3)
    table = CoreTable(3, state=before.core.state)
    only(table, 2, chip(2, 100, 0))
    table.until(lambda: table.core.known.counted, 40_000)
    assert named(table) == [
        ("tray_short", 2, "Seat 2 should have 8600, of which 100 can be seen: spread the chips out, or name the stack.")
    ]
    table.tell(commands.SetStack(2, 100))
    assert named(table) == []


def test_in_a_hand_the_accounts_tell_and_no_such_notice_stands() -> None:
    assert named(dealt(3)) == []


def test_a_table_without_trays_has_the_ledger_that_people_tell_it() -> None:
    table = counted(3, zones=frozenset({"spot"}))
    assert named(table) == []
