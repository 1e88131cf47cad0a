"""Acts in time: what is lifted is in no field until it is laid down, and everything ends where the act says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.commands import Confirm, Say
from controller.places import BANK, BOARD, MUCK, POT, Place, Zone
from controller.registry.registry import DECK
from controller.rulings.values import Word
from controller.table.setup import House, Stakes
from simulator import acts
from simulator.acts import Act, hole, spot, tray
from simulator.felt import Felt
from simulator.field import Field, field_of
from simulator.performance import Performance
from simulator.players import Dice
from simulator.tables import config_of, registry_of, tag_of

CHIPS = {f"100-{number:03d}": 100 for number in range(1, 21)}
NAMES = tuple(CHIPS)
TAGS = {name: tag_of(name) for name in (*CHIPS, *DECK)}
MS = 1_000_000
EVERY_ACT: list[tuple[Act, Place]] = [
    (acts.Post(1, NAMES[:1]), spot(1)),
    (acts.PushChips(1, NAMES[:3]), spot(1)),
    (acts.Splash(1, NAMES[:3]), POT),
    (acts.DealHole(2, "As"), hole(2)),
    (acts.Burn("2c"), MUCK),
    (acts.DealBoard(("Ks", "Qs", "Js")), BOARD),
]


def table() -> tuple[Field, Performance]:
    field = field_of(config_of(3, Stakes(), House()))
    performance = Performance(field, TAGS, Dice(1))
    performance.lay_out({**dict.fromkeys(NAMES, tray(1)), **dict.fromkeys(DECK, BANK)})
    return field, performance


@pytest.mark.parametrize(("act", "target"), EVERY_ACT, ids=lambda value: type(value).__name__)
def test_an_act_ends_with_its_items_where_it_says(act: Act, target: Place) -> None:
    field, performance = table()
    end_ns, spoken = performance.begin(act, 0)
    performance.advance(end_ns)
    assert spoken is None
    assert performance.due_ns() is None
    assert all(field.where(TAGS[move.item]) == target for move in act.moves)


def test_on_the_way_an_item_is_in_no_field() -> None:
    field, performance = table()
    act = acts.PushChips(1, NAMES[:1])
    end_ns, _ = performance.begin(act, 0)
    seen = set()
    for at_ns in (*range(0, end_ns, 10 * MS), end_ns):
        performance.advance(at_ns)
        seen.add(field.where(TAGS[NAMES[0]]))
    assert seen == {tray(1), None, spot(1)}


def test_chips_of_one_motion_arrive_within_tenths_of_a_second() -> None:
    field, performance = table()
    end_ns, _ = performance.begin(acts.PushChips(1, NAMES[:8]), 0)
    arrivals = []
    while (due := performance.due_ns()) is not None:
        performance.advance(due)
        arrivals += [due] if field.where(TAGS[NAMES[0]]) == spot(1) else []
    assert end_ns - min(arrivals) < 500 * MS


def test_riffled_chips_come_back_to_the_tray_and_are_gone_in_between() -> None:
    field, performance = table()
    end_ns, _ = performance.begin(acts.Riffle(1, NAMES[:3]), 0)
    performance.advance(end_ns // 2)
    assert field.where(TAGS[NAMES[0]]) is None
    performance.advance(end_ns)
    assert all(field.where(TAGS[name]) == tray(1) for name in NAMES)


def test_words_and_keys_are_spoken_at_once_and_move_nothing() -> None:
    _, performance = table()
    end_ns, spoken = performance.begin(acts.Say(1, Word("call"), "seat"), 5)
    assert (end_ns, performance.due_ns()) == (5, None)
    assert spoken is not None
    assert (spoken.command, spoken.by, spoken.at_ns) == (Say(1, Word("call")), "seat", 5)
    _, spoken = performance.begin(acts.Key(Confirm()), 5)
    assert spoken is not None
    assert spoken.by == "dealer"


def test_change_is_taken_before_it_is_given() -> None:
    field, performance = table()
    moves = acts.carry(NAMES[:1], tray(1), spot(2)) + acts.carry(NAMES[1:3], tray(1), spot(3))
    performance.begin(acts.MakeChange(moves), 0)
    while field.where(TAGS[NAMES[0]]) != spot(2):
        assert field.where(TAGS[NAMES[1]]) == tray(1)
        performance.advance(performance.due_ns() or 0)


@given(st.lists(st.tuples(st.integers(0, 19), st.sampled_from([tray(1), tray(2), spot(1), spot(2), POT])), max_size=30))
@settings(max_examples=100, derandomize=True, deadline=None)
def test_the_felt_loses_nothing_and_makes_nothing(steps: list[tuple[int, Place]]) -> None:
    felt = Felt(CHIPS, dict.fromkeys(NAMES, tray(1)))
    for index, target in steps:
        felt.move(acts.carry((NAMES[index],), felt.at[NAMES[index]], target))
    places = set(felt.at.values())
    assert sorted(name for place in places for name in felt.on(place)) == sorted(NAMES)
    assert sum(felt.worth(place) for place in places) == 2000
    assert all(sum(felt.chips(place).values()) == len(felt.on(place)) for place in places)


def test_the_felt_refuses_a_move_from_where_the_item_does_not_lie() -> None:
    felt = Felt(CHIPS, dict.fromkeys(NAMES, tray(1)))
    with pytest.raises(AssertionError, match="100-001 lies on"):
        felt.move(acts.carry(NAMES[:1], spot(1), POT))


def test_a_full_table_watches_every_zone_and_a_poor_one_only_spots() -> None:
    full = config_of(3, Stakes(), House())
    assert {antenna.place for antenna in full.antenna} == {
        Zone.TRAY,
        Zone.SPOT,
        Zone.HOLE,
        Zone.POT,
        Zone.MUCK,
        Zone.BOARD,
    }
    poor = config_of(3, Stakes(), House(), zones={Zone.SPOT})
    assert [antenna.place for antenna in poor.antenna] == [Zone.SPOT] * 3
    assert [reader.id for reader in poor.reader] == ["seat1", "seat2", "seat3"]


def test_no_two_items_have_the_same_tag() -> None:
    registry = registry_of({f"{value}-{n:03d}": value for value in (1, 5, 25, 100) for n in range(600)}, DECK)
    assert len(registry.by_tag) == len(registry.items) == 4 * 600 + 52
    assert all(len(tag) == 16 and tag.startswith("E004") for tag in registry.by_tag)
