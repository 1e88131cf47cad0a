"""When may a ruling bind? In every world that the evidence leaves open it must be the same.

A world puts each item that no antenna shows for certain somewhere: where it was, before its player unread, in his hand.
Tracking says which items are open, and how likely each lies elsewhere (`tracking/doubt.py`, `chances.py`); here worlds
are made of them, and the engine says what would be ruled in each. Only items that could change this ruling count:

* those of the acting seat that may belong to his push, or were perhaps pulled back under it;
* those that are missing from his bets and unseen elsewhere: what is missing there and unseen here is the same chip, so
  it lies there unread, most likely (`LIES_THERE`);
* those of every seat that could have acted unseen before him: behind a silent check a bet may lie unread.

Worlds that differ in which of two equal chips is where are one world. Then the chance that the ruling would be another:

* from `ask_above` (house) on people are asked, unless one other outcome is as good as certain, which is ruled then: a
  question names the items and what each outcome would be, the likeliest first; the answer is a fact, and what was asked
  once in a hand is not asked again;
* below, it is ruled, and the doubt stands beside the ruling (`Ruled.doubts`); a chip of such a doubt that is read later
  asks about that ruling again (`earlier`), and is no push of its own;
* below `NOTHING` it is ruled and not spoken of.

More than `MOST` worlds are "not known": the likeliest are looked at, the rest counts as another ruling.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from msgspec.structs import replace

from controller import commands
from controller.commands import Word
from controller.core.reopened import lay_before, motion_of
from controller.core.waiting import Waiting
from controller.engine.engine import Engine
from controller.engine.worlds import Outcome
from controller.places import Motion, Moved, Perhaps, Place, Zone
from controller.rulings.values import Reading
from controller.table import inputs
from controller.table.balance import balance_of
from controller.table.events import Ruled, Supposed
from controller.table.state import Hand, State
from controller.tracking.tracker import Tracker

ONE_MOTION = 0.9  # chips that follow a push within a hold, before anybody acted, are of it
LIES_THERE = 0.95  # a chip that is missing from a bet and unseen elsewhere lies there
AT_TWICE = 0.5  # a chip that two places show lies at this one
NOTHING = 0.00001
SPOKEN_OF = 0.005  # an outcome less likely is no answer that people are offered
MOST = 64
LIKELY, MOST_LIKELY = 0.01, 6  # items that are looked at in all sets


Fact = tuple[str, Place]
Twice = Sequence[tuple[str, tuple[Place, ...]]]  # items that several places show at once, and those places


class View(NamedTuple):
    """All that worlds are made of."""

    engine: Engine
    state: State
    tracker: Tracker
    facts: frozenset[Fact]  # what people said in this hand: an item lies there, or does not
    last_ns: Mapping[int, int]  # by seat: when the last chip of its last push was seen
    hold_ns: int
    twice: Twice = ()

    def unasked(self) -> "View":
        """Without the question of where items lie, which is what is looked into."""
        state, hand = self.state, self.state.hand
        if hand is None:
            return self
        if _is_of_worlds(hand):  # the question is the last that undo would take back
            hand = replace(hand, question=None)
            state = replace(state, hand=hand, past=state.past[:-1])
        while state.past and _is_of_worlds(state.past[-1].hand) and state.past[-1].seq > (hand.last_ruled_seq or 0):
            state = replace(state, past=state.past[:-2])  # it was asked, and answered without a ruling
        return self._replace(state=state)


def _is_of_worlds(hand: Hand | None) -> bool:
    return hand is not None and hand.question is not None and hand.question.why == "worlds"


class World(NamedTuple):
    """One way in which it may be: where items lie, what happened then, and how likely it is."""

    moves: tuple[Moved, ...]
    given: tuple[inputs.Input, ...]  # the act in question last; (): all that are not looked at
    chance: float
    coming: bool = False  # what would tell is due


class Verdict(NamedTuple):
    """What may be done with an act: ruled on, with its doubts; or what must be asked."""

    asks: bool
    rules: World | None  # one that is as good as certain
    coming: bool  # something is due that may make it certain
    worlds: tuple[World, ...]  # of each outcome the likeliest, the likeliest outcome first; no ruling last
    shown: tuple[Supposed, ...]


SURE = Verdict(asks=False, rules=None, coming=False, worlds=(), shown=())


def verdict(view: View, one: Waiting) -> Verdict:
    """Whether what waits may be ruled on now."""
    view = view.unasked()
    worlds = list(_worlds(view, one))
    if not worlds:
        return SURE
    base = World((), (one.given,), max(0.0, 1.0 - sum(world.chance for world in worlds)))
    return weighed(view, one.seat or 0, [base, *worlds])


def weighed(view: View, seat: int, worlds: Sequence[World]) -> Verdict:
    """Worlds by outcome."""
    found: dict[tuple[object, ...], list[World]] = {}
    readings: dict[tuple[object, ...], Outcome] = {}
    for world in worlds:
        outcome = view.engine.outcome(view.state, seat, world.given) if world.given else None
        if outcome is not None:
            key = (outcome.acts, outcome.to_act, outcome.asked)
            found.setdefault(key, []).append(world)
            readings[key] = outcome
    sums = {key: sum(world.chance for world in of) for key, of in found.items()}
    if not found:
        return SURE
    total = sum(world.chance for world in worlds if not world.given) + sum(sums.values()) or 1.0
    order = sorted(found, key=lambda key: (readings[key].reading is None, -sums[key]))
    best = tuple(max(found[key], key=lambda world: world.chance) for key in order)
    shown = tuple(
        Supposed(world.moves, readings[key].reading, round(sums[key] / total, 6), _values(view, world))
        for key, world in zip(order, best, strict=True)
    )
    base = next((key for key in order if worlds[0] in found[key]), None)
    differs = 1.0 if base is None else (total - sums[base]) / total
    coming = any(world.coming for key, of in found.items() if key != base for world in of)
    house = view.engine.setting.house
    sure = [world for world, one in zip(best, shown, strict=True) if one.chance >= 1 - house.ask_above]
    return Verdict(differs > house.ask_above, sure[0] if sure else None, coming, best, shown)


def _values(view: View, world: World) -> tuple[int, ...]:
    return tuple(view.engine.setting.values.get(move.item, 0) for move in world.moves)


def spoken_of(found: Verdict, ask_above: float) -> Verdict:
    """The same with the outcomes that are worth a person's time: those that are likely, and two of them at least."""
    least = min(SPOKEN_OF, ask_above)
    likely = sorted(range(len(found.shown)), key=lambda at: -found.shown[at].chance)[:2]
    kept = [at for at, one in enumerate(found.shown) if at in likely or one.chance >= least or not one.moves]
    return found._replace(worlds=tuple(found.worlds[at] for at in kept), shown=tuple(found.shown[at] for at in kept))


