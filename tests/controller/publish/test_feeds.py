"""The local feeds, over real Unix sockets."""

import json
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller import commands
from controller.authority.gate import Gate
from controller.authority.signing import Key, sign
from controller.errors import FeedError
from controller.publish import feeds as feeds_module
from controller.publish import lines
from controller.publish.feeds import Feeds
from controller.publish.requests import Reply
from controller.service.service import IDLE_S
from controller.snapshot import DealerSnapshot, NoticeView, Snapshot


class Client:
    """A reader of a feed."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(10)
        self.socket.connect(str(path))
        self.file = self.socket.makefile("rwb")

    def line(self) -> dict:
        return json.loads(self.file.readline())

    def lines_until(self, wanted: Callable[[dict], bool]) -> list[dict]:
        seen = [self.line()]
        while not wanted(seen[-1]):
            seen.append(self.line())
        return seen

    def write(self, data: bytes) -> None:
        self.file.write(data)
        self.file.flush()

    def close(self) -> None:
        self.file.close()
        self.socket.close()


def eventually(wanted: Callable[[], bool]) -> None:
    """Wait for what another thread does; only a broken one makes this long."""
    until = time.monotonic() + 10
    while not wanted():
        assert time.monotonic() < until
        time.sleep(0.002)


class Table:
    """Both feeds of a table, and a core that answers every command with what it was told to."""

    def __init__(self, folder: Path) -> None:
        self.public, self.dealer = folder / "public.sock", folder / "dealer.sock"
        self.told: list[tuple[object, str]] = []
        self.numbers: list[int | None] = []  # of the snapshots that were seen
        self.answer: str | None = None
        self.kept: list[Reply] | None = None
        self.feeds = Feeds(self.public, self.dealer, self._handle)
        self.clients: list[Client] = []

    def connect(self, path: Path) -> Client:
        self.clients.append(Client(path))
        return self.clients[-1]

    def _handle(self, command: object, by: str, reply: Reply, n: int | None = None, /) -> None:
        self.told.append((command, by))
        self.numbers.append(n)
        if self.kept is not None:
            self.kept.append(reply)
        else:
            threading.Thread(target=reply, args=(self.answer,)).start()

    def show(self, n: int, **dealer: object) -> None:
        public = Snapshot(table="home", epoch="e", n=n)
        self.feeds.show(public, DealerSnapshot(table="home", epoch="e", n=n, **dealer))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    made.feeds.start()
    yield made
    made.feeds.stop()
    for client in made.clients:
        client.close()
    assert not made.feeds.alive


def test_a_reader_is_greeted_and_sees_the_table_as_it_is(table: Table) -> None:
    table.show(7, unseen=("r100-017",))
    public, dealer = table.connect(table.public), table.connect(table.dealer)
    assert public.line() == {"hello": 1, "view": "public"}
    assert dealer.line() == {"hello": 1, "view": "dealer"}
    seen, more = public.line()["snapshot"], dealer.line()["snapshot"]
    assert seen["n"] == more["n"] == 7
    assert more["unseen"] == ["r100-017"]
    assert "unseen" not in seen


def test_the_dealers_snapshot_cannot_go_to_the_public(table: Table) -> None:
    dealers = DealerSnapshot(table="home", epoch="e", n=1)
    with pytest.raises(AssertionError, match="may not go to the public"):
        table.feeds.show(dealers, dealers)


def test_many_changes_come_as_the_latest_one(table: Table) -> None:
    """At most 20 a second: of 500 changes at once a reader sees a few, and the last."""
    client = table.connect(table.public)
    client.line()
    for n in range(1, 501):
        table.show(n)
    seen = client.lines_until(lambda line: line["snapshot"]["n"] == 500)
    numbers = [line["snapshot"]["n"] for line in seen]
    assert numbers == sorted(numbers)
    assert len(numbers) < 50


def test_while_the_core_lives_the_last_snapshot_is_told_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.show(4)
    public, dealer = table.connect(table.public), table.connect(table.dealer)
    for client in (public, dealer):
        assert client.line()["hello"] == 1
        assert client.line()["snapshot"]["n"] == 4
    table.feeds.beat()  # just told: nothing to say
    monkeypatch.setattr(feeds_module, "BEAT_S", 0.0)
    for _ in range(3):
        table.feeds.beat()
        assert public.line()["snapshot"]["n"] == 4
        assert dealer.line()["snapshot"]["n"] == 4


def test_a_core_that_hangs_falls_silent_on_the_feeds(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The feeds' own thread lives on and answers, but tells no snapshot that the core did not vouch for."""
    monkeypatch.setattr(feeds_module, "BEAT_S", 0.0)
    table.show(4)
    client = table.connect(table.dealer)
    assert client.line()["hello"] == 1
    assert client.line()["snapshot"]["n"] == 4
    client.write(b'{"id": "1", "command": {"type": "undo"}}\n')
    assert client.line() == {"id": "1", "ok": True}
    client.socket.settimeout(0.2)
    with pytest.raises(TimeoutError):
        client.socket.recv(1)


