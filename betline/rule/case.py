"""A case line of `betline rule` as checked values: the fields of the case file, and what is impossible in them.

What a ruling turns on must be said: a bet that is not given is not a bet of 0. Absent may only be what stands for
nothing (no prior chips, no word, no chips, nothing pulled back), a type (a ruling), a structure (no limit), and what
the case file gives for special questions alone. `REQUIRED` and `facing_of` name the others.
"""

from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec

from betline.rule.fields import Amount, Chip, Strict, complaint
from betline.rule.json_line import document_of, refuse_doubles
from controller.errors import CaseError
from controller.games.street_names import BEHIND_BLINDS, EXAMPLES, LAST, StreetName
from controller.rulings.forced_bets import after_straddle
from controller.rulings.switches import Profile
from controller.rulings.values import (
    AnteBy,
    Facing,
    Push,
    Situation,
    Structure,
    StructureType,
    Word,
    WordForm,
    WordKind,
)

SeatName = Literal["sb", "bb", "straddle", "button", "other"]
T = TypeVar("T")
CaseType = Literal["ruling", "options", "pots", "posting", "procedure"]  # and "table": `tables/line.py`


class StructureIn(Strict, frozen=True):
    type: StructureType = "NL"
    street_bet: Chip | None = None
    raise_cap: Amount | None = None
    raises_made: Amount | None = None
    min: Chip | None = None
    max: Chip | None = None
    heads_up_at_round_start: bool = False


class Declaration(Strict, frozen=True):
    kind: WordKind
    amount: Amount | None = None
    form: WordForm = "before_chips"


class Blinds(Strict, frozen=True):
    sb: Amount | None = None
    bb: Amount | None = None
    ante: Amount | None = None
    straddle: Amount | None = None


class Context(Strict, frozen=True):
    current_bet: Amount | None = None
    player_bet: Amount | None = None
    last_full_raise: Amount | None = None
    min_bet: Amount | None = None
    pot_before_round: Amount | None = None
    round_bets_total: Amount | None = None
    actual_round_bets: Amount | None = None
    actual_big_blind: Amount | None = None
    small_blind: Amount | None = None
    player_stack: Amount | None = None
    prior_chips: tuple[Chip, ...] | None = None
    prior_in_pot: Amount | None = None
    can_raise: bool | None = None
    players_in_hand: Annotated[int, msgspec.Meta(ge=1, le=100)] | None = None
    facing: Facing | None = None
    bet_when_last_acted: Amount | None = None
    full_raise_since_acted: bool | None = None
    fl_full_level: Amount | None = None
    opening_bet_amount: Amount | None = None
    event_heads_up: bool = False
    heads_up_before_cap: bool = False
    heads_up_at_round_start: bool = False
    out_of_turn: bool = False
    ante_first: bool | None = None
    players_dealt: Annotated[int, msgspec.Meta(ge=2, le=100)] | None = None
    ante_by: AnteBy = "big_blind"
    position: SeatName = "bb"


class CaseLine(Strict, frozen=True):
    id: str | int | None = None
    type: CaseType = "ruling"
    profile: str | None = None
    structure: StructureIn = StructureIn()
    street: StreetName | Literal["between"] | None = None
    blinds: Blinds | None = None
    context: Context = Context()
    declaration: Declaration | None = None
    pushed: tuple[tuple[Chip, ...], ...] = ()
    pulled_back: tuple[Chip, ...] = ()
    gathered: bool = False
    readings: tuple[Chip, ...] = ()
    contributions: dict[str, Amount] | None = None
    in_hand: tuple[str, ...] | None = None
    antes_total: Amount = 0
    # for people and for the tests of the case file
    levels: msgspec.Raw = msgspec.Raw()
    source: msgspec.Raw = msgspec.Raw()
    profiles: msgspec.Raw = msgspec.Raw()
    expected: msgspec.Raw = msgspec.Raw()
    reason: msgspec.Raw = msgspec.Raw()
    confidence: msgspec.Raw = msgspec.Raw()
    derivation: msgspec.Raw = msgspec.Raw()
    history: msgspec.Raw = msgspec.Raw()
    contested: msgspec.Raw = msgspec.Raw()
    counts_toward_cap: msgspec.Raw = msgspec.Raw()


DECODER = msgspec.json.Decoder(CaseLine)


def parse(line: bytes) -> tuple[CaseLine, tuple[str, ...]]:
    """The case, and the fields that it does not know. Raises CaseError with the field and what it may be."""
    document = document_of(line)
    refuse_doubles(line, document)
    try:
        return DECODER.decode(line), ()
    except msgspec.DecodeError:
        return parse_slowly(document)


