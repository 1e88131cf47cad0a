"""The base of every event that can be undone."""

from firmware_bridge.events import Value


class Decision(Value, frozen=True, kw_only=True):
    """Something decided, which can be undone. The first decision of each cause is its `head`: undo goes back to it."""

    head: bool = False
