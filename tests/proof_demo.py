"""Whole evenings on pseudo-terminals: twenty hands of several tables, each decided as it was played."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.betline import test_demo
from tests.betline.test_demo import Demo, start

__all__ = ["start"]  # the fixture

pytestmark = pytest.mark.proof
PATIENCE_S = 1800  # twenty hands take two minutes on a quiet machine


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_demo, "PATIENCE_S", PATIENCE_S)


@pytest.mark.parametrize("seed", [7, 31, 53])
@pytest.mark.parametrize(
    "options", [(), ("--table", "spots-only"), ("--noise", "0.05")], ids=["plain", "spots-only", "noise"]
)
def test_twenty_hands_are_decided_as_they_were_played(
    start: Callable[..., Demo],
    tmp_path: Path,
    options: tuple[str, ...],
    seed: int,
) -> None:
    demo = start("--hands", "20", "--seed", str(seed), "--speed", "50", "--json", *options)
    status, out, err = demo.ended()
    summary = json.loads(out)
    assert (summary["hands"], summary["exact"], summary["wrong_rulings"]) == (20, 20, 0), summary
    assert (status, err) == (0, "")
    assert demo.left() == []
    assert list(tmp_path.iterdir()) == []
