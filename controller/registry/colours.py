"""What colour the chips of each value have, where their set in chips.csv is called by a colour. Pure.

The set of a chip is free text of the house; what is no colour here never leaves the table.
"""

from collections.abc import Iterable

from controller.registry.registry import Item

COLOURS = frozenset(
    {
        "black",
        "blue",
        "brown",
        "green",
        "grey",
        "lime",
        "navy",
        "orange",
        "pink",
        "purple",
        "red",
        "teal",
        "turquoise",
        "white",
        "yellow",
    }
)
OTHER_NAMES = {"gray": "grey", "violet": "purple", "cyan": "turquoise", "gold": "yellow"}


def chip_colours(items: Iterable[Item]) -> tuple[tuple[int, str], ...]:
    """(value, colour) of every value whose chips in play are all of one colour, the largest value first."""
    found: dict[int, set[str]] = {}
    for item in items:
        if item.kind == "chip" and item.state == "in":
            found.setdefault(item.value, set()).add(_colour(item.set))
    one = ((value, names.pop()) for value, names in sorted(found.items(), reverse=True) if len(names) == 1)
    return tuple((value, colour) for value, colour in one if colour)


def _colour(name: str) -> str:
    word = name.strip().lower()
    word = OTHER_NAMES.get(word, word)
    return word if word in COLOURS else ""
