"""`make bench`: one table of everything that is measured. `python -m benchmarks frames hands` measures these alone."""

import sys
from collections.abc import Callable, Iterator
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks import (
    asked,
    budget,
    delay,
    families,
    frames,
    hands,
    imports,
    load,
    ranking,
    rulings,
    screen,
    settling,
    starting,
    trips,
)
from benchmarks.report import as_json, printed
from benchmarks.rows import FULL, TINY, Row, Size, Tell

GROUPS: dict[str, Callable[[Size, Tell], Iterator[Row]]] = {
    frames.GROUP: frames.rows,
    families.GROUP: families.rows,
    hands.GROUP: hands.rows,
    ranking.GROUP: ranking.rows,
    rulings.GROUP: rulings.rows,
    load.GROUP: load.rows,
    delay.GROUP: delay.rows,
    screen.GROUP: screen.rows,
    budget.GROUP: budget.rows,
    asked.GROUP: asked.rows,
    settling.GROUP: settling.rows,
    starting.GROUP: starting.rows,
    imports.GROUP: imports.rows,
    trips.GROUP: trips.rows,
}


def run(
    groups: Annotated[list[str] | None, typer.Argument(help=f"Any of {', '.join(GROUPS)}; none: all of them.")] = None,
    *,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a row instead of a table.")] = False,
    tiny: Annotated[
        bool, typer.Option("--tiny", help="A few of each: shows that it works; figures mean nothing.")
    ] = False,
) -> None:
    """Measure betline beside its peers, and print each figure with its aim.

    Example: python -m benchmarks frames hands
    """
    wanted = groups or list(GROUPS)
    for name in wanted:
        if name not in GROUPS:
            sys.exit(f"benchmarks: no group {name!r}; there are {', '.join(GROUPS)}")
    found = list(_measured(wanted, TINY if tiny else FULL))
    for line in as_json(found) if json else printed(found):
        print(line)
    if any(row.failed for row in found):
        sys.exit(1)


def _measured(wanted: list[str], size: Size) -> Iterator[Row]:
    """Rows of the groups, with a progress bar on a terminal. A group that fails costs its own rows only."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=len(wanted))
        for name in wanted:

            def tell(text: str, name: str = name) -> None:
                bar.update(task, description=f"{name}: {text}")

            try:
                yield from GROUPS[name](size, tell)
            except Exception as error:  # noqa: BLE001  -- the other rows are still worth having
                yield Row(group=name, what=name, failed=True, note=f"failed: {type(error).__name__}: {error}")
            bar.advance(task)


if __name__ == "__main__":
    typer.run(run)
