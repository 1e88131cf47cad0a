"""Driver of tablelink: keeps the conversation and turns snapshots into rounds; a lost frame is never an empty round.

On no base: the reader speaks by itself, and numbers what it says, so that more is known than `Timed` could tell.

    asking ----hello----> up ----no frame for 3 heartbeats, or another boot id----> asking

While asking, the host sends `start` once a second, and rounds that come are told as not complete: sightings count,
absences do not. A step in the reader's sequence says how many frames were lost; a step in an antenna's round number
says whose round it was, and that interval is told as a round that is not complete. Knows no clock: time is an argument.

A reader that can (it says so behind its hello) is asked for single tags while somebody wants to know of them; the
answer is a round that is not complete, with those that answered as sightings and the others as absent.
"""

from firmware_bridge.drivers.base import Outgoing
from firmware_bridge.drivers.options import LineOptions
from firmware_bridge.drivers.standing import Standing
from firmware_bridge.events import Out, ReaderLost, ReaderUp, ScanRound, Sighting, Wanted
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.tablelink import (
    VERSION,
    Cutter,
    Fault,
    Focus,
    Frame,
    Heartbeat,
    Hello,
    Numbered,
    Snapshot,
    Start,
    Unknown,
    pack,
)
from firmware_bridge.wire.tablelink_asking import ASK, MOST_ASKED, Answers, Ask, Can, Health, Maintain

MS = 1_000_000
ASK_NS = 1000 * MS  # between two `start`: a microcontroller that was reset by DTR needs most of a second to boot
PATIENCE = 3  # heartbeats without any frame before the reader counts as lost
SHORTEST_HEARTBEAT_MS = 50
REFUSED = 6
FAULTS = {1: "antenna_open", 2: "over_current", 3: "full", 4: "chip_silent", 5: "hot", REFUSED: "refused"}


class TablelinkOptions(LineOptions, frozen=True):
    """A USB port of a microcontroller ignores the baud rate; several of them only send while DTR is on."""

    dtr: bool | None = True


class Received:
    """What has come so far, by number: tells what is missing. A new one for every boot of the reader."""

    def __init__(self) -> None:
        self._next: int | None = None  # sequence of the frame that should come next
        self._rounds: dict[int, tuple[int, int]] = {}  # antenna: number of its next round, end of its last

    def lost_before(self, sequence: int) -> int:
        """How many frames (modulo 256) are missing between the last one and this one."""
        lost = 0 if self._next is None else (sequence - self._next) & 0xFF
        self._next = (sequence + 1) & 0xFF
        return lost

    def unknown_since(self, frame: Snapshot, ended_ns: int) -> int | None:
        """End of the last round known of this antenna, if one or more are missing before this one."""
        due, last_ended_ns = self._rounds.get(frame.antenna, (frame.round, 0))
        self._rounds[frame.antenna] = ((frame.round + 1) & 0xFFFF, ended_ns)
        return None if frame.round == due else last_ended_ns


