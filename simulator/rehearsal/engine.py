"""A script through the engine alone: every act becomes the input that perfect antennas and keys would give."""

from collections.abc import Iterator
from time import perf_counter_ns

from msgspec.structs import replace

from controller.commands import Answer, Command, Confirm, Say
from controller.engine.engine import Engine
from controller.places import BANK, MUCK, Motion, Moved, Place, Zone
from controller.rulings.rules import Rules
from controller.table.events import Asked, Event
from controller.table.inputs import CardsRested, Input, MotionSeen, Told
from controller.table.setup import House, Sensors, Stakes
from controller.table.state import Seat, State, Table
from simulator import acts
from simulator.acts import Cue
from simulator.books import Decision, blind_by
from simulator.chips import LADDER
from simulator.players import Dice
from simulator.rehearsal.verdict import Verdict, Witness, same
from simulator.script import Script, chip_name

MS = 1_000_000
MOST_SEATS = 10
CHIPS_EACH = 600  # ten full trays of one denomination, and the float


def sensors(seats: int) -> Sensors:
    """A table with every antenna."""
    everywhere = frozenset(range(1, seats + 1))
    return Sensors(trays=everywhere, holes=everywhere, pot=True, muck=True, board=True)


def stakes_of(script: Script) -> Stakes:
    """What is played, as table.toml would say it."""
    hand, setting = script.hand, script.setting
    return Stakes(
        hand.variant, setting.blinds, setting.ante, setting.ante_by, hand.big_bet, hand.spread, blind_by=blind_by(hand)
    )


def baseline(script: Script) -> State:
    """The table before the hand: stacks, button and blinds as recorded, everything counted in."""
    setting = script.setting
    chairs = range(1, setting.seats + 1)
    seats = tuple(
        Seat(setting.stacks.get(seat, 0), seat in setting.stacks, setting.names.get(seat, "")) for seat in chairs
    )
    small, big = setting.blinds
    return State(
        places={item: place for item, place in script.layout.lies.items() if place != BANK},
        table=Table(
            seats=seats,
            button=setting.button,
            button_placed=True,
            small_blind=small,
            big_blind=big,
            ante=setting.ante,
            ante_by=setting.ante_by,
        ),
        spots=((),) * setting.seats,
        cards=((),) * setting.seats,
        given=(0,) * setting.seats,
        counted_in=True,
    )


class Stage:
    """Turns cues into inputs; keeps which cards rest where."""

    def __init__(self) -> None:
        self.at_ns = 0
        self.number = 0
        self.resting: dict[Place, tuple[str, ...]] = {}

    def inputs(self, cue: Cue) -> Iterator[Input]:
        self.at_ns += cue.pause_ms * MS
        match cue.act:
            case acts.Say(seat, word, heard):
                yield Told(self.at_ns, Say(seat, word), heard)
            case acts.Key(command):
                yield Told(self.at_ns, command, "dealer")
            case acts.Gather():
                self.resting.clear()  # the deck is taken up: the next hand begins with its own cards
            case acts.DealHole() | acts.DealBoard() | acts.Burn() | acts.Muck() | acts.Discard():
                yield from self._cards(cue.act.moves)
            case acts.Reshuffle():
                self.resting.pop(MUCK, None)
            case acts.Riffle(_, chips):
                yield self._motion(cue.act.moves[: len(chips)])
                yield self._motion(cue.act.moves[len(chips) :])
            case _:
                yield self._motion(cue.act.moves)

    def _motion(self, moves: tuple[Moved, ...]) -> MotionSeen:
        self.number += 1
        motion = Motion(self.number, moves, self.at_ns, self.at_ns, later_trip=False, doubtful=(), settled=True)
        return MotionSeen(self.at_ns, motion)

    def _cards(self, moves: tuple[Moved, ...]) -> Iterator[CardsRested]:
        """What rests on each place that changed: first where cards were taken from."""
        cards = {move.item for move in moves}
        for origin in {move.origin: None for move in moves if move.origin.zone is Zone.HOLE}:
            yield self._rest(origin, tuple(card for card in self.resting.get(origin, ()) if card not in cards))
        for target in {move.target: None for move in moves}:
            come = tuple(move.item for move in moves if move.target == target)
            yield self._rest(target, self.resting.get(target, ()) + come)

    def _rest(self, place: Place, cards: tuple[str, ...]) -> CardsRested:
        self.resting[place] = tuple(sorted(cards))
        return CardsRested(self.at_ns, place, self.resting[place])


def answer(question: Asked, meant: Decision | None) -> Command:
    """The dealer at the screen: agrees only where the reading shown is what the player meant, else says what was."""
    shown = question.ruling.chosen
    if question.why == "confirm" and shown and meant and same(meant, question.seat, shown):
        return Confirm()
    if meant is None:
        return Answer(question=question.id, reading=1)
    for number, reading in enumerate(question.ruling.readings, 1):
        if same(meant, question.seat, reading):
            return Answer(question=question.id, reading=number)
    return Answer(question=question.id, action=meant.kind, total_to=meant.total)


def all_chips() -> dict[str, int]:
    """Every chip that a script may name: one kit for all hands."""
    return {chip_name(value, number): value for value in LADDER for number in range(1, CHIPS_EACH + 1)}


class TimedEngine(Engine):
    """The engine, and the time spent in it."""

    spent_ns = 0

    def step(self, state: State, given: Input) -> tuple[State, tuple[Event, ...]]:
        began = perf_counter_ns()
        done = super().step(state, given)
        self.spent_ns += perf_counter_ns() - began
        return done


class ThroughEngine:
    """Plays scripts one after another."""

    def __init__(self) -> None:
        self.engine = TimedEngine(all_chips(), Rules.named("TDA2024"), House(), sensors(MOST_SEATS))

    def play(self, script: Script, _dice: Dice) -> Verdict:
        stage = Stage()
        self.engine.setting.stakes = stakes_of(script)
        given = [one for cue in script.cues for one in stage.inputs(cue)]
        witness = Witness(script)
        state, before_ns = baseline(script), self.engine.spent_ns
        for one in given:
            state, events = self.engine.step(state, one)
            witness.see(events)
            if state.hand is not None and state.hand.question is not None:
                state = self._answered(state, witness, one.at_ns)
        return replace(witness.verdict(), engine_ns=self.engine.spent_ns - before_ns)

    def _answered(self, state: State, witness: Witness, at_ns: int) -> State:
        for _ in range(3):  # an answer may lead to another question, never to many
            question = state.hand.question if state.hand is not None else None
            if question is None:
                break
            command = answer(question, witness.expected(question.seat))
            state, events = self.engine.step(state, Told(at_ns, command, "dealer"))
            witness.see(events)
        return state
