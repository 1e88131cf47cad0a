"""Cards one by one, and the roll call of a whole deck or chip set."""

import sys
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from betline.enroll.chips import listed
from betline.enroll.desk import Desk, Lines, Teller
from betline.enroll.files import Register
from controller.registry.enrolment import CARD, EnrolmentError, RollCall, Settling, replaced, sort_stack, to_come
from controller.registry.registry import Item


class Deck:
    """One session: the next card is called, laid down, and known. `lines` None: nobody can undo or skip."""

    def __init__(
        self,
        desk: Desk,
        register: Register,
        others: Sequence[Item],
        deck: str,
        tell: Teller,
        *,
        lines: Lines | None,
        seconds: float | None = None,
        json: bool = False,
    ) -> None:
        self.desk, self.register, self.others, self.deck, self.tell = desk, register, others, deck, tell
        self.lines, self.seconds, self.json = lines, seconds, json
        self.card = ""
        self.skipped: set[str] = set()
        self.named: set[str] = set()  # what was said about tags that are no new card, once each
        self.new: list[str] = []
        self.taken_back: set[str] = set()  # no new cards before they were lifted
        self.over = self.again = False
        self.enrolled = 0

    def run(self, order: Sequence[str], spares: int) -> int:
        """All cards that are missing, in order; the number that was enrolled."""
        while not self.over:
            cards = [card for card in to_come(order, spares, self.register.items) if card not in self.skipped]
            if not cards:
                break
            if self._lay(cards[0], len(cards), len(order) + spares):
                self.register.add([Item(self.card, self.new[0], "card", 0, self.deck)])
                self._told()
        return self.enrolled

    def anew(self, card: str) -> int:
        """One card again, with another tag: a lost one and its substitute."""
        if self._lay(card, 1, 1):
            self.register.replace(replaced(self.register.items, Item(card, self.new[0], "card", 0, self.deck)))
            self._told()
        return self.enrolled

    def _lay(self, card: str, left: int, whole: int) -> bool:
        self.card, self.again = card, False
        settling = Settling(*CARD)
        words = f"lay down {card} ({whole - left + 1} of {whole})" + (
            " (u: undo, s: skip, q: end)" if self.lines else ""
        )

        def look(settling: Settling) -> bool:
            self._obey()
            done = self._look(settling)
            crowd = f"{len(self.new)} new cards at once: leave {card} alone there" if len(self.new) > 1 else ""
            self.tell.progress(self.desk.trouble or crowd or words, 1 - left / whole)
            return done or self.over or self.again

        if not self.desk.settle(settling, look, self.seconds):
            crowd = f", but {listed(self.new)} at once" if len(self.new) > 1 else ""
            raise EnrolmentError(f"{self.desk.port}: no new card for {card}{crowd}: what is enrolled is kept")
        return not (self.over or self.again)

    def _look(self, settling: Settling) -> bool:
        """Whether exactly one new card lies there."""
        found = sort_stack(settling.here, self.register.items, self.others)
        self.taken_back &= {*settling.here, *settling.unsure}
        self.new = sorted({*found.fresh, *found.foreign} - self.taken_back)
        for item in (*found.known, *found.others):
            if item.tag not in self.named and settling.rounds > CARD[0] and not self.new:
                self.named.add(item.tag)
                self.tell.line(f"that is {item.name} of {item.set or 'another file'}: enrolled already")
        known = {item.tag for item in (*self.register.items, *self.others)} | self.taken_back
        return len(self.new) == 1 and not set(settling.unsure) - known

    def _obey(self) -> None:
        match self.lines.command(("u", "undo", "s", "skip", "q", "quit")) if self.lines else None:
            case "u" | "undo":
                tags = {item.name: item.tag for item in self.register.items}
                gone = self.register.undo()
                self.taken_back.update(tags[name] for name in gone)
                self.tell.line(
                    f"taken back: {listed(gone)}: take it off the antenna" if gone else "nothing to take back"
                )
                self.again = True
            case "s" | "skip":
                self.skipped.add(self.card)
                self.again = True
            case "q" | "quit":
                self.over = True
            case _:
                pass

    def _told(self) -> None:
        self.enrolled += 1
        self.named.add(self.new[0])
        if self.json:
            document = {"card": self.card, "tag": self.new[0], "deck": self.deck, "cards": len(self.register.items)}
            sys.stdout.write(msgspec.json.encode(document).decode() + "\n")
            sys.stdout.flush()
        self.tell.line(f"{self.card} is {self.new[0]}")


def call_roll(desk: Desk, roll: RollCall, tell: Teller, seconds: float) -> None:
    """Until everything of the file was there, or the time is over, or Ctrl-C; parts may come one after the other."""

    def look(settling: Settling) -> bool:
        roll.take(settling.here)
        missing = len(roll.missing)
        there = roll.expected - missing
        words = f"{there} of {roll.expected} are there" + (f", {missing} missing" if missing else "")
        tell.progress(desk.trouble or words, there / max(1, roll.expected))
        return not missing and settling.settled

    with suppress(KeyboardInterrupt):
        desk.settle(Settling(), look, seconds)
    tell.pause()
