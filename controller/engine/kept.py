"""A card keeps its hand: what was dealt to a seat in this hand is that seat's wherever an antenna reads it.

It is named where it is read, and moves no further: on the board it opens no street, at another seat it is no card of
that seat. The same holds for cards of the muck. Whose whole hand lies away from him when it is his turn is asked
whether he has folded. Before anybody has acted cards are still being dealt: a whole hand of other cards is a new one.
"""

from collections.abc import Iterable

from controller.commands import By
from controller.engine.draft import Draft
from controller.engine.folds import fold_of
from controller.hand.showdown import cards_of
from controller.moves.meanings import items_moved
from controller.places import BANK, BOARD, MUCK, Moved, Place, Zone
from controller.rulings.values import Ruling
from controller.table.events import Answered, Asked
from controller.table.keys import AlarmName
from controller.table.meanings import Meaning
from controller.table.phases import BEFORE_ACTION, BETTING, PAYING, STREET_CARDS
from controller.table.state import State

HOLE, IN_HAND = Zone.HOLE, Zone.IN_HAND
BURNS = 4  # cards of a deck that run out unseen: one before each round of cards
AWAY = (Zone.BOARD, Zone.MUCK)


# ---------------------------------------------------------------- whose it is
def owner_of(state: State, card: str) -> int | None:
    """Whose card of this hand it is, wherever an antenna shows it; None: nobody's, or one of the hand before."""
    for seat, cards in enumerate(state.cards, 1):
        if card in cards:
            return seat if card in cards_of(state, seat) else None
    return None


def is_kept(draft: Draft, card: str, place: Place) -> bool:
    """Whether a card that is read at a place stays what it is: a seat's, or one of the muck.

    At a seat cards are dealt before the action, and while a pot is paid: to the next hand.
    """
    if not draft.running or (place.zone is HOLE and draft.phase in (*BEFORE_ACTION, PAYING)):
        return False
    owner = owner_of(draft.state, card)
    if owner is not None:
        return owner != place.seat
    return card in draft.state.muck and not (place.zone is HOLE and is_reshuffled(draft))


def is_reshuffled(draft: Draft) -> bool:
    """Draw: whether the deck has run out, so that cards of the muck are dealt again (Robert's Rules, draw)."""
    state, hand = draft.state, draft.hand
    if hand.phase not in STREET_CARDS or hand.row.is_last or not hand.game.streets[hand.street + 1].draw:
        return False
    alive = [player.seat for player in hand.players if not player.folded]
    due = sum([hand.hole_cards - len(cards_of(state, seat)) for seat in alive])
    left = int(hand.game.deck) - len(state.muck) - sum([len(cards) for cards in state.cards])
    return left <= due + BURNS


def is_read_at(state: State, seat: int | None, zone: Zone) -> bool:
    """Whether a card of a seat is read in a zone, but at his own place."""
    if seat is None or state.hand is None:
        return False
    places = [state.places[card] for card in cards_of(state, seat)]
    return any(place.zone is zone and place != Place(HOLE, seat) for place in places)


def muck_is_read_elsewhere(state: State) -> bool:
    return any(state.places[card] != MUCK for card in state.muck)


def is_whole(state: State, seat: int, cards: Iterable[str]) -> bool:
    """Whether these cards in the muck are a whole hand: all of a seat, the muck's own and unseen ones with them."""
    its, hand = cards_of(state, seat), state.hand
    if hand is None or not set(its) <= set(cards):
        return False
    if len(its) >= hand.hole_cards:
        return True
    unseen = [card for card in cards if card not in state.muck and owner_of(state, card) is None]
    return len(its) + len(unseen) + hand.loose >= hand.hole_cards


def may_be_a_hole_card(draft: Draft) -> bool:
    """Whether a card that nobody was seen to have may be a hole card: one was never read at its own antenna.

    Where not a single one was read the hand is played as at a table without hole antennas.
    """
    holes, count = draft.setting.sensors.holes, draft.hand.hole_cards
    seats = [player.seat for player in draft.hand.players if not player.folded and player.seat in holes]
    read = [len(cards_of(draft.state, seat)) for seat in seats]
    return any(read) and min(read) < count


# ---------------------------------------------------------------- where it is read
def apart(draft: Draft, place: Place, cards: Iterable[str]) -> tuple[str, ...]:
    """Tells where cards that keep their hand are read now, and names them; gives the others."""
    kept = [card for card in cards if is_kept(draft, card, place)]
    tell(draft, place, kept, [card for card in _read_at(draft.state, place) if card not in cards])
    return tuple([card for card in cards if card not in kept])


