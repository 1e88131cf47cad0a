"""Decoding on a clean line: the same bytes through our drivers and through their peers, to the same tags.

Every side gets the bytes of whole rounds and gives a tuple of tags in upper-case hex for each. "lying still": the same
frames in every round, as chips and cards do for most of an evening; "strengths vary": the same tags, heard now stronger
and now weaker. "all new": tags that nobody has seen before in every round, which no table ever shows; it is the price
of a frame without any memory.

Ours is the whole driver: frames cut out of the stream and checked, the tag's own CRC too (the peer does not), rounds
closed by time, the next poll made. nfcpy runs its `command` and its serial transport over bytes in memory. "Recorded"
is what a driver is for, bytes to tags, in reads of 512 bytes; "polled live" gives it ACK, response and the time of the
next poll in three calls, as a port does: most of that is the calls. The other drivers are measured by `families`.
"""

import io
import logging
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Literal

from benchmarks import families, peers
from benchmarks.decoders import MemoryPort, of_a_list
from benchmarks.peers import MissingPeerError
from benchmarks.rows import Row, Size, Tell, times
from benchmarks.timing import interleaved
from firmware_bridge.drivers import catalog
from firmware_bridge.drivers.base import Driver
from firmware_bridge.events import Out, ScanRound, Sighting, Value
from firmware_bridge.wire import m100, pn532, tablelink
from firmware_bridge.wire.pn532 import Frame, Target

MS = 1_000_000
GROUP = "frames"
AT_LEAST = times(3)
POLL_NS = 100 * MS
TAGS = 20  # of a round of an M100: what its usual 16 slots can hold
CARDS = 2  # of a PN532
HEAPS = (2, 20, 60)  # of a tablelink snapshot: hole cards, bet spot, tray
CHUNK = 512  # bytes of one read of a recording
State = Literal["lying still", "all new", "strengths vary"]
STATES: tuple[State, State] = ("lying still", "all new")
Tags = tuple[str, ...]
Decode = Callable[[Sequence[bytes]], list[Tags]]


class Against(Value, frozen=True):
    """Two decoders of the same bytes."""

    ours: Decode
    theirs: Decode
    peer: str
    frames: int  # in the bytes of one round


def rows(size: Size, tell: Tell) -> Iterator[Row]:
    inventory = Against(m100_tags, rfid_r200_tags, "rfid-r200", TAGS)
    live = Against(pn532_tags, nfcpy_tags, "nfcpy", 2)
    recorded = Against(pn532_recorded_tags, nfcpy_tags, "nfcpy", 2)
    for state in (*STATES, "strengths vary"):
        tell(f"m100, {state}")
        rounds = m100_rounds(size.rounds, state)
        yield _compared(f"m100, rounds of {TAGS} tags, {state}", inventory, rounds, size)
    for state in STATES:
        tell(f"pn532, {state}")
        rounds = pn532_rounds(size.rounds * 5, state)
        yield _compared(f"pn532, recorded polls of {CARDS} cards, {state}", recorded, rounds, size)
        yield _compared(f"pn532, the same polled live, {state}", live, rounds, size)
    for tags, state in product(HEAPS, STATES):
        tell(f"tablelink, {tags} tags, {state}")
        rounds = tablelink_rounds(size.rounds * 3, tags, state)
        taken = interleaved({"ours": partial(tablelink_tags, rounds)}, size.repetitions)["ours"]
        what = f"tablelink, snapshots of {tags} tags, {state}"
        yield Row(group=GROUP, what=what, unit="frames/s", better="more", ours=len(rounds) / taken)
    yield from families.clean(size, tell, GROUP)


def _compared(what: str, against: Against, rounds: Sequence[bytes], size: Size) -> Row:
    """A peer that is missing leaves our own figure."""
    sides: dict[str, Callable[[], object]] = {"ours": partial(against.ours, rounds)}
    note = ""
    try:
        same = against.ours(rounds) == against.theirs(rounds)
        assert same, f"{what}: {against.peer} reads other tags than we do"
        sides["theirs"] = partial(against.theirs, rounds)
    except MissingPeerError as missing:
        note = str(missing)
    taken = interleaved(sides, size.repetitions)
    a_second = {name: against.frames * len(rounds) / max(seconds, 1e-9) for name, seconds in taken.items()}
    return Row(
        group=GROUP,
        what=what,
        unit="frames/s",
        better="more",
        ours=a_second["ours"],
        peer=against.peer,
        theirs=a_second.get("theirs"),
        aim=AT_LEAST,
        note=note,
    )


# ---------------------------------------------------------------- bytes


def m100_rounds(count: int, state: State) -> list[bytes]:
    """The notices of so many inventory rounds, in the framing that the peer knows."""
    draw = random.Random(1)
    epcs = [draw.randbytes(12) for _ in range(TAGS)]

    def notices() -> bytes:
        seen = [draw.randbytes(12) for _ in range(TAGS)] if state == "all new" else epcs
        return b"".join(m100.notice("aa", epc, draw.randint(-52, -42)) for epc in seen)

    return [notices()] * count if state == "lying still" else [notices() for _ in range(count)]


