"""`betline screen`: pictures of a feed or of a file, and one clear line for everything that can go wrong."""

import os
import socket
import struct
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from betline import screen
from betline.main import main
from controller.config.config import ScreenSection
from controller.publish.feeds import Feeds
from controller.snapshot import DealerSnapshot, Snapshot
from tests.display import samples

TABLE = """
schema = 1
[table]
seats = 2
[sockets]
{sockets}
[screen]
language = "ru"
[[reader]]
id = "west"
driver = "tablelink"
port = "/dev/null"
[[antenna]]
reader = "west"
number = 1
place = "spot"
seat = 1
[[antenna]]
reader = "west"
number = 2
place = "spot"
seat = 2
"""


class Betline:
    """`betline screen ...` in this process, in a folder of its own: what it would have printed as its one line."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self._monkeypatch = monkeypatch
        self.folder = folder
        monkeypatch.chdir(folder)

    def __call__(self, *arguments: str | Path) -> str:
        self._monkeypatch.setattr(sys, "argv", ["betline", "screen", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        return str(ended.value.code or "")

    def table(self, sockets: str) -> Path:
        file = self.folder / "table.toml"
        file.write_text(TABLE.format(sockets=sockets))
        return file


@pytest.fixture
def betline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Betline:
    monkeypatch.setattr(screen, "FIRST_S", 0.2)
    return Betline(monkeypatch, tmp_path)


def size_of(png: Path) -> tuple[int, int]:
    """Width and height stand in the header of a PNG file."""
    head = png.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    wide, high = struct.unpack(">II", head[16:])
    return wide, high


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    file = tmp_path / "snapshot.json"
    file.write_bytes(msgspec.json.encode(samples.CHANGE))
    return file


def test_a_picture_of_a_snapshot_file_needs_no_table_and_no_display(snapshot: Path, tmp_path: Path) -> None:
    """As a person calls it: nothing but the file, and nothing printed."""
    command = [sys.executable, "-c", "from betline.main import main; main()", "screen", "--snapshot", snapshot]
    shot = tmp_path / "shot.png"
    done = subprocess.run(
        [*command, "--shot", shot, "--size", "800x480", "--language", "ru"], capture_output=True, check=True, timeout=60
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    assert size_of(shot) == (800, 480)


def public_of(seen: DealerSnapshot) -> Snapshot:
    return Snapshot(**{f: getattr(seen, f) for f in Snapshot.__struct_fields__})


def test_a_line_of_the_feed_is_a_snapshot_file_too(betline: Betline, tmp_path: Path) -> None:
    file, shot = tmp_path / "line.json", tmp_path / "shot.png"
    file.write_bytes(msgspec.json.encode({"snapshot": samples.CHANGE}) + b"\n")
    assert betline("--snapshot", file, "--shot", shot) == ""
    assert size_of(shot) == (1280, 720)


@pytest.mark.parametrize("view", ["--dealer", "--public"])
def test_a_picture_of_a_running_table_is_found_through_table_toml(
    betline: Betline, monkeypatch: pytest.MonkeyPatch, view: str
) -> None:
    betline.table('public = "p.sock"\ndealer = "d.sock"')
    monkeypatch.setattr(screen, "FIRST_S", 20)
    feeds = Feeds(betline.folder / "p.sock", betline.folder / "d.sock", lambda *_: None)
    feeds.start()
    try:
        feeds.show(public_of(samples.CHANGE), replace(samples.CHANGE))
        assert betline("--shot", "shot.png", view) == ""
    finally:
        feeds.stop()
    assert size_of(betline.folder / "shot.png") == (1280, 720)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--socket none.sock --shot s.png", "none.sock: no table answers there: start betline run"),
        ("--shot s.jpg --socket x", "s.jpg: pictures are PNG files: call it s.png"),
        ("--snapshot none.json --shot s.png", "none.json: No such file or directory: check --snapshot"),
        ("--snapshot table.toml --shot s.png", "table.toml: no snapshot of this version"),
        ("--snapshot empty.json --shot s.png", "empty.json: no snapshot of this version"),
        ("--snapshot none.json", "--snapshot draws one frame: say into which file"),
        ("--size 1280 --socket x", "--size '1280': write width x height"),
        ("--size 10x10 --socket x", "--size '10x10': write width x height"),
        ("--size 99999x99999 --socket x", "--size '99999x99999': write width x height"),
        ("--config none.toml", "none.toml: No such file or directory"),
        ("--config table.toml", "table.toml: "),
    ],
)
def test_what_goes_wrong_is_one_line_that_names_it(betline: Betline, arguments: str, said: str) -> None:
    betline.table("pubic = 'p.sock'")
    (betline.folder / "empty.json").write_text("{}")
    line = betline(*arguments.split())
    assert line.startswith(f"betline: {said}")
    assert "\n" not in line


def test_a_machine_without_a_display_gets_one_line_with_the_cure(
    betline: Betline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "none-of-that-name")
    line = betline("--socket", "x.sock")
    assert line.startswith("betline: no display to draw on (")
    assert line.endswith("--shot screen.png")
    assert "\n" not in line


def test_the_sockets_of_table_toml_lie_beside_it(betline: Betline) -> None:
    file = betline.table('dealer = "d.sock"\npublic = "/run/p.sock"')
    own, own_language = Path("own.sock"), ScreenSection("ru")
    assert screen.table_of(file, None, dealer=True) == (str(file.parent / "d.sock"), own_language)
    assert screen.table_of(file, None, dealer=False) == ("/run/p.sock", own_language)
    assert screen.table_of(file, own, dealer=True) == ("own.sock", own_language)
    assert screen.table_of(None, own, dealer=True) == ("own.sock", ScreenSection())


@pytest.mark.parametrize(
    ("option", "key", "shown"),
    [
        ((), "true", True),
        ((), "false", False),
        (("--buttons",), "false", True),
        (("--no-buttons",), "true", False),
    ],
)
def test_table_toml_says_whether_there_are_buttons_and_an_option_overrides_it(
    betline: Betline, monkeypatch: pytest.MonkeyPatch, option: tuple[str, ...], key: str, shown: bool
) -> None:
    from display.palettes import DARK

    file = betline.table('public = "p.sock"\ndealer = "d.sock"')
    file.write_text(file.read_text().replace('language = "ru"', f'language = "ru"\nbuttons = {key}'))
    monkeypatch.setattr(screen, "FIRST_S", 20)
    feeds = Feeds(betline.folder / "p.sock", betline.folder / "d.sock", lambda *_: None)
    feeds.start()
    try:
        feeds.show(public_of(samples.CHANGE), replace(samples.CHANGE))
        assert betline("--shot", "shot.png", *option) == ""
    finally:
        feeds.stop()
    assert (DARK.button in column_of(betline.folder / "shot.png")) is shown


def column_of(png: Path) -> set[tuple[int, ...]]:
    """Colours at the right edge of a 1280x720 picture, where the dealer's screen has its buttons."""
    import pygame

    drawn = pygame.image.load(png)
    return {tuple(drawn.get_at((x, y)))[:3] for x in range(1140, 1270, 10) for y in range(20, 700, 10)}


