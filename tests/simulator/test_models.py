"""Radio and people as they are: each model does what it says, measured over many rounds, within five deviations."""

from collections.abc import Callable
from itertools import pairwise
from math import sqrt
from pathlib import Path

import pytest

from controller.histories import phh as history
from controller.histories.phh import RecordedHand
from controller.places import Place, Zone
from controller.table.setup import House, Stakes
from firmware_bridge.errors import OptionError
from simulator import acts
from simulator.director import script_of
from simulator.field import Field
from simulator.models import models as m
from simulator.models.named import NAMES, described, models_of, written
from simulator.models.people import as_people_do, dribble_ms
from simulator.models.radio import ModelledRadio
from simulator.models.wires import LateReader, with_few_readers
from simulator.performance import Performance
from simulator.players import Dice, Style
from simulator.radio import Heard, Noise
from simulator.script import Script
from simulator.tables import config_of, tag_of

S = 1_000_000_000
MS = 1_000_000
TRAY, SPOT, NEXT_SPOT = ("r", 1), ("r", 2), ("r", 3)
PLACES = {TRAY: Place(Zone.TRAY, 1), SPOT: Place(Zone.SPOT, 1), NEXT_SPOT: Place(Zone.SPOT, 2)}
CHIPS = tuple(f"100-{n:03}" for n in range(40))
TAGS = {chip: tag_of(chip) for chip in CHIPS}


class Air:
    """One table's antennas, and a clock that a test winds."""

    def __init__(self, *models: m.Model, seed: int = 1) -> None:
        self.ns = 0
        self.field = Field(PLACES)
        self.radio = ModelledRadio(self.field, Noise(seed=seed), models, lambda: self.ns)

    def lay(self, chips: tuple[str, ...], antenna: tuple[str, int]) -> None:
        self.field.lay([TAGS[chip] for chip in chips], PLACES[antenna])

    def scan(self, antenna: tuple[str, int], after_ms: int = 100) -> Heard:
        self.ns += after_ms * MS
        return self.radio.scan(antenna, self.field.on(antenna))

    def read(self, antenna: tuple[str, int], rounds: int) -> list[Heard]:
        return [self.scan(antenna) for _ in range(rounds)]


def near(found: int, of: int, share: float) -> bool:
    """Within five deviations of what so many chances give."""
    return abs(found - of * share) <= 5 * sqrt(of * share * (1 - share)) + 1e-9


def missed(heard: list[Heard], chips: int) -> int:
    return sum(chips - len(scan.own) for scan in heard)


# ---------------------------------------------------------------- what antennas hear
def test_without_models_a_radio_is_the_plain_one() -> None:
    air = Air()
    air.lay(CHIPS, TRAY)
    assert air.scan(TRAY) == Heard(tuple(TAGS.values()), (), complete=True)


def test_blind_chips_are_never_read_there_for_so_long_and_always_afterwards() -> None:
    blind = 0
    for seed in range(60):
        air = Air(m.Blind(share=0.1, seconds=60), seed=seed)
        air.lay(CHIPS, SPOT)
        first = air.scan(SPOT)
        blind += missed([first], len(CHIPS))
        assert air.scan(SPOT, after_ms=59_000).own == first.own, "who is blind stays so"
        assert len(air.scan(SPOT, after_ms=2_000).own) == len(CHIPS)
    assert near(blind, 60 * len(CHIPS), 0.1)


@pytest.mark.parametrize(("zone", "tray", "spot"), [("spot", False, True), ("tray", True, False), ("both", True, True)])
def test_chips_are_blind_in_the_zone_asked_for_only(zone: str, tray: bool, spot: bool) -> None:
    air = Air(*models_of([f"blind:share=1,zone={zone}"]))
    air.lay(CHIPS[:20], TRAY)
    air.lay(CHIPS[20:], SPOT)
    assert (not air.scan(TRAY).own, not air.scan(SPOT).own) == (tray, spot)


def test_a_chip_that_comes_again_is_blind_by_chance_again() -> None:
    air, read = Air(m.Blind(share=0.5)), set()
    for _ in range(40):
        air.lay(CHIPS[:1], SPOT)
        read.add(bool(air.scan(SPOT).own))
        air.lay(CHIPS[:1], TRAY)
        air.scan(SPOT)
    assert read == {True, False}


