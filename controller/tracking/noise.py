"""What an antenna does with tags: how often it misses those that lie on it, and hears those of others."""

from firmware_bridge.events import Value


class Noise(Value, frozen=True):
    """Shares of rounds; `burst` in rounds."""

    miss: float  # a round does not show a tag that lies there
    stray: float  # a round shows a given tag of a neighbour
    burst: float = 1.0  # rounds that a tag stays unread on average, once it was missed


USUAL = Noise(0.05, 0.01)  # of an antenna that was never measured
