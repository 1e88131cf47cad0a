"""`betline games`: the games that can be played, and one of them as a dealer's card."""

from typing import Annotated

import typer

from controller.snapshot import Language
from controller.texts.languages import ENGLISH, LANGUAGES, known


def run(
    name: Annotated[
        str | None, typer.Argument(help="None: list all. A name, a code such as FR, or a TOML file: its card.")
    ] = None,
    language: Annotated[Language, typer.Option(help=f"Language: {', '.join(LANGUAGES)}.")] = ENGLISH,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False,
) -> None:
    """Games: which cards are dealt when, who acts first, and which hands win.

    A code is a letter for the betting structure (N no limit, F fixed limit, P pot limit, H half pot, S spread limit)
    and the game; it is the `variant` of table.toml. A game of your own is a TOML file with a title, seats and streets,
    or with `extends = "omaha"` and what differs: its card tells whether it is one, and the cure where it is not.

    Examples: betline games; betline games razz; betline games PO --language ru; betline games mine.toml
    """
    from betline.games.card import listed, one
    from controller.errors import ConfigError
    from controller.games import catalog, reading

    if name is None:
        listed([catalog.game(each) for each in catalog.names()], known(language), as_json=as_json)
        return
    codes = {code.casefold(): game for code, (game, _) in catalog.variants().items()}
    try:
        game = codes.get(name.casefold()) or reading.read(name)
    except reading.GameError as error:
        raise ConfigError(str(error)) from None
    one(game, known(language), as_json=as_json)
