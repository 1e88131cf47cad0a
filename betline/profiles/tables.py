"""Profiles as tables in a terminal, or as JSON."""

from collections.abc import Sequence

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from controller.rulings import profiles
from controller.rulings.switches import Profile

DEFAULT = Profile()


def listed(houses: Sequence[Profile], *, as_json: bool) -> None:
    if as_json:
        printed({house.name: house.title for house in houses})
        return
    table = Table(title="House profiles")
    table.add_column("name", style="bold")
    table.add_column("rules")
    table.add_column("switches that differ from TDA 2024", justify="right")
    for house in houses:
        table.add_row(escape(house.name), escape(house.title), str(len(profiles.differences(DEFAULT, house))))
    Console().print(table)


def one(house: Profile, *, as_json: bool) -> None:
    if as_json:
        printed(msgspec.to_builtins(house))
        return
    table = Table(title=escape(f"{house.name}: {house.title}"), show_lines=True)
    table.add_column("switch", style="bold")
    table.add_column("value")
    table.add_column("meaning")
    for switch in profiles.SWITCHES:
        value = shown(getattr(house, switch))
        same = value == shown(getattr(DEFAULT, switch))
        table.add_row(switch, value if same else f"[bold yellow]{value}", escape(profiles.meanings()[switch]))
    Console().print(table)


def two(first: Profile, second: Profile, *, as_json: bool) -> None:
    found = profiles.differences(first, second)
    if as_json:
        printed({switch: {first.name: pair[0], second.name: pair[1]} for switch, pair in found.items()})
        return
    if not found:
        print(f"{first.name} and {second.name} rule alike; they cite different books at most.")
        return
    table = Table(title="Where they differ", show_lines=True)
    table.add_column("switch", style="bold")
    for house in (first, second):
        table.add_column(escape(house.name))
    table.add_column("meaning")
    for switch, pair in found.items():
        table.add_row(switch, shown(pair[0]), shown(pair[1]), escape(profiles.meanings()[switch]))
    Console().print(table)


def shown(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)


def printed(document: object) -> None:
    print(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())
