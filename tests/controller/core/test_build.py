"""From a configuration to the parts of the core: what each key of table.toml becomes."""

import pytest
from msgspec.structs import replace

from controller import commands
from controller.config import game as game_section
from controller.config.config import AntennaSection, Config, ReaderSection, ReadingSection, TableSection
from controller.core import build
from controller.games.catalog import variants
from controller.places import BANK, Place, Zone
from controller.registry.registry import DECK
from controller.rulings import profiles
from controller.rulings.rules import Rules
from controller.table.inputs import Told
from controller.table.setup import House, Stakes
from simulator.tables import EVERY_ZONE, config_of, registry_of
from tests.controller.core_table import SPOTS_ONLY, dealt, tray

VALUES = {"a": 100, "b": 500}


def config(zones: frozenset[Zone] = EVERY_ZONE, **reading: object) -> Config:
    made = config_of(2, Stakes(blinds=(25, 50), ante=5, ante_by="each"), House(confirm="always"), zones)
    return replace(made, reading=ReadingSection(**reading))  # type: ignore[arg-type]


def test_every_antenna_has_its_place_and_its_limit() -> None:
    antennas = build.layout(config()).antennas
    assert len(antennas) == 2 * 3 + 3
    assert {antenna.place for antenna in antennas if antenna.reader == "seat1"} == {
        Place(Zone.TRAY, 1),
        Place(Zone.SPOT, 1),
        Place(Zone.HOLE, 1),
    }
    assert next(a.capacity for a in antennas if a.place.zone is Zone.POT) == 250


def test_without_trays_the_quiet_time_is_twice_as_long() -> None:
    assert build.layout(config(quiet_ms=1500, hold_ms=4000)).quiet_ms == 1500
    assert build.layout(config(SPOTS_ONLY, quiet_ms=1500, hold_ms=4000)).quiet_ms == 3000
    assert build.layout(config(SPOTS_ONLY, quiet_ms=1500, hold_ms=4000)).hold_ms == 4000


@pytest.mark.parametrize(("wished", "made"), [(2, 2), (9, 9), ("auto", build.DEFAULT_STEPS)])
def test_steps_are_those_of_the_file_or_the_usual_ones(wished: object, made: int) -> None:
    assert build.layout(config(steps=wished)).steps == made


def test_readers_are_opened_with_the_antennas_that_are_configured_for_them() -> None:
    setups = build.readers(config())
    assert [(setup.id, setup.driver, setup.antennas) for setup in setups] == [
        ("seat1", "tablelink", (1, 2, 3)),
        ("seat2", "tablelink", (1, 2, 3)),
        ("middle", "tablelink", (1, 2, 3)),
    ]


def test_a_fresh_core_has_the_blinds_of_the_file_and_knows_nothing_yet() -> None:
    core = build.core(config(), registry_of(VALUES, DECK), Rules.named("TDA2024"))
    table = core.state.table
    assert (table.small_blind, table.big_blind, table.ante, table.ante_by) == (25, 50, 5, "each")
    assert (len(table.seats), core.state.places, core.known.counted) == (2, {}, False)
    assert core.seen().setting.house.confirm == "always"
    assert set(core.places().values()) == {BANK}
    assert set(core.known.readers) == {"seat1", "seat2", "middle"}


def test_a_core_of_a_journal_begins_where_that_left_it() -> None:
    before = dealt()
    core = build.core(before.config, before.registry, Rules.named("TDA2024"), before.core.state)
    assert core.state == before.core.state
    assert core.places()["s1-500-0"] == tray(1)
    assert not core.known.counted, "the antennas are asked again"


def of_one_radio(
    driver: str, antennas: list[AntennaSection], **options: str | int | bool
) -> dict[str, str | int | bool]:
    made = replace(config(), reader=(ReaderSection("west", driver, "/dev/west", options),), antenna=tuple(antennas))
    return build.readers(made)[0].options


def test_a_radio_for_several_antennas_scans_bet_spots_and_cards_often_unless_the_file_says_otherwise() -> None:
    spot, tray = AntennaSection("west", 1, Zone.SPOT, 1, tags=60), AntennaSection("west", 2, Zone.TRAY, 1)
    hole, small = AntennaSection("west", 3, Zone.HOLE, 1), AntennaSection("west", 4, Zone.POT, tags=20)
    antennas = [spot, tray, hole, small]
    for driver in ("feig", "metratec", "thingmagic", "invelion", "chafon"):
        assert of_one_radio(driver, antennas, power_dbm=20) == {"power_dbm": 20, "often": "1,3,4"}
        assert of_one_radio(driver, antennas, often="2") == {"often": "2"}
        assert of_one_radio(driver, antennas, often="") == {"often": ""}
        assert of_one_radio(driver, [tray]) == {}, "there is nothing to choose"
    assert of_one_radio("tablelink", antennas) == {}, "the microcontroller knows its antennas"


OF_ONE_GAME = [code for code, (game, _) in variants().items() if game.name == "holdem"]
EVERY = [("TDA2024", code) for code in variants()] + [(name, code) for name in profiles.names() for code in OF_ONE_GAME]


@pytest.mark.parametrize(("profile", "variant"), dict.fromkeys(EVERY))
def test_every_profile_of_the_package_plays_every_structure_and_every_game_is_played(
    profile: str, variant: str
) -> None:
    """As table.toml names them: the hand begins, and the seat to act is offered what the structure allows."""
    played, structure = variants()[variant]
    begin = commands.Opens(2) if played.forced == "bring_in" else commands.NextStreet()
    game = Stakes(variant, blinds=(25, 50), spread=(50, 100) if structure == "spread" else ())
    game_section.check(game)
    made = replace(config_of(3, game, House(), EVERY_ZONE), table=TableSection(seats=3, profile=profile))
    engine = build.engine(made, registry_of(VALUES, DECK), Rules.named(made.table.profile))
    state = engine.initial(made.table.seats, made.game)
    stacks = [commands.SetStack(seat, 5000) for seat in (1, 2, 3)]
    for command in (*stacks, commands.NextHand(), begin):
        state, _ = engine.step(state, Told(0, command, "dealer"))
    options = engine.options(state)

    assert state.hand is not None
    assert state.hand.limits.type == structure
    assert options is not None
    if played.forced == "bring_in":
        assert (options.to_call, options.can_raise, options.min_raise_to) == (25, True, 50)
        return
    assert (options.to_call, options.can_raise, options.min_raise_to) == (50, True, 100)
    pot = 100 if profile == "RROP11_SBASBB" else 75  # where the small blind counts as a big one
    most = {"NL": None, "FL": 100, "PL": 50 + pot + 50, "HP": 50 + (pot + 50) // 2, "spread": 150}
    assert options.max_raise_to == most[structure]
