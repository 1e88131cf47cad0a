"""Radio noise: shares as asked for, runs as long as asked for, and the same evening from the same seed."""

from itertools import pairwise

import pytest

from controller.places import MUCK, Place, Zone
from simulator.field import Field
from simulator.radio import Heard, Noise, Radio

TRAY, SPOT = ("r", 1), ("r", 2)
PLACES = {TRAY: Place(Zone.TRAY, 1), SPOT: Place(Zone.SPOT, 1)}
CHIPS = tuple(f"{n:04X}" for n in range(40))
ROUNDS = 2500  # 100,000 tag rounds: shares are within 5 % of what was asked for


def radio_over(noise: Noise, limit: int = 60) -> Radio:
    field = Field(PLACES, {TRAY: limit})
    field.lay(CHIPS, PLACES[TRAY])
    return Radio(field, noise)


def scans(radio: Radio, antenna: tuple[str, int], number: int) -> list[Heard]:
    return [radio.scan(antenna, radio.field.on(antenna)) for _ in range(number)]


def test_without_noise_every_tag_is_heard_in_every_round_and_no_other() -> None:
    radio = radio_over(Noise())
    assert scans(radio, TRAY, 5) == [Heard(CHIPS, (), complete=True)] * 5
    assert scans(radio, SPOT, 5) == [Heard((), (), complete=True)] * 5


@pytest.mark.parametrize("burst", [1.0, 2.0, 5.0, 20.0])
def test_the_share_of_misses_is_as_asked_for_with_and_without_shadows(burst: float) -> None:
    heard = scans(radio_over(Noise(miss=0.05, burst=burst, seed=1)), TRAY, ROUNDS)
    missed = sum(len(CHIPS) - len(scan.own) for scan in heard)
    assert missed / (ROUNDS * len(CHIPS)) == pytest.approx(0.05, rel=0.15)


@pytest.mark.parametrize("burst", [5.0, 20.0])
def test_a_shadow_lasts_as_long_as_asked_for_on_average(burst: float) -> None:
    heard = scans(radio_over(Noise(miss=0.1, burst=burst, seed=2)), TRAY, ROUNDS)
    begun = missed = 0
    for before, now in pairwise(heard):
        gone = set(CHIPS) - set(now.own)
        missed += len(gone)
        begun += len(gone & set(before.own))
    assert missed / begun == pytest.approx(burst, rel=0.15)


def test_strays_come_from_the_neighbour_with_the_share_asked_for() -> None:
    heard = scans(radio_over(Noise(stray=0.01, seed=3)), SPOT, ROUNDS)
    strays = [tag for scan in heard for tag in scan.stray]
    assert len(strays) / (ROUNDS * len(CHIPS)) == pytest.approx(0.01, rel=0.15)
    assert set(strays) == set(CHIPS)
    assert not any(scan.own for scan in heard)


def test_certain_misses_and_certain_strays_are_certain() -> None:
    radio = radio_over(Noise(miss=1.0, stray=1.0))
    assert radio.scan(TRAY, CHIPS).own == ()
    assert radio.scan(SPOT, ()).stray == CHIPS
    assert radio_over(Noise(miss=1.0, burst=3)).scan(TRAY, CHIPS).own == ()


def test_the_same_seed_gives_the_same_noise_and_another_seed_another() -> None:
    def evening(seed: int) -> list[Heard]:
        radio = radio_over(Noise(miss=0.1, stray=0.02, burst=3, seed=seed))
        return scans(radio, TRAY, 30) + scans(radio, SPOT, 30)

    assert evening(7) == evening(7)
    assert evening(7) != evening(8)


def test_more_than_an_antenna_holds_is_told_as_not_complete() -> None:
    heard = scans(radio_over(Noise(seed=4), limit=10), TRAY, 200)
    assert all(len(scan.own) == 10 and not scan.complete for scan in heard)
    assert {tag for scan in heard for tag in scan.own} == set(CHIPS)  # not always the same ten


def test_only_the_top_cards_of_a_full_muck_are_heard() -> None:
    field = Field({("r", 1): MUCK}, {("r", 1): 3})
    field.lay("ABCDE", MUCK)
    assert Radio(field).scan(("r", 1), field.on(("r", 1))) == Heard(("C", "D", "E"), (), complete=False)


def test_a_tag_that_moved_during_the_round_is_heard_by_half_of_the_scans() -> None:
    radio = radio_over(Noise(seed=5))
    radio.field.lay(["FFFF"], PLACES[SPOT])
    counted = sum("FFFF" in radio.scan(SPOT, ()).own for _ in range(2000))
    assert counted / 2000 == pytest.approx(0.5, abs=0.06)
    left = sum("EEEE" in radio.scan(SPOT, ("EEEE", "FFFF")).own for _ in range(2000))
    assert left / 2000 == pytest.approx(0.5, abs=0.06)


def test_antennas_differ_in_speed_and_each_keeps_its_own() -> None:
    radio = Radio(Field({("r", n): Place(Zone.SPOT, n) for n in range(1, 10)}), Noise(uneven=0.5, seed=6))
    slow = [min(radio.pace(("r", n)) for _ in range(50)) for n in range(1, 10)]
    assert min(slow) >= 1
    assert max(slow) <= 1.5 * 1.1
    assert max(slow) - min(slow) > 0.2
    assert Radio(Field(PLACES), Noise(uneven=0)).pace(TRAY) == 1
