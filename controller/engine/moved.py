"""A motion of chips: its meaning, the facts, and what follows from them."""

from collections.abc import Iterable
from functools import partial

from controller.engine import doubts, endings, pushes, starts, straddles, waiting
from controller.engine.agreement import agreement
from controller.engine.draft import Draft
from controller.engine.progress import bets_lying, close_by_street, in_turn, sweep_if_empty
from controller.moves.flows import flows
from controller.moves.ledger import IN_LEDGER, entries
from controller.moves.meaning import Scene, is_offered, meaning_of, meanings
from controller.moves.meanings import ALARMS, Transfer, items_moved
from controller.places import BANK, POT, Motion, Moved, Place, Zone
from controller.table.balance import balance, given
from controller.table.events import Share
from controller.table.meanings import Meaning
from controller.table.phases import PAYING, SWEEPING

SPOT, IN_HAND = Zone.SPOT, Zone.IN_HAND
OF_A_SEAT = (Zone.TRAY, SPOT, IN_HAND)
SHARED = (Zone.POT, Zone.BANK)
PUSH, SPLASHED, PULLED_BACK = Meaning.PUSH, Meaning.SPLASHED, Meaning.PULLED_BACK
POST, OUT_OF_TURN, EARLY = Meaning.POST, Meaning.OUT_OF_TURN, Meaning.EARLY
# What a player brings, takes back for his push, or is paid counts before the rest of the same motion.
FIRST = frozenset(
    {
        Meaning.POST,
        Meaning.PAID,
        Meaning.PUSH,
        Meaning.OUT_OF_TURN,
        Meaning.EARLY,
        Meaning.SPLASHED,
        Meaning.CHANGE_TAKEN,
        Meaning.PULLED_BACK,
        Meaning.PAYOUT,
    }
)
Found = list[tuple[Transfer, Meaning]]


def motion_seen(draft: Draft, motion: Motion) -> None:
    """Chips moved. Items that lie where the state has them already, and cards among chips, are nothing."""
    transfers = grouped(draft, motion.moves)
    if not transfers:
        return
    doubts.name_read(draft, transfers)
    prepare(draft, transfers)
    scene = scene_of(draft)
    if len(transfers) == 1:  # nearly all motions go one way
        found = [(transfers[0], meaning_of(scene, transfers[0]))]
        _record(draft, scene, transfers, found[0][1])
        follow(draft, motion, found)
        return
    found = list(zip(transfers, meanings(scene, transfers), strict=True))
    first = [one for one in found if one[1] in FIRST]
    if not first or len(first) == len(found):
        record(draft, scene, found)
        follow(draft, motion, found)
    else:
        record(draft, scene, first)
        follow(draft, motion, first)
        judge_behind(draft, motion, [one for one in found if one[1] not in FIRST])


def judge_behind(draft: Draft, motion: Motion, found: Found) -> None:
    """What went the other way in the same motion: change is due only once the chips that it is for have come."""
    scene = scene_of(draft)
    again = [(move, meaning if meaning is Meaning.SWAP else meaning_of(scene, move)) for move, meaning in found]
    record(draft, scene, again)
    follow(draft, motion, again)


def scene_of(draft: Draft) -> Scene:
    return Scene(
        draft.state,
        draft.setting.values,
        draft.setting.sensors,
        partial(in_turn, draft),
        partial(straddles.is_straddle, draft),
    )


def grouped(draft: Draft, moves: Iterable[Moved]) -> list[Transfer]:
    """Moves of chips by way, from where the state has them."""
    values, places = draft.setting.values, draft.state.places
    seats = len(draft.state.table.seats)
    ways: list[tuple[Place, Place, list[str]]] = []
    for moved in moves:
        item, target = moved.item, moved.target
        origin = places.get(item, moved.origin)
        if item not in values or origin == target:
            continue
        for way in ways:
            if way[0] == origin and way[1] == target:
                if item not in way[2]:
                    way[2].append(item)
                break
        else:
            if _is_chip_place(target, seats):
                ways.append((origin, target, [item]))
    return [
        Transfer(
            origin if _is_chip_place(origin, seats) else BANK,
            target,
            tuple(items),
            sum([values[item] for item in items]),
        )
        for origin, target, items in ways
    ]


def _is_chip_place(place: Place, seats: int) -> bool:
    if place.zone in OF_A_SEAT:
        return place.seat is not None and 0 < place.seat <= seats
    return place.zone in SHARED


def prepare(draft: Draft, transfers: list[Transfer]) -> None:
    """Chips may be the post that starts the next hand, or agree to the ruling that waits for it."""
    if draft.running:
        if draft.hand.question is not None:
            seats = _offering(draft, transfers)
            if len(seats) == 1 and agreement(draft, seats[0]):
                pushes.agree(draft, "seat")
    elif starts.may_start_unasked(draft):
        scene = scene_of(draft)
        if any(starts.would_post(draft, seat) and not scene.missing(seat) for seat in _offering(draft, transfers)):
            starts.start(draft)


def _offering(draft: Draft, transfers: list[Transfer]) -> list[int]:
    """Seats that bring chips before themselves."""
    scene = scene_of(draft)
    return [move.target.seat for move in transfers if move.target.seat and is_offered(scene, move)]


# ---------------------------------------------------------------- facts
def record(draft: Draft, scene: Scene, found: Found) -> None:
    """One event a meaning."""
    for meaning in dict.fromkeys([meaning for _, meaning in found]):
        _record(draft, scene, [move for move, one in found if one is meaning], meaning)


