"""What is counted as wrong, and what is only its consequence."""

from pathlib import Path

import pytest

from controller.histories import phh as history
from controller.histories.phh import RecordedHand
from controller.rulings.values import Reading, Ruling
from controller.table import events as e
from simulator.books import Decision
from simulator.director import script_of
from simulator.players import Dice, Style
from simulator.rehearsal import account as counted
from simulator.rehearsal.account import Account
from simulator.script import Script

EVENING = Path(__file__).parents[2] / "simulator" / "evening.phhs"


@pytest.fixture(scope="module")
def script() -> Script:
    hand = next(one for one in history.read(EVENING) if isinstance(one, RecordedHand))
    return script_of(hand, Dice("1"), Style())


def reading(action: str, total: int) -> Reading:
    return Reading(action, total, 0, 0, reopens=False, all_in=False, rule="")  # type: ignore[arg-type]


def as_meant(decision: Decision) -> Reading:
    return reading(decision.kind, decision.total)


def ruled(seat: int, what: Reading, by: str = "chips") -> e.Ruled:
    return e.Ruled(seat=seat, reading=what, ruling=Ruling(what, "", {}), chips=("100-001",), by=by)  # type: ignore[arg-type]


def otherwise(decision: Decision) -> Reading:
    return reading("raise", decision.total + 7)


def test_what_people_did_is_not_wrong_and_nothing_is_left_to_rule_on(script: Script) -> None:
    account, number = Account(script), 0
    street = 0
    for number, decision in enumerate(script.decisions):
        if decision.street > street:
            street = decision.street
            account.see(e.StreetOpened(street="", board=(), to_act=None), number)
        assert account.expected(decision.seat) == number
        assert next(account.unruled(len(script.decisions))) == number
        account.see(ruled(decision.seat, as_meant(decision)), number)
    assert (account.wrong, account.doubted, account.first_wrong()) == ([], [], None)
    assert account.right == account.rulings == len(script.decisions)
    assert list(account.unruled(len(script.decisions))) == []


def test_a_wrong_ruling_counts_and_what_follows_from_it_does_not(script: Script) -> None:
    account = Account(script)
    first, second, *_ = script.decisions
    account.see(ruled(first.seat, otherwise(first)), 1)
    account.see(ruled(second.seat, otherwise(second)), 2)
    assert len(account.wrong) == 1
    assert account.wrong[0].startswith(f"ruling 1: recorded seat {first.seat} {first.kind}")


def test_a_wrong_ruling_that_is_put_right_is_followed_by_others_that_count(script: Script) -> None:
    account = Account(script)
    first, second, *_ = script.decisions
    account.see(ruled(first.seat, otherwise(first)), 1)
    assert account.first_wrong() is not None
    account.see(e.Overruled(of=1, seat=first.seat, reading=as_meant(first), by="dealer"), 2)
    assert account.first_wrong() is None
    account.see(ruled(second.seat, otherwise(second)), 3)
    assert len(account.wrong) == 2


def test_the_same_wrong_ruling_that_comes_again_when_it_was_undone_counts_once(script: Script) -> None:
    account = Account(script)
    first = script.decisions[0]
    for number in (1, 3):
        account.see(ruled(first.seat, otherwise(first)), number)
        assert account.right == 0
        account.see(e.Undone(of=number, by="dealer"), number + 1)
        assert (account.rulings, account.expected(first.seat)) == (0, 0)
    assert len(account.wrong) == 1


def test_an_action_that_nobody_made_is_wrong(script: Script) -> None:
    account = Account(script)
    nobody = next(seat for seat in script.setting.stacks if sum(d.seat == seat for d in script.decisions) == 1)
    only = next(decision for decision in script.decisions if decision.seat == nobody)
    account.see(ruled(nobody, as_meant(only)), 1)
    account.see(ruled(nobody, reading("check", 0)), 2)
    assert "no action of this seat is left" in account.wrong[0]


def test_the_right_action_on_the_wrong_street_is_wrong(script: Script) -> None:
    account, first = Account(script), script.decisions[0]
    account.see(e.StreetOpened(street="flop", board=(), to_act=None), 1)
    account.see(ruled(first.seat, as_meant(first)), 2)
    assert len(account.wrong) == 1


def test_a_street_that_was_undone_is_not_open(script: Script) -> None:
    account, first = Account(script), script.decisions[0]
    account.see(e.StreetOpened(street="flop", board=(), to_act=None), 1)
    account.see(e.Undone(of=1, by="dealer"), 2)
    account.see(ruled(first.seat, as_meant(first)), 3)
    assert account.wrong == []


