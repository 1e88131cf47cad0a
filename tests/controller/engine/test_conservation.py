"""Laws that hold whatever happens at the table: no chip is lost, nothing raises, replay by evolve alone is the same."""

import random
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from controller import commands
from controller.places import BANK, BOARD, MUCK, POT, Motion, Moved, Place, Zone
from controller.registry.registry import DECK
from controller.rulings.rules import Rules
from controller.rulings.values import Word, WordKind
from controller.table import inputs
from controller.table.events import (
    Alarmed,
    Event,
    HandEnded,
    Misdealt,
    Overruled,
    PotAwarded,
    PushReleased,
    Refused,
    Undone,
)
from controller.table.evolve import evolve
from controller.table.keys import AlarmName, RefusalKey, ReleaseKey
from controller.table.phases import LEADS_TO, Phase
from controller.table.setup import House, Sensors, Stakes
from controller.table.state import State
from tests.controller.engine.played import Played, full

KINDS: tuple[WordKind, ...] = (
    "call",
    "raise",
    "raise_to",
    "raise_by",
    "bet",
    "number",
    "all_in",
    "check",
    "fold",
    "pot",
    "tap",
    "ambiguous_number",
)
FORMS = ("before_chips", "simultaneous", "after_chips", "before_chips_unclear")
ACTIONS = (None, "check", "call", "bet", "raise", "fold", "all_in_call", "nonsense")
SEATS = 4
TABLES: dict[str, dict[str, Any]] = {
    "full": {"sensors": full(SEATS)},
    "spots-only": {"sensors": Sensors()},
    "antes": {"sensors": full(SEATS), "game": Stakes(blinds=(50, 100), ante=25, ante_by="each")},
    "big blind ante": {"sensors": full(SEATS), "game": Stakes(blinds=(50, 100), ante=100, ante_by="big_blind")},
    "chips stay": {"sensors": full(SEATS), "profile": "RU_CASH"},
    "straddles": {"sensors": full(SEATS), "profile": "RROP11"},
    "smallest wager": {"sensors": full(SEATS), "profile": "HOUSE_DOUBLE", "house": House(check="say", confirm="never")},
    "confirm": {"sensors": full(SEATS), "house": House(confirm="always")},
    "fragile": {"sensors": Sensors(pot=True), "house": House(confirm="fragile")},
    "sleepers": {"sensors": full(SEATS), "profile": "RROP11"},
    "the rock": {"sensors": full(SEATS), "profile": "RROP11"},
    "killed": {"sensors": full(SEATS), "game": Stakes("FT", blinds=(50, 100), kill="half")},
    "fixed limit": {"sensors": full(SEATS), "game": Stakes("FT", blinds=(50, 100)), "profile": "RROP11"},
    "pot limit": {"sensors": full(SEATS), "game": Stakes("PT", blinds=(50, 100)), "profile": "RROP11_SBASBB"},
    "half pot": {"sensors": full(SEATS), "game": Stakes("HT", blinds=(50, 100), ante=25, ante_by="each")},
    "spread": {
        "sensors": full(SEATS),
        "game": Stakes("ST", blinds=(50, 100), spread=(50, 200, 400)),
        "profile": "FIDPA",
    },
    "nothing inferred": {
        "sensors": full(SEATS),
        "house": House(check="say", fold="say", hand_start="say", confirm="never"),
    },
}


SWITCHES: dict[str, dict[str, Any]] = {
    "straddles": {"straddle": "mississippi", "restraddle": True},
    "sleepers": {"straddle": "sleeper"},
    "the rock": {"straddle": "rock"},
}


def places(rng: random.Random) -> Place:
    zone = rng.choice(list(Zone))
    seat = rng.choice([None, 0, *range(1, SEATS + 1), 99]) if rng.random() < 0.2 else rng.randint(1, SEATS)
    return Place(zone, None if zone in {Zone.POT, Zone.BANK, Zone.BOARD, Zone.MUCK} and rng.random() < 0.9 else seat)


def amount(rng: random.Random) -> int:
    return (
        rng.choice([0, 25, 50, 75, 100, 200, 300, 500, 1000, 2500, 10_000, -5, 10**15])
        if rng.random() < 0.2
        else 25 * rng.randint(1, 60)
    )


