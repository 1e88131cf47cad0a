"""Topics and payloads of MQTT: snapshot to retained state, journal rows to public events. Pure.

`controller/topics.md` lists every topic. State is flat JSON, all keys always there, numbers always numbers: that is
what Grafana, Home Assistant and Node-RED read without help. A field goes out only when it is named here.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from controller.journal.rows import Row, kind_of
from controller.publish import payloads
from controller.publish.machine import Health
from controller.publish.payloads import PAYLOAD_VERSION
from controller.publish.public import TYPES, public_fields
from controller.snapshot import DealerSnapshot, Language, PotView, ReaderView, RulingView, SeatView, Snapshot, Text
from controller.texts.languages import ENGLISH, pick
from controller.texts.sentences import phrase
from firmware_bridge.events import Value

MAX_PAYLOAD = 16 * 1024  # bytes: some brokers cut at 20,480 and drop what is longer without a word
MAX_TEXT = 255  # characters: the longest state that Home Assistant takes
ONLINE, OFFLINE = b"online", b"offline"


class Topics(Value, frozen=True):
    """The topics of one table."""

    table: str
    seats: int = 0
    readers: tuple[str, ...] = ()
    private: bool = False  # whether the dealer's view is told: [mqtt] private

    @property
    def base(self) -> str:
        return f"betline/{self.table}"

    @property
    def status(self) -> str:
        return f"{self.base}/status"

    @property
    def info(self) -> str:
        return f"{self.base}/info"

    @property
    def state(self) -> str:
        return f"{self.base}/state"

    @property
    def system(self) -> str:
        return f"{self.base}/system/state"

    @property
    def dealer(self) -> str:
        return f"{self.base}/private/state"

    @property
    def events(self) -> str:
        return f"{self.base}/events"

    def seat(self, number: int | str) -> str:
        return f"{self.base}/seat/{number}/state"

    def reader(self, identity: str) -> str:
        return f"{self.base}/reader/{identity}/state"

    def command(self, name: str) -> str:
        return f"{self.base}/cmd/{name}"

    def result(self, name: str) -> str:
        return f"{self.base}/cmd/{name}/result"

    def replay(self, client: str) -> str:
        return f"{self.base}/replay/{client}"

    def owned(self) -> frozenset[str]:
        """All retained topics of this table; others under seat/, reader/ and private/ are left from an older set-up."""
        seats = {self.seat(number) for number in range(1, self.seats + 1)}
        readers = {self.reader(identity) for identity in self.readers}
        dealer = {self.dealer} if self.private else set()
        return frozenset({self.status, self.info, self.state, self.system} | seats | readers | dealer)

    def may_answer_on(self, topic: str) -> bool:
        """Whether a caller may have his answer on this topic (MQTT 5): not on ours, nor on those of the house."""
        reserved = ("$", "homeassistant/", f"{self.base}/")
        return 0 < len(topic) <= 200 and not topic.startswith(reserved) and not set("#+\0") & set(topic)


class About(Value, frozen=True):
    """What `info` tells beside the topics."""

    epoch: str
    boot: str
    version: str  # of betline
    commands: Literal["none", "signed", "dealer", "floor"] = "none"  # whose commands are obeyed: [mqtt] commands


def info(topics: Topics, about: About) -> bytes:
    """The self-description of a table."""
    return _json(
        payloads.Info(
            v=PAYLOAD_VERSION,
            table=topics.table,
            version=about.version,
            epoch=about.epoch,
            boot=about.boot,
            seats=topics.seats,
            readers=topics.readers,
            commands=about.commands,
            event_types=TYPES,
            topics=tuple(sorted(topics.owned() | {topics.events, topics.command("+"), topics.result("+")})),
        )
    )


# ---------------------------------------------------------------- state
def state_messages(topics: Topics, snapshot: Snapshot, language: Language = ENGLISH) -> dict[str, bytes]:
    """Retained topic -> payload of everything that a snapshot shows the public."""
    messages = {topics.state: _json(_state(snapshot, language))}
    for seat in snapshot.seats:
        messages[topics.seat(seat.seat)] = _json(_seat(seat, language))
    for reader in snapshot.readers:
        messages[topics.reader(reader.id)] = _json(_reader(reader, language))
    return messages


def _state(s: Snapshot, language: Language) -> payloads.State:
    return payloads.State(
        v=PAYLOAD_VERSION,
        epoch=s.epoch,
        n=s.n,
        hand_number=s.hand_number,
        phase=s.phase,
        street=s.street or "none",
        small_blind=s.small_blind,
        big_blind=s.big_blind,
        ante=s.ante,
        game=s.game or None,
        to_draw=s.to_draw,
        board=" ".join(s.board),
        board_count=s.board_count,
        pot_total=s.pot_total,
        pot_main=s.pots[0].amount if s.pots else 0,
        pot_side=sum(pot.amount for pot in s.pots[1:]),
        pots=tuple(_pot(pot) for pot in s.pots),
        players=sum(seat.state in {"in", "all_in"} for seat in s.seats),
        button=s.button,
        to_act=s.to_act,
        to_act_name=next((seat.name for seat in s.seats if seat.seat == s.to_act and seat.name), None),
        to_call=s.to_call,
        min_raise_to=s.min_raise_to,
        max_raise_to=s.max_raise_to,
        winner=_winner(s, language),
        paused=s.paused,
        known=all(seat.known for seat in s.seats),
        asking=s.question is not None,
        question=_text(s.question.text if s.question else None, language),
        alarms=sum(notice.level == "alarm" for notice in s.notices),
        notice=_text(s.notices[0].text if s.notices else None, language),
        chip_colours=" ".join(f"{value}:{colour}" for value, colour in s.chip_colours) or None,
        behind_s=0 if s.behind is None else s.behind.seconds,
        behind=_text(s.behind.text if s.behind else None, language),
        **_ruling(s.ruling, language),
    )


def _winner(s: Snapshot, language: Language) -> str | None:
    """Who won this hand, by name: "Anna 1200, Seat 4 300"."""
    won = [f"{seat.name or phrase('ha_seat', seat=seat.seat)[language]} {seat.won}" for seat in s.seats if seat.won]
    return ", ".join(won)[:MAX_TEXT] or None


def _pot(pot: PotView) -> payloads.Pot:
    return payloads.Pot(amount=pot.amount, seats=pot.seats)


def _ruling(ruling: RulingView | None, language: Language) -> dict[str, Any]:
    return {
        "ruling": _text(ruling.headline if ruling else None, language),
        "ruling_reason": _text(ruling.sentence if ruling else None, language),
        "ruling_rule": ruling.rule if ruling else None,
        "ruling_seat": ruling.seat if ruling else None,
        "ruling_action": ruling.action if ruling else "none",
        "ruling_total_to": ruling.total_to if ruling else None,
        "ruling_change_due": ruling.change_due if ruling else None,
        "ruling_must_add": ruling.must_add if ruling else None,
    }


def _seat(seat: SeatView, language: Language) -> payloads.Seat:
    return payloads.Seat(
        v=PAYLOAD_VERSION,
        seat=seat.seat,
        name=seat.name,
        state=seat.state,
        stack=seat.stack,
        bet=seat.bet,
        front=seat.front,
        front_chips=" ".join(f"{value}:{count}" for value, count in seat.front_chips),
        change_due=seat.change_due,
        missing=seat.missing,
        waiting=seat.waiting,
        to_act=seat.to_act,
        button=seat.button,
        last_action=_text(seat.last_action, language),
        cards_read=seat.cards_read,
        cards=" ".join(seat.cards),
        up=" ".join(seat.up),
        drew=seat.drew,
        hand="; ".join(told for one in seat.hands if (told := _text(one, language))) or None,
        in_hand_value=seat.in_hand_value,
        won=seat.won,
        known=seat.known,
    )


def _reader(reader: ReaderView, language: Language) -> payloads.Reader:
    return payloads.Reader(v=PAYLOAD_VERSION, id=reader.id, state=reader.state, text=_text(reader.text, language))


def dealer_message(snapshot: DealerSnapshot) -> bytes | None:
    """The dealer's view, for `private/` alone; None where no broker would carry it.

    Without what is provisional: a broker keeps it, and it is nobody's ruling yet.
    """
    payload = _json(payloads.Private(v=PAYLOAD_VERSION, snapshot=replace(snapshot, provisional=None)))
    return payload if len(payload) <= MAX_PAYLOAD else None


def system_message(health: Health) -> bytes:
    """How machine, broker and readers do."""
    machine = health.machine
    return _json(
        payloads.System(
            v=PAYLOAD_VERSION,
            cpu_temp_c=machine.cpu_temp_c,
            disk_free_mb=machine.disk_free_mb,
            uptime_s=machine.uptime_s,
            load=machine.load,
            clock_ok=machine.clock_ok,
            running_s=health.running_s,
            outbox=health.outbox,
            readers=health.readers,
            readers_up=health.readers_up,
            bad_frames=health.bad_frames,
        )
    )


def _text(text: Text | None, language: Language) -> str | None:
    if not text:
        return None
    return pick(text, language)[:MAX_TEXT]


# ---------------------------------------------------------------- events
def event_payload(epoch: str, row: Row) -> bytes:
    """A public event; every consumer may drop what it has seen by (epoch, n)."""
    assert row.n is not None, "a private event may not be told"
    head = {
        "v": PAYLOAD_VERSION,
        "epoch": epoch,
        "n": row.n,
        "event_type": kind_of(row.event),
        "ts": _utc(row.wall_ms),
        "boot": row.boot,
        "mono_ms": row.at_ns // 1_000_000,
        "seat": None,
    }
    payload = _json(head | (public_fields(row.event, row.before_n) or {}))
    return payload if len(payload) <= MAX_PAYLOAD else stub_payload(epoch, row)


def stub_payload(epoch: str, row: Row) -> bytes:
    """Instead of an event that no broker would carry: its numbers, so that nobody sees a gap."""
    assert row.n is not None, "a private event may not be told"
    return _json(
        payloads.Withheld(
            v=PAYLOAD_VERSION,
            epoch=epoch,
            n=row.n,
            event_type=kind_of(row.event),
            seat=None,
            withheld=True,
        )
    )


def replay_end(epoch: str, after: int, rows: Sequence[Row], *, more: bool) -> bytes:
    """The last message of a replay: how far it went, and whether there is more."""
    last = (rows[-1].n or 0) if rows else after
    return _json(payloads.ReplayEnd(v=PAYLOAD_VERSION, epoch=epoch, event_type="replay_end", last_n=last, more=more))


def result_payload(identity: str | None, error: str | None) -> bytes:
    """The answer to a command."""
    return _json(payloads.Result(v=PAYLOAD_VERSION, id=identity, ok=error is None, error=error))


def _utc(wall_ms: int) -> str:
    moment = datetime.fromtimestamp(wall_ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _json(content: Any) -> bytes:
    return msgspec.json.encode(content)