def test_the_core_turns_often_enough_for_a_line_every_two_seconds() -> None:
    assert feeds_module.BEAT_S + IDLE_S < 2.0


def test_a_slow_reader_misses_snapshots_and_never_stops_the_others(table: Table) -> None:
    slow, quick = table.connect(table.public), table.connect(table.public)
    slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    assert quick.line()["hello"] == 1
    notice = NoticeView("k", "info", {"en": "x" * 200_000})
    for n in range(1, 6):
        table.feeds.show(
            Snapshot(table="home", epoch="e", n=n, notices=(notice,)), DealerSnapshot(table="home", epoch="e", n=n)
        )
        assert quick.lines_until(lambda line, n=n: line["snapshot"]["n"] == n)
    numbers = [
        line["snapshot"]["n"] for line in slow.lines_until(lambda line: line.get("snapshot", {}).get("n") == 5)[1:]
    ]
    assert numbers[-1] == 5
    assert len(numbers) < 5


def test_a_dead_reader_is_let_go(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds_module, "STALLED_S", 0.05)
    dead, alive = table.connect(table.public), table.connect(table.dealer)
    notice = NoticeView("k", "info", {"en": "x" * 2_000_000})
    public = Snapshot(table="home", epoch="e", n=1, notices=(notice,))
    table.feeds.show(public, DealerSnapshot(table="home", epoch="e", n=1))
    alive.line()
    assert alive.line()["snapshot"]["n"] == 1
    eventually(lambda: len(table.feeds._clients) == 1)
    data = b""
    while chunk := dead.socket.recv(65536):
        data += chunk
    assert len(data) < 2_000_000  # closed in the middle


def test_a_command_goes_to_the_core_and_its_answer_comes_back(table: Table) -> None:
    client = table.connect(table.dealer)
    client.line()
    client.write(b'{"id": "a", "command": {"type": "undo"}}\n')
    assert client.line() == {"id": "a", "ok": True}
    table.answer = "it is not seat 4's turn"
    client.write(b'{"id": "b", "command": {"type": "stack", "seat": 4, "stack": 5}, "by": "say"}\n\n')
    assert client.line() == {"id": "b", "error": "it is not seat 4's turn"}
    assert table.told == [(commands.Undo(), "dealer"), (commands.SetStack(4, 5), "say")]


def test_who_opens_the_socket_speaks_in_the_role_that_it_trusts(tmp_path: Path) -> None:
    """A socket for dealers takes no overruling without a key, and a page passes on no more than that."""
    anna = Key("anna", "floor", "a" * 64)
    table = Table(tmp_path)
    table.feeds = Feeds(
        table.public, table.dealer, table._handle, trust="dealer", gate=Gate("home", {"anna": anna}.get)
    )
    table.feeds.start()
    client = table.connect(table.dealer)
    client.line()
    said = sign("home", anna, "stack 5 2000", "s1", int(time.time()))
    signed = {"id": said.id, "words": said.words, "key": said.key, "time": said.time, "sig": said.sig}
    told = [
        {"id": "1", "command": {"type": "undo"}},
        {"id": "2", "command": {"type": "stack", "seat": 5, "stack": 2000}},
        {"id": "3", "command": {"type": "stack", "seat": 5, "stack": 2000}, "role": "owner"},
        {"id": "4", "command": {"type": "undo"}, "role": "player", "seat": 3, "by": "web"},
        {"id": "5", "command": {"type": "say", "seat": None, "word": {"kind": "call"}}, "role": "player", "seat": 3},
        signed,
        signed,
        signed | {"id": "s2"},
    ]
    answers = []
    for one in told:
        client.write(json.dumps(one).encode() + b"\n")
        answers.append(client.line())
    table.feeds.stop()
    client.close()
    assert ["error" not in answer for answer in answers] == [True, False, False, False, True, True, False, False]
    assert table.told == [
        (commands.Undo(), "dealer"),
        (commands.Say(3, commands.Word("call")), "seat"),
        (commands.SetStack(5, 2000), "dealer"),
    ]