class Tablelink(Outgoing):
    """One microcontroller with many antennas.

    `antennas` are those that table.toml names, checked against the reader's hello; () accepts what the reader has.
    """

    def __init__(self, reader: str, antennas: tuple[int, ...], options: TablelinkOptions) -> None:
        super().__init__(reader, options.settings)
        self._expected = antennas
        self._sequence = 0  # of the next frame to the reader
        self.health: dict[int, Health] = {}  # the last word of each antenna; who shows it may keep this dictionary
        self._begin(0)

    def _begin(self, at_ns: int) -> None:
        self._cutter = Cutter()
        self._received = Received()
        self._focus: tuple[int, ...] = ()
        self._focus_due = False  # the reader does not know the focus yet
        self._hello: Hello | None = None  # of the boot that speaks now; None while asking
        self._limits: dict[int, int] = {}  # tags of one round, by antenna
        self._can: frozenset[int] = frozenset()  # types beyond the first that this boot knows
        self._standing = Standing(MOST_ASKED)
        self.health.clear()
        self._version_told = False
        self._now_ns = self._ask_at_ns = at_ns
        self._silent_at_ns: int | None = at_ns + PATIENCE * ASK_NS  # None: lost, and told so

    def start(self, at_ns: int) -> Out:
        self._begin(at_ns)
        self._ask(at_ns)
        return self._out()

    def receive(self, data: bytes, at_ns: int) -> Out:
        return self._take(self._cutter.feed(data), at_ns)

    def tick(self, at_ns: int) -> Out:
        self._now_ns = at_ns
        if self._silent_at_ns is not None and at_ns >= self._silent_at_ns:
            self._fall_silent(at_ns)
        if self._hello is None and at_ns >= self._ask_at_ns:
            self._ask(at_ns)
        elif self._hello is not None:
            if self._focus_due:
                self._tell_focus()
            for antenna, tags in self._standing.due(at_ns) if self._asks else ():
                self._say(Ask(antenna, tags))
        return self._out()

    def wake_at_ns(self) -> int | None:
        if self._hello is None:
            return self._ask_at_ns if self._silent_at_ns is None else min(self._ask_at_ns, self._silent_at_ns)
        if self._focus_due:
            return self._now_ns
        due = (self._silent_at_ns, self._standing.wake_at_ns() if self._asks else None)
        return min((at_ns for at_ns in due if at_ns is not None), default=None)

    def focus(self, antennas: tuple[int, ...]) -> None:
        self._focus_due = self._focus_due or antennas != self._focus
        self._focus = antennas

    def ask(self, wanted: Wanted) -> None:
        self._standing.want(wanted)

    @property
    def _asks(self) -> bool:
        """Whether this boot of the reader can be asked."""
        return ASK in self._can

    def flush(self, at_ns: int) -> Out:
        return self._take(self._cutter.finish(), at_ns)

    # ------------------------------------------------------------ what comes in

    def _take(self, found: list[Numbered | Rejected], at_ns: int) -> Out:
        self._now_ns = at_ns
        for item in found:
            if isinstance(item, Rejected):
                self._events.append(item.as_event(self._reader, at_ns))
            else:
                self._frame(*item, at_ns)
        return self._out()

    def _frame(self, sequence: int, frame: Frame, at_ns: int) -> None:
        if isinstance(frame, Hello) and (self._hello is None or frame.boot_id != self._hello.boot_id):
            self._reader_up(frame, at_ns)
        lost = self._received.lost_before(sequence)
        if lost:
            self._fault(at_ns, "frames_lost", f"{lost} frames of the reader were lost before its number {sequence}")
        self._silent_at_ns = at_ns + PATIENCE * self._heartbeat_ns()
        match frame:
            case Snapshot():
                self._round(frame, at_ns)
            case Heartbeat():
                self._heartbeat(frame, at_ns)
            case Fault(antenna, code, text):
                where = f"antenna {antenna}: " if antenna else ""
                if code == REFUSED:
                    self._standing.refused(antenna)
                self._fault(at_ns, FAULTS.get(code, f"{code:02X}"), where + text)
            case Unknown(version, _) if version != VERSION:
                self._other_version(version, at_ns)
            case Answers():
                self._answers(frame, at_ns)
            case Can(types):
                self._can = frozenset(types)
            case Health():
                self.health[frame.antenna] = frame
            case Hello() | Start() | Focus() | Ask() | Maintain() | Unknown():
                pass  # said before, the host's own frames echoed, or a type of a later day

    def _reader_up(self, frame: Hello, at_ns: int) -> None:
        self._received = Received()
        self._hello = frame
        self._limits = {antenna.number: antenna.tags for antenna in frame.antennas}
        self._can = frozenset()
        self._standing.booted()
        self._focus_due = bool(self._focus)
        self._events.append(ReaderUp(self._reader, at_ns, f"{frame.firmware} boot {frame.boot_id:08X}"))
        for antenna in self._expected:
            if antenna not in self._limits:
                self._fault(
                    at_ns, "no_antenna", f"antenna {antenna} is configured, and the reader has none so numbered"
                )

    def _round(self, frame: Snapshot, at_ns: int) -> None:
        ended = at_ns - frame.age_ms * MS
        began = ended - frame.length_ms * MS
        since = self._received.unknown_since(frame, ended)
        if since is not None:
            self._events.append(self._scan_round(frame.antenna, min(since, began), began))
        complete = frame.complete and self._hello is not None and self._fits(frame)
        self._events.append(ScanRound(self._reader, frame.antenna, began, ended, complete, frame.sightings))

    def _answers(self, frame: Answers, at_ns: int) -> None:
        """Who was asked for and silent counts as absent; of all others nothing is said."""
        ended = at_ns - frame.age_ms * MS
        began = ended - frame.length_ms * MS
        seen = tuple(map(Sighting, frame.present))
        absent = frame.absent if self._hello is not None else ()
        self._standing.answered(frame.antenna, (*frame.present, *frame.absent), at_ns)
        self._events.append(ScanRound(self._reader, frame.antenna, began, ended, False, seen, absent))

    def _scan_round(self, antenna: int, began_ns: int, ended_ns: int) -> ScanRound:
        """The interval of a round that was lost: nothing is known of it."""
        return ScanRound(self._reader, antenna, began_ns, ended_ns, complete=False, sightings=())

    def _fits(self, frame: Snapshot) -> bool:
        limit = self._limits.get(frame.antenna, 0)
        return not limit or len(frame.sightings) <= limit

    def _heartbeat(self, frame: Heartbeat, at_ns: int) -> None:
        if self._hello is not None and frame.boot_id != self._hello.boot_id:  # it was reset, and its hello got lost
            self._hello = None
            self._ask(at_ns)
        elif self._hello is not None and frame.heard != (self._sequence - 1) & 0xFF:
            self._tell_focus()  # our last frame did not arrive

    def _other_version(self, version: int, at_ns: int) -> None:
        if not self._version_told:
            self._version_told = True
            why = f"the reader speaks version {version} of tablelink, this program {VERSION}: bring both to the same"
            self._fault(at_ns, "version", why)

    # ------------------------------------------------------------ what goes out, and time

    def _heartbeat_ns(self) -> int:
        return ASK_NS if self._hello is None else max(self._hello.heartbeat_ms, SHORTEST_HEARTBEAT_MS) * MS

    def _fall_silent(self, at_ns: int) -> None:
        silent_ms = PATIENCE * self._heartbeat_ns() // MS
        self._events.append(ReaderLost(self._reader, at_ns, f"no frame from the reader for {silent_ms} ms"))
        self._hello, self._silent_at_ns = None, None

    def _ask(self, at_ns: int) -> None:
        self._ask_at_ns = at_ns + ASK_NS
        self._say(Start())

    def _tell_focus(self) -> None:
        self._focus_due = False
        self._say(Focus(self._focus))

    def _say(self, frame: Frame) -> None:
        self._send.append(pack(frame, self._sequence))
        self._sequence = (self._sequence + 1) & 0xFF
