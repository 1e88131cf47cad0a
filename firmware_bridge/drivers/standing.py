"""Tags that the host wants to know of one by one: which are due to be asked for, antenna by antenna. Pure.

What is wanted stands until something else is. An antenna is asked again a while after it has answered, about as often
as one with ten chips on it ends a round: quicker, and two answers in a row would tell of one and the same moment. One
that the reader refuses to ask is left alone until its next boot.
"""

from collections.abc import Iterable

from firmware_bridge.events import Wanted

MS = 1_000_000
AGAIN_NS = 100 * MS  # from an answer to the next question
LOST_NS = 600 * MS  # without an answer: the question or the answer got lost


class Standing:
    """`most`: tags of one question."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._wanted: Wanted = {}
        self._due: dict[int, int] = {}  # when an antenna may be asked next
        self._waiting: dict[int, frozenset[str]] = {}  # antennas that have not answered, and what they were asked
        self._refused: set[int] = set()

    def want(self, wanted: Wanted) -> None:
        self._wanted = {antenna: tags[: self._most] for antenna, tags in wanted.items() if tags}

    def booted(self) -> None:
        """Another boot of the reader: what the one before was asked nobody answers."""
        self._due.clear()
        self._waiting.clear()
        self._refused.clear()

    def answered(self, antenna: int, tags: Iterable[str], at_ns: int) -> None:
        """A reader also says by itself that a tag is gone: that answers nothing."""
        if not self._waiting.get(antenna, frozenset()).isdisjoint(tags):
            del self._waiting[antenna]
            self._due[antenna] = at_ns + AGAIN_NS

    def refused(self, antenna: int) -> None:
        """The reader says no; 0: it does not say of which antenna, so to all that it has not answered, most likely."""
        refused = {antenna} if antenna else set(self._waiting)
        self._refused |= refused
        for one in refused:
            self._waiting.pop(one, None)

    def due(self, at_ns: int) -> list[tuple[int, tuple[str, ...]]]:
        """Questions to send now."""
        found = [(antenna, tags) for antenna, tags in self._may_ask() if self._due.get(antenna, 0) <= at_ns]
        for antenna, tags in found:
            self._waiting[antenna] = frozenset(tags)
            self._due[antenna] = at_ns + LOST_NS
        return found

    def wake_at_ns(self) -> int | None:
        return min((self._due.get(antenna, 0) for antenna, _ in self._may_ask()), default=None)

    def _may_ask(self) -> list[tuple[int, tuple[str, ...]]]:
        return [one for one in self._wanted.items() if one[0] not in self._refused]
