"""The window without a display: events in, commands and pictures out."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
from msgspec.structs import replace

from controller.commands import (
    Answer,
    Award,
    BetOf,
    Command,
    Confirm,
    Misdeal,
    NextHand,
    NextStreet,
    OutOfTurn,
    Overrule,
    Redo,
    Say,
    SeatOut,
    SetBets,
    SetBlinds,
    Undo,
    Word,
)
from display import app
from display.app import Settings, Window, key_name, live, picture
from display.errors import ScreenError
from display.feed import Feed, Heard
from display.keys import Desk
from display.layout import button_rooms, choice_rooms, layout
from display.palettes import DARK, Colour
from display.parts import Link, View
from display.plan import Layout
from tests.display import samples

MARK: Colour = (1, 2, 3)


class Told(Feed):
    """A feed whose table is a value; what the screen sends is kept."""

    def __init__(self, heard: Heard) -> None:
        super().__init__("")
        self._heard = heard
        self.sent: list[Command] = []
        self.numbers: list[int | None] = []  # of the snapshots that were on the screen
        self.there = True

    def send(self, command: Command, n: int | None = None) -> bool:
        if self.there:
            self.sent.append(command)
            self.numbers.append(n)
        return self.there


@pytest.fixture(autouse=True)
def headless(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


def window(**more: object) -> Window:
    return Window(Settings("", clock=False, **more))  # type: ignore[arg-type]


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


def test_the_next_minute_is_drawn_and_the_same_one_is_not() -> None:
    shown, heard = window(), live(samples.PREFLOP)
    shown.show(heard, 1.0, "21:14")
    mark()
    shown.show(heard, 2.0, "21:14")
    assert marked()
    shown.show(heard, 3.0, "21:15")
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
    assert feed.numbers == [samples.PREFLOP.n], "of the picture that the person looked at"


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
    plan = layout((1280, 720), 6, buttons=True)
    shown.take(click(choice_rooms(plan.panel, 3, plan.unit)[1].centre), feed)
    assert feed.sent == [Answer(question=17, reading=2)]


def test_a_touch_on_a_seat_chooses_it() -> None:
    shown, feed = window(), Told(live(samples.PREFLOP))
    place = layout((1280, 720), 9, buttons=True).places[1]
    shown.take(click(place.box.centre), feed)
    assert shown.desk.selected == 2
    shown.take(click((5, 5)), feed)
    assert shown.desk.selected == 2


# ---------------------------------------------------------------- fingers
class Fingers:
    """A finger on the glass of a 1280x720 panel: SDL's own events, through its queue. Touches are a second apart."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, heard: Heard, **settings: object) -> None:
        self.now_s = 100.0
        monkeypatch.setattr(app.time, "monotonic", lambda: self.now_s)
        self.window, self.feed = window(**settings), Told(heard)
        self.window.turn(self.feed)

    def at(self, position: tuple[int, int], *, after_s: float = 1.0) -> None:
        self.now_s += after_s
        x, y = position[0] / 1280, position[1] / 720
        down = {"touch_id": 1, "finger_id": 0, "x": x, "y": y, "dx": 0.0, "dy": 0.0, "pressure": 1.0}
        pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, **down))
        pygame.event.post(pygame.event.Event(pygame.FINGERUP, **down))
        assert self.window.turn(self.feed)

    def on(self, *labels: str, after_s: float = 1.0) -> None:
        """Touch the buttons with these labels, one after the other."""
        for label in labels:
            shown = self.view.buttons
            rooms = button_rooms(self.plan.column, tuple(button.wide for button in shown), self.plan.unit)
            self.at(next(r for b, r in zip(shown, rooms, strict=True) if b.label == label).centre, after_s=after_s)

    @property
    def view(self) -> View:
        assert self.window._drawn is not None
        return self.window._drawn[0]

    @property
    def plan(self) -> Layout:
        return app.plan_of(
            app.view_of(self.feed.latest(), self.window.desk, (1280, 720), self.window.settings), (1280, 720)
        )


TOUCHES = [
    (["CALL 600"], Say(4, Word("call"))),
    (["FOLD"], Say(4, Word("fold"))),
    (["ALL-IN"], Say(4, Word("all_in"))),
    (["RAISE …", "1", "6", "00", "OK"], Say(4, Word("raise_to", 1600))),
    (["RAISE …", "RAISE BY", "4", "00", "⌫", "0", "OK"], Say(4, Word("raise_by", 400))),
    (["CONFIRM"], Confirm()),
    (["UNDO"], Undo()),
    (["NEXT HAND"], NextHand()),
    (["MORE …", "NEXT STREET"], NextStreet()),
    (["MORE …", "WHO WINS …", "3", "AND", "6", "OK"], Award(0, (3, 6))),
    (["MORE …", "MISDEAL", "YES"], Misdeal()),
    (
        ["MORE …", "OVERRULE …", "ALL BETS …", "1", "AND", "2", "0", "0", "AND", "3", "ALL-IN", "6", "FOLD", "OK"],
        SetBets((BetOf(1, 200), BetOf(3), BetOf(6, folds=True))),
    ),
    (["MORE …", "MORE …", "BLINDS …", "2", "0", "AND", "4", "0", "OK"], SetBlinds(20, 40)),
    (["MORE …", "MORE …", "REDO"], Redo()),
]