@pytest.mark.parametrize("by", ["answer", "confirm"])
def test_what_a_person_answered_wrongly_is_no_fault_of_the_table(script: Script, by: str) -> None:
    account, first = Account(script), script.decisions[0]
    account.see(ruled(first.seat, otherwise(first), by), 1)
    assert (account.wrong, len(account.asked_wrong)) == ([], 1)


def test_a_word_that_spoils_a_right_ruling_is_wrong(script: Script) -> None:
    account, first = Account(script), script.decisions[0]
    account.see(ruled(first.seat, as_meant(first)), 1)
    account.see(e.Overruled(of=1, seat=first.seat, reading=otherwise(first), by="dealer"), 2)
    assert "was right, overruled" in account.wrong[0]


def test_rulings_behind_a_corrected_one_are_told_anew_and_count_no_second_time(script: Script) -> None:
    account = Account(script)
    first, second, *_ = script.decisions
    account.see(ruled(first.seat, otherwise(first)), 1)
    account.see(ruled(second.seat, otherwise(second)), 2)
    account.see(e.Overruled(of=1, seat=first.seat, reading=as_meant(first), by="dealer"), 3)
    account.see(ruled(second.seat, otherwise(second)), 4, follows=True)
    assert (len(account.wrong), account.right, account.rulings) == (1, 1, 2)


def test_a_wrong_ruling_with_the_right_doubt_is_counted_apart(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "names_in_doubt", lambda ruled, meant: ruled.seat == meant.seat)
    account, first = Account(script), script.decisions[0]
    account.see(ruled(first.seat, otherwise(first)), 1)
    assert (account.wrong, len(account.doubted)) == ([], 1)


def asked(seat: int, *readings: Reading) -> e.Asked:
    return e.Asked(id=1, seat=seat, ruling=Ruling(None, "", {}, readings), chips=(), why="worlds")


def test_a_ruling_that_the_table_reopens_with_what_was_meant_first_is_counted_apart(script: Script) -> None:
    account, first = Account(script), script.decisions[0]
    account.see(ruled(first.seat, otherwise(first)), 1)
    account.see(asked(first.seat, as_meant(first), otherwise(first)), 2)
    account.see(e.Overruled(of=1, seat=first.seat, reading=as_meant(first), by="dealer"), 3)
    account.end()
    assert (account.wrong, len(account.reopened), account.needless) == ([], 1, 0)


def test_a_ruling_is_wrong_where_the_question_comes_late_or_has_something_else_first(script: Script) -> None:
    first, second, *_ = script.decisions
    late, other = Account(script), Account(script)
    for account in (late, other):
        account.see(ruled(first.seat, otherwise(first)), 1)
    late.see(ruled(second.seat, as_meant(second)), 2)
    late.see(asked(first.seat, as_meant(first), otherwise(first)), 3)
    other.see(asked(first.seat, otherwise(first), as_meant(first)), 2)
    assert [(len(one.wrong), one.reopened) for one in (late, other)] == [(1, []), (1, [])]


def test_what_was_reopened_and_stands_or_is_ruled_wrongly_again_is_wrong(script: Script) -> None:
    first = script.decisions[0]
    stands, again = Account(script), Account(script)
    for account in (stands, again):
        account.see(ruled(first.seat, otherwise(first)), 1)
        account.see(asked(first.seat, as_meant(first), otherwise(first)), 2)
    stands.end()
    again.see(e.Undone(of=1, by="dealer"), 3)
    again.see(ruled(first.seat, otherwise(first)), 4)
    assert [len(one.wrong) for one in (stands, again)] == [1, 1]


@pytest.mark.parametrize("chosen", [True, False])
@pytest.mark.parametrize("right", [True, False])
def test_a_question_is_needless_where_agreeing_to_it_would_have_been_right(
    script: Script, chosen: bool, right: bool
) -> None:
    account, first = Account(script), script.decisions[0]
    likely, other = (as_meant(first), otherwise(first)) if right else (otherwise(first), as_meant(first))
    ruling = Ruling(likely, "", {}, (other, likely)) if chosen else Ruling(None, "", {}, (likely, other))
    account.see(e.Asked(id=1, seat=first.seat, ruling=ruling, chips=(), why="confirm"), 1)
    assert account.needless == right
