"""What the table holds of a hand at this moment, beside what people did: corrections and undone rulings included.

Rulings are compared seat by seat, in the order of each seat's own actions: who folds out of turn folds all the same
(TDA 2024 53-A), and cards that were read late are a fold that was ruled late.

A *wrong ruling* is final, is not what people meant, and nobody was asked about it. One that carried a doubt which
named the right reading is counted apart. So is one that the table itself *reopened*: with nothing ruled behind it, it
asked about that seat anew, what was meant first; ruled wrongly once more it counts as any other. What follows from a
ruling that was wrong already is its consequence, and no other, nor is the same one that comes again when it was undone;
once it is put right, the next wrong one counts.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from controller.games.catalog import variants
from controller.rulings.values import Reading
from controller.table import events as e
from firmware_bridge.events import Value
from simulator.books import Decision
from simulator.rehearsal.verdict import same
from simulator.script import Script

ASKED = frozenset({"confirm", "answer"})  # rulings that a person made


def names_in_doubt(ruled: e.Ruled, meant: Decision) -> bool:
    """Whether the ruling carried a doubt that named what was meant."""
    readings = [doubt.reading for doubt in ruled.doubts if doubt.reading is not None]
    return any(same(meant, ruled.seat, reading) for reading in readings)


class Line(Value, frozen=True):
    """One ruling as it stands."""

    number: int  # of its event
    street: int
    seat: int
    reading: Reading


class Account:
    """Give it events as they come, each with its number."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._of_seat: dict[int, list[int]] = {}  # by seat: which decisions of the hand are its
        for at, decision in enumerate(script.decisions):
            self._of_seat.setdefault(decision.seat, []).append(at)
        self._lines: list[Line] = []
        self._streets: list[int] = []  # numbers of the events that opened a street
        self._missed: set[int | None] = (
            set()
        )  # decisions that were ruled wrongly once: no other fault when it comes again
        self.wrong: list[str] = []
        self.doubted: list[str] = []
        self.reopened: list[str] = []
        self._last_wrong: tuple[int, int | None, str] | None = None  # its event, its decision, what was said of it
        self.asked_wrong: list[str] = []  # by an answer or a key: no fault of the table's
        self.needless = 0
        self.corrected = 0  # rulings put right by a person

    # ------------------------------------------------------------------ what should be
    def expected(self, seat: int | None) -> int | None:
        """Which decision of the hand this seat's next ruling should be; None: it has none left."""
        mine = self._of_seat.get(seat or 0, [])
        made = sum(line.seat == seat for line in self._lines)
        return mine[made] if made < len(mine) else None

    def meant(self, seat: int | None) -> Decision | None:
        at = self.expected(seat)
        return None if at is None else self._script.decisions[at]

    def unruled(self, made: int) -> Iterator[int]:
        """Of the first `made` decisions those that no ruling stands for, the first one first."""
        rulings = {seat: sum(line.seat == seat for line in self._lines) for seat in self._of_seat}
        for at in range(made):
            mine = self._of_seat[self._script.decisions[at].seat]
            if mine.index(at) >= rulings[self._script.decisions[at].seat]:
                yield at

    def first_wrong(self) -> tuple[Line, Decision | None] | None:
        """The first ruling that stands and is not what was meant, and what was; None: all are right."""
        seen = dict.fromkeys(self._of_seat, 0)
        for line in self._lines:
            mine, at = self._of_seat.get(line.seat, []), seen.get(line.seat, 0)
            seen[line.seat] = at + 1
            meant = self._script.decisions[mine[at]] if at < len(mine) else None
            if meant is None or not _is(line, meant):
                return line, meant
        return None

    @property
    def right(self) -> int:
        """How many rulings stand before the first wrong one."""
        wrong = self.first_wrong()
        return len(self._lines) if wrong is None else self._lines.index(wrong[0])

    @property
    def rulings(self) -> int:
        return len(self._lines)

    # ------------------------------------------------------------------ what happens
    def see(self, event: e.Event, number: int, *, follows: bool = False) -> None:
        """`follows`: a person has put a ruling before it right, and what stands behind it is told anew."""
        match event:
            case e.Ruled():
                self._ruled(event, number, follows=follows)
            case e.Overruled():
                self._overruled(event)
            case e.Undone(of=of):
                self._lines = [line for line in self._lines if line.number < of]
                self._streets = [street for street in self._streets if street < of]
            case e.StreetOpened():
                self._streets.append(number)
            case e.Asked():
                self._asked(event)
            case _:
                pass

    def _ruled(self, ruled: e.Ruled, number: int, *, follows: bool) -> None:
        at, meant, was_right = self.expected(ruled.seat), self.meant(ruled.seat), self.first_wrong() is None
        line = Line(number, len(self._streets), ruled.seat, ruled.reading)
        self._lines.append(line)
        if follows or not was_right or at in self._missed or (meant is not None and _is(line, meant)):
            return
        self._missed.add(at)
        why = f"ruling {len(self._lines)}: {self._recorded(meant)}, ruled {_said(ruled)}"
        if ruled.by in ASKED:
            self.asked_wrong.append(why)
        elif meant is not None and names_in_doubt(ruled, meant):
            self.doubted.append(why)
        else:
            self.wrong.append(why)
            self._last_wrong = number, at, why

    def _overruled(self, event: e.Overruled) -> None:
        """Rulings behind it are told anew, as far as they stand."""
        was_right = self.first_wrong() is None
        at = next((at for at, line in enumerate(self._lines) if line.number == event.of), None)
        if at is None:
            return
        self._lines = [*self._lines[:at], replace(self._lines[at], reading=event.reading)]
        if was_right and self.first_wrong() is not None:
            now = f"{event.reading.action} {event.reading.total_to}"
            self.wrong.append(f"ruling {at + 1}: was right, overruled to seat {event.seat} {now}")
        self.corrected += not was_right and self.first_wrong() is None

    def _asked(self, asked: e.Asked) -> None:
        likely = asked.ruling.chosen or next(iter(asked.ruling.readings), None)  # shown first
        if likely is not None and self._reopens(asked.seat, likely):
            return
        meant = self.meant(asked.seat)
        self.needless += meant is not None and likely is not None and same(meant, asked.seat, likely)

    def _reopens(self, seat: int | None, likely: Reading) -> bool:
        """Whether the table asks anew about its last ruling, which was wrong, with what was meant first."""
        found, last = self.first_wrong(), self._last_wrong
        if found is None or last is None or last[2] not in self.wrong:
            return False
        (line, meant), (number, at, why) = found, last
        if line is not self._lines[-1] or line.number != number or meant is None or not same(meant, seat, likely):
            return False
        self.wrong.remove(why)
        self.reopened.append(why)
        self._missed.discard(at)
        return True

    def end(self) -> None:
        """The hand is over: what was reopened, and stands all the same, is wrong."""
        found, last = self.first_wrong(), self._last_wrong
        if found is not None and last is not None and last[2] in self.reopened and found[0].number == last[0]:
            self.reopened.remove(last[2])
            self.wrong.append(last[2])

    def _recorded(self, meant: Decision | None) -> str:
        if meant is None:
            return "no action of this seat is left"
        played, _ = variants()[self._script.hand.variant]
        return f"recorded seat {meant.seat} {meant.kind} {meant.total} on the {played.streets[meant.street].name}"


def _is(line: Line, meant: Decision) -> bool:
    return same(meant, line.seat, line.reading) and line.street == meant.street


def _said(ruled: e.Ruled) -> str:
    return f"seat {ruled.seat} {ruled.reading.action} {ruled.reading.total_to} ({ruled.reading.rule}, by {ruled.by})"
