"""One antenna for chips: who is known and silent, who is new, and when a round is complete.

Known tags are silenced and asked by address, one after the other; in between everybody else is called, which is one
request that nobody answers while nobody is new. A round is complete when, all known tags being silenced, nothing
answered: that holds where a strong tag hides a weak one, and it is said only where every single transmission is
accounted for.

A silenced tag must not get lost. Who stops answering here is asked for by address at the other antennas of this
controller (a chip may slide there without losing its power), and the field goes off now and then: often where few tags
lie, since that costs nothing there, and every five seconds at the latest.
"""

from firmware_bridge.firmware import wire
from firmware_bridge.firmware.iso15693 import CLEAN, GARBLED, SILENT, UID_SIZE, Air
from firmware_bridge.firmware.known import ANSWERED, ELSEWHERE, PRESENT, Known, printed

MS = 1000
CALL_EVERY = 4  # asks between two calls for newcomers: 30 ms
FEW_LEFT = 4  # with so few left to ask, a newcomer can wait for the end of the round
SHORTEST_US = 50 * MS  # twenty rounds a second are enough of an antenna with nothing on it
REST_US = 10 * MS  # between two calls while it waits for that
SOONEST_OFF_US, LATEST_OFF_US = 250 * MS, 4500 * MS  # with the longest round behind it, below 5 s
OFF_COST_US, OFF_TAG_US = 12 * MS, 5 * MS  # what it costs to switch off, alone and for each known tag
OFF_SHARE = 20  # at most one part in so many goes into it
GROUP_BITS, TURNED = 3, (0, 4, 2, 6, 1, 5, 3, 7)  # tags are silenced by their last bits, so that masks grow together
MANY = 30  # with fewer known tags they are silenced sooner than a newcomer is told
NEWS_US = 400 * MS  # so long behind a chip that came or went the field stays on, if it may
MOST_PASSES = 12  # through the tree, in one round
WANTED_US = 1500 * MS  # how long a tag that vanished elsewhere is asked for
MOST_WANTED = 32
MOST_ASKED = 60

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware_bridge.firmware.contacts import Clock, Steps


