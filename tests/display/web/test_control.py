"""Pages that command: only with a key, only from a page of ours, only to the picture that was seen, only in one's role."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from controller import commands
from controller.commands import Command
from display.errors import ScreenError
from display.feed import Heard
from display.keys import press
from display.labels import labels
from display.parts import Link
from display.web.authority import Keys, keys_in, may
from display.web.desks import Place, Pressed
from display.web.site import Settings, Site
from tests.display import samples
from tests.display.web.served import Table

EN = labels("en")
DEALERS, FLOORS = "d" * 40, "f" * 40
KEYS = Keys({"dealer": DEALERS, "floor": FLOORS})
OURS = {"origin": "http://127.0.0.1", "content-type": "application/json"}
ORDER = {"desk": "x", "at": 1, "keys": ["u"]}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    opened = Table(tmp_path)
    opened.show(samples.README)
    yield opened
    opened.go_away()


def client_of(table: Table, keys: Keys | None) -> TestClient:
    return TestClient(
        Site(Settings(str(table.public), dealer=str(table.dealer)), keys).app, base_url="http://127.0.0.1"
    )


@pytest.fixture
def client(table: Table) -> Iterator[TestClient]:
    with client_of(table, KEYS) as asked:
        yield asked


def desk(snapshot: Any, role: Any = "floor") -> Place:
    place = Place("x", role)
    place.picture(Heard(Link("live"), snapshot), EN)
    return place


# ---------------------------------------------------------------- keys
def test_without_a_key_nothing_commands_and_nothing_of_the_dealers_view_is_told(
    client: TestClient, table: Table
) -> None:
    for wrong in ("", "guess", DEALERS[:-1], "д" * 40):
        assert client.post("/enter", json=wrong, headers=OURS).status_code == 401
    assert client.get("/role").status_code == 401
    assert client.get("/stream/dealer").status_code == 401
    assert client.post("/press", json=ORDER, headers=OURS).status_code == 401
    assert table.told == []


def test_a_key_opens_its_own_role_and_hides_from_scripts_and_other_sites(client: TestClient) -> None:
    answer = client.post("/enter", json=FLOORS, headers=OURS)

    assert answer.status_code == 204
    assert {"HttpOnly", "SameSite=strict"} <= set(answer.headers["set-cookie"].split("; "))
    assert client.get("/role").text == "floor"


@pytest.mark.parametrize("path", ["/enter", "/press"])
@pytest.mark.parametrize(
    "origin", ["", "null", "http://evil.example", "http://127.0.0.1.evil.example", "http://127.0.0.1:81"]
)
def test_an_order_from_a_page_of_somebody_else_is_refused_even_with_a_key(
    client: TestClient, path: str, origin: str
) -> None:
    client.post("/enter", json=FLOORS, headers=OURS)

    assert client.post(path, json=FLOORS, headers={**OURS, "origin": origin}).status_code == 403


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"desk": "x"}', b'{"desk": "x", "at": 1, "command": {"type": "undo"}}']
)
def test_an_order_that_cannot_be_read_is_refused(client: TestClient, body: bytes) -> None:
    client.post("/enter", json=FLOORS, headers=OURS)

    assert client.post("/press", content=body, headers=OURS).status_code == 400
    assert client.post("/press", content=b" " * 5000, headers=OURS).status_code == 413
    assert client.post("/press", content=b"{}", headers={**OURS, "content-type": "text/plain"}).status_code == 415
    assert client.post("/press", json=ORDER, headers=OURS).status_code == 410


@pytest.mark.parametrize("path", ["/dealer", "/floor", "/role", "/stream/dealer", "/press", "/enter"])
def test_without_control_these_pages_are_not_there(table: Table, path: str) -> None:
    with client_of(table, None) as asked:
        assert asked.get(path).status_code == 404


def test_keys_are_made_for_their_owner_alone_and_stay(tmp_path: Path) -> None:
    path = tmp_path / "web-keys.toml"

    made = keys_in(path)

    assert path.stat().st_mode & 0o777 == 0o600
    assert keys_in(path).role_of(made.of("floor")) == "floor"
    assert made.of("floor") != made.of("dealer")
    assert len(made.of("dealer")) >= 32


@pytest.mark.parametrize(
    "text", ["", 'dealer = "short"\nfloor = "shorter"\n', f'dealer = "{DEALERS}"\nfloor = "{DEALERS}"\n', "no toml"]
)
def test_keys_that_are_none_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "web-keys.toml"
    path.write_text(text)
    path.chmod(0o600)

    with pytest.raises(ScreenError, match=r"web-keys\.toml"):
        keys_in(path)


def test_keys_that_others_can_read_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "web-keys.toml"
    keys_in(path)
    path.chmod(0o640)

    with pytest.raises(ScreenError, match="chmod 600"):
        keys_in(path)


def test_a_dealer_runs_the_hand_and_only_the_floor_puts_right_what_was_ruled() -> None:
    floors: tuple[Command, ...] = (
        commands.Overrule(reading=1),
        commands.SetStack(1, 5),
        commands.SetBets(()),
        commands.SetBlinds(1, 2),
        commands.SetButton(1),
        commands.SeatOut(1),
        commands.Misdeal(),
        commands.NotAChip("spot", 1),
    )
    dealers = (
        commands.Say(1, commands.Word("call")),
        commands.Confirm(),
        commands.Undo(),
        commands.NextHand(),
        commands.Answer(),
    )

    assert [one for one in floors if may("dealer", one) or not may("floor", one)] == []
    assert all(may("dealer", one) for one in dealers)


# ---------------------------------------------------------------- desks
KEYS_OF_A_DESK = [*"ckafpuynosgtrbK+vl=wBidmxX0123456789", "enter", "backspace", "esc", "space", "left", "right", "h"]


@pytest.mark.parametrize("name", ["readme", "which-chips", "confirm", "between-hands", "side-pots", "paused"])
@pytest.mark.parametrize("key", KEYS_OF_A_DESK)
def test_a_key_does_at_the_floors_page_what_it_does_at_the_screen(name: str, key: str) -> None:
    seen = samples.SAMPLES[name]
    place = desk(seen)
    wanted = press(place.desk, key, seen)

    said = place.press(Pressed("x", 1, (key,)))

    assert said is not None
    assert [one.command for one in said] == ([wanted.command] if wanted.command is not None else [])
    assert place.desk == wanted.desk
    assert all(one.n == (wanted.n if wanted.n is not None else seen.n) for one in said)


@pytest.mark.parametrize(
    "keys", [("v", "2", "enter"), ("m", "enter"), ("l", "1", "space", "2", "enter"), ("B", "1", "a", "enter")]
)
def test_a_dealers_page_says_that_the_floor_decides_and_sends_nothing(keys: tuple[str, ...]) -> None:
    place = desk(samples.README, "dealer")

    assert place.press(Pressed("x", 1, keys)) == ()
    assert "That is for the floor" in str(place.picture(Heard(Link("live"), samples.README), EN).view.notices)


def test_what_only_the_floor_may_is_grey_for_the_dealer() -> None:
    def off(role: str) -> set[str]:
        page = desk(samples.README, role).picture(Heard(Link("live"), samples.README), EN)
        return {one.label for group in page.controls for one in group if one.tone == "off"}

    assert off("dealer") - off("floor") >= {"OVERRULE …", "MISDEAL", "BLINDS …"}


def test_confirm_never_answers_which_reading() -> None:
    place = desk(samples.WHICH_CHIPS)

    assert place.press(Pressed("x", 1, ("enter",))) == ()
    assert place.press(Pressed("x", 1, ("2",)))[0].command == commands.Answer(question=22, reading=2)  # type: ignore[index]


def test_a_key_means_what_it_meant_in_the_picture_that_was_seen() -> None:
    place = desk(samples.README)
    later = msgspec.structs.replace(samples.README, n=9_999, to_act=1, to_call=0)
    place.picture(Heard(Link("live"), later), EN)

    said = place.press(Pressed("x", 1, ("c",)))

    assert said is not None
    assert (said[0].command, said[0].n) == (commands.Say(7, commands.Word("call")), samples.README.n)


def test_a_picture_that_is_too_old_or_never_was_does_nothing() -> None:
    place = desk(samples.README)
    for n in range(100):
        place.picture(Heard(Link("live"), msgspec.structs.replace(samples.README, n=n)), EN)

    assert place.press(Pressed("x", 1, ("u",))) is None
    assert place.press(Pressed("x", 5_000, ("u",))) is None
    assert place.desk.message == ""


def test_the_floor_reads_the_rulings_of_the_round_with_their_chips_the_last_first() -> None:
    one = samples.ONE_CHIP_CALL
    other = msgspec.structs.replace(one, seat=9, headline={"en": "Seat 9: Fold"}, chips=())
    page = desk(samples.README).picture(
        Heard(Link("live"), msgspec.structs.replace(samples.README, rulings=(one, other))), EN
    )

    assert [part.headline for part in page.history] == ["Seat 9: Fold", "Seat 4: Call 600"]
    assert page.history[1].seen == one.chips


def test_a_table_that_is_lost_has_no_controls() -> None:
    place = Place("x", "floor")

    assert place.picture(Heard(Link("lost", "21:14:05"), samples.README), EN).controls == ()