def parse_slowly(document: dict[str, Any]) -> tuple[CaseLine, tuple[str, ...]]:
    """The same once more for a line with something wrong in it: leave unknown fields out, or name the fault."""
    known, unknown = without_unknown(document, CaseLine, "")
    try:
        return DECODER.decode(msgspec.json.encode(known)), unknown
    except msgspec.ValidationError as error:
        raise CaseError(complaint(str(error), known, VOCABULARY)) from None


INNER: dict[str, type[Strict]] = {
    "structure": StructureIn,
    "context": Context,
    "declaration": Declaration,
    "blinds": Blinds,
}


def without_unknown(document: dict[str, Any], kind: type[Strict], path: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Only the fields that a case has; an absent amount may be null. The others by name."""
    known: dict[str, Any] = {}
    unknown: list[str] = []
    for key, value in document.items():
        if key not in kind.__struct_fields__:
            unknown.append(f"{path}{key}")
        elif key in INNER and kind is CaseLine and isinstance(value, dict):
            known[key], inner = without_unknown(value, INNER[key], f"{key}.")
            unknown += inner
        else:
            known[key] = value
    return known, tuple(unknown)


VOCABULARY: dict[str, tuple[str, ...]] = {
    "type": (*get_args(CaseType), "table"),
    "declaration.kind": get_args(WordKind),
    "declaration.form": get_args(WordForm),
    "context.facing": get_args(Facing),
    "structure.type": ("NL", "PL", "HP", "FL", "spread"),
    "street": get_args(StreetName),
    "context.position": get_args(SeatName),
}


# ---------------------------------------------------------------- values for the rules


REQUIRED: dict[str, str] = {
    "current_bet": "the highest total of this round, 0 where nobody has bet",
    "player_bet": "what he has bet in this round, 0 where nothing",
    "player_stack": "what he has behind, before the push",
    "min_bet": "the smallest legal bet, the big blind as a rule",
    "can_raise": "true, or false where the action is not open to him",
    "players_in_hand": "how many have not folded",
}
FACING = "none, blind, opening_bet, raise or own_blind_option"


def situation_of(case: CaseLine, profile: Profile) -> Situation:
    """What the player faces, once it is something that can come up."""
    context, structure = case.context, case.structure
    known: dict[str, Any] = {
        name: given(getattr(context, name), f"context.{name}", REQUIRED[name]) for name in REQUIRED
    }
    current_bet, player_bet = known["current_bet"], known["player_bet"]
    if not known["min_bet"]:
        raise CaseError(f"context.min_bet is missing: {REQUIRED['min_bet']}")
    check_structure(case, current_bet)
    if player_bet > current_bet:
        raise CaseError(f"context: player_bet {player_bet} is above current_bet {current_bet}")
    if case.street == "between":
        raise CaseError('street "between": nobody bets between hands')
    if case.type == "ruling":
        check_prior(context, player_bet)
    return Situation(
        **known,
        last_full_raise=last_full_raise_of(case, profile, current_bet),
        prior_chips=context.prior_chips or (),
        prior_in_pot=context.prior_in_pot or 0,
        facing=facing_of(case, current_bet),
        bet_when_last_acted=context.bet_when_last_acted,
        structure=Structure(
            type=structure.type,
            street_bet=structure.street_bet,
            raise_cap=structure.raise_cap,
            raises_made=structure.raises_made or 0,
            min=structure.min,
            max=structure.max,
        ),
        last_street=case.street in LAST,
        pot_before_round=context.pot_before_round or 0,
        round_bets_total=context.round_bets_total or 0,
        fl_full_level=context.fl_full_level,
        opening_bet_amount=context.opening_bet_amount,
        full_raise_since_acted=context.full_raise_since_acted,
        actual_round_bets=context.actual_round_bets,
        small_blind=small_blind_of(case),
        event_heads_up=context.event_heads_up,
        heads_up_before_cap=context.heads_up_before_cap,
        heads_up_at_round_start=context.heads_up_at_round_start or structure.heads_up_at_round_start,
    )


def given(value: T | None, field: str, meaning: str) -> T:
    """A value that the answer turns on: what is not given is not guessed."""
    if value is None:
        raise CaseError(f"{field} is missing: {meaning}")
    return value


def check_prior(context: Context, player_bet: int) -> None:
    """Where his bet lies: chips before him, or swept already, and no more of it than he has bet."""
    if (context.prior_in_pot or 0) > player_bet:
        raise CaseError(f"context.prior_in_pot {context.prior_in_pot} is more than his bet of {player_bet}")
    if player_bet > sum(context.prior_chips or ()) + (context.prior_in_pot or 0):
        given(
            context.prior_chips, "context.prior_chips", f"the chips of his bet of {player_bet}, [] where they are gone"
        )
        given(
            context.prior_in_pot, "context.prior_in_pot", f"what was swept of his bet of {player_bet}, 0 where nothing"
        )


def check_structure(case: CaseLine, current_bet: int) -> None:
    """Limit games turn on more than no limit: the pot, the street, the raises made."""
    context, structure = case.context, case.structure
    if structure.type == "spread" and (structure.min is None or structure.max is None or structure.max < structure.min):
        raise CaseError("structure: spread limit needs min and max, min not above max")
    if structure.type == "FL" and current_bet:
        given(structure.raises_made, "structure.raises_made", "raises after the bet, 0 where there is only the bet")
    if structure.type != "NL":
        given(case.street, "street", EXAMPLES)
    word = case.declaration
    two = word is not None and word.kind == "ambiguous_number" and (word.amount is not None or bool(case.readings))
    of_pot = two or (word is not None and word.kind == "pot")
    if of_pot or structure.type in {"PL", "HP"}:
        given(context.pot_before_round, "context.pot_before_round", "the pot of the rounds before")
        given(context.round_bets_total, "context.round_bets_total", "all bets of this round that lie in front")


def facing_of(case: CaseLine, current_bet: int) -> Facing:
    """A ruling turns on who put the bet there; options do not, so there it may be left out."""
    if case.type == "options":
        return case.context.facing or "none"
    facing: Facing = given(case.context.facing, "context.facing", FACING)
    if (facing == "none") != (current_bet == 0):
        raise CaseError(f'context: facing "{facing}" and current_bet {current_bet} cannot both be: mend one')
    return facing


def last_full_raise_of(case: CaseLine, profile: Profile, current_bet: int) -> int:
    """The unit of the next raise: before any bet the smallest bet, over an unraised straddle what the house says."""
    straddle = case.blinds and case.blinds.straddle
    if case.blinds and straddle:
        given(case.street, "street", "a straddle counts preflop alone")
        if case.street in BEHIND_BLINDS and current_bet == straddle:
            return after_straddle(profile, case.blinds.bb or 0, straddle).last_full_raise
    if current_bet:
        meaning = "the largest full bet or raise of this round, preflop the big blind"
        return given(case.context.last_full_raise, "context.last_full_raise", meaning) or case.context.min_bet or 0
    return case.context.last_full_raise or case.context.min_bet or 0


def small_blind_of(case: CaseLine) -> int | None:
    """The small blind that another seat posted and has not added to, as far as a case tells (pot limit preflop)."""
    if case.context.small_blind is not None:
        return case.context.small_blind
    if case.street not in BEHIND_BLINDS or case.structure.type != "PL" or case.blinds is None or case.blinds.sb is None:
        return None
    waits = case.context.bet_when_last_acted is None and case.context.facing != "own_blind_option"
    return case.blinds.sb if waits and case.context.player_bet != case.blinds.sb else None


def push_of(case: CaseLine) -> Push:
    """The push, once it is one that a player can make."""
    motions = tuple(motion for motion in case.pushed if motion)
    word = word_of(case)
    if not motions and not case.pulled_back and word is None:
        raise CaseError("nothing to judge: no chips pushed, none pulled back, no word")
    prior = case.context.prior_chips or ()
    left = list(prior)
    for chip in case.pulled_back:
        if chip not in left:
            raise CaseError(f"pulled_back: no chip of {chip} is left among prior_chips {list(prior)}")
        left.remove(chip)
    pushed = sum(map(sum, motions))
    behind = given(case.context.player_stack, "context.player_stack", REQUIRED["player_stack"]) + sum(case.pulled_back)
    if pushed > behind:
        raise CaseError(f"pushed {pushed}, but only {behind} is behind (context.player_stack and pulled_back)")
    return Push(motions=motions, pulled_back=case.pulled_back, word=word, gathered=case.gathered)


def word_of(case: CaseLine) -> Word | None:
    said = case.declaration
    if said is None:
        return None
    if said.amount is None and said.kind in {"number", "raise_to", "raise_by"}:
        raise CaseError(f'declaration.amount is missing: "{said.kind}" needs one')
    if said.kind == "ambiguous_number" and said.amount is None and not case.readings:
        raise CaseError('declaration.amount is missing: "ambiguous_number" needs it, or readings')
    return Word(kind=said.kind, amount=said.amount, form=said.form, readings=case.readings)
