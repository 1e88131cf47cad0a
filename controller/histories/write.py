"""Hand histories in PHH, written: what `controller/histories/phh.py` reads, other tools read too."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import assert_never

from controller.histories.phh import (
    BoardDealt,
    BroughtIn,
    CheckedOrCalled,
    Drew,
    Folded,
    HoleDealt,
    Mucked,
    OtherAct,
    RaisedTo,
    RecordedAct,
    RecordedHand,
    Shown,
)

OWN_CODES = frozenset({"PT", "HT", "ST"})  # PHH has none: such hands are NT to other tools, and legal there


def format_hand(hand: RecordedHand) -> str:
    """The text of a .phh file."""
    return "".join(f"{key} = {value}\n" for key, value in _lines(hand))


def format_hands(hands: Iterable[RecordedHand]) -> str:
    """The text of a .phhs file: tables numbered from 1."""
    return "\n".join(f"[{number}]\n{format_hand(hand)}" for number, hand in enumerate(hands, 1))


def _lines(hand: RecordedHand) -> Iterator[tuple[str, str]]:
    def amounts(values: tuple[int, ...]) -> str:
        return f"[{', '.join(_amount(value, hand.unit) for value in values)}]"

    yield "variant", _quoted("NT" if hand.variant in OWN_CODES else hand.variant)
    yield "ante_trimming_status", "true" if hand.ante_trimming_status else "false"
    yield "antes", amounts(hand.antes)
    if hand.bring_in:
        yield "bring_in", _amount(hand.bring_in, hand.unit)
    else:
        yield "blinds_or_straddles", amounts(hand.blinds_or_straddles)
    if hand.big_bet:
        yield "small_bet", _amount(hand.min_bet, hand.unit)
        yield "big_bet", _amount(hand.big_bet, hand.unit)
    else:
        yield "min_bet", _amount(hand.min_bet, hand.unit)
    yield "starting_stacks", amounts(hand.starting_stacks)
    yield "actions", f"[{', '.join(_quoted(notation(act, hand.unit)) for act in hand.actions)}]"
    yield "hand", str(hand.number) if isinstance(hand.number, int) else _quoted(hand.number)
    yield from _optional_lines(hand, amounts)


def _optional_lines(hand: RecordedHand, amounts: Callable[[tuple[int, ...]], str]) -> Iterator[tuple[str, str]]:
    if hand.seats:
        yield "seats", str(list(hand.seats))
    if hand.seat_count is not None:
        yield "seat_count", str(hand.seat_count)
    if hand.table:
        yield "table", _quoted(hand.table)
    if hand.players:
        yield "players", f"[{', '.join(map(_quoted, hand.players))}]"
    if hand.finishing_stacks is not None:
        yield "finishing_stacks", amounts(hand.finishing_stacks)
    if hand.winnings is not None:
        yield "winnings", amounts(hand.winnings)
    if hand.variant in OWN_CODES:
        yield "_variant", _quoted(hand.variant)
    if hand.spread:
        yield "_spread", amounts(hand.spread)


def notation(act: RecordedAct, unit: int = 1) -> str:
    """One action as PHH writes it: "p3 cbr 225"."""
    match act:
        case HoleDealt(player, cards):
            return f"d dh p{player} {''.join(cards)}"
        case BoardDealt(cards):
            return f"d db {''.join(cards)}"
        case Folded(player):
            return f"p{player} f"
        case CheckedOrCalled(player):
            return f"p{player} cc"
        case RaisedTo(player, total):
            return f"p{player} cbr {_amount(total, unit)}"
        case Shown(player, cards):
            return f"p{player} sm {''.join(cards) or '-'}"
        case Mucked(player):
            return f"p{player} sm"
        case BroughtIn(player):
            return f"p{player} pb"
        case Drew(player, cards):
            return f"p{player} sd {''.join(cards)}".rstrip()
        case OtherAct(text):
            return text
        case _:
            assert_never(act)


def _amount(value: int, unit: int) -> str:
    whole, rest = divmod(value, unit)
    return f"{whole}.{str(rest).zfill(len(str(unit)) - 1)}" if rest else str(whole)


def _quoted(text: str) -> str:
    """A TOML basic string. JSON's escapes are TOML's, but TOML also refuses a bare DEL and has no lone surrogates."""
    clean = text.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007f")
