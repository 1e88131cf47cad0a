"""A picture needs a value and no table: of the core, of a journal that is replayed, or written down by hand."""

from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller import commands
from controller.core import build
from controller.core.core import Core
from controller.core.known import Known
from controller.core.reader_states import ReaderState
from controller.core.seen import Preview, Seen, unwatched
from controller.engine.draft import Setting
from controller.games.catalog import game
from controller.journal.book import Journal
from controller.journal.copies import copy_of
from controller.picture import picture
from controller.places import Motion, Moved, Place, Zone
from controller.rulings.rules import Rules
from controller.rulings.values import Reading, Ruling
from controller.snapshot import DealerSnapshot, Snapshot
from controller.table.events import Event
from controller.table.setup import House, Sensors, Stakes
from controller.table.state import Hand, InHand, Phase, Seat, State, Table
from tests.controller.core_table import FLOP, CoreTable, counted, dealt, spot, tray
from tests.controller.random_play import SEATS, play, steps

OUTSIDE = picture.Outside("home", "e1", 7, "up")


def drawn(seen: Seen) -> tuple[Snapshot, DealerSnapshot]:
    return picture.pictures(seen, OUTSIDE)


def nothing_pends(core: Core) -> bool:
    known = core.known
    doubts = (known.unknown, known.foreign, known.unaccounted, known.twice)
    return known.counted and not (core.open or core.waiting or any(doubts))


def without_readers(shown: tuple[Snapshot, DealerSnapshot]) -> tuple[Snapshot, DealerSnapshot]:
    """Health of readers is nobody's state: no journal has it."""
    return replace(shown[0], readers=()), replace(shown[1], readers=())


# ---------------------------------------------------------------- a journal
class Journaled(CoreTable):
    """A table whose events are on disk before anybody looks."""

    def __init__(self, seats: int, journal: Journal) -> None:
        self.journal = journal
        super().__init__(seats)

    def _keep(self, events: list[Event]) -> list[Event]:
        self.journal.append([(event, self.ns, 0) for event in events])
        return super()._keep(events)


def replayed(table: CoreTable, path: Path) -> Seen:
    """What the file alone shows, and table.toml beside it."""
    engine = build.engine(table.config, table.registry, Rules.named("TDA2024"))
    with copy_of(path) as journal:
        return unwatched(engine, journal.replay(engine.initial(table.seats, table.config.game)))


