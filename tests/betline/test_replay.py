"""`betline replay`: recorded hands are decided as recorded, and what differs is named."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.radio import Noise
from simulator.rehearsal.hands import Outcome, play
from simulator.rehearsal.verdict import Verdict

ROOT = Path(__file__).parents[2]
HANDS = Path(os.environ.get("BETLINE_HANDS", ROOT.parent / "shared" / "hands"))
RANDOM = ROOT / "tests" / "data" / "random-nt.phhs"
FIXED_LIMIT = ROOT / "tests" / "data" / "random-ft.phhs"
needs_hands = pytest.mark.skipif(not HANDS.is_dir(), reason=f"no recorded hands at {HANDS}: set BETLINE_HANDS")


def replay(*words: object) -> tuple[int, str, str]:
    command = [sys.executable, "-c", "from betline.main import main; main()", "replay", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=300)
    return done.returncode, done.stdout, done.stderr


def report(*words: object) -> dict[str, object]:
    status, out, error = replay(*words, "--json")
    assert error == ""
    found = json.loads(out)
    assert isinstance(found, dict)
    assert status == (1 if found["mismatches"] or found["wrong_rulings"] else 0)
    return found


@pytest.mark.parametrize("hands", [RANDOM, FIXED_LIMIT], ids=["no limit", "fixed limit"])
def test_random_hands_are_exact_through_the_engine(hands: Path) -> None:
    found = report(hands)
    assert found["mismatches"] == []
    assert (found["hands"], found["exact"], found["wrong_rulings"]) == (48, 48, 0)


def test_the_report_has_the_keys_that_scripts_rely_on() -> None:
    found = report(RANDOM, "--limit", 2)
    keys = "hands exact actions wrong_rulings asked skipped mismatches rounds_to_final elapsed_s engine_s"
    assert set(keys.split()) <= set(found)
    assert found["rounds_to_final"] == {"mean": None, "p99": None}, "through the engine there are no rounds"


@needs_hands
def test_thirty_real_hands_are_exact_through_the_engine() -> None:
    found = report(HANDS / "pluribus-3000.phhs.gz", "--limit", 30)
    assert found["mismatches"] == []
    assert (found["hands"], found["exact"], found["wrong_rulings"]) == (30, 30, 0)


NOISE = [(), ("--miss", 0.05, "--stray", 0.01), ("--burst", 5)]


@needs_hands
@pytest.mark.parametrize("noise", NOISE, ids=["no noise", "misses and strays", "bursts"])
def test_real_hands_are_exact_through_readers(noise: tuple[object, ...]) -> None:
    """Ten hands of each noise here, three hundred in the proofs."""
    found = report(HANDS / "pluribus-3000.phhs.gz", "--through", "readers", "--limit", 10, *noise)
    assert found["mismatches"] == []
    assert (found["hands"], found["exact"], found["wrong_rulings"]) == (10, 10, 0)
    rounds = found["rounds_to_final"]
    assert isinstance(rounds, dict)
    assert 4 <= rounds["mean"] <= rounds["p99"], "four steps at least decide a chip"


def test_hands_with_side_pots_and_antes_are_exact_through_readers() -> None:
    found = report(RANDOM, "--through", "readers", "--limit", 6)
    assert found["mismatches"] == []
    assert (found["hands"], found["exact"]) == (6, 6)


def test_the_same_seed_gives_the_same_evening() -> None:
    def played(seed: int) -> tuple[Outcome, ...]:
        return tuple(play([RANDOM], "readers", 1, seed, Noise(miss=0.1)))

    def rounds(outcomes: tuple[Outcome, ...]) -> list[tuple[int, ...]]:
        return [outcome.rounds_to_final for outcome in outcomes if isinstance(outcome, Verdict)]

    assert rounds(played(1)) == rounds(played(1)) != rounds(played(2))


@needs_hands
def test_badugi_omaha_triple_draw_and_short_deck_are_exact_through_the_engine() -> None:
    found = report(HANDS / "historic.phhs")
    assert (found["hands"], found["exact"], found["skipped"]) == (5, 5, [])


def test_random_hands_of_every_game_end_with_the_stacks_that_pokerkit_gave() -> None:
    """Two of each code; `tests/proof_random_hands.py` plays 320."""
    found = report(ROOT / "tests" / "data" / "random-games.phhs")
    assert (found["hands"], found["exact"], found["skipped"], found["mismatches"]) == (126, 126, [], [])


@needs_hands
def test_a_code_of_no_game_is_skipped_with_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "other.phhs"
    path.write_text((HANDS / "historic.phhs").read_text().replace('"FB"', '"FX"'))
    found = report(path)
    skipped = found["skipped"]
    assert isinstance(skipped, list)
    assert [one["why"] for one in skipped] == ["variant FX is no game here: 'betline games' lists them"]


@needs_hands
def test_a_final_table_of_nine_games_is_exact_through_the_engine() -> None:
    """Hold'em, Omaha, stud, razz and draws, each with its limits, antes, bring-ins and blinds, as they came."""
    found = report(HANDS / "wsop-2023-43-5-half.phhs")
    skipped = found["skipped"]
    assert isinstance(skipped, list)
    assert found["mismatches"] == []
    assert (found["hands"], found["exact"], len(skipped)) == (42, 42, 0)


