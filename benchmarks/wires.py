"""What readers send, as bytes: whole rounds of every family, and frames of one tag each on a bad line.

A *damaged* stream is made of good frames, each with a tag of its own, and before three in ten of them of something bad:
a frame with a flipped bit, one with a piece missing, or noise. Whoever does not give all the tags of the good ones has
lost them; whoever gives a tag that nobody sent has made it up.
"""

import random
from collections.abc import Callable

import msgspec

from firmware_bridge.events import Sighting, Value
from firmware_bridge.wire import chafon, em4100, feig, invelion, m100, metratec, pn532, tablelink, thingmagic

BAD_SHARE = 0.3
CHUNK = 512  # bytes of one read
CHAFON_PART = 10  # tags of one frame of an answer


class Family(Value, frozen=True):
    """One kind of reader. `options`: of its driver, so that both sides read the same of a frame."""

    driver: str
    tag_size: int  # bytes
    tags: int  # of a round
    frames: int  # that such a round takes on the wire
    round: Callable[[tuple[str, ...]], bytes]
    options: dict[str, str | int | bool] = msgspec.field(default_factory=dict)
    prefix: str = ""  # how its tags begin

    def draw(self, source: random.Random, number: int) -> tuple[str, ...]:
        size = self.tag_size - len(self.prefix) // 2
        return tuple(self.prefix + source.randbytes(size).hex().upper() for _ in range(number))


def _chafon(epcs: tuple[str, ...]) -> bytes:
    parts = [epcs[at : at + CHAFON_PART] for at in range(0, len(epcs), CHAFON_PART)]
    status = [chafon.TO_BE_CONTINUED] * (len(parts) - 1) + [chafon.DONE]
    return b"".join(
        chafon.answer(chafon.INVENTORY, code, chafon.tags_18(part)) for code, part in zip(status, parts, strict=True)
    )


def _em4100(tags: tuple[str, ...]) -> bytes:
    return b"".join(em4100.pack(tag) for tag in tags)


def _feig(uids: tuple[str, ...]) -> bytes:
    return feig.answer(feig.HOST_COMMAND, feig.OK, feig.tag_sets(uids))


def _invelion(epcs: tuple[str, ...]) -> bytes:
    return b"".join(invelion.tag(bytes.fromhex(epc)) for epc in epcs) + invelion.end(len(epcs))


def _m100(epcs: tuple[str, ...]) -> bytes:
    return b"".join(m100.notice("aa", bytes.fromhex(epc)) for epc in epcs)


def _metratec(uids: tuple[str, ...]) -> bytes:
    return metratec.inventory(uids)


def _metratec_crc(uids: tuple[str, ...]) -> bytes:
    return metratec.inventory(uids, crc=True)


def _pn532(uids: tuple[str, ...]) -> bytes:
    return pn532.ACK + pn532.listed(tuple(pn532.Target(uid, 0x44, 0) for uid in uids))


def _tablelink(uids: tuple[str, ...]) -> bytes:
    seen = tuple(Sighting(uid) for uid in uids)
    return tablelink.pack(tablelink.Snapshot(1, 0, 0, 100, complete=True, sightings=seen), 0)


def _thingmagic(epcs: tuple[str, ...]) -> bytes:
    return thingmagic.buffered([thingmagic.record(bytes.fromhex(epc)) for epc in epcs])


def _uid_lines(uids: tuple[str, ...]) -> bytes:
    return b"".join(b"Card UID: " + bytes.fromhex(uid).hex(" ").upper().encode() + b"\r\n" for uid in uids)


FAMILIES = {
    family.driver: family
    for family in (
        Family("chafon", 12, 20, 2, _chafon),
        Family("em4100", 5, 1, 1, _em4100, {"version": True}),
        Family("feig", 8, 20, 1, _feig, prefix="E004"),
        Family("invelion", 12, 20, 21, _invelion),
        Family("m100", 12, 20, 20, _m100, {"framing": "aa"}),
        Family("metratec", 8, 20, 21, _metratec, prefix="E004"),
        Family("pn532", 7, 2, 2, _pn532, prefix="04"),
        Family("tablelink", 8, 20, 1, _tablelink, prefix="E004"),
        Family("thingmagic", 12, 4, 1, _thingmagic),
        Family("uid-lines", 7, 2, 2, _uid_lines, prefix="04"),
    )
}


METRATEC_CRC = Family("metratec", 8, 20, 21, _metratec_crc, prefix="E004")  # as its driver sets it up


class Damaged(Value, frozen=True):
    reads: tuple[bytes, ...]
    good: frozenset[str]  # tags of the good frames
    bad: frozenset[str]  # tags of the others: where it was an ACK that was hit, they are there to be read


def rounds(family: Family, count: int, *, still: bool) -> list[tuple[bytes, tuple[str, ...]]]:
    """So many rounds and their tags: always the same ones, or others in every round."""
    source = random.Random(4)
    first = family.draw(source, family.tags)
    each = [first if still else family.draw(source, family.tags) for _ in range(count)]
    return [(family.round(tags), tags) for tags in each]


def damaged(family: Family, count: int) -> Damaged:
    source = random.Random(5)
    good, bad, pieces = set(), set(), []
    for tag in family.draw(source, count):
        if source.random() < BAD_SHARE:
            (other,) = family.draw(source, 1)
            bad.add(other)
            pieces.append(_bad(family.round((other,)), source))
        good.add(tag)
        pieces.append(family.round((tag,)))
    stream = b"".join(pieces)
    reads = tuple(stream[at : at + CHUNK] for at in range(0, len(stream), CHUNK))
    return Damaged(reads, frozenset(good), frozenset(bad))


def _bad(frame: bytes, source: random.Random) -> bytes:
    kind, at = source.randrange(3), source.randrange(1, len(frame))
    if kind == 0:
        return frame[:at] + bytes((frame[at] ^ 1 << source.randrange(8),)) + frame[at + 1 :]
    if kind == 1:
        return frame[:at] + frame[at + source.randint(1, 5) :]
    return source.randbytes(source.randint(1, 8))