def test_a_journal_alone_gives_the_picture_that_the_table_showed(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = Journal.open(path)
    table = dealt(3, kind=partial(Journaled, journal=journal))

    def same() -> Snapshot:
        table.until(lambda: nothing_pends(table.core))
        live = without_readers(drawn(table.core.seen()))
        assert drawn(replayed(table, path)) == live
        return live[0]

    try:
        assert (same().phase, same().to_act) == ("betting", 1)
        table.push(1, 500, 100)
        table.still()
        ruling = same().ruling
        assert ruling is not None
        assert ruling.headline["en"] == "Seat 1: Raise to 600"
        table.say(2, "fold")
        table.push(3, 500)
        table.still()
        table.sweep()
        table.still()
        table.board(*FLOP)
        table.until(lambda: table.hand.row.name == "flop")
        assert len(same().board) == 3
        table.say(3, "check")
        table.push(1, 1000)
        table.still()
        table.tell(commands.Undo())
        assert (same().to_act, drawn(table.core.seen())[1].can_redo) == (1, True)
    finally:
        journal.close()


def test_a_journal_tells_nothing_of_what_is_not_decided(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = Journal.open(path)
    table = dealt(3, kind=partial(Journaled, journal=journal))
    table.push(1, 500, 100)
    table.run(900)
    try:
        assert drawn(table.core.seen())[0].provisional is not None
        assert drawn(replayed(table, path))[0].provisional is None
    finally:
        journal.close()


@given(st.lists(steps, min_size=5, max_size=25))
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_where_nothing_pends_a_state_alone_shows_all(played: list[tuple[object, ...]]) -> None:
    table = dealt(SEATS)
    engine = build.engine(table.config, table.registry, Rules.named("TDA2024"))
    for step in [*played, ("run", 2000)]:
        play(table, step)
        if nothing_pends(table.core):
            live = without_readers(drawn(table.core.seen()))
            assert drawn(unwatched(engine, table.core.state)) == live


def test_a_table_that_saw_nothing_yet_is_shown_as_counting_in() -> None:
    table = CoreTable(2)
    engine = build.engine(table.config, table.registry, Rules.named("TDA2024"))
    public, _ = drawn(unwatched(engine, engine.initial(2, table.config.game)))
    assert (public.phase, [seat.stack for seat in public.seats]) == ("counting_in", [0, 0])


# ---------------------------------------------------------------- the core
def test_what_was_seen_stays_as_it_was_while_the_table_goes_on() -> None:
    table = counted()
    before = table.core.seen()
    shown = drawn(before)
    table.tell(commands.NextHand())
    table.push(2, 50)
    table.run(300)
    table.lose(1)
    table.where["E0049999AAAA0001"] = spot(3)
    table.run(3000)
    assert drawn(table.core.seen()) != shown
    assert drawn(before) == shown


def test_nobody_changes_a_core_from_outside() -> None:
    core = counted().core
    assert [name for name in vars(core) if not name.startswith("_")] == []
    for name in ("state", "known", "version", "open", "waiting"):
        with pytest.raises(AttributeError):
            setattr(core, name, getattr(core, name))


# ---------------------------------------------------------------- by hand
VALUES = {"red-1": 100, "red-2": 100, "blue-1": 500}
SETTING = Setting(VALUES, Rules.named("TDA2024"), House(), Sensors(trays=frozenset({1, 2})), Stakes(blinds=(50, 100)))
CALL = Reading("call", 100, 400, 0, reopens=False, all_in=False, rule="44")
PUSH = Motion(1, (Moved("blue-1", tray(1), spot(1)),), 10, 20, later_trip=False, doubtful=(), settled=False)


def heads_up() -> State:
    """Seat 1 posted 50 and is to act behind the big blind of seat 2."""
    players = (
        InHand(1, 1000, bet=50, committed=50),
        InHand(2, 2000, bet=100, committed=100),
    )
    hand = Hand(4, Phase.BETTING, game(), 0, 1, players, 100, to_act=1, current_bet=100)
    table = Table((Seat(1000, playing=True, name="Anna"), Seat(2000, playing=True)), 1, small_blind=50, big_blind=100)
    empty: tuple[tuple[str, ...], ...] = ((), ())
    return State({}, replace(table, hand_number=4), hand, spots=empty, cards=empty, given=(50, 100))


def test_a_value_written_by_hand_is_drawn() -> None:
    public, dealer = drawn(Seen(heads_up(), SETTING))
    assert (public.table, public.n, public.hand_number, public.phase, public.to_act) == ("home", 7, 4, "betting", 1)
    assert [(seat.name, seat.stack, seat.bet) for seat in public.seats] == [("Anna", 950, 50), ("", 1900, 100)]
    assert (public.pot_total, public.to_call, public.notices, public.provisional) == (150, None, (), None)
    assert (dealer.seats, dealer.unseen, dealer.can_undo) == (public.seats, (), False)


def test_a_push_that_settles_and_what_it_waits_for_are_drawn_of_a_value_alone() -> None:
    ruling = Ruling(CALL, "one_chip", {}, (CALL,))
    seen = Seen(
        heads_up(),
        SETTING,
        known=Known(
            counted=True,
            unknown={tray(1): "lost"},
            readers={"west": ReaderState("up"), "east": ReaderState("lost", "/dev/ttyUSB1: unplugged: waiting for it")},
        ),
        previews=(Preview(1, PUSH, ruling, (tray(1),)),),
        held_up=((1, tray(1)),),
        watchers={tray(1): ("west", "east")},
    )
    public, _ = drawn(seen)
    assert public.provisional is not None
    assert (public.provisional.total_to, public.provisional.chips) == (100, ((500, 1),))
    assert public.provisional.waits_for is not None
    assert public.provisional.waits_for["en"] == "waits: the tray of seat 1 is not known"
    assert [seat.known for seat in public.seats] == [False, True]
    assert {notice.text["en"] for notice in public.notices} == {
        "Seat 1 waits (Confirm: as it is shown): the tray of seat 1 is not known.",
        "Not known: tray 1. Reader east (unplugged) is lost.",
    }


def test_chips_lie_where_the_value_says() -> None:
    places = {"red-1": spot(1), "blue-1": Place(Zone.IN_HAND, 1), "red-2": Place(Zone.IN_HAND, 2)}
    state = replace(heads_up(), places=places, spots=(("red-1",), ()))
    seats = drawn(Seen(state, SETTING))[0].seats
    assert [(seat.front, seat.in_hand_value) for seat in seats] == [(100, 500), (0, 100)]
