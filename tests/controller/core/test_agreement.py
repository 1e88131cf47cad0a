"""Agreement by acting: what an act agrees to is one answer, whether it is done by chips, by a word or by cards."""

import pytest

from controller.commands import Confirm, Undo
from controller.rulings.rules import Rules
from controller.rulings.values import Push, Ruling, Situation, WordKind
from controller.table.setup import House
from tests.controller.core_table import FLOP, CoreTable, dealt


def test_a_hand_thrown_away_waits_for_the_answer_about_the_chips_before_it() -> None:
    table = dealt(3, house=House(confirm="always"))
    table.push(1, 100, 100)
    table.until(lambda: table.asked() is not None)
    table.muck(1)
    table.run(3000)
    assert table.rulings() == []
    table.tell(Confirm())
    assert table.rulings() == [(1, "raise", 200), (1, "fold", 200)]


# ---------------------------------------------------------------- four on the flop, and seat 2's check is asked about
def check_is_asked(*, house: House | None = None) -> CoreTable:
    table = dealt(4, house=house or House(confirm="always"))
    for seat, value in ((4, 100), (1, 100), (2, 50), (3, 0)):
        if value:
            table.push(seat, value)
        else:
            table.say(seat, "check")
        table.still()
        if table.asked():
            table.tell(Confirm())
            table.still()
    table.sweep()
    table.still()
    table.board(*FLOP)
    table.until(lambda: table.hand.row.name == "flop")
    table.still()
    table.log.clear()
    table.say(2, "check", by="seat")
    table.run(3000)
    assert table.asked() is not None
    assert table.rulings() == []
    return table


def test_a_bet_by_chips_over_a_player_who_owes_nothing_agrees_to_the_check_before_him() -> None:
    table = check_is_asked()
    table.push(4, 100)
    table.still()
    assert table.rulings() == [(2, "check", 0), (3, "check", 0)]
    assert (table.hand.to_act, table.asked().seat) == (4, 4)  # type: ignore[union-attr]


def test_a_bet_by_a_word_agrees_as_the_same_bet_by_chips_does() -> None:
    table = check_is_asked()
    table.say(4, "bet", 100, by="seat")
    assert table.refused() is None
    assert table.rulings() == [(2, "check", 0), (3, "check", 0)]
    question = table.asked()
    assert question is not None
    assert (question.seat, question.ruling.chosen.action) == (4, "bet")  # type: ignore[union-attr]
    table.tell(Confirm())
    assert table.rulings()[2:] == [(4, "bet", 100)]


@pytest.mark.parametrize(("kind", "amount", "action"), [("check", None, "check"), ("all_in", None, "all_in_bet")])
def test_any_word_of_a_player_further_on_agrees(kind: WordKind, amount: int | None, action: str) -> None:
    table = check_is_asked()
    table.say(4, kind, amount)
    assert [(seat, what) for seat, what, _ in table.rulings()] == [(2, "check"), (3, "check"), (4, action)]


@pytest.mark.parametrize(
    ("kind", "amount", "ruled"), [("call", None, ("call", 100)), ("raise_to", 300, ("raise", 300))]
)
def test_a_call_or_raise_of_the_next_player_agrees_to_the_bet_before_him(
    kind: WordKind, amount: int | None, ruled: tuple[str, int]
) -> None:
    table = dealt(4, house=House(confirm="always"))
    table.push(4, 100)
    table.still()
    table.say(1, kind, amount)
    assert table.rulings() == [(4, "call", 100), (1, *ruled)]


def test_who_folds_further_on_implies_no_check_and_agrees_to_nothing() -> None:
    table = check_is_asked()
    question = table.asked()
    table.say(4, "fold")
    assert table.rulings() == [(4, "fold", 0)]
    assert table.asked() == question
    table.say(3, "fold")
    assert table.rulings()[1:] == [(2, "check", 0), (3, "fold", 0)]


def test_nobody_agrees_over_a_player_who_owes() -> None:
    table = dealt(4, house=House(confirm="always"))
    table.push(4, 100)
    table.still()
    question = table.asked()
    for kind in ("call", "check", "all_in"):
        table.say(2, kind)  # type: ignore[arg-type]
        assert (table.refused(), table.asked(), table.rulings()) == ("out_of_turn", question, [])


def test_nobody_agrees_over_another_where_the_house_infers_no_checks() -> None:
    table = check_is_asked(house=House(confirm="always", check="say"))
    table.say(4, "bet", 100, by="seat")
    assert (table.refused(), table.rulings()) == ("out_of_turn", [])
    assert table.asked() is not None


def test_no_word_agrees_to_doubtful_chips() -> None:
    table = dealt(house=House(confirm="always"))
    names = table.push(1, 500, 100)
    table.hidden.add(names[1])
    table.run(6500)
    table.push(2, 50)
    table.until(lambda: table.asked() is not None)
    question = table.asked()
    assert question is not None
    assert question.why == "worlds"
    table.say(2, "call")
    assert (table.asked(), table.rulings()) == (question, []), "it waits for the answer"


def test_a_word_that_is_refused_agrees_to_nothing() -> None:
    table = check_is_asked()
    question = table.asked()
    for seat in (3, 4):
        table.say(seat, "bet", -5)
        assert (table.refused(), table.asked()) == ("bad_amount", question)


def test_undo_takes_back_the_word_and_leaves_what_it_agreed_to() -> None:
    table = check_is_asked()
    table.say(3, "bet", 100)
    assert table.hand.to_act == 4
    table.tell(Undo())
    assert (table.asked(), table.hand.to_act) == (None, 3)


# ---------------------------------------------------------------- a word is judged once
class CountingRules(Rules):
    judged = 0

    def judge(self, situation: Situation, push: Push) -> Ruling:
        self.judged += 1
        return super().judge(situation, push)


@pytest.mark.parametrize(
    ("seat", "kind", "amount"), [(1, "raise_to", 600), (1, "call", None), (1, "all_in", None), (None, "number", 300)]
)
def test_a_word_is_judged_once(seat: int | None, kind: WordKind, amount: int | None) -> None:
    rules = CountingRules(Rules.named("TDA2024").profile)
    table = dealt(rules=rules)
    rules.judged = 0
    table.say(seat, kind, amount)
    assert len(table.rulings()) == 1
    assert rules.judged == 1


def test_a_word_that_is_refused_is_not_judged() -> None:
    rules = CountingRules(Rules.named("TDA2024").profile)
    table = dealt(rules=rules)
    rules.judged = 0
    for seat, kind in ((2, "call"), (9, "call"), (3, "raise")):
        table.say(seat, kind)  # type: ignore[arg-type]
        assert table.refused() is not None
    assert rules.judged == 0


def test_a_word_by_which_a_player_agrees_is_judged_once() -> None:
    rules = CountingRules(Rules.named("TDA2024").profile)
    table = dealt(house=House(confirm="always"), rules=rules)
    table.push(1, 100)
    table.still()
    rules.judged = 0
    table.say(2, "raise_to", 500)
    assert table.rulings() == [(1, "call", 100), (2, "raise", 500)]
    assert rules.judged == 1
