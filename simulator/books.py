"""What a recorded hand says of bets, pots and stacks: plain bookkeeping, none of the rules of betting.

It is the players' and the dealer's own account of the hand, kept apart from the engine's so that both can be compared.
"""

from collections.abc import Iterator
from typing import Literal

from controller.errors import HistoryError
from controller.games.catalog import variants
from controller.games.game import Street
from controller.histories.phh import (
    UNKNOWN,
    BoardDealt,
    BroughtIn,
    CheckedOrCalled,
    Drew,
    Folded,
    HoleDealt,
    Mucked,
    OtherAct,
    RaisedTo,
    RecordedAct,
    RecordedHand,
    Shown,
    forced,
)
from firmware_bridge.events import Value

Kind = Literal["fold", "check", "call", "bet", "raise"]
MOST_SEATS = 10
AnteBy = Literal["none", "each", "big_blind", "button"]
BlindBy = Literal["blinds", "button"]


class Posted(Value, frozen=True):
    """What a seat really puts in before the cards."""

    seat: int
    ante: int
    blind: int


class Decision(Value, frozen=True):
    """One recorded action, and what its player saw before it. Amounts are totals of the round."""

    seat: int
    kind: Kind
    total: int  # his bet of the round after it
    all_in: bool
    faced: int  # the highest bet of the round before it
    bet: int  # his own bet of the round before it
    behind: int  # his stack before it, not counting what lies in front
    last_raise: int  # the largest raise of the round, at least the big blind
    street: int  # row of the game's streets
    players: int  # still in the hand before it
    most: int = 0  # the highest total that anybody else can match; 0: not told


class RoundClosed(Value, frozen=True):
    street: int
    bets: dict[int, int]  # by seat, after the uncalled part went back
    uncalled: tuple[int, int] | None  # seat and amount that nobody called
    from_pot: int = 0  # of it, an ante that nobody could match, which lies in the pot


class Pot(Value, frozen=True):
    amount: int
    seats: tuple[int, ...]  # who may win it


Entry = Decision | RoundClosed | HoleDealt | BoardDealt | Shown | Mucked | Drew


def seats_of(hand: RecordedHand) -> tuple[int, ...]:
    """Table seats of players 1 to n: as recorded where they go round the table, else 1 to n."""
    seats = hand.seats
    turns = sum(after < before for before, after in zip(seats, seats[1:] + seats[:1], strict=True)) if seats else 0
    if turns == 1 and max(seats) <= MOST_SEATS:
        return seats
    return tuple(range(1, len(hand.starting_stacks) + 1))


def ante_of(hand: RecordedHand) -> tuple[int, AnteBy] | None:
    """The ante and who posts it; None: a kind that no table setting describes."""
    antes = forced(hand.antes)
    amount = max(antes)
    payers = [player for player, ante in enumerate(antes, 1) if ante]
    if not payers:
        return 0, "none"
    if min(antes) == amount:
        return amount, "each"
    if payers == [big_blind_of(hand)]:
        return amount, "big_blind"
    if payers == [len(antes)]:
        return amount, "button"
    return None


def big_blind_of(hand: RecordedHand) -> int:
    """The player who posts the big blind."""
    return 1 if len(hand.starting_stacks) == 2 else 2


def blinds_of(hand: RecordedHand) -> tuple[int, int] | None:
    """Small and big blind, in stud the bring-in and the small bet; None: straddles, late posts or a missing blind."""
    if hand.bring_in:
        return hand.bring_in, hand.min_bet
    if blind_by(hand) == "button":
        return hand.min_bet, hand.min_bet
    blinds = forced(hand.blinds_or_straddles)
    big = big_blind_of(hand)
    small = 2 if big == 1 else 1
    others = [amount for player, amount in enumerate(blinds, 1) if player not in {big, small}]
    if any(others) or not 0 < blinds[small - 1] <= blinds[big - 1] or hand.min_bet != blinds[big - 1]:
        return None
    return blinds[small - 1], blinds[big - 1]


def blind_by(hand: RecordedHand) -> BlindBy:
    """Who posts the blind: the seats left of the button, or the button alone, as in short deck."""
    *others, last = hand.blinds_or_straddles
    button_alone = len(others) > 1 and last == hand.min_bet and not any(others)
    return "button" if button_alone else "blinds"


