"""Cards at rest: dealt, on the board, in the muck. What was seen decides; what was not seen is never guessed."""

from collections.abc import Iterable

from controller.engine import alarms, endings, starts
from controller.engine.draft import Draft
from controller.engine.folds import fold
from controller.engine.progress import close_by_street, open_street, turn
from controller.hand.betting import can_bet_on
from controller.hand.showdown import board_of, cards_of, surely_dealt
from controller.moves.meanings import items_moved
from controller.places import BANK, BOARD, MUCK, Moved, Place, Zone
from controller.table.meanings import Meaning
from controller.table.phases import BEFORE_ACTION, DECIDED, STREET_CARDS, Phase

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
    """Cards that came are dealt; cards that went are in the player's hand, which is never a fold."""
    places = draft.state.places
    came = [card for card in cards if places.get(card) != place]
    went = [card for card in draft.state.cards[seat - 1] if card not in cards and places[card] == place]
    if went:
        lay(draft, Meaning.PICKED_UP, went, Place(IN_HAND, seat))
    if came:
        dealt(draft, place, seat, came)


def dealt(draft: Draft, place: Place, seat: int, cards: list[str]) -> None:
    if draft.phase not in BEFORE_ACTION:
        _start_or_name(draft, seat, cards)
    lay(draft, Meaning.DEALT, cards, place)
    if not draft.running or len(cards_of(draft.state, seat)) < draft.hand.game.hole_cards:
        return
    if len(surely_dealt(draft.state, seat)) > draft.hand.game.hole_cards:
        draft.alarm("too_many_cards", seat)
    starts.end_dealing(draft)
    if draft.phase not in BEFORE_ACTION:
        alarms.name_twins(draft)


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


# ---------------------------------------------------------------- board
def on_board(draft: Draft, cards: tuple[str, ...]) -> None:
    """A street opens at exactly as many cards at rest as the game has by then."""
    lying = draft.state.board
    came = [card for card in cards if card not in lying]
    if len(cards) < len(lying) + len(came):
        lay(draft, Meaning.PASSING, [card for card in lying if card not in cards], BANK)
    lay(draft, Meaning.BOARD_CARD, came, BOARD)
    if not draft.running or not came:
        return
    alarms.name_twins(draft)
    count = len(board_of(draft.state))
    if count <= draft.hand.board_count:
        if draft.phase is Phase.SHOWDOWN:
            endings.award_tabled(draft)
        return
    open_to(draft, count)


def open_to(draft: Draft, count: int) -> None:
    """Opens the next street, and in a run-out each one that rests there already."""
    if draft.phase in BEFORE_ACTION or draft.phase in DECIDED:
        draft.alarm("board_early")
        return
    row = draft.hand.game.opened_by(count)
    while row is not None and draft.hand.street != row:
        skips = draft.hand.street + 1 != row and can_bet_on(draft.hand)
        if draft.hand.row.is_last or skips or not close_by_street(draft):
            draft.alarm("board_early")
            return
        following = draft.hand.game.streets[draft.hand.street + 1]
        open_street(draft, board_of(draft.state)[: following.board_so_far])


# ---------------------------------------------------------------- muck
def in_muck(draft: Draft, cards: tuple[str, ...]) -> None:
    """The muck latches. A seat's own card there is its fold; cards of nobody are burns, or an unseen seat's fold."""
    muck = draft.state.muck
    lying = set(muck)
    came = [card for card in cards if card not in lying]
    if len(cards) < len(muck) + len(came):
        lay(draft, Meaning.SHUFFLED, [card for card in muck if card not in cards], BANK)
    places = draft.state.places
    strange = [card for card in came if places.get(card, BANK).zone is BANK.zone]
    owners = [owner for card in came if (owner := _owner(draft, card)) is not None]
    lay(draft, Meaning.FOLDED, [card for card in came if card not in strange] if strange else came, MUCK)
    if strange:
        burn = is_burn(draft, len(strange))
        lay(draft, Meaning.BURN if burn else Meaning.LOOSE, strange, MUCK)
        if not burn:
            unknown_in_muck(draft)
    if draft.running:
        for seat in in_turn_order(draft, set(owners)):
            mucked(draft, seat)


def in_turn_order(draft: Draft, seats: Iterable[int]) -> list[int]:
    """Seats whose cards were read at once, as they would act."""
    first, chairs = turn(draft) or 0, len(draft.state.table.seats)
    return sorted(seats, key=lambda seat: (seat - first) % chairs)


def _owner(draft: Draft, card: str) -> int | None:
    """Whose card of this hand it is; one that lay there since the last hand is nobody's."""
    place = draft.state.places.get(card)
    if place is None or place.seat is None or place.zone not in (HOLE, IN_HAND):
        return None
    return place.seat if card in cards_of(draft.state, place.seat) else None


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
    if draft.hand.loose < draft.hand.game.hole_cards:
        return
    seat = turn(draft)
    player = draft.player(seat)
    if player is not None and draft.hand.loose == draft.hand.game.hole_cards and not cards_of(draft.state, player.seat):
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
