"""A game of hold'em's shape is one file: configured, played, written down and played again, with no line of code."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller import commands
from controller.config.game import check, check_seats
from controller.errors import ConfigError
from controller.histories import phh
from controller.histories.phh import RecordedHand
from controller.histories.write import format_hand
from controller.journal.hands import hands
from controller.journal.rows import Row
from controller.places import POT
from controller.table.setup import Stakes
from simulator.radio import Noise
from simulator.rehearsal.engine import ThroughEngine
from simulator.rehearsal.hands import Job, outcome_of
from simulator.rehearsal.readers import ThroughReaders
from simulator.rehearsal.verdict import Verdict
from tests.controller.engine.played import FLOP, RIVER, TURN, Played, dealt, tray
from tests.controller.games.made_up import twist

CODES = ("_TW", "_FTW")


@pytest.fixture(autouse=True)
def _with_twist(tmp_path: Path) -> Iterator[None]:
    with twist(tmp_path):
        yield


def checked_down(code: str) -> Played:
    """Calls before the flop, on the flop a bet of two big blinds that is called, checks on the river."""
    table = dealt(3, game=Stakes(code, (50, 100)))
    table.push(1, 100)
    table.push(2, 50)
    table.say(3, "check")
    table.sweep()
    table.board(*FLOP)
    table.push(2, 100, 100)
    table.push(3, 100, 100)
    table.say(1, "fold")
    table.sweep()
    table.board(*FLOP, TURN)
    assert (table.hand.row.name, table.hand.phase) == ("flop", "street_card")
    table.board(*FLOP, TURN, RIVER)
    assert (table.hand.row.name, table.hand.phase) == ("river", "betting")
    table.say(2, "check")
    table.say(3, "check")
    table.tell(commands.Show(None))
    table.move(*table.carry(POT, tray(2), *table.lying(POT)))
    return table


def recorded(table: Played) -> RecordedHand:
    """The hand of the journal, through the text of a .phh file."""
    (hand,) = hands([Row(seq, None, "b", 0, 0, event) for seq, event in enumerate(table.log, 1)], "home")
    (read,) = phh.parse(format_hand(hand), "twist.phh")
    assert isinstance(read, RecordedHand)
    return read


def test_a_game_is_accepted_for_as_many_seats_as_it_is_dealt_to() -> None:
    check(Stakes("_TW", (50, 100)))
    check_seats(Stakes("_TW", (50, 100)), 6)
    with pytest.raises(ConfigError, match="'seats': 7, but Twist is for 2 to 6"):
        check_seats(Stakes("_TW", (50, 100)), 7)
    check_seats(Stakes("NT", (50, 100)), 7)


def test_an_unknown_code_is_answered_with_those_next_to_it() -> None:
    with pytest.raises(ConfigError, match=r"did you mean .*_TW \(Twist, no limit\).*betline games"):
        check(Stakes("_TX", (50, 100)))


@pytest.mark.parametrize("code", CODES)
def test_the_journal_says_what_was_played(code: str) -> None:
    hand = recorded(checked_down(code))
    assert hand.variant == code
    assert [len(act.cards) for act in hand.actions if isinstance(act, phh.BoardDealt)] == [3, 2]
    assert hand.finishing_stacks == (10_400, 9_700, 9_900)


@pytest.mark.parametrize("code", CODES)
def test_its_hands_are_played_again_as_recorded(code: str) -> None:
    """No check of its last round is left to be inferred: no card comes that would tell of it."""
    hand = recorded(checked_down(code))
    for seed in range(20):
        verdict = outcome_of(Job(hand, str(seed), Noise()), ThroughEngine())
        assert isinstance(verdict, Verdict), verdict
        assert verdict.mismatch is None


def test_its_hands_are_played_again_through_readers() -> None:
    verdict = outcome_of(Job(recorded(checked_down("_TW")), "1", Noise()), ThroughReaders(Noise()))
    assert isinstance(verdict, Verdict), verdict
    assert verdict.mismatch is None
