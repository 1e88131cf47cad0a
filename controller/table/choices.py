"""What people may choose, and what they can only agree to. Pure."""

from controller.table.events import Asked


def must_choose(asked: Asked) -> bool:
    """Whether nothing is shown that one could agree to: several readings, or several places of a chip."""
    return asked.why == "worlds" or (asked.ruling.chosen is None and len(asked.ruling.readings) > 1)
