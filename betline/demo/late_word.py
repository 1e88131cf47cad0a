"""The question of the demo's first hand: the dealer hears a word late, and the table asks what it is worth.

A player raised, and was ruled to; then the dealer says "call" for him, as if he had heard it before the chips. The
table stands still and asks whether that counts; the dealer looks again, and says that it does not.
"""

from typing import Literal

from controller.commands import Answer, Say
from controller.rulings.values import Word
from controller.snapshot import Snapshot
from controller.table.events import Ruled
from display.feed import Feed

PATIENCE_S = 5.0  # real, for the question to come; then the evening goes on without it
RAISES = ("raise", "bet")


class LateWord:
    """`waits`: nobody acts before the table has its answer."""

    def __init__(self, feed: Feed, reading_s: float) -> None:
        self._feed = feed
        self._reading_s = reading_s  # from the question to the answer
        self._at: Literal["turn", "say", "said", "asked", "done"] = "turn"
        self._turn: tuple[int, int] | None = None  # seat, and the snapshot that showed its turn
        self._since_s = 0.0
        self.asked: int | None = None  # the seat, once the table asks

    @property
    def waits(self) -> bool:
        return self._at in ("say", "said", "asked")

    def ruled(self, event: Ruled, now_s: float) -> None:
        """A ruling: the first raise by chips is the one that he thinks he heard otherwise."""
        seen = self._turn is not None and self._turn[0] == event.seat
        if self._at == "turn" and seen and event.by == "chips" and event.reading.action in RAISES:
            self._at, self._since_s = "say", now_s

    def look(self, shown: Snapshot, now_s: float) -> None:
        """What the dealer sees, and does about it. `now_s` is monotonic."""
        question = shown.question
        if self._at == "turn":
            self._turn = (shown.to_act, shown.n) if shown.to_act is not None else self._turn
        elif self._at == "say" and question is None and self._turn is not None:
            seat, n = self._turn
            if self._feed.send(Say(seat, Word("call")), n):
                self._at, self._since_s = "said", now_s
        elif self._at == "said" and question is not None:
            self._at, self._since_s, self.asked = "asked", now_s, question.seat
        elif self._at == "asked" and question is None:
            self._at = "done"
        elif self._at == "asked" and question is not None and now_s - self._since_s >= self._reading_s:
            self._since_s = now_s
            self._feed.send(Answer(question=question.id, reading=len(question.choices)), shown.n)
        elif self._at == "said" and now_s - self._since_s > PATIENCE_S:
            self._at = "done"