def test_the_tenth_chip_is_missed_as_asked_for_and_the_lowest_a_tenth_of_that() -> None:
    air = Air(m.Height(miss=0.2))
    air.lay(CHIPS[:15], SPOT)
    heard, rounds = air.read(SPOT, 4000), 4000
    for at, share in ((0, 0.02), (9, 0.2), (14, 0.3)):
        assert near(sum(TAGS[CHIPS[at]] not in scan.own for scan in heard), rounds, share)


def test_stacks_stand_side_by_side_from_the_twenty_first_chip_on() -> None:
    air = Air(m.Height(miss=0.2))
    air.lay(CHIPS, TRAY)
    heard = air.read(TRAY, 4000)
    assert near(sum(TAGS[CHIPS[20]] not in scan.own for scan in heard), 4000, 0.02)


def test_a_large_stack_is_out_of_tune_by_chance_and_is_then_read_badly_as_a_whole() -> None:
    bad = 0
    for seed in range(200):
        air = Air(m.Detuned(share=0.5, read=0.45), seed=seed)
        air.lay(CHIPS[:20], TRAY)
        share = missed(air.read(TRAY, 20), 20) / 400
        assert share == 0 or abs(share - 0.55) < 5 * sqrt(0.55 * 0.45 / 400)
        bad += share > 0
    assert near(bad, 200, 0.5)


def test_a_small_stack_stays_in_tune() -> None:
    air = Air(m.Detuned(share=1))
    air.lay(CHIPS[:9], SPOT)
    assert missed(air.read(SPOT, 50), 9) == 0


def test_a_scan_loses_half_of_the_tags_or_more_and_says_that_it_is_complete() -> None:
    air = Air(m.ScanLoss(share=0.15))
    air.lay(CHIPS, TRAY)
    heard = air.read(TRAY, 3000)
    lost = [len(scan.own) for scan in heard if len(scan.own) < len(CHIPS)]
    assert near(len(lost), 3000, 0.15)
    assert 0 <= min(lost) < max(lost) <= len(CHIPS) // 2
    assert all(scan.complete for scan in heard)


@pytest.mark.parametrize(("chips", "share"), [(10, 0.01), (40, 0.04)])
def test_crosstalk_grows_with_what_lies_next_door(chips: int, share: float) -> None:
    air = Air(m.Crosstalk(per10=0.01))
    air.lay(CHIPS[:chips], TRAY)
    heard = air.read(SPOT, 4000)
    assert near(sum(len(scan.stray) for scan in heard), 4000 * chips, share)
    assert not any(scan.own for scan in heard)


def test_tags_that_die_are_never_read_again_and_all_of_them_die_in_time() -> None:
    died = 0
    for seed in range(50):
        air = Air(m.Dead(share=0.1, seconds=100), seed=seed)
        air.lay(CHIPS, TRAY)
        assert len(air.scan(TRAY, after_ms=0).own) == len(CHIPS)
        heard = [air.scan(TRAY, after_ms=10_000) for _ in range(15)]
        assert all(set(later.own) <= set(before.own) for before, later in pairwise(heard))
        died += missed(heard[-1:], len(CHIPS))
        air.lay(CHIPS, SPOT)
        assert len(air.scan(SPOT).own) == len(heard[-1].own), "the tag is dead, not the place"
        assert heard[9].own == heard[-1].own
    assert near(died, 50 * len(CHIPS), 0.1)


def test_a_repeated_round_is_the_one_before_it_word_for_word() -> None:
    air = Air(m.Repeated(share=0.2))
    repeated, before = 0, air.scan(SPOT)
    for at in range(2000):
        air.lay((CHIPS[at % 2],), SPOT)
        air.field.lift([TAGS[CHIPS[(at + 1) % 2]]])
        now = air.scan(SPOT)
        repeated += TAGS[CHIPS[at % 2]] not in now.own
        assert TAGS[CHIPS[at % 2]] in now.own or now == before
        before = now
    assert near(repeated, 2000, 0.2)


def test_a_late_round_is_told_when_two_more_have_ended() -> None:
    air, told = Air(m.Late(rounds=2)), []
    for chip in CHIPS[:5]:
        air.lay((chip,), SPOT)
        told.append(air.scan(SPOT))
    assert [scan.complete for scan in told] == [False, False, True, True, True]
    assert [len(scan.own) for scan in told] == [0, 0, 1, 2, 3]