@pytest.mark.parametrize(("labels", "command"), TOUCHES, ids=[" ".join(row[0]) for row in TOUCHES])
def test_a_finger_does_what_the_keys_do(monkeypatch: pytest.MonkeyPatch, labels: list[str], command: Command) -> None:
    fingers = Fingers(monkeypatch, live(samples.PREFLOP))
    fingers.on(*labels)
    assert fingers.feed.sent == [command]
    assert fingers.feed.numbers == [samples.PREFLOP.n]
    assert fingers.window.desk == Desk()


def test_a_finger_on_a_seat_and_on_a_button_is_a_word_of_that_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    fingers = Fingers(monkeypatch, live(samples.PREFLOP))
    fingers.at(fingers.plan.places[1].box.centre)
    assert fingers.window.desk.selected == 2
    fingers.on("FOLD")
    fingers.at(fingers.plan.places[6].box.centre)
    fingers.on("MORE …", "OUT OF TURN", "CALL")
    fingers.at(fingers.plan.places[1].box.centre)
    fingers.on("MORE …", "MORE …", "SEAT OUT")
    assert fingers.feed.sent == [Say(2, Word("fold")), OutOfTurn(7, Word("call")), SeatOut(2)]


def test_a_finger_on_confirm_chooses_none_of_several_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    fingers = Fingers(monkeypatch, live(samples.QUESTION))
    fingers.on("CONFIRM")
    assert fingers.feed.sent == []
    fingers = Fingers(monkeypatch, live(samples.AGREE))
    fingers.on("CONFIRM")
    assert fingers.feed.sent == [Confirm()]


def test_a_finger_chooses_a_reading_of_a_question_and_of_the_last_ruling(monkeypatch: pytest.MonkeyPatch) -> None:
    fingers = Fingers(monkeypatch, live(samples.QUESTION))
    fingers.at(choice_rooms(fingers.plan.panel, 3, fingers.plan.unit)[2].centre)
    assert fingers.feed.sent == [Answer(question=17, reading=3)]
    readings = samples.QUESTION.question.choices if samples.QUESTION.question else ()
    ruled = replace(samples.PREFLOP, ruling=replace(samples.RAISE, readings=readings))
    fingers = Fingers(monkeypatch, live(ruled))
    fingers.on("MORE …", "OVERRULE …")
    fingers.at(choice_rooms(fingers.plan.ruling, 3, fingers.plan.unit)[1].centre)
    assert fingers.feed.sent == [Overrule(reading=2)]


def test_a_trembling_finger_says_a_word_once_and_a_digit_as_often_as_it_taps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second touch would be the next player's word."""
    fingers = Fingers(monkeypatch, live(samples.PREFLOP))
    fingers.on("CALL 600", "CALL 600", after_s=0.1)
    assert fingers.feed.sent == [Say(4, Word("call"))]
    fingers.on("RAISE …")
    fingers.on("5", "5", "5", after_s=0.1)
    assert fingers.window.desk.typed == "55", "the first of them came with the button's touch"
    fingers.on("OK")
    assert fingers.feed.sent[1:] == [Say(4, Word("raise_to", 55))]


def test_the_click_that_sdl_makes_of_a_touch_is_not_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    fingers = Fingers(monkeypatch, live(samples.PREFLOP))
    made = {"button": pygame.BUTTON_LEFT, "pos": fingers.plan.places[1].box.centre, "touch": True}
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, **made))
    fingers.window.turn(fingers.feed)
    assert fingers.window.desk == Desk()


def test_a_finger_closes_the_help_and_does_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    fingers = Fingers(monkeypatch, live(samples.PREFLOP))
    fingers.on("MORE …", "MORE …", "KEYS")
    assert fingers.window.desk.help
    fingers.at(fingers.plan.column.centre)
    assert not fingers.window.desk.help
    assert fingers.feed.sent == []


@pytest.mark.parametrize(
    ("settings", "commands"), [({"dealer": False}, True), ({}, False)], ids=["public view", "public socket"]
)
def test_the_public_screen_has_no_buttons_and_no_finger_does_anything_there(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, bool], commands: bool
) -> None:
    heard = replace(live(samples.QUESTION), link=Link("live", commands=commands))
    fingers = Fingers(monkeypatch, heard, **settings)
    assert fingers.view.buttons == ()
    assert fingers.plan.column.w == 0
    for x in range(20, 1280, 60):
        for y in range(20, 720, 60):
            fingers.at((x, y))
    assert fingers.feed.sent == []
    assert fingers.window.desk == Desk()


def test_a_screen_too_small_for_fingers_has_no_buttons() -> None:
    heard, settings = live(samples.PREFLOP), Settings("")
    assert [app.has_buttons(heard, size, settings) for size in ((480, 320), (800, 480))] == [False, True]


def test_a_dealer_with_a_keyboard_alone_may_do_without_buttons(monkeypatch: pytest.MonkeyPatch) -> None:
    fingers = Fingers(monkeypatch, live(samples.PREFLOP), buttons=False)
    assert fingers.view.buttons == ()
    assert fingers.plan == layout((1280, 720), 9)
    fingers.at(fingers.plan.places[1].box.centre)
    assert fingers.window.desk.selected == 2


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
    plan = layout((800, 480), 6, buttons=True)
    box = plan.places[5].box
    assert tuple(drawn.get_at((box.right - 6, box.centre[1])))[:3] == DARK.turn
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
