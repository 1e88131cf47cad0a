"""The command line as a whole: what its help teaches is true."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
import typer.main
from typer.testing import CliRunner

from betline.main import app

ROOT = Path(__file__).parents[2]
BETLINE = typer.main.get_command(app)
BEGIN = re.compile(r"\s*(?:Examples?: |echo .*[|] |.* && )?(betline [a-z].*)")
END = re.compile(r"  |[.] | [|<;&]|; |$")


def commands(group: object = BETLINE, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """The words and the help of each command that does something."""
    for name, command in getattr(group, "commands", {}).items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command.help or ""


def examples() -> list[str]:
    """Each line of a help text that begins a call of betline, without what stands beside it."""
    lines = (line for _, text in commands() for line in text.splitlines())
    begun = (BEGIN.match(line) for line in lines)
    return [found[1][: END.search(found[1]).start()] for found in begun if found]  # type: ignore[union-attr]


def test_version_is_that_of_the_package() -> None:
    told = CliRunner().invoke(app, ["--version"])
    assert (told.exit_code, told.output) == (0, f"betline {version('betline')}\n")


def test_the_help_begins_with_what_needs_no_hardware() -> None:
    told = CliRunner().invoke(app, ["--help"]).output
    assert [*BETLINE.commands][:1] == ["demo"]  # type: ignore[attr-defined]
    assert told.index("Without hardware") < told.index("A table") < told.index("What happened")


def test_every_command_shows_a_call_of_itself() -> None:
    silent = [path for path, text in commands() if f"betline {' '.join(path)}" not in text]
    assert silent == []


def test_prose_of_the_help_fills_any_terminal() -> None:
    """A line break inside a paragraph would stay where the source has it, in the middle of a narrower line."""
    prose = [part for _, text in commands() for part in text.split("\n\n") if not part.startswith("\b")]
    assert len(prose) > len(list(commands()))
    assert [part for part in prose if "\n" in part] == []


@pytest.mark.parametrize("example", examples())
def test_the_examples_are_understood(example: str) -> None:
    """Names of commands, options and choices; no file is looked for."""
    group, words = BETLINE, shlex.split(example)[1:]
    while hasattr(group, "commands"):
        name, *words = words
        group = group.commands[name]
    group.make_context(example, words)


def test_the_example_of_rule_runs_as_printed() -> None:
    """Also on a narrow terminal: a person copies what he sees."""
    told = CliRunner().invoke(app, ["rule", "--help"], env={"COLUMNS": "80"}).output
    example = told[told.index("echo '") : told.index("--explain") + len("--explain")]
    program = f"{shlex.quote(sys.executable)} -m betline"
    script = example.replace("| betline", f"| {program}")
    done = subprocess.run(["sh", "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Ruling: Call 300, 700 back" in done.stdout