@needs_hands
def test_hands_of_stud_and_draw_are_exact_through_readers(tmp_path: Path) -> None:
    """Razz, stud and triple draw: cards by antenna, up cards by the order of their arrival, 5 % misses and 1 % strays."""
    found = report(HANDS / "wsop-2023-43-5-half.phhs", "--through", "readers", "--miss", 0.05, "--stray", 0.01)
    assert (found["hands"], found["exact"], found["mismatches"]) == (42, 42, [])


def test_a_fixed_limit_hand_is_exact_through_readers() -> None:
    found = report(FIXED_LIMIT, "--through", "readers", "--limit", 3)
    assert found["mismatches"] == []
    assert (found["hands"], found["exact"]) == (3, 3)


@pytest.mark.parametrize(
    ("own", "raises", "status"),
    [
        ('_variant = "PT"', "p3 cbr 7", 0),
        ('_variant = "PT"', "p3 cbr 8", 1),  # more than the pot
        ('_variant = "HT"', "p3 cbr 4", 0),
        ('_variant = "ST"\n_spread = [1, 5]', "p3 cbr 7", 0),
        ('_variant = "ST"\n_spread = [1, 5]', "p3 cbr 8", 1),
    ],
)
def test_structures_without_a_code_of_phh_are_named_by_a_field_of_our_own(
    tmp_path: Path, own: str, raises: str, status: int
) -> None:
    """Such a hand is NT to other tools, which all its bets are legal in; a bet too large is a mismatch here."""
    hand = tmp_path / "hand.phh"
    hand.write_text(
        "variant = 'NT'\nante_trimming_status = true\nantes = [0, 0, 0]\nblinds_or_straddles = [1, 2, 0]\nmin_bet = 2\n"
        f"starting_stacks = [200, 200, 200]\nactions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'd dh p3 QsQd', '{raises}', "
        f"'p1 f', 'p2 f']\n{own}\n"
    )
    assert replay(hand, "--through", "engine")[0] == status


def test_a_record_that_was_decided_otherwise_is_a_mismatch_and_status_1(tmp_path: Path) -> None:
    text = RANDOM.read_text().split("\n\n")[1]
    wrong = tmp_path / "wrong.phh"
    wrong.write_text(text.replace("finishing_stacks = [7900, 7375, 10600", "finishing_stacks = [8000, 7375, 10500"))
    assert wrong.read_text() != text
    status, out, _ = replay(wrong)
    assert status == 1
    assert "1 hands, 0 exact" in out
    assert f"differs: {wrong}, line 1, hand 2: won by the record {{4: 100, 3: 7225}}, awarded {{3: 7325}}" in out


def test_a_record_whose_stacks_do_not_add_up_is_named(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.phh"
    wrong.write_text(RANDOM.read_text().split("\n\n")[1].replace("[7900, 7375, 10600]", "[7800, 7475, 10600]"))
    status, out, error = replay(wrong)
    assert (status, error) == (1, "")
    assert "finishing_stacks do not add up to what was put in: mend the record" in out


def test_a_corrupt_hand_costs_only_itself_and_fails_the_run(tmp_path: Path) -> None:
    hands = RANDOM.read_text().split("\n\n")[:3]
    hands[1] = hands[1].replace("p1 f", "p1 fold")
    path = tmp_path / "hands.phhs"
    path.write_text("\n\n".join(hands))
    status, out, error = replay(path)
    assert (status, error) == (1, "")
    assert "3 hands, 2 exact" in out
    assert "is not in the notation of PHH" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("no-such-file.phhs",), "betline: no-such-file.phhs: No such file or directory: check the path\n"),
        (("evening.betrec",), "betline: evening.betrec: No such file or directory: check the path\n"),
        (("evening.betrec", RANDOM), "give hands or recordings, not both at once"),
        ((RANDOM, "--miss", "0.1"), "add --through readers"),
        ((RANDOM, "--limit", "0"), "--limit"),
        ((RANDOM, "--through", "windows"), "engine"),
    ],
)
def test_errors_are_short_and_say_the_cure(words: tuple[object, ...], says: str) -> None:
    status, out, error = replay(*words)
    assert status != 0
    assert out == ""
    assert says in error
    assert "Traceback" not in error
