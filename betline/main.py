"""The command line: one file a command, gathered here. Nobody imports this package."""

import errno
import inspect
import io
import os
import sys
from typing import Annotated

import typer

from betline import journal, key, run, say, screen
from betline.board import flash, wiring
from betline.calibrate import command as calibrate
from betline.decode import command as decode
from betline.demo import command as demo
from betline.doctor import command as doctor
from betline.enroll import command as enroll
from betline.games import command as games
from betline.init import command as init
from betline.profiles import command as profiles
from betline.record import command as record
from betline.replay import command as replay
from betline.rule import command as rule
from betline.schema import command as schema
from betline.speak import command as speak
from betline.watch import command as watch
from betline.web import command as web
from firmware_bridge.errors import BetlineError

app = typer.Typer(
    name="betline",
    help="The brain of a physical poker table: RFID chips in, rulings out. Begin with: betline demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _tell_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"betline {version('betline')}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    _version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_tell_version, is_eager=True)
    ] = False,
) -> None:
    """What stands before the command."""


TRY, TABLE, ANTENNAS, LOOK_BACK = "Without hardware", "A table", "Readers, chips and cards", "What happened"
app.command("demo", rich_help_panel=TRY)(demo.run)
app.command("rule", rich_help_panel=TRY)(rule.run)
app.command("profiles", rich_help_panel=TRY)(profiles.run)
app.command("games", rich_help_panel=TRY)(games.run)
app.command("init", rich_help_panel=TABLE)(init.run)
app.command("run", rich_help_panel=TABLE)(run.run)
app.command("screen", rich_help_panel=TABLE)(screen.run)
app.command("speak", rich_help_panel=TABLE)(speak.run)
app.command("web", rich_help_panel=TABLE)(web.run)
app.command("say", rich_help_panel=TABLE, context_settings={"ignore_unknown_options": True})(say.run)
app.add_typer(key.app, name="key", rich_help_panel=TABLE)
app.command("doctor", rich_help_panel=TABLE)(doctor.run)
app.command("watch", rich_help_panel=ANTENNAS)(watch.run)
app.add_typer(enroll.app, name="enroll", rich_help_panel=ANTENNAS)
app.command("calibrate", rich_help_panel=ANTENNAS)(calibrate.run)
app.command("flash", rich_help_panel=ANTENNAS)(flash.run)
app.command("wiring", rich_help_panel=ANTENNAS)(wiring.run)
app.command("decode", rich_help_panel=ANTENNAS)(decode.run)
app.add_typer(journal.app, name="journal", rich_help_panel=LOOK_BACK)
app.command("record", rich_help_panel=LOOK_BACK)(record.run)
app.command("schema", rich_help_panel=LOOK_BACK)(schema.run)
app.command("replay", rich_help_panel=LOOK_BACK)(replay.run)


def _join_lines(group: typer.Typer) -> None:
    """Paragraphs of help as one line each: a terminal of any width breaks them. A backspace keeps lines as they are."""
    for command in group.registered_commands:
        text = inspect.cleandoc(getattr(command.callback, "__doc__", None) or "")
        paragraphs = (part if part.startswith("\b") else " ".join(part.split()) for part in text.split("\n\n"))
        command.help = "\n\n".join(paragraphs)
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            _join_lines(inner.typer_instance)


_join_lines(app)


def main() -> None:
    """Run a command. Errors are one line and status 1; a closed pipe or Ctrl-C ends quietly."""
    if sys.stdin is None or sys.stdout is None:
        sys.exit("betline: standard input or output is closed: open it, or use /dev/null")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal or pipe that has not all letters gets ? in their place
            stream.reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")
    try:
        app()
    except BetlineError as error:
        sys.exit(f"betline: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            sys.exit("betline: the output cannot be written: no space left there: make room, or write elsewhere")
        if not isinstance(error.filename, str | bytes):
            raise
        sys.exit(f"betline: {os.fsdecode(error.filename)}: {error.strerror}: check the name, its folder and its rights")
