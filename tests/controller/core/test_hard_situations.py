"""What makes tables hard to read, each through radio, tracking, core and rules, at 5 % misses and 1 % strays or worse."""

import pytest

from controller import commands
from controller.places import POT, Place, Zone
from firmware_bridge.events import ReaderLost, ReaderUp
from simulator.radio import Noise
from tests.controller.core_table import SPOTS_ONLY, dealt, spot, tray
from tests.controller.noisy_table import NoisyTable, noisy

USUAL = Noise(0.05, 0.01)
BURSTS = Noise(0.1, 0.01, 5)
NO_TRAYS = frozenset({Zone.SPOT, Zone.POT, Zone.HOLE, Zone.BOARD, Zone.MUCK})
S = 1000
SEEDS = range(3)
each_seed = pytest.mark.parametrize("seed", SEEDS)
each_noise = pytest.mark.parametrize("noise", [USUAL, BURSTS], ids=["misses and strays", "bursts"])


def heard(table: NoisyTable, noise: Noise, seed: int) -> NoisyTable:
    table.hear(Noise(noise.miss, noise.stray, noise.burst, seed))
    return table


def ruled(table: NoisyTable, many: int) -> list[tuple[int, str, int]]:
    """The first rulings, and none more within five seconds."""
    table.until(lambda: len(table.rulings()) >= many, 90 * S)
    table.run(5 * S)
    return table.rulings()


# ---------------------------------------------------------------- the radio
@each_seed
def test_neighbouring_antennas_that_hear_each_other(seed: int) -> None:
    """5 % of strays: spots hear the trays and spots beside them."""
    table = heard(noisy(), Noise(0.05, 0.05), seed)
    table.run(60 * S)
    assert table.rulings() == []
    table.push(1, 500, 100)
    assert ruled(table, 1) == [(1, "raise", 600)]
    table.push(2, 500, 50)
    assert ruled(table, 2)[1:] == [(2, "call", 600)]


@each_seed
def test_misses_in_bursts(seed: int) -> None:
    table = heard(noisy(), Noise(0.1, 0.01, 8), seed)
    table.push(1, 500, 100)
    assert ruled(table, 1) == [(1, "raise", 600)]


@each_seed
def test_a_tag_between_two_spots_belongs_to_the_seat_that_pushed_it_and_is_named(seed: int) -> None:
    """The spot of seat 2 reads it just as well: seat 2 has pushed nothing, and seat 1 has called."""
    table = heard(noisy(), USUAL, seed)
    pushed = table.push(1, 100)
    assert ruled(table, 1) == [(1, "call", 100)]
    table.between[pushed[0]] = spot(2)
    table.until(lambda: table.core.known.twice, 20 * S)
    assert table.core.known.twice == ((pushed[0], (spot(1), spot(2))),)
    table.run(20 * S)
    assert table.rulings() == [(1, "call", 100)]
    assert table.core.state.places[pushed[0]] == spot(1)


@each_seed
def test_a_chip_laid_between_two_spots_at_once_is_ruled_for_neither(seed: int) -> None:
    """From the first moment both read it: whose bet it is only a person can say, and the table names it."""
    table = heard(noisy(), Noise(0.0, 0.01), seed)
    pushed = table.push(1, 100)
    table.between[pushed[0]] = spot(2)
    table.run(20 * S)
    assert table.rulings() == []
    assert [name for name, _ in table.core.known.twice] == pushed
    del table.between[pushed[0]]
    assert ruled(table, 1) == [(1, "call", 100)]


# ---------------------------------------------------------------- chips that lie nowhere
@each_seed
@each_noise
def test_a_chip_in_the_hand_keeps_the_push_open_and_is_asked_about_until_it_is_laid_down(
    noise: Noise, seed: int
) -> None:
    table = heard(noisy(), noise, seed)
    kept = table.chips(tray(1), 100)
    table.move(kept, Place(Zone.IN_HAND, 1))
    table.push(1, 500)
    table.run(15 * S)
    assert table.rulings() == []
    question = table.asked()
    assert question is not None
    assert {move.item for one in question.worlds for move in one.moves} == {*kept}
    table.move(kept, spot(1))
    assert ruled(table, 1) == [(1, "raise", 600)]
    assert table.asked() is None, "the antennas have answered"


@each_seed
def test_a_chip_in_the_hand_that_goes_back_to_the_tray_is_no_part_of_the_push(seed: int) -> None:
    table = heard(noisy(), USUAL, seed)
    kept = table.chips(tray(1), 100)
    table.move(kept, Place(Zone.IN_HAND, 1))
    table.push(1, 500)
    table.run(8 * S)
    table.move(kept, tray(1))
    assert ruled(table, 1) == [(1, "call", 100)]


@each_seed
def test_chips_on_the_rail_before_the_push_hold_nothing_up(seed: int) -> None:
    table = heard(noisy(), USUAL, seed)
    table.move(table.chips(tray(1), 1000, 1000), Place(Zone.IN_HAND, 1))
    table.run(20 * S)
    table.push(1, 500, 100)
    assert ruled(table, 1) == [(1, "raise", 600)]
    assert {place for name, place in table.core.known.unaccounted} <= {tray(seat) for seat in (1, 2, 3)} | {spot(1)}


@each_seed
def test_chips_from_the_rail_are_a_push_like_those_of_the_tray(seed: int) -> None:
    table = heard(noisy(), USUAL, seed)
    names = table.chips(tray(1), 1000)
    table.move(names, Place(Zone.IN_HAND, 1))
    table.run(20 * S)
    table.move(names, spot(1))
    assert ruled(table, 1) == [(1, "call", 100)], "an oversized chip without a word"


