"""The share of one core that a big table takes: bytes through drivers, tracking and engine.

After each read the core is asked what to scan first and when to wake, as the service does once a batch. Ports, threads,
journal and snapshots are not in it: `start` measures a process with all of them.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from benchmarks.big_table import Recording, recording
from benchmarks.rows import Row, Size, Tell, at_most
from benchmarks.timing import interleaved
from controller.core.core import Core
from controller.engine.engine import Engine
from controller.picture import picture
from controller.publish import lines
from controller.table import inputs
from controller.table.events import Event
from controller.table.state import State
from firmware_bridge.drivers import catalog
from simulator.radio import Noise

GROUP = "load"
AIM_PERCENT = 3
NOISY = Noise(miss=0.05, stray=0.01, seed=5)
PICTURES = 20  # in one turn
FEWER = 5  # of the usual repetitions, one: each is long


class Split:
    """Nanoseconds by part."""

    def __init__(self) -> None:
        self.drivers = self.tracking = self.engine = 0


def rows(size: Size, tell: Tell) -> Iterator[Row]:
    for how, noise in (("no noise", Noise()), ("5 % missed, 1 % stray", NOISY)):
        tell(f"a hand is played: {how}")
        played = recording(size.simulated_s, noise)
        tell(f"{played.simulated_s:.0f} s of a big table: {how}")
        repetitions = -(-size.repetitions // FEWER)
        seconds = interleaved({"ours": partial(through, played)}, repetitions)["ours"]
        share = seconds / played.simulated_s * 100
        yield Row(
            group=GROUP,
            what=f"{played.tags} tags, {played.antennas} antennas, 10 rounds a second, {how}",
            unit="% of a core",
            ours=share,
            aim=at_most(AIM_PERCENT),
            note=_parts(played, share),
        )
        yield _picture(played, size, how)


def through(played: Recording, split: Split | None = None, core: Core | None = None) -> list[Event]:
    """All that came in, once more through fresh drivers and a fresh core; what the table decides."""
    core = core or played.fresh_core()
    drivers = {reader.id: catalog.make(reader.driver, reader.id) for reader in played.config.reader}
    for driver in drivers.values():
        driver.start(0)
    take: Callable[..., Any] = core.take
    receive: dict[str, Callable[..., Any]] = {reader: driver.receive for reader, driver in drivers.items()}
    if split is not None:
        core._engine = _Timed(core._engine, split)
        take = _timed(core.take, split, "tracking")
        receive = {reader: _timed(call, split, "drivers") for reader, call in receive.items()}
    events: list[Event] = []
    for step in played.steps:
        if step.what == "bytes":
            for event in receive[step.reader](step.data, step.at_ns).events:
                events += take(event)
            core.focus()
            core.wake_at_ns()
        elif step.what == "tick":
            events += core.tick(step.at_ns)
        elif step.command is not None:
            events += core.command(step.command, "dealer", step.at_ns)
    return events


def _parts(played: Recording, share: float) -> str:
    """Which part takes what; timing them costs a little, so that only their proportions are taken from it."""
    split = Split()
    began = time.perf_counter_ns()
    events = through(played, split)
    whole = time.perf_counter_ns() - began
    assert tuple(events) == played.events, "the table decides otherwise when it is played again"
    parts = (split.drivers, split.tracking - split.engine, split.engine)
    drivers, tracking, engine = (part / whole * share for part in parts)
    rest = share - drivers - tracking - engine
    rounds = sum(step.what == "bytes" for step in played.steps)
    return (
        f"drivers {drivers:.2f}, tracking {tracking:.2f}, engine {engine:.2f}, focus and timers {rest:.2f}; "
        f"{share / 100 * played.simulated_s / rounds * 1e6:.0f} us a read of three rounds"
    )


def _picture(played: Recording, size: Size, how: str) -> Row:
    """What a change costs once more: the snapshot that screens and MQTT get, 20 times a second at most."""
    core = played.fresh_core()
    through(played, core=core)
    outside = picture.Outside("big", "epoch", 1)

    def drawn() -> None:
        for _ in range(PICTURES):
            lines.snapshot(picture.pictures(core.seen(), outside)[1])

    seconds = interleaved({"ours": drawn}, size.repetitions)["ours"] / PICTURES
    return Row(group=GROUP, what=f"one snapshot for the screens, {how}", unit="ms", ours=seconds * 1000)


class _Timed(Engine):
    def __init__(self, engine: Engine, split: Split) -> None:
        self.setting = engine.setting
        self._split = split

    def step(self, state: State, given: inputs.Input) -> tuple[State, tuple[Event, ...]]:
        began = time.perf_counter_ns()
        result = super().step(state, given)
        self._split.engine += time.perf_counter_ns() - began
        return result


def _timed(call: Callable[..., Any], split: Split, part: str) -> Callable[..., Any]:
    def timed(*arguments: object) -> Any:
        began = time.perf_counter_ns()
        result = call(*arguments)
        setattr(split, part, getattr(split, part) + time.perf_counter_ns() - began)
        return result

    return timed
