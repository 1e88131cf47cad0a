"""Scenes of a real evening in which an item is not read where it lies: ruled right or asked, never silently wrong."""

import random
from collections.abc import Callable, Iterable

import pytest

from controller import commands
from controller.core.worlds import View, World, weighed
from controller.places import Motion, Moved, Place, Zone
from controller.table import inputs
from controller.table.events import Asked, Ruled
from controller.table.setup import House
from firmware_bridge.events import ScanRound, Sighting
from tests.controller.core.test_order import flop
from tests.controller.core_table import MS, CoreTable, counted, dealt, spot, tray

See = Callable[[str, Place, Place, int], bool]  # item, where it lies, the antenna's place, now


def truly(_name: str, lies: Place, place: Place, _ns: int) -> bool:
    return lies == place


class Scene(CoreTable):
    """A table whose antennas see what `see` says."""

    def __init__(self, seats: int = 3, **options: object) -> None:
        self.see: See = truly
        super().__init__(seats, house=House(), **options)  # type: ignore[arg-type]

    def _scan(self, reader: str, number: int, place: Place) -> None:
        began, self.ns = self.ns, self.ns + 2 * MS
        items = self.registry.items
        tags = [items[name].tag for name, lies in self.where.items() if self.see(name, lies, place, self.ns)]
        self.take(ScanRound(reader, number, began, self.ns, complete=True, sightings=tuple(map(Sighting, tags))))

    def blind(self, names: Iterable[str], zone: Zone = Zone.SPOT) -> None:
        """Antennas of that kind do not read these items any more."""
        hidden = {*names}
        self.see = lambda name, lies, place, _ns: lies == place and not (name in hidden and place.zone is zone)

    def covered(self, place: Place, ms: int) -> None:
        """A hand rests there for so long."""
        until = self.ns + ms * MS
        self.see = lambda _name, lies, at, ns: lies == at and not (at == place and ns < until)

    def choices(self) -> list[tuple[str, int, tuple[str, ...]] | None]:
        """What the table asks: action, total and the items that would lie elsewhere; the likeliest first."""
        question = self.asked()
        assert question is not None
        assert question.why == "worlds"
        return [
            one.reading and (one.reading.action, one.reading.total_to, tuple(move.item for move in one.moves))
            for one in question.worlds
        ]

    def doubts(self) -> list[tuple[str, int, tuple[str, ...]]]:
        """What stands beside the last ruling."""
        last = [event for event in self.log if isinstance(event, Ruled)][-1]
        return [
            (one.reading.action, one.reading.total_to, tuple(move.item for move in one.moves))
            for one in last.doubts
            if one.reading is not None
        ]


def question_of(table: Scene) -> Asked:
    asked = table.asked()
    assert asked is not None
    return asked


def open_betting(**options: object) -> Scene:
    table = dealt(3, kind=Scene, **options)
    assert isinstance(table, Scene)
    return table


def blind_unread() -> tuple[Scene, list[str]]:
    """The big blind, seat 3, laid one chip of 100 that its spot never reads; seat 1 raised to 300, seat 2 folded."""
    table = counted(3, kind=Scene)
    assert isinstance(table, Scene)
    table.tell(commands.NextHand())
    chips = table.push(3, 100)
    table.push(2, 50)
    table.blind(chips)
    table.run(6000)
    for seat, cards in {1: ("As", "Ah"), 2: ("Ks", "Kh"), 3: ("Qs", "Qh")}.items():
        table.deal(seat, *cards)
    table.run(10_000)
    table.push(1, 100, 100, 100)
    table.run(3000)
    table.muck(2)
    table.run(2000)
    return table, chips


# ---------------------------------------------------------------- what is missing there and unseen here
def test_a_posted_blind_that_is_not_read_is_asked_about_where_it_changes_a_raise() -> None:
    """A 100 of the blind unread, 500 + 500 on top: a raise to 1100, not to 1000."""
    table, chips = blind_unread()
    table.push(3, 500, 500)
    table.run(9000)
    assert table.choices() == [("raise", 1100, tuple(chips)), ("raise", 1000, ())]
    assert [one.values for one in question_of(table).worlds] == [(100,), ()]
    table.tell(commands.Answer(reading=1))
    assert table.rulings()[-1] == (3, "raise", 1100)
    assert table.asked() is None
    assert table.core.state.places[chips[0]] == spot(3)


def test_a_posted_blind_that_is_not_read_never_swallows_a_call() -> None:
    """The same, and exactly the call is pushed: neither late payment nor silence."""
    table, chips = blind_unread()
    table.push(3, 100, 100)
    table.run(9000)
    assert table.choices()[0] == ("call", 300, tuple(chips))
    table.tell(commands.Answer(action="call", total_to=300))
    assert table.rulings()[-1] == (3, "call", 300)


