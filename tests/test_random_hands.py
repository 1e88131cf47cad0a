"""Random hands of every game: what is written is what was played, and what is rare comes often enough to be met."""

import io
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path

import pytest
from pokerkit import HandHistory, State, parse_action

from proofs.oracle_games import CODES, PHH_CODES, phh, state_of
from proofs.random_hands import Played, hands

ROOT = Path(__file__).parents[1]
RARE = {
    "all-in for less than an ante",
    "all-in below a full raise",
    "four side pots",
    "a quarter",
    "a split pot",
    "an odd chip",
    "the deck runs out",
    "a common card",
    "seven players to seventh street",
}
HANDS = 5


def replayed(played: Played) -> State:
    """The actions as written, told to PokerKit once more; burnt cards are not written."""
    state = state_of(played.table)
    with warnings.catch_warnings(action="ignore"):
        for action in played.actions:
            while state.can_burn_card("??"):
                state.burn_card("??")
            if not (action.split()[1] == "sm" and not state.can_show_or_muck_hole_cards()):
                parse_action(state, action)
        while state.can_kill_hand():
            state.kill_hand()
        while state.can_push_chips():
            state.push_chips()
    return state


@pytest.mark.parametrize("code", sorted(PHH_CODES))
def test_what_is_written_is_a_history_that_pokerkit_plays_to_the_same_stacks(code: str) -> None:
    made = list(hands(code, HANDS, 2))
    text = "\n".join(phh(one.table, one.actions, one.finishing, number) for number, one in enumerate(made, 1))
    with warnings.catch_warnings(action="ignore"):
        ends = [list(history)[-1].stacks for history in HandHistory.load_all(io.BytesIO(text.encode()))]
    assert ends == [list(one.finishing) for one in made]
    assert [sum(one.finishing) for one in made] == [sum(one.table.stacks) for one in made]
    assert not any(one.known for one in made)


@pytest.mark.parametrize("code", [code for code in CODES if code not in PHH_CODES])
def test_a_game_without_a_code_of_phh_is_played_from_its_actions_to_the_same_stacks(code: str) -> None:
    for played in hands(code, HANDS, 3):
        assert tuple(replayed(played).stacks) == played.finishing
        assert sum(played.finishing) == sum(played.table.stacks)
        assert not played.known
        assert f'_variant = "{code}"' in phh(played.table, played.actions, played.finishing, 1)


def test_everything_rare_is_met() -> None:
    seen = Counter[str]()
    for code in ("NT", "FO/8", "F7S", "F7S/8", "F2L3D", "NO5/8"):
        for played in hands(code, 40, 4):
            seen.update(played.seen)
    assert set(seen) >= RARE, RARE - set(seen)


def test_hands_on_which_pokerkit_is_known_to_err_are_made_only_when_asked_for() -> None:
    known = Counter(why for played in hands("F7S/8", 100, 5, disputed=True) for why in played.known)
    assert {"low half of a side pot without a low", "odd chip of stud", "dealt from the muck"} <= set(known)


def test_a_seed_makes_the_same_hands_and_another_makes_others() -> None:
    assert list(hands("F2L3D", 5, 6)) == list(hands("F2L3D", 5, 6)) != list(hands("F2L3D", 5, 7))


def test_the_command_writes_a_file_of_hands_and_names_the_games_that_there_are() -> None:
    made = run("FR", "3", "--seed", "2")
    assert (made.returncode, made.stdout.count("variant ="), made.stderr.startswith("3 hands")) == (0, 3, True)
    wrong = run("XX", "3")
    assert wrong.returncode == 2
    assert "no game 'XX'" in wrong.stderr


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "proofs.random_hands", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=60)
