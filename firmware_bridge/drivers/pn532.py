"""Driver of the NXP PN532 on its high speed UART: up to two ISO14443A cards, one antenna a chip, as for hole cards.

    setting up ----all answered----> polling ----a poll unanswered----> setting up
    setting up ----three tries unanswered, or three polls in vain----> lost ----a second----> setting up

One command at a time: command, ACK, response. A command without an ACK is sent again behind a wake-up, one without a
response is aborted (an ACK from the host) and sent again; a damaged response is asked for again, once (NACK). A chip
that lost its power sleeps, and polls for ever once it is woken, so a poll without an answer is followed by the whole
setting up. Between two polls the field is off: cards forget that they were halted, and the antenna of the next seat
hears its own cards. Timing: UM0701-02, 6.2.2; a pause of 1 ms before each write (nfcpy #257 cured lost ACKs with it).
"""

from typing import Literal

from firmware_bridge.drivers.options import LineOptions, Ms
from firmware_bridge.events import Out, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound, Sighting
from firmware_bridge.wire import pn532 as wire
from firmware_bridge.wire.pn532 import Acknowledged, AnyFrame, Listed
from firmware_bridge.wire.rejected import Rejected

MS = 1_000_000
TRIES = 3
PAUSE_NS = 1 * MS
REST_NS = 1000 * MS  # before a chip that fell silent is set up again
RANDOM_UID = "08"  # first byte of a UID of 4 bytes that changes at each power-up (ISO/IEC 14443-3)
SETTING_UP = ((wire.SAM, wire.SAM_NORMAL), (wire.FIRMWARE, b""), (wire.RF, wire.FINITE_RETRIES))
POLL = (wire.LIST, wire.TWO_TYPE_A)
FIELD_OFF = (wire.RF, wire.FIELD_OFF)


class Pn532Options(LineOptions, frozen=True):
    poll_ms: Ms = 100  # ten polls a second: one takes 10 to 30 ms
    field_off: bool = True  # between polls
    ack_ms: Ms = 90  # UM0701-02, 6.2.2: 89 ms at 115200 baud
    answer_ms: Ms = 300  # a poll takes 30 ms; a USB adapter on a Pi may hold its first bytes back for a second: retries