def test_the_blind_that_is_read_after_all_answers_the_question() -> None:
    table, _ = blind_unread()
    table.push(3, 500, 500)
    table.run(9000)
    assert table.asked() is not None
    table.see = truly
    table.run(4000)
    assert (table.asked(), table.rulings()[-1]) == (None, (3, "raise", 1100))


def test_what_was_answered_is_not_asked_again_in_this_hand() -> None:
    table, _ = blind_unread()
    table.push(3, 500, 500)
    table.run(9000)
    table.tell(commands.Answer(reading=1))
    table.push(1, 1000)
    table.run(6000)
    assert table.asked() is None
    assert table.rulings()[-1] == (1, "call", 1100)


# ---------------------------------------------------------------- a hand over the chips
def pushed_under_a_hand(table: Scene, seat: int, value: int) -> None:
    """A hand rests on the spot for six seconds; just before it lifts one chip is put in."""
    table.covered(spot(seat), 6000)
    table.run(5500)
    table.push(seat, value)
    table.run(7500)


def test_a_hand_that_rests_on_the_blind_pushes_nothing() -> None:
    """Covered for five seconds and more; one chip of 500 is put in and the hand lifts: one chip is a call (TDA 44)."""
    table = open_betting()
    table.push(1, 100, 100, 100)
    table.run(3000)
    table.muck(2)
    table.run(1500)
    pushed_under_a_hand(table, 3, 500)
    assert table.rulings()[-1] == (3, "call", 300)


def test_a_hand_that_rests_on_a_raise_pushes_nothing() -> None:
    table = open_betting()
    table.push(1, 500, 100)
    table.run(4000)
    table.push(2, 1000, 50)
    table.run(4000)
    table.muck(3)
    table.run(2000)
    pushed_under_a_hand(table, 1, 1000)
    assert table.rulings()[-1] == (1, "call", 1100)


@pytest.mark.parametrize("seconds", [3, 6, 20])
def test_a_hand_over_a_bet_is_no_act(seconds: int) -> None:
    table = open_betting()
    table.push(1, 500, 100)
    table.run(4000)
    table.covered(spot(1), seconds * 1000)
    table.run(seconds * 1000 + 4000)
    assert table.rulings() == [(1, "raise", 600)]
    assert (table.asked(), table.alarms()) == (None, set())


# ---------------------------------------------------------------- between two antennas
def test_a_chip_between_two_spots_is_asked_about() -> None:
    """500 + 100 facing 100; spots 1 and 2 show the 100 by turns: a raise to 600, if it is of the push."""
    table = open_betting()
    chips = table.push(1, 500, 100)
    rounds = iter(range(10**6))

    def by_turns(name: str, lies: Place, place: Place, _ns: int) -> bool:
        if name != chips[1]:
            return lies == place
        at = next(rounds)
        return (place == spot(1) and at % 10 < 3) or (place == spot(2) and at % 10 >= 3)

    table.see = by_turns
    table.run(8000)
    assert table.rulings() == []
    assert {*table.choices()} == {("raise", 600, (chips[1],)), ("call", 100, ())}


def at_the_edge(chips: list[str], tray_share: float, spot_share: float, seed: int) -> See:
    draw = random.Random(seed).random

    def see(name: str, lies: Place, place: Place, _ns: int) -> bool:
        if name not in chips or place not in (tray(1), spot(1)):
            return lies == place
        return draw() < (tray_share if place == tray(1) else spot_share)

    return see


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.6, 0.2), (0.7, 0.3), (0.9, 0.1)], ids=str)
def test_a_chip_at_the_front_edge_of_its_tray_is_no_push(shares: tuple[float, float]) -> None:
    """Tray and spot show it by turns for half a minute: nothing is ruled in nine of ten seeds at least."""
    ruled = 0
    for seed in range(10):
        table = open_betting()
        table.see = at_the_edge(table.chips(tray(1), 100), *shares, seed)
        table.run(30_000)
        ruled += table.rulings() != []
    assert ruled <= 1


def beside_a_push(seed: int) -> tuple[Scene, str]:
    """500 + 100 facing 100; the 100 stops half way, and its tray and its spot read it by turns."""
    table = open_betting()
    [odd] = table.chips(tray(1), 100)
    table.see = at_the_edge([odd], 0.5, 0.5, seed)
    table.push(1, 500)
    table.move([odd], spot(1))
    table.run(11_000)
    return table, odd


