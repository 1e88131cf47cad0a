"""The turn that a state shows: what somebody who looks at the table then speaks to. Pure."""

from controller.hand.betting import can_bet_on, first_to_act, opener_of_next
from controller.table.phases import BEFORE_ACTION, NO_HAND, STREET_CARDS
from controller.table.state import Hand, State
from firmware_bridge.events import Value


class Turn(Value, frozen=True):
    """Whose turn it is, in which street of which hand, and what is faced."""

    hand: int = 0  # number of the hand; 0: none
    street: int = 0
    seat: int | None = None  # None: nobody has to act
    bet: int = 0
    card_due: bool = False  # the betting is closed, and the next street opens with a card
    question: int | None = None  # what the table asks meanwhile
    acted: tuple[tuple[int, int | None], ...] = ()  # by seat: its total when it last acted in this round

    def acted_by(self, seat: int) -> int | None:
        return next((total for one, total in self.acted if one == seat), None)


def turn_of(state: State) -> Turn:
    hand = state.hand
    if hand is None or hand.phase in NO_HAND:
        return Turn(0 if hand is None else hand.number)
    return Turn(
        hand.number,
        hand.street,
        first_to_act(hand) if hand.phase in BEFORE_ACTION else hand.to_act,
        hand.current_bet,
        card_due=is_card_due(hand),
        question=None if hand.question is None else hand.question.id,
        acted=tuple([(player.seat, player.last_acted) for player in hand.players]),
    )


def is_card_due(hand: Hand) -> bool:
    """Whether the next card opens another round of betting."""
    return hand.phase in STREET_CARDS and not hand.row.is_last and can_bet_on(hand)


def behind_a_fold(state: State, seat: int) -> bool:
    """Whether it would be this seat's turn if the one to act folded."""
    hand = state.hand
    if hand is None or hand.to_act is None:
        return False
    to_act, seats = hand.to_act, len(state.table.seats)
    able = [player.seat for player in hand.players if not player.folded and not player.all_in and player.seat != to_act]
    return min(able, key=lambda other: (other - to_act) % seats, default=None) == seat


def speaker(state: State) -> int | None:
    """Who is meant where no seat is named: whose turn it is, or who opens the street whose card is due."""
    hand = state.hand
    if hand is None or hand.to_act is not None:
        return None if hand is None else hand.to_act
    first = opener_of_next(hand) if is_card_due(hand) else None
    return None if first is None else first.seat


def is_of_turn(seen: Turn, now: Turn, seat: int | None) -> bool:
    """Whether a word of this seat (None: of whoever acts first) at a turn that was seen still has its turn.

    Its street is the same, it has not acted since, and it faces what it faced. Where the next card was due then, the
    street that this card opened is meant, until somebody bets.
    """
    if seen.hand != now.hand:
        return False
    if seen.card_due and now.street == seen.street + 1:
        return not now.bet and (_nobody_acted(now) if seat is None else now.acted_by(seat) is None)
    if seen.street != now.street or seen.bet != now.bet:
        return False
    return seen.card_due == now.card_due if seat is None else seen.acted_by(seat) == now.acted_by(seat)


def _nobody_acted(turn: Turn) -> bool:
    return all(total is None for _, total in turn.acted)
