"""The loop of a microcontroller: radios that are due take a step, the host is heard, and one frame at most is sent.

A frame that the host does not take is dropped and counted in its sequence, never kept: old news is worse than none. Of
each antenna only its last round waits. The watchdog is fed only if every radio has moved since it was fed last.
"""

from firmware_bridge.firmware import wire

HEARTBEAT_MS = 1000
HEARTBEAT_US, HEALTH_US, FAULT_US, WATCHDOG_US, BLINK_US = 1_000_000, 10_000_000, 60_000_000, 1_000_000, 500_000
FIRST_HEALTH_US, SOON_US, SLOW_US = 2_000_000, 500_000, 5000
QUIET_HOST_US = 10_000_000
REFUSED = 6
NOT_LEAVING = -1
MOST_BYTES = 64  # taken from the host in one turn
HOT = 5

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_bridge.firmware.contacts import Clock, Host
    from firmware_bridge.firmware.pn532 import CardRadio
    from firmware_bridge.firmware.radio import ChipRadio


class Station:
    """`radios` are those of this board; `boot_id` is another one after each reset; `feed` is the watchdog's."""

    def __init__(
        self,
        radios: "list[ChipRadio | CardRadio]",
        host: "Host",
        clock: "Clock",
        boot_id: int,
        name: str,
    ) -> None:
        self.radios, self._host, self._clock, self._boot_id, self._name = radios, host, clock, boot_id, name
        self.feed: Callable[[], None] | None = None
        self.light: Callable[[int], object] | None = None
        self.leaving = NOT_LEAVING  # what `maintain` asked for
        self.dropped = 0  # frames that the host did not take
        self._orders = wire.Orders()
        self._framer = wire.Framer()
        self._view = memoryview(self._framer.data)
        self._note = wire.Packet(600)  # hello, heartbeat and the like: one at a time
        self._sequence = 0
        self._heard = 0xFF
        self._owes_hello = self._owes_can = True
        self._moved = bytearray(len(radios))
        self._told = [0] * len(radios)  # the fault of each radio that the host knows of
        self._now = self._slow_at = now = clock.ticks_us()
        self._fault_at = [now] * len(radios)
        self._refused, self._refused_of = "", 0
        self._health_next = 0
        self._heartbeat_at, self._health_at = self._in(HEARTBEAT_US), self._in(FIRST_HEALTH_US)
        self._feed_at = self._blink_at = now
        self._heard_at = now
        self._is_lit = 0

    # ------------------------------------------------------------ time

    def _in(self, us: int) -> int:
        return self._clock.ticks_add(self._clock.ticks_us(), us)

    def _is_due(self, at: int) -> bool:
        return self._clock.ticks_diff(at, self._now) <= 0

    def rest_us(self) -> int:
        """How long nothing is due; the loop of a board need not ask."""
        now, clock = self._clock.ticks_us(), self._clock
        rest = clock.ticks_diff(self._slow_at, now)
        for radio in self.radios:
            rest = min(rest, clock.ticks_diff(radio.due, now))
        return max(rest, 0)

    # ------------------------------------------------------------ one turn

    def turn(self) -> None:
        """Radios first; what has no hurry is looked at now and then."""
        diff, clock, at = self._clock.ticks_diff, self._clock, 0
        self._listen()
        for radio in self.radios:
            if diff(radio.due, clock.ticks_us()) <= 0:
                radio.step()
                self._moved[at] = 1
            at += 1  # noqa: SIM113  -- enumerate makes a tuple each time
        self._now = clock.ticks_us()
        if diff(self._slow_at, self._now) <= 0:
            self._slow_at = clock.ticks_add(self._now, SLOW_US)
            self._care()
            if self._introduce() or self._tell_faults() or self._tell_health():
                return
        if not self._tell_rounds():
            self._tell_answers()

    def _listen(self) -> None:
        data = self._host.read()
        if not data:
            return
        for byte in data:
            if self._orders.take(byte):
                self._heard, self._heard_at = self._orders.sequence, self._clock.ticks_us()
                self._obey()

    def _obey(self) -> None:
        orders = self._orders
        if orders.kind == wire.START:
            self._owes_hello = self._owes_can = True
            self._health_next, self._health_at = 0, self._in(SOON_US)  # who has just come wants to know
            self._focus(b"")
        elif orders.kind == wire.FOCUS:
            antennas = orders.focus()
            if antennas is None:
                self._refused = "focus: its length is wrong"
            else:
                self._focus(antennas)
        elif orders.kind == wire.ASK:
            self._ask()
        elif orders.kind == wire.MAINTAIN and orders.size == wire.HEAD + 1:
            self.leaving = orders.packet[wire.HEAD]

    def _focus(self, antennas: "bytes | bytearray") -> None:
        for radio in self.radios:
            plan = getattr(radio, "plan", None)
            if plan is not None:
                plan.focus(antennas)

    def _ask(self) -> None:
        asked, self._refused_of = self._orders.asked(), 0
        if asked is None:
            self._refused = "ask: its length is wrong"
            return
        for radio in self.radios:
            for antenna in radio.antennas:
                if antenna.number == asked[0] and hasattr(antenna, "order"):
                    antenna.order(asked[1])
                    return
        self._refused, self._refused_of = "ask: it cannot be asked for single tags", asked[0]

    # ------------------------------------------------------------ what is sent, one frame a turn

    def _introduce(self) -> bool:
        note = self._note
        if self._owes_hello:
            self._owes_hello = False
            antennas = [(antenna.number, antenna.tags) for radio in self.radios for antenna in radio.antennas]
            wire.hello(note, self._boot_id, HEARTBEAT_MS, antennas, self._name)
        elif self._owes_can:
            self._owes_can = False
            wire.can(note)
        elif self._is_due(self._heartbeat_at):
            self._heartbeat_at = self._in(HEARTBEAT_US)
            wire.heartbeat(note, self._boot_id, self._heard, self._orders.rejected)
        else:
            return False
        self._send(note)
        return True

    def _tell_answers(self) -> bool:
        for radio in self.radios:
            for antenna in radio.antennas:
                if antenna.answers.size:
                    self._send_aged(antenna.answers, wire.AGE_AT - 2, antenna.answered)
                    return True
        return False

    def _tell_rounds(self) -> bool:
        for radio in self.radios:
            for antenna in radio.antennas:
                if antenna.packet.size:
                    self._send_aged(antenna.packet, wire.AGE_AT, antenna.ended)
                    return True
        return False

    def _tell_faults(self) -> bool:
        note = self._note
        if self._refused:
            wire.fault(note, self._refused_of, REFUSED, self._refused)
            self._refused, self._refused_of = "", 0
            self._send(note)
            return True
        for at, radio in enumerate(self.radios):
            if radio.fault and (radio.fault != self._told[at] or self._is_due(self._fault_at[at])):
                self._told[at], self._fault_at[at] = radio.fault, self._in(FAULT_US)
                wire.fault(note, radio.antennas[0].number, radio.fault, radio.why)
                self._send(note)
                return True
            if not radio.fault:
                self._told[at] = 0
        return False

    def _tell_health(self) -> bool:
        """Of one radio for chips after the other, every ten seconds."""
        if not self._is_due(self._health_at):
            return False
        at, self._health_next = self._health_next, self._health_next + 1
        if at >= len(self.radios):
            self._health_next, self._health_at = 0, self._in(HEALTH_US)
            return False
        radio = self.radios[at]
        chip, air = getattr(radio, "chip", None), getattr(radio, "air", None)
        if chip is None or air is None:
            return False
        note, antenna = self._note, radio.antennas[0]
        note.begin(wire.HEALTH)
        note.byte(antenna.number)
        for count in (air.collisions, air.noise, antenna.retries, chip.lost, chip.agc, min(chip.worst_us, 0xFFFF)):
            note.word(count & 0xFFFF)
        note.byte(1 if radio.fault == HOT else 0)
        chip.worst_us = 0
        self._send(note)
        return True

    def _send_aged(self, packet: wire.Packet, at: int, since: int) -> None:
        age = self._clock.ticks_diff(self._clock.ticks_us(), since) // 1000
        packet.set_word(at, min(max(age, 0), 0xFFFF))
        self._send(packet)

    def _send(self, packet: wire.Packet) -> None:
        self._framer.frame(packet, self._sequence)
        self._sequence = self._sequence + 1 & 0xFF
        packet.size = 0
        if not self._host.write(self._view[: self._framer.size]):
            self.dropped += 1

    # ------------------------------------------------------------ watchdog and light

    def _care(self) -> None:
        if self.feed is not None and self._is_due(self._feed_at) and all(self._moved):
            self._feed_at = self._in(WATCHDOG_US)
            for at in range(len(self._moved)):
                self._moved[at] = 0
            self.feed()
        if self.light is not None and self._is_due(self._blink_at):
            self._blink(self.light)

    def _blink(self, light: "Callable[[int], object]") -> None:
        """Slow: all is well. Fast: a radio is in trouble. On: nobody listens."""
        trouble = any([radio.fault for radio in self.radios])  # noqa: C419  -- a list costs less than a generator here
        lonely = self._clock.ticks_diff(self._clock.ticks_us(), self._heard_at) > QUIET_HOST_US
        self._is_lit = 1 if lonely and not trouble else 1 - self._is_lit
        self._blink_at = self._in(BLINK_US // 5 if trouble else BLINK_US)
        light(self._is_lit)