def unsupported(hand: RecordedHand) -> str | None:
    """Why this hand cannot be played; None: it can."""
    if hand.variant not in variants():
        return f"variant {hand.variant} is no game here: 'betline games' lists them"
    if ante_of(hand) is None:
        return "antes of several sizes are not supported yet"
    if blinds_of(hand) is None:
        return "straddles, late posts and missing blinds are not supported yet"
    game, _ = variants()[hand.variant]
    if any(isinstance(act, Drew) for act in hand.actions) and not any(one.draw or one.discard for one in game.streets):
        return f"a draw is recorded, and {game.title} has none"
    if (bool(hand.bring_in)) is not (game.forced == "bring_in"):
        forced_bet = "a bring-in" if game.forced == "bring_in" else "blinds"
        return f"{game.title} is played with {forced_bet}: the record has none"
    if UNKNOWN in hand.board:
        return "the board is not recorded"
    tabled = [act for act in hand.actions if isinstance(act, Shown)]
    unread = any(UNKNOWN in (act.cards or hand.hole_cards.get(act.player, (UNKNOWN,))) for act in tabled)
    if unread and hand.finishing_stacks is not None:
        return "a hand at showdown is not recorded, so nobody can say why it ended so"
    twice = twice_dealt(hand)
    return f"{twice} is recorded twice: no deck deals that" if twice else None


def twice_dealt(hand: RecordedHand) -> str | None:
    """A card that is dealt twice; in a draw the muck may be dealt again."""
    if any(isinstance(act, Drew) for act in hand.actions):
        return None
    cards = [card for cards in hand.hole_cards.values() for card in cards if card != UNKNOWN] + list(hand.board)
    return next((card for card in cards if cards.count(card) > 1), None)


