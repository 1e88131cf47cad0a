"""What a script is, and how the table is laid out before its first cue: stacks in chips, a deck, the dealer's float."""

from collections.abc import Iterator

from controller.histories.phh import RaisedTo, RecordedHand
from controller.places import BANK, Place
from controller.registry.registry import DECK
from firmware_bridge.events import Value
from simulator.acts import Cue, tray
from simulator.books import AnteBy, Books, Decision, Pot, ante_of, blinds_of
from simulator.chips import LADDER, smallest_chip, stack_of
from simulator.players import Dice

FLOAT_CHIPS = 40  # of each denomination in the dealer's float
MOST_CHAIRS = 10


class Setting(Value, frozen=True):
    """The table as it stands before the hand."""

    seats: int  # chairs
    button: int
    blinds: tuple[int, int]
    ante: int
    ante_by: AnteBy
    stacks: dict[int, int]  # by seat, of those who are dealt in, from the seat left of the button
    names: dict[int, str]


class Layout(Value, frozen=True):
    """Every chip and card of the table, and where it lies."""

    values: dict[str, int]  # of the chips
    lies: dict[str, Place]


class Script(Value, frozen=True):
    """What happens at the table (`cues`), and what was recorded, so that whoever plays it can compare."""

    hand: RecordedHand
    setting: Setting
    layout: Layout
    cues: tuple[Cue, ...]
    decisions: tuple[Decision, ...]
    pots: tuple[Pot, ...]  # main pot and side pots in the end
    won: dict[int, int] | None  # by seat; None: the record does not tell
    finishing: dict[int, int] | None  # stacks by seat in the end; None: the record does not tell
    end: dict[str, Place]  # where everything lies after the last cue
    buys: tuple[Cue, ...] = ()  # what is bought and given back before the hand; `layout` is how it lies then


def chip_name(value: int, number: int) -> str:
    return f"{value}-{number:03d}"


def setting_of(hand: RecordedHand, books: Books) -> Setting:
    ante, blinds = ante_of(hand), blinds_of(hand)
    assert ante is not None
    assert blinds is not None
    names = hand.players or tuple(f"Player {number}" for number in range(1, len(books.seats) + 1))
    return Setting(
        seats=max(2, *books.seats, min(hand.seat_count or 0, MOST_CHAIRS)),
        button=books.seats[-1],
        blinds=blinds,
        ante=ante[0],
        ante_by=ante[1],
        stacks=dict(books.start),
        names=dict(zip(books.seats, names, strict=True)),
    )


def lay_out(
    hand: RecordedHand, books: Books, dice: Dice, smallest: int | None = None, float_chips: int = FLOAT_CHIPS
) -> Layout:
    """Stacks in the trays as a club would give them out, the float and the deck in the bank.

    `smallest`: the smallest chip; without it the largest that this hand can be played with.
    """
    smallest = smallest or smallest_chip(amounts_of(hand))
    values: dict[str, int] = {}
    lies: dict[str, Place] = {}
    given: dict[int, int] = {}
    float_of = {chip: float_chips for chip in LADDER if smallest <= chip <= max(hand.starting_stacks)}
    stacks = {tray(seat): stack_of(stack, smallest, _habit(dice)) for seat, stack in books.start.items()}
    for place, counts in [*stacks.items(), (BANK, float_of)]:
        for chip, count in counts.items():
            for number in range(given.get(chip, 0) + 1, given.get(chip, 0) + count + 1):
                name = chip_name(chip, number)
                values[name], lies[name] = chip, place
            given[chip] = given.get(chip, 0) + count
    return Layout(values, lies | dict.fromkeys(DECK, BANK))


def _habit(dice: Dice) -> tuple[int, ...]:
    """Some like a few more small chips before them."""
    return tuple(dice.randrange(6) for _ in range(4))


def amounts_of(hand: RecordedHand) -> Iterator[int]:
    """Every amount that has to be made of chips."""
    yield from (hand.bring_in, hand.min_bet if hand.bring_in else 0, hand.big_bet if hand.bring_in else 0)
    for amounts in (hand.starting_stacks, hand.antes, hand.blinds_or_straddles, hand.finishing_stacks or ()):
        yield from amounts
    for act in hand.actions:
        if isinstance(act, RaisedTo):
            yield act.total