def doubts(found: Verdict, ruled: World | None = None) -> tuple[Supposed, ...]:
    """What stands beside a ruling that was made all the same."""
    there = () if ruled is None else ruled.moves
    return tuple(one for one in found.shown if one.moves != there and one.chance >= NOTHING)


# ---------------------------------------------------------------- the worlds of one act
def _worlds(view: View, one: Waiting) -> Iterable[World]:
    given, seat = one.given, one.seat
    if not isinstance(given, inputs.MotionSeen) or seat is None:
        return
    perhaps = view.tracker.perhaps(given.motion.number)
    open_ = [p for p in (*perhaps, *_at_twice(view, seat, perhaps)) if _counts(view, given.motion, seat, p)]
    laid = _laid_before(view, seat, given.motion)
    if laid:
        before = inputs.MotionSeen(given.at_ns, motion_of(laid))
        yield World(laid, (before, given), LIES_THERE)
        open_ = [p for p in open_ if p.item not in {move.item for move in laid}]
    else:
        yield from _earlier(view.state, one)
        if (then := lay_before(view.state, one)) is not None:
            yield World(*then)
        yield from _one_motion(view, one)
    groups = _groups(open_)
    if len(groups) > MOST:
        yield World((), (), sum(chance for _, chance in groups[MOST:]))
    for group, chance in groups[:MOST]:
        motion = _with(given.motion, group)
        moves = tuple(Moved(p.item, p.origin, p.target) for p in group)
        yield World(moves, (replace(given, motion=motion),), chance, any(p.coming for p in group))
    if not laid and _is_ruled_on(view, one):
        yield from _unseen_bets(view, one)