class Books:
    """One hand, act by act. `entries` may be gone through once."""

    def __init__(self, hand: RecordedHand) -> None:
        self.hand = hand
        self.game, _ = variants()[hand.variant]
        self.seats = seats_of(hand)
        self.start = dict(zip(self.seats, hand.starting_stacks, strict=True))
        self.committed = dict.fromkeys(self.seats, 0)
        self.bets = dict.fromkeys(self.seats, 0)
        self.folded: set[int] = set()
        self.street = 0
        self.posts = self._posts()
        self.last_raise = hand.min_bet
        self.faced = hand.bring_in or hand.min_bet
        self._open = True  # bets of this round were not closed yet
        self._acted = False  # somebody has acted on this street
        self._has = dict.fromkeys(range(1, len(self.seats) + 1), 0)  # cards of each player
        self._drew: set[int] = set()  # players who have drawn on this street
        self._board = 0  # cards on the board

    def _posts(self) -> tuple[Posted, ...]:
        posts = []
        for seat, ante, blind in zip(
            self.seats, forced(self.hand.antes), forced(self.hand.blinds_or_straddles), strict=True
        ):
            paid = min(ante, self.start[seat])
            posted = min(blind, self.start[seat] - paid)
            self.committed[seat] = paid + posted
            self.bets[seat] = posted
            posts.append(Posted(seat, paid, posted))
        return tuple(post for post in posts if post.ante or post.blind)

    def _smallest_bet(self) -> int:
        """Fixed limit: on some streets it is the big bet."""
        return self.hand.big_bet if self.hand.big_bet and self._row.bets == "big" else self.hand.min_bet

    @property
    def _row(self) -> Street:
        """The street that is played; behind the last one, where a record deals too many cards, the last."""
        return self.game.streets[min(self.street, len(self.game.streets) - 1)]

    def is_last(self, street: int) -> bool:
        return street >= len(self.game.streets) - 1

    def behind(self, seat: int) -> int:
        return self.start[seat] - self.committed[seat]

    def alive(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.seats if seat not in self.folded)

    def entries(self) -> Iterator[Entry]:
        """The hand in order, with the closing of each round of betting where it falls. Raises HistoryError."""
        for act in self.hand.actions:
            advances = self._advances(act)
            if self._open and (advances or isinstance(act, Shown | Mucked)):
                yield self._close()
            if advances:
                self._next_street()
            entry = self._entry(act)
            if entry is not None:
                yield entry
        if self._open:
            yield self._close()

    def _entry(self, act: RecordedAct) -> Entry | None:
        match act:
            case Shown() | Mucked():
                return act
            case HoleDealt(player, cards):
                self._has[player] += len(cards)
                return act
            case Drew(player, cards):
                self._has[player] -= len(cards)
                self._drew.add(player)
                return act
            case BoardDealt(cards):
                self._board += len(cards)
                return act
            case BroughtIn(player):
                return self._decide(player, "call", min(self.hand.bring_in, self.behind(self.seats[player - 1])))
            case Folded(player):
                return self._decide(player, "fold", self.bets[self.seats[player - 1]])
            case CheckedOrCalled(player):
                return self._check_or_call(player)
            case RaisedTo(player, total):
                return self._decide(player, "raise" if self.faced else "bet", total)
            case OtherAct():
                return None

    def _advances(self, act: RecordedAct) -> bool:
        """Whether an act begins the next street: a card more than this one deals, or a draw that is not of this one."""
        match act:
            case BoardDealt():
                return self._board >= self._row.board_so_far
            case HoleDealt(player, cards):
                return self._has[player] + len(cards) > self.game.cards_by(self.street)
            case Drew(player):
                return not self.street or self._acted or player in self._drew
            case _:
                return False

    def _next_street(self) -> None:
        self.street += 1
        self.faced, self.last_raise = 0, self._smallest_bet()
        self._acted = False
        self._drew.clear()

    def _check_or_call(self, player: int) -> Decision:
        seat = self.seats[player - 1]
        total = max(self.bets[seat], min(self.faced, self.bets[seat] + self.behind(seat)))
        return self._decide(player, "call" if total > self.bets[seat] else "check", total)

    def _decide(self, player: int, kind: Kind, total: int) -> Decision:
        seat = self.seats[player - 1]
        added = total - self.bets[seat]
        if seat in self.folded or added > self.behind(seat) or (kind in {"bet", "raise"} and total <= self.faced):
            raise HistoryError(f"{self.hand.name}: player {player} cannot {kind} to {total} here: mend the record")
        decision = Decision(
            seat=seat,
            kind=kind,
            total=total,
            all_in=bool(added) and added == self.behind(seat),
            faced=self.faced,
            bet=self.bets[seat],
            behind=self.behind(seat),
            last_raise=self.last_raise,
            street=self.street,
            players=len(self.alive()),
            most=max((self.bets[one] + self.behind(one) for one in self.alive() if one != seat), default=0),
        )
        self._put_in(decision, added)
        return decision

    def _put_in(self, decision: Decision, added: int) -> None:
        seat = decision.seat
        self._acted = True
        if decision.kind == "fold":
            self.folded.add(seat)
        self.bets[seat] += added
        self.committed[seat] += added
        self.last_raise = max(self.last_raise, decision.total - self.faced)
        self.faced = max(self.faced, decision.total)
        self._open = True

    def _close(self) -> RoundClosed:
        put = self._put()
        first, second, *_ = sorted(put, key=lambda seat: -put[seat])
        over = put[first] - put[second]
        bet = min(over, self.bets[first])
        self.bets[first] -= bet
        self.committed[first] -= over
        closed = RoundClosed(self.street, dict(self.bets), (first, over) if over else None, over - bet)
        self.bets = dict.fromkeys(self.seats, 0)
        self._open = False
        return closed

    def _dead(self) -> dict[int, int]:
        """Antes that were paid for the table: they count for no level of a pot."""
        ante_by = ante_of(self.hand)
        return (
            {post.seat: post.ante for post in self.posts} if ante_by and ante_by[1] in {"big_blind", "button"} else {}
        )

    def _put(self) -> dict[int, int]:
        dead = self._dead()
        return {seat: committed - dead.get(seat, 0) for seat, committed in self.committed.items()}

    def pots(self) -> tuple[Pot, ...]:
        """Main pot and side pots of everything put in so far, lowest first; call it after a round was closed."""
        put, dead = self._put(), self._dead()
        pots: list[Pot] = []
        level, left = 0, sum(self.committed.values())
        for top in sorted({put[seat] for seat in self.alive()}):
            inside = tuple(seat for seat in self.alive() if put[seat] >= top)
            amount = sum(min(one, top) - min(one, level) for one in put.values()) + (0 if pots else sum(dead.values()))
            if amount:
                pots.append(Pot(amount, inside))
            level, left = top, left - amount
        return (*pots[:-1], Pot(pots[-1].amount + left, pots[-1].seats)) if pots else ()

    def won(self) -> dict[int, int] | None:
        """What each seat took out of the pots, by the recorded finishing stacks; None: the record does not tell."""
        total = sum(self.committed.values())
        if self.hand.finishing_stacks is None:
            return {self.alive()[0]: total} if len(self.alive()) == 1 else None
        ends = dict(zip(self.seats, self.hand.finishing_stacks, strict=True))
        won = {seat: ends[seat] - self.behind(seat) for seat in self.seats}
        if sum(won.values()) != total or min(won.values()) < 0:
            raise HistoryError(f"{self.hand.name}: finishing_stacks do not add up to what was put in: mend the record")
        return {seat: amount for seat, amount in won.items() if amount}

    def finishing(self) -> dict[int, int] | None:
        """Stacks after the hand, by seat; None: the record does not tell."""
        won = self.won()
        return None if won is None else {seat: self.behind(seat) + won.get(seat, 0) for seat in self.seats}
