"""Players speak where silence could be misread, by a caution of their own."""

import ast
from pathlib import Path

import pytest

from controller.places import Place
from simulator import players
from simulator.acts import Muck, PullBack, PushChips, Say, Splash, TakeChange, spot, tray
from simulator.books import Decision
from simulator.chips import Counts
from simulator.felt import Felt
from simulator.players import Dice, Faced, Player, Style, few, speaks_for_itself

QUIET = Style(
    oversized=0,
    generous=0,
    talk=0,
    speak_fold=0,
    pull_back=0,
    splash=0,
    riffle=0,
    silent_check=0,
    knock=0,
    own_change=1,
)


def decision(kind: str = "call", total: int = 200, **given: int) -> Decision:
    values = {"faced": 200, "bet": 0, "behind": 5000, "last_raise": 100, "street": 0, "players": 4} | given
    return Decision(seat=3, kind=kind, total=total, all_in=bool(values.pop("all_in", 0)), **values)  # type: ignore[arg-type]


def faced(made: Decision, front: Counts | None = None, in_pot: int = 0) -> Faced:
    return Faced(made, {1000: 3, 500: 4, 100: 9, 25: 8}, front or {}, in_pot)


@pytest.mark.parametrize(
    ("made", "front", "chips", "clear"),
    [
        (decision("call"), {}, {100: 2}, True),
        (decision("call"), {}, {1000: 1}, True),
        (decision("call"), {}, {100: 3}, False),
        (decision("call"), {}, {500: 1, 100: 1}, False),
        (decision("call", bet=100), {100: 1}, {100: 1}, True),
        (decision("call", bet=100), {500: 1}, {}, False),
        (decision("bet", 300, faced=0), {}, {100: 3}, True),
        (decision("bet", 500, faced=0), {}, {500: 1}, True),
        (decision("bet", 300, faced=0), {}, {500: 1}, False),
        (decision("bet", 50, faced=0), {}, {25: 2}, False),
        (decision("raise", 600), {}, {500: 1, 100: 1}, True),
        (decision("raise", 500), {}, {500: 1}, False),
        (decision("raise", 700), {}, {500: 1, 100: 2}, True),
        (decision("raise", 1000, faced=600), {}, {500: 2}, False),
        (decision("raise", 250), {}, {100: 2, 25: 2}, False),
        (decision("raise", 300, faced=100, bet=100), {100: 1}, {100: 2}, False),
    ],
)
def test_what_chips_say_without_a_word(made: Decision, front: Counts, chips: Counts, clear: bool) -> None:
    assert speaks_for_itself(faced(made, front), chips) is clear


def test_chips_thrown_into_the_pot_ask_for_a_word_next_time() -> None:
    assert not speaks_for_itself(faced(decision("call", 300, faced=300, bet=200), in_pot=200), {100: 1})


def player(tray_chips: Counts, front: Counts | None = None, style: Style = QUIET, seed: int = 1) -> Player:
    values: dict[str, int] = {}
    lies: dict[str, Place] = {}
    for place, counts in ((tray(3), tray_chips), (spot(3), front or {})):
        for chip, count in counts.items():
            for number in range(count):
                name = f"{chip}-{place.zone}-{number}"
                values[name], lies[name] = chip, place
    return Player(Felt(values, lies), Dice(seed), style)


def acts(who: Player, made: Decision, change: bool = True) -> list[object]:
    return [cue.act for cue in who.act(made, ("As", "Kd"), 0, lambda _: change)]


def value(who: Player, push: object) -> int:
    assert isinstance(push, PushChips)
    return sum(map(who.felt.value, push.chips))


def test_a_call_with_the_exact_chips_is_silent() -> None:
    who = player({100: 5, 500: 2})
    (push,) = acts(who, decision("call"))
    assert value(who, push) == 200


