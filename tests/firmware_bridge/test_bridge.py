"""All readers of a table: wrong set-ups are named at once, wrong ports are events, and closing gives all back."""

import queue
from pathlib import Path

import pytest

from firmware_bridge.bridge import Bridge, ReaderSetup, by_reader
from firmware_bridge.errors import OptionError
from firmware_bridge.events import ReaderEvent, ReaderLost

PATIENCE_S = 20.0


def test_antennas_are_sorted_by_reader_and_keep_their_order() -> None:
    assert by_reader([("w", 4), ("e", 1), ("w", 3)]) == {"w": (4, 3), "e": (1,)}


def test_an_unknown_driver_or_option_is_refused_before_any_port_is_opened(tmp_path: Path) -> None:
    for wrong in (
        ReaderSetup("w", "tablelnik", "/dev/x"),
        ReaderSetup("w", "tablelink", "/dev/x", options={"bauds": 9600}),
    ):
        with pytest.raises(OptionError, match="did you mean"):
            Bridge([wrong], print)


def test_a_missing_port_is_an_event_of_its_reader_and_the_others_are_opened_all_the_same(tmp_path: Path) -> None:
    heard: queue.SimpleQueue[ReaderEvent] = queue.SimpleQueue()
    setups = [ReaderSetup(name, "tablelink", str(tmp_path / name), (1, 2)) for name in ("west", "east")]
    with Bridge(setups, heard.put) as bridge:
        lost = [heard.get(timeout=PATIENCE_S) for _ in setups]
        assert {event.reader for event in lost if isinstance(event, ReaderLost)} == {"west", "east"}
        bridge.focus([("west", 1), ("north", 9)])  # a reader that is not there is nobody's focus
    assert bridge.close()