class Chaos:
    """People at a table: half of what they do is sensible, the rest is not."""

    def __init__(self, table: Played, rng: random.Random) -> None:
        self.table, self.rng = table, rng

    def acts(self, steps: int) -> Iterator[inputs.Input]:
        for step in range(steps):
            kind = self.rng.random()
            if kind < 0.5:
                yield self.next_step(step)
            elif kind < 0.65:
                yield inputs.MotionSeen(step, self.sensible_motion())
            elif kind < 0.7:
                yield inputs.MotionSeen(step, self.absurd_motion())
            elif kind < 0.8:
                yield self.cards(step)
            else:
                yield inputs.Told(step, self.command(), self.rng.choice(["dealer", "seat", "mqtt", "say"]))

    def next_step(self, step: int) -> inputs.Input:
        """What would bring the hand on."""
        state, rng = self.table.state, self.rng
        hand = state.hand
        if state.table.paused:
            return inputs.Told(step, commands.Resume(), "dealer")
        if hand is None or hand.phase in {Phase.PAYING, Phase.BETWEEN_HANDS}:
            return inputs.Told(step, commands.NextHand(), "dealer")
        if hand.question is not None:
            return inputs.Told(step, rng.choice([commands.Confirm(), commands.Answer(reading=1)]), "dealer")
        if hand.phase is Phase.BETTING:
            kind = rng.choice(["call", "call", "call", "check", "raise_to", "fold", "all_in"])
            return inputs.Told(step, commands.Say(None, Word(kind, amount(rng) if kind == "raise_to" else None)), "say")
        if hand.phase is Phase.POSTING and rng.random() < 0.7:
            return inputs.MotionSeen(step, self.straddle(rng.randint(1, SEATS)))
        if hand.phase is Phase.SHOWDOWN:
            return inputs.Told(
                step, rng.choice([commands.Show(None), commands.Award(rng.randint(0, 2), (self.seat(),))]), "dealer"
            )
        return inputs.Told(step, commands.NextStreet(), "dealer")

    def seat(self) -> int:
        hand = self.table.state.hand
        if hand is not None and hand.to_act is not None and self.rng.random() < 0.7:
            return hand.to_act
        return self.rng.randint(1, SEATS)

    def sensible_motion(self) -> Motion:
        rng, table, seat = self.rng, self.table, self.seat()
        home = table.home(seat)
        ways = [(home, Place(Zone.SPOT, seat))] * 6 + [
            (Place(Zone.SPOT, seat), home),
            (Place(Zone.SPOT, seat), POT),
            (POT, home),
        ]
        ways += [
            (POT, Place(Zone.SPOT, seat)),
            (home, POT),
            (BANK, home),
            (home, table.home(seat % SEATS + 1)),
            (home, BANK),
        ]
        origin, target = rng.choice(ways)
        lying = [item for item, place in table.state.places.items() if place == origin and item in table.values]
        items = rng.sample(lying, min(len(lying), rng.choice([1, 1, 2, 3, 5, 30])))
        return self.motion([Moved(item, origin, target) for item in items])

    def straddle(self, seat: int) -> Motion:
        """Twice the big blind, or twice that."""
        hand = self.table.state.hand
        assert hand is not None
        left, moves = hand.posted_big * self.rng.choice([2, 4]), []
        for item, place in self.table.state.places.items():
            if place == self.table.home(seat) and 0 < self.table.values.get(item, 0) <= left:
                left -= self.table.values[item]
                moves.append(Moved(item, place, Place(Zone.SPOT, seat)))
        return self.motion(moves)

    def absurd_motion(self) -> Motion:
        names = [*list(self.table.values)[:40], "As", "no-such-chip"]
        moves = [
            Moved(self.rng.choice(names), places(self.rng), places(self.rng)) for _ in range(self.rng.randint(0, 5))
        ]
        return self.motion(moves)

    def motion(self, moves: list[Moved]) -> Motion:
        doubtful = ("s1-25-00",) if self.rng.random() < 0.1 else ()
        return Motion(1, tuple(moves), 0, 0, self.rng.random() < 0.1, doubtful, settled=self.rng.random() < 0.9)

    def cards(self, step: int) -> inputs.Input:
        rng, state = self.rng, self.table.state
        free = [card for card in DECK if state.places.get(card, BANK).zone is Zone.BANK]
        place = rng.choice([BOARD, MUCK, Place(Zone.HOLE, self.seat()), places(rng)])
        lying = {BOARD: state.board, MUCK: state.muck}.get(place, ())
        if place.zone is Zone.MUCK and rng.random() < 0.7:
            return inputs.CardsRested(step, place, (*lying, *state.cards[self.seat() - 1]))
        more = rng.sample(free, min(len(free), rng.choice([0, 1, 1, 2, 3])))
        return inputs.CardsRested(step, place, tuple(sorted({*lying, *more})) if rng.random() < 0.9 else ())

    def command(self) -> commands.Command:
        rng, seat = self.rng, self.seat()
        words = [commands.Say(rng.choice([None, seat]), self.word()) for _ in range(8)]
        some: list[commands.Command] = [
            *words,
            commands.NextHand(),
            commands.NextHand(),
            commands.NextStreet(),
            commands.NextStreet(),
            commands.Confirm(),
            commands.Undo(),
            commands.Redo(),
            commands.Overrule(rng.choice([None, 1, 2, 9]), rng.choice(ACTIONS), rng.choice([None, amount(rng)])),
            commands.Overrule(
                None, rng.choice([None, "call", "bet", "raise"]), amount(rng), seat=self.rng.randint(1, SEATS)
            ),
            commands.OutOfTurn(rng.randint(1, SEATS), self.word()),
            commands.Answer(
                rng.choice([None, 7]), rng.choice([None, 1, 2]), rng.choice(ACTIONS), rng.choice([None, amount(rng)])
            ),
            commands.Show(rng.choice([None, seat])),
            commands.Show(None),
            commands.Award(rng.choice([0, 0, 1, -1]), tuple({seat, rng.randint(0, SEATS + 1)})),
            commands.Award(0, (seat,)),
            commands.OutOfTurn(),
            commands.SetStack(rng.randint(0, SEATS + 1), amount(rng)),
            commands.SeatIn(rng.randint(0, SEATS + 1)),
            rng.choice([commands.SeatOut(seat), commands.Misdeal(), commands.Pause(), commands.NotAChip("spot", 1)]),
            commands.Resume(),
            commands.SetButton(rng.randint(0, SEATS + 1)),
            commands.Kill(seat),
            rng.choice([commands.SetBlinds(amount(rng), amount(rng), amount(rng)), commands.AcceptDifferences()]),
        ]
        return rng.choice(some)

    def word(self) -> Word:
        rng = self.rng
        kind = rng.choice(KINDS)
        plain = kind in {"call", "check", "fold", "all_in", "tap", "pot"} or rng.random() < 0.2
        return Word(kind, None if plain else amount(rng), rng.choice(FORMS))


