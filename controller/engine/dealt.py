"""Cards at rest: dealt, on the board, in the muck. What was seen decides; what was not seen is never guessed."""

from collections.abc import Iterable

from controller.engine import alarms, dealing, endings, kept, starts
from controller.engine.board import on_board
from controller.engine.draft import Draft
from controller.engine.folds import fold
from controller.engine.kept import owner_of
from controller.engine.progress import turn
from controller.engine.up_cards import cards_due, note_up
from controller.hand.showdown import cards_of, surely_dealt
from controller.moves.meanings import items_moved
from controller.places import BANK, BOARD, MUCK, Moved, Place, Zone
from controller.table.draws import draws_next
from controller.table.meanings import Meaning
from controller.table.phases import BEFORE_ACTION, STREET_CARDS, Phase
from controller.table.state import State

HOLE, IN_HAND = Zone.HOLE, Zone.IN_HAND


def cards_rested(draft: Draft, place: Place, cards: tuple[str, ...]) -> None:
    if not draft.setting.values.keys().isdisjoint(cards) or len(set(cards)) < len(cards):
        cards = tuple(dict.fromkeys(card for card in cards if card not in draft.setting.values))
    if place.zone is HOLE:
        if place.seat is not None and 0 < place.seat <= len(draft.state.table.seats):
            at_seat(draft, place, place.seat, cards)
    elif place.zone is BOARD.zone:
        on_board(draft, cards)
    elif place.zone is MUCK.zone:
        in_muck(draft, cards)


def lay(draft: Draft, meaning: Meaning, cards: Iterable[str], target: Place) -> None:
    places = draft.state.places
    moves = [Moved(card, places.get(card, BANK), target) for card in cards]
    if moves:
        draft.emit(items_moved(tuple(moves), meaning))


# ---------------------------------------------------------------- hole cards
def at_seat(draft: Draft, place: Place, seat: int, cards: tuple[str, ...]) -> None:
    """Cards that came are dealt; cards that went are in the player's hand, which is never a fold.

    Behind a misdeal they go back into the deck, and come again as any other.
    """
    own = kept.apart(draft, place, cards)
    places = draft.state.places
    came = [card for card in own if places.get(card) != place]
    went = [card for card in draft.state.cards[seat - 1] if card not in cards and places[card] == place]
    if went:
        in_deck = not draft.running and draft.state.hand is not None and draft.state.hand.is_void
        lay(draft, Meaning.PICKED_UP, went, BANK if in_deck else Place(IN_HAND, seat))
    if came:
        dealt(draft, place, seat, came)
    if draft.running:
        kept.deal_anew(draft, seat)


def dealt(draft: Draft, place: Place, seat: int, cards: list[str]) -> None:
    if draft.phase not in BEFORE_ACTION:
        _start_or_name(draft, seat, cards)
    new = [card for card in cards if card not in draft.state.cards[seat - 1]]
    if new and draft.running:
        dealing.close_for_card(draft, seat)
    lay(draft, Meaning.DEALT, cards, place)
    if not draft.running:
        return
    note_up(draft, seat, new, len(cards_of(draft.state, seat)) - len(new))
    kept.give_up(draft, seat)
    _completes(draft, seat)


def _completes(draft: Draft, seat: int) -> None:
    """What a seat's cards bring about once there are enough of them."""
    due, has = cards_due(draft.hand), len(cards_of(draft.state, seat))
    if has < due and not draws_next(draft.hand):
        return
    if len(surely_dealt(draft.state, seat)) > due and not draws_next(draft.hand):
        draft.alarm("too_many_cards", seat)
    starts.end_dealing(draft)
    dealing.open_if_dealt(draft)
    if draft.phase not in BEFORE_ACTION:
        alarms.name_mixed(draft)


def _start_or_name(draft: Draft, seat: int, cards: list[str]) -> None:
    """The first card starts a hand. In a hand a card that lay at another seat is a mistake of somebody's."""
    places = draft.state.places
    fresh = [place for card in cards if (place := places.get(card, BANK)) != Place(IN_HAND, seat)]
    if fresh and draft.state.table.seats[seat - 1].playing and starts.may_start_unasked(draft):
        starts.start(draft)
    elif draft.running:
        for place in fresh:
            if place.zone is HOLE:
                draft.alarm("card_moved", place.seat)


