"""One event of a reader as the JSON line that `betline decode` prints."""

from typing import assert_never

from firmware_bridge.events import BadFrame, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound


def as_line(event: ReaderEvent, *, ended: bool) -> dict[str, object]:
    """What is printed of an event; `ended`: the input goes on, so a round ended by itself."""
    match event:
        case ScanRound():
            return _tags(event, ended=ended)
        case BadFrame():
            return {"event": "bad_frame", "reason": event.reason, "hex": event.raw.hex().upper()}
        case ReaderFault():
            return {"event": "reader_error", "code": event.code, "meaning": event.meaning}
        case ReaderUp():
            return {"event": "reader", "identity": event.identity}
        case ReaderLost():
            return {"event": "reader_lost", "why": event.why}
        case _:
            assert_never(event)


def _tags(scan: ScanRound, *, ended: bool) -> dict[str, object]:
    line: dict[str, object] = {
        "event": "tags",
        "tags": [s.tag for s in scan.sightings],
        "antenna": scan.antenna,
        "round_end": ended or scan.complete,
        "complete": scan.complete,
    }
    if scan.absent:
        line["absent"] = list(scan.absent)
    if any(s.rssi_dbm is not None for s in scan.sightings):
        line["rssi_dbm"] = [s.rssi_dbm for s in scan.sightings]
    return line
