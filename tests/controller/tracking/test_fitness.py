"""What antennas do while the table is played at: the m that follows, who is unfit, and who is good again."""

import pytest

from controller.places import Place, Zone
from controller.tracking.events import PlaceKnown, TrackingEvent
from controller.tracking.evidence import UNFIT_STEPS, Shadows
from controller.tracking.evidence import Field as Antenna
from controller.tracking.fitness import PATIENCE_NS, Count, Fitness, steps_at
from controller.tracking.layout import Antenna as Looks
from controller.tracking.layout import Layout
from controller.tracking.noise import Noise
from controller.tracking.rates import MOST_PLAYED, steps_for
from tests.controller.tracking.toy_table import Table, chip, held, hole, settled, spot, tray

CHIPS_ONLY = (Zone.HOLE, Zone.BOARD, Zone.MUCK)
S = 1_000_000_000


def quiet_table(**settings: int) -> Table:
    """Counted in without noise."""
    return Table(seats=3, chips=30, without=CHIPS_ONLY, **settings).count_in()


def noisy(table: Table, miss: float = 0.0, stray: float = 0.0, burst: float = 1.0) -> Table:
    table.miss, table.stray, table.burst = miss, stray, burst
    return table


def told(said: list[TrackingEvent]) -> list[tuple[Place, str]]:
    return [(event.place, event.why) for event in said if isinstance(event, PlaceKnown)]


# ------------------------------------------------------------ m


@pytest.mark.parametrize(
    ("noise", "steps"),
    [(Noise(0.02, 0.005), 4), (Noise(0.1, 0.01, 5), 5), (Noise(0.2, 0.01), 5), (Noise(0.2, 0.01, 5), 6)],
    ids=str,
)
def test_m_follows_what_is_measured_while_playing(noise: Noise, steps: int) -> None:
    """Never calibrated: it begins at 4; the worst of seven antennas is a little worse than the radio."""
    table = noisy(quiet_table(adapts=True), noise.miss, noise.stray, noise.burst)
    table.run(1200)

    assert table.tracker.steps in (steps, steps_for(noise))


def test_m_that_is_written_in_the_configuration_stays() -> None:
    table = noisy(quiet_table(steps=4), 0.2, 0.01, 5)
    table.run(600)

    assert table.tracker.steps == 4


def test_a_calibration_weighs_more_than_the_usual_figures() -> None:
    """The same minute of play at 20 % changes a table that was never measured, and not yet one that was."""
    fields = [_fields(noise) for noise in (None, Noise(0.05, 0.01))]
    steps = []
    for field, home in fields:
        fitness = Fitness((field, home), Layout((), adapts=True))
        home.hits, home.misses, home.runs = 800, 200, 160
        fitness.look(10 * S)
        steps.append([round(noise.miss, 2) for noise in fitness.noises()][1])

    assert steps == [0.15, 0.1]


def test_m_stays_while_a_motion_is_open() -> None:
    table = quiet_table(adapts=True, hold_ms=200_000)
    table.push(1, 0)
    table.move([chip(1, 1)], held(1))  # a chip in the hand keeps the push open
    table.run(10)
    assert table.tracker.open_motions()
    noisy(table, 0.2, 0.01, 5).run(600)
    assert (bool(table.tracker.open_motions()), table.tracker.steps) == (True, 4)

    noisy(table).move([chip(1, 1)], tray(1))
    table.run(60)

    assert table.tracker.steps > 4


def test_a_question_is_decided_at_the_m_of_when_it_came_up() -> None:
    table = quiet_table(steps=3)
    table.push(1, 0)
    table.scan(spot(1))
    table.scan(tray(1))
    table.tracker._presence.steps = 9
    for _ in range(2):
        table.scan(spot(1))
        table.scan(tray(1))

    assert table.tracker.places()[chip(1, 0)] == spot(1)


