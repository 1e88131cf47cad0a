"""`betline init`: a first table.toml by asking what is there, and who answers at the ports."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.errors import ConfigError
from firmware_bridge.files import check_file, write_secret

if TYPE_CHECKING:
    from betline.init.file import Answers
    from betline.init.interview import Interview
    from betline.init.ports import Found

SYSTEM = ("etc", "betline")  # of the service; also under the folder where a package is built


def run(
    file: Annotated[Path, typer.Argument(help="The file to write.")] = Path("table.toml"),
    seats: Annotated[int | None, typer.Option(min=2, max=10, help="Number of seats, instead of asking.")] = None,
    *,
    look: Annotated[
        list[str] | None,
        typer.Option(
            "--look", help="Ask at this port who is there, instead of at all that are plugged in; repeatable."
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing: take what is proposed.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write a first table.toml by asking what is there.

    It looks at the serial ports and asks each reader who it is; nothing is set by that. While it asks, "<" goes back to
    the question before, "." stops: the answers are kept beside the file, and the next call goes on from there.

    Nothing is written over without --force. The file has one section for each antenna, so that you can move
    one by changing two numbers. An empty chips.csv, and deck.csv where cards are read, are put beside it.

    Example: betline init --yes --seats 6
    """
    check_file(file, ConfigError)
    if file.exists() and not force:
        raise ConfigError(f"{file}: is there already: take another name, or write over it with --force")
    answers = _proposed(seats, file) if yes else _asked(file, seats, look or ())
    if answers is None:
        return
    written = write(file, answers)
    print(f"written: {', '.join(str(path) for path in written)}")
    for line in _next_steps(file, answers):
        print(line)


def _is_system(file: Path) -> bool:
    return file.absolute().parts[-3:-1] == SYSTEM


def _proposed(seats: int | None, file: Path) -> "Answers":
    from betline.init.interview import Interview
    from betline.init.questions import questions

    interview = Interview(lambda _text, shown: shown, say=lambda _: None)
    return interview.run(lambda asks: questions(asks, seats, system=_is_system(file)))


def _asked(file: Path, seats: int | None, ports: Sequence[str]) -> "Answers | None":
    """What a person answers; None: he stopped, and what he answered is kept."""
    from betline.init.interview import Interview, Stopped, draft_of, kept
    from betline.init.questions import questions

    found = _look(ports)
    before = kept(file)
    if before:
        print(f"Going on after {len(before)} answers of another time (from the start: remove {draft_of(file)}).")
    interview = Interview(_prompt, before)
    try:
        answers = interview.run(lambda asks: questions(asks, seats, found, system=_is_system(file)))
    except Stopped:
        _stop(file, interview)
        return None
    except typer.Abort:
        if sys.stdin.isatty():  # Ctrl-C, or Ctrl-D
            _stop(file, interview)
            raise
        raise ConfigError(f"{file}: the answers end too soon: take what is proposed with --yes") from None
    draft_of(file).unlink(missing_ok=True)
    return answers


def _prompt(text: str, shown: str) -> str:
    return str(typer.prompt(text, shown))


def _stop(file: Path, interview: "Interview") -> None:
    from betline.init.interview import draft_of, keep

    if not interview.given:
        return
    try:
        keep(file, interview.given)
    except OSError as error:
        raise ConfigError(f"{draft_of(file)}: {error.strerror or error}: choose another folder") from error
    print(f"\nStopped; {len(interview.given)} answers are kept in {draft_of(file)}. To go on: betline init {file}")


def _look(ports: Sequence[str]) -> "tuple[Found, ...]":
    from betline.init.ports import look
    from betline.waiting import waiting

    print("Looking at the serial ports:", flush=True)
    with waiting("asking who is there"):
        found = look(ports)
    for one in found:
        speed = f" at {one.baud} baud" if one.baud else ""
        who = (
            f"a {one.driver} answers{speed}"
            if one.driver
            else one.why.removeprefix(f"{one.port}: ") or "nobody answers"
        )
        print(f"  {one.port}: {who}")
    if not found:
        print("  none is plugged in: name the ports as they will be")
    return found


# ---------------------------------------------------------------- the files
def write(file: Path, answers: "Answers") -> list[Path]:
    """Write the configuration, proven to load, and the registries that are missing."""
    from betline.init.file import PASSWORD_FILE, table_toml
    from controller.config.config import load

    draft = file.with_name(f"{file.name}.new")
    written = [file]
    try:
        draft.write_text(table_toml(answers), encoding="utf-8")
        try:
            load(draft)
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
        beside = dict(_registries(answers)) | ({PASSWORD_FILE: ""} if answers.mqtt_user else {})
        for name, text in beside.items():
            if not (file.parent / name).exists():
                write_secret(file.parent / name, text.encode())
                written.append(file.parent / name)
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror or error}: choose another folder") from error
    return written


def _registries(answers: "Answers") -> Iterator[tuple[str, str]]:
    """Name and text of each registry, empty but for its header."""
    from betline.init.file import has_cards
    from controller.registry.registry import format_cards, format_chips

    yield "chips.csv", format_chips([])
    if has_cards(answers):
        yield "deck.csv", format_cards([])


def _next_steps(file: Path, answers: "Answers") -> Iterator[str]:
    from betline.init.file import PASSWORD_FILE

    if answers.mqtt_user:
        yield f"first: the password of {answers.mqtt_user}, and nothing else, into {file.with_name(PASSWORD_FILE)}"
    for reader in answers.readers:
        yield f"next: betline watch {reader.port} --driver {reader.driver}   (do its antennas see a chip?)"
    for reader in answers.readers[:1]:
        given = f"--port {reader.port} --driver {reader.driver} --antenna 1 --file {file.with_name('chips.csv')}"
        yield f"then: betline enroll chips {given}   (what is each chip worth?)"
    yield f"then: betline doctor --config {file}   (is anything missing?)"
    yield f"then: betline run --config {file}"
