"""What lies where: the facts of a state, kept by seat and zone so that nobody searches all places. Never undone."""

from msgspec.structs import replace

from controller.places import Moved, Place, Zone
from controller.table.events import PlacesCounted, Share
from controller.table.phases import Phase
from controller.table.state import State

Items = tuple[str, ...]
BySeat = tuple[Items, ...]
Cards = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]  # board, muck, old hole cards
SPOT, HOLE, IN_HAND, BANK = Zone.SPOT, Zone.HOLE, Zone.IN_HAND, Zone.BANK
BOARD, MUCK = Zone.BOARD, Zone.MUCK
CARDS = (HOLE, BOARD, MUCK)  # antennas of cards: a card may be read at another than that of whose it is
CARDS_OR_DECK = (*CARDS, BANK)


def lay(state: State, moves: tuple[Moved, ...], flows: tuple[Share, ...] = ()) -> State:
    """Items lie elsewhere now. Copying all places costs two microseconds for 600 items: no cleverness is needed."""
    places, perhaps = state.places.copy(), state.perhaps_old
    spots, cards, shared = [*state.spots], [*state.cards], (state.board, state.muck, state.old_cards)
    for moved in moves:
        item, target = moved.item, moved.target
        origin = places.get(item)
        if origin == target and (target.zone is not MUCK or item in shared[1]):
            continue
        places[item] = target
        if origin is not None:
            zone = origin.zone
            if zone is SPOT:
                _take(spots, origin.seat, item)
            elif target.zone is not IN_HAND and (zone is HOLE or zone is IN_HAND):
                if zone is IN_HAND and _is_of(cards, origin.seat, item) and (target.zone is BANK or item in shared[2]):
                    perhaps = {**perhaps, item: origin.seat or 0}
                _take(cards, origin.seat, item)
                shared = _gone(shared, item, origin) if shared[2] else shared
            elif zone is BOARD or zone is MUCK:
                shared = _gone(shared, item, origin)
            if zone in CARDS and target.zone in CARDS_OR_DECK:
                _take_from_owner(cards, target, item)
        zone = target.zone
        if zone is SPOT:
            _add(spots, target.seat, item)
        elif zone is HOLE:
            _add(cards, target.seat, item)
        elif zone is BOARD or zone is MUCK:
            shared = _come(shared, item, target)
        if perhaps and item in perhaps and _shows(target, item, perhaps):
            perhaps = {card: seat for card, seat in perhaps.items() if card != item}
    board, muck, old_cards = shared
    return replace(
        state,
        places=places,
        spots=(*spots,),
        cards=(*cards,),
        board=board,
        muck=muck,
        old_cards=old_cards,
        perhaps_old=perhaps,
        given=_flow(state.given, flows) if flows else state.given,
    )


def read_elsewhere(state: State, moves: tuple[Moved, ...]) -> State:
    """Where items are read now; whose they are, and what they are, stays as it was."""
    return replace(state, places=state.places | {moved.item: moved.target for moved in moves})


def _take_from_owner(cards: list[Items], target: Place, item: str) -> None:
    """A card that was read elsewhere than at its seat leaves that seat too."""
    for seat, its in enumerate(cards, 1):
        if item in its and target != Place(HOLE, seat):
            _take(cards, seat, item)


def _is_of(by_seat: list[Items], seat: int | None, item: str) -> bool:
    return seat is not None and 0 < seat <= len(by_seat) and item in by_seat[seat - 1]


def _shows(target: Place, item: str, perhaps: dict[str, int]) -> bool:
    """Whether a card is where its last player cannot have put it, so that it was in the deck again."""
    return target.zone in (BOARD, MUCK) or (target.zone is HOLE and target.seat != perhaps[item])


def _come(shared: Cards, item: str, target: Place) -> Cards:
    board, muck, old = shared
    return ((*board, item), muck, old) if target.zone is BOARD else (board, (*muck, item), old)


def _gone(shared: Cards, item: str, origin: Place) -> Cards:
    board, muck, old = shared
    if origin.zone is BOARD:
        board = tuple([card for card in board if card != item])
    if origin.zone is MUCK:
        return board, tuple([card for card in muck if card != item]), old
    return board, muck, tuple([card for card in old if card != item])


def _take(by_seat: list[Items], seat: int | None, item: str) -> None:
    if seat is not None and 0 < seat <= len(by_seat):
        by_seat[seat - 1] = tuple([one for one in by_seat[seat - 1] if one != item])


def _add(by_seat: list[Items], seat: int | None, item: str) -> None:
    if seat is not None and 0 < seat <= len(by_seat) and item not in by_seat[seat - 1]:
        by_seat[seat - 1] = (*by_seat[seat - 1], item)


def _flow(given: tuple[int, ...], flows: tuple[Share, ...]) -> tuple[int, ...]:
    sums = list(given)
    for flow in flows:
        sums[flow.seat - 1] += flow.amount
    return tuple(sums)


def places_counted(state: State, event: PlacesCounted) -> State:
    """All items anew; cards that a player took up from his antenna stay his."""
    empty: BySeat = ((),) * len(state.table.seats)
    bare = replace(state, places={}, spots=empty, cards=empty, board=(), muck=())
    after = lay(bare, tuple(Moved(item, place, place) for item, place in event.places.items()), event.flows)
    held = (
        tuple(card for card in cards if event.places.get(card) == Place(IN_HAND, seat))
        for seat, cards in enumerate(state.cards, 1)
    )
    perhaps = after.perhaps_old
    if state.hand is None or state.hand.phase is Phase.BETWEEN_HANDS:
        lying = {card: seat for seat, cards in enumerate(after.cards, 1) for card in cards}
        perhaps = {card: seat for card, seat in lying.items() if card not in state.old_cards}
    cards = tuple((*now, *kept) for now, kept in zip(after.cards, held, strict=True))
    return replace(after, cards=cards, perhaps_old=perhaps, counted_in=True, differences=event.differences)


def left_over(state: State, seat: int) -> tuple[str, ...]:
    """Chips of the hand before that still lie on a spot."""
    spot = state.spots[seat - 1]
    if state.hand is None or not spot:
        return ()
    for player in state.hand.players:
        if player.seat == seat:
            return tuple([chip for chip in spot if chip in player.counted or chip in player.stale])
    return ()
