"""What a move does to the balances: who gave how much to the middle, who took how much from it."""

from controller.moves.meaning import OWN, Scene
from controller.moves.meanings import Transfer
from controller.places import Zone
from controller.table.events import Share
from controller.table.meanings import Meaning

GIVES = frozenset(
    {
        Meaning.PUSH,
        Meaning.POST,
        Meaning.PAID,
        Meaning.OUT_OF_TURN,
        Meaning.EARLY,
        Meaning.SPLASHED,
        Meaning.CHIPS_IN_POT,
    }
)
TAKES = frozenset(
    {
        Meaning.PAYOUT,
        Meaning.CHANGE,
        Meaning.CHANGE_TAKEN,
        Meaning.PULLED_BACK,
        Meaning.CHIPS_MISSING,
        Meaning.POT_TAKEN,
    }
)


def flows(scene: Scene, move: Transfer, meaning: Meaning) -> tuple[Share, ...]:
    """Net values by seat: positive into the middle. A chip between two places of the middle flows nowhere."""
    if meaning in GIVES:
        seat = move.target.seat if move.target.zone is Zone.SPOT else move.origin.seat
        return () if seat is None else (Share(seat, move.value),)
    if meaning is Meaning.PAYOUT and move.origin.zone in OWN:
        return (Share(move.origin.seat or 0, move.value), Share(move.target.seat or 0, -move.value))
    if meaning in TAKES and move.target.zone in OWN and move.target.seat is not None:
        return (Share(move.target.seat, -move.value),)
    if meaning is Meaning.SWEEP:
        return _change_unseen(scene, move)
    return ()


def _change_unseen(scene: Scene, move: Transfer) -> tuple[Share, ...]:
    """Where nobody sees the player's tray, change that was due when his chips are swept counts as given back."""
    seat = move.origin.seat
    if seat is None or seat in scene.sensors.trays:
        return ()
    due = min(scene.account(seat), move.value)
    return (Share(seat, -due),) if due > 0 and not scene.has_won(seat) else ()
