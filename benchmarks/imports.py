"""What it costs to load what the controller loads: each in a fresh process, compiled, files in the cache."""

import statistics
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.fresh import environment
from benchmarks.rows import Row, Size, Tell
from firmware_bridge.events import Value

GROUP = "imports"
MODULES = (
    ("firmware_bridge.drivers.catalog", "drivers"),
    ("controller.rulings.rules", "rulings"),
    ("controller.engine.engine", "engine"),
    ("controller.service.service", "all that `betline run` serves with"),
    ("betline.main", "command line, without any command"),
    ("msgspec", "of others: values"),
    ("serial", "of others: pyserial"),
    ("paho.mqtt.client", "of others: MQTT client"),
    ("typer", "of others: command line"),
)
PROBE = """
import os, sys, time
PAGE = os.sysconf("SC_PAGE_SIZE") / 2**20
def mib():
    if sys.platform != "linux": return 0.0
    with open("/proc/self/statm") as file: return int(file.read().split()[1]) * PAGE
memory, began = mib(), time.process_time()
import {module}
print(time.process_time() - began, mib() - memory)
"""


class Loaded(Value, frozen=True):
    seconds: float  # of the processor
    mib: float


def rows(size: Size, tell: Tell) -> Iterator[Row]:
    taken: dict[str, list[Loaded]] = {module: [] for module, _ in MODULES}
    for module, _ in MODULES:
        tell(module)
        probe(module)  # fills the cache
    for _ in range(size.starts):
        for module, _ in MODULES:
            tell(module)
            taken[module].append(probe(module))
    for module, what in MODULES:
        ms = statistics.median(loaded.seconds for loaded in taken[module]) * 1000
        mib = statistics.median(loaded.mib for loaded in taken[module])
        yield Row(group=GROUP, what=f"import {module}: {what}", unit="ms", ours=ms, note=f"{mib:.1f} MiB")


def probe(module: str) -> Loaded:
    """Load a module in a fresh process."""
    code = PROBE.format(module=module)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60, env=environment())
    seconds, mib = done.stdout.split()
    return Loaded(float(seconds), float(mib))
