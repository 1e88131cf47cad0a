"""`betline speak`: says each ruling aloud, through a speech program."""

from pathlib import Path
from typing import Annotated

import typer

from controller.snapshot import Language
from controller.texts.languages import LANGUAGES, known
from firmware_bridge.errors import BetlineError

WAIT_S = 0.25
LONGEST_S = 20.0  # of one sentence: a speech program that hangs is ended
MOST_WAITING = 2  # sentences: who falls behind the game says what is true now


class SpeechError(BetlineError):
    """The speech program cannot be used."""


def run(
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="table.toml; else the one here, else /etc/betline/table.toml.")
    ] = None,
    command: Annotated[
        str | None, typer.Option("--command", help="The speech program, instead of [speech] command of table.toml.")
    ] = None,
    socket_file: Annotated[
        Path | None, typer.Option("--socket", help="The public socket, instead of the one in table.toml.")
    ] = None,
    language: Annotated[
        Language | None, typer.Option(help=f"Of the sentences: {', '.join(LANGUAGES)}; by default that of the screen.")
    ] = None,
    count: Annotated[int | None, typer.Option(min=1, help="End after so many sentences.")] = None,
) -> None:
    """Say each ruling aloud, in one sentence, and each question: a table for who cannot look.

    It listens at the public socket and commands nothing: where it fails, the table goes on. The sentence is the last
    word of the command. Ctrl-C ends it.

    \b
    betline speak --command espeak-ng
    betline speak --command "espeak-ng -v ru" --language ru
    betline speak --command "spd-say --wait"
    """  # noqa: D301  -- \b keeps typer from joining the examples
    from betline.speak.sentences import Listener
    from controller.config.config import beside, find, load
    from display.feed import Feed

    if language is not None:
        known(language)
    file = find(config)
    loaded = load(file)
    spoken = program(command or loaded.speech.command)
    listener = Listener(language or loaded.screen.language)
    feed = Feed(str(socket_file or beside(file, loaded.sockets.public)))
    feed.start()
    left, waiting = count, list[str]()
    try:
        while left is None or left > 0:
            feed.wait(WAIT_S if not waiting else 0)
            seen = feed.latest().snapshot
            waiting += listener.news(seen) if seen is not None else ()
            waiting = waiting[-MOST_WAITING:]
            if waiting:
                say(spoken, waiting.pop(0))
                left = None if left is None else left - 1
    finally:
        feed.stop()


def program(command: str) -> list[str]:
    """The words of a command whose program is there."""
    import shlex
    import shutil

    try:
        words = shlex.split(command)
    except ValueError as error:
        raise SpeechError(f"[speech] command {command!r}: {error}: mend its quotation marks") from error
    if not words:
        raise SpeechError('no speech program: [speech] command = "espeak-ng" in table.toml, or --command espeak-ng')
    if shutil.which(words[0]) is None:
        raise SpeechError(f"[speech] command: no program {words[0]!r}: sudo apt install espeak-ng, or another one")
    return words


def say(words: list[str], sentence: str) -> None:
    """One sentence; the next waits for its end."""
    import subprocess

    try:
        done = subprocess.run(  # noqa: S603  -- the program that table.toml names
            [*words, sentence], stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST_S, check=False
        )
    except subprocess.TimeoutExpired:
        return
    except OSError as error:
        raise SpeechError(f"{words[0]}: {error.strerror or error}: choose another speech program") from error
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip().splitlines()[:1] or [f"status {done.returncode}"]
        raise SpeechError(f"{words[0]}: {why[0]}: try it in a shell, and choose its sound card there")
