"""What leaves this package: one union of frozen values, and what a driver hands to its port.

Knows no poker and no places: an antenna is a number of a reader, a tag is a string of hex digits.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of every value: immutable, checked when decoded, compared by content."""


# Why bytes were refused. noise: no frame begins there; marker: framing is broken; length: cut, or its length cannot be;
# oversize: longer than any frame; checksum; value: framed and checked, and still says what cannot be.
Reason = Literal["checksum", "length", "marker", "oversize", "value", "noise"]


Wanted = Mapping[int, tuple[str, ...]]  # by antenna: tags that somebody wants to know of, one by one


class Sighting(Value, frozen=True):
    tag: str  # upper-case hex, most significant byte first (UID or EPC)
    rssi_dbm: int | None = None  # where the reader tells it: UHF needs it to choose between neighbours


class ScanRound(Value, frozen=True, tag="round"):
    reader: str  # [[reader]] id
    antenna: int  # the reader's own number; controller/places maps it to a place
    began_ns: int  # monotonic of this boot; a round is an interval, not an instant
    ended_ns: int
    complete: bool  # False: cut, full buffer, lost frame. Sightings count, absences do not.
    sightings: tuple[Sighting, ...]
    absent: tuple[
        str, ...
    ] = ()  # asked for one by one, and not there: this counts even where the round is not complete


class ReaderUp(Value, frozen=True, tag="up"):
    reader: str
    at_ns: int
    identity: str  # firmware, type, boot id: a change means that the reader was reset


class ReaderLost(Value, frozen=True, tag="lost"):
    reader: str
    at_ns: int
    why: str


class ReaderFault(Value, frozen=True, tag="fault"):
    reader: str
    at_ns: int
    code: str
    meaning: str


class BadFrame(Value, frozen=True, tag="bad_frame"):
    reader: str
    at_ns: int
    reason: Reason
    raw: bytes


ReaderEvent = ScanRound | ReaderUp | ReaderLost | ReaderFault | BadFrame


class Out(Value, frozen=True):
    """What one call of a driver gives: events for the controller, and writes for the port."""

    events: tuple[ReaderEvent, ...] = ()
    send: tuple[bytes, ...] = ()  # written in order, each in one write


class PortSettings(Value, frozen=True):
    baud: int = 115200
    parity: Literal["N", "E", "O"] = "N"
    dtr: bool | None = None  # None: leave as it is
    rts: bool | None = None