def _at_twice(view: View, seat: int, perhaps: Sequence[Perhaps]) -> Iterable[Perhaps]:
    """Chips that his bet spot and another place show, as two with one tag would be: even odds that one lies here."""
    spot, places, told = Place(Zone.SPOT, seat), view.tracker.places(), {p.item for p in perhaps}
    for item, shown in view.twice:
        if spot in shown and item not in told and places.get(item) != spot:
            yield Perhaps(item, places[item], spot, AT_TWICE)


def _counts(view: View, motion: Motion, seat: int, p: Perhaps) -> bool:
    """Whether it could change this act: not what people said of it, nor chips that wait to be swept."""
    if (p.item, p.target) in view.facts:
        return False
    if p.target.zone is not Zone.IN_HAND or p.item in {move.item for move in motion.moves}:
        return True
    player = None if view.state.hand is None else view.state.hand.player(seat)
    return player is not None and p.item in player.counted


def _groups(open_: Sequence[Perhaps]) -> list[tuple[tuple[Perhaps, ...], float]]:
    """Which of these items lie elsewhere, and how likely: every set of the likely ones, and one unlikely item more."""
    likely = sorted((p for p in open_ if p.chance >= LIKELY), key=lambda p: -p.chance)[:MOST_LIKELY]
    found: list[tuple[tuple[Perhaps, ...], float]] = []
    for chosen in product((True, False), repeat=len(likely)):
        group = tuple(p for p, is_there in zip(likely, chosen, strict=True) if is_there)
        if group:
            chances = (p.chance if is_there else 1 - p.chance for p, is_there in zip(likely, chosen, strict=True))
            found.append((group, prod(chances)))
    whole = tuple(p for p in likely if p.chance >= 0.5)
    base = prod(max(p.chance, 1 - p.chance) for p in likely)
    found += [((*whole, p), base * p.chance) for p in open_ if p not in likely]
    return sorted(found, key=lambda one: -one[1])


def _with(motion: Motion, group: Iterable[Perhaps]) -> Motion:
    """The motion in a world where these items lie elsewhere."""
    moves = {move.item: move for move in motion.moves}
    for p in group:
        if p.target.zone is Zone.IN_HAND and p.item in moves:
            del moves[p.item]  # it came, and went back into the hand
        else:
            moves[p.item] = Moved(p.item, p.origin, p.target)
    return replace(motion, moves=tuple(moves.values()))


# ---------------------------------------------------------------- what is missing there and unseen here
def _laid_before(view: View, seat: int, motion: Motion) -> tuple[Moved, ...]:
    """Chips that make up what is missing from this seat's bets, and that no antenna shows."""
    state, values = view.state, view.engine.setting.values
    player = None if state.hand is None else state.hand.player(seat)
    if player is None or state.hand is None:
        return ()
    missing = -balance_of(state, state.hand, player, values)
    if missing <= 0 or any(share.seat == seat for share in state.hand.owed):
        return ()
    pushed, spot = {move.item for move in motion.moves}, Place(Zone.SPOT, seat)
    unseen = [p for p in view.tracker.unseen(seat) if p.item not in pushed and (p.item, spot) not in view.facts]
    taken: list[Moved] = []
    for p in sorted(unseen, key=lambda p: (-values.get(p.item, 0), -p.chance)):
        if 0 < values.get(p.item, 0) <= missing:
            missing -= values[p.item]
            taken.append(Moved(p.item, p.origin, spot))
    return tuple(taken) if missing == 0 else ()


