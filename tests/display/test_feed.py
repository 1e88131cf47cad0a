"""The feed against real Unix sockets: the table's own server, and servers that misbehave."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.commands import By, Command, NextHand, Undo
from controller.publish.feeds import Feeds
from controller.publish.requests import Reply
from controller.snapshot import Snapshot
from display.errors import FeedError
from display.feed import Feed, Heard
from tests.display import samples

PATIENCE_S = 10.0
PUBLIC = Snapshot(**{f: getattr(samples.PREFLOP, f) for f in Snapshot.__struct_fields__})


class Table:
    """The table's own feeds; refuses what it is told to refuse."""

    def __init__(self, folder: Path) -> None:
        self.public, self.dealer = folder / "public.sock", folder / "dealer.sock"
        self.told: list[tuple[Command, By]] = []
        self.numbers: list[int | None] = []
        self.refusal: str | None = None
        self.feeds = Feeds(self.public, self.dealer, self._take)

    def _take(self, command: Command, by: By, reply: Reply, n: int | None = None, /) -> None:
        self.told.append((command, by))
        self.numbers.append(n)
        reply(self.refusal)

    def open(self) -> "Table":
        self.feeds.start()
        return self

    def show(self, n: int = 1) -> None:
        self.feeds.show(replace(PUBLIC, n=n), replace(samples.PREFLOP, n=n))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    opened = Table(tmp_path).open()
    yield opened
    opened.feeds.stop()


@pytest.fixture
def follow() -> Iterator[Callable[[Path], Feed]]:
    started: list[Feed] = []

    def start(path: Path) -> Feed:
        feed = Feed(str(path))
        feed.start()
        started.append(feed)
        return feed

    yield start
    for feed in started:
        feed.stop()


def until(feed: Feed, wanted: Callable[[Heard], object]) -> Heard:
    end = time.monotonic() + PATIENCE_S
    while not wanted(feed.latest()):
        assert time.monotonic() < end, feed.latest()
        feed.wait(0.05)
    return feed.latest()


def numbered(n: int) -> Callable[[Heard], object]:
    return lambda heard: heard.snapshot is not None and heard.snapshot.n == n and heard.link.state == "live"


def in_state(state: str) -> Callable[[Heard], object]:
    return lambda heard: heard.link.state == state


def test_the_latest_snapshot_arrives_and_then_the_next(table: Table, follow: Callable[[Path], Feed]) -> None:
    feed = follow(table.dealer)
    table.show(1)
    assert until(feed, numbered(1)).snapshot == replace(samples.PREFLOP, n=1)
    table.show(2)
    until(feed, numbered(2))


def test_a_table_that_says_nothing_is_silent_until_it_says_something(table: Table) -> None:
    feed = Feed(str(table.dealer), silent_s=0.2)
    feed.start()
    try:
        table.show(1)
        until(feed, numbered(1))
        heard = until(feed, in_state("silent"))
        assert heard.snapshot == replace(samples.PREFLOP, n=1), "what was heard last stays"
        assert heard.link.since
        assert not feed.send(NextHand()), "nobody would hear it"
        table.show(2)
        assert until(feed, numbered(2)).link.silent_s == 0
    finally:
        feed.stop()


def test_a_silent_table_that_hangs_up_is_lost(table: Table) -> None:
    feed = Feed(str(table.dealer), silent_s=0.2)
    feed.start()
    try:
        table.show(1)
        until(feed, in_state("silent"))
        table.feeds.stop()
        until(feed, in_state("lost"))
    finally:
        feed.stop()


def test_who_comes_late_gets_the_whole_table_at_once(table: Table, follow: Callable[[Path], Feed]) -> None:
    table.show(5)
    assert until(follow(table.dealer), numbered(5)).link.commands


def test_commands_reach_the_table_as_the_dealers(table: Table, follow: Callable[[Path], Feed]) -> None:
    table.show()
    feed = follow(table.dealer)
    until(feed, numbered(1))
    assert feed.send(NextHand())
    until(feed, lambda _: table.told)
    assert table.told == [(NextHand(), "dealer")]


