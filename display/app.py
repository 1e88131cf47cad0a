"""The window: hears the feed and the keys, draws when something changed, and sleeps in between.

`run` shows a table for ever; `picture` draws one frame into a file and needs no display at all.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pygame

from controller.snapshot import ChoiceView, DealerSnapshot, Language, Snapshot, Text, ThemeName
from controller.texts.languages import ENGLISH
from display.draw import draw
from display.errors import ScreenError
from display.feed import Feed, Heard
from display.keys import Desk, choose, press
from display.labels import key_caps, labels
from display.layout import button_rooms, choice_rooms, layout
from display.palettes import palette
from display.parts import ButtonPart, Link, View
from display.plan import BUTTONS_FROM, SMALLEST, Layout
from display.rect import Rect
from display.view import BEFORE_ANYTHING, MOST_CHOICES, view

REFUSAL_S = 8.0  # how long a refusal stays to be read; then the strip is for what is true now
TWICE_S = 0.3  # a second touch so soon is the same finger, except on a keypad
PAUSE_S = 0.04  # how long a key may wait; 25 looks a second cost less than one per cent of a core
NAMES = {
    pygame.K_RETURN: "enter",
    pygame.K_KP_ENTER: "enter",
    pygame.K_BACKSPACE: "backspace",
    pygame.K_ESCAPE: "esc",
    pygame.K_SPACE: "space",
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_F11: "f11",
}
NO_DISPLAY = (
    "no display to draw on ({why}): start it on a desktop or on a console of a user in the groups video and render, "
    "or draw one frame into a file with --shot screen.png"
)


class Settings(msgspec.Struct, frozen=True):
    socket: str
    size: tuple[int, int] = (1280, 720)  # pixels of the window
    language: Language = ENGLISH
    dealer: bool = True  # shows keys and takes them; False: for everybody to see
    buttons: bool = True  # the dealer's screen has buttons for fingers
    fullscreen: bool = False
    theme: ThemeName = "dark"
    clock: bool = True  # in the top line


def run(settings: Settings, turned: Callable[[], None] = lambda: None) -> None:
    """Show the table until the window is closed. ScreenError where there is no display.

    `turned` is called after each look at keys and feed: a service tells its manager so that the screen is alive.
    """
    window = Window(settings)
    feed = Feed(settings.socket)
    feed.start()
    try:
        while window.turn(feed):
            turned()
            feed.wait(PAUSE_S)
    finally:
        feed.stop()
        pygame.display.quit()


def picture(heard: Heard, settings: Settings, path: Path) -> None:
    """Draw one frame into a PNG file."""
    surface = pygame.Surface(settings.size)
    paint(surface, heard, Desk(), settings)
    try:
        pygame.image.save(surface, os.fspath(path))
    except (OSError, pygame.error) as error:
        raise ScreenError(f"{path}: cannot be written ({error}): choose another folder") from error


def paint(surface: pygame.Surface, heard: Heard, desk: Desk, settings: Settings) -> None:
    shown = view_of(heard, desk, surface.get_size(), settings)
    draw(surface, shown, plan_of(shown, surface.get_size()), palette(settings.theme))


def view_of(heard: Heard, desk: Desk, size: tuple[int, int], settings: Settings, clock: str = "") -> View:
    words, dealer, touch = labels(settings.language), takes_keys(heard, settings), has_buttons(heard, size, settings)
    return view(heard.snapshot, heard.link, desk, words, dealer=dealer, touch=touch, clock=clock)


def takes_keys(heard: Heard, settings: Settings) -> bool:
    return settings.dealer and heard.link.commands


def has_buttons(heard: Heard, size: tuple[int, int], settings: Settings) -> bool:
    """Only who may command has buttons, and only where a finger can meet them."""
    large = max(size) >= BUTTONS_FROM[0] and min(size) >= BUTTONS_FROM[1]
    return settings.buttons and large and takes_keys(heard, settings)


def plan_of(shown: View, size: tuple[int, int]) -> Layout:
    """Where a view is drawn on a screen of this size."""
    buttons, notices = bool(shown.buttons), min(2, len(shown.notices))
    return layout(size, len(shown.seats), side_pots=bool(shown.pots), buttons=buttons, notices=notices)


class Window:
    """What is on the screen, and what the dealer is in the middle of."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.desk = Desk()
        self._drawn: tuple[View, tuple[int, int]] | None = None
        self._judged: tuple[Heard, Desk, str] | None = None  # of which the view was drawn, and at what time
        self._on_screen: Heard | None = None  # what a key answers: not what came in since
        self._refused: tuple[str, Text | None] = ("", None)
        self._refused_at_s = 0.0
        self._touched: tuple[ButtonPart | None, float] = (None, 0.0)  # what, and when (monotonic)
        self._fullscreen = settings.fullscreen
        self._surface = _open(settings)

    def turn(self, feed: Feed) -> bool:
        """One look at keys and feed; False when the window was closed."""
        for event in pygame.event.get():
            if not self.take(event, feed):
                return False
        self.show(feed.latest(), time.monotonic(), time.strftime("%H:%M") if self.settings.clock else "")
        return True

    def take(self, event: pygame.event.Event, feed: Feed) -> bool:
        """What one event does; False: close the window."""
        if event.type == pygame.QUIT:
            return False
        if event.type in (pygame.WINDOWSIZECHANGED, pygame.WINDOWEXPOSED):
            self._drawn = self._judged = None
        elif event.type == pygame.KEYDOWN:
            if event.mod & pygame.KMOD_CTRL:
                return event.key != pygame.K_q and key_caps().get(event.key) != "q"
            self._key(key_name(event), feed)
        elif (position := touched_at(event, self._surface.get_size())) is not None:
            self._touch(position, feed, time.monotonic())
        return True

    def show(self, heard: Heard, now_s: float, clock: str = "") -> None:
        """Draw what was heard, if it differs from what is on the screen. `now_s` is monotonic, `clock` for people."""
        heard = self._without_old_refusals(heard, now_s)
        if self._judged == (heard, self.desk, clock):
            return
        self._judged, self._on_screen = (heard, self.desk, clock), heard
        self._surface = pygame.display.get_surface() or self._surface
        size = self._surface.get_size()
        wanted = view_of(heard, self.desk, size, self.settings, clock), size
        if wanted != self._drawn:
            self._drawn = wanted
            draw(self._surface, wanted[0], plan_of(*wanted), palette(self.settings.theme))
            pygame.display.flip()

    def _without_old_refusals(self, heard: Heard, now_s: float) -> Heard:
        refused = heard.link.refusal, heard.snapshot.last_refusal if heard.snapshot else None
        if refused != self._refused:
            self._refused, self._refused_at_s = refused, now_s
        if refused == ("", None) or now_s - self._refused_at_s < REFUSAL_S:
            return heard
        snapshot = msgspec.structs.replace(heard.snapshot, last_refusal=None) if heard.snapshot else None
        return Heard(msgspec.structs.replace(heard.link, refusal=""), snapshot)

    def _key(self, name: str, feed: Feed) -> None:
        if name == "f11":
            self._fullscreen = not self._fullscreen
            self._surface = _mode(self.settings.size, fullscreen=self._fullscreen)
            self._drawn = self._judged = None
        elif name and takes_keys(heard := self._on_screen or feed.latest(), self.settings):
            self._press(name, heard.snapshot, feed)

    def _press(self, key: str, seen: Snapshot | None, feed: Feed) -> None:
        """One key of somebody who looks at this picture: what he says belongs to the turn that it shows."""
        pressed = press(self.desk, key, seen or BEFORE_ANYTHING)
        self.desk = pressed.desk
        n = pressed.n if pressed.n is not None or seen is None else seen.n
        if pressed.command is not None and not feed.send(pressed.command, n):
            self.desk = msgspec.structs.replace(self.desk, message="not_sent")

    def _touch(self, position: tuple[int, int], feed: Feed, now_s: float) -> None:
        """A finger or a click: a button, a reading of the question, or a seat. It answers what is on the screen."""
        heard = self._on_screen or feed.latest()
        if not takes_keys(heard, self.settings) or heard.snapshot is None:
            return
        shown = view_of(heard, self.desk, self._surface.get_size(), self.settings)
        plan = plan_of(shown, self._surface.get_size())
        button = _button_at(position, shown, plan)
        before, at_s = self._touched
        self._touched = button, now_s
        meant_twice = before is not None and before.repeats and button is not None and button.repeats
        if now_s - at_s < TWICE_S and not meant_twice:
            return
        if self.desk.help:
            self.desk = Desk(selected=self.desk.selected, page=self.desk.page)
        elif button is not None:
            self._press_all(button.keys, heard.snapshot, feed)
        elif reading := _reading_at(position, heard.snapshot, self.desk, plan):
            self._press_all(reading, heard.snapshot, feed)
        else:
            self._touch_seat(position, heard.snapshot, plan)

    def _press_all(self, keys: tuple[str, ...], seen: Snapshot, feed: Feed) -> None:
        for key in keys:
            self._press(key, seen, feed)

    def _touch_seat(self, position: tuple[int, int], seen: Snapshot, plan: Layout) -> None:
        for seat, place in zip(seen.seats, plan.places, strict=False):
            if place.box.holds(position):
                self.desk = choose(self.desk, seat.seat)