def test_a_chip_between_its_tray_and_its_spot_beside_a_push_is_asked_about() -> None:
    """Decided onto the spot it is of the push; else it is asked, and ruled without it in one of thirty at most."""
    tables = [beside_a_push(seed)[0] for seed in range(30)]
    assert sum((1, "call", 100) in table.rulings() for table in tables) <= 1


@pytest.mark.parametrize("total", [100, 600])
def test_what_people_say_of_a_chip_between_tray_and_spot_is_asked_once(total: int) -> None:
    table, odd = beside_a_push(6)
    choices = table.choices()
    assert {*choices} == {("call", 100, ()), ("raise", 600, (odd,))}
    action = "call" if total == 100 else "raise"
    at = next(at for at, one in enumerate(choices, 1) if one is not None and one[:2] == (action, total))
    table.tell(commands.Answer(reading=at))
    table.run(20_000)
    assert table.rulings() == [(1, action, total)]
    assert table.asked() is None


def test_a_chip_that_lay_at_the_edge_before_the_push_is_not_asked_about() -> None:
    """Tray and spot showed it by turns already: nobody brought it."""
    table = open_betting()
    [odd] = table.chips(tray(1), 100)
    table.see = at_the_edge([odd], 0.7, 0.3, 4)
    table.run(6000)
    table.push(1, 500)
    table.run(4000)
    assert table.rulings() == [(1, "call", 100)]


# ---------------------------------------------------------------- bets that nobody saw
def on_the_flop() -> Scene:
    table = flop(kind=Scene)
    assert isinstance(table, Scene)
    return table


def test_a_bet_may_lie_before_a_seat_whose_reader_is_lost() -> None:
    """Seat 2 checks in silence, seat 3 bets unseen, seat 2 calls: seat 2 is no bettor. A named wait until Confirm."""
    table = on_the_flop()
    table.lose(3)
    table.push(3, 500)
    table.run(4000)
    table.push(2, 500)
    table.run(6000)
    assert table.rulings() == []
    assert {place for _, place in table.core.seen().held_up} <= {spot(3), tray(3)}
    assert table.core.seen().held_up


def test_a_bet_that_its_spot_reads_now_and_then_is_waited_for() -> None:
    table = on_the_flop()
    chips = table.push(3, 500)
    draw = random.Random(3).random
    table.see = lambda name, lies, place, _ns: lies == place and (name not in chips or draw() < 0.2)
    table.run(4500)
    table.push(2, 500)
    table.run(6000)
    assert (2, "bet", 500) not in table.rulings()


def bet_unread() -> tuple[Scene, list[str]]:
    """Seat 2 checked in silence, seat 3 bet 500 that his spot never reads, seat 2 calls."""
    table = on_the_flop()
    chips = table.push(3, 500)
    table.blind(chips)
    table.run(4500)
    table.push(2, 500)
    table.run(6000)
    return table, chips


def test_a_bet_that_is_not_read_at_all_is_a_doubt_beside_the_ruling() -> None:
    table, chips = bet_unread()
    assert table.rulings()[-1] == (2, "bet", 500)
    assert [items for _, _, items in table.doubts()] == [tuple(chips)]


# ---------------------------------------------------------------- from the hand
def from_the_hand_unread() -> tuple[Scene, list[str]]:
    """A 100 was in the hand for six seconds, and is laid down with a 500; its spot does not read it."""
    table = open_betting()
    kept = table.chips(tray(1), 100)
    table.move(kept, Place(Zone.IN_HAND, 1))
    table.run(6000)
    table.blind(kept)
    table.move(kept, spot(1))
    table.push(1, 500)
    table.run(5000)
    return table, kept


def test_a_chip_of_the_hand_that_is_not_read_stands_beside_the_ruling() -> None:
    table, kept = from_the_hand_unread()
    assert table.rulings() == [(1, "call", 100)]
    assert table.doubts() == [("raise", 600, tuple(kept))]


def test_a_doubt_that_was_ruled_over_is_a_question_once_its_chip_is_read() -> None:
    table, kept = from_the_hand_unread()
    table.see = truly
    table.run(4000)
    assert table.choices()[0] == ("raise", 600, tuple(kept))
    table.tell(commands.Answer(reading=1))
    assert table.hand.current_bet == 600
    assert table.hand.player(1).bet == 600  # type: ignore[union-attr]
    assert not table.alarms()


