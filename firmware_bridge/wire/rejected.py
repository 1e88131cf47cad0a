"""Bytes that are no frame, as every cutter reports them."""

from firmware_bridge.events import BadFrame, Reason, Value


class Rejected(Value, frozen=True):
    reason: Reason
    raw: bytes

    def as_event(self, reader: str, at_ns: int) -> BadFrame:
        return BadFrame(reader, at_ns, self.reason, self.raw)
