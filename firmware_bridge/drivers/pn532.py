"""Driver of the NXP PN532 on its high speed UART: up to two ISO14443A cards, one antenna a chip, as for hole cards.

On `Dialogue`: the chip is polled. One command at a time: command, ACK, response. A command without an ACK is sent again
behind a wake-up, one without a response is aborted (an ACK from the host) and sent again; a damaged response is asked
for again, once (NACK). A chip that lost its power sleeps, and polls for ever once it is woken, so a poll without an
answer is followed by the whole setting up. Between two polls the field is off: cards forget that they were halted, and
the antenna of the next seat hears its own cards. Timing: UM0701-02, 6.2.2; a pause of 1 ms before each write (nfcpy
#257 cured lost ACKs with it).
"""

from firmware_bridge.drivers.dialogue import MS, Dialogue, Request
from firmware_bridge.drivers.options import LineOptions, Ms
from firmware_bridge.events import Out, ScanRound, Sighting
from firmware_bridge.wire import pn532 as wire
from firmware_bridge.wire.pn532 import Acknowledged, AnyFrame, Listed
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.scanner import Scanner

PAUSE_NS = 1 * MS  # before each write
RANDOM_UID = "08"  # first byte of a UID of 4 bytes that changes at each power-up (ISO/IEC 14443-3)


class Pn532Options(LineOptions, frozen=True):
    poll_ms: Ms = 100  # ten polls a second: one takes 10 to 30 ms
    field_off: bool = True  # between polls
    ack_ms: Ms = 90  # UM0701-02, 6.2.2: 89 ms at 115200 baud
    answer_ms: Ms = 300  # a poll takes 30 ms; a USB adapter on a Pi may hold its first bytes back for a second: retries


class Pn532(Dialogue[AnyFrame]):
    family = "PN532"
    most_tags = 2  # UM0701-02, 7.3.5: two cards at once, so that a stack of chips is beyond it
    keeps_settings = False

    def __init__(self, reader: str, antennas: tuple[int, ...], options: Pn532Options) -> None:
        self._options = options
        self._poll = self._command(wire.LIST, "list of cards", wire.TWO_TYPE_A, begins=True)
        self._field_off = [self._command(wire.RF, "field off", wire.FIELD_OFF)] if options.field_off else []
        super().__init__(reader, antennas, options)

    def _begin(self) -> None:
        super()._begin()
        self._acknowledged = False  # the command that waits
        self._asked_again = False  # a NACK was sent for this response
        self._next_poll_ns = 0
        self._listed: Listed | None = None  # the last one, and what was seen in it
        self._seen: tuple[Sighting, ...] = ()
        self._told_random = False

    def _new_cutter(self) -> Scanner[AnyFrame]:
        return wire.scanner()

    # ------------------------------------------------------------ what goes out

    def start(self, at_ns: int) -> Out:
        out = super().start(at_ns)
        return Out(out.events, (wire.ACK, *out.send))  # aborts what a host that died may have left running

    def _steps(self, *, stuck: bool) -> list[Request]:
        del stuck
        return [
            self._command(wire.SAM, "SAM configuration", wire.SAM_NORMAL),
            self._command(wire.FIRMWARE, "firmware version"),
            self._command(wire.RF, "finite retries", wire.FINITE_RETRIES),
        ]

    def _round_of(self, antenna: int) -> list[Request]:
        del antenna
        return [self._poll]

    def _between(self) -> list[Request]:
        return self._field_off

    def _command(self, code: int, name: str, data: bytes = b"", *, begins: bool = False) -> Request:
        return Request(bytes((code,)) + data, name, self._options.ack_ms, begins=begins)

    def _framed(self, request: Request) -> bytes:
        frame = wire.command(request.body[0], request.body[1:])
        return wire.wake_up(frame) if self._tries > 1 or request.body[0] == wire.SAM else frame  # it may be asleep

    def _say(self, request: Request, at_ns: int) -> None:
        super()._say(request, at_ns)
        self._acknowledged = self._asked_again = False
        if request.begins:
            self._next_poll_ns = at_ns + self._options.poll_ms * MS

    def _ask_next(self, at_ns: int) -> None:
        """A rest before each write, and until the next poll is due."""
        self._pause(at_ns, PAUSE_NS if self._queue else max(PAUSE_NS, self._next_poll_ns - at_ns))

    # ------------------------------------------------------------ what comes in

    def _take_frame(self, frame: AnyFrame, at_ns: int) -> None:
        if isinstance(frame, Listed):
            self._list(frame, at_ns)
        elif isinstance(frame, Acknowledged):
            if self._asked is not None and not self._acknowledged and not frame.again:
                self._acknowledged, self._due_ns = True, at_ns + self._options.answer_ms * MS
        elif frame.tfi == wire.CHIP:
            self._response(frame.code - 1, frame.data, at_ns)
        elif frame.tfi == wire.ERROR:
            self._refused(at_ns)

    def _list(self, listed: Listed, at_ns: int) -> None:
        """A whole round in one frame: nothing to gather, and what was damaged before it was no part of it."""
        self._in_vain = 0
        gathered, self._round = self._round, None
        began_ns = at_ns if gathered is None or gathered.began_ns is None else gathered.began_ns
        if listed is not self._listed:  # cards lie still: the scanner gives the same list again
            self._listed = listed
            self._seen = tuple([Sighting(target.uid) for target in listed.targets if not _is_random(target.uid)])
            self._tell_random(len(self._seen) < len(listed.targets), at_ns)
        self._events.append(ScanRound(self._reader, self._antennas[0], began_ns, at_ns, True, self._seen))
        if self._waits_for(wire.LIST):
            self._next_round(at_ns)

    def _tell_random(self, random: bool, at_ns: int) -> None:
        if random and not self._told_random:
            why = "a card with a random UID lies here (a phone, a bank card): it has no identity to read"
            self._fault(at_ns, "random_uid", why)
        self._told_random = random

    def _response(self, code: int, data: bytes, at_ns: int) -> None:
        """A response of any age ends the wait for its command: an ACK may have been lost, a NACK answered late."""
        if code == wire.FIRMWARE and len(data) >= 3:
            self._is_up(f"PN5{data[0]:02X} {data[1]}.{data[2]}", at_ns)
        if self._waits_for(code):
            self._answered(at_ns)

    def _rejected(self, item: Rejected, at_ns: int) -> None:
        self._events.append(item.as_event(self._reader, at_ns))
        in_time = self._asked is not None and self._due_ns is not None and at_ns < self._due_ns
        if in_time and self._acknowledged and item.reason != "noise" and not self._asked_again:
            self._asked_again = True
            self._send.append(wire.NACK)

    def _refused(self, at_ns: int) -> None:
        self._fault(at_ns, "syntax", "the chip did not understand the last command")
        if self._asked is not None:
            self._try_again(self._asked, at_ns)

    def _no_answer(self, asked: Request, at_ns: int) -> None:
        if self._acknowledged:
            self._send.append(wire.ACK)  # abort
        super()._no_answer(asked, at_ns)


def _is_random(uid: str) -> bool:
    return len(uid) == 8 and uid.startswith(RANDOM_UID)