def _record(draft: Draft, scene: Scene, moves: list[Transfer], meaning: Meaning) -> None:
    # Without a pot antenna swept chips are seen nowhere: they are in the pot.
    into_pot = meaning is Meaning.SWEEP
    moved = [
        Moved(item, move.origin, POT if into_pot and move.target.zone is IN_HAND else move.target)
        for move in moves
        for item in move.items
    ]
    sums = flows(scene, moves[0], meaning) if len(moves) == 1 else _sums(scene, moves, meaning)
    draft.emit(items_moved(tuple(moved), meaning, sums))


def _sums(scene: Scene, moves: list[Transfer], meaning: Meaning) -> tuple[Share, ...]:
    sums: dict[int, int] = {}
    for move in moves:
        for flow in flows(scene, move, meaning):
            sums[flow.seat] = sums.get(flow.seat, 0) + flow.amount
    return tuple(Share(seat, amount) for seat, amount in sums.items() if amount)


# ---------------------------------------------------------------- what follows
def follow(draft: Draft, motion: Motion, found: Found) -> None:
    hand = draft.state.hand
    kinds = {meaning for _, meaning in found}
    if not kinds.isdisjoint(IN_LEDGER):
        players = frozenset(player.seat for player in hand.players) if hand and draft.running else frozenset[int]()
        unread = {seat: unread_before(draft, seat, found) for seat in draft.setting.sensors.trays}
        for entry in entries(draft.state.table, found, players, unread):
            draft.emit(entry)
    if hand is None:
        return
    checked = Meaning.EARLY_SWEEP in kinds and implies_checks(draft)
    for move, meaning in found:
        if meaning is Meaning.EARLY_SWEEP and checked:
            continue
        if meaning is Meaning.PAYOUT and move.target.seat:
            endings.paid(draft, move.target.seat, move.value)
        elif meaning in ALARMS:
            draft.alarm(ALARMS[meaning], _culprit(move), move.value)
    if draft.running:
        _chips_before(draft, motion, found)
    if draft.phase is SWEEPING:
        sweep_if_empty(draft)
    elif draft.phase is PAYING:
        endings.end_if_paid(draft)


def unread_before(draft: Draft, seat: int, found: Found) -> int:
    """What the ledger had behind this seat, and its tray did not show before these chips came from the bank.

    A chip that was not read when the stacks were counted comes up where it lay all the time: it was not bought.
    """
    came = sum([move.value for move, _ in found if move.target == Place(Zone.TRAY, seat) and move.origin == BANK])
    if not came:
        return 0
    behind = (Place(Zone.TRAY, seat), Place(IN_HAND, seat))
    values = draft.setting.values
    lying = sum([values.get(item, 0) for item, place in draft.state.places.items() if place in behind])
    chair, player = draft.state.table.seats[seat - 1], draft.player(seat) if draft.running else None
    stack = chair.stack if player is None else player.start_stack - given(draft.state, player)
    return max(0, stack + chair.bought - (lying - came))


def implies_checks(draft: Draft) -> bool:
    """The dealer swept all bets in and nobody owes: like the next board card it says that the others checked."""
    return not bets_lying(draft) and close_by_street(draft)


def _culprit(move: Transfer) -> int | None:
    return move.origin.seat if move.origin.seat is not None else move.target.seat


def _note_doubts(draft: Draft, motion: Motion, found: Found) -> None:
    """What is not certain of the chips before each seat that this motion brought any, or took any from."""
    seats = [move.target.seat for move, _ in found if move.target.zone is SPOT]
    seats += [move.origin.seat for move, meaning in found if move.origin.zone is SPOT or meaning is SPLASHED]
    for seat in dict.fromkeys([seat for seat in seats if seat is not None]):
        fresh = tuple([item for move, _ in found if move.target == Place(SPOT, seat) for item in move.items])
        doubts.note(draft, seat, motion, fresh)


def _chips_before(draft: Draft, motion: Motion, found: Found) -> None:
    """Chips on the spots of players: posts, pushes, and what waits."""
    if doubts.may_change(draft, motion):
        _note_doubts(draft, motion, found)
    if len(found) == 1 and found[0][1] is PUSH:
        move = found[0][0]
        pushes.push(draft, move.target.seat or 0, move.items, later=motion.later_trip)
        return
    for move, meaning in found:
        seat = move.target.seat if move.target.zone is SPOT else move.origin.seat
        if seat is None:
            continue
        if meaning is POST:
            starts.try_posts(draft, seat)
        elif meaning is OUT_OF_TURN or meaning is EARLY:
            if not straddles.sleeps(draft, seat):
                wait(draft, seat, motion, early=meaning is EARLY)
        elif move.origin.zone is SPOT:
            waiting.recount_held(draft, seat)
            if meaning is Meaning.CHANGE_TAKEN:
                pushes.withdrawn(draft, seat)
    for seat in _pushing(found):
        mine = [(move, meaning) for move, meaning in found if seat in {move.target.seat, move.origin.seat}]
        pushes.push(
            draft,
            seat,
            _items(mine, PUSH),
            _items(mine, SPLASHED),
            later=motion.later_trip,
        )


def _pushing(found: Found) -> tuple[int, ...]:
    seats = [move.target.seat for move, meaning in found if meaning is PUSH]
    seats += [move.origin.seat for move, meaning in found if meaning is SPLASHED or meaning is PULLED_BACK]
    return tuple(dict.fromkeys([seat for seat in seats if seat is not None]))


def _items(found: Found, meaning: Meaning) -> tuple[str, ...]:
    return tuple([item for move, one in found if one is meaning for item in move.items])


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
    waiting.hold(draft, seat, early=early)
