"""Seats, stacks, button, blinds, pause; and what the antennas showed when the service started."""

from controller import commands
from controller.commands import By
from controller.engine.draft import Draft
from controller.engine.situations import MOST
from controller.hand.showdown import cards_of
from controller.moves.ledger import stack_set
from controller.places import MUCK, Place, Zone
from controller.table.balance import Values
from controller.table.events import (
    ButtonMoved,
    DifferencesAccepted,
    KillTold,
    LevelChanged,
    Paused,
    PlacesCounted,
    Resumed,
    SeatChanged,
    Share,
)
from controller.table.setup import suits

MIDDLE = (Zone.SPOT, Zone.POT)
OWN = (Zone.TRAY, Zone.IN_HAND)


def seat_in(draft: Draft, command: commands.SeatIn) -> None:
    """The seat plays from the next hand on; without chips it waits for them."""
    if not _is_seat(draft, command.seat):
        return
    seat = draft.state.table.seats[command.seat - 1]
    name = command.name or seat.name
    draft.emit(SeatChanged(command.seat, seat.stack, seat.stack > 0, name, seat.bought))


def seat_out(draft: Draft, command: commands.SeatOut) -> None:
    if _is_seat(draft, command.seat):
        seat = draft.state.table.seats[command.seat - 1]
        draft.emit(SeatChanged(command.seat, seat.stack, playing=False, name=seat.name, bought=seat.bought))


def set_stack(draft: Draft, command: commands.SetStack) -> None:
    """The ledger's stack; while the seat plays a hand its stack is what the hand makes it."""
    if not 0 <= command.stack <= MOST:
        draft.refuse("bad_amount", command.seat)
    elif not _is_seat(draft, command.seat):
        return
    elif draft.running and draft.player(command.seat) is not None:
        draft.refuse("hand_running", command.seat)
    else:
        draft.emit(stack_set(draft.state.table, command.seat, command.stack))


def set_button(draft: Draft, seat: int) -> None:
    """For the next hand."""
    if _is_seat(draft, seat):
        draft.emit(ButtonMoved(seat))


def button_rested(draft: Draft, seat: int) -> None:
    """The button's antenna: where it lies already is no news."""
    if seat != draft.state.table.button and 0 < seat <= len(draft.state.table.seats):
        draft.emit(ButtonMoved(seat))


def set_blinds(draft: Draft, command: commands.SetBlinds) -> None:
    """For the next hand; the running one keeps its own. The big blind must suit bets that table.toml names."""
    amounts = (command.small, command.big, command.ante)
    if command.ante > 0 and draft.state.table.ante_by == "none":
        draft.refuse("ante_by_nobody")
        return
    wrong = min(amounts) < 0 or max(amounts) > MOST or command.big <= 0 or command.small > command.big
    if wrong or not suits(draft.setting.stakes, command.big):
        draft.refuse("bad_amount")
    else:
        draft.emit(LevelChanged(*amounts))


def kill(draft: Draft, command: commands.Kill) -> None:
    """The next hand is killed by this seat."""
    if draft.setting.stakes.kill == "none":
        draft.refuse("no_kill", command.seat)
    elif _is_seat(draft, command.seat):
        draft.emit(KillTold(command.seat))


def pause(draft: Draft, by: By) -> None:
    draft.refuse("paused") if draft.state.table.paused else draft.emit(Paused(by))


def resume(draft: Draft, by: By) -> None:
    draft.emit(Resumed(by)) if draft.state.table.paused else draft.refuse("not_paused")


def _is_seat(draft: Draft, seat: int) -> bool:
    known = 0 < seat <= len(draft.state.table.seats)
    if not known:
        draft.refuse("no_such_seat", seats=len(draft.state.table.seats))
    return known


# ---------------------------------------------------------------- count-in
def counted_in(draft: Draft, places: dict[str, Place]) -> None:
    """What lies where, all of it. The first time it fills the ledger; after a restart it is compared."""
    before = draft.state.places
    first = not draft.state.counted_in
    places = _with_hands(draft, _as_far_as_seen(draft, places))
    differences = () if first else tuple(sorted(item for item in before if places[item] != before[item]))
    draft.emit(PlacesCounted(places, differences, _flows(draft, places) if not first else ()))
    if first:
        _fill_ledger(draft)


def _as_far_as_seen(draft: Draft, counted: dict[str, Place]) -> dict[str, Place]:
    """The counted places; an item that no antenna shows now, and none could have shown before, stays where it was."""
    places = dict(draft.state.places)
    for item, place in counted.items():
        old = places.get(item)
        if old is None or _is_seen(draft, old) or _is_seen(draft, place):
            places[item] = place
    return places


def _with_hands(draft: Draft, places: dict[str, Place]) -> dict[str, Place]:
    """Cards of this hand stay with their seat, and those of the muck in the muck, wherever an antenna reads them."""
    for seat in range(1, len(draft.state.cards) + 1) if draft.running else ():
        for card in cards_of(draft.state, seat):
            if places[card] not in (Place(Zone.HOLE, seat), MUCK):
                places[card] = Place(Zone.IN_HAND, seat)
    if draft.running:
        places |= dict.fromkeys(draft.state.muck, MUCK)
    return places


def _is_seen(draft: Draft, place: Place) -> bool:
    sensors = draft.setting.sensors
    if place.zone is Zone.TRAY:
        return place.seat in sensors.trays
    return place.zone not in (Zone.IN_HAND, Zone.BANK) and (place.zone is not Zone.POT or sensors.pot)


def _flows(draft: Draft, places: dict[str, Place]) -> tuple[Share, ...]:
    """Chips that crossed between players and the middle while nobody looked."""
    sums: dict[int, int] = {}
    for item, value in draft.setting.values.items():
        old, new = draft.state.places.get(item), places.get(item)
        if old is None or new is None or old == new:
            continue
        if old.zone in OWN and new.zone in MIDDLE and old.seat is not None:
            sums[old.seat] = sums.get(old.seat, 0) + value
        elif old.zone in MIDDLE and new.zone in OWN and new.seat is not None:
            sums[new.seat] = sums.get(new.seat, 0) - value
    seats = len(draft.state.table.seats)
    return tuple(Share(seat, amount) for seat, amount in sums.items() if amount and 0 < seat <= seats)


def _fill_ledger(draft: Draft) -> None:
    """Stacks are what lies in the trays, where nobody said otherwise."""
    stacks = _in_trays(draft.state.places, draft.setting.values)
    for number, seat in enumerate(draft.state.table.seats, 1):
        stack = stacks.get(number, 0)
        if stack and not seat.stack and number in draft.setting.sensors.trays and not draft.running:
            draft.emit(stack_set(draft.state.table, number, stack))


def _in_trays(places: dict[str, Place], values: Values) -> dict[int, int]:
    stacks: dict[int, int] = {}
    for item, place in places.items():
        if place.zone in OWN and place.seat is not None and item in values:
            stacks[place.seat] = stacks.get(place.seat, 0) + values[item]
    return stacks


def accept_differences(draft: Draft, by: By) -> None:
    if draft.state.differences:
        draft.emit(DifferencesAccepted(by))
    else:
        draft.refuse("no_differences")
