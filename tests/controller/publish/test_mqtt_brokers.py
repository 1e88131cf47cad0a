"""Brokers that refuse MQTT 5, talk nonsense, break connections, or want TLS."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.publish import mqtt, window
from tests.controller.publish.broker import Broker, Listener, eventually, free_port
from tests.controller.publish.gate import Gate, How
from tests.controller.publish.table import NAMES, RULED, Table, snapshot


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqtt, "FIRST_DELAY_S", 0.02)
    monkeypatch.setattr(mqtt, "LAST_DELAY_S", 0.1)


@pytest.fixture
def gate(broker: Broker) -> Iterator[Callable[..., Gate]]:
    made: list[Gate] = []

    def one(how: How, cut: Callable[[bytes], bool] = lambda _: False) -> Gate:
        made.append(Gate(broker.port, how, cut))
        return made[-1]

    yield one
    for each in made:
        each.close()


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    made: list[Table] = []

    def one(port: int, **settings: object) -> Table:
        made.append(Table(tmp_path, port, **settings))  # type: ignore[arg-type]
        made[-1].publisher.start()
        return made[-1]

    yield one
    for table in made:
        table.close()


@pytest.mark.parametrize("how", ["v5_words", "v3_words", "closes"])
def test_a_broker_without_mqtt_5_is_spoken_to_in_3_1_1(
    how: How, listener: Listener, gate: Callable[..., Gate], make: Callable[..., Table]
) -> None:
    old = gate(how)
    table = make(old.port, commands="floor")
    table.publisher.state(snapshot(1))
    for _ in range(30):
        table.append(RULED)
    table.pump(lambda: len(listener.payloads(NAMES.events)) == 30 and listener.latest(NAMES.state))
    assert set(old.levels) == {5, 4}
    assert table.publisher.status == "up"
    listener.publish("betline/home/cmd/undo", '{"id": "u"}')
    eventually(lambda: listener.latest("betline/home/cmd/undo/result"))
    assert len(table.told) == 1
    table.publisher.stop()
    eventually(lambda: listener.latest(NAMES.status) == b"offline")


def test_a_broker_that_closed_once_is_asked_for_mqtt_5_again(
    broker: Broker, gate: Callable[..., Gate], make: Callable[..., Table]
) -> None:
    """A broker that is just starting may close a connection; 3.1.1 is then a guess for one connection."""
    starting = gate("closes_once")
    table = make(starting.port)
    eventually(lambda: table.publisher.status == "up")
    broker.kill()
    eventually(lambda: table.publisher.status == "down")
    broker.start()
    eventually(lambda: table.publisher.status == "up")
    assert starting.levels[:2] == [5, 4]
    assert 5 in starting.levels[2:]


def test_a_real_broker_that_only_knows_3_1_1(make: Callable[..., Table]) -> None:
    iotcore = pytest.importorskip("iotcore", reason="the broker in a wheel is not installed here")
    port = free_port()
    with iotcore.Broker(port=port, listen="127.0.0.1"):
        table = make(port)
        table.publisher.state(snapshot(1))
        table.append(*[RULED] * 30)
        table.pump(lambda: table.publisher._window and table.publisher._window.done == 30)
        assert table.publisher.status == "up"
        old = Listener(port, version=4)
        eventually(lambda: old.latest(NAMES.status) == b"online" and old.latest(NAMES.seat(2)))
        old.publish("betline/home/cmd/pause", "PRESS")
        eventually(lambda: old.latest("betline/home/cmd/pause/result"))
        old.close()


def test_a_broker_that_talks_nonsense_is_tried_again(
    listener: Listener, gate: Callable[..., Gate], make: Callable[..., Table]
) -> None:
    odd = gate("garbage")
    table = make(odd.port)
    table.append(RULED)
    table.pump(lambda: listener.payloads(NAMES.events))
    assert len(odd.levels) > 1
    assert table.publisher.alive


def test_an_event_that_ends_every_connection_is_parked_and_the_next_ones_arrive(
    listener: Listener, gate: Callable[..., Gate], make: Callable[..., Table]
) -> None:
    """Some brokers drop an over-long packet without a word, and the client would repeat it for ever."""
    narrow = gate("garbage", lambda data: b'"event_type":"alarmed"' in data and b"withheld" not in data)
    table = make(narrow.port)
    table.append(RULED, window_alarm(), RULED)
    table.pump(lambda: len(listener.payloads(NAMES.events)) >= 3, "the events behind it")
    found = {json.loads(payload)["n"]: json.loads(payload) for payload in listener.payloads(NAMES.events)}
    assert sorted(found) == [1, 2, 3]
    assert found[2]["withheld"] is True
    assert window.PATIENCE <= narrow.cuts <= window.SUSPICION + window.PATIENCE  # fewer where event 1 was acknowledged
    assert not any("withheld" in found[n] for n in (1, 3))
    table.pump(lambda: table.publisher._window.done == 3)


def window_alarm() -> object:
    from controller.table.events import Alarmed

    return Alarmed("chips_missing", 4, 100)


def test_tls_checks_the_certificate(tmp_path: Path, broker: Broker, make: Callable[..., Table]) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed: no certificate can be made")
    for name in ("localhost", "elsewhere"):
        certificate(tmp_path, name)
    lines = [f"certfile {tmp_path}/localhost.pem", f"keyfile {tmp_path}/localhost.key"]
    secure = Broker(tmp_path, *lines)
    secure.start()
    trusted = make(secure.port, host="localhost", tls=True, ca_file="localhost.pem")
    trusted.append(RULED)
    trusted.pump(lambda: trusted.publisher._window.done == 1)
    trusted.publisher.stop()
    trusted.journal.close()
    stranger = Table(tmp_path, secure.port, host="localhost", tls=True, ca_file="elsewhere.pem")
    stranger.publisher.start()
    eventually(lambda: stranger.publisher.status == "down")
    assert "its certificate is not trusted" in stranger.publisher.why
    stranger.close()
    secure.kill()


def certificate(folder: Path, name: str) -> None:
    """A self-signed certificate for localhost, under a name of its own."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem", "-subj", f"/CN={name}",
         "-addext", "subjectAltName=DNS:localhost"],
        check=True, capture_output=True,
    )  # fmt: skip