class Pn532:
    """One chip with one antenna."""

    def __init__(self, reader: str, antennas: tuple[int, ...], options: Pn532Options) -> None:
        self.settings = options.settings
        self._reader, self._options = reader, options
        self._ack_ns, self._answer_ns, self._poll_ns = (
            ms * MS for ms in (options.ack_ms, options.answer_ms, options.poll_ms)
        )
        self._antenna = antennas[0] if antennas else 1
        self._events: list[ReaderEvent] = []
        self._send: list[bytes] = []
        self._begin()

    def _begin(self) -> None:
        self._scanner = wire.scanner()
        self._steps = list(SETTING_UP)  # commands to come; empty: poll
        self._command = SETTING_UP[0]
        self._awaits: Literal["ack", "response", "time"] = "time"
        self._due_ns: int | None = None
        self._tries = 0
        self._in_vain = 0  # polls in turn that got no answer, with a setting up behind each
        self._asked_again = False  # a NACK was sent for this response
        self._polled_ns: int | None = None  # None: no poll of ours is running
        self._next_poll_ns = 0
        self._listed: Listed | None = None  # the last one, and what was seen in it
        self._seen: tuple[Sighting, ...] = ()
        self._told_lost = self._told_random = self._up = False

    def start(self, at_ns: int) -> Out:
        self._begin()
        self._send.append(wire.ACK)  # aborts what a host that died may have left running
        self._ask(self._steps.pop(0), at_ns)
        return self._out()

    def receive(self, data: bytes, at_ns: int) -> Out:
        self._take(self._scanner.feed(data, at_ns), at_ns)
        return self._out()

    def tick(self, at_ns: int) -> Out:
        if self._scanner.waits:
            self._take(self._scanner.expire(at_ns), at_ns)
        if self._due_ns is not None and at_ns >= self._due_ns:
            self._overdue(at_ns)
        return self._out()

    def wake_at_ns(self) -> int | None:
        stale_ns = self._scanner.stale_at_ns()
        if stale_ns is None or self._due_ns is None:
            return stale_ns if self._due_ns is None else self._due_ns
        return min(stale_ns, self._due_ns)

    def focus(self, antennas: tuple[int, ...]) -> None:
        """Nothing to choose: one antenna, always polled."""

    def flush(self, at_ns: int) -> Out:
        self._take(self._scanner.finish(), at_ns)
        return self._out()

    # ------------------------------------------------------------ what comes in

    def _take(self, found: list[AnyFrame | Rejected], at_ns: int) -> None:
        for item in found:
            if isinstance(item, Listed):
                self._round(item, at_ns)
                self._answered(wire.LIST, at_ns)
            elif isinstance(item, Acknowledged):
                if self._awaits == "ack" and not item.again:
                    self._awaits, self._due_ns = "response", at_ns + self._answer_ns
            elif isinstance(item, Rejected):
                self._damaged(item, at_ns)
            elif item.tfi == wire.CHIP:
                self._response(item.code - 1, item.data, at_ns)
            elif item.tfi == wire.ERROR:
                self._refused(at_ns)

    def _round(self, listed: Listed, at_ns: int) -> None:
        self._in_vain = 0
        began_ns, self._polled_ns = self._polled_ns, None
        if began_ns is None:
            began_ns = at_ns
        if listed is not self._listed:  # cards lie still: the scanner gives the same list again
            self._listed = listed
            self._seen = tuple([Sighting(target.uid) for target in listed.targets if not _is_random(target.uid)])
            self._tell_random(len(self._seen) < len(listed.targets), at_ns)
        self._events.append(ScanRound(self._reader, self._antenna, began_ns, at_ns, True, self._seen))

    def _tell_random(self, random: bool, at_ns: int) -> None:
        if random and not self._told_random:
            why = "a card with a random UID lies here (a phone, a bank card): it has no identity to read"
            self._events.append(ReaderFault(self._reader, at_ns, "random_uid", why))
        self._told_random = random

    def _response(self, code: int, data: bytes, at_ns: int) -> None:
        if code == wire.FIRMWARE and len(data) >= 3 and not self._up:
            self._up, self._told_lost = True, False
            self._events.append(ReaderUp(self._reader, at_ns, f"PN5{data[0]:02X} {data[1]}.{data[2]}"))
        self._answered(code, at_ns)

    def _damaged(self, rejected: Rejected, at_ns: int) -> None:
        self._events.append(rejected.as_event(self._reader, at_ns))
        if self._awaits == "response" and rejected.reason != "noise" and not self._asked_again:
            self._asked_again = True
            self._send.append(wire.NACK)

    def _refused(self, at_ns: int) -> None:
        self._events.append(ReaderFault(self._reader, at_ns, "syntax", "the chip did not understand the last command"))
        if self._awaits != "time":
            self._again(at_ns)

    # ------------------------------------------------------------ what goes out, and time

    def _answered(self, code: int, at_ns: int) -> None:
        """A response of any age ends the wait for its command: an ACK may have been lost, a NACK answered late."""
        if self._awaits == "time" or code != self._command[0]:
            return
        self._tries = 0
        self._awaits, self._due_ns = "time", at_ns + PAUSE_NS
        if self._command == POLL and self._options.field_off:
            self._steps.append(FIELD_OFF)
        elif not self._steps:
            self._due_ns = max(self._due_ns, self._next_poll_ns)

    def _overdue(self, at_ns: int) -> None:
        if self._awaits != "time":
            if self._awaits == "response":
                self._send.append(wire.ACK)  # abort
            self._again(at_ns)
            if self._command == POLL and self._tries:
                self._set_up_again(at_ns)
        elif self._tries:
            self._ask(self._command, at_ns)
        else:
            self._ask(self._steps.pop(0) if self._steps else POLL, at_ns)

    def _ask(self, command: tuple[int, bytes], at_ns: int) -> None:
        frame = wire.command(*command)
        if self._tries or command[0] == wire.SAM:  # it may be asleep
            frame = wire.wake_up(frame)
        self._send.append(frame)
        self._command, self._asked_again = command, False
        self._tries += 1
        self._awaits, self._due_ns = "ack", at_ns + self._ack_ns
        if command == POLL:
            self._polled_ns, self._next_poll_ns = at_ns, at_ns + self._poll_ns

    def _again(self, at_ns: int) -> None:
        """Once more, a moment later; or the chip is lost."""
        self._polled_ns = None
        self._awaits, self._due_ns = "time", at_ns + PAUSE_NS
        if self._tries >= TRIES:
            self._lose(at_ns)

    def _set_up_again(self, at_ns: int) -> None:
        """A poll got no answer: perhaps the chip had no power for a moment."""
        self._in_vain += 1
        self._steps, self._tries = list(SETTING_UP), 0
        if self._in_vain >= TRIES:
            self._lose(at_ns)

    def _lose(self, at_ns: int) -> None:
        if not self._told_lost:
            why = f"the chip has not answered command {self._command[0]:02X} {TRIES} times"
            self._events.append(ReaderLost(self._reader, at_ns, why))
        self._told_lost, self._up = True, False
        self._steps, self._tries, self._in_vain = list(SETTING_UP), 0, 0
        self._due_ns = at_ns + REST_NS

    def _out(self) -> Out:
        if not self._events and not self._send:
            return _NOTHING
        out = Out(tuple(self._events), tuple(self._send))
        self._events, self._send = [], []
        return out


def _is_random(uid: str) -> bool:
    return len(uid) == 8 and uid.startswith(RANDOM_UID)


_NOTHING = Out()
