"""Rows as a table for people, or as JSON lines for programs."""

import io
from collections.abc import Iterable, Iterator

import msgspec
from rich.console import Console
from rich.table import Table

from benchmarks.rows import Aim, Row

WIDTH = 132


def as_json(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        yield msgspec.json.encode({**msgspec.structs.asdict(row), "ratio": row.ratio, "met": row.met}).decode()


def printed(rows: Iterable[Row]) -> Iterator[str]:
    """One table, a section a group, notes under the rows that they belong to."""
    table = Table(
        "what", "ours", "peer", "ratio", "aim", "met", title="betline benchmarks: medians", title_justify="left"
    )
    for column in table.columns[1:5]:
        column.justify = "right"
        column.no_wrap = True
    group = ""
    for row in rows:
        if row.group != group:
            table.add_section()
            group = row.group
        table.add_row(*cells(row))
    out = io.StringIO()
    Console(file=out, width=WIDTH).print(table)
    yield from out.getvalue().splitlines()


def cells(row: Row) -> tuple[str, ...]:
    what = f"{row.what}\n  [dim]{row.note}[/dim]" if row.note else row.what
    ours = "" if row.ours is None else f"{figure(row.ours)} {row.unit}"
    peer = "" if row.theirs is None else f"{row.peer} {figure(row.theirs)}"
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}x"
    met = "" if row.met is None else "yes" if row.met else "NO"
    return what, ours, peer, ratio, "" if row.aim is None else _aim(row.aim, row.unit), met


def figure(value: float) -> str:
    """Three figures are more than a machine with other programs on it can tell."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def _aim(aim: Aim, unit: str) -> str:
    sign = ">=" if aim.bound == "least" else "<="
    return f"{sign} {aim.figure:g}x" if aim.of == "ratio" else f"{sign} {aim.figure:g} {unit}"
