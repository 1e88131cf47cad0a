"""The example of docs: two seats and the middle of a table on boards that run the firmware, from SPI to the hand."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from betline.board.wiring import rows_of
from controller.commands import NextHand, SetButton
from controller.config.config import load, place_of
from controller.core import build
from controller.places import BOARD, MUCK, POT, Place, Zone
from controller.registry.registry import DECK
from controller.rulings.rules import Rules
from controller.table.events import Event, Ruled
from firmware_bridge.drivers import catalog
from simulator.field import field_of
from simulator.radio import Noise, Radio
from simulator.readers.flashed import Flashed
from simulator.tables import registry_of
from simulator.wire import Wire, Wires

EXAMPLE = Path(__file__).parents[2] / "docs" / "table-flashed.toml"
S = 1_000_000_000
BOARDS = {"seat1": "seat_iso15693", "seat2": "seat_iso15693", "middle": "middle"}
CHIPS = {f"{seat}-{value}-{n}": value for seat in (1, 2) for value in (50, 100) for n in range(10)}
HANDS = {1: ("As", "Ah"), 2: ("Kd", "Kc")}
FLOP = ("2c", "7d", "9h")


class Table:
    """All boards of the example, each with its simulated chips, the drivers, and the core."""

    def __init__(self) -> None:
        self.config = load(EXAMPLE)
        self.registry = registry_of(CHIPS, DECK)
        self.field = field_of(self.config)
        radio = Radio(self.field, Noise(miss=0.02, seed=3))
        self.wires = Wires(
            Wire(catalog.make(one.driver, one.id, one.antennas, one.options), Flashed(one.id, radio), one.id)
            for one in build.readers(self.config)
        )
        self.core = build.core(self.config, self.registry, Rules.named("TDA2024"))
        self.events: list[Event] = []

    def lay(self, names: Iterable[str], place: Place) -> None:
        self.field.lay([self.registry.items[name].tag for name in names], place)

    def until(self, wanted: Callable[[], object], most_s: int = 30) -> None:
        end_ns = self.wires.now_ns + most_s * S
        while not wanted():
            assert self.wires.now_ns < end_ns, "it did not come"
            for event in self.wires.step(min(end_ns, self.wires.now_ns + S // 10)):
                self.events += self.core.take(event)
            self.events += self.core.tick(self.wires.now_ns)
            self.wires.focus(self.core.focus())
            self.wires.ask(self.core.questions())

    def tell(self, command: SetButton | NextHand) -> None:
        self.events += self.core.command(command, "dealer", self.wires.now_ns)

    def have_all(self, names: Iterable[str], place: Place) -> bool:
        places = self.core.places()
        return all(places[name] == place for name in names)


def test_the_example_names_the_antennas_that_its_boards_have() -> None:
    config = load(EXAMPLE)
    for reader, board in BOARDS.items():
        rows = rows_of(board)
        mine = {a.number: a for a in config.antenna if a.reader == reader}
        assert {number: a.tags for number, a in mine.items()} == {row[0]: row[1] for row in rows.CHIPS}
        words = {"bet spot": Zone.SPOT, "hole cards": Zone.HOLE}
        for number, word in enumerate(rows.PLACES, 1):
            assert place_of(mine[number]).zone is words.get(word, mine[number].place)
            assert word in words or word == mine[number].place


@pytest.fixture(scope="module")
def table() -> Table:
    table = Table()
    for seat in (1, 2):
        table.lay([name for name in CHIPS if name.startswith(f"{seat}-")], Place(Zone.TRAY, seat))
    table.until(lambda: table.core.state.counted_in)
    return table


def test_a_hand_from_the_deal_to_the_flop_and_into_the_muck(table: Table) -> None:
    """Posts, cards, a call and a check, the sweep into the pot, the flop on the board, a fold into the muck."""
    table.tell(SetButton(1))
    table.tell(NextHand())
    table.lay(["1-50-0"], Place(Zone.SPOT, 1))
    table.lay(["2-100-0"], Place(Zone.SPOT, 2))
    for seat, cards in HANDS.items():
        table.lay(cards, Place(Zone.HOLE, seat))
    table.until(lambda: table.core.state.hand is not None and table.core.state.hand.to_act == 1)
    table.lay(["1-50-1"], Place(Zone.SPOT, 1))
    table.until(lambda: any(isinstance(event, Ruled) for event in table.events))
    pushed = ["1-50-0", "1-50-1", "2-100-0"]
    table.lay(pushed, POT)
    table.lay(FLOP, BOARD)
    table.until(lambda: table.have_all(pushed, POT) and set(table.core.state.board) == set(FLOP))
    table.lay(HANDS[2], MUCK)
    table.until(lambda: set(HANDS[2]) <= set(table.core.state.muck))
    actions = [event.reading.action for event in table.events if isinstance(event, Ruled)]
    assert actions == ["call", "check", "fold"]
