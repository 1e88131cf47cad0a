"""The meanings that a move can have: the words of `controller/moves/meaning.py`."""

from enum import StrEnum


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
    DISCARDED = "discarded"  # changed for other cards, or thrown away as the game has it
    SHUFFLED = "shuffled"
    STRAYED = "strayed"  # a card of a seat, or of the muck, that another antenna reads: it stays what it was
