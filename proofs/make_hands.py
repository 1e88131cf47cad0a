"""Makes the hands of tests/data and of the demo: PokerKit's rules, seeded random play, chips that a table could have.

    .venv/bin/python proofs/make_hands.py

Hands on which PokerKit is known to differ from the rule books are left out: a raise by somebody who already acted after
an all-in below a full raise (in fixed limit every raise behind one), a blind posted short, and a split that leaves more
than one odd chip.
"""

import random
from pathlib import Path

from msgspec.structs import replace
from pokerkit import Automation, FixedLimitTexasHoldem, HandHistory, Mode, NoLimitTexasHoldem, State

from controller.histories import phh as history
from controller.histories.phh import RecordedHand
from controller.histories.write import format_hands

ROOT = Path(__file__).parent.parent
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
    Automation.RUNOUT_COUNT_SELECTION,
)
NAMES = {1: "Anna", 3: "Boris", 4: "Clara", 6: "Dmitri", 8: "Elena", 9: "Farid"}  # of the evening, by seat
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


class Dealer:
    """Plays one hand at random; `step` is the smallest chip."""

    def __init__(self, rng: random.Random, step: int, *, fixed: bool = False) -> None:
        self.rng = rng
        self.step = step
        self.fixed = fixed  # fixed limit: the small bet is the big blind, the big bet twice that
        self.clean = True  # False: the hand holds what PokerKit judges otherwise than the rule books

    def play(self, stacks: list[int], blinds: tuple[int, int], antes: list[int]) -> tuple[HandHistory, State]:
        count = len(stacks)
        big = blinds[1]
        game: NoLimitTexasHoldem | FixedLimitTexasHoldem
        if self.fixed:
            game = FixedLimitTexasHoldem(AUTOMATIONS, False, tuple(antes), blinds, big, 2 * big, mode=Mode.TOURNAMENT)
        else:
            game = NoLimitTexasHoldem(AUTOMATIONS, False, tuple(antes), blinds, big, mode=Mode.TOURNAMENT)
        state = game(stacks, count)
        deck = self.rng.sample(DECK, len(DECK))
        while state.status:
            if state.can_deal_hole():
                state.deal_hole(deck.pop() + deck.pop())
            elif state.can_deal_board():
                state.deal_board("".join(deck.pop() for _ in range(3 if not state.board_cards else 1)))
            else:
                self.act(state)
        return HandHistory.from_game_state(game, state), state

    def act(self, state: State) -> None:
        chance = self.rng.random()
        if state.checking_or_calling_amount and chance < self.fear(state):
            state.fold()
        elif chance > 0.72 and state.can_complete_bet_or_raise_to():
            self.raise_(state)
        else:
            state.check_or_call()

    def fear(self, state: State) -> float:
        """Dear calls are folded more often; nobody folds for nothing."""
        price = state.checking_or_calling_amount or 0
        return 0.15 + 0.45 * price / max(1, state.stacks[state.actor_index or 0])

    def raise_(self, state: State) -> None:
        seat, low = state.actor_index, state.min_completion_betting_or_raising_to_amount
        high = state.max_completion_betting_or_raising_to_amount
        assert low is not None
        assert high is not None
        wish = low + self.step * int(self.rng.expovariate(1 / max(1, state.total_pot_amount / 2 / self.step)))
        total = high if self.rng.random() < 0.06 or wish > high else wish
        acted = {operation.player_index for operation in acts_of_the_round(state)}
        if short_raise(state) and (seat in acted or self.fixed):
            self.clean = False
        state.complete_bet_or_raise_to(total)


def acts_of_the_round(state: State) -> list:
    """Checks, calls and raises since the last board card."""
    acts = []
    for operation in state.operations:
        name = type(operation).__name__
        if name == "BoardDealing":
            acts = []
        elif name in ("CheckingOrCalling", "CompletionBettingOrRaisingTo"):
            acts.append(operation)
    return acts


def short_raise(state: State) -> bool:
    """Whether somebody went all-in in this round, so that the right to raise may be in question."""
    return any(stack == 0 and bet for stack, bet in zip(state.stacks, state.bets, strict=True))


def clean_split(hand: RecordedHand) -> bool:
    """Whether no pot left more than one odd chip: gains of the winners differ by one chip at most."""
    assert hand.finishing_stacks is not None
    gains = [end - start for start, end in zip(hand.starting_stacks, hand.finishing_stacks, strict=True) if end > start]
    return all(abs(a - b) != 2 for a in gains for b in gains)


def recorded(
    history_of_hand: HandHistory, final: State, number: int, seats: list[int], seat_count: int
) -> RecordedHand:
    history_of_hand.hand = number
    history_of_hand.finishing_stacks = list(final.stacks)
    history_of_hand.seats = seats
    history_of_hand.seat_count = seat_count
    hand = next(history.parse(history_of_hand.dumps(), "play"))
    assert isinstance(hand, RecordedHand), hand
    return hand


def single_hands(rng: random.Random, count: int, *, fixed: bool = False) -> list[RecordedHand]:
    """Every hand with a table of its own: 2 to 9 players, antes of every kind, stacks from short to deep."""
    hands: list[RecordedHand] = []
    while len(hands) < count:
        players = 2 + len(hands) % 8
        small, step = rng.choice(((1, 1), (5, 5), (50, 25), (100, 100)))
        big = small * 2
        antes = rng.choice(([0] * players, [0] * players, [step] * players, [0, big, *[0] * (players - 2)]))
        stacks = [rng.randrange(3, 120) * big + step * rng.randrange(8) for _ in range(players)]
        dealer = Dealer(rng, step, fixed=fixed)
        seats = sorted(rng.sample(range(1, 10), players))
        turn = rng.randrange(players)
        hand = recorded(*dealer.play(stacks, (small, big), antes), len(hands) + 1, seats[turn:] + seats[:turn], 9)
        if dealer.clean and clean_split(hand):
            hands.append(hand)
    return hands


def evening(rng: random.Random, seats: tuple[int, ...], count: int) -> list[RecordedHand]:
    """One table through an evening: stacks go on from hand to hand, the button moves, nobody goes broke."""
    stacks = dict.fromkeys(seats, 10_000)
    hands: list[RecordedHand] = []
    order = list(seats)
    while len(hands) < count:
        dealer = Dealer(rng, 25)
        played = dealer.play([stacks[seat] for seat in order], (50, 100), [0] * len(order))
        hand = recorded(*played, len(hands) + 1, list(order), 9)
        assert hand.finishing_stacks is not None
        whole = all(stack % 25 == 0 and stack >= 2_000 for stack in hand.finishing_stacks)
        if dealer.clean and clean_split(hand) and whole and len(hand.actions) > 9:
            hands.append(replace(hand, players=tuple(NAMES[seat] for seat in order)))
            stacks = dict(zip(order, hand.finishing_stacks, strict=True))
            order = order[1:] + order[:1]
    return hands


if __name__ == "__main__":
    (ROOT / "tests/data/random-nt.phhs").write_text(format_hands(single_hands(random.Random(20), 48)))
    (ROOT / "tests/data/random-ft.phhs").write_text(format_hands(single_hands(random.Random(21), 48, fixed=True)))
    (ROOT / "simulator/evening.phhs").write_text(format_hands(evening(random.Random(7), (1, 3, 4, 6, 8, 9), 60)))
