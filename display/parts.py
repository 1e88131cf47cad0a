"""What a picture says, as frozen values: every word and number of the screen, and none of its pixels.

`view.py` makes them of a snapshot, `draw.py` draws them. Tones are meanings, not colours: `theme.py` has the colours.
"""

from typing import Literal

import msgspec

from controller.snapshot import Stack

Tone = Literal["good", "busy", "bad", "quiet"]
Level = Literal["info", "refused", "unknown", "alarm"]  # the more to the right, the more urgent
ButtonTone = Literal["plain", "turn", "ask", "go", "off"]
Look = Literal["empty", "out", "waiting", "in", "folded", "all_in"]


class Part(msgspec.Struct, frozen=True):
    """Base of every part: immutable, compared by content (an equal view is not drawn again)."""


class Link(Part, frozen=True):
    """How the screen hears from the table."""

    state: Literal["waiting", "live", "silent", "lost", "mismatch"]  # silent: connected, and nothing comes
    since: str = ""  # wall clock of the last word, "21:14:05": a label for people
    path: str = ""
    why: str = ""  # what the last try to connect, or to read, ran into
    commands: bool = True  # False: the public's socket, which takes none
    refusal: str = ""  # why the last command was not done
    silent_s: int = 0  # how long nothing has come


class Lamp(Part, frozen=True):
    text: str
    tone: Tone
    always: bool = False  # never one of those that are only counted


class TopLine(Part, frozen=True):
    left: str
    lamps: tuple[Lamp, ...]
    clock: str = ""  # of the machine that draws: "21:14"


class BetPart(Part, frozen=True):
    amount: str
    change: str = ""  # change due, "400"
    back: str = ""  # not called: goes back to him, and is no change
    missing: str = ""  # chips still to add, "200"
    moving: bool = False  # a push that is not ruled yet lies there
    chips: Stack = ()  # that lie there, largest first; (): not known


class SeatPart(Part, frozen=True):
    seat: int
    name: str
    look: Look
    stack: str = ""
    sign: str = ""  # ALL-IN, in the place of the stack
    won: str = ""  # "+1200", in the place of the last action
    foot: str = ""
    mark: str = ""  # chips in hand, chips that wait
    hole_cards: int = 0  # that the game deals to a seat
    cards_read: int | None = None
    shown: tuple[str, ...] = ()
    bet: BetPart | None = None
    button: bool = False
    to_act: bool = False
    asked: bool = False  # the open question is about this seat
    selected: bool = False
    doubtful: bool = False
    level: Level | None = None  # the most urgent notice that names this seat


class PotPart(Part, frozen=True):
    label: str
    amount: str
    seats: tuple[int, ...]


class BoardCard(Part, frozen=True):
    kind: Literal["face", "back", "none"]  # read, dealt but not read, not dealt
    face: str = ""  # "As"


class RulingPart(Part, frozen=True):
    headline: str
    sentence: str
    rule: str
    provisional: bool
    note: str = ""  # "settling", "inferred"
    waits: str = ""
    chips_label: str = ""  # "CHANGE", "ADD"
    chips_amount: str = ""
    chips_tone: Tone = "quiet"
    chips: Stack = ()  # the change, chip by chip
    seen_title: str = ""
    seen: Stack = ()  # what the ruling was judged on
    doubts: tuple[str, ...] = ()  # what it would be if a chip lay elsewhere: a line each


class ChoicePart(Part, frozen=True):
    number: int
    label: str
    rule: str
    chips: Stack = ()  # that would lie otherwise than they were seen


class QuestionPart(Part, frozen=True):
    title: str
    text: str
    choices: tuple[ChoicePart, ...]
    hint: str
    why: str = ""  # why agreement is asked
    seen_title: str = ""
    seen: Stack = ()  # the push that it is about


class TurnPart(Part, frozen=True):
    """Who is to act, and what that costs."""

    seat: int
    who: str
    turn: str  # "to act"
    call_label: str
    call: str
    raise_label: str
    raise_to: str
    most: str = ""


class StepPart(Part, frozen=True):
    """Nobody has to act: what the dealer does now."""

    name: str
    lines: tuple[str, ...]  # what to do, or who won
    keys: str
    won: bool = False


class EntryPart(Part, frozen=True):
    """What the dealer is typing, or is asked back."""

    who: str
    words: str
    hint: str


class NoticePart(Part, frozen=True):
    level: Level
    text: str


class Banner(Part, frozen=True):
    text: str
    tone: Tone


class Curtain(Part, frozen=True):
    """Nothing is known of the table yet."""

    title: str
    hint: str


class HelpPart(Part, frozen=True):
    title: str
    lines: tuple[tuple[str, str], ...]


class ButtonPart(Part, frozen=True):
    """A field for a finger; it does what its keys do. Without a label it is only a gap."""

    label: str
    keys: tuple[str, ...] = ()
    tone: ButtonTone = "plain"
    wide: bool = True  # False: two of them share a row
    repeats: bool = False  # two quick touches are meant: a digit


class View(Part, frozen=True):
    top: TopLine
    seats: tuple[SeatPart, ...]
    pot_label: str
    pot: str
    board: tuple[BoardCard, ...]
    pots: tuple[PotPart, ...]
    dealer: str
    ruling: RulingPart | None
    no_ruling: str
    question: QuestionPart | None
    act: TurnPart | StepPart | EntryPart
    notices: tuple[NoticePart, ...]
    behind: str = ""  # how far all of this is behind the game
    banner: Banner | None = None
    stale: bool = False  # all of it is old: drawn grey
    curtain: Curtain | None = None
    help: HelpPart | None = None
    hint: str = ""
    buttons: tuple[ButtonPart, ...] = ()
    chip_colours: tuple[tuple[int, str], ...] = ()  # of the house's chips, by value
