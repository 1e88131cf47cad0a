"""The meanings that a move can have: the words of table A in `controller/moves/table_a.py`."""

from enum import StrEnum

from controller.places import Moved, Place
from controller.table.events import ItemsMoved, Share
from controller.table.keys import AlarmName
from firmware_bridge.events import Value


class Meaning(StrEnum):
    POST = "post"
    PAID = "paid"  # what was missing
    PUSH = "push"
    OUT_OF_TURN = "out_of_turn"
    EARLY = "early"  # betting is closed: waits for the next street
    CHANGE_TAKEN = "change_taken"
    PULLED_BACK = "pulled_back"
    CHIPS_MISSING = "chips_missing"  # alarm
    CHANGE = "change"
    SWEEP = "sweep"
    EARLY_SWEEP = "early_sweep"
    SPLASHED = "splashed"
    CHIPS_IN_POT = "chips_in_pot"  # alarm
    PAYOUT = "payout"
    POT_TAKEN = "pot_taken"  # alarm
    BETWEEN_PLAYERS = "between_players"
    CHIPS_PASSED = "chips_passed"  # alarm
    BUY_IN = "buy_in"
    BOUGHT_IN_HAND = "bought_in_hand"
    CASH_OUT = "cash_out"
    CHIPS_LEFT = "chips_left"  # alarm
    KEPT = "kept"  # between tray and hand of the same player
    SWAP = "swap"  # equal values changed places
    PASSING = "passing"
    # cards
    DEALT = "dealt"
    PICKED_UP = "picked_up"
    BOARD_CARD = "board_card"
    BURN = "burn"
    LOOSE = "loose"  # a card in the muck that nobody was seen to have
    FOLDED = "folded"
    SHUFFLED = "shuffled"


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
    )


class Transfer(Value, frozen=True):
    """All items of one motion that went the same way."""

    origin: Place
    target: Place
    items: tuple[str, ...]
    value: int
