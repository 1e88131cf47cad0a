"""What a listener gets over MQTT, as types: every key is always there. `controller/topics.md` says what each means.

`betline schema` makes JSON Schema of them; `topics.py` and `public.py` fill them.
"""

from typing import Literal

from controller.commands import By
from controller.rulings.values import Action, WordKind
from controller.snapshot import DealerSnapshot
from firmware_bridge.events import Value

Version = Literal[1]
PAYLOAD_VERSION: Version = 1  # `v` of every JSON payload


class Info(Value, frozen=True):
    v: Version
    table: str
    version: str
    epoch: str
    boot: str
    seats: int
    readers: tuple[str, ...]
    commands: Literal["none", "signed", "dealer", "floor"]
    event_types: tuple[str, ...]
    topics: tuple[str, ...]


class Pot(Value, frozen=True):
    amount: int
    seats: tuple[int, ...]


class State(Value, frozen=True):
    v: Version
    epoch: str
    n: int
    hand_number: int
    phase: str
    street: str
    small_blind: int
    big_blind: int
    ante: int
    game: str | None
    to_draw: int | None
    board: str
    board_count: int
    pot_total: int
    pot_main: int
    pot_side: int
    pots: tuple[Pot, ...]
    players: int
    button: int | None
    to_act: int | None
    to_act_name: str | None
    to_call: int | None
    min_raise_to: int | None
    max_raise_to: int | None
    winner: str | None
    paused: bool
    known: bool
    asking: bool
    question: str | None
    alarms: int
    notice: str | None
    chip_colours: str | None
    behind_s: int
    behind: str | None
    ruling: str | None
    ruling_reason: str | None
    ruling_rule: str | None
    ruling_seat: int | None
    ruling_action: str
    ruling_total_to: int | None
    ruling_change_due: int | None
    ruling_must_add: int | None


class Seat(Value, frozen=True):
    v: Version
    seat: int
    name: str
    state: Literal["empty", "out", "waiting", "in", "folded", "all_in"]
    stack: int
    bet: int
    front: int
    front_chips: str
    change_due: int
    missing: int
    waiting: int
    to_act: bool
    button: bool
    last_action: str | None
    cards_read: int | None
    cards: str
    up: str
    drew: int | None
    hand: str | None
    in_hand_value: int | None
    won: int
    known: bool


class Reader(Value, frozen=True):
    v: Version
    id: str
    state: Literal["up", "starting", "lost", "fault"]
    text: str | None


class System(Value, frozen=True):
    v: Version
    cpu_temp_c: float | None
    disk_free_mb: int | None
    uptime_s: int | None
    load: float | None
    clock_ok: bool | None
    running_s: int
    outbox: int
    readers: int
    readers_up: int
    bad_frames: int


class Private(Value, frozen=True):
    v: Version
    snapshot: DealerSnapshot


class Withheld(Value, frozen=True):
    """Instead of an event that no broker would carry."""

    v: Version
    epoch: str
    n: int
    event_type: str
    seat: None
    withheld: Literal[True]


class ReplayEnd(Value, frozen=True):
    v: Version
    epoch: str
    event_type: Literal["replay_end"]
    last_n: int
    more: bool


class Result(Value, frozen=True):
    v: Version
    id: str | None
    ok: bool
    error: str | None


# ---------------------------------------------------------------- of single events
class ReadingTold(Value, frozen=True):
    action: Action | None
    total_to: int | None
    change_due: int | None
    must_add: int | None
    reopens: bool | None
    all_in: bool | None
    rule: str | None


class ChipTold(Value, frozen=True):
    """A chip that would lie otherwise than it was seen."""

    value: int
    seat: int | None
    taken_back: bool


class WorldTold(ReadingTold, frozen=True):
    chips: tuple[ChipTold, ...]
    chip_count: int
    chance: float


class RuledTold(ReadingTold, frozen=True):
    seat: int
    why: str
    by: str
    inferred: bool
    word: WordKind | None
    word_amount: int | None
    doubts: tuple[WorldTold, ...]
    doubt_count: int


class AskedTold(Value, frozen=True):
    seat: int | None
    question: int
    why: str
    readings: tuple[ReadingTold, ...]
    word: WordKind | None
    word_amount: int | None


class WorldsAskedTold(Value, frozen=True):
    seat: int | None
    question: int
    why: str
    readings: tuple[WorldTold, ...]
    more: int
    more_chance: float
    word: WordKind | None
    word_amount: int | None


class AnsweredTold(ReadingTold, frozen=True):
    question: int
    by: By
    choice: int | None


class OverruledTold(ReadingTold, frozen=True):
    seat: int | None
    of_n: int | None
    by: By


class TakenBackTold(Value, frozen=True):
    of_n: int | None
    by: By


class SaidTold(Value, frozen=True):
    seat: int
    by: By
    word: WordKind | None
    word_amount: int | None


class HeldTold(Value, frozen=True):
    seat: int
    chips: int
    early: bool


class InDoubtTold(Value, frozen=True):
    seat: int
    missed: int
    second: int
    changed: bool


class AlarmedTold(Value, frozen=True):
    seat: int | None
    key: str
    amount: int | None
