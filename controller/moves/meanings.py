"""What follows from the meaning of a move alone: alarms, what counts at once."""

from controller.places import Moved, Place
from controller.table.events import ItemsMoved, Share
from controller.table.keys import AlarmName
from controller.table.meanings import Meaning
from firmware_bridge.events import Value

ALARMS: dict[Meaning, AlarmName] = {
    Meaning.CHIPS_MISSING: "chips_missing",
    Meaning.CHIPS_IN_POT: "chips_in_pot",
    Meaning.POT_TAKEN: "pot_taken",
    Meaning.CHIPS_PASSED: "chips_passed",
    Meaning.CHIPS_LEFT: "chips_left",
    Meaning.EARLY_SWEEP: "early_sweep",
}


COUNTED_AT_ONCE = (Meaning.PAID, Meaning.CHANGE, Meaning.SWAP)  # chips that come to a spot so wait for no ruling


def items_moved(moves: tuple[Moved, ...], meaning: Meaning, flows: tuple[Share, ...] = ()) -> ItemsMoved:
    """A move with what its meaning makes of the chips and cards in it."""
    return ItemsMoved(
        moves,
        meaning,
        flows,
        counted=meaning in COUNTED_AT_ONCE,
        pulled=meaning is Meaning.PULLED_BACK,
        loose=len(moves) if meaning is Meaning.LOOSE else 0,
        keeps=meaning is Meaning.STRAYED,
    )


class Transfer(Value, frozen=True):
    """All items of one motion that went the same way."""

    origin: Place
    target: Place
    items: tuple[str, ...]
    value: int
