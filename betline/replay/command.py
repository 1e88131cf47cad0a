"""`betline replay`: recorded hands, played again by simulated people, and checked action by action."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simulator.models.named import described, models_of

if TYPE_CHECKING:
    from simulator.rehearsal.hands import Outcome

BURST_MISS = 0.05  # misses where only their length is given


def run(
    files: Annotated[
        list[Path], typer.Argument(help="Hands in PHH: .phh, .phhs, or either of them gzipped; or recordings: .betrec.")
    ],
    *,
    through: Annotated[
        Literal["engine", "readers"],
        typer.Option(
            help="engine: moves go straight to the engine. readers: virtual readers, bytes, drivers, tracking."
        ),
    ] = "engine",
    limit: Annotated[int | None, typer.Option(min=1, help="Play only the first N hands.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of everything left to chance: chips, words, pauses, noise.")] = 1,
    miss: Annotated[float, typer.Option(min=0, max=0.9, help="Readers: share of rounds in which a tag is missed.")] = 0,
    stray: Annotated[float, typer.Option(min=0, max=0.5, help="Readers: chance that a neighbour's tag is read.")] = 0,
    burst: Annotated[
        int, typer.Option(min=1, help="Readers: misses come in runs of N rounds on average; --miss is then 0.05.")
    ] = 1,
    radio: Annotated[
        list[str] | None, typer.Option(help=f"Readers: radio and people as they are, repeatable: {described()}.")
    ] = None,
    dealer: Annotated[
        Literal["oracle", "human"],
        typer.Option(
            help="Readers: oracle waits until the table shows what is so; human waits 3 s at his own acts, goes on, "
            "agrees to what is right, and says the word 5 s after it is wrong or missing."
        ),
    ] = "oracle",
    evening: Annotated[
        bool,
        typer.Option(
            "--evening",
            help="Readers: all hands at one table, one after another. Chips stay where they lie; a seat that the "
            "record gives more buys the rest from the bank, one that it gives less hands it back, and a stack too "
            "large for its tray, or without the chips for it, is changed whole; the dealer then says what the table "
            "holds otherwise. A stuck hand is a misdeal, and the table is cleared.",
        ),
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Play recorded hands at a simulated table, and check that each is decided as it was recorded.

    Players push real chips of their own, speak where silence could be misread, check, fold, take change; a dealer
    deals, sweeps, gives change and pays. A hand is exact when every action, the pots and the stacks in the end agree.
    Time is simulated: it runs as fast as it can. Exit status 1 if any hand differs.

    A recording is played again byte by byte, and what the table decides now is compared with what it decided then:
    exact, or the first difference is named.

    \b
    Examples:
      betline replay evening.betrec
      betline replay simulator/evening.phhs --limit 10 --through readers --miss 0.05
      betline replay simulator/evening.phhs --through readers --dealer human --radio blind:share=0.02 --radio hand
    """  # noqa: D301  -- \b keeps typer from joining the examples
    from controller.errors import RecordingError
    from simulator.rehearsal.recording import is_recording

    with_readers_only = bool(radio) or dealer != "oracle" or evening
    if any(map(is_recording, files)):
        if limit is not None or miss or stray or burst > 1 or through != "engine" or with_readers_only:
            raise RecordingError(
                "recordings are played as they are: --limit, --through, noise and people are for hands"
            )
        _play_recordings(files, as_json=json_)
        return
    from firmware_bridge.errors import OptionError
    from simulator.radio import Noise
    from simulator.rehearsal.hands import play
    from simulator.rehearsal.report import Tally, printed

    noise = Noise(miss=miss or (BURST_MISS if burst > 1 else 0), stray=stray, burst=burst)
    models = models_of(radio or ())
    if through == "engine" and noise != Noise():
        raise OptionError("--miss, --stray and --burst are noise of readers: add --through readers")
    if through == "engine" and with_readers_only:
        raise OptionError("--radio, --dealer and --evening are for tables with readers: add --through readers")
    tally = Tally()
    for outcome in _with_bar(
        play(files, through, limit, seed, noise, models=models, dealer=dealer, evening=evening), limit
    ):
        tally.add(outcome)
    for line in [tally.json()] if json_ else printed(tally):
        print(line)
    if tally.failed:
        raise typer.Exit(1)


def _play_recordings(files: list[Path], *, as_json: bool) -> None:
    """A verdict each, printed as soon as it stands; exit status 1 if one of them differs."""
    import msgspec

    from simulator.rehearsal.recording import play_all
    from simulator.rehearsal.recording_verdict import printed

    good = True
    for verdict in play_all(files):
        good = good and verdict.exact is not False
        for line in [msgspec.json.encode(verdict).decode()] if as_json else printed(verdict):
            print(line, flush=True)
    if not good:
        raise typer.Exit(1)


def _with_bar(outcomes: "Iterable[Outcome]", limit: int | None) -> "Iterator[Outcome]":
    """The same, with a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield from outcomes
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("hands"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("hands", total=limit)
        for outcome in outcomes:
            bar.advance(task)
            yield outcome
