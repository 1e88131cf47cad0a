"""Laws that hold for every house, every structure and every push: chips are conserved, rulings are legal and steady."""

import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rulings import limits
from controller.rulings.facts import lay_out
from controller.rulings.profiles import names
from controller.rulings.rules import Rules
from controller.rulings.values import Push, Reading, Ruling, Situation, Structure, Word
from controller.texts.sentences import sentence

CHIPS = (5, 25, 100, 500, 1000, 5000)
WORDS = ("call", "raise", "raise_to", "raise_by", "bet", "number", "all_in", "check", "fold", "pot", "tap",
         "ambiguous_number")  # fmt: skip
FORMS = ("before_chips", "simultaneous", "after_chips", "before_chips_unclear")
HOUSES = [Rules.named(name) for name in names()]
PUSHES = int(os.environ.get("BETLINE_LAWS", "120"))  # pushes per law; each is judged by every house
LAW = settings(derandomize=PUSHES <= 120, max_examples=PUSHES, deadline=None)


@st.composite
def structures(draw: st.DrawFn, min_bet: int) -> Structure:
    kind = draw(st.sampled_from(("NL", "NL", "PL", "HP", "FL", "spread")))
    if kind == "FL":
        return Structure(
            "FL", street_bet=min_bet, raise_cap=draw(st.sampled_from((None, 3))), raises_made=draw(st.integers(0, 3))
        )
    if kind == "spread":
        return Structure("spread", min=min_bet, max=min_bet * draw(st.integers(1, 8)))
    return Structure(kind)