# ---------------------------------------------------------------- pushes
def pushed(air: Air, *chips: str, seat: int = 1) -> None:
    air.radio.began(acts.PushChips(seat, chips))
    air.lay(chips, SPOT)


def test_a_hand_covers_the_spot_while_it_pushes_and_the_tray_where_that_is_asked_for() -> None:
    for tray in ("no", "yes"):
        air = Air(*models_of([f"hand:seconds=2,tray={tray}"]))
        air.lay(CHIPS[10:], TRAY)
        pushed(air, *CHIPS[:3])
        assert air.scan(SPOT, 1900) == Heard((), (), complete=True)
        assert bool(air.scan(TRAY, 0).own) == (tray == "no")
        assert len(air.scan(SPOT, 101).own) == 3


def test_a_hand_stays_as_long_as_was_said_and_never_the_same_time() -> None:
    lasted = []
    for seed in range(100):
        air = Air(m.Hand(seconds=(1, 3)), seed=seed)
        pushed(air, CHIPS[0])
        while not air.scan(SPOT, 10).own:
            pass
        lasted.append(air.ns / S)
    assert 1 <= min(lasted) < 1.3
    assert 2.7 < max(lasted) <= 3.02


def test_a_chip_between_two_spots_is_read_by_both_by_turns_until_it_is_taken_up() -> None:
    between = 0
    for seed in range(200):
        air = Air(m.Between(share=0.25), seed=seed)
        pushed(air, *CHIPS[:3])
        own = [len(scan.own) for scan in air.read(SPOT, 100)]
        other = [len(scan.stray) for scan in air.read(NEXT_SPOT, 100)]
        if max(other):
            between += 1
            assert (min(own), max(own), min(other), max(other)) == (2, 3, 0, 1)
            assert abs(sum(own) - 200 + sum(other) - 100) < 5 * sqrt(50), "as often as the one, the other reads it not"
        air.radio.began(acts.PullBack(1, CHIPS[:3]))
        air.lay(CHIPS[:3], TRAY)
        air.lay(CHIPS[:3], SPOT)
        assert len(air.scan(SPOT).own) == 3
    assert near(between, 200, 0.25)


def test_models_run_at_once_and_do_not_shift_each_others_chances() -> None:
    def losses(*models: m.Model) -> list[int]:
        air = Air(*models)
        air.lay(CHIPS, TRAY)
        return [len(scan.own) for scan in air.read(TRAY, 50)]

    alone = losses(m.ScanLoss(share=0.5))
    assert losses(m.Height(miss=0), m.ScanLoss(share=0.5), m.Muxed(), m.Dribble()) == alone
    both = losses(m.ScanLoss(share=0.5), m.Height(miss=0.5))
    assert sum(both) < sum(alone)


# ---------------------------------------------------------------- wires
def test_all_antennas_of_the_table_stand_behind_so_few_readers() -> None:
    plain = config_of(6, Stakes(), House())
    for readers in (1, 3, 6):
        config = with_few_readers(plain, [m.Muxed(readers=readers)])
        assert len(config.reader) == readers
        assert len({(a.reader, a.number) for a in config.antenna}) == len(plain.antenna)
        assert [(a.place, a.seat, a.tags) for a in config.antenna] == [(a.place, a.seat, a.tags) for a in plain.antenna]
        assert {a.reader for a in config.antenna} == {reader.id for reader in config.reader}


class Ticker:
    """A reader that sends a byte ten times a second."""

    def __init__(self) -> None:
        self.sent = 0

    def receive(self, data: bytes, at_ns: int) -> bytes:
        return b""

    def tick(self, at_ns: int) -> bytes:
        self.sent += 1
        return bytes([self.sent % 256])

    def wake_at_ns(self) -> int | None:
        return self.sent * S // 10


