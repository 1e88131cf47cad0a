"""Radio and people as they are, with a dealer who does not wait: no ruling is wrong, and no hand is stuck.

Each model alone, and what the table's antennas miss at any time besides. What is counted stands in the table that is
printed (`pytest -s`), also where the claim fails. Numbers are wished for by the environment:

    BETLINE_MODELS     which, as for --radio, with a space between them; `usual` is none of them (all)
    BETLINE_MANY       hands of each model and seed (200)
    BETLINE_SEEDS      seeds, from 1 (5)
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.models.named import NAMES, models_of
from simulator.radio import Noise
from simulator.rehearsal.hands import play
from simulator.rehearsal.report import Tally, quantiles

ROOT = Path(__file__).parents[1]
HANDS = Path(os.environ.get("BETLINE_HANDS", ROOT.parent / "shared" / "hands"))
PLURIBUS = HANDS / "pluribus-3000.phhs.gz"
USUAL = "usual"
MODELS = os.environ.get("BETLINE_MODELS", " ".join((USUAL, *NAMES))).split()
MANY = int(os.environ.get("BETLINE_MANY", "200"))
SEEDS = int(os.environ.get("BETLINE_SEEDS", "5"))
NOISE = Noise(miss=0.05, stray=0.01)
FEW = 10
COLUMNS = ["model", "hands", "exact", "wrong", "doubted", "reopened", "stuck", "q/h", "needless", "asked", "agreed", "corrected", "prov50", "prov90", "final50", "final90", "s/hand"]  # fmt: skip
pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(not HANDS.is_dir(), reason=f"no recorded hands at {HANDS}: set BETLINE_HANDS"),
]


def played(model: str, hands: int, seeds: int) -> Tally:
    models, tally = models_of([] if model == USUAL else [model]), Tally()
    for seed in range(1, seeds + 1):
        for outcome in play([PLURIBUS], "readers", hands, seed, NOISE, models=models, dealer="human"):
            tally.add(outcome)
    print(row(model, tally))
    for mismatch in tally.mismatches:
        print(f"    {mismatch.hand.rpartition(', ')[2]}: {mismatch.why}")
    return tally


def row(model: str, tally: Tally) -> str:
    return " | ".join(map(str, (model, *_cells(tally))))


def _cells(tally: Tally) -> Iterator[object]:
    yield from (tally.hands, tally.exact, tally.wrong_rulings, tally.doubted_wrong, tally.reopened, tally.stuck)
    yield from (tally.questions_per_hour, tally.needless, tally.asked, tally.agreed, tally.corrections)
    for times_ms in (tally.provisional_ms, tally.final_ms):
        yield from (quantiles(times_ms)["p50"], quantiles(times_ms)["p90"])
    yield round(tally.elapsed_s / max(1, tally.hands), 2)


@pytest.fixture(scope="module", autouse=True)
def head() -> None:
    print("\n" + " | ".join(COLUMNS))


@pytest.mark.parametrize("model", MODELS)
def test_ten_hands_are_ruled_rightly(model: str) -> None:
    tally = played(model, FEW, 1)
    assert (tally.wrong_rulings, tally.stuck) == (0, 0)


@pytest.mark.parametrize("model", MODELS)
def test_many_hands_of_every_seed_are_ruled_rightly(model: str) -> None:
    tally = played(model, MANY, SEEDS)
    assert (tally.wrong_rulings, tally.stuck) == (0, 0)


@pytest.mark.parametrize("model", MODELS)
def test_an_evening_at_one_table_is_ruled_rightly(model: str) -> None:
    tally = Tally()
    models = models_of([] if model == USUAL else [model])
    for outcome in play([PLURIBUS], "readers", MANY, 1, NOISE, models=models, dealer="human", evening=True):
        tally.add(outcome)
    print(row(f"{model}, one evening", tally))
    assert (tally.wrong_rulings, tally.stuck) == (0, 0)