@pytest.mark.parametrize(
    ("pushed", "kept", "ruled", "truth"),
    [
        ((100,), 100, ("call", 100), ("raise", 200)),
        ((500,), 25, ("call", 100), ("raise", 525)),
        ((500,), 500, ("call", 100), ("raise", 1000)),
        ((1000,), 100, ("call", 100), ("raise", 1100)),
    ],
    ids=str,
)
def test_every_hidden_chip_that_would_change_the_ruling_is_named(
    pushed: tuple[int, ...], kept: int, ruled: tuple[str, int], truth: tuple[str, int]
) -> None:
    table = open_betting()
    hidden = table.chips(tray(1), kept)
    table.move(hidden, Place(Zone.IN_HAND, 1))
    table.run(6000)
    table.blind(hidden)
    table.move(hidden, spot(1))
    table.push(1, *pushed)
    table.run(5000)
    assert table.rulings() == [(1, *ruled)]
    assert table.doubts() == [(*truth, tuple(hidden))]


def test_a_hidden_chip_that_changes_nothing_is_not_spoken_of() -> None:
    """100 + 25 facing 100 is a call, with the 25 and without (TDA 43)."""
    table = open_betting()
    hidden = table.chips(tray(1), 25)
    table.move(hidden, Place(Zone.IN_HAND, 1))
    table.run(6000)
    table.blind(hidden)
    table.move(hidden, spot(1))
    table.push(1, 100)
    table.run(5000)
    assert table.rulings() == [(1, "call", 100)]
    assert table.doubts() == []


