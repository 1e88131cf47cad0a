"""What people may see: types only, for screens, pages and MQTT.

The public snapshot has no field for hole cards, tags or names of chips; the dealer's has names of items, because it
must name the chip that is missing.

Sentences come in every language of `controller/texts`; the viewer picks one.
"""

from typing import Literal

import msgspec

from controller.rulings.values import StructureType
from firmware_bridge.events import Value

Language = str  # its code, such as "en"
ThemeName = Literal["dark", "light", "colour-blind"]  # of a screen
Text = dict[Language, str]  # a sentence in every language: {"en": "...", "ru": "..."}
Stack = tuple[tuple[int, int], ...]  # chips as (denomination, count), largest first


class PotView(Value, frozen=True):
    amount: int
    seats: tuple[int, ...]  # who may win it
    number: int | None = None  # as `award` counts it, 0 is the main pot; None: its place in the list


class PostView(Value, frozen=True):
    """A blind, an ante or another post that is not in yet."""

    seat: int
    kind: str  # as the public event `posted` has it: "small_blind", "ante" ...
    amount: int  # never more than the stack


class SeatView(Value, frozen=True):
    seat: int
    name: str = ""
    state: Literal["empty", "out", "waiting", "in", "folded", "all_in"] = "empty"
    stack: int = 0  # behind, by the rules
    bet: int = 0  # of this round, by the rules
    front: int = 0  # value that lies on the spot now
    front_chips: Stack = ()  # and its chips
    change_due: int = 0  # given and not bet: what he gets back of his own chips as change
    uncalled: int = 0  # his, because nobody called it; no change
    missing: int = 0  # bet - front, where positive
    to_act: bool = False
    button: bool = False
    last_action: Text | None = None  # "Call 200", "Check (inferred)"
    cards_read: int | None = None  # hole cards lying on the antenna; None: no such antenna
    in_hand_value: int | None = None  # value of chips that left the antennas; None: no tray antenna
    waiting: int = 0  # value pushed out of turn or for the next street, not counted
    said: Text | None = None  # a word that waits for its chips, or for the turn
    cards: tuple[str, ...] = ()  # only when tabled
    hands: tuple[Text, ...] = ()  # what they are, once all are known: one of each hand that wins in this game
    up: tuple[str, ...] = ()  # stud: cards that lie face up
    drew: int | None = None  # draw: cards changed before this round; None: none was due yet
    won: int = 0
    to_come: int = 0  # of what he won: not yet seen with him
    known: bool = True  # False: an antenna of this seat cannot be trusted now


class ChoiceView(Value, frozen=True):
    number: int  # 1-based: the key to press
    label: Text  # "Raise to 1000, add 200"
    rule: str
    chips: Stack = ()  # where chips are asked about: those that would lie otherwise than they were seen
    place: Text | None = None  # and where they would lie, or be taken from


class RulingView(Value, frozen=True):
    seat: int
    action: str
    total_to: int
    change_due: int
    change: Stack  # the change as chips: from the seat's front where they fit, else from the denominations in play
    must_add: int
    reopens: bool
    all_in: bool
    rule: str
    headline: Text  # large words: "Seat 4: Call 600"
    sentence: Text  # the reason
    chips: Stack = ()  # what it was judged on
    final: bool = True  # False: provisional, still settling
    inferred: bool = False
    waits_for: Text | None = None  # what a provisional ruling waits for
    readings: tuple[ChoiceView, ...] = ()  # what `overrule` may choose instead, numbered as it counts them
    doubts: tuple[Text, ...] = ()  # worlds in which it would be another ruling, too unlikely to be asked about
    more_doubts: int = 0  # so many that no text names


class QuestionView(Value, frozen=True):
    id: int
    seat: int | None
    text: Text
    choices: tuple[ChoiceView, ...]
    confirm: bool = False  # only the dealer's agreement is asked
    chips: Stack = ()  # the push that it is about
    why: Text | None = None  # why the dealer is asked to agree
    must_choose: bool = False  # only a number answers, never Confirm
    more: int = 0  # outcomes behind these, less likely, that no choice stands for: an action and an amount answer


class NoticeView(Value, frozen=True):
    key: str
    level: Literal["info", "unknown", "alarm"]
    text: Text
    seat: int | None = None
    reader: str = ""  # the reader that it comes from


class BehindView(Value, frozen=True):
    """What happened at the table and is not ruled on yet, where that takes longer than usual."""

    seconds: int  # since the first of it; in steps
    reading: tuple[int, ...] = ()  # seats whose chips are being read
    waiting: tuple[int, ...] = ()  # seats whose acts wait to be ruled on
    cards: bool = False  # cards, or another act of the dealer's, wait
    text: Text = msgspec.field(default_factory=dict)


class ReaderView(Value, frozen=True):
    id: str
    state: Literal["up", "starting", "lost", "fault"]
    text: Text


class Snapshot(Value, frozen=True, kw_only=True):
    table: str
    epoch: str
    n: int  # last public event that this snapshot includes
    hand_number: int = 0
    phase: str = "counting_in"
    street: str | None = None
    small_blind: int = 0
    big_blind: int = 0
    ante: int = 0
    structure: StructureType = "NL"  # of the running hand, between hands of the next
    bets: tuple[int, ...] = ()  # fixed limit: small and big; spread limit: from, to, and on the last street where more
    board: tuple[str, ...] = ()
    board_count: int = 0  # cards dealt, read or not
    board_cards: int = 5  # of the whole board in this game
    hole_cards: int = 2  # that a seat has by now in this game
    game: str = ""  # its title, such as "Razz"
    to_draw: int | None = None  # whose turn it is to change cards
    pots: tuple[PotView, ...] = ()
    pot_total: int = 0  # swept pots and the bets of this round, until they are awarded
    paying: int = 0  # awarded, and not yet seen with the winners
    seats: tuple[SeatView, ...] = ()
    button: int | None = None
    posts_due: tuple[PostView, ...] = ()  # in order from the left of the button
    to_act: int | None = None
    to_call: int | None = None  # for the player to act: chips to add
    min_raise_to: int | None = None
    max_raise_to: int | None = None
    ruling: RulingView | None = None  # the last final one of this hand
    rulings: tuple[RulingView, ...] = ()  # those of this round that count, in order; none names other readings
    provisional: RulingView | None = None  # local feed only
    question: QuestionView | None = None
    notices: tuple[NoticeView, ...] = ()
    behind: BehindView | None = None  # None: what is shown is the game, or a moment behind it
    readers: tuple[ReaderView, ...] = ()
    chip_colours: tuple[tuple[int, str], ...] = ()  # (value, "red"), largest first; values that are not here: not known
    broker: Literal["off", "connecting", "up", "down"] = "off"
    paused: bool = False


class DealerSnapshot(Snapshot, frozen=True, kw_only=True):
    """The same, and what only the dealer needs."""

    unseen: tuple[str, ...] = ()  # names of chips and cards that are not accounted for
    can_undo: bool = False
    can_redo: bool = False
    last_refusal: Text | None = None
