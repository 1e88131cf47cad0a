"""Chips that go from the pot to the dealer's float, which no antenna sees: the accounts tell, and nothing is in the pot."""

from collections.abc import Iterable

from controller.places import BANK, POT
from controller.table.events import SeatChanged
from tests.controller.core.test_worlds import Scene, won_uncontested
from tests.controller.core_table import tray


def paid_from_float(*, paid: bool = True) -> tuple[Scene, list[str]]:
    """The pot is paid, and a 500 of it goes to the float for five chips of 100."""
    table = won_uncontested(in_float=5)
    table.sweep()
    table.run(3000)
    [big] = [name for name, lies in table.where.items() if lies == POT and table.values[name] == 500]
    others = [name for name, lies in table.where.items() if lies == POT and name != big]
    table.move([big], BANK)
    table.move(others, tray(1))
    if paid:
        table.move(table.chips(BANK, *[100] * 5), tray(1))
    table.run(12_000)
    return table, [big]


def zones_of(table: Scene, chips: Iterable[str]) -> set[str]:
    return {table.core.state.places[chip].zone for chip in chips}


def test_a_chip_that_the_float_took_for_change_is_in_the_float_once_all_are_paid() -> None:
    table, big = paid_from_float()
    assert table.hand.phase == "between_hands"
    assert (zones_of(table, big), table.alarms()) == ({"bank"}, set())
    assert table.core.known.unaccounted == ()
    assert {table.core.places()[chip] for chip in big} == {BANK}


def test_a_chip_of_the_float_that_is_bought_later_is_a_buy_in_and_was_not_taken_from_the_pot() -> None:
    table, big = paid_from_float()
    before = table.core.state.table.seats[1].stack
    table.move(big, tray(2))
    table.run(8000)
    assert table.alarms() == set()
    assert table.core.state.table.seats[1].stack == before + 500
    assert any(isinstance(event, SeatChanged) and event.seat == 2 for event in table.last)


def test_what_a_winner_is_still_owed_stays_in_the_pot() -> None:
    table, big = paid_from_float(paid=False)
    assert table.hand.phase == "paying"
    assert zones_of(table, big) == {"pot"}