def check_laws(before: State, after: State, events: tuple[Event, ...]) -> None:
    hand = after.hand
    assert all(seat.stack >= 0 for seat in after.table.seats)
    if hand is not None:
        for player in hand.players:
            assert 0 <= player.bet <= player.committed <= player.start_stack
        swept = sum(player.committed - player.bet for player in hand.players)
        if hand.pots:
            assert sum(pot.amount for pot in hand.pots) == swept
        for number, shares in hand.awards:
            assert sum(share.amount for share in shares) == hand.pots[number].amount
        if hand.phase is Phase.BETTING:
            assert hand.to_act is not None
    for event in events:
        if isinstance(event, HandEnded):
            ended = after.hand if before.hand is None or before.hand.number != event.number else before.hand
            assert ended is not None
            bought = sum(before.table.seats[player.seat - 1].bought for player in ended.players)
            assert (
                sum(share.amount for share in event.stacks)
                == sum(player.start_stack for player in ended.players) + bought
            )
    if len(events) == 1 and isinstance(events[0], Refused):
        assert msgspec.structs.replace(after, seq=before.seq) == before


def check_phase(before: State, after: State, event: Event) -> None:
    """Every event leads from phase to phase as the table of phases says, and every key has its sentence's name."""
    if isinstance(event, Refused):
        assert event.why in get_args(RefusalKey)
    if isinstance(event, Alarmed):
        assert event.key in get_args(AlarmName)
    if isinstance(event, PushReleased):
        assert event.why in get_args(ReleaseKey)
    if isinstance(event, Undone | Overruled | Misdealt):
        return
    phases = [Phase.BETWEEN_HANDS if state.hand is None else state.hand.phase for state in (before, after)]
    assert phases[0] is phases[1] or phases[1] in LEADS_TO[phases[0]], (phases, event)


STATE = msgspec.json.Decoder(State)
EVENT = msgspec.json.Decoder(Event)


def play(name: str, seed: int, steps: int) -> Played:
    """Chaos at a table, each law checked after every input."""
    table = Played(SEATS, stacks=[2000, 10_000, 700, 5000], **TABLES[name])
    profile = table.engine.setting.rules.profile
    table.engine.setting.rules = Rules(msgspec.structs.replace(profile, **SWITCHES.get(name, {})))
    replayed = table.state
    for given in Chaos(table, random.Random(f"{name} {seed}")).acts(steps):
        before = table.state
        events = table.give(msgspec.json.decode(msgspec.json.encode(given), type=inputs.Input))
        check_laws(before, table.state, events)
        for event in events:
            earlier, replayed = replayed, evolve(replayed, EVENT.decode(msgspec.json.encode(event)))
            check_phase(earlier, replayed, event)
        assert replayed == table.state
    assert STATE.decode(msgspec.json.encode(table.state)) == table.state
    return table


@pytest.mark.parametrize("name", TABLES)
def test_whatever_happens_no_chip_is_lost_and_replay_is_the_same(name: str) -> None:
    seen = {type(event) for seed in range(10) for event in play(name, seed, 250).log}

    assert {PotAwarded, HandEnded, Undone, Overruled, Refused} <= seen