class Antenna:
    """`tags` is what hello tells: with more a round is not complete. `others`: the same controller's other antennas."""

    def __init__(self, number: int, tags: int, air: Air, clock: "Clock") -> None:
        self.number, self.tags = number, tags
        self.known = Known(max(tags * 2, 32) if tags < 128 else 255)
        self.air, self._clock = air, clock
        self.others: list[Antenna] = []
        self.rounds = 0
        self.packet = wire.Packet()  # the last round, until it is sent
        self.ended = 0
        self.answers = wire.Packet(wire.LONGEST_ORDER)
        self.answered = 0  # when the last `ask` was done
        self.retries = 0
        self.is_full = False
        self._order: list[bytes] = []  # what the host asks for
        self._wanted: list[bytes] = []
        self._wanted_until: list[int] = []
        self._tried: list[bool] = []
        self._newcomers: list[bytes] = []
        self._on_since: int | None = None
        self._news_at = clock.ticks_us()  # when a tag last came or went
        self._whole = True

    # ------------------------------------------------------------ what others ask of it

    def order(self, tags: "list[bytes]") -> None:
        """The host wants to know of these; a new order takes the place of an old one."""
        self._order = [printed(tag) for tag in tags if len(tag) == UID_SIZE][:MOST_ASKED]

    def want(self, tag: bytes) -> None:
        """A silenced tag vanished beside this antenna: it may be here, and would not speak by itself."""
        if tag not in self._wanted and len(self._wanted) < MOST_WANTED:
            self._wanted.append(tag)
            self._wanted_until.append(self._clock.ticks_add(self._clock.ticks_us(), WANTED_US))
            self._tried.append(False)

    def lost_power(self) -> None:
        """The field went off without a plan: nobody is silent any more."""
        self._on_since = None
        self.known.renew()

    # ------------------------------------------------------------ a round

    def round(self) -> "Steps":
        """One round, into `packet`. It may be cut for a newcomer, who is told at once."""
        yield from self._renew()
        began = self._clock.ticks_us()
        self._whole, self.is_full, at, cut = True, False, 0, False
        self.known.begin()
        while at < len(self.known.tags) and not cut:
            yield from self._ask_orders()
            yield from self._ask_wanted(fresh=True)
            stop = min(at + CALL_EVERY, len(self.known.tags))
            while at < stop:
                if not self.known.marks[at] & ANSWERED:  # a newcomer of this round has spoken
                    yield from self._ask_known(at)
                at += 1
            cut = (yield from self._call()) and len(self.known.tags) - at > FEW_LEFT
        if not cut:
            yield from self._finish(began)
        self._tell(began, 0 if cut or not self._whole else wire.COMPLETE | wire.CONFIRMED)

    def cut(self, began: int) -> None:
        """The chip failed within a round: what answered in it is told, and nothing of the others."""
        self._whole = False
        self._tell(began, 0)

    def _renew(self) -> "Steps":
        """Switches the field on, or off and on again where tags have been silent for long enough."""
        clock, air = self._clock, self.air
        if self._on_since is not None:
            if clock.ticks_diff(clock.ticks_us(), self._on_since) < self._lasts_us():
                return
            yield from air.switch_off()
            self.known.renew()
        yield from air.switch_on()
        self._on_since = clock.ticks_us()
        yield from self._silence_all()

    def _lasts_us(self) -> int:
        """How long the field stays on: long enough to cost little, and longer while chips come and go."""
        is_busy = self._wanted or self._clock.ticks_diff(self._clock.ticks_us(), self._news_at) < NEWS_US
        cost = OFF_COST_US + OFF_TAG_US * len(self.known.tags)
        return LATEST_OFF_US if is_busy else min(max(cost * OFF_SHARE, SOONEST_OFF_US), LATEST_OFF_US)

    def _silence_all(self) -> "Steps":
        """Group by group; where these are many, newcomers of groups that are silenced are called, and told at once."""
        began, known, many = self._clock.ticks_us(), self.known, len(self.known.tags) >= MANY
        known.begin()
        for done in range(1 << GROUP_BITS):
            for at in range(len(known.tags)):
                if known.tags[at][0] & (1 << GROUP_BITS) - 1 == TURNED[done]:
                    yield from self.air.silence(known.tags[at])
            if many:
                yield from self._ask_orders()
                yield from self._ask_wanted(fresh=True)
                if (yield from self._call_groups(done + 1)):
                    self._tell(began, 0)

    def _call_groups(self, done: int) -> "Generator[int, None, bool]":
        """Calls the tags of so many groups, by as few masks as that takes; True: one answered, alone."""
        begin, found = 0, False
        for bits in range(1, GROUP_BITS + 1):
            size = 1 << GROUP_BITS - bits
            if done & size:
                yield from self.air.look(bits, TURNED[begin] & (1 << bits) - 1)
                if self.air.heard == CLEAN:
                    yield from self._welcome(bytes(self.air.uid))
                    found = True
                begin += size
        return found

    def _ask_known(self, at: int) -> "Steps":
        """Asks one, and again where it was here before: an answer may get lost, and a request to be silent too."""
        known, air = self.known, self.air
        tag, was = known.tags[at], known.marks[at] & ~ELSEWHERE
        yield from air.ask(tag, bool(was & PRESENT))
        if air.heard != CLEAN and was & PRESENT:
            self.retries += 1
            yield from air.ask(tag, False)
        if air.heard == SILENT:
            known.marks[at] = 0
            if was & PRESENT:
                self._miss(tag)
        elif air.heard == CLEAN:
            known.marks[at] = PRESENT | ANSWERED
        else:
            self._whole = False  # something answered, and nobody can say what

    def _miss(self, tag: bytes) -> None:
        self._news_at = self._clock.ticks_us()
        for other in self.others:
            other.want(tag)
        if not self.answers.size:
            self.answered = self._news_at
            self._answer(self._news_at, [tag], bytes((SILENT,)))

    def _call(self) -> "Generator[int, None, bool]":
        """Calls for newcomers until nobody answers; True: there were some."""
        found, passes, air = False, 0, self.air
        while passes < MOST_PASSES and not self.is_full:
            yield from air.look()
            if air.heard == SILENT:
                return found
            found = True
            passes += 1
            if air.heard == CLEAN:
                yield from self._welcome(bytes(air.uid))
            else:
                yield from air.tree(self._newcomers)
                while self._newcomers:
                    yield from self._welcome(self._newcomers.pop())
        self._whole = False  # something speaks that cannot be silenced: noise, or more than there is room for
        return found

    def _welcome(self, tag: bytes) -> "Steps":
        """A tag that answered: silenced from now on, and told in this round. Unknown, it must not be silenced."""
        at = self.known.add(tag)
        if at < 0:
            self.is_full = True
            self._whole = False
            return
        yield from self.air.silence(tag)
        self._news_at = self._clock.ticks_us()
        self.known.marks[at] = PRESENT | ANSWERED
        if tag in self._wanted:
            self._forget(self._wanted.index(tag))
        for other in self.others:
            other.known.found_elsewhere(tag)

    def _ask_wanted(self, fresh: bool = False) -> "Steps":
        """Who vanished beside this antenna, once; `fresh`: those only who were not asked for here yet."""
        at, wanted = 0, self._wanted
        while at < len(wanted):
            if fresh and self._tried[at]:
                at += 1
                continue
            tag = wanted[at]
            yield from self.air.ask(tag, False)
            if self.air.heard == CLEAN:
                yield from self._welcome(tag)
            elif self._clock.ticks_diff(self._clock.ticks_us(), self._wanted_until[at]) > 0:
                self._forget(at)
            else:
                self._tried[at] = True
                at += 1

    def _forget(self, at: int) -> None:
        for kept in (self._wanted, self._wanted_until, self._tried):
            kept.pop(at)

    def _finish(self, began: int) -> "Steps":
        """Calls until nobody answers, and goes on calling while the round is shorter than is worth telling."""
        clock = self._clock
        while True:
            yield from self._ask_orders()
            yield from self._ask_wanted()
            found = yield from self._call()
            if found or clock.ticks_diff(clock.ticks_us(), began) >= SHORTEST_US:
                return
            yield clock.ticks_add(clock.ticks_us(), REST_US)

    # ------------------------------------------------------------ what the host asked for

    def _ask_orders(self) -> "Steps":
        if not self._order:
            return
        tags, self._order = self._order, []
        began = self._clock.ticks_us()
        self.answers.size = 0  # an answer that nobody fetched is old
        heard = bytearray(len(tags))
        for at, tag in enumerate(tags):
            yield from self.air.ask(tag, True)
            if self.air.heard != CLEAN:
                yield from self.air.ask(tag, False)
            heard[at] = self.air.heard
        self.answered = self._clock.ticks_us()
        self._answer(began, tags, heard)

    def _answer(self, began: int, tags: "list[bytes]", heard: "bytes | bytearray") -> None:
        """Also by itself: the round that goes on will say the same, half a second later."""
        packet = self.answers
        packet.begin(wire.ANSWERS)
        packet.byte(self.number)
        packet.word(0)
        packet.word(min(self._clock.ticks_diff(self.answered, began) // MS, 0xFFFF))
        packet.byte(len([here for here in heard if here != GARBLED]))
        for tag, here in zip(tags, heard):  # noqa: B905  -- MicroPython's zip knows no `strict`
            if here != GARBLED:  # of that one nothing can be said
                packet.byte(len(tag))
                packet.put(printed(tag))
                packet.byte(here)

    # ------------------------------------------------------------ what it tells

    def _tell(self, began: int, flags: int) -> None:
        known, packet = self.known, self.packet
        self.ended = self._clock.ticks_us()
        wire.begin_snapshot(packet, self.number, self.rounds)
        self.rounds += 1
        for at in range(len(known.tags)):
            if known.marks[at] & ANSWERED and not wire.add_tag(packet, known.shown[at]):
                flags = 0
        length = self._clock.ticks_diff(self.ended, began)
        wire.end_snapshot(packet, -(-length // MS), flags | wire.BY_ADDRESS)


if TYPE_CHECKING:
    from collections.abc import Generator
