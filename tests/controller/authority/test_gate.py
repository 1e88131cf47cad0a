"""A key signs command, id and time: who reads everything can say nothing, and what was said once is said no more."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller import commands
from controller.authority import keys
from controller.authority.gate import Gate
from controller.authority.roles import Allowed, Refused
from controller.authority.signing import WINDOW_S, Key, Signed, sign
from controller.authority.taken import MOST, Taken
from controller.errors import ConfigError

NOW = 1_790_000_000
ANNA = Key("anna", "floor", "a" * 64)
BEN = Key("ben", "player", "b" * 64, 3)
KEYS = keys.Keys("home", (ANNA, BEN))


def gate(taken: Taken | None = None) -> Gate:
    return Gate("home", KEYS.named, taken)


def said(words: str = "stack 5 2000", identity: str = "1", time_s: int = NOW, key: Key = ANNA) -> Signed:
    return sign("home", key, words, identity, time_s, n=412)


def why(judged: object) -> str:
    assert isinstance(judged, Refused)
    return judged.why


def test_what_a_key_signs_is_obeyed_in_its_role() -> None:
    assert gate().signed(said(), NOW) == Allowed(commands.SetStack(5, 2000), ANNA.grant)
    assert gate().signed(said("call", key=BEN), NOW) == Allowed(commands.Say(3, commands.Word("call")), BEN.grant)
    assert "role floor" in why(gate().signed(said(key=BEN), NOW))


@pytest.mark.parametrize(
    "changed",
    [{"words": "stack 5 9000"}, {"id": "2"}, {"time": NOW + 1}, {"n": 413}, {"n": None}, {"key": "ben"},
     {"key": "nobody"}, {"sig": ""}, {"sig": "0" * 64}],
)  # fmt: skip
def test_nothing_of_a_signed_command_can_be_changed(changed: dict[str, object]) -> None:
    assert "no key of this table has signed this" in why(gate().signed(replace(said(), **changed), NOW))


def test_a_signature_is_for_one_table() -> None:
    assert "no key" in why(gate().signed(sign("club-2", ANNA, "undo", "1", NOW), NOW))


@settings(max_examples=200, derandomize=True)
@given(st.text(max_size=70))
def test_no_made_up_signature_is_believed(sig: str) -> None:
    assert isinstance(gate().signed(replace(said(), sig=sig), NOW), Refused)


@pytest.mark.parametrize(
    ("late_s", "obeyed"),
    [(0, True), (WINDOW_S, True), (-WINDOW_S, True), (WINDOW_S + 1, False), (-WINDOW_S - 1, False)],
)
def test_a_command_is_good_for_a_minute(late_s: int, obeyed: bool) -> None:
    assert isinstance(gate().signed(said(), NOW + late_s), Allowed) is obeyed


def test_a_replay_is_refused_also_by_a_table_that_was_started_again(tmp_path: Path) -> None:
    file = tmp_path / "journal.taken"
    first = gate(Taken(file))
    assert isinstance(first.signed(said(), NOW), Allowed)
    assert "repeated" in why(first.signed(said(), NOW))
    assert "repeated" in why(gate(Taken(file)).signed(said(), NOW))
    assert isinstance(gate(Taken(file)).signed(said(identity="2"), NOW), Allowed)


def test_a_clock_that_goes_back_lets_nothing_old_in(tmp_path: Path) -> None:
    """However much was said since: what is older than all that is remembered counts as taken."""
    taken = Taken(tmp_path / "t")
    assert taken.take("anna", "first", NOW) is None
    for number in range(MOST + 10):
        assert taken.take("anna", str(number), NOW + 1 + number) is None
    for again in (taken, Taken(tmp_path / "t")):
        assert again.take("anna", "first", NOW) is not None
        assert again.take("anna", "new", NOW - 5) is not None
        assert again.take("ben", "first", NOW) is None
        (tmp_path / "t").write_bytes((tmp_path / "t").read_bytes().rsplit(b"\n", 2)[0] + b"\n")  # without ben's


def test_ids_without_a_key_are_remembered_by_their_order() -> None:
    taken = Taken()
    for number in range(MOST * 2):
        assert taken.take("", str(number), None) is None
        assert taken.take("", str(number), None) is not None


def test_a_line_that_a_power_cut_cut_names_nothing(tmp_path: Path) -> None:
    file = tmp_path / "t"
    Taken(file).take("anna", "1", NOW)
    with file.open("ab") as cut:
        cut.write(b'{"key":"anna","ti')
    assert Taken(file).take("anna", "1", NOW) is not None
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_file_of_ids_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.authority.taken.MOST", 20)
    monkeypatch.setattr("controller.authority.taken.SLACK", 40)
    taken = Taken(tmp_path / "t")
    for number in range(500):
        taken.take("anna", str(number), NOW + number)
    assert len((tmp_path / "t").read_bytes().splitlines()) <= 70
    assert Taken(tmp_path / "t").take("anna", "7", NOW + 7) is not None


def test_an_id_that_cannot_be_kept_is_not_obeyed(tmp_path: Path) -> None:
    assert "cannot be kept" in why(gate(Taken(tmp_path / "gone" / "t")).signed(said(), NOW))


# ---------------------------------------------------------------- keys
def test_keys_are_for_their_owner_alone_whatever_the_umask(tmp_path: Path) -> None:
    path, mask = tmp_path / "keys.toml", os.umask(0)
    try:
        keys.save(path, KEYS)
        keys.save(path, KEYS)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert keys.load(path) == KEYS


def test_a_revoked_key_is_void_at_once(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    keys.save(path, KEYS)
    door = Gate("home", keys.KeyFile(path).find)
    assert isinstance(door.signed(said(), NOW), Allowed)
    keys.save(path, KEYS.without("anna"))
    assert "no key" in why(door.signed(said(identity="2"), NOW))
    path.unlink()
    assert "no key" in why(door.signed(said(identity="3"), NOW))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("table = 1", "no file of keys"),
        ("[[", "no file of keys"),
        ('table = "h"\n[[key]]\nname = "a"\nrole = "king"\nsecret = "' + "x" * 64 + '"', "no file of keys"),
        ('table = "h"\n[[key]]\nname = "a"\nrole = "floor"\nsecret = "x"', "less than 32 characters"),
        ('table = "h"\n[[key]]\nname = "A b"\nrole = "floor"\nsecret = "' + "x" * 64 + '"', "no name of a key"),
        ('table = "h"\n[[key]]\nname = "a"\nrole = "player"\nsecret = "' + "x" * 64 + '"', "has a seat"),
    ],
)
def test_a_wrong_file_of_keys_is_one_line(tmp_path: Path, text: str, part: str) -> None:
    path = tmp_path / "keys.toml"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(ConfigError, match=part) as error:
        keys.load(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o622])
def test_a_file_of_keys_that_others_can_open_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "keys.toml"
    keys.save(path, KEYS)
    path.chmod(mode)
    with pytest.raises(ConfigError, match="chmod 600"):
        keys.load(path)
    assert "chmod 600" in why(Gate("home", keys.KeyFile(path).find).signed(said(), NOW))


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_openssl_signs_the_same() -> None:
    """Whoever has no Python can sign, by what the docstring of signing.py says."""
    text = "\n".join(("betline 1", "home", "anna", "1", str(NOW), "412", "stack 5 2000"))
    command = ["openssl", "dgst", "-sha256", "-hmac", ANNA.secret]
    told = subprocess.run(command, input=text.encode(), capture_output=True, check=True).stdout.decode()
    assert told.split()[-1] == said().sig
