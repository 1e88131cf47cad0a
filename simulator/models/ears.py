"""What antennas hear of tags that lie still: tags that stay unread, stacks, losses, crosstalk, rounds that come late.

Each ear is told what one scan heard, and says what is left of it, or what comes to it. It knows the field and a random
source of its own; time is given.
"""

from collections import deque
from collections.abc import Iterable
from math import log
from typing import Protocol

from msgspec.structs import replace

from controller.places import Zone
from simulator.field import Antenna, Field
from simulator.models import models as m
from simulator.players import Dice
from simulator.radio import Heard

S = 1_000_000_000
STACK = 20  # chips upon one another; what is more stands beside it
LARGE = 10  # so many make a stack that pulls an antenna out of tune
HIGHEST_MISS = 0.9
BLIND_ZONES = {"spot": {Zone.SPOT}, "tray": {Zone.TRAY}, "both": {Zone.SPOT, Zone.TRAY}}


class Ear(Protocol):
    def heard(self, antenna: Antenna, heard: Heard, at_ns: int) -> Heard: ...


def without(heard: Heard, tags: Iterable[str]) -> Heard:
    """The same scan, had these tags not been read."""
    gone = frozenset(tags)
    if gone.isdisjoint(heard.own) and gone.isdisjoint(heard.stray):
        return heard
    own = tuple([tag for tag in heard.own if tag not in gone])
    return Heard(own, tuple([tag for tag in heard.stray if tag not in gone]), heard.complete)


class Newcomers:
    """Which tags have come to an antenna since the last look."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._lying: dict[Antenna, tuple[str, ...]] = {}

    def at(self, antenna: Antenna) -> tuple[str, ...]:
        lying, before = self._field.on(antenna), self._lying.get(antenna, ())
        if lying is before:
            return ()
        self._lying[antenna] = lying
        old = frozenset(before)
        return tuple([tag for tag in lying if tag not in old])


class Blindness:
    def __init__(self, model: m.Blind, field: Field, dice: Dice) -> None:
        self._model, self._field, self._dice = model, field, dice
        self._zones = BLIND_ZONES[model.zone]
        self._newcomers = Newcomers(field)
        self._until_ns: dict[Antenna, dict[str, int]] = {}

    def heard(self, antenna: Antenna, heard: Heard, at_ns: int) -> Heard:
        if self._field.antennas[antenna].zone not in self._zones:
            return heard
        until_ns = self._until_ns.setdefault(antenna, {})
        for tag in self._newcomers.at(antenna):
            until_ns.pop(tag, None)
            if self._dice.random() < self._model.share:
                until_ns[tag] = at_ns + int(self._model.seconds * S)
        return without(heard, [tag for tag, end_ns in until_ns.items() if at_ns < end_ns]) if until_ns else heard


class Heights:
    def __init__(self, model: m.Height, field: Field, dice: Dice) -> None:
        self._field, self._dice = field, dice
        self._misses = [min(HIGHEST_MISS, model.miss * (height + 1) / 10) for height in range(STACK)]

    def heard(self, antenna: Antenna, heard: Heard, at_ns: int) -> Heard:
        del at_ns
        draw, misses = self._dice.random, self._misses
        missed = [tag for at, tag in enumerate(self._field.on(antenna)) if draw() < misses[at % STACK]]
        return without(heard, missed) if missed else heard


class Detuning:
    """A stack is out of tune or is not, as long as it stays about as high."""

    def __init__(self, model: m.Detuned, field: Field, dice: Dice) -> None:
        self._model, self._field, self._dice = model, field, dice
        self._bad: dict[tuple[Antenna, int, int], bool] = {}

    def heard(self, antenna: Antenna, heard: Heard, at_ns: int) -> Heard:
        del at_ns
        lying = self._field.on(antenna)
        missed: list[str] = []
        for at in range(0, len(lying), STACK):
            stack = lying[at : at + STACK]
            if len(stack) >= LARGE and self._is_bad((antenna, at, len(stack) // 4)):
                missed += [tag for tag in stack if self._dice.random() >= self._model.read]
        return without(heard, missed) if missed else heard

    def _is_bad(self, stack: tuple[Antenna, int, int]) -> bool:
        if stack not in self._bad:
            self._bad[stack] = self._dice.random() < self._model.share
        return self._bad[stack]


class Losses:
    def __init__(self, model: m.ScanLoss, dice: Dice) -> None:
        self._share, self._dice = model.share, dice

    def heard(self, antenna: Antenna, heard: Heard, at_ns: int) -> Heard:
        del antenna, at_ns
        if self._dice.random() >= self._share or not heard.own:
            return heard
        lost = round(len(heard.own) * self._dice.uniform(0.5, 1) + 0.5)
        return without(heard, self._dice.sample(heard.own, min(lost, len(heard.own))))


class Whispers:
    def __init__(self, model: m.Crosstalk, field: Field, dice: Dice) -> None:
        self._per10, self._field, self._dice = model.per10, field, dice

    def heard(self, antenna: Antenna, heard: Heard, at_ns: int) -> Heard:
        del at_ns
        found: list[str] = []
        for close in self._field.near(antenna):
            there = self._field.on(close)
            found += self._some(there, min(1.0, self._per10 * len(there) / 10))
        more = [tag for tag in found if tag not in heard.own and tag not in heard.stray]
        return replace(heard, stray=(*heard.stray, *more)) if more else heard

    def _some(self, tags: tuple[str, ...], share: float) -> list[str]:
        """Each tag with this chance; draws once for each tag taken, not for each tag."""
        if share >= 1 or not share:
            return list(tags) if share else []
        taken, scale = list[str](), log(1 - share)
        at = int(log(1 - self._dice.random()) / scale)
        while at < len(tags):
            taken.append(tags[at])
            at += 1 + int(log(1 - self._dice.random()) / scale)
        return taken


class Deaths:
    def __init__(self, model: m.Dead, field: Field, dice: Dice) -> None:
        self._model, self._dice = model, dice
        self._newcomers = Newcomers(field)
        self._known: set[str] = set()
        self._dies_ns: dict[str, int] = {}

    def heard(self, antenna: Antenna, heard: Heard, at_ns: int) -> Heard:
        for tag in self._newcomers.at(antenna):
            if tag not in self._known and self._dice.random() < self._model.share:
                self._dies_ns[tag] = at_ns + int(self._dice.uniform(0, self._model.seconds) * S)
            self._known.add(tag)
        return without(heard, [tag for tag, dies_ns in self._dies_ns.items() if dies_ns <= at_ns])


class Echoes:
    def __init__(self, model: m.Repeated, dice: Dice) -> None:
        self._share, self._dice = model.share, dice
        self._last: dict[Antenna, Heard] = {}

    def heard(self, antenna: Antenna, heard: Heard, at_ns: int) -> Heard:
        del at_ns
        last = self._last.get(antenna)
        told = last if last is not None and self._dice.random() < self._share else heard
        self._last[antenna] = told
        return told


class Delays:
    """What there was to tell before the first rounds is not known: they are not complete."""

    def __init__(self, model: m.Late) -> None:
        self._rounds = model.rounds
        self._held: dict[Antenna, deque[Heard]] = {}

    def heard(self, antenna: Antenna, heard: Heard, at_ns: int) -> Heard:
        del at_ns
        held = self._held.setdefault(antenna, deque())
        held.append(heard)
        return held.popleft() if len(held) > self._rounds else Heard((), (), complete=False)
