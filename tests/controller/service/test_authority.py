"""A table that runs, and strangers, players and dealers at its broker: what each can do to it."""

import itertools
import json
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.authority import keys
from controller.authority.signing import Key, payload, sign
from tests.controller.publish.broker import MOSQUITTO, Broker, Listener
from tests.controller.running import Client, Running, eventually, in_a_hand

DEALER, PLAYER = Key("dora", "dealer", "d" * 64), Key("ben", "player", "b" * 64, 1)
NUMBERS = itertools.count()


class Table:
    def __init__(self, folder: Path) -> None:
        self.broker = Broker(folder)
        self.broker.start()
        self.running = Running(folder, broker_port=self.broker.port)
        keys.save(folder / "keys.toml", keys.Keys("test", (DEALER, PLAYER)))
        self.listener = Listener(self.broker.port)

    def start(self) -> Client:
        dealer = self.running.start()
        dealer.sees(lambda seen: seen.broker == "up", "the broker")
        return dealer

    def result(self, name: str, message: str | bytes) -> dict[str, object]:
        """What becomes of a message to cmd/NAME."""
        topic = f"betline/test/cmd/{name}"
        before = len(self.listener.payloads(f"{topic}/result"))
        self.listener.publish(topic, message)
        eventually(lambda: len(self.listener.payloads(f"{topic}/result")) > before, f"an answer to {name}")
        told: dict[str, object] = json.loads(self.listener.payloads(f"{topic}/result")[before])
        return told

    def close(self) -> None:
        self.running.close()
        self.listener.close()
        self.broker.kill()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    if MOSQUITTO is None:
        pytest.skip("Mosquitto is not installed (apt install mosquitto)")
    made = Table(tmp_path)
    yield made
    made.close()


def signed(key: Key, words: str) -> bytes:
    return msgspec.json.encode(payload(sign("test", key, words, str(next(NUMBERS)), int(time.time()))))


def test_a_stranger_at_an_open_broker_changes_nothing(table: Table) -> None:
    """Anybody may write there: not a check, not a pause, not a hand comes of it, nor of what he overheard."""
    dealer = table.start()
    in_a_hand(table.running, dealer)
    before = dealer.sees(lambda seen: seen.to_act == 1, "seat 1 to act")
    for name in ("street", "pause", "next", "undo", "confirm", "misdeal", "fold", "call", "accept"):
        for message in ("", "PRESS", '{"id": "x", "key": "dora"}'):
            assert table.result(name, message)["ok"] is False
    assert table.result("say", "1 fold")["ok"] is False
    overheard = signed(DEALER, "pause")
    assert table.result("say", overheard)["ok"] is True
    assert table.result("say", signed(DEALER, "resume"))["ok"] is True
    assert table.result("say", overheard)["ok"] is False
    after = dealer.sees(lambda seen: seen.n == before.n + 2, "two events: paused and resumed")
    assert (after.to_act, after.paused, after.phase) == (1, False, "betting")
    table.running.end()
    dealer = table.start()
    assert "repeated" in str(table.result("say", overheard)["error"])
    assert dealer.sees(lambda seen: seen.phase == "betting", "the hand goes on").paused is False


def test_a_players_key_speaks_for_his_seat_and_a_dealers_for_all_but_the_floor(table: Table) -> None:
    dealer = table.start()
    in_a_hand(table.running, dealer)
    for words in ("2 fold", "pause", "street", "stack 1 90000", "overrule 1", "undo"):
        assert "without authority" in str(table.result("say", signed(PLAYER, words))["error"]), words
    assert "role floor" in str(table.result("say", signed(DEALER, "stack 1 90000"))["error"])
    assert "Seat 1 has to act first" in str(table.result("say", signed(DEALER, "street"))["error"])
    assert table.result("say", signed(PLAYER, "fold"))["ok"] is True
    dealer.sees(lambda seen: seen.seats[0].state == "folded" and seen.to_act == 2, "seat 1 has folded")
