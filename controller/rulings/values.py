"""What a ruling is made of and what it says: frozen values. This package imports nothing of ours.

Field names follow the case file (`tests/data/rule_cases.json`, `meta`). All amounts are whole chips' values, and
*totals of the current betting round* unless said otherwise.
"""

from typing import Literal, get_args

import msgspec


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of every value here: immutable, checked when decoded, compared by content."""


WordKind = Literal[
    "call",
    "raise",
    "raise_to",
    "raise_by",
    "bet",
    "number",
    "all_in",
    "check",
    "fold",
    "pot",
    "tap",
    "ambiguous_number",
    "draw",  # draw games: changes so many cards
    "pat",  # and none
]
WordForm = Literal["before_chips", "simultaneous", "after_chips", "before_chips_unclear"]
Facing = Literal["none", "blind", "opening_bet", "raise", "own_blind_option"]
Action = Literal["check", "call", "bet", "raise", "fold", "all_in_call", "all_in_bet", "all_in_raise"]
ACTIONS: tuple[Action, ...] = get_args(Action)
StructureType = Literal["NL", "PL", "HP", "FL", "spread"]
AnteBy = Literal["none", "each", "big_blind", "button"]  # who pays the ante
MOST = 10**12  # chips: more than any table holds; larger numbers are typing errors


class Word(Value, frozen=True):
    kind: WordKind
    amount: int | None = None
    form: WordForm = "before_chips"
    readings: tuple[int, ...] = ()  # ambiguous_number: what "five" may mean, where the dealer knows; (): worked out


class Structure(Value, frozen=True):
    type: StructureType = "NL"
    street_bet: int | None = None  # FL: the bet of this street
    raise_cap: int | None = None  # FL: raises after the bet; None: no cap
    raises_made: int = 0
    min: int | None = None  # spread
    max: int | None = None  # spread


class Situation(Value, frozen=True):
    """What a player faces before his push: `context` of the case file, and the structure of the betting."""

    current_bet: int  # highest total of this round; preflop the full big blind even if posted short
    player_bet: int  # recognised part of this player
    last_full_raise: int  # largest full bet or raise increment of the round
    min_bet: int  # smallest legal opening
    player_stack: int  # value behind BEFORE the push, not counting prior_chips
    prior_chips: tuple[int, ...] = ()  # own chips of this round still in front; may hold unchanged overchips
    prior_in_pot: int = 0  # own bet of this round already swept in
    can_raise: bool = True
    players_in_hand: int = 2
    facing: Facing = "none"
    bet_when_last_acted: int | None = None  # own total at his last action this round; None: not yet
    structure: Structure = Structure()
    last_street: bool = False
    pot_before_round: int = 0
    round_bets_total: int = 0  # all bets of the round in front, full blinds assumed
    fl_full_level: int | None = None  # FL: last complete level
    opening_bet_amount: int | None = None  # the bet that he may have believed he faced, for forfeits
    full_raise_since_acted: bool | None = None  # one single full bet or raise since his last action; None: not known
    small_blind: int | None = None  # pot limit preflop: while that seat, another one, has put in no more; None: it has
    actual_round_bets: int | None = None  # pot limit preflop: the real bets, where blinds were posted short
    event_heads_up: bool = False  # fixed limit: two players are left in the whole event
    heads_up_before_cap: bool = False  # fixed limit: only two were left before the last allowed raise
    heads_up_at_round_start: bool = False  # fixed limit: the round began with two players


class Push(Value, frozen=True):
    motions: tuple[tuple[int, ...], ...]  # denominations, one tuple a motion; () with a word alone
    pulled_back: tuple[int, ...] = ()  # prior chips taken back before or with the push
    word: Word | None = None
    gathered: bool = False  # prior and new chips gathered and pushed together (TDA 46, situation 5)


class Reading(Value, frozen=True):
    """One way to read a push, with all its consequences."""

    action: Action
    total_to: int  # the player's total bet of the round after it
    change_due: int
    must_add: int
    reopens: bool  # a full bet or raise: players who acted may raise again
    all_in: bool
    rule: str  # rule set, edition, number: "TDA 2024 45-A"
    forfeit: int | None = None  # a fold that leaves chips in the pot


class Ruling(Value, frozen=True):
    chosen: Reading | None  # None: ask the floor
    why: str  # key of a text in controller/texts
    numbers: dict[str, int]  # what the text is filled with
    readings: tuple[Reading, ...] = ()  # the alternatives, the most likely first
    disputed: bool = False  # rule books or floors disagree here: `confirm = fragile` asks the dealer


class Options(Value, frozen=True):
    """What a player may do before he pushes anything."""

    to_call: int
    can_raise: bool
    min_raise_to: int | None  # None where he may not raise
    max_raise_to: int | None  # None: no cap, or he may not raise
