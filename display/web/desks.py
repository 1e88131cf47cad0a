"""Who commands from pages: a desk for each open page, and the pictures that it was shown. Pure.

A key means what it meant in the picture that its page showed, as at the screen of the table: the page names the
picture, and a key that belongs to one that is too old does nothing.
"""

from collections import deque

import msgspec
from msgspec.structs import replace

from controller.commands import Command
from controller.snapshot import DealerSnapshot
from display.buttons import buttons
from display.feed import Heard
from display.keys import PAGES, Desk, choose, press
from display.labels import Labels
from display.parts import ButtonPart, Part, RulingPart, View
from display.view import BEFORE_ANYTHING, ruling_part, view
from display.web.authority import FLOORS_KEYS, Role, may
from display.web.pages import spoken

KEPT = 32  # pictures: more than a second of them
MOST_KEYS = 8  # of one touch


class ControlPage(Part, frozen=True):
    """The table with controls, for who holds a key."""

    view: View
    desk: str
    at: int  # of this picture: what is pressed names it
    role: Role
    controls: tuple[tuple[ButtonPart, ...], ...]  # a group each: the hand, corrections, the table; or a keypad
    history: tuple[RulingPart, ...] = ()  # rulings of this round, the last one first
    spoken: str = ""


class Pressed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page sends: keys as the dealer's keyboard has them, or a seat that was touched."""

    desk: str
    at: int
    keys: tuple[str, ...] = ()
    seat: int | None = None


class Said(msgspec.Struct, frozen=True):
    command: Command
    n: int | None


class Place:
    """One open page."""

    def __init__(self, name: str, role: Role) -> None:
        self.name, self.role = name, role
        self.desk = Desk()
        self.changed = 0  # grows with each key
        self._shown: deque[tuple[int, DealerSnapshot | None]] = deque(maxlen=KEPT)
        self._at = 0

    def picture(self, heard: Heard, words: Labels) -> ControlPage:
        seen, live = heard.snapshot, heard.link.state == "live"
        if not self._shown or self._shown[-1][1] is not seen:
            self._at += 1
            self._shown.append((self._at, seen))
        told = tuple(ruling_part(one, seen, words) for one in reversed(seen.rulings)) if seen is not None else ()
        return ControlPage(
            view=view(seen, heard.link, self.desk, words, dealer=True),
            desk=self.name,
            at=self._at,
            role=self.role,
            controls=self._controls(seen, words) if live and seen is not None else (),
            history=told,
            spoken=spoken(seen.ruling, words) if seen is not None and seen.ruling is not None else "",
        )

    def _controls(self, seen: DealerSnapshot, words: Labels) -> tuple[tuple[ButtonPart, ...], ...]:
        open_now = self.desk.entry or self.desk.sure
        desks = [self.desk] if open_now else [replace(self.desk, page=page) for page in range(PAGES)]
        shown = (buttons(seen, desk, words) for desk in desks)
        return tuple(tuple(self._allowed(one) for one in page if one.label and one.keys != ("more",)) for page in shown)

    def _allowed(self, button: ButtonPart) -> ButtonPart:
        closed = self.role != "floor" and not self.desk.entry and FLOORS_KEYS.intersection(button.keys[:1])
        return replace(button, tone="off") if closed else button

    def press(self, pressed: Pressed) -> tuple[Said, ...] | None:
        """What goes to the table; None where the picture that was pressed on is too old, or never was."""
        found = [seen for at, seen in self._shown if at == pressed.at]
        if not found:
            return None
        seen = found[0] or BEFORE_ANYTHING
        self.changed += 1
        if pressed.seat is not None:
            self.desk = choose(self.desk, pressed.seat)
        said: list[Said] = []
        for key in pressed.keys[:MOST_KEYS]:
            if self.role != "floor" and not self.desk.entry and key in FLOORS_KEYS:
                self.desk = replace(self.desk, message="floors_key")
                break
            done = press(self.desk, key, seen)
            self.desk = done.desk
            if done.command is not None and may(self.role, done.command):
                said.append(Said(done.command, done.n if done.n is not None else seen.n))
        return tuple(said)
