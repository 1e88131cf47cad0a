"""Whatever people push and say, every wager that the table rules is one that its structure allows.

The amounts are reckoned here a second time, from the state alone: none of the rules is asked.
"""

import random
from typing import Any

import pytest

from controller import commands
from controller.rulings.profiles import load, names
from controller.table.events import Answered, Event, Overruled, Ruled
from controller.table.evolve import evolve
from controller.table.phases import Phase
from controller.table.setup import Stakes
from controller.table.state import Hand, State
from tests.controller.engine.played import Played
from tests.controller.engine.test_conservation import SEATS, Chaos

BIG = 100
GAMES = {
    "no limit": Stakes("NT", blinds=(50, BIG)),
    "fixed limit": Stakes("FT", blinds=(50, BIG)),
    "pot limit": Stakes("PT", blinds=(50, BIG)),
    "half pot": Stakes("HT", blinds=(50, BIG)),
    "spread": Stakes("ST", blinds=(50, BIG), spread=(50, 200, 400)),
}
WAGERS = {"bet", "raise", "all_in_bet", "all_in_raise"}
HOUSES = ("TDA2024", "RROP11", "RU_CASH", "FIDPA", "WIKI", "HOUSE_FULLRAISE")


def most(hand: Hand, bet: int) -> int | None:
    """The largest total that the structure allows a player with this bet; None: no limit."""
    to_call = hand.current_bet - bet
    pot = sum(player.committed for player in hand.players)
    if hand.row.name == "preflop":
        pot += 50 + BIG - hand.blinds_in
    match hand.limits.type:
        case "PL":
            return hand.current_bet + pot + to_call
        case "HP":
            return hand.current_bet + (pot + to_call) // 2
        case "FL":
            return hand.current_bet + (BIG if hand.row.name in {"preflop", "flop"} else 2 * BIG)
        case "spread":
            return hand.current_bet + (400 if hand.row.name == "river" else 200)
        case _:
            return None


def check_wager(before: State, event: Ruled) -> None:
    hand = before.hand
    assert hand is not None
    player = next(player for player in hand.players if player.seat == event.seat)
    total, everything = event.reading.total_to, player.bet + player.stack
    limit = most(hand, player.bet)
    assert hand.current_bet < total <= everything
    if limit is not None:
        assert total <= max(limit, hand.current_bet + hand.last_full_raise)
    if total < everything and hand.limits.type in {"NL", "PL"}:
        assert total - hand.current_bet >= hand.last_full_raise
    if total < everything and hand.limits.type == "FL":
        assert total == limit or total % BIG == 0 or hand.current_bet % BIG != 0


def check(before: State, events: tuple[Event, ...]) -> int:
    """How many wagers were looked at. What a person named himself need not be legal."""
    if any(isinstance(event, Overruled | Answered) for event in events):
        return 0
    seen, state = 0, before
    for event in events:
        if isinstance(event, Ruled) and event.reading.action in WAGERS:
            check_wager(state, event)
            seen += 1
        state = evolve(state, event)
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_every_wager_is_legal_in_its_structure(game: str) -> None:
    seen = 0
    for seed in range(12):
        house = HOUSES[seed % len(HOUSES)]
        table = Played(SEATS, stacks=[2000, 10_000, 700, 5000], game=GAMES[game], profile=house)
        for given in Chaos(table, random.Random(f"{game} {seed}")).acts(250):
            before = table.state
            seen += check(before, table.give(given))

    assert seen > 50


def play_on(table: Played, rng: random.Random) -> None:
    """One hand by words: calls, checks, folds, and raises of the smallest and the largest size that is offered."""
    table.tell(commands.NextHand())
    table.tell(commands.NextStreet())
    for _ in range(200):
        if table.hand.phase is Phase.SHOWDOWN:
            table.tell(commands.Show(None))
            for pot in range(len(table.hand.pots)):
                table.tell(commands.Award(pot, table.hand.pots[pot].seats[:1]))
        if table.hand.phase in {Phase.PAYING, Phase.BETWEEN_HANDS}:
            return
        options = table.engine.options(table.state)
        if options is None:
            table.tell(commands.NextStreet())
        elif options.can_raise and rng.random() < 0.4:
            table.say(
                None, "raise_to", rng.choice([options.min_raise_to, options.max_raise_to or options.min_raise_to])
            )
            assert table.refused() is None
            assert table.asked() is None
            assert table.reading().action in WAGERS
        else:
            table.say(None, "call" if options.to_call else "check")
            if table.asked() is not None:
                table.tell(commands.Answer(reading=1))
    raise AssertionError("the hand did not end")


def houses_and_games() -> list[tuple[str, str]]:
    return [(house, game) for house in names() for game in GAMES]


@pytest.mark.parametrize(("house", "game"), houses_and_games())
def test_every_house_plays_every_game(house: str, game: str) -> None:
    """From the first post to the payout, what is offered is what is ruled, and no chip is lost."""
    rng = random.Random(f"{house} {game}")
    table = Played(SEATS, stacks=[2000, 10_000, 700, 5000], game=GAMES[game], profile=house)
    assert table.engine.setting.rules.profile == load(house)
    for _ in range(4):
        play_on(table, rng)

    ended: Any = [player.stack + player.won for player in table.hand.players]
    in_hand = {player.seat for player in table.hand.players}
    rest = [seat.stack for number, seat in enumerate(table.state.table.seats, 1) if number not in in_hand]
    assert sum(ended) + sum(rest) == 17_700
