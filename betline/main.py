"""The command line: one file a command, gathered here. Nobody imports this package."""

import errno
import os
import sys

import typer

from betline import (
    calibrate,
    decode,
    demo,
    doctor,
    enroll,
    init,
    journal,
    profiles,
    record,
    replay,
    rule,
    run,
    say,
    screen,
    watch,
)
from firmware_bridge.errors import BetlineError

app = typer.Typer(
    name="betline",
    help="The brain of a physical poker table: RFID chips in, rulings out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def version_option() -> None:
    """Keep `betline COMMAND` even where there is only one command."""


app.command("calibrate")(calibrate.run)
app.command("decode")(decode.run)
app.command("doctor")(doctor.run)
app.add_typer(enroll.app, name="enroll")
app.command("init")(init.run)
app.add_typer(journal.app, name="journal")
app.command("profiles")(profiles.run)
app.command("record")(record.run)
app.command("replay")(replay.run)
app.command("demo")(demo.run)
app.command("rule")(rule.run)
app.command("run")(run.run)
app.command("say", context_settings={"ignore_unknown_options": True})(say.run)
app.command("screen")(screen.run)
app.command("watch")(watch.run)


def main() -> None:
    """Run a command. Errors are one line and status 1; a closed pipe or Ctrl-C ends quietly."""
    if sys.stdin is None or sys.stdout is None:
        sys.exit("betline: standard input or output is closed: open it, or use /dev/null")
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
