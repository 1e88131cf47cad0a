"""Which places can be trusted: complete rounds that come, are not too full, and whose reader answers.

Not known is never empty. A place is known again after `steps` complete rounds, as at the start; where its rounds
cannot be trusted (`fitness.py`), when they can.
"""

from collections.abc import Iterable

from controller.places import Place
from controller.tracking.events import PlaceKnown
from controller.tracking.evidence import Field

SILENT_NS = 3_000_000_000  # no complete round for this long: a focused seat may starve the others for a second
SILENT_GAPS = 8  # and for this many usual gaps between rounds: a multiplexer may take seconds for a turn
OVERFULL_ROUNDS = 2  # one stray tag may fill an antenna for a round
LOOK_NS = 500_000_000  # how often silence is looked for
AWAY = frozenset({"lost", "silent", "fault"})  # no rounds come, and that is known


class Pulse:
    """The rounds of one antenna."""

    __slots__ = ("field", "gap_ns", "last_ns", "missing_rounds", "overfull", "why")

    def __init__(self, field: Field, steps: int) -> None:
        self.field = field
        self.why = "counting"
        self.missing_rounds = steps
        self.last_ns: int | None = None  # end of the last complete round
        self.gap_ns = 0.0  # mean time between them, over the last eight or so
        self.overfull = 0  # rounds in a row with too many tags


class Health:
    """What is known of each antenna and place."""

    def __init__(self, fields: Iterable[Field], steps: int) -> None:
        self._steps = steps
        self._pulses = {field: Pulse(field, steps) for field in fields}
        self._told: dict[Place, str] = {field.place: "counting" for field in fields}
        self._identities: dict[str, str] = {}
        self._since_ns: int | None = None  # the first sign of time
        self._dirty = False
        self.look_ns = 0  # when silence is looked for next

    def round(self, field: Field, ended_ns: int, complete: bool, overfull: bool) -> None:
        pulse = self._pulses[field]
        pulse.overfull = pulse.overfull + 1 if overfull else 0
        if pulse.overfull == OVERFULL_ROUNDS:
            self._unknown(pulse, "overfull", OVERFULL_ROUNDS)
        if not complete:
            return
        if pulse.last_ns is not None:
            pulse.gap_ns += (max(0, ended_ns - pulse.last_ns) - pulse.gap_ns) / (8 if pulse.gap_ns else 1)
        pulse.last_ns = ended_ns
        if pulse.missing_rounds:
            pulse.missing_rounds -= 1
            if not pulse.missing_rounds:
                self._judged(pulse)

    def judge(self, field: Field) -> None:
        """Its rounds cannot be trusted any more, or again: see `field.unfit`. Told at once where they come."""
        pulse = self._pulses[field]
        if not pulse.missing_rounds:
            self._judged(pulse)

    def up(self, name: str, identity: str) -> tuple[Field, ...]:
        """A reader says who it is: after a loss, or as another than before, it counts anew; else that is no news."""
        same = self._identities.get(name) in (None, identity)
        self._identities[name] = identity
        lost = any(p.why in ("lost", "silent") for p in self._pulses.values() if p.field.antenna.reader == name)
        return self.reader(name, "counting") if lost or not same else ()

    def reader(self, name: str, why: str) -> tuple[Field, ...]:
        """A reader was lost, failed or was reset: its antennas count anew. Gives them."""
        pulses = [p for p in self._pulses.values() if p.field.antenna.reader == name]
        for pulse in pulses:
            pulse.last_ns = None
            self._unknown(pulse, why, self._steps)
        return tuple(pulse.field for pulse in pulses)

    def silent(self, now_ns: int) -> tuple[Field, ...]:
        """Antennas that have just fallen silent."""
        if self._since_ns is None:
            self._since_ns = now_ns
        self.look_ns = now_ns + LOOK_NS
        found = [p for p in self._pulses.values() if p.why not in AWAY and self._late(p, now_ns)]
        for pulse in found:
            self._unknown(pulse, "silent", self._steps)
        return tuple(pulse.field for pulse in found)

    def told(self, now_ns: int) -> list[PlaceKnown]:
        """Places whose state changed since the last call."""
        if not self._dirty:
            return []
        self._dirty = False
        state: dict[Place, str] = {}
        for pulse in self._pulses.values():
            if state.get(pulse.field.place, "ok") == "ok":
                state[pulse.field.place] = pulse.why
        changed = [(place, why) for place, why in state.items() if self._told[place] != why]
        self._told.update(changed)
        return [PlaceKnown(now_ns, place, why == "ok", why) for place, why in changed]

    def _judged(self, pulse: Pulse) -> None:
        pulse.field.live = not pulse.field.unfit
        pulse.why, self._dirty = pulse.field.unfit or "ok", True

    def _late(self, pulse: Pulse, now_ns: int) -> bool:
        last = pulse.last_ns if pulse.last_ns is not None else self._since_ns
        return last is not None and now_ns - last > max(SILENT_NS, SILENT_GAPS * pulse.gap_ns)

    def _unknown(self, pulse: Pulse, why: str, rounds: int) -> None:
        pulse.field.live = False
        pulse.why, pulse.missing_rounds, self._dirty = why, rounds, True
