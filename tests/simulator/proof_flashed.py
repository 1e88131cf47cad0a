"""Whole hands at a table whose every seat, and the middle, run the firmware: ruled as they were played."""

import pytest

from controller.histories import phh as history
from controller.histories.phh import RecordedHand
from simulator.radio import Noise
from simulator.readers import catalog
from simulator.readers.flashed import Flashed
from simulator.rehearsal.hands import Job, outcome_of
from simulator.rehearsal.readers import ThroughReaders
from simulator.rehearsal.verdict import Verdict
from tests.simulator.test_flashed_table import EVENING

pytestmark = pytest.mark.proof
HANDS = [one for one in history.read(EVENING) if isinstance(one, RecordedHand)]


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("noise", [Noise(), Noise(miss=0.02)], ids=["clean", "misses"])
def test_every_reader_flashed(number: int, noise: Noise, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "Tablelink", lambda reader, radio, **_: Flashed(reader, radio))
    found = outcome_of(Job(HANDS[number], f"1:{number}", noise), ThroughReaders(noise))
    assert isinstance(found, Verdict)
    assert (found.mismatch, found.wrong_rulings, found.doubted_wrong, found.stuck) == (None, 0, 0, False)
