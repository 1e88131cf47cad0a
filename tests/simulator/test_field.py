"""What lies in the field of which antenna: nothing is doubled, nothing is lost."""

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.config.config import AntennaSection, Config, ReaderSection
from controller.places import BANK, POT, Place, Zone
from simulator.field import Field, field_of, neighbours

TRAY1, SPOT1, HELD1 = Place(Zone.TRAY, 1), Place(Zone.SPOT, 1), Place(Zone.IN_HAND, 1)
TRAY2, SPOT2 = Place(Zone.TRAY, 2), Place(Zone.SPOT, 2)
PLACES = {("w", 1): TRAY1, ("w", 2): SPOT1, ("e", 1): TRAY2, ("e", 2): SPOT2, ("e", 3): POT, ("e", 4): POT}


def test_tags_lie_where_they_were_laid_and_nowhere_else() -> None:
    field = Field(PLACES)
    field.lay(["A", "B", "C"], TRAY1)
    field.lay(["B"], SPOT1)
    assert field.on(("w", 1)) == ("A", "C")
    assert field.on(("w", 2)) == ("B",)
    assert field.where("B") == SPOT1


def test_what_is_in_the_hand_or_the_bank_is_in_no_field() -> None:
    field = Field(PLACES)
    field.lay(["A", "B"], TRAY1)
    field.lay(["A"], HELD1)
    field.lay(["B"], BANK)
    assert not any(field.on(antenna) for antenna in PLACES)
    assert (field.where("A"), field.where("B")) == (HELD1, BANK)


def test_a_place_without_an_antenna_hides_what_lies_there_but_keeps_it() -> None:
    field = Field({("w", 2): SPOT1})
    field.lay(["A"], TRAY1)
    assert field.on(("w", 2)) == ()
    assert field.where("A") == TRAY1


def test_lifted_tags_lie_nowhere() -> None:
    field = Field(PLACES)
    field.lay(["A"], SPOT1)
    field.lift(["A", "never seen"])
    assert field.on(("w", 2)) == ()
    assert field.where("A") is None


def test_two_antennas_of_one_place_share_what_lies_there_the_first_one_first() -> None:
    field = Field(PLACES, {("e", 3): 2, ("e", 4): 2})
    field.lay("ABC", POT)
    field.lay("DE", POT)
    assert field.on(("e", 3)) == ("A", "B")
    assert field.on(("e", 4)) == ("C", "D", "E")


def test_an_untouched_field_gives_the_same_tuple_again() -> None:
    field = Field(PLACES)
    field.lay(["A"], TRAY1)
    before = field.on(("w", 1))
    field.lay(["B"], SPOT1)
    assert field.on(("w", 1)) is before


def test_trays_hear_their_spot_and_the_next_tray_and_cards_hear_nobody() -> None:
    places = PLACES | {("w", 3): Place(Zone.HOLE, 1), ("w", 4): Place(Zone.TRAY, 3)}
    near = neighbours(places)
    assert set(near["w", 1]) == {("w", 2), ("e", 1)}
    assert set(near["e", 2]) == {("e", 1), ("w", 2)}
    assert near["w", 3] == ()
    assert ("w", 1) not in near["w", 4]
    assert near["e", 3] == ()


def test_a_table_toml_gives_its_antennas_and_limits() -> None:
    config = Config(
        reader=(ReaderSection("w", "tablelink", "/dev/x"),),
        antenna=(AntennaSection("w", 7, Zone.TRAY, 1, 60), AntennaSection("w", 8, Zone.SPOT, 1, 20)),
    )
    field = field_of(config)
    assert field.antennas == {("w", 7): TRAY1, ("w", 8): SPOT1}
    assert (field.limit(("w", 7)), field.limit(("w", 8))) == (60, 20)
    assert field.numbers("w") == (7, 8)


@settings(max_examples=60, derandomize=True)
@given(
    st.lists(
        st.tuples(st.sets(st.sampled_from("ABCDEFGH")), st.sampled_from([*PLACES.values(), HELD1, BANK])), max_size=12
    )
)
def test_tags_are_conserved_whatever_is_moved(moves: list[tuple[set[str], Place]]) -> None:
    field = Field(PLACES, {("e", 3): 2})
    laid: dict[str, Place] = {}
    for tags, place in moves:
        field.lay(sorted(tags), place)
        laid |= dict.fromkeys(tags, place)
    assert {tag: field.where(tag) for tag in laid} == laid
    heard = sorted(tag for antenna in PLACES for tag in field.on(antenna))
    assert heard == sorted(tag for tag, place in laid.items() if place in PLACES.values())
    for antenna, place in PLACES.items():
        assert all(laid[tag] == place for tag in field.on(antenna))
