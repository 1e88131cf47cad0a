"""The window without a display: events in, commands and pictures out."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
from msgspec.structs import replace

from controller.commands import Answer, Command, NextHand, Say, Word
from display import theme
from display.app import Settings, Window, key_name, live, picture
from display.errors import ScreenError
from display.feed import Feed, Heard
from display.keys import Desk
from display.layout import choice_rooms, layout
from display.parts import Link
from display.theme import Colour
from tests.display import samples

MARK: Colour = (1, 2, 3)


class Told(Feed):
    """A feed whose table is a value; what the screen sends is kept."""

    def __init__(self, heard: Heard) -> None:
        super().__init__("")
        self._heard = heard
        self.sent: list[Command] = []
        self.there = True

    def send(self, command: Command) -> bool:
        if self.there:
            self.sent.append(command)
        return self.there


@pytest.fixture(autouse=True)
def headless(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


def window(**more: object) -> Window:
    return Window(Settings("", **more))  # type: ignore[arg-type]


def key(cap: int, written: str = "", mod: int = 0) -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=cap, unicode=written, mod=mod)


def click(position: tuple[int, int]) -> pygame.event.Event:
    return pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=pygame.BUTTON_LEFT, pos=position)


def mark() -> None:
    pygame.display.get_surface().set_at((0, 0), MARK)


def marked() -> bool:
    return tuple(pygame.display.get_surface().get_at((0, 0)))[:3] == MARK


# ---------------------------------------------------------------- drawing
def test_the_picture_is_drawn_once_and_again_only_when_something_changed() -> None:
    shown, feed = window(), Told(live(samples.PREFLOP))
    shown.turn(feed)
    mark()
    shown.turn(feed)
    assert marked()
    feed._heard = live(samples.CHANGE)
    shown.turn(feed)
    assert not marked()


def test_a_snapshot_that_changes_nothing_on_the_screen_is_not_drawn() -> None:
    shown, feed = window(), Told(live(samples.PREFLOP))
    shown.turn(feed)
    mark()
    feed._heard = live(replace(samples.PREFLOP, n=9999, can_redo=True))
    shown.turn(feed)
    assert marked()


def test_a_window_uncovered_or_resized_is_drawn_again() -> None:
    shown, feed = window(), Told(live(samples.PREFLOP))
    shown.turn(feed)
    for kind in (pygame.WINDOWEXPOSED, pygame.WINDOWSIZECHANGED):
        mark()
        pygame.event.post(pygame.event.Event(kind))
        shown.turn(feed)
        assert not marked()


def test_a_refusal_is_shown_for_a_while_and_then_no_longer() -> None:
    """On a table where the chips decide nobody gives the next command for minutes."""
    refused = live(replace(samples.PREFLOP, last_refusal=samples.both("out of turn", "вне очереди")))
    shown = window()
    shown.show(refused, 100.0)
    mark()
    shown.show(refused, 107.0)
    assert marked()
    shown.show(refused, 109.0)
    assert not marked()
    assert shown._drawn is not None
    assert shown._drawn[0].notices == ()
    again = replace(refused, link=Link("live", refusal="no hand is open"))
    shown.show(again, 200.0)
    assert [notice.text for notice in shown._drawn[0].notices] == ["Refused: no hand is open"]


def test_full_screen_and_back() -> None:
    shown, feed = window(size=(800, 480)), Told(live(samples.PREFLOP))
    whole = pygame.display.get_desktop_sizes()[0]
    shown.take(key(pygame.K_F11), feed)
    shown.turn(feed)
    assert pygame.display.get_surface().get_size() == whole
    shown.take(key(pygame.K_F11), feed)
    shown.turn(feed)
    assert pygame.display.get_surface().get_size() == (800, 480)


def test_it_draws_in_the_size_that_was_asked_for() -> None:
    window(size=(800, 480))
    assert pygame.display.get_surface().get_size() == (800, 480)


# ---------------------------------------------------------------- keys and clicks
def test_a_key_becomes_a_command_on_the_dealers_socket() -> None:
    shown, feed = window(), Told(live(samples.PREFLOP))
    for cap, written in ((pygame.K_r, "r"), (pygame.K_6, "6"), (pygame.K_RETURN, "\r")):
        pygame.event.post(key(cap, written))
    assert shown.turn(feed)
    assert feed.sent == [Say(4, Word("raise_to", 6))]


def test_a_key_that_reaches_no_table_says_so() -> None:
    shown, feed = window(), Told(live(samples.PREFLOP))
    feed.there = False
    shown.take(key(pygame.K_n, "n"), feed)
    assert feed.sent == []
    assert shown.desk.message == "not_sent"


@pytest.mark.parametrize("settings", [{"dealer": False}, {}], ids=["public view", "public socket"])
def test_the_public_view_has_no_key_and_no_click_that_does_anything(settings: dict[str, bool]) -> None:
    heard = live(samples.QUESTION)
    shown = window(**settings)
    feed = Told(heard if settings else replace(heard, link=Link("live", commands=False)))
    plan = layout((1280, 720), 6)
    for written in "cknfaoptum?h123 vxX=":
        shown.take(key(ord(written), written), feed)
    for position in (plan.places[0].box.centre, choice_rooms(plan.panel, 3, plan.unit)[1].centre):
        shown.take(click(position), feed)
    shown.take(key(pygame.K_RETURN), feed)
    assert feed.sent == []
    assert shown.desk == Desk()


def test_a_key_answers_the_question_on_the_screen_and_not_one_that_came_in_since() -> None:
    shown, feed = window(), Told(live(samples.QUESTION))
    shown.turn(feed)
    feed._heard = live(samples.MANY_CHOICES)
    shown.take(key(pygame.K_1, "1"), feed)
    assert feed.sent == [Answer(question=17, reading=1)]


def test_a_touch_on_a_reading_answers_the_question() -> None:
    shown, feed = window(), Told(live(samples.QUESTION))
    plan = layout((1280, 720), 6)
    shown.take(click(choice_rooms(plan.panel, 3, plan.unit)[1].centre), feed)
    assert feed.sent == [Answer(question=17, reading=2)]


def test_a_touch_on_a_seat_chooses_it() -> None:
    shown, feed = window(), Told(live(samples.PREFLOP))
    place = layout((1280, 720), 9).places[1]
    shown.take(click(place.box.centre), feed)
    assert shown.desk.selected == 2
    shown.take(click((5, 5)), feed)
    assert shown.desk.selected == 2


def test_keys_and_touches_before_the_first_snapshot_do_no_harm() -> None:
    shown, feed = window(), Told(Heard(Link("waiting", path="/run/x.sock")))
    feed.there = False
    for written in "c1rn ?":
        shown.take(key(ord(written), written), feed)
    shown.take(click((600, 600)), feed)
    assert shown.turn(feed)


@pytest.mark.parametrize(
    ("event", "name"),
    [
        (key(pygame.K_KP_ENTER, "\r"), "enter"),
        (key(pygame.K_KP5, "5"), "5"),
        (key(pygame.K_EQUALS, "+", pygame.KMOD_SHIFT), "+"),
        (key(pygame.K_x, "X", pygame.KMOD_SHIFT), "X"),
        (key(pygame.K_SPACE, " "), "space"),
        (key(pygame.K_TAB, "\t"), ""),
        (key(pygame.K_LSHIFT), ""),
        (key(ord("с"), "с"), "с"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_keys_have_the_names_that_are_written_on_them(event: pygame.event.Event, name: str) -> None:
    assert key_name(event) == name


@pytest.mark.parametrize(
    "event",
    [
        pygame.event.Event(pygame.QUIT),
        key(pygame.K_q, "\x11", pygame.KMOD_CTRL),
        key(ord("й"), "", pygame.KMOD_LCTRL),
    ],
    ids=["closed", "Ctrl Q", "Ctrl Q on a Russian keyboard"],
)
def test_the_window_closes_when_it_is_told_to(event: pygame.event.Event) -> None:
    shown, feed = window(), Told(live(samples.PREFLOP))
    pygame.event.post(event)
    assert not shown.turn(feed)


def test_other_keys_with_ctrl_command_nothing() -> None:
    shown, feed = window(), Told(live(samples.PREFLOP))
    assert shown.take(key(pygame.K_n, "\x0e", pygame.KMOD_CTRL), feed)
    shown.take(key(pygame.K_n, "n"), feed)
    assert feed.sent == [NextHand()]


# ---------------------------------------------------------------- pictures and displays
def test_one_frame_goes_into_a_file_without_any_display(tmp_path: Path) -> None:
    picture(live(samples.CHANGE), Settings("", (800, 480)), tmp_path / "shot.png")
    drawn = pygame.image.load(tmp_path / "shot.png")
    assert drawn.get_size() == (800, 480)
    plan = layout((800, 480), 6)
    assert tuple(drawn.get_at(plan.places[5].box.inset(60, 12).centre))[:3] == theme.TURN
    assert pygame.display.get_surface() is None


def test_a_picture_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ScreenError, match="cannot be written") as caught:
        picture(live(samples.CHANGE), Settings(""), tmp_path / "none" / "shot.png")
    assert "\n" not in str(caught.value)


def test_no_display_is_one_line_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "none-of-that-name")
    with pytest.raises(ScreenError, match=r"no display to draw on \(.+\): .+--shot screen\.png") as caught:
        window()
    assert "\n" not in str(caught.value)


def test_a_driver_that_draws_where_nobody_looks_is_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """SDL takes "offscreen" by itself where it finds nothing else."""
    monkeypatch.delenv("SDL_VIDEODRIVER")
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "offscreen")
    monkeypatch.setattr(pygame.display, "set_mode", lambda *_: pygame.Surface((1280, 720)))
    monkeypatch.setattr(pygame.display, "init", lambda: None)
    monkeypatch.setenv("DISPLAY", ":99")
    with pytest.raises(ScreenError, match="no display to draw on"):
        window()


def test_a_terminated_screen_ends_well(tmp_path: Path) -> None:
    """SIGTERM comes as a QUIT event; the feed is asked for only once the window is there."""
    path = tmp_path / "dealer.sock"
    code = "import sys; from betline.main import main; main()"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        listening.settimeout(30)
        command = [sys.executable, "-c", code, "screen", "--socket", str(path)]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
            connection, _ = listening.accept()
            process.terminate()
            _, said = process.communicate(timeout=30)
            connection.close()
    assert (process.returncode, said) == (0, b"")
