"""From SPI to ruling: seats whose microcontrollers run the firmware, on real pseudo-terminals and through whole hands.

Nine seats for a whole hand take a minute of machine time: that is `proof_flashed.py`.
"""

import queue
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.core.core import Core
from controller.histories import phh as history
from controller.histories.phh import RecordedHand
from controller.places import Place, Zone
from controller.tracking.events import TrackingEvent
from controller.tracking.tracker import Tracker
from firmware_bridge.bridge import Bridge, ReaderSetup
from firmware_bridge.events import ReaderEvent, ReaderUp, ScanRound
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.readers.base import VirtualReader
from simulator.readers.flashed import Flashed
from simulator.readers.tablelink import Tablelink
from simulator.rehearsal.hands import Job, outcome_of
from simulator.rehearsal.readers import ThroughReaders
from simulator.rehearsal.verdict import Verdict
from simulator.terminals import Terminals

PATIENCE_S = 20.0
TRAY, SPOT, HOLE = Place(Zone.TRAY, 1), Place(Zone.SPOT, 1), Place(Zone.HOLE, 1)
PLACES = {("seat", 1): TRAY, ("seat", 2): SPOT, ("seat", 3): HOLE}
CHIPS = tuple(f"E00401000000{n:04X}" for n in range(12))
CARDS = ("24D34F59", "04416D412B0289")
EVENING = Path(__file__).parents[2] / "simulator" / "evening.phhs"
HAND = next(one for one in history.read(EVENING) if isinstance(one, RecordedHand))


class Seat:
    """One flashed board behind a real terminal, and the product's own bridge in front of it."""

    def __init__(self, folder: Path) -> None:
        self.field = Field(PLACES)
        self.board = Flashed("seat", Radio(self.field, Noise(uneven=0)), cards=(3,))
        self.terminals = Terminals(folder)
        self.events: queue.SimpleQueue[ReaderEvent] = queue.SimpleQueue()
        self.terminals.start()
        self.path = self.terminals.add("seat", self.board)

    def until(self, wanted: Callable[[ReaderEvent], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not wanted(self.events.get(timeout=PATIENCE_S)):
            assert time.monotonic() < end, "it did not come"

    def sees(self, antenna: int, tags: tuple[str, ...]) -> None:
        """Wait for a complete round with exactly these tags."""
        self.until(
            lambda e: (
                isinstance(e, ScanRound)
                and (e.antenna, e.complete) == (antenna, True)
                and {s.tag for s in e.sightings} == set(tags)
            )
        )

    def lay(self, tags: tuple[str, ...], place: Place) -> None:
        self.terminals.do(lambda: self.field.lay(tags, place))


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[Seat]:
    seat = Seat(tmp_path)
    yield seat
    seat.terminals.close()


def test_the_bridge_sees_what_is_pushed_from_tray_to_spot_and_what_cards_lie_there(seat: Seat) -> None:
    seat.lay(CHIPS, TRAY)
    with Bridge([ReaderSetup("seat", "tablelink", seat.path, (1, 2, 3))], seat.events.put):
        seat.until(lambda e: isinstance(e, ReaderUp) and "betline-fw" in e.identity)
        seat.sees(1, CHIPS)
        seat.lay(CARDS, HOLE)
        seat.sees(3, CARDS)
        seat.lay(CHIPS[:5], SPOT)
        seat.sees(2, CHIPS[:5])
        seat.sees(1, CHIPS[5:])


def test_a_board_that_was_reset_is_up_again_and_sees_the_same(seat: Seat) -> None:
    seat.lay(CHIPS, TRAY)
    with Bridge([ReaderSetup("seat", "tablelink", seat.path, (1, 2, 3))], seat.events.put):
        seat.sees(1, CHIPS)
        seat.terminals.do(seat.board.reset)
        seat.until(lambda e: isinstance(e, ReaderUp))
        seat.sees(1, CHIPS)


def played(monkeypatch: pytest.MonkeyPatch, flashed: tuple[str, ...]) -> Verdict:
    """One recorded hand through readers, of which these run the firmware."""

    def made(reader: str, radio: Radio, **options: object) -> VirtualReader:
        return Flashed(reader, radio) if reader in flashed else Tablelink(reader, radio, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(catalog, "Tablelink", made)
    found = outcome_of(Job(HAND, "1:0", Noise()), ThroughReaders(Noise()))
    assert isinstance(found, Verdict)
    return found


def test_a_hand_is_ruled_alike_whether_its_boards_are_asked_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the questions reach them: what is asked for in vain is heard of."""
    absent: list[str] = []
    take = Tracker.take

    def counted(self: Tracker, event: ReaderEvent) -> list[TrackingEvent]:
        absent.extend(event.absent if isinstance(event, ScanRound) else ())
        return take(self, event)

    monkeypatch.setattr(Tracker, "take", counted)
    asked = played(monkeypatch, ("seat4", "seat6"))
    in_all = len(absent)
    monkeypatch.setattr(Core, "questions", lambda _: {})
    absent.clear()
    by_rounds = played(monkeypatch, ("seat4", "seat6"))
    assert in_all > len(absent) + 30, "without questions boards say once of each chip that it is gone"
    for one in (asked, by_rounds):
        assert (one.mismatch, one.wrong_rulings, one.doubted_wrong, one.stuck) == (None, 0, 0, False)
    assert (asked.actions, len(asked.final_ms)) == (by_rounds.actions, len(by_rounds.final_ms))


def test_a_hand_with_two_flashed_seats_is_ruled_as_it_was_played_and_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats 4 and 6 make three of its five pushes: a radio for each antenna, where the other reader has one for three."""
    plain, flashed = played(monkeypatch, ()), played(monkeypatch, ("seat4", "seat6"))
    for one in (plain, flashed):
        assert (one.mismatch, one.wrong_rulings, one.doubted_wrong, one.stuck) == (None, 0, 0, False)
    assert len(flashed.final_ms) == len(plain.final_ms)
    assert sum(flashed.final_ms) < sum(plain.final_ms) - 1000
