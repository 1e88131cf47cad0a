"""`betline profiles`: the house profiles, what one of them says, and how two of them differ."""

from typing import Annotated

import typer

from controller.snapshot import Language
from controller.texts.languages import ENGLISH, LANGUAGES, known


def run(
    houses: Annotated[
        list[str] | None,
        typer.Argument(help="None: list all. One: its switches. Two: where they differ.", metavar="[ONE [OTHER]]"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False,
    language: Annotated[Language, typer.Option(help=f"Of the titles: {', '.join(LANGUAGES)}.")] = ENGLISH,
) -> None:
    """House profiles: the rule sets that a table can play by.

    A house's own rules are a TOML file: a title, `extends = "TDA2024"`, and the switches that differ. Give its path
    wherever a name is wanted: here, to `betline rule --profile`, and as `profile` in table.toml.

    Examples: betline profiles; betline profiles RU_CASH; betline profiles TDA2024 my-club.toml
    """
    from betline.profiles.tables import listed, one, two
    from controller.errors import ConfigError
    from controller.rulings import profiles

    known(language)
    try:
        chosen = [profiles.load(name) for name in houses or ()]
    except profiles.ProfileError as error:
        raise ConfigError(str(error)) from None
    match chosen:
        case []:
            listed([profiles.load(name) for name in profiles.names()], language, as_json=as_json)
        case [house]:
            one(house, language, as_json=as_json)
        case [first, second]:
            two(first, second, as_json=as_json)
        case _:
            raise ConfigError(f"{len(chosen)} profiles given: none lists them, one shows it, two are compared")
