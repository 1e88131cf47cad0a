"""Names of streets as people and case files write them, of all games, and what a ruling needs to know of each."""

from typing import Literal

StreetName = Literal["preflop", "flop", "turn", "river", "third", "fourth", "fifth", "sixth", "seventh", "draw"]
BEHIND_BLINDS: tuple[StreetName, ...] = ("preflop",)
LAST: tuple[StreetName, ...] = ("river", "seventh")
EXAMPLES = "preflop, flop, turn, river, or a street of stud or draw"
