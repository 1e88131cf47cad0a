"""Random hands of every game, played by PokerKit to their final stacks and written as PHH, rare things often.

    .venv/bin/python -m proofs.random_hands FR 100 --seed 3 > razz.phhs
    .venv/bin/python -m proofs.random_hands all 20 > every.phhs

Stacks are short, in ladders, or less than an ante; players call all the way, or shove; decks of few ranks split pots.
Where PokerKit 0.7 is known to differ from the rule books a player does something else, or the hand is left out:

    raising who has acted, behind an all-in below a full raise; in fixed limit whoever it is (WSOP 2024 live 129, 171)
    raising at all behind an all-in below the least bet (live 171)
    a fourth raise over the big blind: PokerKit counts blinds as no bet (live 126)
    a least bet that is more than the pot: PokerKit lets it be made in pot limit
    a big blind or a bring-in posted short: PokerKit lets others call the short amount
    pots of pot limit with antes in them, or a short small blind: they count or not as the house says
    more than one odd chip: PokerKit gives all to the first (TDA 2024 20); any odd chip of stud, by suit (live 149)
    a check of the only one who has chips left: PokerKit waits for it, though nothing is to be decided
    split pots where losers were all-in for less: PokerKit makes one pot of several, and one odd chip (TDA 2024 21)
    a side pot in which nobody has a low, though somebody all-in for less has: PokerKit divides the half among all
    the last street of stud from folded hands: PokerKit takes them before a common card (Robert's Rules, stud)
"""

import random
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated

import typer
from pokerkit import (
    BoardDealing,
    BringInPosting,
    Card,
    CheckingOrCalling,
    ChipsPushing,
    CompletionBettingOrRaisingTo,
    Folding,
    HoleCardsShowingOrMucking,
    HoleDealing,
    Operation,
    StandingPatOrDiscarding,
)

from firmware_bridge.events import Value
from proofs.oracle_games import CODES, Table, phh, state_of

TRIES = 200  # of one hand, before the game is said to make none
SCALES = ((1, 2), (5, 10), (50, 100), (3, 7))  # small blind, big blind


class Style(Value, frozen=True):
    fold: float  # facing a bet
    raise_: float
    shove: float  # of raises without a limit


STYLES = (Style(0.02, 0.12, 0.05), Style(0.05, 0.5, 0.3), Style(0.4, 0.25, 0.05), Style(0.15, 0.3, 0.15))
CALLERS = Style(0.0, 0.05, 0.0)  # everybody sees the last card


class Played(Value, frozen=True):
    table: Table
    actions: tuple[str, ...]
    finishing: tuple[int, ...]
    known: tuple[str, ...]  # why PokerKit may be wrong about it
    seen: tuple[str, ...]  # what is rare in it


class Round:
    """What a betting round makes of raises."""

    def __init__(self, full: int) -> None:
        self.full = full  # the last whole bet or raise
        self.acted: set[int] = set()
        self.short_raise = False
        self.short_bet = False
        self.raises = 0