@pytest.mark.parametrize(
    ("line", "identity", "part"),
    [
        (b"garbage", None, "no command: write"),
        (b"\xff\xfe\x00", None, "no command: write"),
        (b"[" * 10_000, None, "no command: write"),
        (b'{"command": {"type": "undo"}}', None, "no command: write"),
        (b'{"id": 7, "command": {"type": "undo"}}', None, "no command: write"),
        (b'{"id": "%s", "command": {"type": "undo"}}' % (b"i" * 101), None, "no command: write"),
        (b'{"id": "1"}', "1", "`command` is missing"),
        (b'{"id": "1", "command": {"type": "dance"}}', "1", "'dance'"),
        (b'{"id": "1", "command": {"type": "stack", "seat": "four", "stack": 1}}', "1", "Expected `int`"),
        (b'{"id": "1", "command": {"type": "undo", "x": 1}}', "1", "unknown field `x`"),
        (b'{"id": "1", "command": {"type": "undo"}, "by": "start"}', "1", "'start'"),
        (b"x" * 100_000, None, "a line of more than"),
    ],
)
def test_bad_lines_are_answered_and_the_next_good_one_works(
    table: Table, line: bytes, identity: str | None, part: str
) -> None:
    client = table.connect(table.dealer)
    client.line()
    client.write(line + b'\n{"id": "ok", "command": {"type": "undo"}}\n')
    refused = client.line()
    assert refused["id"] == identity
    assert part in refused["error"]
    assert client.line() == {"id": "ok", "ok": True}


def test_the_public_socket_obeys_nobody(table: Table) -> None:
    client = table.connect(table.public)
    client.line()
    client.write(b'{"id": "1", "command": {"type": "undo"}}\n')
    assert client.line() == {"id": "1", "error": lines.READ_ONLY}
    assert table.told == []


def test_one_client_cannot_flood_the_core(table: Table) -> None:
    table.kept = []
    client = table.connect(table.dealer)
    client.line()
    client.write(b'{"id": "1", "command": {"type": "undo"}}\n' * (feeds_module.MAX_ASKED + 1))
    assert "at once" in client.line()["error"]
    assert len(table.told) == feeds_module.MAX_ASKED
    table.kept.pop()(None)
    assert client.line() == {"id": "1", "ok": True}


def test_an_answer_for_a_client_that_left_is_dropped(table: Table) -> None:
    table.kept = []
    gone = table.connect(table.dealer)
    gone.line()
    gone.write(b'{"id": "1", "command": {"type": "undo"}}\n')
    stays = table.connect(table.dealer)
    stays.line()
    stays.write(b'{"id": "2", "command": {"type": "undo"}}\n')
    eventually(lambda: len(table.kept) == 2)
    gone.close()
    for reply in table.kept:
        reply(None)
    assert stays.line() == {"id": "2", "ok": True}


def test_rights_let_everybody_look_and_the_group_command(table: Table) -> None:
    assert stat.S_IMODE(table.public.stat().st_mode) == 0o666
    assert stat.S_IMODE(table.dealer.stat().st_mode) == 0o660


def test_sockets_left_by_a_dead_process_are_replaced_and_removed_at_the_end(tmp_path: Path) -> None:
    left = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    left.bind(str(tmp_path / "public.sock"))
    left.close()
    table = Table(tmp_path)
    table.feeds.start()
    assert table.connect(table.public).line()["hello"] == 1
    table.feeds.stop()
    table.clients[0].close()
    assert list(tmp_path.iterdir()) == []


def test_a_socket_in_use_and_other_files_are_left_alone(table: Table, tmp_path: Path) -> None:
    second = Table(tmp_path)
    with pytest.raises(FeedError, match="another betline serves this socket"):
        second.feeds.start()
    client = table.connect(table.public)
    assert client.line()["hello"] == 1
    (tmp_path / "notes").write_text("keep")
    other = Feeds(tmp_path / "notes", tmp_path / "d.sock", lambda *_: None)
    with pytest.raises(FeedError, match="a file of another kind"):
        other.start()
    assert (tmp_path / "notes").read_text() == "keep"
    absent = Feeds(tmp_path / "absent" / "p.sock", tmp_path / "d.sock", lambda *_: None)
    with pytest.raises(FeedError, match="make its folder"):
        absent.start()


def test_too_many_readers_are_turned_away_and_nobody_else_is_hurt(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds_module, "MAX_CLIENTS", 2)
    first, second = table.connect(table.public), table.connect(table.public)
    assert first.line()
    assert second.line()
    third = table.connect(table.public)
    assert third.file.readline() == b""
    table.show(3)
    assert first.line()["snapshot"]["n"] == 3


def test_lines_are_put_together_from_any_chunks() -> None:
    text = b'{"id": "1"}\nab\n\n' + b"x" * (lines.MAX_LINE + 1) + b"\nlast\n"
    for size in (1, 7, 4096, len(text)):
        buffer = lines.LineBuffer()
        found = [line for at in range(0, len(text), size) for line in buffer.feed(text[at : at + size])]
        assert found == [b'{"id": "1"}', b"ab", b"", None, b"last"]


def test_a_stopped_feed_leaves_no_descriptor_open(tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    table = Table(tmp_path)
    table.feeds.start()
    client = table.connect(table.public)
    client.line()
    table.feeds.stop()
    assert client.file.readline() == b""
    client.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