def tell(draft: Draft, place: Place, came: Iterable[str], went: Iterable[str] = ()) -> None:
    """Facts first: they are read here, or no more; then the names."""
    places = draft.state.places
    here = [Moved(card, places[card], place) for card in came if places[card] != place]
    moves = [*here, *[Moved(card, place, _home(draft.state, card)) for card in went]]
    if moves:
        draft.emit(items_moved(tuple(moves), Meaning.STRAYED))
    for move in here:
        name(draft, *_alarm(draft.state, move))


def _read_at(state: State, place: Place) -> list[str]:
    """Cards that are only read there: of other seats, or of the muck."""
    known = [card for seat, cards in enumerate(state.cards, 1) if Place(HOLE, seat) != place for card in cards]
    return [card for card in (*known, *state.muck) if state.places.get(card) == place != MUCK]


def _home(state: State, card: str) -> Place:
    """Where a card is that no antenna reads any more."""
    seat = next((seat for seat, cards in enumerate(state.cards, 1) if card in cards), None)
    return MUCK if seat is None else Place(IN_HAND, seat)


def _alarm(state: State, move: Moved) -> tuple[AlarmName, int | None]:
    owner = owner_of(state, move.item)
    if owner is None:
        return "muck_card_read", None
    if move.target.zone is HOLE:
        return "card_moved", owner
    return ("card_on_board" if move.target == BOARD else "card_in_muck"), owner


def name(draft: Draft, key: AlarmName, seat: int | None = None) -> None:
    """Raises an alarm that does not stand yet."""
    if not any(alarm.key == key and alarm.seat == seat for alarm in draft.state.alarms):
        draft.alarm(key, seat)


# ---------------------------------------------------------------- thrown away, or only lifted
def ask_thrown(draft: Draft) -> None:
    """Asks whether he has folded who is to act while his cards lie on the board or in the muck, none before him."""
    question = draft.hand.question
    if question is not None:
        if question.why == "cards" and not lies_away(draft.state, question.seat):
            withdraw(draft, question, "seat")
        return
    seat = draft.hand.to_act
    player = draft.player(seat)
    if player is None or draft.phase is not BETTING or draft.state.table.paused or not lies_away(draft.state, seat):
        return
    ruling = Ruling(fold_of(draft, player), "said_fold", {})
    draft.emit(Asked(draft.state.seq, seat, ruling, (), "cards"))


def lies_away(state: State, seat: int | None) -> bool:
    if seat is None:
        return False
    zones = [state.places[card].zone for card in cards_of(state, seat)]
    return any(zone in AWAY for zone in zones) and HOLE not in zones


def withdraw(draft: Draft, question: Asked, by: By) -> None:
    """He holds his cards again: nothing is asked any more."""
    draft.emit(Answered(question.id, None, by))


# ---------------------------------------------------------------- dealt anew
def deal_anew(draft: Draft, seat: int) -> None:
    """Before anybody acted a whole hand of other cards, while none of those before lies there, is a new deal.

    They may have been other seats': the deck was shuffled, and a misdeal needs no key.
    """
    state, place, count = draft.state, Place(HOLE, seat), draft.hand.hole_cards
    before = [card for card in cards_of(state, seat) if state.places[card] != place]
    if len(before) < count or not is_before_action(draft):
        return
    read = [card for cards in (*state.cards, state.muck) for card in cards if state.places[card] == place]
    lying = [card for card in read if card not in state.old_cards]
    if len(lying) == count and not _is_a_neighbours(state, lying, seat):
        others = [card for card in lying if card not in state.cards[seat - 1]]
        back = [Moved(card, state.places[card], BANK) for card in (*before, *others)]
        draft.emit(items_moved(tuple(back), Meaning.SHUFFLED))
        if others:
            draft.emit(items_moved(tuple(Moved(card, BANK, place) for card in others), Meaning.DEALT))


def give_up(draft: Draft, seat: int) -> None:
    """Before anybody acted a card that lies in the muck was exposed, where the seat has a whole hand without it."""
    its = cards_of(draft.state, seat)
    thrown = [card for card in its if draft.state.places[card] == MUCK]
    if thrown and is_before_action(draft) and len(its) - len(thrown) == draft.hand.hole_cards:
        draft.emit(items_moved(tuple(Moved(card, MUCK, MUCK) for card in thrown), Meaning.FOLDED))


def _is_a_neighbours(state: State, cards: Iterable[str], seat: int) -> bool:
    """Whether they are the whole hand of one other seat, which is only read there."""
    owners = {owner_of(state, card) for card in cards}
    return len(owners) == 1 and not owners & {None, seat}


def is_before_action(draft: Draft) -> bool:
    """Whether nobody has acted in this hand."""
    if draft.phase in BEFORE_ACTION:
        return True
    hand = draft.hand
    return draft.phase is BETTING and not hand.street and all(one.last_acted is None for one in hand.players)
