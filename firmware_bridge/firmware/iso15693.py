"""ISO 15693 through one PN5180: a look, the tree of masks, silence, and asking one tag by its address.

Nothing is taken on trust: a slot counts as empty only where the chip says that it transmitted and heard no start of an
answer. Whatever else is no clean answer counts as a collision, whatever the chip says of its length: of a collision it
may have received nothing. Two tags in one slot may also look like one (capture); whoever asks again after silencing
what was found, finds the other.

Times are those of ISO/IEC 15693-3 at 26.48 kbit/s, rounded up to whole microseconds. A late end of frame costs time and
no tag: tags wait for it. Each call is a generator that yields until when it waits; what was heard is in `heard` and
`uid`.
"""

from firmware_bridge.firmware.pn5180 import BYTES, FLAWED, RECEIVED, STARTED, ChipError, Pn5180

SILENT, CLEAN, GARBLED = 0, 1, 2
INVENTORY_16, INVENTORY_1, ADDRESSED = 0x06, 0x26, 0x22  # request flags, high data rate
INVENTORY, STAY_QUIET, READ_BLOCK = 0x01, 0x02, 0x20
UID_SIZE, MASK_BITS = 8, 64
SLOTS = 16
MOST_NODES = 256  # fifteen levels below one another with sixteen collisions each are 241
NODE = 9  # bits of the mask, and the mask

BYTE_CENTI_US = 30208  # 4096 / 13.56 MHz in hundredths of a microsecond, both ways
REQUEST_MARKS_US = 114  # start and end of a request
END_US = 38
T1_US, T2_US = 324, 310  # longest wait for an answer; pause behind one
ANSWER_MARKS_US = 303
START_US = 152  # start of an answer
SLACK_US = 20
T3_US = T1_US + START_US + SLACK_US  # at 100 % ASK an empty slot may end here
UID_ANSWER = 12  # bytes with CRC
BLOCK_ANSWER = 7  # flags, a block of 4 and CRC; tags with larger blocks are waited for
LATEST_US = 11000  # end of an answer with a block of 32
MORE_US = 1000
MOST_TAGS = 255  # of one tree
MOST_BARREN = 24  # masks in a row without one clean answer: two tags that differ in their last four bits need 15
MOST_HOLLOW = 3
CONDITION_US = 5200  # field on until the first request, and off until tags forget that they were silenced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from firmware_bridge.firmware.contacts import Clock, Steps


def _air_us(size: int) -> int:
    return size * BYTE_CENTI_US // 100 + 1


