"""A motion of chips: its meaning by table A, the facts, and what follows from them."""

from collections.abc import Iterable

from controller.engine import endings, pushes, starts
from controller.engine.draft import Draft
from controller.engine.events import ItemsMoved, Share
from controller.engine.progress import in_turn, sweep_if_empty
from controller.engine.state import Phase
from controller.moves.balance import balance
from controller.moves.flows import flows
from controller.moves.meanings import ALARMS, Meaning, Transfer
from controller.moves.table_a import Scene, is_offered, meanings
from controller.places import POT, Motion, Moved, Place, Zone
from controller.table.ledger import entries

CHIP_ZONES = frozenset({Zone.TRAY, Zone.SPOT, Zone.HELD, Zone.POT, Zone.BANK})
OF_A_SEAT = frozenset({Zone.TRAY, Zone.SPOT, Zone.HELD})
Found = list[tuple[Transfer, Meaning]]


def motion_seen(draft: Draft, motion: Motion) -> None:
    """Chips moved. Items that lie where the state has them already, and cards among chips, are nothing."""
    transfers = grouped(draft, motion.moves)
    if not transfers:
        return
    prepare(draft, transfers)
    scene = Scene(draft.state, draft.setting.values, draft.setting.sensors, lambda seat: in_turn(draft, seat))
    found = list(zip(transfers, meanings(scene, transfers), strict=True))
    record(draft, scene, found)
    follow(draft, motion, found)


def grouped(draft: Draft, moves: Iterable[Moved]) -> list[Transfer]:
    """Moves of chips by way, from where the state has them."""
    values, places = draft.setting.values, draft.state.places
    seats = len(draft.state.table.seats)
    ways: dict[tuple[Place, Place], list[str]] = {}
    for moved in moves:
        origin, target = places.get(moved.item, moved.origin), moved.target
        if moved.item in values and origin != target and _is_chip_place(target, seats):
            origin = origin if _is_chip_place(origin, seats) else Place(Zone.BANK)
            ways.setdefault((origin, target), []).append(moved.item)
    return [
        Transfer(origin, target, tuple(dict.fromkeys(items)), sum([values[item] for item in dict.fromkeys(items)]))
        for (origin, target), items in ways.items()
    ]


def _is_chip_place(place: Place, seats: int) -> bool:
    if place.zone in OF_A_SEAT:
        return place.seat is not None and 0 < place.seat <= seats
    return place.zone in CHIP_ZONES


def prepare(draft: Draft, transfers: list[Transfer]) -> None:
    """Chips may be the post that starts the next hand, or agree to the ruling that waits for it."""
    scene = Scene(draft.state, draft.setting.values, draft.setting.sensors, lambda _: False)
    seats = [move.target.seat for move in transfers if move.target.seat and is_offered(scene, move)]
    if not seats:
        return
    if not draft.running and starts.may_start_unasked(draft):
        if any(starts.would_post(draft, seat) and not scene.missing(seat) for seat in seats):
            starts.start(draft)
    elif len(seats) == 1:
        agree_by_acting(draft, seats[0])


def agree_by_acting(draft: Draft, seat: int) -> None:
    """The next player in turn acts: nobody objected to the reading that was shown."""
    question = draft.state.hand.question if draft.state.hand is not None else None
    if question is None or question.why != "confirm" or question.doubtful or question.seat == seat:
        return
    ahead = Draft(draft.setting, draft.state)
    pushes.agree(ahead, "seat")
    if in_turn(ahead, seat):
        pushes.agree(draft, "seat")


# ---------------------------------------------------------------- facts
def record(draft: Draft, scene: Scene, found: Found) -> None:
    by_meaning: dict[Meaning, list[Transfer]] = {}
    for move, meaning in found:
        by_meaning.setdefault(meaning, []).append(move)
    for meaning, moves in by_meaning.items():
        moved = tuple(Moved(item, move.origin, _lands(move, meaning)) for move in moves for item in move.items)
        draft.emit(ItemsMoved(moved, meaning, _sums(scene, moves, meaning)))


