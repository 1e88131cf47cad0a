"""`betline run` for nine seats: how long until the table is open, how much memory it takes, and how much of a core."""

import statistics
import sys
import time
from collections.abc import Iterator

from benchmarks.rows import Row, Size, Tell, at_most
from benchmarks.served import memory_mib, processor_s, served
from benchmarks.steady import BEAT_MS
from controller.places import Place, Zone
from firmware_bridge.events import Value
from simulator.script import chip_name

GROUP = "start"
SEATS = 9
CHIPS_EACH = 60
AIM_S, AIM_MIB = 1, 60
SETTLE_BEATS = 10  # readers are heard, trays counted in


class Start(Value, frozen=True):
    """One process, from its start on."""

    ready_s: float
    processor_s: float  # of it, taken until it was ready
    memory_mib: float
    core_share: float  # in percent, afterwards


def rows(size: Size, tell: Tell) -> Iterator[Row]:
    if sys.platform != "linux":
        yield Row(group=GROUP, what="betline run", note="not measured: /proc is needed")
        return
    tell("a first start, which compiles")
    started(0)
    starts = []
    for number in range(size.starts):
        tell(f"start {number + 1} of {size.starts}")
        starts.append(started(size.watch_s))
    what = f"betline run, {SEATS} seats, every antenna"
    until_ready_s = statistics.median(start.processor_s for start in starts)
    yield Row(
        group=GROUP,
        what=f"{what}: time until the table is open",
        unit="s",
        ours=statistics.median(start.ready_s for start in starts),
        aim=at_most(AIM_S),
        note=f"of it {until_ready_s:.2f} s on the processor; compiled, files in the cache",
    )
    memory = statistics.median(start.memory_mib for start in starts)
    yield Row(group=GROUP, what=f"{what}: memory", unit="MiB", ours=memory, aim=at_most(AIM_MIB))
    share = statistics.median(start.core_share for start in starts)
    note = f"{SEATS * CHIPS_EACH} chips lie still, 10 rounds a second: ports, threads and all"
    yield Row(group=GROUP, what=f"{what}: share of a core", unit="%", ours=share, note=note)


def started(watch_s: float) -> Start:
    names = [(chip_name(100, seat * 1000 + chip), seat) for seat in range(1, SEATS + 1) for chip in range(CHIPS_EACH)]
    lies = {name: Place(Zone.TRAY, seat) for name, seat in names}
    with served(SEATS, lies, dict.fromkeys(lies, 100)) as table, table.running() as process:
        until_ready_s = processor_s(process)
        time.sleep(SETTLE_BEATS * BEAT_MS / 1000)
        before_s, began = processor_s(process), time.monotonic()
        time.sleep(watch_s)
        share = (processor_s(process) - before_s) / (time.monotonic() - began) * 100 if watch_s else 0.0
        return Start(table.ready_s, until_ready_s, memory_mib(process), share)