class Dealer:
    """Plays one hand at random."""

    def __init__(self, rng: random.Random, table: Table) -> None:
        self.rng, self.table = rng, table
        self.style = CALLERS if rng.random() < 0.15 else rng.choice(STYLES)
        self.known: set[str] = set()
        self.seen: set[str] = set()
        self.state = state_of(table, self._divided)
        self.deck = _stacked(rng, [repr(card) for card in self.state.deck_cards], len(table.stacks))
        self.street: int | None = None
        if any(stack < ante for stack, ante in zip(table.stacks, table.antes, strict=True)):
            self.seen.add("all-in for less than an ante")
        self.round = Round(table.small_bet)
        self.pots = 0  # before losing hands were taken away; 0: none was

    def play(self) -> Played:
        state = self.state
        with warnings.catch_warnings(action="ignore"):  # PokerKit warns when it deals cards for the second time
            while state.status:
                if state.street_index not in {self.street, None}:
                    self._next_street(state.street_index or 0)
                self._step()
        return Played(
            table=self.table,
            actions=tuple(filter(None, map(notation, state.operations))),
            finishing=tuple(state.stacks),
            known=tuple(sorted(self.known)),
            seen=tuple(sorted(self.seen)),
        )

    def _next_street(self, street: int) -> None:
        self.street = street
        self.round = Round(self.state.streets[street].min_completion_betting_or_raising_amount)
        state = self.state
        if self.table.game.bring_in and street == len(state.streets) - 1:
            alive, mucked = sum(state.statuses), list(state.mucked_cards)
            if alive + 1 > len(state.deck_cards) and mucked:
                self.known.add("dealt from the muck")

    def _step(self) -> None:
        state = self.state
        if state.can_burn_card():
            state.burn_card(self._next_cards(1, burn=True)[0])
        elif state.can_deal_hole():
            seat = state.hole_dealee_index
            assert seat is not None
            self._deal(f"dh p{seat + 1}", len(state.hole_dealing_statuses[seat]))
        elif state.can_deal_board():
            self._deal("db", state.board_dealing_count or 0)
        elif state.stand_patter_or_discarder_index is not None:
            self._draw(state.stand_patter_or_discarder_index)
        elif state.can_kill_hand():
            self.pots = self.pots or len(list(state.pots))
            state.kill_hand()
        elif state.can_push_chips():
            self._pushed(state.push_chips())
        else:
            assert state.actor_index is not None
            self._act(state.actor_index)

    # ------------------------------------------------------------ cards
    def _next_cards(self, count: int, *, burn: bool = False) -> list[str]:
        """The next cards of the deck, the last one to burn; what lies in the muck where it has not so many."""
        state = self.state
        left = {repr(card) for card in state.deck_cards}
        cards = [card for card in self.deck if card in left]
        if burn and cards:
            return cards[-1:]
        if len(cards) < count:
            self.seen.add("the deck runs out")
            self.rng.shuffle(self.deck)
            reserved = {repr(card) for card in state.reserved_cards} - left
            cards += [card for card in self.deck if card in reserved]
        return cards[:count]

    def _deal(self, to: str, count: int) -> None:
        state, text = self.state, "".join(self._next_cards(count))
        if to == "db":
            state.deal_board(text)
            if self.table.game.bring_in:
                self.seen.add("a common card")
            return
        seat = int(to.removeprefix("dh p")) - 1
        state.deal_hole(text, seat)
        if len(state.hole_cards[seat]) == 7 and sum(state.statuses) >= 7:
            self.seen.add("seven players to seventh street")

    def _draw(self, seat: int) -> None:
        cards = [repr(card) for card in self.state.hole_cards[seat]]
        away = self.rng.sample(cards, min(len(cards), self.rng.choice((0, 0, 1, 1, 2, 3, 3, 4, 5))))
        self.state.stand_pat_or_discard("".join(away))

    # ------------------------------------------------------------ acts
    def _act(self, seat: int) -> None:
        state, price = self.state, self.state.checking_or_calling_amount
        if state.can_post_bring_in() and self.rng.random() < 0.8:
            self._bring_in()
        elif (total := self._raise(seat)) is not None:
            state.complete_bet_or_raise_to(total)
        elif state.can_check_or_call() and not (price and self.rng.random() < self.style.fold):
            if not price and not any(self._could_bet(other) for other in state.player_indices if other != seat):
                self.known.add("a check that decides nothing")
            state.check_or_call()
        elif state.can_fold():
            state.fold()
        else:
            self._bring_in()
        self.round.acted.add(seat)

    def _could_bet(self, seat: int) -> bool:
        return self.state.statuses[seat] and self.state.stacks[seat] > 0

    def _bring_in(self) -> None:
        if self.state.post_bring_in().amount < self.table.bring_in:
            self.known.add("bring-in posted short")

    def _raise(self, seat: int) -> int | None:
        """The total of a raise that no rule book disputes, or None."""
        state, now = self.state, self.round
        must = state.can_post_bring_in()
        if not state.can_complete_bet_or_raise_to() or (not must and self.rng.random() > self.style.raise_):
            return None
        if now.short_bet or (now.short_raise and (self.table.fixed or seat in now.acted)) or self._is_capped():
            return None
        low, high = (
            state.min_completion_betting_or_raising_to_amount,
            state.max_completion_betting_or_raising_to_amount,
        )
        assert low is not None
        assert high is not None
        total = self._size(low, high)
        if total <= self.table.bring_in or (self.table.code[0] == "P" and low > self._pot(seat)):
            return None
        self._count_raise(total)
        return total

    def _pot(self, seat: int) -> int:
        """The total that a pot-limit raise may reach, whatever the least one is."""
        return 2 * max(self.state.bets) - self.state.bets[seat] + self.state.total_pot_amount

    def _is_capped(self) -> bool:
        """In fixed limit the blind is the first bet of its street."""
        return self.table.fixed and self.street == 0 and not self.table.bring_in and self.round.raises >= 3

    def _size(self, low: int, high: int) -> int:
        if self.rng.random() < self.style.shove:
            return high
        wish = low + int(self.rng.expovariate(1 / max(1, self.state.total_pot_amount / 2)))
        return min(high, low if self.rng.random() < 0.3 else wish)

    def _count_raise(self, total: int) -> None:
        now, before = self.round, max(self.state.bets)
        completes = self.street == 0 and self.table.bring_in and before < self.table.small_bet
        whole = total >= self.table.small_bet if completes else total - before >= now.full
        if whole and not self.table.fixed:
            now.full = total - (0 if completes else before)
        if not whole:
            self.seen.add("all-in below a full raise")
            now.short_raise = True
            now.short_bet |= before == 0 or bool(completes)
        now.raises += 1

    # ------------------------------------------------------------ what is rare, and what is known
    def _divided(self, amount: int, by: int) -> tuple[int, int]:
        each, odd = divmod(amount, by)
        if odd:
            self.seen.add("an odd chip")
        if odd > 1:
            self.known.add("more than one odd chip")
        return each, odd

    def _pushed(self, pushed: ChipsPushing) -> None:
        state, won = self.state, [amount for amount in pushed.amounts if amount]
        if pushed.pot_index >= 4:
            self.seen.add("four side pots")
        if len(won) > 1:
            self.seen.add("a split pot")
        if self.pots > len(list(state.pots)) and (len(won) > 1 or len(self.table.game.hands) > 1):
            self.known.add("pots made one")
        if pushed.hand_type_index is None or pushed.board_index is None:
            return
        if self.table.game.bring_in and len(set(won)) > 1:
            self.known.add("odd chip of stud")
        if len(self.table.game.hands) > 1 and len(won) > 1:
            self.seen.add("a quarter")
        hands = list(state.get_up_hands(pushed.board_index, pushed.hand_type_index))
        if any(amount and hands[seat] is None for seat, amount in enumerate(pushed.amounts)):
            self.known.add("low half of a side pot without a low")


