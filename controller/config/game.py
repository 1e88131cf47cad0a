"""Section [game] of table.toml: what types alone cannot say of blinds, bets and the game that is played."""

from difflib import get_close_matches

from controller.errors import ConfigError
from controller.games.catalog import admit, played, variants
from controller.games.reading import GameError
from controller.rulings.values import MOST, StructureType
from controller.table.setup import Stakes, structure_of, suits

NAMES: dict[StructureType, str] = {
    "NL": "no limit",
    "FL": "fixed limit",
    "PL": "pot limit",
    "HP": "half pot",
    "spread": "spread limit",
}


def check(stakes: Stakes, folder: str = ".") -> None:
    """Raises ConfigError with the key and the cure. A house's own game lies in the folder of table.toml."""
    if stakes.variant.endswith(".toml"):
        try:
            admit(stakes.variant, folder)
        except GameError as error:
            raise ConfigError(f"[game], key 'variant': {error}") from None
    elif stakes.variant not in variants():
        raise ConfigError(f"[game], key 'variant': {stakes.variant!r} is no game here: {_nearest(stakes.variant)}")
    if len(stakes.blinds) != 2 or not 0 < stakes.blinds[0] <= stakes.blinds[1] < MOST:
        raise ConfigError("[game], key 'blinds': write the small and the big blind, as in [100, 200]")
    if not 0 <= stakes.ante <= MOST:
        raise ConfigError(f"[game], key 'ante': {stakes.ante} is out of range: use 0 to {MOST}")
    if stakes.ante and stakes.ante_by == "none":
        raise ConfigError(
            f"[game], key 'ante_by': ante is {stakes.ante} but nobody posts it: use each, big_blind or button"
        )
    if stakes.kill_when != "told" and stakes.kill == "none":
        raise ConfigError(
            f'[game], key \'kill_when\': {stakes.kill_when}, but there is no kill: add kill = "half" or "full"'
        )
    _check_big_bet(stakes)
    _check_spread(stakes)


def check_seats(stakes: Stakes, seats: int) -> None:
    """Raises ConfigError where the game is not dealt to so many."""
    game, _ = played(stakes.variant)
    fewest, most = game.seats
    if not fewest <= seats <= most:
        raise ConfigError(
            f"[table], key 'seats': {seats}, but {game.title} is for {fewest} to {most}: change it, or [game] variant"
        )


def _nearest(variant: str) -> str:
    near = get_close_matches(variant.upper(), variants(), n=3, cutoff=0.5) or ["NT", "FT", "PO"]
    meant = ", ".join(f"{code} ({variants()[code][0].title}, {NAMES[variants()[code][1]]})" for code in near)
    return f"did you mean {meant}? 'betline games' lists all"


def _check_big_bet(stakes: Stakes) -> None:
    small_bet = stakes.blinds[1]
    if structure_of(stakes) != "FL":
        if stakes.big_bet:
            raise ConfigError("[game], key 'big_bet': only fixed limit has one: remove it, or use variant = \"FT\"")
        return
    if not suits(stakes, small_bet) or not 0 <= stakes.big_bet < MOST:
        raise ConfigError(
            f"[game], key 'big_bet': {stakes.big_bet} is less than the small bet, the big blind of {small_bet}: "
            f"use {2 * small_bet}, or remove it"
        )


def _check_spread(stakes: Stakes) -> None:
    if structure_of(stakes) != "spread":
        if stakes.spread:
            raise ConfigError("[game], key 'spread': only spread limit has one: remove it, or use variant = \"ST\"")
        return
    amounts = stakes.spread
    if len(amounts) not in (2, 3) or not 0 < amounts[0] <= amounts[1] <= amounts[-1] < MOST:
        raise ConfigError(
            "[game], key 'spread': write the smallest and the largest bet, as in [100, 500], and a third where the "
            "last street has a larger one"
        )
    if not suits(stakes, stakes.blinds[1]):
        raise ConfigError(
            f"[game], key 'spread': the big blind of {stakes.blinds[1]} is no bet from {amounts[0]} to {amounts[1]}: "
            "change one of them"
        )