def touched_at(event: pygame.event.Event, size: tuple[int, int]) -> tuple[int, int] | None:
    """Where a finger or the left mouse button went down; None for every other event.

    SDL makes a click of every touch as well (`touch` is true then): that one is not counted again.
    """
    if event.type == pygame.FINGERDOWN:
        return int(event.x * size[0]), int(event.y * size[1])
    if (
        event.type == pygame.MOUSEBUTTONDOWN
        and event.button == pygame.BUTTON_LEFT
        and not getattr(event, "touch", False)
    ):
        return event.pos[0], event.pos[1]
    return None


def _button_at(position: tuple[int, int], shown: View, plan: Layout) -> ButtonPart | None:
    rooms = button_rooms(plan.column, tuple(button.wide for button in shown.buttons), plan.unit)
    found = (button for button, room in zip(shown.buttons, rooms, strict=True) if room.holds(position))
    return next(found, None)


def _reading_at(position: tuple[int, int], seen: Snapshot, desk: Desk, plan: Layout) -> tuple[str, ...]:
    """Keys that choose the reading at a point: of the question or, while overruling, of the last ruling."""
    if seen.question is not None:
        free = not (desk.entry or desk.sure)
        number = _number_at(position, seen.question.choices, plan.panel, plan.unit) if free else ""
        return ("esc", number) if number else ()
    ruling = seen.ruling
    if desk.entry != "overrule" or ruling is None or desk.selected not in (None, ruling.seat):
        return ()
    number = _number_at(position, ruling.readings, plan.ruling, plan.unit)
    return ("esc", "v", number, "enter") if number else ()