def test_who_cannot_make_the_amount_speaks_or_pushes_one_large_chip() -> None:
    who = player({500: 2})
    (push,) = acts(who, decision("call"))
    assert value(who, push) == 500
    say, push = acts(who, decision("raise", 450))
    assert isinstance(say, Say)
    assert value(who, push) == 500


def test_one_large_chip_is_pushed_only_where_change_can_be_given() -> None:
    who = player({100: 5, 500: 2}, style=Style(oversized=1, talk=0, riffle=0, generous=0, pull_back=0, splash=0))
    assert value(who, acts(who, decision("call"))[0]) == 500
    assert value(who, acts(who, decision("call"), change=False)[0]) == 200


def test_several_chips_too_many_come_with_the_word_and_the_rest_is_taken_back() -> None:
    who = player({100: 9}, style=Style(generous=1, oversized=0, talk=0, riffle=0, own_change=1, pull_back=0, splash=0))
    say, push, back = acts(who, decision("call"))
    assert isinstance(say, Say)
    assert isinstance(back, TakeChange)
    assert value(who, push) - sum(map(who.felt.value, back.chips)) == 200
    assert isinstance(push, PushChips)
    assert set(back.chips) < set(push.chips)


def test_chips_in_front_that_cover_the_call_ask_for_a_word_alone() -> None:
    who = player({100: 5}, front={500: 1})
    (say,) = acts(who, decision("call", bet=100))
    assert isinstance(say, Say)
    assert say.word.kind == "call"


def test_own_chips_are_pulled_back_only_where_the_new_ones_speak_for_themselves() -> None:
    always = Style(pull_back=1, talk=0, riffle=0, oversized=0, generous=0, splash=0)
    who = player({100: 5, 500: 2}, front={100: 1}, style=always)
    back, push = acts(who, decision("raise", 700, bet=100))
    assert isinstance(back, PullBack)
    assert value(who, push) == 700
    assert not any(isinstance(act, PullBack) for act in acts(who, decision("raise", 500, bet=100)))


def test_a_splash_is_only_ever_the_exact_amount() -> None:
    who = player({100: 5, 500: 2}, style=Style(splash=1, oversized=0, generous=0, talk=0, riffle=0, pull_back=0))
    (act,) = acts(who, decision("call"))
    assert isinstance(act, Splash)
    assert sum(map(who.felt.value, act.chips)) == 200


def test_a_short_all_in_is_pushed_and_a_long_one_announced() -> None:
    who = player({100: 3})
    (push,) = acts(who, decision("call", 300, faced=800, behind=300, all_in=1))
    assert value(who, push) == 300
    who = player({100: 9, 25: 20, 500: 4})
    say, push = acts(who, decision("raise", 3400, behind=3400, all_in=1))
    assert isinstance(say, Say)
    assert say.word.kind == "all_in"
    assert isinstance(push, PushChips)
    assert len(push.chips) == QUIET.spot_chips


def test_a_check_is_said_knocked_or_left_out_only_where_somebody_acts_after_it() -> None:
    who = player({100: 3}, style=Style(silent_check=1, riffle=0))
    check = decision("check", 0, faced=0)
    assert isinstance(acts(who, check)[0], Say)
    who.may_stay_silent = True
    assert acts(who, check) == []


def test_a_fold_is_both_cards_in_the_muck() -> None:
    (act,) = acts(player({100: 3}), decision("fold", 0))
    assert act == Muck(3, ("As", "Kd"))


def test_few_leaves_the_smallest_chips_out_until_the_rest_fits() -> None:
    assert few(1000, {25: 40, 100: 6, 500: 1}, 30) == {500: 1, 100: 5}
    assert few(1000, {25: 40, 500: 1}, 8) is not None
    assert few(1000, {25: 4}, 8) is None


def test_players_know_no_ruling() -> None:
    """The table's rules must not grade their own homework: of the rulings only the words people say are known here."""
    folder = Path(players.__file__).parent
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("controller.rulings"):
                assert node.module == "controller.rulings.values"
                assert [alias.name for alias in node.names] == ["Word"]
