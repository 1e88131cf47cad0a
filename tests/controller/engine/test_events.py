"""Events: complete, public or not, and enough for replay without any rules."""

import subprocess
import sys
from typing import get_args

import msgspec
import pytest

from controller import commands
from controller.table import events
from controller.table.events import Event, HandsShown, ItemsMoved, PlacesCounted, Ruled, is_public
from controller.table.evolve import evolve
from controller.table.keys import AlarmName, RefusalKey, ReleaseKey, RulingKey
from controller.table.state import Checkpoint
from controller.texts.languages import LANGUAGES, texts
from tests.controller.engine.played import CARDS, FLOP, RIVER, TURN, Played, dealt


def a_hand() -> Played:
    table = dealt(3)
    table.push(1, 500, 100)
    table.fold(2)
    table.push(3, 500)
    table.sweep()
    for cards in (FLOP, (*FLOP, TURN), (*FLOP, TURN, RIVER)):
        table.board(*cards)
    table.say(3, "check")
    table.say(1, "check")
    return table


def test_hole_cards_stand_in_no_public_event_before_they_are_tabled() -> None:
    table = a_hand()
    hole = {card for cards in CARDS.values() for card in cards}
    public = [event for event in table.log if is_public(event)]

    assert not any(card.encode() in msgspec.json.encode(event) for event in public for card in hole)

    table.tell(commands.Show(1))

    assert [event.cards for event in table.last if isinstance(event, HandsShown)] == [tuple(sorted(CARDS[1]))]


def test_facts_and_refusals_are_private_and_decisions_are_public() -> None:
    table = a_hand()

    assert not any(
        is_public(event) for event in table.log if isinstance(event, ItemsMoved | PlacesCounted | events.Refused)
    )
    assert all(is_public(event) for event in table.log if isinstance(event, events.Decision))


def test_each_cause_has_one_head_and_undo_goes_back_to_it() -> None:
    table = dealt(3)
    for step in (lambda: table.push(1, 100), lambda: table.push(2, 50), lambda: table.board(*FLOP)):
        step()
        decisions = [event for event in table.last if isinstance(event, events.Decision)]
        assert [event.head for event in decisions] == [True] + [False] * (len(decisions) - 1)


def test_ruled_carries_the_whole_ruling() -> None:
    table = dealt(3)
    table.push(1, 500, 100)
    (ruled,) = table.of(Ruled)

    assert msgspec.json.decode(msgspec.json.encode(ruled), type=Event) == ruled
    assert ruled.ruling.chosen == ruled.reading
    assert ruled.chips == ("s1-500-00", "s1-100-00")


def test_replay_needs_no_rules() -> None:
    """`evolve` alone loads nothing that judges."""
    code = "import sys; import controller.table.evolve; print([m for m in sys.modules if m.startswith('controller.')])"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout

    assert "controller.table.evolve" in loaded
    assert "controller.rulings.values" in loaded
    assert "controller.rulings.silent" not in loaded
    assert "controller.engine.progress" not in loaded
    assert "controller.games.ranking" not in loaded


def test_an_event_that_undoes_nothing_known_changes_nothing() -> None:
    table = dealt(2)
    after = evolve(table.state, events.Undone(-5, "dealer"))

    assert (after.hand, after.table, after.past) == (table.state.hand, table.state.table, table.state.past)


def test_the_past_is_bounded_and_never_nested_deeper_than_one() -> None:
    table = dealt(2)
    for _ in range(80):
        table.tell(commands.SetButton(1 + len(table.state.past) % 2))

    assert len(table.state.past) == 50
    for point in table.state.past:
        assert isinstance(point, Checkpoint)
        assert point.before_ruling is None or point.before_ruling.before_ruling is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_that_the_engine_gives_has_a_sentence(language: str) -> None:
    keys = [*get_args(RefusalKey), *get_args(AlarmName), *get_args(RulingKey), *get_args(ReleaseKey)]

    assert set(keys) <= set(texts(language))
