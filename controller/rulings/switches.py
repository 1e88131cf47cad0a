"""The named switches of a house's rules: what a profile is made of. Defaults are the Poker TDA Rules 2024.

Every switch carries its meaning, its values (the default first) and where each value comes from. The sources:
TDA is the Poker TDA Rules, edition named; RRoP is Robert's Rules of Poker, version 11; "Russian club rules" has a
tournament part (section 7) and a cash part (section 2); FIDPA, WSOP, BARGE, UPT, Jumer's, Casinos Austria are the
printed rules of those bodies and rooms.
"""

from typing import Annotated, Literal

import msgspec

from controller.rulings.values import Value

Count = Annotated[int, msgspec.Meta(ge=0)]
SilentRaise = Literal["half", "full", "any"]


class Profile(Value, frozen=True):
    """One house's rules as a frozen value. Files of the same keys are read by `profiles.load`."""

    name: str = "TDA2024"
    title: str = "Poker TDA Rules 2024, version 1.0"

    # ------------------------------------------------------------------ silent chips
    multichip_test: Literal["smallest_needed", "same_denom_needed", "same_denom_call", "none"] = "smallest_needed"
    """When several silent chips are only a call because all of them were needed.

    smallest_needed: without the smallest chip the call is not paid (TDA 2013 to 2024, 45-A).
    same_denom_needed: the same, but only among chips of one value (TDA 2009 and 2011; Russian club rules 7.8.5).
    same_denom_call: any number of chips of one value is a call (FIDPA 62.3 read literally).
    none: no such test (RRoP; Russian club rules 2.8.10; Wikipedia, Betting in poker).
    """
    silent_raise: SilentRaise = "half"
    """How much of a raise silent chips must reach in no limit, pot limit and spread limit.

    half: half of the minimum raise, then completed (TDA 2024 43-A; Russian club rules 2.8.10 and 7.8.3; FIDPA).
    full: only a legal raise is one, anything less is a call (Jumer's 8; fikeworks 3; Wikipedia, Betting in poker).
    any: anything above the bet is brought up to a raise (RRoP no limit 3).
    """
    silent_raise_limit: SilentRaise = "half"
    """The same in fixed limit: half of the street's bet (RRoP; TDA 2024 43-A); full and any as above."""
    last_single_chip: Literal["call", "all_in"] = "call"
    """A silent last chip that is worth more than the bet.

    call: change is due (TDA 2024 44, "including your last chip"). all_in: it counts whole (habit of some rooms).
    """
    last_chips_all_needed: Literal["call", "all_in"] = "call"
    """Silent last chips, several, all of them needed for the call.

    call: change is due (TDA 2024 45-A; Russian club rules 7.8.5).
    all_in: they count whole (RRoP; Russian club rules 2.8.10; Wikipedia, Betting in poker).
    """
    prior_chips: Literal["tda46", "combined", "ask"] = "tda46"
    """Which chips are judged when chips of this round already lie in front of him.

    tda46: new chips alone while the old ones are left alone, else all together (TDA 2024 46-C).
    combined: always all together (some rooms). ask: the floor, where the two ways differ (books that are silent).
    """
    c2_single_chip: Literal["raise_if_half", "call", "ask"] = "raise_if_half"
    """A covering prior chip is taken back and one bigger chip put out.

    raise_if_half: judged as several chips (TDA 2024 46-C2). call: one chip (TDA 2024 44). ask: the floor.
    """
    bb_option_overchip: Literal["raise_if_half", "check", "ask"] = "raise_if_half"
    """One silent chip on the big blind's option.

    raise_if_half: nothing is to call, so it can only be a raise (TDA 2024 46-C2, 43-A).
    check: the chip goes back (TDA 2024 44 as some floors read it). ask: the floor (Card Player, 7 August 2024).
    """
    combine_gesture: Literal["tda46_sit5", "ignore"] = "tda46_sit5"
    """Old and new chips seen gathered and pushed together; somebody must say so, no antenna sees it.

    tda46_sit5: judged together (TDA 2024 46, situation 5, a "may"). ignore: as if the old ones were left alone.
    """
    min_chip: Count = 0
    """Smallest chip that plays, by value; smaller go back. 0: all play (RRoP: that of antes and blinds)."""

    # ------------------------------------------------------------------ short money
    undercall: Literal["tda51", "full_call", "complete_or_forfeit", "withdraw_if_unaware"] = "tda51"
    """Silent chips worth less than the bet, with more behind.

    tda51: a full call heads-up or facing the opening bet; the floor decides facing a raise (TDA 2024 51-B).
    full_call: always a full call. complete_or_forfeit: his choice, to complete or to lose them (Casinos Austria).
    withdraw_if_unaware: facing a raise he missed he may take them back, unless they are 80 % of it (RRoP).
    """
    tiny_chips: Literal["ask", "full_call"] = "ask"
    """Chips worth at most `tiny_chip_ratio` of the bet: the floor, up to a full call (TDA 2024 41), or a full call."""
    tiny_chip_ratio: Annotated[int, msgspec.Meta(ge=1)] = 25
    """Tiny: this many times the chips are no more than the bet (TDA 2024 41 prints 1,000 against 50,000)."""
    underbet_window: Literal["street", "round"] = "street"
    """Until when a short bet, raise or call is put right.

    street: until the next card (TDA 2024 52-A). round: until the betting round ends (RRoP).
    """

    # ------------------------------------------------------------------ words
    raise_motions: Literal["one", "two", "any"] = "one"
    """Motions that count after "raise" without an amount.

    one (TDA since 2019, 42). two: the exact call, then one more (TDA to 2017; FIDPA 42-C). any (RRoP cash).
    """
    word_vs_chips: Literal["first_wins", "word_wins"] = "first_wins"
    """A word after the chips.

    first_wins: too late (TDA 2024 40-A). word_wins: the amount is corrected to it (RRoP no limit; Seven Mile), but one
    chip that was a call stays a call.
    """
    number_after_raise: Literal["to", "by"] = "to"
    """ "Raise" and a number: the total (TDA 2024 43-B), or the increment (some rooms)."""
    tap_facing_bet: Literal["ask", "call_if_covered"] = "ask"
    """A tap of a player who owes.

    ask: a tap is a check, so call or fold (TDA 2024 3 and 55).
    call_if_covered: a call where his chips in front cover the bet (Wikipedia, Betting in poker; Russian betting rules).
    """

    # ------------------------------------------------------------------ sizes and rights
    min_raise: Literal["last_full", "double"] = "last_full"
    """The smallest raise: by the largest full bet or raise (TDA 2024 43-A), or double the bet (UPT)."""
    reopen_bigbet: Literal["full_cumulative", "full_single"] = "full_cumulative"
    """When a player who acted may raise again in no limit and pot limit.

    full_cumulative: he faces a full raise, short all-ins added up (TDA 2024 47-A; RRoP; WSOP 2021 rule 96).
    full_single: only after one single full raise (Russian club rules 7.8.3 as written).
    """
    reopen_limit: Literal["half", "full"] = "half"
    """The same in fixed limit: half a bet (TDA 2024 47-B; RRoP), or a full one (Wikipedia, full bet rule)."""
    fl_cap: Count | None = None
    """Fixed and spread limit: raises after the bet; absent: the house has none (TDA 2024 48); 3 RRoP; 4 FIDPA."""
    fl_cap_headsup: Literal["event", "before_cap", "any_time", "round_start", "river", "never"] = "event"
    """When the cap does not hold between two players.

    event: two left in the event (TDA 2024 48). before_cap: two before the last raise (RRoP). any_time (Russian
    club rules 2.8.2; Live! Maryland). round_start (Jumer's 5). river: two going into it (Jackson 13). never.
    """
    pl_blinds: Literal["full", "real"] = "full"
    """Pot limit preflop: short or missing blinds count as full (TDA 2024 54-B), or as they lie."""
    pl_sb_as_bb: bool = False
    """Pot limit preflop: the small blind counts as a big one (option of RRoP pot limit 5)."""
    pl_round_unit: Count = 0
    """Pot limit: pots are rounded up to this unit; 0: exact (TDA 2024 54). RRoP pot limit 4: 80 in 25s plays as 100."""

    # ------------------------------------------------------------------ posting
    button: Literal["dead", "moving"] = "dead"
    """How button and blinds move when a player has left.

    dead: the big blind moves to the next player, button and small blind follow, to an empty chair if need be (TDA
    2024; Russian club rules 2.11.1, 7.6.1). moving: the button moves to the next player and the blinds are the two
    players behind it (Russian club rules 2.11.1; RRoP).
    """
    missed_blinds: Literal["none", "post"] = "none"
    """Whether a player who comes back posts the blinds that he missed.

    none: tournaments, where an absent player pays as he is passed. post: the big one live, the small one dead (RRoP).
    """
    straddle: Literal["off", "under_the_gun", "mississippi", "sleeper", "rock"] = "off"
    """Who may post twice the big blind unasked before the cards.

    off (tournaments). under_the_gun: the seat left of the big blind (Russian club rules 2.12.2; WSOP live 11).
    mississippi: any seat but the blinds. sleeper: the same, counted only where nobody has acted otherwise before it.
    rock: whoever holds the rock must, from any seat but the blinds. (The last three are habits of cash games.)
    """
    straddle_unit: Literal["straddle", "straddle_less_big_blind"] = "straddle"
    """What a raise over it must add: the straddle (RRoP: 5-10-20, raise to 40) or that less the blind (WSOP)."""
    restraddle: bool = False
    """May the next seat double a straddle again? A house option; Russian club rules 2.12.3: no."""
    postflop_min: Literal["big_blind", "straddle"] = "big_blind"
    """The smallest bet after the flop in a straddled hand (house option)."""
    bba_order: Literal["blind_first", "ante_first"] = "blind_first"
    """A short stack posts a big blind ante: blind first (TDA 2024 RP-11; BARGE), ante first (TDA 2019; Wikipedia)."""
    bba_reduce_at: Count = 0
    """Players at which a big blind ante shrinks to the small blind; 0: never (TDA 2024 RP-11); 4: BARGE 2024."""
    short_bb_headsup: Literal["full", "allin_amount"] = "full"
    """Price of a short big blind heads-up: the full blind (RRoP), or what was posted (Russian club rules 2.3.2)."""

    # ------------------------------------------------------------------ turn
    out_of_turn: Literal["tda53", "chips_stay", "min_wager"] = "tda53"
    """Chips out of turn when the action changes.

    tda53: they go back, all options (TDA 2024 53-A). chips_stay: they stay in the pot (Russian club rules 2.8.13,
    cash). min_wager: he is held to the smallest bet or raise (UPT).
    """
    oot_check_blocks_raise: bool = False
    """Who checked out of turn may not bet or raise in that turn (RRoP; Russian club rules 2.8.5)."""
    substantial: Literal["two_with_chips_or_three", "two", "three"] = "two_with_chips_or_three"
    """Actions to his left after which a skipped player has lost his turn.

    two_with_chips_or_three (TDA 2024 36). two (Russian club rules 2.8.12). three (RRoP).
    """

    citations: dict[str, str] = msgspec.field(default_factory=dict)
    """For each reason of `reasons.REASONS` the rule set, edition and number that this house goes by."""