def pn532_rounds(count: int, state: State) -> list[bytes]:
    """The chip's answers to so many polls, each behind its ACK."""
    draw = random.Random(2)

    def listed() -> bytes:
        cards = tuple(Target("04" + draw.randbytes(6).hex().upper(), 0x44, 0) for _ in range(CARDS))
        return pn532.ACK + pn532.listed(cards)

    return [listed()] * count if state == "lying still" else [listed() for _ in range(count)]


def tablelink_rounds(count: int, tags: int, state: State) -> list[bytes]:
    """Snapshots of one antenna; the round number and the sequence go on as in life."""
    draw = random.Random(3)

    def heap() -> tuple[Sighting, ...]:
        return tuple(Sighting("E004" + draw.randbytes(6).hex().upper()) for _ in range(tags))

    def packed(number: int, seen: tuple[Sighting, ...]) -> bytes:
        return tablelink.pack(tablelink.Snapshot(1, number, 0, 100, complete=True, sightings=seen), number)

    first = heap()
    return [packed(number, first if state == "lying still" else heap()) for number in range(count)]


# ---------------------------------------------------------------- our drivers


def m100_tags(rounds: Sequence[bytes]) -> list[Tags]:
    driver = catalog.make("m100", options={"framing": "aa"})
    _answer_setting_up(driver, _m100_answer)
    found, at_ns = [], POLL_NS
    for data in rounds:
        driver.receive(data, at_ns)
        found.append(_tags(driver.tick(at_ns + 50 * MS)))
        at_ns += POLL_NS
    return found


def pn532_tags(rounds: Sequence[bytes]) -> list[Tags]:
    """As on the line: the ACK comes at once, the response when the field was searched, the next poll when it is due."""
    driver = catalog.make("pn532", options={"field_off": False})
    at_ns = _answer_setting_up(driver, _pn532_answer)
    ack = len(pn532.ACK)
    found = []
    for data in rounds:
        driver.receive(data[:ack], at_ns + MS)
        found.append(_tags(driver.receive(data[ack:], at_ns + 20 * MS)))
        at_ns += POLL_NS
        driver.tick(at_ns)
    return found


def pn532_recorded_tags(rounds: Sequence[bytes]) -> list[Tags]:
    driver = catalog.make("pn532", options={"field_off": False})
    at_ns = _answer_setting_up(driver, _pn532_answer)
    stream = b"".join(rounds)
    found: list[Tags] = []
    for begin in range(0, len(stream), CHUNK):
        out = driver.receive(stream[begin : begin + CHUNK], at_ns + begin)
        found += [tuple(s.tag for s in event.sightings) for event in out.events if isinstance(event, ScanRound)]
    return found


def tablelink_tags(rounds: Sequence[bytes]) -> list[Tags]:
    driver = catalog.make("tablelink")
    driver.start(0)
    hello = tablelink.Hello(1, 1000, (tablelink.AntennaLimit(1, 255),), "benchmark")
    driver.receive(tablelink.pack(hello, 255), 0)
    return [_tags(driver.receive(data, number * POLL_NS)) for number, data in enumerate(rounds, 1)]


def _tags(out: Out) -> Tags:
    event = out.events[0]
    assert isinstance(event, ScanRound)
    return tuple([sighting.tag for sighting in event.sightings])


def _answer_setting_up(driver: Driver, answer: Callable[[bytes], bytes | None]) -> int:
    """Play the module until the driver polls; gives the time of that poll. `answer`: to one command; None: a poll."""
    at_ns, sent = 0, driver.start(0).send
    while True:
        for frame in sent:
            reply = answer(frame)
            if reply is None:
                return at_ns
            sent = driver.receive(reply, at_ns).send
        at_ns += 2 * MS
        sent = sent or driver.tick(at_ns).send


def _m100_answer(sent: bytes) -> bytes | None:
    code = sent[2]
    done = b"\0V2.3.3" if code == m100.VERSION else b"\0"
    return None if code == m100.SINGLE_POLL else m100.answer("aa", code, done)


def _pn532_answer(sent: bytes) -> bytes | None:
    commands = [frame for frame in pn532.scanner().feed(sent, 0) if isinstance(frame, Frame)]
    if not commands:
        return b""  # an ACK from the host needs no answer
    code = commands[0].code
    data = bytes((0x32, 1, 6, 7)) if code == pn532.FIRMWARE else b""
    return None if code == pn532.LIST else pn532.ACK + pn532.response(code, data)


# ---------------------------------------------------------------- peers


def rfid_r200_tags(rounds: Sequence[bytes]) -> list[Tags]:
    reader = peers.rfid_r200().CommonR200Interface()
    reader.debug = False
    found = []
    for data in rounds:
        pool, _ = reader._read_tags(reader._parse_buffer(bytearray(data)))
        found.append(tuple(bytes(tag.epc).hex().upper() for tag in pool))
    return found


def nfcpy_tags(rounds: Sequence[bytes]) -> list[Tags]:
    """Its chip set gives the data of a response; the UIDs are cut out of it here, as little as can be."""
    nfc, transport = peers.nfcpy()
    line = transport.TTY.__new__(transport.TTY)
    line.tty = MemoryPort(io.BytesIO(b"".join(rounds)))
    chip = nfc.Chipset(line, logging.getLogger("nfc.clf.pn532"))
    list_cards = partial(chip.command, pn532.LIST, pn532.TWO_TYPE_A, 1.0)
    return [tuple(of_a_list(list_cards())) for _ in rounds]