def notation(operation: Operation) -> str | None:
    """What was done as PHH writes it: "p3 cbr 225"."""
    match operation:
        case BoardDealing():
            return f"d db {_text(operation.cards)}"
        case HoleDealing():
            return f"d dh p{operation.player_index + 1} {_text(operation.cards)}"
        case BringInPosting():
            return f"p{operation.player_index + 1} pb"
        case StandingPatOrDiscarding():
            return f"p{operation.player_index + 1} sd {_text(operation.cards)}".strip()
        case Folding():
            return f"p{operation.player_index + 1} f"
        case CheckingOrCalling():
            return f"p{operation.player_index + 1} cc"
        case CompletionBettingOrRaisingTo():
            return f"p{operation.player_index + 1} cbr {operation.amount}"
        case HoleCardsShowingOrMucking():
            return f"p{operation.player_index + 1} sm {_text(operation.hole_cards)}".strip()
        case _:
            return None


def _text(cards: Iterable[Card]) -> str:
    return "".join(map(repr, cards))


# ---------------------------------------------------------------- tables
def table_of(rng: random.Random, code: str) -> Table:
    """Seats, stacks and amounts for one hand."""
    bare = Table(code=code, stacks=(), antes=(), small_bet=1, big_bet=2)
    count = rng.randrange(2, bare.game.most_seats + 1)
    if bare.game.bring_in and rng.random() < 0.3:
        count = bare.game.most_seats - rng.randrange(2)
    small, big = rng.choice(SCALES)
    if bare.game.bring_in:
        ante = rng.choice((0, max(1, small // 2), small))
        return Table(
            code=code,
            stacks=_stacks(rng, count, big, ante),
            antes=(ante,) * count,
            bring_in=max(1, small // 2) if small == big // 2 and small > 1 else 1,
            small_bet=big,
            big_bet=2 * big,
        )
    antes = _antes(rng, count, big, code)
    stacks = list(_stacks(rng, count, big, max(antes)))
    whole = range(count) if code[0] == "P" else (0 if count == 2 else 1,)
    for seat in whole:  # a big blind that is short, and pots of short blinds, are disputed
        stacks[seat] = max(stacks[seat], antes[seat] + big + rng.randrange(1, 4))
    return Table(
        code=code,
        stacks=tuple(stacks),
        antes=antes,
        blinds=(small, big, *[0] * (count - 2)),
        small_bet=big,
        big_bet=2 * big,
    )


def _antes(rng: random.Random, count: int, big: int, code: str) -> tuple[int, ...]:
    if code[0] == "P" or rng.random() < 0.4:
        return (0,) * count
    return (rng.choice((max(1, big // 4), big)),) * count


def _stacks(rng: random.Random, count: int, big: int, ante: int) -> tuple[int, ...]:
    mood = rng.choice(("deep", "ladder", "short", "dust"))
    found = []
    for seat in range(count):
        match mood:
            case "deep":
                stack = rng.randrange(30, 120) * big
            case "ladder":
                stack = (seat + 1) * rng.randrange(1, 5) * big
            case _:
                stack = rng.randrange(1, 10) * big
        if mood == "dust" and rng.random() < 0.4:
            stack = rng.randrange(1, max(2, ante + big))
        if ante > 1 and rng.random() < 0.05:
            stack = rng.randrange(1, ante)
        found.append(stack + rng.randrange(max(1, big)) * (stack >= big))
    rng.shuffle(found)
    return tuple(found)


def _stacked(rng: random.Random, deck: list[str], players: int) -> list[str]:
    """The deck in order; often few ranks come first, so that hands tie and lows are counterfeited."""
    deck = rng.sample(sorted(deck), len(deck))
    if rng.random() < 0.4:
        ranks = rng.sample(sorted({card[0] for card in deck}), rng.randrange(4, 8))
        if rng.random() < 0.5:
            ranks = [*"A2345678"[: 5 + min(3, players // 3)], rng.choice("TJQK")]
        deck.sort(key=lambda card: card[0] not in ranks)
    return deck


# ---------------------------------------------------------------- hands
def hands(code: str, count: int, seed: int, *, disputed: bool = False) -> Iterator[Played]:
    """So many hands of a game; those on which PokerKit is known to err only with `disputed`."""
    rng = random.Random(f"{code} {seed}")
    for _ in range(count):
        for _ in range(TRIES):
            played = Dealer(rng, table_of(rng, code)).play()
            if disputed or not played.known:
                break
        yield played


def write(
    game: Annotated[str, typer.Argument(help="Its code, such as FR or PO; all: every one.")],
    count: Annotated[int, typer.Argument(min=1, help="Hands of each game.")] = 20,
    *,
    seed: Annotated[int, typer.Option(help="The same seed makes the same hands.")] = 1,
    disputed: Annotated[bool, typer.Option("--disputed", help="Also hands on which PokerKit is known to err.")] = False,
) -> None:
    """Random hands as PHH on standard output, and what is rare in them on standard error.

    Example: python -m proofs.random_hands F7S/8 50 --seed 3
    """
    codes = CODES if game == "all" else (game,)
    if not set(codes) <= set(CODES):
        raise typer.BadParameter(f"no game {game!r}: take all, or one of {', '.join(CODES)}")
    number, rare = 0, Counter[str]()
    for code in codes:
        for played in hands(code, count, seed, disputed=disputed):
            number += 1
            rare.update(played.seen)
            print(phh(played.table, played.actions, played.finishing, number))
    typer.echo(f"{number} hands; {', '.join(f'{what}: {times}' for what, times in rare.most_common())}", err=True)


if __name__ == "__main__":
    typer.run(write)
