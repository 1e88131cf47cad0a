"""Chips that are asked for by address: a question is a round for them and for nobody else."""

from msgspec.structs import replace

from benchmarks.asked import Seat, pushes
from controller.places import Place, Zone
from controller.registry.registry import Item, Registry
from controller.tracking.events import MotionChanged, TrackingEvent
from controller.tracking.layout import Antenna, Layout
from controller.tracking.tracker import Tracker
from firmware_bridge.events import ScanRound, Sighting

MS = 1_000_000
TRAY, SPOT = Place(Zone.TRAY, 1), Place(Zone.SPOT, 1)
LAYOUT = Layout((Antenna("r", 1, TRAY), Antenna("r", 2, SPOT)))
CHIPS = tuple(f"E004{n:012X}" for n in range(20))
REGISTRY = Registry(Item(f"c{n}", tag, "chip", 100) for n, tag in enumerate(CHIPS))


class Table:
    """Rounds and answers of two antennas, given to a tracker by hand."""

    def __init__(self, layout: Layout = LAYOUT) -> None:
        self.tracker = Tracker(REGISTRY, layout)
        self.now_ns = 10**12
        self.events: list[TrackingEvent] = []
        for _ in range(10):
            self.round(1, CHIPS)
            self.round(2, ())
        self.events.clear()

    def round(self, antenna: int, tags: tuple[str, ...]) -> None:
        self.give(ScanRound("r", antenna, self.now_ns, self.now_ns + 100 * MS, True, tuple(map(Sighting, tags))))

    def answer(self, antenna: int, here: tuple[str, ...] = (), gone: tuple[str, ...] = ()) -> None:
        seen = tuple(map(Sighting, here))
        self.give(ScanRound("r", antenna, self.now_ns, self.now_ns + 10 * MS, False, seen, gone))

    def give(self, scan: ScanRound) -> None:
        self.now_ns = scan.ended_ns
        self.events += self.tracker.take(scan)

    def on_spot(self) -> set[str]:
        return {name for name, place in self.tracker.places().items() if place == SPOT}

    def questions(self) -> dict[int, tuple[str, ...]]:
        return {antenna: tags for (_, antenna), tags in self.tracker.questions(()).items()}


def test_answers_alone_move_a_chip_that_left_its_tray() -> None:
    table = Table()
    for _ in range(4):
        table.answer(2, here=CHIPS[:1])
        table.answer(1, gone=CHIPS[:1])
    assert table.on_spot() == {"c0"}
    assert any(isinstance(event, MotionChanged) for event in table.events)


def test_an_answer_says_nothing_of_chips_that_were_not_asked_for() -> None:
    table = Table()
    for _ in range(30):
        table.answer(1, here=CHIPS[:1], gone=CHIPS[1:2])
    assert table.questions() == {}
    assert table.tracker.questions([1]) == {("r", 1): CHIPS[1:2], ("r", 2): CHIPS[1:2]}, "the others are not missed"


def test_a_chip_that_its_tray_says_is_there_stays_there_however_often_the_spot_shows_it() -> None:
    table = Table()
    for _ in range(30):
        table.answer(2, here=CHIPS[:1])
        table.answer(1, here=CHIPS[:1])
    assert table.on_spot() == set()


def test_absence_by_questions_alone_moves_nothing() -> None:
    """Not even a hundred times: a chip that answers nowhere lies where it lay, perhaps unread."""
    table = Table()
    for _ in range(100):
        table.answer(1, gone=CHIPS[:1])
    assert table.tracker.places()["c0"] == TRAY


def test_what_an_antenna_misses_is_measured_by_its_rounds_alone() -> None:
    table = Table()
    before = table.tracker.rates()[0]
    for _ in range(20):
        table.answer(1, here=CHIPS[1:3], gone=CHIPS[:1])
    table.answer(1, here=CHIPS[:1])
    assert table.tracker.rates()[0] == before
    table.round(1, CHIPS)
    table.round(1, CHIPS[1:])
    table.answer(1, gone=CHIPS[:1])
    table.round(1, CHIPS)
    after = table.tracker.rates()[0]
    assert (after.misses - before.misses, after.hits - before.hits) == (1, 3 * len(CHIPS) - 1)


def test_asked_for_is_what_is_half_read_at_both_ends_and_what_the_tray_does_not_show_then() -> None:
    table = Table()
    assert table.questions() == {}
    table.round(1, CHIPS[2:])
    assert table.questions() == {}, "nobody waits for these"
    table.round(2, CHIPS[:1])
    assert table.questions() == {1: CHIPS[:2], 2: CHIPS[:2]}
    for _ in range(2):
        table.round(1, CHIPS[1:])
    assert table.questions() == {1: CHIPS[:1], 2: CHIPS[:1]}


def test_what_the_spot_shows_is_asked_of_the_tray_at_once() -> None:
    table = Table()
    table.answer(2, here=CHIPS[:1])
    assert table.questions() == {1: CHIPS[:1], 2: CHIPS[:1]}
    table.round(2, ())
    assert table.questions() == {}, "it was a stray reading"


def test_a_seat_that_waits_is_asked_for_though_nothing_moves() -> None:
    table = Table()
    table.round(1, CHIPS[1:])
    assert table.tracker.questions([1]) == {("r", 1): CHIPS[:1], ("r", 2): CHIPS[:1]}


def test_many_chips_are_left_to_the_next_round() -> None:
    table = Table()
    table.round(1, CHIPS[10:])
    table.round(2, CHIPS[:10])
    assert table.questions() == {}


def test_where_misses_come_in_runs_nobody_is_asked() -> None:
    """A question soon behind a round would tell of the same shadow."""
    table = Table()
    for at in range(10):
        for _ in range(4):
            table.round(1, (*CHIPS[:at], *CHIPS[at + 1 :]))
        table.round(1, CHIPS)
    table.round(1, CHIPS[1:])
    table.round(2, CHIPS[:1])
    assert 1 not in table.questions()


def test_an_antenna_that_is_not_known_now_is_not_asked() -> None:
    table = Table()
    table.give(replace(ScanRound("r", 1, 0, 0, True, ()), began_ns=table.now_ns, ended_ns=table.now_ns + 20_000 * MS))
    assert table.questions() == {}


# --- on a board that runs the firmware


def test_a_push_is_decided_sooner_where_its_board_is_asked_and_no_less_rightly() -> None:
    asked, rounds = (pushes(60, 0.05, 2, 6, asks=asks, seats=2) for asks in (True, False))
    assert not any(push.wrong for push in (*asked, *rounds))
    times = [sum(push.decided or 0 for push in side) / len(side) for side in (asked, rounds)]
    assert times[0] < 0.75 * times[1], times


def test_a_push_of_chips_that_miss_many_requests_is_final_sooner() -> None:
    asked, rounds = (pushes(60, 0.3, 1, 10, asks=asks, seats=2) for asks in (True, False))
    assert not any(push.wrong for push in (*asked, *rounds))
    times = [sum(push.final or 0 for push in side) / len(side) for side in (asked, rounds)]
    assert times[0] < times[1] - 0.2, times


def test_nothing_is_asked_while_nothing_moves() -> None:
    seat = Seat(40, 0.0, 1, asks=True)
    for _ in range(20):
        seat.run(500 * MS)
        assert seat.tracker.questions(()) == {}
