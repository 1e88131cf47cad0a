"""Every reason that a ruling can give. Each has a function that gives it, a citation, a sentence and a test.

The key stands in `Ruling.why`; citations are in the profile files, sentences in `controller/texts`.
"""

from typing import Literal, get_args

Why = Literal[
    # no bet yet
    "open_bet",
    "open_bet_chips",
    "open_underbet",
    "open_all_in",
    "open_cut",
    "open_limit",
    "open_no_right",
    # facing a bet or blind
    "exact_call",
    "all_in_call",
    "one_chip_call",
    "one_chip_all_in",
    "chips_needed_call",
    "equal_chips_needed_call",
    "equal_chips_call",
    "no_right_call",
    "last_chips_all_in",
    "under_line_call",
    "raise_by_chips",
    "raise_completed",
    "raise_cut",
    "raise_limit",
    "raise_short_stack",
    # the big blind's option, chips already in front
    "option_check",
    "option_chip_back",
    "option_raise",
    "option_ask",
    "covering_chip_raise",
    "covering_chip_ask",
    "prior_chips_ask",
    "pulled_back_binds",
    "small_chips_ask",
    # less than the bet: undercalls
    "undercall_full",
    "undercall_opening",
    "undercall_raise_ask",
    "undercall_forfeit_ask",
    "undercall_withdraw_ask",
    "undercall_tiny_ask",
    # what was said
    "said_check",
    "said_check_owing",
    "said_check_ask",
    "tap_call",
    "said_call",
    "said_call_is_check",
    "said_call_all_in",
    "said_call_mistaken_ask",
    "said_all_in",
    "said_all_in_call",
    "said_amount",
    "said_amount_short",
    "said_cut",
    "said_takes_all",
    "said_limit",
    "said_bet_short",
    "said_raise",
    "said_raise_no_bet",
    "said_raise_short",
    "said_pot",
    "said_pot_no_limit",
    "said_number",
    "said_number_short",
    "said_number_call",
    "said_number_under_line",
    "said_two_readings",
    "said_two_readings_ask",
    "said_fold",
    "word_unclear_ask",
    # notes added to a ruling: what did not count
    "later_motion",
    "late_word",
]
REASONS: tuple[Why, ...] = get_args(Why)
