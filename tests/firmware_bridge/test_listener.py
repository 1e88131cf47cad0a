"""What waits for a person's tool is bounded, and nothing that is told once is lost in a flood."""

from firmware_bridge.events import BadFrame, ReaderEvent, ReaderLost, ReaderUp, ScanRound, Sighting
from firmware_bridge.listener import MOST, Listener


def test_a_flood_is_bounded_and_what_is_told_once_is_kept() -> None:
    listener = Listener()
    up, lost = ReaderUp("r", 1, "v1"), ReaderLost("r", 9, "unplugged")
    listener.put(up)
    for number in range(2 * MOST):
        listener.put(BadFrame("r", number, "noise", b""))
        listener.put(ScanRound("r", 1, number, number, complete=True, sightings=(Sighting("AA"),)))
    listener.put(lost)
    heard: list[ReaderEvent] = []
    listener.forget(heard.append)
    assert (len(heard), heard[0], heard[-1]) == (MOST + 1, up, lost)
    assert listener.get(0.0) is None


def test_what_comes_while_others_are_passed_over_stays() -> None:
    """A reader that never falls silent does not hold the person up."""
    listener = Listener()
    first, second = ReaderUp("r", 1, "v1"), ReaderUp("r", 2, "v1")
    listener.put(first)
    listener.forget(lambda _: listener.put(second))
    assert listener.get(0.0) == second
