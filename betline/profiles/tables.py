"""Profiles as tables in a terminal, or as JSON."""

import textwrap
from collections.abc import Sequence

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from controller.rulings import profiles
from controller.rulings.switches import Profile
from controller.snapshot import Language
from controller.texts.languages import texts

DEFAULT = Profile()
LEAST_WIDTH = 30  # letters of a line of meaning


def listed(houses: Sequence[Profile], language: Language, *, as_json: bool) -> None:
    if as_json:
        printed({house.name: title(house, language) for house in houses})
        return
    table = Table(title="House profiles")
    table.add_column("name", style="bold", no_wrap=True)
    table.add_column("rules", overflow="fold")
    table.add_column("switches that differ from TDA 2024", justify="right")
    for house in houses:
        table.add_row(
            escape(house.name), escape(title(house, language)), str(len(profiles.differences(DEFAULT, house)))
        )
    Console().print(table)


def one(house: Profile, language: Language, *, as_json: bool) -> None:
    if as_json:
        printed(msgspec.to_builtins(house))
        return
    console = Console(highlight=False)
    console.print(f"[bold]{escape(house.name)}[/]: {escape(title(house, language))}\n")
    for switch in profiles.SWITCHES:
        value = shown(getattr(house, switch))
        same = value == shown(getattr(DEFAULT, switch))
        _block(console, switch, [value if same else f"[bold yellow]{value}[/]"])


def two(first: Profile, second: Profile, *, as_json: bool) -> None:
    found = profiles.differences(first, second)
    if as_json:
        printed({switch: {first.name: pair[0], second.name: pair[1]} for switch, pair in found.items()})
        return
    if not found:
        print(f"{first.name} and {second.name} rule alike; they cite different books at most.")
        return
    console = Console(highlight=False)
    wide = max(len(first.name), len(second.name))
    for switch, pair in found.items():
        values = zip((first, second), pair, strict=True)
        _block(console, switch, [f"{escape(house.name.ljust(wide))}  {shown(value)}" for house, value in values])


def _block(console: Console, switch: str, values: Sequence[str]) -> None:
    """A switch by its whole name, which a house file needs, its values, and under them what it means."""
    console.print(f"[bold]{switch}[/]", soft_wrap=True)
    for value in values:
        console.print(f"  [cyan]{value}[/]", soft_wrap=True)
    meaning = profiles.meanings()[switch]
    width = max(LEAST_WIDTH, console.width - 4)
    for paragraph in meaning.splitlines():
        for line in textwrap.wrap(paragraph, width, break_long_words=False, break_on_hyphens=False):
            console.print(f"    {escape(line)}", soft_wrap=True)
    console.print()


def title(house: Profile, language: Language) -> str:
    """In the language, where it is one that betline knows by name."""
    return texts(language).get(f"profile_{house.name}") or house.title


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