@each_seed
def test_a_chip_that_went_into_a_pocket_stays_the_seats_and_comes_back(seed: int) -> None:
    table = heard(noisy(), USUAL, seed)
    names = table.chips(tray(2), 500)
    table.move(names, Place(Zone.IN_HAND, 2))
    table.run(60 * S)
    assert table.core.state.places[names[0]] == Place(Zone.IN_HAND, 2)
    table.push(1, 100)
    assert ruled(table, 1) == [(1, "call", 100)]
    table.move(names, tray(2))
    table.run(10 * S)
    assert table.core.state.places[names[0]] == tray(2)
    assert not table.alarms()


# ---------------------------------------------------------------- what people do
@each_seed
@each_noise
def test_chips_splashed_into_the_pot_are_the_push(noise: Noise, seed: int) -> None:
    table = heard(noisy(), noise, seed)
    table.move(table.chips(tray(1), 500, 100), POT)
    assert ruled(table, 1) == [(1, "raise", 600)]


@each_seed
@each_noise
def test_two_players_who_push_at_once_are_ruled_in_turn(noise: Noise, seed: int) -> None:
    table = heard(noisy(), noise, seed)
    table.push(2, 500, 50)
    table.push(1, 500, 100)
    assert ruled(table, 2)[:2] == [(1, "raise", 600), (2, "call", 600)]


@each_seed
@each_noise
def test_a_pot_of_150_chips_is_swept_and_paid(noise: Noise, seed: int) -> None:
    """Six seats with 25 chips each: every spot is read, every chip comes to the pot, and nothing is ruled on the way."""
    stack = [25] * 8 + [50] * 8 + [100] * 9
    table = heard(noisy(6), noise, seed)
    for seat, missing in ((4, []), (5, []), (6, []), (1, []), (2, [50]), (3, [100])):
        mine = list(stack)
        for value in missing:
            mine.remove(value)
        before = len(table.rulings())
        table.push(seat, *mine)
        table.until(lambda before=before: len(table.rulings()) > before, 120 * S)  # type: ignore[misc]
    assert table.rulings() == [(4, "raise", 1500), *((seat, "call", 1500) for seat in (5, 6, 1, 2, 3))]
    rulings = len(table.rulings())
    table.sweep()
    table.until(lambda: sum(place == POT for place in table.core.state.places.values()) == 150, 120 * S)
    table.run(5 * S)
    assert (len(table.rulings()), table.alarms()) == (rulings, set())


# ---------------------------------------------------------------- readers and power
@each_seed
def test_a_reader_that_dies_with_chips_on_it_moves_none_and_its_seat_waits(seed: int) -> None:
    table = heard(noisy(), USUAL, seed)
    table.push(1, 500, 100)
    table.run(700)
    before = dict(table.core.places())
    table.dead.add("seat1")
    table.take(ReaderLost("seat1", table.ns, "unplugged"))
    table.run(60 * S)
    moved = {name for name, place in table.core.places().items() if place != before[name]}
    assert not [name for name in moved if name.startswith("s1")]
    assert (table.rulings(), set(table.core.known.unknown)) == ([], {spot(1), tray(1), Place(Zone.HOLE, 1)})
    table.dead.clear()
    table.take(ReaderUp("seat1", table.ns, "again"))
    assert ruled(table, 1) == [(1, "raise", 600)]


@each_seed
def test_a_restart_with_chips_everywhere_finds_them_all_and_goes_on(seed: int) -> None:
    """On spots, in the pot, on the rail, in trays: the hand goes on with the next player, nothing differs."""
    before = heard(noisy(), USUAL, seed)
    before.move(before.chips(tray(3), 1000), Place(Zone.IN_HAND, 3))
    before.run(20 * S)
    before.push(1, 500, 100)
    assert ruled(before, 1) == [(1, "raise", 600)]
    table = NoisyTable(state=before.core.state)
    for name, place in before.where.items():
        table.move([name], place)
    heard(table, USUAL, seed + 100)
    table.until(lambda: table.core.known.counted, 60 * S)
    assert (table.core.state.differences, table.hand.to_act) == ((), 2)
    table.push(2, 500, 50)
    assert ruled(table, 1) == [(2, "call", 600)]


@each_seed
@each_noise
def test_a_table_without_trays_rules_on_pushes(noise: Noise, seed: int) -> None:
    table = heard(noisy(zones=NO_TRAYS), noise, seed)
    table.push(1, 500, 100)
    assert ruled(table, 1) == [(1, "raise", 600)]
    table.push(2, 500, 50)
    assert ruled(table, 2)[1:] == [(2, "call", 600)]


@each_seed
def test_a_table_with_bet_spots_and_keys_alone_rules_on_pushes(seed: int) -> None:
    table = heard(noisy(zones=SPOTS_ONLY), USUAL, seed)
    seat = table.hand.to_act
    assert seat is not None
    table.push(seat, 500, 100)
    assert ruled(table, 1) == [(seat, "raise", 600)]
    table.tell(commands.Undo())
    assert table.hand.to_act == seat


def test_the_same_acts_without_noise_are_ruled_the_same() -> None:
    table = dealt()
    table.push(2, 500, 50)
    table.push(1, 500, 100)
    table.still()
    assert table.rulings() == [(1, "raise", 600), (2, "call", 600)]
