"""Games as tables in a terminal, or as JSON."""

from collections.abc import Iterator, Sequence

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from controller.games import catalog
from controller.games.game import Game, Street
from controller.snapshot import Language, Text
from controller.texts.hands import rank_text
from controller.texts.languages import pick
from controller.texts.sentences import joined, phrase
from display.labels import labels


def listed(games: Sequence[Game], language: Language, *, as_json: bool) -> None:
    if as_json:
        _printed({game.name: game.title for game in games})
        return
    table = Table()
    for head in ("name", "title", "codes", "seats"):
        table.add_column(_say(language, f"game_{head}"), style="bold" if head == "name" else "")
    for game in games:
        fewest, most = game.seats
        table.add_row(game.name, escape(_title(game, language)), ", ".join(game.codes.values()), f"{fewest}-{most}")
    Console().print(table)


def one(game: Game, language: Language, *, as_json: bool) -> None:
    """The card that a dealer needs: forced bets, what wins, and each street."""
    if as_json:
        _printed(msgspec.to_builtins(game))
        return
    console = Console()
    console.print(f"[bold]{escape(_title(game, language))}[/bold]  {', '.join(game.codes.values())}", highlight=False)
    for line in _lines(game):
        console.print(escape(pick(line, language)), highlight=False)
    table = Table(show_lines=True)
    for head in ("street", "cards", "bets", "opens"):
        table.add_column(_say(language, f"game_{head}"), style="bold" if head == "street" else "")
    for street in game.streets:
        table.add_row(
            escape(labels(language).streets.get(street.name, street.name)),
            pick(joined(_cards(street)), language),
            pick(_bets(street), language),
            _say(language, f"game_{street.opens}"),
        )
    console.print(table)


def _title(game: Game, language: Language) -> str:
    own = game.name in catalog.names() and catalog.game(game.name) == game
    return _say(language, f"title_{game.name}") if own else game.title


def _say(language: Language, key: str) -> str:
    return pick(phrase(key), language)


def _lines(game: Game) -> Iterator[Text]:
    fewest, most = game.seats
    players = [phrase("game_players", fewest=fewest, most=most), phrase(f"game_{game.forced}")]
    yield joined([*players, phrase("game_deck_36")] if game.deck == "36" else players)
    hands = [phrase(f"game_{hand}") for hand in game.hands]
    wins = phrase("game_halves", hand=hands[0], other=hands[1]) if hands[1:] else phrase("game_wins", hand=hands[0])
    yield wins
    yield phrase(f"game_uses_{game.uses}")
    if game.opener_needs:
        yield phrase("game_opener", of=rank_text("23456789TJQKA"[game.opener_needs - 2], "of"))


def _cards(street: Street) -> Iterator[Text]:
    for key in ("down", "up", "board", "draw", "discard"):
        count: int = getattr(street, key)
        if count:
            yield phrase(f"game_{key}", count=count)
    if street.common_if_short:
        yield phrase("game_common")


def _bets(street: Street) -> Text:
    bet = phrase(f"game_{street.bets}")
    return phrase("game_open_pair", bet=bet) if street.open_pair_bets_big else bet


def _printed(document: object) -> None:
    print(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())
