"""The site over HTTP, behind a real socket of a table: what it answers, to whom, and what it never does."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from display.web.headers import answers_to
from display.web.site import Settings, Site
from tests.display import samples
from tests.display.web.served import PATIENCE_S, Table

LOCAL = "http://127.0.0.1"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    opened = Table(tmp_path)
    opened.show(samples.README)
    yield opened
    opened.go_away()


@pytest.fixture
def client(table: Table) -> Iterator[TestClient]:
    site = Site(Settings(str(table.public), "en", ("table.local",)))
    with TestClient(site.app, base_url=LOCAL) as asked:
        until(asked, "/now/table", lambda page: page["hand"] == 128)
        yield asked


def until(client: TestClient, path: str, wanted: Any) -> Any:
    end = time.monotonic() + PATIENCE_S
    while not wanted(page := client.get(path).json()):
        assert time.monotonic() < end, page
    return page


def test_a_page_tells_the_table_as_it_is_now(client: TestClient, table: Table) -> None:
    table.show(samples.SIDE_POTS)

    page = until(client, "/now/table", lambda page: page["view"]["pot"] != "5550")

    assert page["view"]["pot"] == "48\u202f350"
    assert client.get("/now/seat/6").json()["stack"] == "8300"


def test_the_language_is_that_of_the_table_or_of_the_address(client: TestClient) -> None:
    assert client.get("/now/table").json()["view"]["pot_label"] == "POT"
    assert client.get("/now/table?language=ru").json()["view"]["pot_label"] == "БАНК"
    assert client.get("/now/table?language=<b>").json()["view"]["pot_label"] == "POT"
    assert '<html lang="ru">' in client.get("/seat/4?language=ru").text


@pytest.mark.parametrize("path", ["/", "/seat/4", "/now/table", "/own/look.css", "/own/table.js", "/nothing"])
def test_every_answer_forbids_scripts_styles_and_frames_of_others(client: TestClient, path: str) -> None:
    policy = client.get(path).headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert client.get(path).headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8040", "[::1]:8040", "192.168.1.5", "localhost", "Table.Local:8040"]
)
def test_addresses_and_given_names_are_answered(host: str) -> None:
    assert answers_to(host, ("table.local",))


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8040", "", "127.0.0.1.evil.example", "table.local.evil"]
)
def test_a_page_of_somebody_else_cannot_come_in_by_a_name_of_its_own(client: TestClient, host: str) -> None:
    assert not answers_to(host, ("table.local",))
    assert client.get("/now/table", headers={"host": host or "x"}).status_code == 421


@pytest.mark.parametrize(
    "path", ["/seat/0", "/seat/31", "/seat/x", "/seat/-1", "/own/../site.py", "/own/%2e%2e/site.py", "/stream/seat/0"]
)
def test_what_is_not_there_is_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", ["/", "/seat/4", "/now/table", "/stream/table", "/own/look.css"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_looking_takes_no_orders(client: TestClient, table: Table, path: str, method: str) -> None:
    assert client.request(method, path, json={"command": {"type": "undo"}}).status_code == 405
    assert table.told == []


def test_a_lost_table_is_told_and_the_site_goes_on(client: TestClient, table: Table) -> None:
    table.go_away()

    assert until(client, "/now/table", lambda page: page["view"]["stale"])["view"]["pot"] == "5550"
    assert client.get("/").status_code == 200

    table.come_back()
    table.show(samples.TEN)
    until(client, "/now/table", lambda page: len(page["view"]["seats"]) == 10 and not page["view"]["stale"])