class Air:
    """One radio and what it heard last. Every buffer is made once."""

    def __init__(self, chip: Pn5180, clock: "Clock") -> None:
        self.chip, self._clock = chip, clock
        self.heard = SILENT
        self.uid = bytearray(UID_SIZE)  # of the last clean answer to an inventory, as it came: least significant first
        self.collisions = self.noise = self._hollow = 0
        self._out = bytearray(16)
        self._out[0] = 0x09  # SEND_DATA; the 0 behind it means that all bits of the last byte count
        self._commands = tuple([memoryview(self._out)[:size] for size in range(17)])
        self._nodes = bytearray(MOST_NODES * NODE)
        self._free_at = clock.ticks_us()  # when the next request may begin

    # ------------------------------------------------------------ the field

    def switch_on(self) -> "Steps":
        self.chip.field(True)
        yield self._after(CONDITION_US)

    def switch_off(self) -> "Steps":
        """Long enough that every tag forgets being silenced."""
        self.chip.field(False)
        yield self._after(CONDITION_US)

    # ------------------------------------------------------------ one request and its answer

    def look(self, bits: int = 0, mask: int = 0) -> "Steps":
        """Everybody who is not silenced, speak: `heard` is SILENT where nobody is left. At most 8 bits of a mask."""
        self._request(INVENTORY_1, INVENTORY)
        self._out[4], self._out[5] = bits, mask
        yield from self._exchange(4 if bits else 3, UID_ANSWER, 0)
        self._read_uid(bits, mask)

    def silence(self, tag: bytes) -> "Steps":
        """The tag answers no inventory any more, until the field goes off. There is no answer to this."""
        self._address(STAY_QUIET, tag)
        yield from self._send(10)
        sent = self._after(REQUEST_MARKS_US + _air_us(12))
        yield self._clock.ticks_add(sent, SLACK_US)  # the next command sent earlier would cut it off
        self.chip.look()
        self._free_at = self._clock.ticks_add(sent, T2_US)

    def ask(self, tag: bytes, likely: bool) -> "Steps":
        """Is this tag here? Silenced ones answer as well, and stay silent. `likely`: wait for the answer at once."""
        self._address(READ_BLOCK, tag)
        self._out[12] = 0
        yield from self._exchange(11, BLOCK_ANSWER, BLOCK_ANSWER if likely else 0)

    def _request(self, flags: int, code: int) -> None:
        self._out[2], self._out[3] = flags, code

    def _address(self, code: int, tag: bytes) -> None:
        self._request(ADDRESSED, code)
        self._out[4:12] = tag

    def _after(self, us: int) -> int:
        return self._clock.ticks_add(self._clock.ticks_us(), us)

    def _send(self, size: int) -> "Steps":
        self.chip.arm()
        if self._clock.ticks_diff(self._free_at, self._clock.ticks_us()) > 0:
            yield self._free_at
        if size:
            self.chip.send(self._commands[2 + size])
        else:
            self.chip.send_end_of_frame()

    def _exchange(self, size: int, answer: int, expected: int) -> "Steps":
        """Sends, waits for the start of an answer, and for its end where there is one."""
        yield from self._send(size)
        clock = self._clock
        sent = clock.ticks_add(clock.ticks_us(), REQUEST_MARKS_US + _air_us(size + 2) if size else END_US)
        ends = clock.ticks_add(sent, T1_US + ANSWER_MARKS_US + _air_us(answer) + SLACK_US)
        yield ends if expected else clock.ticks_add(sent, T3_US)
        self.chip.look()
        if not self.chip.irq & (STARTED | RECEIVED):
            self.heard, self._free_at = SILENT, clock.ticks_us()
            return
        if not self.chip.irq & RECEIVED:
            yield from self._until_received(ends, clock.ticks_add(sent, LATEST_US))
        self._judge()
        self._free_at = clock.ticks_add(ends, T2_US)  # a collision may end the receiver early, never the tags

    def _judge(self) -> None:
        """Clean or garbled. `ChipError`: again and again an answer without a byte and without a flaw is none."""
        ended, flawed, size = self.chip.irq & RECEIVED, self.chip.rx & FLAWED, self.chip.rx & BYTES
        self.heard = CLEAN if ended and size and not flawed else GARBLED
        self._hollow = self._hollow + 1 if ended and not size and not flawed else 0
        if self._hollow >= MOST_HOLLOW:
            self._hollow = 0
            raise ChipError("interrupts without answers")

    def _until_received(self, ends: int, latest: int) -> "Steps":
        clock, due = self._clock, ends
        while True:
            yield due
            self.chip.look()
            if self.chip.irq & RECEIVED or clock.ticks_diff(clock.ticks_us(), latest) >= 0:
                return
            due = self._after(MORE_US)

    # ------------------------------------------------------------ the tree

    def tree(self, found: "list[bytes]") -> "Steps":
        """Appends each tag that answered by itself to `found`, least significant byte first.

        Sixteen slots for each mask, and a longer mask for each slot that collided. What cannot be told apart even by
        all bits is noise. All slots of two masks in a row cannot collide with so few tags: then the chip lies.
        """
        self._nodes[:NODE] = bytes(NODE)
        depth, before, barren = 1, 0, 0
        while depth and len(found) < MOST_TAGS and barren < MOST_BARREN:
            count, collisions = len(found), self.collisions
            depth -= 1
            depth = yield from self._node(depth, found)
            collisions = self.collisions - collisions
            if collisions == before == SLOTS:
                raise ChipError("every slot collides")
            before, barren = collisions, barren + 1 if len(found) == count else 0

    def _node(self, at: int, found: "list[bytes]") -> "Generator[int, None, int]":
        """All slots of the mask on top of the stack; how many masks the stack holds now."""
        nodes, begin = self._nodes, at * NODE
        bits, mask = nodes[begin], bytes(nodes[begin + 1 : begin + NODE])
        self._request(INVENTORY_16, INVENTORY)
        self._out[4] = bits
        self._out[5 : 5 + UID_SIZE] = mask
        size = 3 + (bits + 7) // 8
        for slot in range(SLOTS):
            yield from self._exchange(size if slot == 0 else 0, UID_ANSWER, 0)
            self._read_uid(bits + 4, int.from_bytes(mask, "little") | slot << bits)
            if self.heard == CLEAN:
                found.append(bytes(self.uid))
            elif self.heard == GARBLED:
                at = self._push(at, bits, mask, slot)
            if slot == 0:
                self.chip.only_marks(True)
        self.chip.only_marks(False)
        return at

    def _push(self, at: int, bits: int, mask: bytes, slot: int) -> int:
        self.collisions += 1
        if bits + 4 >= MASK_BITS or at == MOST_NODES:
            self.noise += 1
            return at
        nodes, begin = self._nodes, at * NODE
        nodes[begin] = bits + 4
        nodes[begin + 1 : begin + NODE] = mask
        nodes[begin + 1 + bits // 8] |= slot << bits % 8
        return at + 1

    def _read_uid(self, bits: int, mask: int) -> None:
        """Fetches a clean answer; garbled after all, where it cannot be from a tag that was asked."""
        if self.heard != CLEAN:
            return
        chip, uid = self.chip, self.uid
        if chip.rx & BYTES != UID_SIZE + 2:
            self.heard = GARBLED
            return
        chip.take(UID_SIZE + 2)
        uid[:] = chip.received[2 : 2 + UID_SIZE]
        asked = int.from_bytes(uid, "little") & (1 << bits) - 1 == mask
        if chip.received[0] or uid[7] != 0xE0 or not asked:
            self.heard = GARBLED