def _number_at(position: tuple[int, int], choices: tuple[ChoiceView, ...], panel: Rect, unit: float) -> str:
    shown = choices[:MOST_CHOICES]
    rooms = choice_rooms(panel, len(shown), unit)
    return next((str(c.number) for c, room in zip(shown, rooms, strict=True) if room.holds(position)), "")


def key_name(event: pygame.event.Event) -> str:
    """The name of a key as `keys.press` knows it; "" for one that it does not know."""
    if event.key in NAMES:
        return NAMES[event.key]
    written: str = event.unicode
    return written if written.isprintable() and len(written) == 1 else ""


def _open(settings: Settings) -> pygame.Surface:
    _choose_driver()
    os.environ.setdefault("SDL_TOUCH_MOUSE_EVENTS", "0")  # a touch is a touch and no click
    try:
        pygame.display.init()
        surface = _mode(settings.size, fullscreen=settings.fullscreen)
    except pygame.error as error:
        pygame.display.quit()
        raise ScreenError(NO_DISPLAY.format(why=str(error) or "no video driver")) from error
    if pygame.display.get_driver() == "offscreen" and "SDL_VIDEODRIVER" not in os.environ:
        pygame.display.quit()
        raise ScreenError(NO_DISPLAY.format(why="SDL found none"))  # it would draw where nobody looks
    pygame.display.set_caption("betline")
    pygame.mouse.set_visible(settings.dealer)
    if min(surface.get_width() / SMALLEST[0], surface.get_height() / SMALLEST[1]) < 1:
        pygame.display.quit()
        raise ScreenError(f"this display is smaller than {SMALLEST[0]}x{SMALLEST[1]}: nobody could read it")
    return surface


def live(snapshot: DealerSnapshot) -> Heard:
    """A snapshot from a file, as if it had just been heard."""
    return Heard(Link("live"), snapshot)


def _mode(size: tuple[int, int], *, fullscreen: bool) -> pygame.Surface:
    """The whole display in its own size, or a window."""
    if fullscreen:
        return pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
    return pygame.display.set_mode(size, pygame.RESIZABLE)


def _choose_driver() -> None:
    """Where no desktop is running, the console itself (KMSDRM): SDL would fall back to drawing where nobody looks."""
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", "/nonexistent"))
    desktop = "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ or (runtime / "wayland-0").exists()
    if not desktop:
        os.environ.setdefault("SDL_VIDEODRIVER", "kmsdrm")
