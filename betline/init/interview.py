"""Questions that one may go back in, leave and come back to.

The questions are a function that asks in any order it likes, and may ask other things after other answers. Going back
is doing it again with one answer less: what was answered before is not asked again. So is going on after a stop, from
a file in which the answers were kept.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import typer

Check = Callable[[Any], str | None]  # an answer -> why it will not do
BACK, STOP = "<", "."
YES, NO = ("y", "yes", "да", "д"), ("n", "no", "нет", "н")
T = TypeVar("T")


class Stopped(Exception):  # noqa: N818  -- no error: somebody goes on later
    """Whoever answers wants to go on another time."""


class _Back(Exception):  # noqa: N818  -- the same
    """The answer before is to be given again."""


class Given(msgspec.Struct, frozen=True):
    text: str  # the question
    answer: Any


class Interview:
    """Asks by `prompt` (a text and what is proposed -> what was typed). `kept`: answers of an earlier try."""

    def __init__(
        self, prompt: Callable[[str, str], str], kept: tuple[Given, ...] = (), say: Callable[[str], None] = typer.echo
    ) -> None:
        self._prompt = prompt
        self._say = say
        self._given = list(kept)
        self._at = 0

    @property
    def given(self) -> tuple[Given, ...]:
        return tuple(self._given)

    def run(self, questions: Callable[["Interview"], T]) -> T:
        while True:
            self._at = 0
            try:
                return questions(self)
            except _Back:
                del self._given[max(0, self._at - 1) :]

    def tell(self, text: str) -> None:
        """A line between two questions; not again where both were answered before."""
        if self._at >= len(self._given):
            self._say(text)

    def ask(self, text: str, default: Any, check: Check = lambda _: None) -> Any:
        """An answer of the type of `default`, which will do."""
        if self._at < len(self._given):
            before = self._given[self._at]
            if before.text == text and isinstance(before.answer, type(default)) and check(before.answer) is None:
                self._at += 1
                return before.answer
            del self._given[self._at :]  # another question stands here now
        answer = self._asked(text, default, check)
        self._given.append(Given(text, answer))
        self._at += 1
        return answer

    def _asked(self, text: str, default: Any, check: Check) -> Any:
        shown = ("y" if default else "n") if isinstance(default, bool) else str(default)
        while True:
            typed = self._prompt(text, shown).strip()
            if typed == BACK:
                raise _Back
            if typed == STOP:
                raise Stopped
            answer = _read(typed, default)
            why_not = _wanted(default) if answer is None else check(answer)
            if why_not is None:
                return answer
            self._say(f"  {why_not}")


def _read(typed: str, default: Any) -> Any:
    """The answer as the type of what was proposed; None where it is none of them."""
    if isinstance(default, bool):
        return True if typed.lower() in YES else False if typed.lower() in NO else None
    if isinstance(default, int):
        return int(typed) if typed.lstrip("-").isdecimal() else None
    return typed


def _wanted(default: Any) -> str:
    return "y or n, please." if isinstance(default, bool) else "A whole number, please."


# ---------------------------------------------------------------- answers that are kept
def draft_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.draft")


def kept(file: Path) -> tuple[Given, ...]:
    """The answers of an earlier try; none where there are none that can be read."""
    try:
        return msgspec.json.decode(draft_of(file).read_bytes(), type=tuple[Given, ...])
    except (OSError, msgspec.DecodeError):
        return ()


def keep(file: Path, given: tuple[Given, ...]) -> None:
    draft_of(file).write_bytes(msgspec.json.encode(given))