def test_late_bytes_come_in_order_all_of_them_and_at_most_so_late() -> None:
    late = LateReader(Ticker(), m.LateBytes(seconds=2, every=3), Dice("1"))
    heard: list[tuple[int, int]] = []  # byte, when
    while (wake := late.wake_at_ns()) is not None and wake < 300 * S:
        heard += [(byte, wake) for byte in late.tick(wake)]
    assert [byte for byte, _ in heard] == [(at + 1) % 256 for at in range(len(heard))]
    delays = [at_ns - number * S // 10 for number, (_, at_ns) in enumerate(heard)]
    assert len(heard) >= 2975
    assert 0 == min(delays) < S < max(delays) <= 2 * S
    assert 0.1 < sum(delay > 0 for delay in delays) / len(delays) < 0.4, "3 s at once, then 1.05 s of waiting"


# ---------------------------------------------------------------- people
EVENING = Path(__file__).parents[2] / "simulator" / "evening.phhs"


@pytest.fixture(scope="module")
def script() -> Script:
    hand = next(one for one in history.read(EVENING) if isinstance(one, RecordedHand))
    return script_of(hand, Dice("1"), Style())


def test_chips_of_a_push_dribble_one_by_one_over_so_many_seconds() -> None:
    assert dribble_ms([m.Dribble(seconds=4), m.Late()]) == 4000
    field = Field(PLACES)
    hands = Performance(field, TAGS, Dice("1"), dribble_ms=4000)
    hands.lay_out(dict.fromkeys(CHIPS, PLACES[TRAY]))
    end_ns, _ = hands.begin(acts.PushChips(1, CHIPS[:5]), 0)
    came: list[int] = []
    for at_ns in range(0, end_ns + 1, MS):
        hands.advance(at_ns)
        came += [at_ns] * (len(field.on(SPOT)) - len(came))
    assert len(came) == 5
    assert all(after - before > 0 for before, after in pairwise(came))
    assert 3 * S < came[-1] - came[0] < 5 * S


def test_too_many_chips_come_forward_and_the_rest_goes_back(script: Script) -> None:
    cut = as_people_do(script, [m.CutOut(chips=3, seconds=1.2)])
    assert cut.decisions == script.decisions
    assert cut.end.keys() == script.end.keys()
    at, pushes = 0, 0
    for cue in script.cues:
        now = cut.cues[at]
        at += 1
        if now == cue:
            continue
        pushes += 1
        back = cut.cues[at]
        at += 1
        assert isinstance(cue.act, acts.PushChips)
        assert isinstance(now.act, acts.PushChips)
        assert isinstance(back.act, acts.TakeChange)
        assert now.act.chips == cue.act.chips + back.act.chips
        assert 1 <= len(back.act.chips) <= 3
        assert {script.layout.values[chip] for chip in back.act.chips} == {script.layout.values[cue.act.chips[-1]]}
        assert (back.pause_ms, back.decision) == (1200, cue.decision)
    assert pushes
    assert at == len(cut.cues)


# ---------------------------------------------------------------- as they are written
@pytest.mark.parametrize("name", NAMES)
def test_every_model_is_known_by_its_name_alone(name: str) -> None:
    assert models_of([name])
    assert name in described()


@pytest.mark.parametrize("kind", m.KINDS.values())
def test_a_model_is_written_as_it_is_read(kind: Callable[[], m.Model]) -> None:
    assert models_of([written(kind())]) == (kind(),)


def test_values_replace_defaults_and_models_add_up() -> None:
    assert models_of(["blind:zone=tray,share=0.5", "hand:seconds=2", "all-mild"]) == (
        m.Blind(share=0.5, zone="tray"),
        m.Hand(seconds=(2, 2)),
        *m.MILD,
    )


def test_all_mild_has_every_model_milder_than_it_is_by_itself() -> None:
    assert [type(model) for model in m.MILD] == list(m.KINDS.values())
    assert all(model != type(model)() for model in m.MILD)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("blnd", "no such model: one of blind, height, "),
        ("blind:sharp=1", "'sharp=1' says nothing here: share= or seconds= or zone="),
        ("blind:share", "'share' says nothing here"),
        ("blind:share=2", "share: give a number from 0 to 1"),
        ("blind:seconds=0", "seconds: give a number above 0, 600 at most"),
        ("blind:zone=moon", "zone: give "),
        ("late:rounds=1.5", "rounds: give a whole number from 1 to 60"),
        ("hand:seconds=3-1", "seconds: give a number above 0, 600 at most, or the least and the most as 1-3"),
        ("hand:seconds=1-2-3", "the least and the most as 1-3"),
        ("hand:tray=perhaps", "tray: give no or yes"),
        ("all-mild:share=1", "all-mild takes no values"),
        ("", "no such model"),
    ],
)
def test_a_mistake_is_one_line_with_the_cure(text: str, says: str) -> None:
    with pytest.raises(OptionError) as error:
        models_of([text])
    assert says in str(error.value)
    assert "\n" not in str(error.value)
