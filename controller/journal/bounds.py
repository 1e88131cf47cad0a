"""Numbers of an event that no table can have: a seat that is not there, cards that no deck holds. Pure.

`evolve` takes what an event says as given, and Python counts seat -1 from the end: a forged row is found here.
"""

from functools import cache

import msgspec

from controller.games.game import Game, with_totals
from controller.table.events import HandStarted

SEATS = frozenset(
    {"seat", "to", "to_act", "button", "small_place", "big_place", "killer", "rock", "opener", "opens_after"}
)
DECK = 52
MOST = 10**15  # of any number: no table has so much in chips


def check(value: object, seats: int) -> None:
    """ValueError where it, or anything in it, names a seat that is not there or a number beyond any table."""
    if isinstance(value, msgspec.Struct):
        _check_struct(value, seats)
    elif isinstance(value, tuple):
        for one in value:
            check(one, seats)
    elif isinstance(value, dict):
        for one in value.values():
            check(one, seats)
    elif isinstance(value, int) and abs(value) > MOST:
        raise ValueError(f"{value} is beyond any table")


def _check_struct(value: msgspec.Struct, seats: int) -> None:
    for name in _fields(type(value)):
        found = getattr(value, name)
        if found is None or found is True or found is False or isinstance(found, str | float):
            continue
        if (name in SEATS or (name == "big" and isinstance(value, HandStarted))) and not 0 < found <= seats:
            raise ValueError(f"{name} {found} of {seats} seats")
        check(found, seats)
    if isinstance(value, Game):
        _check_game(value)


def _check_game(game: Game) -> None:
    if with_totals(game) != game or game.hole_cards < 0 or not 0 < game.hole_cards + game.board_cards <= DECK:
        raise ValueError(f"{game.name}: {game.hole_cards} cards for each seat")


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    return kind.__struct_fields__
