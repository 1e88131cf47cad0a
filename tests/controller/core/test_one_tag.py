"""The same tag read at two places steadily, as two chips with one tag would be: asked or named, never ruled on silently."""

from collections.abc import Iterable

import pytest

from controller import commands
from controller.picture import notices
from controller.places import POT, Place
from tests.controller.core.test_worlds import Scene, open_betting
from tests.controller.core_table import spot, tray


def two_of_one_tag(other: Place, *, moved: bool, pushed: Iterable[int]) -> tuple[Scene, list[str]]:
    """Another chip with the tag of a 100 of seat 1 lies at `other`; seat 1 pushes, with his own 100 or without it."""
    table = open_betting()
    chips = table.chips(tray(1), 100)
    table.see = lambda name, lies, place, _ns: lies == place or (name in chips and place == other)
    table.run(4000)
    if moved:
        table.move(chips, spot(1))
    table.push(1, *pushed)
    table.run(12_000)
    return table, chips


@pytest.mark.parametrize(
    ("other", "moved", "pushed", "outcomes"),
    [
        (spot(1), False, [500], [("call", 100), ("raise", 600)]),
        (tray(2), True, [500], [("call", 100), ("raise", 600)]),
        (tray(2), True, [100], [("call", 100), ("raise", 200)]),
        (POT, True, [1000], [("call", 100), ("raise", 1100)]),
    ],
    ids=str,
)
def test_a_push_with_a_chip_whose_tag_is_read_at_two_places_is_asked_about(
    other: Place, moved: bool, pushed: list[int], outcomes: list[tuple[str, int]]
) -> None:
    table, chips = two_of_one_tag(other, moved=moved, pushed=pushed)
    assert table.rulings() == []
    found = {(one[0], one[1]): one[2] for one in table.choices() if one}
    assert sorted(found) == outcomes
    assert tuple(chips) in found.values()
    table.tell(commands.Answer(reading=1))
    table.run(6000)
    assert (len(table.rulings()), table.asked()) == (1, None)


def test_a_tag_that_is_read_at_two_places_changes_no_ruling_that_it_is_nothing_to() -> None:
    """Seat 1 calls with one 100 while his neighbour's twin tags lie elsewhere: it is ruled, nobody is asked."""
    table, _ = two_of_one_tag(spot(2), moved=False, pushed=[500])
    assert (table.rulings(), table.asked()) == ([(1, "call", 100)], None)


@pytest.mark.parametrize("other", [tray(2), spot(2), POT], ids=str)
def test_a_push_of_nothing_but_such_a_chip_is_named_with_what_ends_the_wait(other: Place) -> None:
    table, _ = two_of_one_tag(other, moved=True, pushed=[])
    assert (table.rulings(), table.asked()) == ([], None)
    [notice] = [one for one in notices.of(table.core.seen())[0] if one.key == "twice_waits"]
    assert notice.text["en"].startswith("A 100 on the bet spot of seat 1 is read elsewhere too")
    table.say(1, "call")
    table.run(2000)
    assert table.rulings()[-1] == (1, "call", 100)
    assert ("twice_waits", 1) not in {(one.key, one.seat) for one in notices.of(table.core.seen())[0]}