# ---------------------------------------------------------------- bets that nobody saw
def _unseen_bets(view: View, one: Waiting) -> Iterable[World]:
    """A player who owes nothing may have checked in silence, and answer now a bet that lies unread."""
    assert one.seat is not None
    hand = view.state.hand
    if hand is None or not one.is_push or one.act is None or not one.act.brings:
        return
    at_ns, checks = one.given.at_ns, tuple[inputs.Input, ...]()
    if hand.to_act == one.seat:
        checks = (inputs.Told(at_ns, commands.Say(one.seat, Word("check", None, "before_chips")), "dealer"),)
    for seat in view.engine.could_have_bet(view.state, one.seat):
        for p in _of_each_value(view, seat, _began_ns(one)):
            moves = (Moved(p.item, p.origin, p.target),)
            yield World(moves, (*checks, inputs.MotionSeen(at_ns, motion_of(moves)), one.given), p.chance, p.coming)


def _is_ruled_on(view: View, one: Waiting) -> bool:
    """Whether it is an act of its seat at all, and not the payment of one."""
    outcome = view.engine.outcome(view.state, one.seat or 0, (one.given,))
    return outcome is not None and outcome.reading is not None


def _began_ns(one: Waiting) -> int:
    return one.given.motion.first_ns if isinstance(one.given, inputs.MotionSeen) else one.given.at_ns


def _of_each_value(view: View, seat: int, before_ns: int) -> Iterable[Perhaps]:
    """Of the chips of a seat that may have come before it unread, of each value the likeliest.

    What came later answers the act in question.
    """
    found: dict[int, Perhaps] = {}
    for p in view.tracker.unseen(seat):
        value = view.engine.setting.values.get(p.item, 0)
        if p.since_ns >= before_ns:
            continue
        if (p.item, p.target) not in view.facts and (value not in found or found[value].chance < p.chance):
            found[value] = p
    return found.values()


# ---------------------------------------------------------------- chips behind a push that is ruled
def _one_motion(view: View, one: Waiting) -> Iterable[World]:
    """Chips that come soon behind a push of the same player, nobody having acted since: one motion, perhaps."""
    given, hand = one.given, view.state.hand
    last = None if hand is None else hand.last_ruled
    if hand is None or last is None or not isinstance(given, inputs.MotionSeen) or last.seat != one.seat:
        return
    if one.act is None or not one.act.brings or last.by != "chips" or last.word is not None:
        return
    soon = given.motion.first_ns <= view.last_ns.get(last.seat, 0) + view.hold_ns
    alone = bool(view.state.past) and view.state.past[-1].seq <= (hand.last_ruled_seq or 0)
    if soon and alone and not given.motion.later_trip:
        undo = inputs.Told(given.at_ns, commands.Undo(), "dealer")
        whole = view.engine.outcome(view.state, last.seat, (undo, given))
        if whole is not None and whole.reading is not None and not _same(whole.reading, last.reading):
            then = commands.Overrule(None, whole.reading.action, whole.reading.total_to, of=hand.last_ruled_seq)
            yield World((), (inputs.Told(given.at_ns, then, "dealer"), given), ONE_MOTION)


# ---------------------------------------------------------------- a doubt that was ruled over
def _is_another(doubt: Supposed, ruled: Ruled) -> bool:
    return doubt.reading is not None and not _same(doubt.reading, ruled.reading)


def _same(one: Reading, other: Reading) -> bool:
    return (one.action, one.total_to) == (other.action, other.total_to)


def _earlier(state: State, one: Waiting) -> Iterable[World]:
    """Chips that a ruling of this round doubted, read now: they lay there then, or come now."""
    given = one.given
    if not isinstance(given, inputs.MotionSeen) or state.hand is None:
        return
    came = {move.item for move in given.motion.moves}
    for kept in reversed(state.rulings):
        if kept.seq not in state.hand.rulings or kept.event.seat != one.seat:
            continue
        for doubt in kept.event.doubts:
            if _is_another(doubt, kept.event) and came == {move.item for move in doubt.moves}:
                assert doubt.reading is not None
                then = commands.Overrule(None, doubt.reading.action, doubt.reading.total_to, of=kept.seq)
                yield World(doubt.moves, (inputs.Told(given.at_ns, then, "dealer"), given), LIES_THERE)
                return
