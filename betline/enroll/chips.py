"""Stacks of one colour, one after the other, until the person or the script has no more."""

import sys
from collections.abc import Iterable, Sequence

import msgspec

from betline.enroll.desk import Desk, Lines, Teller
from betline.enroll.files import Register
from controller.registry.enrolment import EnrolmentError, Settling, Stack, chips_of, guess_prefix, sort_stack
from controller.registry.registry import Item
from firmware_bridge.events import Value

MOST_VALUE = 10**12 - 1  # chips.csv takes 12 digits
MOST_NAMED = 6  # items named in one line


class Naming(Value, frozen=True):
    """What the next stack is called; what is not given yet is asked."""

    value: int | None = None
    colour: str | None = None
    prefix: str | None = None


class Chips:
    """One session. `lines` None: nobody is asked, what settles is enrolled."""

    def __init__(
        self,
        desk: Desk,
        register: Register,
        others: Sequence[Item],
        naming: Naming,
        tell: Teller,
        *,
        lines: Lines | None,
        count: int | None = None,
        seconds: float | None = None,
        json: bool = False,
    ) -> None:
        self.desk, self.register, self.others, self.tell = desk, register, others, tell
        self.given, self.last = naming, naming
        self.lines, self.count, self.seconds, self.json = lines, count, seconds, json
        self.stack = Stack()
        self.left_out: set[str] = set()  # tags that the person does not want
        self.over = False
        self.enrolled = 0

    def run(self, stacks: int) -> int:
        """So many stacks, or until the person ends it; the number of chips that were enrolled."""
        while not self.over and stacks:
            if self._next_stack() and self._enrol():
                stacks -= 1
        return self.enrolled

    # ------------------------------------------------------------ the stack settles
    def _next_stack(self) -> bool:
        self.desk.forget()
        settling = Settling()
        if not self.desk.settle(settling, self._look, self.seconds) and not self.over:
            raise EnrolmentError(self._why_not(settling))
        return not self.over

    def _look(self, settling: Settling) -> bool:
        """Show how it goes, obey what was typed; whether a stack lies there that can be enrolled."""
        self._obey()
        found = sort_stack(settling.here, self.register.items, self.others)
        self.stack = msgspec.structs.replace(found, fresh=tuple(t for t in found.fresh if t not in self.left_out))
        self.left_out &= {*settling.here, *settling.unsure}
        self.tell.progress(self._words(settling), settling.share if self.stack.fresh else 0.0)
        complete = self.lines is not None or self.count in (None, len(self.stack.fresh))
        return self.over or (settling.settled and bool(self.stack.fresh) and complete)

    def _obey(self) -> None:
        match self.lines.command(("u", "undo", "q", "quit")) if self.lines else None:
            case "u" | "undo":
                self._undo()
            case "q" | "quit":
                self.over = True
            case _:
                pass

    def _words(self, settling: Settling) -> str:
        if self.desk.trouble:
            return self.desk.trouble
        if not (settling.here or settling.unsure):
            return "put a stack of one colour on the antenna"
        parts = [f"{len(self.stack.fresh)} new"] if self.stack.fresh else []
        parts += [f"{len(settling.unsure)} unsure"] if settling.unsure else []
        parts += [f"{len(self.stack.known)} already enrolled"] if self.stack.known else []
        parts += [f"{len(self.stack.others)} of other files"] if self.stack.others else []
        parts += [f"{len(self.stack.foreign)} foreign"] if self.stack.foreign else []
        parts += ["put the next stack on (u: undo, q: end)"] if not self.stack.fresh and self.lines else []
        return ", ".join(parts)

    def _why_not(self, settling: Settling) -> str:
        where = f"{self.desk.port}, antenna {self.desk.antenna if self.desk.antenna is not None else '?'}"
        if settling.unsure:
            return (
                f"{where}: the count did not settle, unsure: {listed(settling.unsure)}: move the stack to the middle, "
                "and what lies beside the antenna away"
            )
        if self.stack.fresh and self.count is not None:
            return f"{where}: {self._miscounted()}"
        if settling.here:
            return f"{where}: nothing new: {listed(self._named())}"
        return f"{where}: no tag in {self.seconds or 0:g} s: put a stack on it, or see: betline watch {self.desk.port}"

    def _named(self) -> list[str]:
        found = self.stack
        known = [f"{item.name} is enrolled already" for item in found.known]
        known += [f"{item.name} is of {item.set or 'another file'}" for item in found.others]
        return known + [f"{tag} is unlike the chips of this table" for tag in found.foreign]

    def _miscounted(self) -> str:
        return (
            f"{len(self.stack.fresh)} new tags, not {self.count}: a chip may have no tag or a dead one, two chips the "
            "same, or one is enrolled already: halve the stack until you have it"
        )

    # ------------------------------------------------------------ the stack is named
    def _enrol(self) -> bool:
        """Name the stack and write it, as far as the person agrees."""
        self.tell.pause()
        for text in self._named():
            self.tell.line(text)
        if self.lines is not None and self.count not in (None, len(self.stack.fresh)):
            self.tell.line(self._miscounted())
        naming = self._naming()
        if naming is None or naming.value is None:
            self.over = True
            return False
        colour = naming.colour or ""
        prefix = naming.prefix or guess_prefix(colour, naming.value)
        items = chips_of(self.stack.fresh, naming.value, colour, prefix, self.register.items)
        if not self._agreed(items):
            return False
        self.register.add(items)
        self.last = naming
        self.enrolled += len(items)
        self._told(items)
        return True

    def _naming(self) -> Naming | None:
        """Value, set and prefix: as given, else asked; None: there is nobody to answer."""
        if self.lines is None:
            return self.given
        value = self.given.value or self._ask_value()
        if value is None:
            return None
        colour = self.given.colour if self.given.colour is not None else self._ask("Set (colour)", self.last.colour)
        if colour is None:
            return None
        same = (value, colour) == (self.last.value, self.last.colour)
        guess = self.last.prefix if same else guess_prefix(colour, value)
        prefix = self.given.prefix or self._ask("Prefix of their names", guess)
        return None if prefix is None else Naming(value, colour, prefix)

    def _ask(self, question: str, default: str | None) -> str | None:
        assert self.lines is not None
        while (answer := self.lines.ask(question, default or "")) is not None:
            if answer and answer.isprintable() and not set(answer) & set(',;"'):
                return answer
            self.tell.line("A word without commas or quotes, please.")
        return None

    def _ask_value(self) -> int | None:
        assert self.lines is not None
        last = "" if self.last.value is None else str(self.last.value)
        while (answer := self.lines.ask("Value of one chip", last)) is not None:
            if answer.isascii() and answer.isdigit() and 0 < int(answer) <= MOST_VALUE:
                return int(answer)
            self.tell.line("A whole number above 0, please.")
        return None

    def _agreed(self, items: Sequence[Item]) -> bool:
        if self.lines is None:
            return True
        names = items[0].name if len(items) == 1 else f"{items[0].name} to {items[-1].name}"
        question = f"Add {len(items)} chips of {items[0].value} as {names}? (y)es, (n)o, (u)ndo the last stack, (q)uit"
        match (self.lines.ask(question, "y") or "q")[:1].lower():
            case "y":
                return True
            case "u":
                self._undo()
            case "n":
                self.left_out.update(self.stack.fresh)
                self.tell.line("left out: take them away, or put the next stack on")
            case _:
                self.over = True
        return False

    def _undo(self) -> None:
        gone = self.register.undo()
        self.tell.line(f"taken back: {listed(gone)}" if gone else "there is no stack to take back")

    def _told(self, items: Sequence[Item]) -> None:
        if self.json:
            document = {
                "added": [item.name for item in items],
                "known": [item.name for item in self.stack.known],
                "others": [item.name for item in self.stack.others],
                "foreign": list(self.stack.foreign),
                "chips": len(self.register.items),
            }
            sys.stdout.write(msgspec.json.encode(document).decode() + "\n")
            sys.stdout.flush()
        total = sum(item.kind == "chip" for item in self.register.items)
        self.tell.line(f"{self.register.path}: {len(items)} chips added, {total} in all")


def listed(names: Iterable[str]) -> str:
    """The first few of them, and how many more."""
    every = list(names)
    more = f" and {len(every) - MOST_NAMED} more" if len(every) > MOST_NAMED else ""
    return ", ".join(every[:MOST_NAMED]) + more
