"""Makes readings and rulings from a total: what it is called, change, what is missing, whether it reopens."""

from collections.abc import Mapping

from msgspec.structs import replace

from controller.rulings import limits
from controller.rulings.facts import Facts
from controller.rulings.reasons import Why
from controller.rulings.values import Action, Reading, Ruling

NOTHING: Mapping[str, int] = {}


def call(facts: Facts, why: Why) -> Reading:
    """The full call, or all he has; a check where he owes nothing."""
    if not facts.owes:
        return reading(facts, "check", facts.situation.player_bet, why)
    total = min(facts.situation.current_bet, facts.everything)
    return reading(facts, "all_in_call" if total == facts.everything else "call", total, why)


_BET: tuple[Action, Action] = ("bet", "all_in_bet")
_RAISE: tuple[Action, Action] = ("raise", "all_in_raise")


def wager(facts: Facts, total: int, why: Why) -> Reading:
    """A bet or raise to `total`, or to all he has where that is less."""
    bet = facts.situation.current_bet
    total = min(total, facts.everything)
    if total <= bet:
        return call(facts, why)
    plain, all_in = _RAISE if bet else _BET
    action = all_in if total == facts.everything else plain
    return reading(facts, action, total, why, reopens=limits.is_full(facts.profile, facts.situation, total))


def fold(facts: Facts, why: Why, forfeit: int | None = None) -> Reading:
    """A fold: his recognised bet stays; with `forfeit` that much of his chips stays."""
    total = facts.situation.player_bet if forfeit is None else forfeit
    return reading(facts, "fold", total, why, forfeit=forfeit)


def reading(
    facts: Facts, action: Action, total: int, why: Why, *, reopens: bool = False, forfeit: int | None = None
) -> Reading:
    difference = facts.forward - total
    return Reading(
        action=action,
        total_to=total,
        change_due=max(difference, 0),
        must_add=max(-difference, 0),
        reopens=reopens,
        all_in=action.startswith("all_in"),
        rule=facts.profile.citations.get(why, why),
        forfeit=forfeit,
    )


def ruled(
    facts: Facts,
    chosen: Reading,
    why: Why,
    *,
    others: tuple[Reading, ...] = (),
    numbers: Mapping[str, int] = NOTHING,
) -> Ruling:
    """A decision. It is disputed where another way to read the push has other results."""
    others = distinct(tuple(other for other in others if differs(other, chosen)))
    return Ruling(
        chosen=chosen,
        why=why,
        numbers={
            "bet": facts.situation.current_bet,
            "total": chosen.total_to,
            "change": chosen.change_due,
            "add": chosen.must_add,
            **numbers,
        },
        readings=others,
        disputed=bool(others),
    )


def noted(facts: Facts, ruling: Ruling, note: Why, number: int) -> Ruling:
    """The ruling with a note of what did not count, and the rule by which."""
    chosen = ruling.chosen
    if chosen is not None:
        chosen = replace(chosen, rule=f"{chosen.rule}; {facts.profile.citations.get(note, note)}")
    return replace(ruling, chosen=chosen, numbers={**ruling.numbers, note: number})


def asked(facts: Facts, why: Why, readings: tuple[Reading, ...], numbers: Mapping[str, int] = NOTHING) -> Ruling:
    """Ask the floor: nothing is chosen, the readings say what may be."""
    counted = {"bet": facts.situation.current_bet, "forward": facts.forward, **numbers}
    return Ruling(chosen=None, why=why, numbers=counted, readings=distinct(readings), disputed=True)


def decided_or_asked(facts: Facts, why: Why, first: Ruling, second: Ruling) -> Ruling:
    """Two ways to look at the chips: one ruling where they agree, else the floor."""
    if first.chosen is not None and second.chosen is not None and not differs(first.chosen, second.chosen):
        return first
    return asked(facts, why, readings_of(first) + readings_of(second))


def readings_of(ruling: Ruling) -> tuple[Reading, ...]:
    return ruling.readings if ruling.chosen is None else (ruling.chosen, *ruling.readings)


def differs(one: Reading, other: Reading) -> bool:
    """Do they have other results? What they are called and cite does not matter."""
    return (one.action, one.total_to, one.forfeit) != (other.action, other.total_to, other.forfeit)


def distinct(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    kept: list[Reading] = []
    for candidate in readings:
        if all(differs(candidate, earlier) for earlier in kept):
            kept.append(candidate)
    return tuple(kept)
