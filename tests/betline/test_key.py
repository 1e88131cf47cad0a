"""`betline key`: one key a person, in files that nobody else can read."""

import json
import stat
import time
from pathlib import Path

import pytest

from controller import commands
from controller.authority import keys
from controller.authority.gate import Gate
from controller.authority.roles import Allowed
from controller.authority.signing import Signed
from controller.publish.feeds import Feeds
from controller.publish.requests import Reply
from tests.betline.in_process import betline

TABLE = (
    '[table]\nname = "club"\nseats = 2\n[[reader]]\nid = "w"\ndriver = "tablelink"\nport = "/dev/null"\n'
    + "".join(f'[[antenna]]\nreader = "w"\nnumber = {n}\nplace = "spot"\nseat = {n}\n' for n in (1, 2))
    + '[authority]\nsocket = "none"\n'
)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "table.toml").write_text(TABLE)
    return tmp_path


def gate(here: Path) -> Gate:
    return Gate("club", keys.KeyFile(here / "keys.toml").find)


def test_a_key_is_made_listed_used_and_revoked(here: Path) -> None:
    made = betline(["key", "add", "anna", "--role", "floor"], here)
    assert (made.returncode, made.stderr) == (0, "")
    assert betline(["key", "add", "ben", "--role", "player", "--seat", "2"], here).returncode == 0
    assert betline(["key", "list"], here).stdout == "anna: floor\nben: player of seat 2\n"
    for name in ("keys.toml", "anna.key", "ben.key"):
        assert stat.S_IMODE((here / name).stat().st_mode) == 0o600
    secret = (keys.load(here / "anna.key") or keys.Keys("")).key[0].secret
    assert secret not in made.stdout
    message = json.loads(betline(["key", "sign", "anna.key", "stack", "2", "900"], here).stdout)
    said = Signed(message["args"], message["key"], message["id"], message["time"], message["sig"])
    judged = gate(here).signed(said, time.time())
    assert isinstance(judged, Allowed)
    assert judged.command == commands.SetStack(2, 900)
    assert betline(["key", "revoke", "anna"], here).returncode == 0
    assert not isinstance(gate(here).signed(said, time.time()), Allowed)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["add", "Anna", "--role", "floor"], "no name of a key"),
        (["add", "anna", "--role", "king"], "there is no such role"),
        (["add", "anna", "--role", "player"], "has a seat"),
        (["add", "anna", "--role", "floor", "--seat", "2"], "has a seat"),
        (["add", "anna", "--role", "player", "--seat", "3"], "this table has seats 1 to 2"),
        (["revoke", "anna"], "has no key"),
        (["sign", "anna.key", "undo"], "make one: betline key add"),
    ],
)
def test_what_cannot_be_is_one_line(here: Path, words: list[str], part: str) -> None:
    done = betline(["key", *words], here)
    assert done.returncode == 1
    assert part in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (here / "keys.toml").exists()


def test_a_second_key_of_the_same_name_and_a_file_in_the_way_change_nothing(here: Path) -> None:
    assert betline(["key", "add", "anna", "--role", "floor"], here).returncode == 0
    before = (here / "keys.toml").read_bytes()
    assert "revoke it first" in betline(["key", "add", "anna", "--role", "dealer"], here).stderr
    (here / "ben.key").write_text("mine")
    assert "is there already" in betline(["key", "add", "ben", "--role", "dealer"], here).stderr
    assert (here / "keys.toml").read_bytes() == before


def test_say_signs_with_a_key_where_the_socket_trusts_nobody(here: Path) -> None:
    told: list[tuple[object, str]] = []

    def handle(command: object, by: str, reply: Reply, _n: int | None = None, /) -> None:
        told.append((command, by))
        reply(None)

    assert betline(["key", "add", "ben", "--role", "player", "--seat", "2"], here).returncode == 0
    feeds = Feeds(here / "public.sock", here / "dealer.sock", handle, trust="none", gate=gate(here))
    feeds.start()
    try:
        assert "without authority" in betline(["say", "2", "call"], here).stderr
        assert betline(["say", "--key", "ben.key", "call"], here).stdout == "ok\n"
        assert "no other seat" in betline(["say", "--key", "ben.key", "1", "call"], here).stderr
        assert "role dealer" in betline(["say", "--key", "ben.key", "undo"], here).stderr
    finally:
        feeds.stop()
    assert told == [(commands.Say(2, commands.Word("call")), "seat")]
