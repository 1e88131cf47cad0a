"""Answers of `betline rule`: a case line judged, and laid out with the names of the case file."""

from typing import Any

from betline.rule.case import REQUIRED, CaseLine, given, push_of, situation_of
from controller.errors import CaseError
from controller.hand.pots import build_pots
from controller.rulings import limits
from controller.rulings.posting import Position, PostingOrder, ante_due, post
from controller.rulings.rules import Rules
from controller.rulings.switches import Profile
from controller.rulings.values import Reading, Ruling, Situation
from controller.snapshot import Language
from controller.texts.sentences import sentence

ASK = "invalid_td_discretion"  # "ask the floor" on the wire; in the code a ruling without a chosen reading
POSITIONS: dict[str, Position] = {"button": "button", "sb": "small_blind", "bb": "big_blind"}
MANY_PLAYERS = 100  # a case that does not say how many are dealt in: no ante shrinks
Answer = dict[str, Any]


def answer(case: CaseLine, rules: Rules, language: Language) -> Answer:
    """One case judged. Raises CaseError where it is impossible."""
    match case.type:
        case "ruling":
            situation = situation_of(case, rules.profile)
            return ruling_answer(situation, rules.judge(situation, push_of(case)), language)
        case "options":
            return options_answer(case, rules)
        case "pots":
            return pots_answer(case)
        case "posting":
            return posting_answer(case, rules)
        case "procedure":
            raise CaseError("procedure cases are judged by the engine")


def ruling_answer(situation: Situation, ruling: Ruling, language: Language) -> Answer:
    alternatives = [reading_answer(reading) for reading in ruling.readings]
    reason = sentence(ruling.why, ruling.numbers)[language]
    if ruling.chosen is None:
        # every way out names the same rule: the one that sends the question to the floor
        rule = ruling.readings[0].rule if ruling.readings else ruling.why
        asked = {"action": ASK, "total_to": None, "change_due": 0, "must_add": 0, "reopens": False, "all_in": False}
        return {**asked, "rule": rule, "reason": reason, "alternatives": alternatives}
    reading = reading_answer(ruling.chosen)
    if situation.structure.type == "FL":
        reading["counts_toward_cap"] = limits.counts_toward_cap(situation, ruling.chosen)
    return {**reading, "reason": reason, "disputed": ruling.disputed, "alternatives": alternatives}


def reading_answer(reading: Reading) -> Answer:
    fields: Answer = {
        "action": reading.action,
        "total_to": reading.total_to,
        "change_due": reading.change_due,
        "must_add": reading.must_add,
        "reopens": reading.reopens,
        "all_in": reading.all_in,
        "rule": reading.rule,
    }
    if reading.action == "fold":
        fields["forfeit"] = reading.total_to if reading.forfeit is None else reading.forfeit
    return fields


def options_answer(case: CaseLine, rules: Rules) -> Answer:
    options = rules.options(situation_of(case, rules.profile))
    return {
        "action": "options",
        "to_call": options.to_call,
        "can_raise": options.can_raise,
        "min_raise_to": options.min_raise_to,
        "max_raise_to": options.max_raise_to,
    }


def pots_answer(case: CaseLine) -> Answer:
    stated = given(case.contributions, "contributions", "what each seat has put in")
    in_hand = given(case.in_hand, "in_hand", "the seats that have not folded")
    for seat in in_hand:
        if seat not in stated:
            raise CaseError(f'in_hand: "{seat}" is not among the contributions')
    if len(set(in_hand)) < len(in_hand) or (stated and not in_hand):
        raise CaseError("in_hand: each seat that has not folded once, and at least one of them")
    seats = {seat: number for number, seat in enumerate(stated)}
    names = tuple(stated)
    contributions = {seats[seat]: amount for seat, amount in stated.items()}
    pots, uncalled = build_pots(contributions, [seats[seat] for seat in in_hand], case.antes_total)
    return {
        "action": "pots",
        "pots": [pot.amount for pot in pots],
        "uncalled_return": {} if uncalled is None else {names[uncalled.seat]: uncalled.amount},
    }


def posting_answer(case: CaseLine, rules: Rules) -> Answer:
    blind, ante = posts_of(case, rules.profile)
    order: PostingOrder | None = None
    if case.context.ante_first is not None:
        order = "ante_first" if case.context.ante_first else "blind_first"
    stack = given(case.context.player_stack, "context.player_stack", REQUIRED["player_stack"])
    posted = post(rules.profile, stack, blind, ante, order)
    return {
        "action": "post",
        "total_to": posted.blind,
        "change_due": 0,
        "must_add": 0,
        "all_in": posted.all_in,
        "blind_posted": posted.blind,
        "ante_posted": posted.ante,
    }


def posts_of(case: CaseLine, profile: Profile) -> tuple[int, int]:
    """What the position owes, blind and ante."""
    if case.blinds is None:
        raise CaseError("blinds are missing: a posting case needs sb, bb and ante")
    small, ante = case.blinds.sb or 0, case.blinds.ante or 0
    owed = {"sb": case.blinds.sb, "bb": case.blinds.bb, "straddle": case.blinds.straddle}
    where = case.context.position
    blind = given(owed[where], f"blinds.{where}", "what this seat owes, 0 where nothing") if where in owed else 0
    position = POSITIONS.get(case.context.position, "other")
    players = case.context.players_dealt or MANY_PLAYERS
    return blind, ante_due(profile, case.context.ante_by, position, ante, small_blind=small, players=players)
