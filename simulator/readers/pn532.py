"""A PN532 with one antenna on its high speed UART: wakes up, acknowledges, lists up to two ISO14443A cards.

It sleeps until it is woken and configured (SAMConfiguration behind a run of 55 55 00...). Every command is acknowledged
at once and answered when it is done; an ACK from the host aborts it, a NACK asks for the last answer again. Polling
goes on for ever until RFConfiguration item 5 makes it finite. Times: a poll takes 10 ms and each card 6 ms (106 kbit/s,
anticollision and select). Only UIDs of 4, 7 or 10 bytes are cards to it: chips of ISO 15693 it does not hear.
"""

from firmware_bridge.wire import pn532 as wire
from firmware_bridge.wire.pn532 import ACK, Acknowledged, Frame, Target
from simulator.radio import Radio

MS = 1_000_000
POLL_NS, CARD_NS = 10 * MS, 6 * MS
ANSWER_NS = 1 * MS
MOST_TARGETS = 2
IDENTITY = bytes((0x32, 1, 6, 7))  # PN532, firmware 1.6, supports 14443A, B and 18092
RETRIES_ITEM, FOR_EVER = 5, 0xFF
SIMPLE = (wire.SAM, wire.RF, wire.DESELECT)


class Pn532:
    """`asleep`: as after power-up; `speed`: faster than life, for demos; `antenna`: 0 is the reader's first."""

    def __init__(self, reader: str, radio: Radio, *, asleep: bool = True, speed: float = 1.0, antenna: int = 0) -> None:
        self.reader = reader
        self._antenna = (reader, antenna or (*radio.field.numbers(reader), 1)[0])
        self._radio, self._speed = radio, speed
        self._awake = self._configured = not asleep
        self._retries = FOR_EVER
        self._scanner = wire.scanner()
        self._running: Frame | None = None
        self._due_ns = 0
        self._at_begin: tuple[str, ...] = ()
        self._last = b""  # answer, for a NACK

    def power_cut(self) -> None:
        """Off and on again: it sleeps, polls for ever once it is woken, and has nothing to say."""
        self._awake = self._configured = False
        self._retries = FOR_EVER
        self._running, self._last = None, b""
        self._scanner = wire.scanner()

    def wake_at_ns(self) -> int | None:
        return self._due_ns if self._running else None

    def receive(self, data: bytes, at_ns: int) -> bytes:
        self._awake = self._awake or b"\x55\x55" in data
        if not self._awake:
            return b""
        out = b""
        for item in self._scanner.feed(data, at_ns):
            match item:
                case Acknowledged(again=True):
                    out += self._last
                case Acknowledged():
                    self._running = None
                case Frame(wire.HOST):
                    out += self._begin(item, at_ns)
                case _:
                    pass
        return out

    def _begin(self, frame: Frame, at_ns: int) -> bytes:
        if not self._configured and frame.code != wire.SAM:
            return b""  # still in LowVBat: it hears nothing else
        self._configured = True
        if frame.code == wire.LIST and not 1 <= (frame.data or b"\0")[0] <= MOST_TARGETS:
            return ACK + wire.SYNTAX_ERROR
        if frame.code not in (*SIMPLE, wire.FIRMWARE, wire.LIST):
            return ACK + wire.SYNTAX_ERROR
        self._running = frame
        self._due_ns = at_ns + ANSWER_NS
        if frame.code == wire.LIST:
            self._begin_poll(at_ns)
        return ACK

    def _begin_poll(self, at_ns: int) -> None:
        self._at_begin = self._radio.field.on(self._antenna)
        cards = min(MOST_TARGETS, len(self._at_begin))
        plain_ns = POLL_NS + CARD_NS * cards
        self._due_ns = at_ns + int(plain_ns * self._radio.pace(self._antenna) / self._speed)

    def tick(self, at_ns: int) -> bytes:
        running = self._running
        if running is None or at_ns < self._due_ns:
            return b""
        if running.code == wire.LIST:
            targets = self._targets()[: running.data[0]]
            if not targets and self._retries == FOR_EVER:
                self._begin_poll(at_ns)
                return b""
            self._last = wire.listed(targets)
        else:
            self._last = self._answer(running)
        self._running = None
        return self._last

    def _answer(self, command: Frame) -> bytes:
        if command.code == wire.FIRMWARE:
            return wire.response(wire.FIRMWARE, IDENTITY)
        if command.code == wire.RF and command.data[:1] == bytes((RETRIES_ITEM,)) and len(command.data) == 4:
            self._retries = command.data[3]
        return wire.response(command.code, b"\0" if command.code == wire.DESELECT else b"")

    def _targets(self) -> tuple[Target, ...]:
        heard = self._radio.scan(self._antenna, self._at_begin)
        return tuple(card for tag in heard.own + heard.stray if (card := _card(tag)))


def _card(tag: str) -> Target | None:
    match len(tag) // 2:
        case 4:
            return Target(tag, 0x0004, 0x08)  # MIFARE Classic
        case 7 | 10:
            return Target(tag, 0x0044, 0x00)  # NTAG, Ultralight
        case _:
            return None