def test_a_refusal_comes_back_and_goes_with_the_next_command_that_is_done(
    table: Table, follow: Callable[[Path], Feed]
) -> None:
    table.show()
    table.refusal = "no hand is open"
    feed = follow(table.dealer)
    until(feed, numbered(1))
    feed.send(Undo())
    until(feed, lambda heard: heard.link.refusal == "no hand is open")
    table.show(2)
    assert until(feed, numbered(2)).link.refusal == "no hand is open"
    table.refusal = None
    feed.send(Undo())
    until(feed, lambda heard: not heard.link.refusal)


def test_the_publics_socket_is_known_to_take_no_commands(table: Table, follow: Callable[[Path], Feed]) -> None:
    table.show()
    assert not until(follow(table.public), numbered(1)).link.commands


def test_a_table_that_ends_leaves_the_last_snapshot_marked_old_and_one_that_comes_back_is_found(
    tmp_path: Path, follow: Callable[[Path], Feed]
) -> None:
    first = Table(tmp_path).open()
    first.show(7)
    feed = follow(first.dealer)
    until(feed, numbered(7))
    first.feeds.stop()
    heard = until(feed, in_state("lost"))
    assert heard.snapshot == replace(samples.PREFLOP, n=7)
    assert len(heard.link.since.split(":")) == 3
    assert not feed.send(Undo())
    second = Table(tmp_path).open()
    try:
        second.show(8)
        assert until(feed, numbered(8)).link.since == ""
    finally:
        second.feeds.stop()


def test_a_table_that_starts_after_the_screen_is_found(tmp_path: Path, follow: Callable[[Path], Feed]) -> None:
    feed = follow(tmp_path / "dealer.sock")
    heard = until(feed, lambda heard: heard.link.why)
    assert (heard.link.state, heard.snapshot, heard.link.why) == ("waiting", None, "No such file or directory")
    late = Table(tmp_path).open()
    try:
        late.show(1)
        until(feed, numbered(1))
    finally:
        late.feeds.stop()


def test_without_a_table_nothing_is_sent(tmp_path: Path, follow: Callable[[Path], Feed]) -> None:
    assert not follow(tmp_path / "none.sock").send(Undo())


def test_for_one_picture_a_missing_table_is_an_error_with_the_cure(
    tmp_path: Path, follow: Callable[[Path], Feed]
) -> None:
    with pytest.raises(FeedError, match=r"none\.sock: no table answers there: start betline run") as caught:
        follow(tmp_path / "none.sock").first(0.2)
    assert "\n" not in str(caught.value)


def test_for_one_picture_the_first_snapshot_is_enough(table: Table, follow: Callable[[Path], Feed]) -> None:
    table.show(3)
    assert follow(table.dealer).first(PATIENCE_S).snapshot == replace(samples.PREFLOP, n=3)


class Strange:
    """A server that says what it likes to whoever comes, and then hangs up."""

    def __init__(self, path: Path, *says: bytes) -> None:
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(str(path))
        self.listening.listen()
        self.says = says
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        for said in self.says:
            with self.listening.accept()[0] as connection:
                connection.sendall(said)
        self.listening.close()


def test_a_table_of_another_version_is_said_to_be_one_and_a_good_one_after_it_is_shown(
    tmp_path: Path, follow: Callable[[Path], Feed]
) -> None:
    path = tmp_path / "dealer.sock"
    Strange(path, b'{"hello": 9}\n')
    feed = follow(path)
    assert until(feed, in_state("mismatch")).link.why == "feed version 9"
    path.unlink()
    good = Table(tmp_path).open()
    try:
        good.show(4)
        assert until(feed, numbered(4)).link.why == ""
    finally:
        good.feeds.stop()


def test_rubbish_between_two_snapshots_loses_neither(tmp_path: Path, follow: Callable[[Path], Feed]) -> None:
    from controller.publish import lines

    path = tmp_path / "dealer.sock"
    said = lines.snapshot(replace(samples.PREFLOP, n=1)) + b"\x00\xff{{{\n\n" + lines.snapshot(samples.CHANGE)
    Strange(path, said, said)
    heard = until(follow(path), in_state("lost"))
    assert heard.snapshot == samples.CHANGE


def test_a_stopped_feed_ends_its_thread(table: Table, follow: Callable[[Path], Feed]) -> None:
    table.show()
    feed = follow(table.dealer)
    until(feed, numbered(1))
    feed.stop()
    assert not any(thread.name == "feed" and thread is feed._thread for thread in threading.enumerate())