def _lands(move: Transfer, meaning: Meaning) -> Place:
    """Without a pot antenna swept chips are seen nowhere: they are in the pot."""
    return POT if meaning is Meaning.SWEEP and move.target.zone is Zone.HELD else move.target


def _sums(scene: Scene, moves: list[Transfer], meaning: Meaning) -> tuple[Share, ...]:
    if len(moves) == 1:
        return flows(scene, moves[0], meaning)
    sums: dict[int, int] = {}
    for move in moves:
        for flow in flows(scene, move, meaning):
            sums[flow.seat] = sums.get(flow.seat, 0) + flow.amount
    return tuple(Share(seat, amount) for seat, amount in sums.items() if amount)


# ---------------------------------------------------------------- what follows
def follow(draft: Draft, motion: Motion, found: Found) -> None:
    hand = draft.state.hand
    players = frozenset(player.seat for player in hand.players) if hand is not None and draft.running else frozenset()
    for entry in entries(draft.state.table, found, players):
        draft.emit(entry)
    if hand is None:
        return
    for move, meaning in found:
        if meaning in ALARMS:
            draft.alarm(ALARMS[meaning], _culprit(move), move.value)
        elif meaning is Meaning.PAYOUT and move.target.seat:
            endings.paid(draft, move.target.seat, move.value)
    if draft.running:
        _chips_before(draft, motion, found)
    if draft.phase is Phase.SWEEPING:
        sweep_if_empty(draft)
    elif draft.phase is Phase.PAYING:
        endings.end_if_paid(draft)


def _culprit(move: Transfer) -> int | None:
    return move.origin.seat if move.origin.seat is not None else move.target.seat


def _chips_before(draft: Draft, motion: Motion, found: Found) -> None:
    """Chips on the spots of players: posts, pushes, and what waits."""
    for move, meaning in found:
        seat = move.target.seat if move.target.zone is Zone.SPOT else move.origin.seat
        if seat is None:
            continue
        if meaning is Meaning.POST:
            starts.try_posts(draft, seat)
        elif meaning in {Meaning.OUT_OF_TURN, Meaning.EARLY}:
            wait(draft, seat, motion, early=meaning is Meaning.EARLY)
        elif move.origin.zone is Zone.SPOT:
            pushes.recount_held(draft, seat)
            if meaning is Meaning.CHANGE_TAKEN:
                pushes.withdrawn(draft, seat)
    for seat in _pushing(found):
        mine = [(move, meaning) for move, meaning in found if seat in {move.target.seat, move.origin.seat}]
        pushes.push(
            draft,
            seat,
            _items(mine, Meaning.PUSH),
            _items(mine, Meaning.SPLASHED),
            later=motion.later_trip,
            doubtful=bool(motion.doubtful),
        )


def _pushing(found: Found) -> tuple[int, ...]:
    seats = [move.target.seat for move, meaning in found if meaning is Meaning.PUSH]
    seats += [move.origin.seat for move, meaning in found if meaning in {Meaning.SPLASHED, Meaning.PULLED_BACK}]
    return tuple(dict.fromkeys(seat for seat in seats if seat is not None))


def _items(found: Found, meaning: Meaning) -> tuple[str, ...]:
    return tuple(item for move, one in found if one is meaning for item in move.items)


def wait(draft: Draft, seat: int, motion: Motion, *, early: bool) -> None:
    """Chips that are not ruled on now. A second trip after a ruling is a string bet: it goes back (TDA 2024 56)."""
    player = draft.player(seat)
    if player is None or player.folded:
        draft.alarm("chips_not_in_hand", seat, balance(draft.state, seat, draft.setting.values))
        return
    last = draft.hand.last_ruled
    if motion.later_trip and last is not None and last.seat == seat and last.chips:
        draft.alarm("string_bet", seat, balance(draft.state, seat, draft.setting.values))
        return
    pushes.hold(draft, seat, early=early)
