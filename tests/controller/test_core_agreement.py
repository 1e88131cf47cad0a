"""Chips that wait for the dealer's agreement come before the hand that their player throws away behind them."""

from controller.commands import Confirm
from controller.table.setup import House
from tests.controller.core_table import dealt


def test_a_hand_thrown_away_waits_for_the_answer_about_the_chips_before_it() -> None:
    table = dealt(3, house=House(confirm="always"))
    table.push(1, 100, 100)
    table.until(lambda: table.asked() is not None)
    table.muck(1)
    table.run(3000)
    assert table.rulings() == []
    table.tell(Confirm())
    assert table.rulings() == [(1, "raise", 200), (1, "fold", 200)]
