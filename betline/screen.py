"""`betline screen`: the pot screen, a window of its own or one frame in a file."""

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.snapshot import Language, ThemeName
from controller.texts.languages import ENGLISH, LANGUAGES, known

if TYPE_CHECKING:
    from collections.abc import Callable

    from controller.config.config import ScreenSection

LARGEST = (7680, 4320)  # 8K: beyond it a slip of the finger
FIRST_S = 3.0  # how long --shot waits for the table


def run(  # noqa: PLR0917  -- typer passes options by name
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="table.toml; else the one here, else /etc/betline/table.toml.")
    ] = None,
    socket_file: Annotated[
        Path | None, typer.Option("--socket", help="A socket of the table, instead of the one in table.toml.")
    ] = None,
    size: Annotated[str, typer.Option(help="Pixels of the window or picture.")] = "1280x720",
    language: Annotated[
        Language | None,
        typer.Option(help=f"Language: {', '.join(LANGUAGES)}; by default that of table.toml."),
    ] = None,
    fullscreen: Annotated[bool, typer.Option("--fullscreen", help="The whole screen; F11 changes it.")] = False,
    dealer: Annotated[
        bool, typer.Option("--dealer/--public", help="With the dealer's keys, or only to look at.")
    ] = True,
    buttons: Annotated[
        bool | None,
        typer.Option(
            "--buttons/--no-buttons", help="Buttons for fingers on the dealer's screen; by default as table.toml says."
        ),
    ] = None,
    theme: Annotated[
        ThemeName | None, typer.Option(help="Colours: dark, light, colour-blind; by default as table.toml says.")
    ] = None,
    shot: Annotated[Path | None, typer.Option(help="Draw one frame into this PNG file and end.")] = None,
    snapshot: Annotated[Path | None, typer.Option(help="With --shot: draw this JSON snapshot, not the feed.")] = None,
) -> None:
    """Show the table: pot, board, seats, who is to act, and the last ruling in large words.

    \b
    betline screen                        a window with the dealer's keys
    betline screen --public --fullscreen  to look at only
    betline screen --no-buttons           a dealer with a keyboard: more room for the table
    betline screen --theme light          for a room with the sun in it
    betline screen --shot screen.png      one frame of the running table

    Touch a seat to choose it, a reading of a question to answer; a public screen has no controls and takes no commands.
    The key h lists all keys. Without a desktop it draws on the console (KMSDRM; groups video, render and input).
    """  # noqa: D301  -- \b keeps typer from joining the examples
    import msgspec

    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from display import app
    from display.errors import ScreenError

    if snapshot is not None and shot is None:
        raise ScreenError("--snapshot draws one frame: say into which file with --shot screen.png")
    settings = app.Settings(
        "", pixels(size), known(language or ENGLISH), dealer, buttons is not False, fullscreen, theme or "dark"
    )
    if snapshot is None:
        path, section = table_of(config, socket_file, dealer=dealer)
        settings = msgspec.structs.replace(
            settings,
            socket=path,
            language=language or section.language,
            buttons=section.buttons if buttons is None else buttons,
            theme=theme or section.theme,
        )
    if shot is None:
        app.run(settings, _turned())
    else:
        _shoot(settings, shot, snapshot)


def _turned() -> "Callable[[], None]":
    """Tells systemd that the screen is shown, and feeds its watchdog from the loop that draws."""
    from controller.service.notify import Notify

    notify, shown = Notify(), False

    def turned() -> None:
        nonlocal shown
        if not shown:
            notify.ready("the screen is shown")
            shown = True
        notify.alive(time.monotonic_ns())

    return turned


def table_of(config: Path | None, given: Path | None, *, dealer: bool) -> tuple[str, "ScreenSection"]:
    """The socket to listen to; [screen] of table.toml, where there is none as it is by default."""
    from controller.config.config import ScreenSection, beside, find, load

    if given is not None and config is None:
        return str(given), ScreenSection()

    file = find(config)
    loaded = load(file)
    path = given or beside(file, loaded.sockets.dealer if dealer else loaded.sockets.public)
    return str(path), loaded.screen


def _shoot(settings: Any, shot: Path, snapshot: Path | None) -> None:
    from display import app
    from display.errors import ScreenError
    from display.feed import Feed

    if shot.suffix.lower() != ".png":
        raise ScreenError(f"{shot}: pictures are PNG files: call it {shot.with_suffix('.png')}")
    if snapshot is not None:
        app.picture(app.live(_read(snapshot)), settings, shot)
        return
    feed = Feed(settings.socket)
    feed.start()
    try:
        app.picture(feed.first(FIRST_S), settings, shot)
    finally:
        feed.stop()


def _read(file: Path) -> Any:
    """A snapshot, bare or as a line of the feed."""
    from display.errors import ScreenError
    from display.feed_lines import Snap, read
    from firmware_bridge.files import check_file

    check_file(file, ScreenError)
    try:
        text = file.read_bytes()
    except OSError as error:
        raise ScreenError(f"{file}: {error.strerror or error}: check --snapshot") from error
    for line in (text, b'{"snapshot": ' + text + b"}"):
        told = read(line)
        if isinstance(told, Snap):
            return told.snapshot
    raise ScreenError(f"{file}: no snapshot of this version: {getattr(told, 'why', 'another line of the feed')}")


def pixels(text: str) -> tuple[int, int]:
    """Width and height of "1280x720"; ScreenError where that is no size of a screen."""
    from display.errors import ScreenError
    from display.plan import SMALLEST

    found = re.fullmatch(r"(\d{1,5})[xX*](\d{1,5})", text.strip())
    wide, high = (int(found[1]), int(found[2])) if found else (0, 0)
    if not (SMALLEST[0] <= wide <= LARGEST[0] and SMALLEST[1] <= high <= LARGEST[1]):
        raise ScreenError(f"--size {text!r}: write width x height from 480x320 to 7680x4320, as in 1280x720")
    return wide, high
