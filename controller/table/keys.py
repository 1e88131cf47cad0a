"""Every key that the engine gives to people: `controller/texts` has a sentence for each, in every language."""

from typing import Literal

RefusalKey = Literal[
    "all_in_cannot_fold",
    "ante_by_nobody",  # table.toml does not say who pays an ante
    "bad_amount",  # an amount that cannot be
    "bad_cards",  # no cards, too many for this street, or another player's
    "betting_closed",
    "bet_over_stack",  # the next three: all bets are set at once; numbers: total, and the most or the least
    "bet_too_large",
    "bet_too_small",
    "betting_open",  # somebody has to act first
    "no_draw",  # no cards are changed now
    "no_opener_asked",  # position says who opens, or nobody asks
    "no_up_cards",
    "too_many_drawn",  # more cards than the game lets him change
    "who_opens",  # the up cards are not known
    "no_halves",  # this game has one winning hand
    "cannot_win",  # this seat may not win that pot
    "choose_a_number",  # Confirm is no answer to a question with several
    "dealers_only",  # a seat's button may not say it
    "hand_running",
    "next_card",  # an older ruling stands once the next card is dealt, or hands are shown
    "no_blinds",  # the big blind is not set
    "no_differences",
    "no_hand",
    "no_inferred_check",
    "no_kill",  # this game has none
    "no_question",
    "no_street_left",
    "no_such_pot",
    "no_such_reading",
    "no_such_seat",  # numbers: seats
    "not_in_hand",
    "not_out_of_turn",  # it is his turn, or the word says nothing without chips
    "not_paused",
    "not_showdown",
    "nothing_foreign",
    "nothing_to_confirm",
    "nothing_to_overrule",
    "nothing_to_redo",
    "nothing_to_undo",
    "only_amounts",  # others acted behind it: a call stays a call, a check a check
    "out_of_turn",
    "paused",
    "round_over",  # this house puts amounts right only while the round is open
    "too_few_players",
]
AlarmName = Literal[
    "board_early",  # a board card while the round is open
    "board_gone",  # a card of the board is not read, or was taken away
    "board_or_hole",  # a card over the board may be a hole card that its own antenna never read
    "board_unclear",  # another card lies on the board: in the place of one that is not read, or the next street's
    "card_in_muck",  # one card of a hand lies in the muck, not the whole of it
    "card_moved",  # a hole card went from one seat to another
    "card_on_board",  # a hole card lies on the board's antenna
    "card_twice",  # the same face twice: two decks are mixed
    "chips_in_pot",  # chips of a seat in the pot, not in its turn
    "chips_left",  # chips went from a tray to the bank in a hand
    "chips_missing",  # chips were taken from a bet
    "doubt_read",  # chips that a ruling of a closed round doubted are read now: look at it
    "chips_not_in_hand",  # chips on the spot of a seat that has no cards
    "chips_passed",  # chips went from one player to another in a hand
    "decks_mixed",  # cards of two decks in one hand
    "early_sweep",  # a bet was swept while the round is open
    "gathered",  # dealt cards lie in the muck before the deal was over
    "muck_card_read",  # a card of the muck lies on the board's antenna, or at a seat
    "more_than_stack",  # more chips than the ledger knows
    "muck_unknown",  # cards in the muck that belong to nobody seen
    "mucked_all_in",
    "mucked_between",  # cards mucked between two streets
    "payout",  # amount: still due to the seat from the last hand; negative: still missing from it
    "pot_taken",  # chips of the pot at a seat that won none
    "string_bet",  # a second trip to the tray: these chips go back
    "substantial_action",  # two players acted past the seat
    "too_many_cards",
]
RulingKey = Literal[
    "bets_set", "inferred_check", "cannot_judge", "held_to_least", "worlds"
]  # besides those of controller/rulings/reasons.py
ReleaseKey = Literal["round_closed", "action_changed", "taken_back", "chips_stay", "check_stands"]
AwardKey = Literal["best_hand", "last_player", "dealer"]  # why a pot goes to whom