# ---------------------------------------------------------------- muck
def in_muck(draft: Draft, cards: tuple[str, ...]) -> None:
    """The muck latches. A whole hand there is its seat's fold; cards of nobody are burns, or an unseen seat's fold."""
    state = draft.state
    if not draft.running:
        lay(draft, Meaning.SHUFFLED, [card for card in state.muck if card not in cards], BANK)
    came = [card for card in cards if card not in state.muck and not _lies_there(state, card)]
    if draft.running and draft.phase in BEFORE_ACTION and any(owner_of(state, card) for card in came):
        gathered(draft, came)
        return
    if draft.running:
        came = _without_discards(draft, came, cards)
    part = [card for card in came if _is_part(draft, card, cards)]
    taken = [card for card in came if draft.running and (card in draft.hand.board or card in state.board)]
    whole = [card for card in came if card not in part and card not in taken]
    strange = [card for card in whole if state.places.get(card, BANK).zone is BANK.zone]
    owners = {owner for card in whole if (owner := owner_of(state, card)) is not None}
    kept.tell(draft, MUCK, part)
    lay(draft, Meaning.PASSING, [card for card in taken if card in state.board], BANK)
    kept.tell(draft, MUCK, taken)
    lay(draft, Meaning.FOLDED, [card for card in whole if card not in strange], MUCK)
    if strange:
        nobodys(draft, strange)
    if draft.running:
        for seat in in_turn_order(draft, owners):
            mucked(draft, seat)


def _without_discards(draft: Draft, came: list[str], cards: tuple[str, ...]) -> list[str]:
    """Discards are no fold, be it the whole hand."""
    state = draft.state
    thrown: dict[int, list[str]] = {}
    for card in came:
        seat = owner_of(state, card)
        if seat is not None and dealing.is_discard(draft, seat, cards):
            thrown.setdefault(seat, []).append(card)
    for seat in sorted(thrown, key=[player.seat for player in draft.hand.players].index):
        dealing.discard(draft, seat, thrown[seat])
    return [card for card in came if not any(card in cards for cards in thrown.values())]


def gathered(draft: Draft, came: Iterable[str]) -> None:
    """Before the deal is over nobody folds: a misdeal. Its key ends the hand, and a new deal needs none."""
    lay(draft, Meaning.STRAYED, came, MUCK)
    kept.name(draft, "gathered")


def _lies_there(state: State, card: str) -> bool:
    """A card of the board that was taken away lies in the muck, and is none of its cards."""
    return state.places.get(card) == MUCK and owner_of(state, card) is None


def _is_part(draft: Draft, card: str, cards: tuple[str, ...]) -> bool:
    """Whether it is a card of a player whose hand is not thrown away whole: he may only hold it there."""
    seat = owner_of(draft.state, card)
    player = draft.player(seat)
    if not draft.running or seat is None or player is None or player.folded or player.tabled:
        return False
    plays = draft.phase is not Phase.PAYING and draft.setting.house.fold == "muck"
    return plays and not kept.is_whole(draft.state, seat, cards)


def nobodys(draft: Draft, cards: list[str]) -> None:
    """Cards that no seat was seen to have."""
    burn = is_burn(draft, len(cards))
    lay(draft, Meaning.BURN if burn else Meaning.LOOSE, cards, MUCK)
    if not burn:
        unknown_in_muck(draft)


def in_turn_order(draft: Draft, seats: Iterable[int]) -> list[int]:
    """Seats whose cards were read at once, as they would act."""
    first, chairs = turn(draft) or 0, len(draft.state.table.seats)
    return sorted(seats, key=lambda seat: (seat - first) % chairs)


def mucked(draft: Draft, seat: int) -> None:
    player = draft.player(seat)
    if player is None or player.folded or player.tabled or draft.setting.house.fold != "muck":
        return
    if draft.phase is Phase.SHOWDOWN:
        endings.muck_hand(draft, seat)
    elif draft.open:
        fold(draft, seat, "cards")
    elif draft.phase in STREET_CARDS:
        draft.alarm("mucked_between", seat)


def unknown_in_muck(draft: Draft) -> None:
    """A whole hand in turn, of a seat without seen cards, is its fold, marked inferred; anything else is asked."""
    if draft.hand.loose < draft.hand.hole_cards:
        return
    seat = turn(draft)
    player = draft.player(seat)
    if player is not None and draft.hand.loose == draft.hand.hole_cards and not cards_of(draft.state, player.seat):
        fold(draft, player.seat, "cards", inferred=True)
    else:
        draft.alarm("muck_unknown", seat)


def is_burn(draft: Draft, count: int) -> bool:
    """A card seen at no seat that comes at a street's start; it may be read after the street's cards."""
    if not draft.running or not draft.open:
        return True
    hand = draft.hand
    return (
        count == 1 and hand.street > 0 and not hand.loose and all(player.last_acted is None for player in hand.players)
    )