# ---------------------------------------------------------------- a spot that hears now and then
@pytest.mark.parametrize("every", [2, 3, 4, 5])
def test_a_push_that_its_spot_reads_in_one_round_of_several_is_ruled_late_and_right(every: int) -> None:
    table = open_betting()
    table.see = lambda _name, lies, place, ns: lies == place and (place != spot(1) or ns // (100 * MS) % every == 0)
    table.push(1, 500, 100)
    table.run(60_000)
    assert table.rulings() == [(1, "raise", 600)]


def test_the_answer_that_a_chip_does_not_lie_there_rules_without_it() -> None:
    table = open_betting()
    kept = table.chips(tray(1), 100)
    table.move(kept, Place(Zone.IN_HAND, 1))
    table.push(1, 500)
    table.run(6000)
    assert table.choices() == [("call", 100, ()), ("raise", 600, tuple(kept))]
    table.tell(commands.Answer(reading=1))
    assert table.rulings() == [(1, "call", 100)]
    table.run(6000)
    assert table.asked() is None


def test_chips_that_answer_a_bet_are_no_bet_behind_a_silent_check() -> None:
    """Seat 2 bets 500 and is read slowly; seat 3 calls at once and is read well: he answers."""
    table = on_the_flop()
    table.see = lambda _name, lies, place, ns: lies == place and (place != spot(2) or ns // (100 * MS) % 3 == 0)
    table.push(2, 500)
    table.run(700)
    table.push(3, 500)
    table.run(15_000)
    assert table.rulings() == [(2, "bet", 500), (3, "call", 500)]


# ---------------------------------------------------------------- one motion
def followed() -> Scene:
    """Seat 2 bets 100 on the flop, and lays two chips of his hand beside it, three seconds later."""
    table = on_the_flop()
    kept = table.chips(tray(2), 100, 100)
    table.move(kept, Place(Zone.IN_HAND, 2))
    table.run(8000)
    table.push(2, 100)
    table.run(3000)
    table.move(kept, spot(2))
    table.run(6000)
    return table


def test_chips_that_follow_a_ruled_push_are_asked_about_once_the_whole_first() -> None:
    table = followed()
    assert table.rulings() == [(2, "bet", 100)]
    assert table.choices()[0] == ("bet", 300, ())
    table.tell(commands.Answer(reading=1))
    table.run(6000)
    assert (table.asked(), table.hand.current_bet) == (None, 300)
    assert table.core.state.hand is not None
    assert not table.alarms()


def test_chips_that_follow_a_ruled_push_may_be_for_themselves() -> None:
    table = followed()
    table.tell(commands.Answer(reading=2))
    table.run(6000)
    assert (table.asked(), table.hand.current_bet) == (None, 100)


@pytest.mark.parametrize("gap_ms", [2500, 3500])
def test_chips_put_down_one_by_one_are_asked_about_as_a_whole(gap_ms: int) -> None:
    """100, 100, 100 on the flop, a gap between each: the third joins the question that the second one brought."""
    table = on_the_flop()
    for _ in range(3):
        table.push(2, 100)
        table.run(gap_ms)
    table.run(4000)
    assert table.rulings() == [(2, "bet", 100)]
    assert table.choices()[0] == ("bet", 300, ())
    table.tell(commands.Answer(reading=1))
    table.run(6000)
    assert (table.asked(), table.hand.current_bet, table.alarms()) == (None, 300, set())


# ---------------------------------------------------------------- nothing hangs, nothing grows
def won_uncontested(**options: object) -> Scene:
    """Seat 1 raised to 600, and the others folded."""
    table = open_betting(**options)
    table.push(1, 500, 100)
    table.run(4000)
    for seat in (2, 3):
        table.muck(seat)
        table.run(2500)
    assert table.hand.phase == "paying"
    return table


def test_an_uncalled_bet_that_goes_into_the_hand_ends_the_hand_all_the_same() -> None:
    """Absence is no move, but at a hand's end no ruling rests on those chips: the account lets them go."""
    table = won_uncontested()
    table.move(table.chips(spot(1), 500, 100), Place(Zone.IN_HAND, 1))
    table.move(table.chips(spot(2), 50) + table.chips(spot(3), 100), tray(1))
    table.run(15_000)
    assert table.hand.phase == "between_hands"
    assert not table.alarms()


def test_chips_that_are_covered_while_the_round_is_open_are_never_let_go() -> None:
    table = open_betting()
    table.push(1, 500, 100)
    table.run(4000)
    table.covered(spot(1), 60_000)
    table.run(59_000)
    assert {table.core.state.places[chip] for chip in table.core.state.spots[0]} == {spot(1)}
    assert len(table.core.state.spots[0]) == 2


def test_motions_that_were_ruled_on_are_not_kept() -> None:
    table = won_uncontested()
    kept = table.core._tracker._motions._settled
    assert len(kept) <= 3
    table.tell(commands.NextHand())
    table.tell(commands.NextHand())
    assert not kept or len(table.core._tracker._motions._settled) == 0


# ---------------------------------------------------------------- when people are asked
def asking_house(ask_above: float) -> Scene:
    """The same evening as with a chip of the hand that is not read, at a house that asks from there on."""

    class Strict(Scene):
        def __init__(self, seats: int = 3, **options: object) -> None:
            self.see = truly
            CoreTable.__init__(self, seats, house=House(ask_above=ask_above), **options)  # type: ignore[arg-type]

    table = dealt(3, kind=Strict)
    assert isinstance(table, Strict)
    kept = table.chips(tray(1), 100)
    table.move(kept, Place(Zone.IN_HAND, 1))
    table.run(6000)
    table.blind(kept)
    table.move(kept, spot(1))
    table.push(1, 500)
    table.run(8000)
    return table


@pytest.mark.parametrize("ask_above", [0.0, 0.0001])
def test_a_house_that_asks_from_small_chances_on_offers_every_outcome(ask_above: float) -> None:
    table = asking_house(ask_above)
    assert [(action, total) for action, total, _ in filter(None, table.choices())] == [("call", 100), ("raise", 600)]


def test_a_house_that_never_asks_keeps_the_doubt() -> None:
    table = asking_house(1.0)
    assert (table.asked(), table.rulings()) == (None, [(1, "call", 100)])
    assert [(action, total) for action, total, _ in table.doubts()] == [("raise", 600)]


def test_more_worlds_than_are_looked_at_count_as_another_ruling() -> None:
    """Unknown is never empty: what is not looked at makes the table ask, and is no answer that is offered."""
    table = open_betting()
    table.push(1, 500)
    table.run(100)
    [motion] = [Motion(9, (Moved("s1-500-0", tray(1), spot(1)),), 1, 1, later_trip=False, doubtful=(), settled=True)]
    given = inputs.MotionSeen(table.ns, motion)
    view = View(table.core._engine, table.core.state, table.core._tracker, frozenset(), {}, 0)
    worlds = [World((), (given,), 0.9), World((), (), 0.1)]
    found = weighed(view, 1, worlds)
    assert found.asks
    assert [one.reading and one.reading.total_to for one in found.shown] == [100]


def test_a_confirm_that_was_refused_has_agreed_to_nothing() -> None:
    """Behind 500 a 100 is read twice and never again; the key that was pressed while it was half read binds nobody."""
    table = open_betting()
    [odd] = table.chips(tray(1), 100)
    laid_ns = table.ns
    glimpses = [(0, 200)]
    table.see = lambda name, lies, place, ns: (
        lies == place and (name != odd or any(begin <= (ns - laid_ns) / MS < end for begin, end in glimpses))
    )
    table.push(1, 500)
    table.move([odd], spot(1))
    table.run(300)
    table.tell(commands.Confirm())
    assert table.refused() == "undecided_chips"
    table.run(10_000)
    assert table.rulings() == []
    assert [(action, total) for action, total, _ in filter(None, table.choices())] == [("call", 100), ("raise", 600)]
