"""Section [game] of table.toml: what types alone cannot say of blinds, bets and the game that is played."""

from controller.errors import ConfigError
from controller.games.catalog import variants
from controller.rulings.values import MOST, StructureType
from controller.table.setup import Game, structure_of, suits

NAMES: dict[StructureType, str] = {
    "NL": "no limit",
    "FL": "fixed limit",
    "PL": "pot limit",
    "HP": "half pot",
    "spread": "spread limit",
}


def check(game: Game) -> None:
    """Raises ConfigError with the key and the cure."""
    if game.variant not in variants():
        played = ", ".join(f"{code} ({NAMES[structure]})" for code, (_, structure) in variants().items())
        raise ConfigError(
            f"[game], key 'variant': {game.variant!r} is not played yet: only hold'em is; use one of {played}"
        )
    if len(game.blinds) != 2 or not 0 < game.blinds[0] <= game.blinds[1] < MOST:
        raise ConfigError("[game], key 'blinds': write the small and the big blind, as in [100, 200]")
    if not 0 <= game.ante <= MOST:
        raise ConfigError(f"[game], key 'ante': {game.ante} is out of range: use 0 to {MOST}")
    if game.ante and game.ante_by == "none":
        raise ConfigError(
            f"[game], key 'ante_by': ante is {game.ante} but nobody posts it: use each, big_blind or button"
        )
    if game.kill_when != "told" and game.kill == "none":
        raise ConfigError(
            f'[game], key \'kill_when\': {game.kill_when}, but there is no kill: add kill = "half" or "full"'
        )
    _check_big_bet(game)
    _check_spread(game)


def _check_big_bet(game: Game) -> None:
    small_bet = game.blinds[1]
    if structure_of(game) != "FL":
        if game.big_bet:
            raise ConfigError("[game], key 'big_bet': only fixed limit has one: remove it, or use variant = \"FT\"")
        return
    if not suits(game, small_bet) or not 0 <= game.big_bet < MOST:
        raise ConfigError(
            f"[game], key 'big_bet': {game.big_bet} is less than the small bet, which is the big blind of {small_bet}: "
            f"use {2 * small_bet}, or remove it"
        )


def _check_spread(game: Game) -> None:
    if structure_of(game) != "spread":
        if game.spread:
            raise ConfigError("[game], key 'spread': only spread limit has one: remove it, or use variant = \"ST\"")
        return
    amounts = game.spread
    if len(amounts) not in (2, 3) or not 0 < amounts[0] <= amounts[1] <= amounts[-1] < MOST:
        raise ConfigError(
            "[game], key 'spread': write the smallest and the largest bet, as in [100, 500], and a third where the "
            "last street has a larger one"
        )
    if not suits(game, game.blinds[1]):
        raise ConfigError(
            f"[game], key 'spread': the big blind of {game.blinds[1]} is no bet from {amounts[0]} to {amounts[1]}: "
            "change one of them"
        )
