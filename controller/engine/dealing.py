"""Cards that players get or change between two rounds of betting: stud's next card, draws, and discards.

The cards of a street are there when each player has as many as the game deals by then. Draws go in turn from the left
of the button: cards of a player that come to the muck are his discards, no fold, and as many come back; who changes
none stands pat. Without antennas the dealer says the numbers.
"""

from controller.engine.draft import Draft
from controller.engine.kept import is_whole
from controller.engine.progress import close_by_street, may_close, open_betting, open_street, sweep
from controller.engine.up_cards import row_dealt, see_opener, up_cards_by
from controller.hand.betting import alive
from controller.hand.openers import BY_UP_CARDS
from controller.hand.showdown import cards_of
from controller.moves.meanings import items_moved
from controller.places import MUCK, Moved
from controller.registry.registry import DECK, face
from controller.table.draws import draws_next, drew
from controller.table.events import Drew, OpenerSeen, TurnedUp
from controller.table.meanings import Meaning
from controller.table.phases import BEFORE_ACTION, STREET_CARDS
from controller.table.state import Hand, InHand

DECK_FACES = frozenset(DECK)


# ---------------------------------------------------------------- draws
def is_discard(draft: Draft, seat: int, cards: tuple[str, ...]) -> bool:
    """Whether cards of this seat that lie in the muck are discards; in a round of betting a whole hand is a fold."""
    hand, player = draft.hand, draft.player(seat)
    if player is None or player.folded or not draws_next(hand):
        return _holds_too_many(draft, seat)
    return hand.phase in STREET_CARDS or (may_close(draft) and not is_whole(draft.state, seat, cards))


def _holds_too_many(draft: Draft, seat: int) -> bool:
    """Pineapple: who throws his card away late."""
    hand = draft.hand
    thrown = any(street.discard for street in hand.game.streets[: hand.street + 1])
    return thrown and len(cards_of(draft.state, seat)) > hand.hole_cards


def discard(draft: Draft, seat: int, cards: list[str]) -> None:
    moves = tuple([Moved(card, draft.state.places[card], MUCK) for card in cards])
    draft.emit(items_moved(moves, Meaning.DISCARDED))
    if draft.phase not in STREET_CARDS and not (draws_next(draft.hand) and close_by_street(draft)):
        return
    sweep(draft)
    player = draft.player(seat)
    assert player is not None
    _stand_pat_before(draft, seat)
    _drew(draft, seat, said=player.drew, more=len(cards))
    open_if_dealt(draft)


def say_drew(draft: Draft, seat: int, count: int) -> None:
    """The dealer, or the player, says how many cards he changes; 0: he stands pat."""
    sweep(draft)
    _drew(draft, seat, said=count)
    open_if_dealt(draft)


def _drew(draft: Draft, seat: int, *, said: int = 0, more: int = 0) -> None:
    """So many were said or seen so far, and so many more are seen now."""
    player, row = draft.player(seat), draft.hand.street + 1
    assert player is not None
    before = drew(player, row)
    seen = (player.discarded if before is not None else 0) + more
    cards = max(said if before is not None or not more else 0, seen)
    draft.emit(Drew(seat, cards, seen=seen, row=row))


def _stand_pat_before(draft: Draft, seat: int) -> None:
    """Who let the draw pass him by has changed none, where the house infers checks."""
    if draft.setting.house.check != "infer":
        return
    for player in alive(draft.hand):
        if player.seat == seat:
            return
        if drew(player, draft.hand.street + 1) is None:
            _drew(draft, player.seat)


# ---------------------------------------------------------------- the street opens
def deals_next(hand: Hand) -> bool:
    """Whether the next street gives cards to players and none to the board."""
    return not hand.row.is_last and (street := hand.game.streets[hand.street + 1]).deals_to_seats and not street.board


def close_for_card(draft: Draft, seat: int) -> None:
    """A card of the next street that comes to a player closes the round, as a board card does, and ends the sweep."""
    hand = draft.hand
    if hand.phase in BEFORE_ACTION or not deals_next(hand):
        return
    full = len(cards_of(draft.state, seat)) >= hand.hole_cards
    if hand.phase in STREET_CARDS or (full and close_by_street(draft)):
        sweep(draft)


def open_if_dealt(draft: Draft) -> None:
    """Opens the next street once everybody has its cards, and it is known who acts first."""
    hand = draft.hand
    if hand.phase not in STREET_CARDS or not deals_next(hand):
        return
    if all(_has_all(draft, player) for player in alive(hand)):
        open_dealt(draft)


def open_dealt(draft: Draft) -> bool:
    """Opens the next street, whatever was read of its cards; False: nobody knows who acts first."""
    row = draft.hand.street + 1
    if not see_opener(draft, row):
        return False
    open_street(draft, draft.hand.board)
    open_if_dealt(draft)
    return True


def _has_all(draft: Draft, player: InHand) -> bool:
    hand, street = draft.hand, draft.hand.game.streets[draft.hand.street + 1]
    changed = drew(player, hand.street + 1)
    if street.draw and changed is None:
        return False
    if player.seat not in draft.setting.sensors.holes:
        return bool(street.draw)  # nobody sees his cards: he has them when he said how many
    if draft.setting.sensors.muck and player.discarded < (changed or 0):
        return False
    return len(cards_of(draft.state, player.seat)) >= hand.game.cards_by(hand.street + 1)


def name_opener(draft: Draft, seat: int) -> None:
    """A person says who opens, where up cards were not read."""
    hand = draft.hand
    row = hand.street if hand.phase in BEFORE_ACTION else hand.street + 1
    waits = hand.phase in (*BEFORE_ACTION, *STREET_CARDS) and hand.game.has_street(row)
    if not waits or hand.game.streets[row].opens not in BY_UP_CARDS:
        draft.refuse("no_opener_asked", seat)
        return
    player = draft.player(seat)
    if player is None or player.folded:
        draft.refuse("not_in_hand", seat)
        return
    draft.emit(OpenerSeen(seat, "dealer"))
    if hand.phase in BEFORE_ACTION:
        open_betting(draft)
    else:
        open_dealt(draft)


def name_up(draft: Draft, seat: int, cards: tuple[str, ...]) -> None:
    """A person says which cards of a seat lie face up; cards that no antenna read as well."""
    if draft.player(seat) is None or not any(street.up for street in draft.hand.game.streets):
        draft.refuse("no_up_cards", seat)
        return
    if not _may_lie_up(draft, seat, cards):
        draft.refuse("bad_cards", seat)
        return
    draft.emit(TurnedUp(seat, cards))
    if draft.phase in BEFORE_ACTION:
        open_betting(draft)
    else:
        open_if_dealt(draft)


def _may_lie_up(draft: Draft, seat: int, cards: tuple[str, ...]) -> bool:
    """Whether these are cards, no more than lie up by now, and none of them another player's."""
    faces, others = {face(card) for card in cards}, set[str]()
    for player in draft.hand.players:
        if player.seat != seat:
            others |= {face(card) for card in cards_of(draft.state, player.seat)}
    few = 0 < len(cards) <= up_cards_by(draft.hand, row_dealt(draft.hand))
    return few and len(faces) == len(cards) and faces <= DECK_FACES and not faces & others
