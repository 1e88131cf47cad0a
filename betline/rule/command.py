"""`betline rule`: JSON lines in, rulings out. Constant memory, one answer a line, errors named, the stream goes on."""

import sys
from collections.abc import Iterator
from typing import Annotated, BinaryIO

import typer

from controller.snapshot import Language
from controller.texts.languages import ENGLISH, LANGUAGES, known

LONGEST_LINE = 1 << 20  # bytes; a case has a few hundred
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def run(
    profile: Annotated[
        str, typer.Option(help="House profile for lines without one: a name, or a TOML file.")
    ] = "TDA2024",
    explain: Annotated[bool, typer.Option("--explain", help="Print the steps for a person, not JSON.")] = False,
    language: Annotated[Language, typer.Option(help=f"Language of the reasons: {', '.join(LANGUAGES)}.")] = ENGLISH,
) -> None:
    """Judge cases: one JSON object a line on standard input, one answer a line on standard output.

    "pushed" has one list of chips for each motion. What was said goes into "declaration": {"kind": "raise",
    "amount": 1000}. "profile" in a line wins over --profile. What a ruling turns on must be given: a line without it,
    or that cannot be judged, gives {"id": ..., "error": ...}, and the exit status is 1 then.

    \b
    Example, joined into one line by tr:
      echo '{"id": "a", "context": {"current_bet": 300, "player_bet": 0,
      "player_stack": 5000, "min_bet": 100, "last_full_raise": 300,
      "can_raise": true, "facing": "opening_bet", "players_in_hand": 3},
      "pushed": [[1000]]}' | tr -d '\\n' | betline rule --explain
    """  # noqa: D301  -- \b keeps typer from joining the lines
    from betline.rule.stream import Judge

    judge = Judge(profile, known(language), explain=explain)
    for line in lines(sys.stdin.buffer):
        sys.stdout.buffer.write(judge.judged(line))
        sys.stdout.buffer.flush()
    if judge.failed:
        raise typer.Exit(1)


def lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Lines that are not empty; None for one that is longer than any case, which is read past and not kept."""
    first = True
    while line := stream.readline(LONGEST_LINE):
        if first:
            line, first = line.removeprefix(BYTE_ORDER_MARK), False
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            skip_rest(stream)
            yield None
        elif line.strip():
            yield line


def skip_rest(stream: BinaryIO) -> None:
    while rest := stream.readline(LONGEST_LINE):
        if rest.endswith(b"\n"):
            return