def test_m_goes_up_at_once_and_down_after_ten_minutes_by_one() -> None:
    field, home = _fields(Noise(0.05, 0.01))
    fitness = Fitness((field, home), Layout((), adapts=True, steps=4))

    home.expected = {str(tag) for tag in range(200)}

    def played(now_ns: int, miss: float) -> int:
        missed = int(20_000 * miss)
        home.hits, home.misses, home.runs = home.hits + 20_000 - missed, home.misses + missed, home.runs + missed
        field.rounds += 100
        field.heard = {home: {f"{now_ns} {tag}": 1 for tag in range(int(100 * len(home.expected) * 0.01))}}
        fitness.look(now_ns)
        return fitness.next_steps(now_ns)

    assert played(10 * S, 0.25) == 5
    assert played(20 * S, 0.01) == 5
    minutes = [played(20 * S + n * PATIENCE_NS // 10, 0.01) for n in range(1, 24)]
    assert minutes == sorted(minutes, reverse=True)
    assert minutes[:9] == [5] * 9
    assert minutes[9] == 4


def test_m_is_bounded_whatever_is_measured() -> None:
    assert steps_at(Noise(0.9, 0.9, 50)) == MOST_PLAYED
    assert steps_at(Noise(0.0, 0.0)) == 3
    worst = Noise(1.25 * 0.2, 1.25 * 0.05, 20)
    assert steps_at(worst) < MOST_PLAYED, "an antenna that is just not unfit can be played with"


def _fields(noise: Noise | None) -> tuple[Antenna, Antenna]:
    places = enumerate((spot(1), tray(1)), 1)
    spots, trays = (Antenna(Looks("r", n, place, noise=noise), None, Shadows()) for n, place in places)
    return spots, trays


# ------------------------------------------------------------ counting


def test_older_events_are_forgotten() -> None:
    count = Count(1000)
    count.add(500, 1000)
    for _ in range(20):
        count.add(50, 500)

    assert count.share == pytest.approx(0.1, abs=0.01)
    assert count.chances <= 1000


def test_bursts_prove_less_than_single_misses() -> None:
    single, bursts = Count(1000), Count(1000)
    single.add(300, 1000, runs=300)
    bursts.add(300, 1000, runs=30)

    assert bursts.at_least() < single.at_least() < 0.3


def test_the_loudest_tag_does_not_count_as_a_stray() -> None:
    count = Count(1000)
    count.add(105, 1000, tags={"between": 100, "other": 5})

    assert count.share == pytest.approx(0.005)


# ------------------------------------------------------------ unfit


@pytest.mark.parametrize(
    "noise",
    [
        Noise(0.05, 0.01),
        Noise(0.1, 0.01, 5),
        Noise(0.2, 0.01),
        Noise(0.2, 0.01, 5),
        Noise(0.2, 0.05),
        Noise(0.05, 0.05),
    ],
    ids=str,
)
@pytest.mark.parametrize("adapts", [True, False])
def test_inside_the_limits_no_antenna_is_unfit(noise: Noise, adapts: bool) -> None:
    table = noisy(quiet_table(adapts=adapts), noise.miss, noise.stray, noise.burst)
    table.push(1, *range(8))

    assert told(table.run(1500)) == []


@pytest.mark.parametrize(("miss", "burst"), [(0.35, 1.0), (0.5, 5.0)])
def test_an_antenna_that_misses_too_much_is_deaf_within_a_minute(miss: float, burst: float) -> None:
    table = noisy(quiet_table(), miss, 0.0, burst)

    assert set(told(table.run(600))) == {(tray(seat), "deaf") for seat in (1, 2, 3)}


def test_an_antenna_that_hears_its_neighbours_is_shouting_within_seconds() -> None:
    table = noisy(quiet_table(), 0.05, 0.15)
    said = dict(told(table.run(100)))

    assert set(said.values()) == {"shouting"}
    assert spot(1) in said


def test_with_a_fixed_m_an_antenna_that_it_cannot_hold_is_unfit_and_with_auto_m_follows() -> None:
    fixed = noisy(quiet_table(steps=2), 0.2, 0.05)
    follows = noisy(quiet_table(steps=2, adapts=True), 0.2, 0.05)

    assert told(fixed.run(600))
    assert (told(follows.run(600)), follows.tracker.steps) == ([], 6)


def test_a_deaf_antenna_is_good_again_when_it_reads_well_and_not_when_it_is_just_inside() -> None:
    table = noisy(quiet_table(), 0.35)
    table.run(600)
    noisy(table, 0.22)
    assert told(table.run(600)) == [], "between the two limits nothing changes"
    noisy(table, 0.1)

    assert {(tray(seat), "ok") for seat in (1, 2, 3)} == set(told(table.run(600)))


def test_a_shouting_antenna_is_good_again_when_it_is_quiet() -> None:
    table = noisy(quiet_table(), 0.05, 0.15)
    table.run(100)
    noisy(table, 0.05, 0.01)
    table.push(1, *range(10))  # tags on every antenna, so that all can prove it
    table.push(2, *range(10))
    table.push(3, *range(10))
    table.run(600)

    assert all(field.live for field in table.tracker._presence.fields if field.place.zone is not Zone.POT)


def test_a_tray_that_goes_blank_at_once_is_unknown_and_its_chips_stay() -> None:
    table = quiet_table()
    table.move([chip(1, n) for n in range(30)], Place(Zone.BANK))  # as if its cable were cut
    said = table.run(200)
    assert told(said) == [(tray(1), "blank")]
    assert settled(said) == []
    assert table.tracker.places()[chip(1, 0)] == tray(1)
    table.move([chip(1, n) for n in range(30)], tray(1))

    assert told(table.run(40)) == [(tray(1), "ok")]


def test_an_all_in_of_every_chip_is_no_blank_tray() -> None:
    table = quiet_table()
    table.push(1, *range(30))
    said = table.run(100)

    assert told(said) == []
    assert [len(motion.moves) for motion in settled(said)] == [30]


def test_an_all_in_that_was_carried_through_the_air_for_long_is_seen_all_the_same() -> None:
    table = quiet_table()
    table.move([chip(1, n) for n in range(30)], held(1))
    table.run(35)
    table.push(1, *range(30))
    said = table.run(100)

    assert told(said) == [(tray(1), "ok")] or told(said) == []
    assert [len(motion.moves) for motion in settled(said)] == [30]
    assert all(field.live for field in table.tracker._presence.fields)


def test_a_stack_between_two_antennas_is_no_shouting() -> None:
    table = quiet_table()
    names = table.push(1, *range(8))
    table.run(20)
    table.dbm.update({(name, spot(2)): None for name in names})  # type: ignore[misc]  -- heard without a strength

    assert told(table.run(300)) == []


def test_chips_that_a_hand_takes_up_and_lays_back_are_no_misses() -> None:
    table = quiet_table(adapts=True)
    for _ in range(40):
        table.move([chip(1, n) for n in range(12)], held(1))
        table.run(8)
        table.move([chip(1, n) for n in range(12)], tray(1))
        table.run(8)

    assert told(table.said[-2000:]).count((tray(1), "deaf")) == 0
    assert table.tracker.steps == 4
    assert next(rate for rate in table.tracker.rates() if rate.place == tray(1)).misses == 0


def test_cards_in_the_hand_make_no_antenna_unfit() -> None:
    table = Table(seats=2, chips=10).count_in()
    table.move(["As", "Ah"], hole(1))
    table.run(20)
    for _ in range(60):
        table.move(["As", "Ah"], held(1))
        table.run(10)
        table.move(["As", "Ah"], hole(1))
        table.run(10)

    assert (hole(1), "deaf") not in told(table.said)


def test_at_an_unfit_antenna_a_chip_has_moved_after_the_most_steps() -> None:
    table = quiet_table()
    target = next(field for field in table.tracker._presence.fields if field.place == spot(1))
    target.unfit = "shouting"
    table.push(1, 0)
    places = []
    for _ in range(UNFIT_STEPS):
        table.scan(spot(1))
        table.scan(tray(1))
        places.append(table.tracker.places()[chip(1, 0)])

    assert places == [tray(1)] * (UNFIT_STEPS - 1) + [spot(1)]


def test_a_push_to_an_unfit_spot_waits_for_the_dealer() -> None:
    table = quiet_table()
    target = next(field for field in table.tracker._presence.fields if field.place == spot(1))
    target.unfit = "deaf"
    table.tracker._health.judge(target)
    table.push(1, 0, 1)
    assert settled(table.run(100)) == []
    motion = table.tracker.open_motions()[0]

    assert [len(m.moves) for m in settled(table.tracker.settle(motion.number, table.ns))] == [2]


def test_a_reader_that_was_lost_comes_back_as_unfit_as_it_was() -> None:
    table = noisy(quiet_table(), 0.4)
    table.run(300)
    table.dead.add("seats")
    table.run(60)
    table.dead.clear()

    assert (tray(1), "deaf") in told(table.run(30))