@st.composite
def situations(draw: st.DrawFn) -> tuple[Situation, tuple[int, ...]]:
    """A situation that can come up, and the chips behind the player."""
    min_bet = draw(st.sampled_from((10, 25, 100, 200)))
    structure = draw(structures(min_bet))
    bet = draw(
        st.one_of(st.just(0), st.integers(1, 40).map(lambda n: n * 5), st.sampled_from((200, 325, 600, 1100, 4000)))
    )
    prior = tuple(draw(st.lists(st.sampled_from(CHIPS), max_size=3))) if bet else ()
    own = min(bet, draw(st.integers(0, sum(prior)))) if prior else 0
    option = bool(prior) and own == bet
    behind = tuple(draw(st.lists(st.sampled_from(CHIPS), min_size=1, max_size=8)))
    facing = (
        "none"
        if not bet
        else "own_blind_option"
        if option
        else draw(st.sampled_from(("blind", "opening_bet", "raise")))
    )
    return Situation(
        current_bet=bet,
        player_bet=own,
        last_full_raise=max(min_bet, draw(st.integers(1, max(bet, 1)))),
        min_bet=min_bet,
        player_stack=sum(behind),
        prior_chips=prior,
        can_raise=draw(st.booleans()) or draw(st.booleans()),
        players_in_hand=draw(st.integers(2, 6)),
        facing=facing,
        bet_when_last_acted=draw(st.sampled_from((None, None, own))) if bet else None,
        structure=structure,
        pot_before_round=draw(st.integers(0, 40)) * 50,
        round_bets_total=bet + own,
        fl_full_level=draw(st.sampled_from((None, bet, max(0, bet - min_bet // 3)))) if structure.type == "FL" else None,
        opening_bet_amount=draw(st.sampled_from((None, bet // 2))) if bet else None,
    ), behind  # fmt: skip


@st.composite
def pushes(draw: st.DrawFn, silent: bool = False) -> tuple[Situation, Push, tuple[int, ...]]:
    """A situation, a push that is possible there, and the chips that stay behind."""
    situation, behind = draw(situations())
    count = draw(st.integers(1 if silent else 0, len(behind)))
    chips = draw(st.permutations(behind))
    first = draw(st.integers(1, count)) if count else 0
    motions = tuple(motion for motion in (tuple(chips[:first]), tuple(chips[first:count])) if motion)
    back = tuple(situation.prior_chips[: draw(st.integers(0, len(situation.prior_chips)))])
    word = None
    if not silent and (not motions or draw(st.booleans())):
        kind = draw(st.sampled_from(WORDS))
        needs = kind in {"raise_to", "raise_by", "number", "ambiguous_number"}
        amount = draw(st.integers(1, 6000)) if needs or draw(st.booleans()) else None
        word = Word(kind, amount, draw(st.sampled_from(FORMS)) if motions else "before_chips")
    push = Push(motions, back if draw(st.booleans()) else (), word, gathered=draw(st.booleans()))
    return situation, push, tuple(chips[count:])


def readings(ruling: Ruling) -> tuple[Reading, ...]:
    return ruling.readings if ruling.chosen is None else (ruling.chosen, *ruling.readings)


def described(rules: Rules, situation: Situation, push: Push, ruling: Ruling) -> str:
    return f"\n{rules.profile.name}\n{situation}\n{push}\n{ruling}"


Made = tuple[Situation, Push, tuple[int, ...]]


@LAW
@given(pushes())
def test_chips_are_conserved(made: Made) -> None:
    """Forward + must_add = total_to + change_due, at most one of the two, and never more than he has."""
    situation, push, _ = made
    left = situation.player_stack + sum(push.pulled_back) - sum(map(sum, push.motions))
    for rules in HOUSES:
        ruling = rules.judge(situation, push)
        facts = lay_out(rules.profile, situation, push)
        for reading in readings(ruling):
            note = described(rules, situation, push, ruling)
            assert facts.forward + reading.must_add == reading.total_to + reading.change_due, note
            assert not (reading.must_add and reading.change_due), note
            assert 0 <= reading.total_to <= facts.everything, note
            assert reading.must_add <= left, note


@LAW
@given(pushes())
def test_a_ruling_is_legal_for_its_structure(made: Made) -> None:
    situation, push, _ = made
    for rules in HOUSES:
        ruling = rules.judge(situation, push)
        for reading in readings(ruling):
            assert is_legal(rules, situation, push, reading), described(rules, situation, push, ruling)


def is_legal(rules: Rules, situation: Situation, push: Push, reading: Reading) -> bool:
    everything = lay_out(rules.profile, situation, push).everything
    bet, total = situation.current_bet, reading.total_to
    if reading.all_in != reading.action.startswith("all_in") or (reading.all_in and total != everything):
        return False
    match reading.action:
        case "check":
            return situation.player_bet >= bet and total == situation.player_bet and not reading.reopens
        case "call":
            return total == bet < everything and not reading.reopens
        case "all_in_call":
            return total <= bet and not reading.reopens
        case "fold":
            return not reading.reopens
        case "bet" | "raise" | "all_in_bet" | "all_in_raise":
            most = limits.max_to(rules.profile, situation)
            right = rules.may_raise(situation) and total > bet and reading.action.endswith("raise" if bet else "bet")
            size = reading.all_in or total >= rules.min_raise_to(situation)
            return right and size and (most is None or total <= most) and (reading.all_in or total < everything)
        case _:
            return False


@LAW
@given(pushes(silent=True), st.data())
def test_a_needless_chip_never_lowers_the_total(made: Made, data: st.DataObject) -> None:
    situation, push, left = made
    left = (*left, *(chip for motion in push.motions[1:] for chip in motion))
    if not left:
        return
    push = Push(push.motions[:1], push.pulled_back)
    more = Push(((*push.motions[0], data.draw(st.sampled_from(left))),), push.pulled_back)
    for rules in HOUSES:
        before, after = rules.judge(situation, push), rules.judge(situation, more)
        if before.chosen is not None and after.chosen is not None:
            note = described(rules, situation, more, before) + f"\n{after}"
            assert after.chosen.total_to >= before.chosen.total_to, note


@LAW
@given(pushes(), st.randoms(use_true_random=False))
def test_the_order_of_chips_within_a_motion_does_not_matter(made: Made, random: Any) -> None:
    situation, push, _ = made
    motions = tuple(tuple(random.sample(motion, len(motion))) for motion in push.motions)
    back = tuple(random.sample(push.pulled_back, len(push.pulled_back)))
    shuffled = Push(motions, back, push.word, push.gathered)
    for rules in HOUSES:
        assert rules.judge(situation, shuffled) == rules.judge(situation, push)


@LAW
@given(pushes())
def test_options_and_rulings_agree(made: Made) -> None:
    """What he may do before the push bounds what the push can be."""
    situation, push, _ = made
    for rules in HOUSES:
        options = rules.options(situation)
        for reading in readings(rules.judge(situation, push)):
            note = described(rules, situation, push, rules.judge(situation, push))
            if reading.action in {"bet", "raise"}:
                assert options.can_raise, note
                assert options.min_raise_to is not None, note
                assert reading.total_to >= options.min_raise_to, note
                assert options.max_raise_to is None or reading.total_to <= options.max_raise_to, note
            if reading.action == "call":
                assert reading.total_to - situation.player_bet == options.to_call, note


@LAW
@given(pushes())
def test_a_question_has_an_answer_and_a_dispute_another_reading(made: Made) -> None:
    situation, push, _ = made
    for rules in HOUSES:
        ruling = rules.judge(situation, push)
        note = described(rules, situation, push, ruling)
        assert readings(ruling), note
        assert ruling.disputed == (ruling.chosen is None or bool(ruling.readings)), note
        results = [(r.action, r.total_to, r.forfeit) for r in readings(ruling)]
        assert len(set(results)) == len(results), note


@LAW
@given(pushes())
def test_every_reason_has_its_sentence_with_all_its_numbers(made: Made) -> None:
    situation, push, _ = made
    for rules in HOUSES:
        ruling = rules.judge(situation, push)
        for text in sentence(ruling.why, ruling.numbers).values():
            assert "?" not in text.replace("? Ask", "").replace("? Решает", ""), described(
                rules, situation, push, ruling
            )
