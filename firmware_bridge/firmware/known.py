"""The tags that one antenna knows, all of them silenced: which answered in this round, and which when last asked.

Two lists side by side, as tags are asked and as people print them, so that a round turns nothing around.
"""

ANSWERED, PRESENT, ELSEWHERE = 1, 2, 4  # PRESENT: it answered when it was asked last


def printed(tag: bytes) -> bytes:
    """A tag in the other order of bytes."""
    return bytes(reversed(tag))


class Known:
    """`most`: tags that it holds; what is more, the antenna tells as full."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.tags: list[bytes] = []  # as they go on air, least significant byte first
        self.shown: list[bytes] = []
        self.marks = bytearray(most)

    def add(self, tag: bytes) -> int:
        """Where the tag stands from now on; -1: there is no room."""
        if tag in self.tags:
            at = self.tags.index(tag)
            self.marks[at] &= ~ELSEWHERE
            return at
        if len(self.tags) == self.most:
            return -1
        self.tags.append(tag)
        self.shown.append(printed(tag))
        self.marks[len(self.tags) - 1] = 0
        return len(self.tags) - 1

    def drop(self, at: int) -> None:
        """The last one takes its place."""
        last = len(self.tags) - 1
        self.tags[at], self.shown[at], self.marks[at] = self.tags[last], self.shown[last], self.marks[last]
        self.tags.pop()
        self.shown.pop()

    def found_elsewhere(self, tag: bytes) -> None:
        """A tag that did not answer here need not be asked any more; the round that goes on keeps its places."""
        if tag in self.tags:
            at = self.tags.index(tag)
            if not self.marks[at] & PRESENT:
                self.marks[at] |= ELSEWHERE

    def renew(self) -> None:
        """The field went off: nobody is silenced, and who did not answer before it is no longer asked for."""
        self._sweep(0xFF, PRESENT)

    def begin(self) -> None:
        """A new round: nobody has answered yet."""
        self._sweep(0xFF & ~ANSWERED, 0)

    def _sweep(self, keep: int, need: int) -> None:
        """Each tag keeps these marks; who was found elsewhere, or lacks a mark that is needed, goes."""
        at, marks = 0, self.marks
        while at < len(self.tags):
            if marks[at] & ELSEWHERE or marks[at] & need != need:
                self.drop(at)
            else:
                marks[at] &= keep
                at += 1
