"""How far the table is behind the game, in the core and for everybody who listens."""

from controller import commands
from controller.picture.picture import Outside, pictures
from controller.places import Place, Zone
from controller.snapshot import BehindView
from tests.controller.core.test_worlds import Scene, open_betting
from tests.controller.core_table import spot, tray


def shown(table: Scene) -> BehindView | None:
    public, dealer = pictures(table.core.seen(), Outside("home", "e", 1))
    assert public.behind == dealer.behind
    return public.behind


def test_a_push_that_is_ruled_in_the_usual_time_is_not_spoken_of() -> None:
    table = open_betting()
    table.push(1, 100)
    for _ in range(40):
        table.run(100)
        assert shown(table) is None
    assert table.rulings() == [(1, "call", 100)]


def lifted_over_the_spot() -> Scene:
    """Seat 1 pushes a 500, and a 100 that left the tray with it stays in his hand; seat 2 acts behind him."""
    table = open_betting()
    kept = table.chips(tray(1), 100)
    table.push(1, 500)
    table.move(kept, Place(Zone.IN_HAND, 1))
    table.run(2000)
    table.lose(1)
    table.push(2, 50)
    return table


def test_what_waits_for_a_seat_that_is_not_read_is_told_with_since_when() -> None:
    table = lifted_over_the_spot()
    table.run(11_000)
    found = shown(table)
    assert found is not None
    assert (found.reading, found.waiting, found.cards) == ((1,), (2,), False)
    assert found.seconds == 10
    assert found.text["en"] == "10 s behind: reading 1, waiting 2"


def test_the_line_goes_when_the_table_has_caught_up() -> None:
    table = lifted_over_the_spot()
    table.run(11_000)
    table.tell(commands.Confirm())
    table.run(3000)
    assert (table.rulings()[0][:2], shown(table)) == ((1, "call"), None)


def test_a_push_that_is_read_for_long_is_told_and_everybody_hears_of_it_without_another_event() -> None:
    """A 100 left the tray with the push and is held over the spot: it is waited for."""
    table = open_betting()
    table.see = lambda name, lies, place, _ns: lies == place and not (place == spot(1) and name.startswith("s1-100"))
    kept = table.chips(tray(1), 100)
    table.push(1, 500)
    table.move(kept, Place(Zone.IN_HAND, 1))
    versions = []
    for _ in range(38):
        table.run(100)
        versions.append((shown(table) is not None, table.core.version))
    first = next(at for at, (told, _) in enumerate(versions) if told)
    found = shown(table)
    assert found is not None
    assert (found.reading, found.seconds) == ((1,), 3)
    assert found.text["ru"] == "Отстаём 3 с: читаем 1"
    assert versions[first][1] > versions[first - 1][1]


def test_a_question_says_itself_what_waits_for_it() -> None:
    table = open_betting()
    kept = table.chips(tray(1), 100)
    table.move(kept, Place(Zone.IN_HAND, 1))
    table.push(1, 500)
    table.run(9000)
    assert table.asked() is not None
    assert shown(table) is None
    table.tell(commands.Answer(reading=1))
    table.run(1000)
    assert shown(table) is None