@pytest.mark.parametrize(
    ("options", "buttons"),
    [((), True), (("--dealer",), True), (("--no-buttons",), False), (("--public",), False)],
    ids=["by default", "dealer", "no buttons", "public"],
)
def test_only_the_dealers_picture_has_buttons(
    betline: Betline, snapshot: Path, options: tuple[str, ...], buttons: bool
) -> None:
    from display.palettes import DARK

    shot = betline.folder / "shot.png"
    assert betline("--snapshot", snapshot, "--shot", shot, *options) == ""
    assert (DARK.button in column_of(shot)) is buttons


def test_the_service_of_the_screen_hears_that_it_is_shown_and_that_it_lives(tmp_path: Path) -> None:
    """Its unit is of Type=notify with a watchdog: without these two systemd would start it again and again."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        env = os.environ | {
            "NOTIFY_SOCKET": str(tmp_path / "notify"),
            "WATCHDOG_USEC": "400000",
            "SDL_VIDEODRIVER": "dummy",
            "SDL_AUDIODRIVER": "dummy",
        }
        command = [sys.executable, "-c", "from betline.main import main; main()", "screen", "--socket", "absent.sock"]
        with subprocess.Popen(command, env=env, cwd=tmp_path, stderr=subprocess.DEVNULL) as shown:
            try:
                assert manager.recv(1000).startswith(b"READY=1\n")
                assert [manager.recv(1000), manager.recv(1000)] == [b"WATCHDOG=1"] * 2
            finally:
                shown.kill()
