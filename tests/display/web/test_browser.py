"""The pages in a real browser: drawn within a second, true again after a lost connection, and a whole hand through."""

import io
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pygame
import pytest
from msgspec.structs import replace

from controller import commands
from display.feed import Feed
from display.keys import Desk, press
from display.web.authority import Keys
from tests.display import samples
from tests.display.web.served import Table, serving, serving_at

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
REQUIRED = bool(os.environ.get("BETLINE_NEEDS_CHROMIUM"))  # set where a missing browser is a fault
SIZES = ((390, 844), (800, 480), (1920, 1080))
PATIENCE_MS = 15_000

if not REQUIRED:
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed here")
pytestmark = pytest.mark.skipif(CHROMIUM is None and not REQUIRED, reason="Chromium is not installed")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, "Chromium is needed here and is not installed"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def table() -> Iterator[Table]:
    with tempfile.TemporaryDirectory(prefix="bl-") as folder:
        opened = Table(Path(folder))
        opened.show(samples.README)
        yield opened
        opened.go_away()


@contextmanager
def opened(browser: Any, url: str, size: tuple[int, int] = (1280, 720), scheme: str = "dark") -> Iterator[Any]:
    """A page whose faults are faults of the test."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if "Content Security Policy" in line.text else None)
    page.goto(url)
    yield page
    context.close()
    assert faults == []


def until(page: Any, expression: str) -> None:
    """Ask until it is so. (The policy of the pages forbids what playwright's own waiting does.)"""
    end = time.monotonic() + PATIENCE_MS / 1000
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(10)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("name", ["readme", "ten-seats", "side-pots", "many-choices", "long-names"])
def test_nothing_of_the_table_runs_off_the_side_at_any_size(
    browser: Any, table: Table, size: tuple[int, int], scheme: str, name: str
) -> None:
    table.show(samples.SAMPLES[name])
    with serving(table, "ru") as url, opened(browser, url, size, scheme) as page:
        until(page, f"document.querySelectorAll('#seats > li').length == {len(samples.SAMPLES[name].seats)}")

        wide = page.evaluate(
            "Math.max(...[...document.querySelectorAll('body *')].map(e => e.getBoundingClientRect().right))"
        )
        left = page.evaluate(
            "Math.min(...[...document.querySelectorAll('body *')].map(e => e.getBoundingClientRect().left))"
        )

        assert left >= 0
        assert wide <= size[0] + 1
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_page_is_drawn_within_a_second_of_being_asked_for(browser: Any, table: Table) -> None:
    with serving(table) as url, opened(browser, "about:blank") as page:
        page.goto(url)
        page.wait_for_selector(".headline")

        drawn_ms = page.evaluate("performance.getEntriesByName('drawn')[0].startTime")

        assert drawn_ms < 1000


def test_the_table_page_shows_the_ruling_the_turn_and_the_bets(browser: Any, table: Table) -> None:
    with serving(table) as url, opened(browser, url) as page:
        page.wait_for_selector(".headline")

        assert page.inner_text(".headline").strip() == "Seat 4: Call 600"
        assert page.inner_text("#pot strong") == "5550"
        assert page.inner_text(".acts .who") == "Greta"
        assert page.inner_text('[data-seat="4"] .bet strong') == "600"
        assert page.inner_text(".move strong") == "400"
        assert page.locator("#board .card.h").count() == 1


def test_a_ruling_is_told_to_a_screen_reader_once_and_whole(browser: Any, table: Table) -> None:
    with serving(table) as url, opened(browser, url) as page:
        page.wait_for_selector(".headline")
        page.evaluate(
            "window.told = 0; new MutationObserver(() => told++).observe(document.getElementById('ruling'), {childList: true, subtree: true})"
        )
        assert page.get_attribute("#ruling", "aria-live") == "polite"

        table.show(replace(samples.README, n=9_000, pot_total=5_551))
        until(page, "document.querySelector('#pot strong').textContent == '5551'")

        assert page.evaluate("told") == 0, "the same ruling was said again"


def test_a_question_is_shown_with_its_readings_by_number_and_their_chips(browser: Any, table: Table) -> None:
    table.show(samples.WHICH_CHIPS)
    with serving(table) as url, opened(browser, url) as page:
        page.wait_for_selector("#question li")

        assert page.locator("#question li").count() == 3
        assert page.inner_text('#question [data-number="2"] .chip.c-red') == "500"
        assert page.is_hidden("#ruling")


def test_the_page_of_a_seat_marks_its_turn_and_what_it_owes(browser: Any, table: Table) -> None:
    with serving(table) as url, opened(browser, f"{url}/seat/7", (390, 844)) as page:
        page.wait_for_selector("body.acts")

        assert page.inner_text("#turn") == "YOUR TURN"
        assert page.inner_text("#owe strong") == "600"
        assert page.inner_text("#stack").replace("\u202f", " ") == "14 300"
        assert page.locator(".card").count() == 0


def test_a_voice_says_a_new_ruling_only_where_it_was_switched_on(browser: Any, table: Table) -> None:
    with serving(table) as url, opened(browser, url) as page:
        page.wait_for_selector(".headline")
        page.evaluate("() => { window.said = []; speechSynthesis.speak = (one) => said.push([one.lang, one.text]); }")
        table.show(samples.PREFLOP)
        until(page, "!document.querySelector('.headline').textContent.includes('Call 600')")
        assert page.evaluate("said") == []

        page.press("#speak", "Enter")
        table.show(samples.README)
        until(page, "said.length > 0")

        assert page.evaluate("said")[0] == ["en", "Seat 4: Call 600. One chip, no word: a call. 400 back."]
        page.reload()
        assert page.get_attribute("#speak", "aria-pressed") == "true"


def test_a_lost_server_is_told_and_the_page_comes_back_by_itself(browser: Any, table: Table) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with serving_at(port, table):
        page_of = opened(browser, f"http://127.0.0.1:{port}")
        page = page_of.__enter__()
        page.wait_for_selector(".headline")
    page.wait_for_selector("body.lost #banner.bad")
    table.show(samples.TEN)

    with serving_at(port, table):
        until(page, "document.querySelectorAll('#seats > li').length == 10")
        until(page, "!document.body.classList.contains('lost')")
        page_of.__exit__(None, None, None)


def test_a_lost_table_is_told_and_comes_back(browser: Any, table: Table) -> None:
    with serving(table) as url, opened(browser, url) as page:
        page.wait_for_selector(".headline")
        table.go_away()
        page.wait_for_selector("body.stale #banner.bad")

        table.come_back()
        table.show(samples.TEN)

        until(
            page, "document.querySelectorAll('#seats > li').length == 10 && !document.body.classList.contains('stale')"
        )


def test_a_whole_hand_of_the_simulated_table_is_followed_by_the_pages(browser: Any) -> None:
    """Both ends through the command line: `betline demo` plays, `betline web` shows."""
    with tempfile.TemporaryDirectory(prefix="bl-") as folder, demo(Path(folder)) as (path, playing), web(path) as url:
        feed = Feed(str(path))
        feed.start()
        told: set[str] = set()
        with opened(browser, url) as page:
            page.wait_for_selector("#seats > li")
            page.evaluate("""
                window.seen = new Set();
                setInterval(() => { const one = document.querySelector('.headline:not(.pencil)'); if (one) seen.add(one.textContent.trim()); }, 5);
            """)
            while playing.poll() is None:
                heard = feed.latest().snapshot
                if heard is not None and heard.ruling is not None:
                    told.add(heard.ruling.headline["en"])
                page.wait_for_timeout(5)
            seen = set(page.evaluate("[...seen]"))
            page.wait_for_selector("body.stale")
        feed.stop()

    assert playing.returncode == 0
    assert len(told & seen) >= 5, (told, seen)
    assert {re.sub(r"\s*inferred$", "", one) for one in seen} <= told, "the page said what the table did not"


@contextmanager
def demo(folder: Path) -> Iterator[tuple[Path, subprocess.Popen[bytes]]]:
    command = [sys.executable, "-m", "betline", "demo", "--headless", "--hands", "1", "--speed", "12", "--seed", "3"]
    playing = subprocess.Popen(
        command, env={**os.environ, "TMPDIR": str(folder)}, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + 60
        while not (found := list(folder.glob("betline-demo-*/public.sock"))):
            assert time.monotonic() < end
            assert playing.poll() is None
            time.sleep(0.02)
        yield found[0], playing
    finally:
        playing.terminate()
        playing.wait(20)


@contextmanager
def web(path: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "betline", "web", "--socket", str(path), "--port", str(port)]
    serving = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        assert serving.stdout is not None
        assert b"http://127.0.0.1" in serving.stdout.readline()
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.02)
        yield f"http://127.0.0.1:{port}"
    finally:
        serving.terminate()
        assert serving.wait(10) is not None
        serving.stdout.close() if serving.stdout else None


def test_the_overlay_is_transparent_and_has_bets_and_board_and_no_hidden_card(browser: Any, table: Table) -> None:
    with serving(table) as url, opened(browser, f"{url}/overlay", (1920, 1080), "light") as page:
        page.wait_for_selector("#seats .acts")

        drawn = pygame.image.load(io.BytesIO(page.screenshot(omit_background=True)))
        boxes = page.evaluate(
            "[...document.querySelectorAll('#seats > li')].map(e => Math.round(e.getBoundingClientRect().top))"
        )

        assert drawn.get_at((1_200, 300)).a == 0
        assert len(set(boxes)) == len(boxes) == sum(one.state != "empty" for one in samples.README.seats)
        assert page.inner_text("#pot strong") == "5550"
        assert page.locator("#board .card:not(.none)").count() == 4
        assert page.locator(".card").count() == 5
        assert page.locator("#seats b").all_inner_texts() == ["600", "600"]


def test_the_overlay_is_as_late_as_it_was_asked_to_be(browser: Any, table: Table) -> None:
    with serving(table) as url, opened(browser, f"{url}/overlay?delay=1.5") as page:
        page.wait_for_selector("#pot strong")
        until(page, "document.querySelector('#pot strong').textContent == '5550'")
        table.show(replace(samples.README, n=9_000, pot_total=5_551))
        began = time.monotonic()
        until(page, "document.querySelector('#pot strong').textContent == '5551'")

        assert 1.4 < time.monotonic() - began < 4


KEYS = Keys({"dealer": "d" * 40, "floor": "f" * 40})


def heard_by(table: Table, count: int, page: Any) -> list[Any]:
    end = time.monotonic() + PATIENCE_MS / 1000
    while len(table.told) < count:
        assert time.monotonic() < end, table.told
        page.wait_for_timeout(10)
    return [msgspec.to_builtins(command)["type"] for command, _ in table.told]


def test_each_control_of_the_floors_page_reaches_the_table_with_the_picture_that_was_seen(
    browser: Any, table: Table
) -> None:
    with serving(table, keys=KEYS) as url, opened(browser, f"{url}/floor#{'f' * 40}") as page:
        page.wait_for_selector("#controls button")
        told = page.evaluate("[...document.querySelectorAll('#controls button:enabled')].map(e => e.dataset.keys)")
        wanted = {key: press(Desk(), key, samples.README).command for key in told}
        sent = {key: command for key, command in wanted.items() if command is not None}
        for count, key in enumerate(sent, start=1):
            page.click(f'#controls button[data-keys="{key}"]')
            heard_by(table, count, page)

        assert {"c", "a", "f", "u"} <= set(sent)
        assert [command for command, _ in table.told] == list(sent.values())
        assert {n for _, n in table.told} == {samples.README.n}
        assert set(table.doors) == {"web"}
        assert "#" not in page.url, "the key stayed in the address"


def test_amounts_seats_and_questions_back_go_by_touch_and_by_keyboard(browser: Any, table: Table) -> None:
    with serving(table, keys=KEYS) as url, opened(browser, f"{url}/floor#{'f' * 40}") as page:
        page.wait_for_selector("#controls button")
        for key in ("r", "1", "2", "0", "0", "Enter"):
            page.keyboard.press(key)
        heard_by(table, 1, page)
        table.show(samples.BETWEEN)
        page.wait_for_selector('#controls button[data-keys="n"]:enabled')
        page.click('#seats > li[data-seat="3"]')
        page.wait_for_selector('#seats > li[data-seat="3"].selected')
        page.click('#controls button[data-keys="="]')
        for digit in "50":
            page.click(f'#controls button[data-keys="{digit}"]')
            page.wait_for_timeout(60)
        page.click('#controls button[data-keys="enter"]')
        heard_by(table, 2, page)

    raised, stack = (command for command, _ in table.told)
    assert raised == commands.Say(7, commands.Word("raise_to", 1200))
    assert stack == commands.SetStack(3, 50)


def test_a_question_is_answered_by_its_number_and_never_by_confirm(browser: Any, table: Table) -> None:
    table.show(samples.WHICH_CHIPS)
    with serving(table, keys=KEYS) as url, opened(browser, f"{url}/dealer#{'d' * 40}") as page:
        page.wait_for_selector("#question li")
        assert page.locator('#controls button[data-keys="enter"]').is_disabled()
        page.keyboard.press("Enter")
        page.wait_for_selector("#notices .refused")
        assert table.told == []

        page.click('#question li[data-number="2"]')
        heard_by(table, 1, page)

    assert table.told[0][0] == commands.Answer(question=22, reading=2)


def test_a_wrong_key_opens_nothing_and_says_so(browser: Any, table: Table) -> None:
    with serving(table, keys=KEYS) as url, opened(browser, f"{url}/dealer") as page:
        page.fill("#key", "guess")
        page.press("#key", "Enter")
        page.wait_for_selector("#banner.bad")

        assert page.is_hidden("main")
        page.fill("#key", "d" * 40)
        page.press("#key", "Enter")
        page.wait_for_selector("#controls button")
        assert page.locator('#controls button[data-keys="v"]').is_disabled(), "overrule is for the floor"
