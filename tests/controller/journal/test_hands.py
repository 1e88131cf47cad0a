"""Hands of the journal as hand histories, and its rulings judged again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from pokerkit import HandHistory

from controller import commands
from controller.errors import JournalError
from controller.histories.phh import CheckedOrCalled, Folded, RaisedTo, RecordedHand, parse
from controller.histories.write import format_hands
from controller.journal.book import Journal
from controller.journal.hands import hands
from controller.journal.rejudge import Difference, rejudge
from controller.journal.rows import Row
from controller.places import POT
from controller.rulings.rules import Rules
from controller.table.events import Event, HandStarted, Ruled, StreetOpened
from controller.table.setup import Stakes
from tests.controller.engine.played import FLOP, RIVER, TURN, Played, dealt, spot, tray


def rows(events: list[Event]) -> list[Row]:
    return [Row(seq, None, "b", 0, 0, event) for seq, event in enumerate(events, 1)]


def recorded(table: Played) -> list[RecordedHand]:
    return list(hands(rows(table.log), "home"))


def to_the_end(table: Played) -> Played:
    """A flop, a bet and a call, checks, a showdown that seat 2 wins."""
    table.push(1, 100)
    table.push(2, 50)
    table.say(3, "check")
    table.sweep()
    table.board(*FLOP)
    table.push(2, 100)
    table.push(3, 500, 25)
    table.fold(1)
    table.push(2, 100, 100, 100, 100, 25)
    table.sweep()
    table.board(*FLOP, TURN)
    table.board(*FLOP, TURN, RIVER)
    table.say(2, "check")
    table.say(3, "check")
    table.tell(commands.Show(None))
    table.move(*table.carry(POT, tray(2), *table.lying(POT)))
    return table


def test_a_played_hand_is_a_hand_history_that_other_tools_read() -> None:
    table = to_the_end(dealt(3))
    (hand,) = recorded(table)
    assert hand.starting_stacks == (10_000, 10_000, 10_000)
    assert hand.seats == (2, 3, 1)
    assert hand.blinds_or_straddles == (50, 100, 0)
    assert [act for act in hand.actions if isinstance(act, RaisedTo | Folded)] == [
        RaisedTo(1, 100),
        RaisedTo(2, 525),
        Folded(3),
    ]
    assert hand.board == (*FLOP, TURN, RIVER)
    assert set(hand.hole_cards[1]) == {"Ks", "Kh"}
    assert hand.hole_cards[3] == ("??", "??")  # folded unseen, though the antenna read them
    assert hand.finishing_stacks == tuple(table.stacks()[seat - 1] for seat in hand.seats)
    text = format_hands([hand])
    (again,) = parse(text, "x.phhs")
    assert isinstance(again, RecordedHand)
    assert again.actions == hand.actions
    *_, last = next(iter(HandHistory.loads_all(text)))
    assert tuple(last.stacks) == hand.finishing_stacks


def test_what_was_undone_is_not_in_the_history_and_what_was_redone_is() -> None:
    table = dealt(3)
    table.say(1, "raise_to", 300)
    table.tell(commands.Undo())
    table.say(1, "call")
    table.tell(commands.Undo())
    table.tell(commands.Redo())
    table.say(2, "fold")
    table.say(3, "fold")
    table.move(*table.carry(POT, tray(1), *table.lying(POT)))
    table.tell(commands.NextHand())
    found = [act for act in recorded(ended(table))[0].actions if isinstance(act, RaisedTo | Folded | CheckedOrCalled)]
    assert found[0] == CheckedOrCalled(3)


def ended(table: Played) -> Played:
    """Play the rest by words until the first hand has ended."""
    from controller.table.events import HandEnded

    for _ in range(20):
        if any(isinstance(event, HandEnded) for event in table.log):
            return table
        if table.hand.to_act is not None:
            table.say(None, "fold")
        else:
            table.tell(commands.NextHand())
    raise AssertionError("the hand does not end")


def test_an_overruled_action_stands_as_it_was_put_right() -> None:
    table = dealt(3)
    table.push(1, 500)  # one chip: a call (TDA 2024 44)
    table.tell(commands.Overrule(action="raise", total_to=500))
    found = recorded(ended(table))[0]
    assert RaisedTo(3, 500) in found.actions
    assert CheckedOrCalled(3) not in found.actions[3:4]


def test_a_misdeal_is_no_hand() -> None:
    table = dealt(3)
    table.tell(commands.Misdeal())
    assert recorded(table) == []


# ---------------------------------------------------------------- judged again
def differences(table: Played, profile: str = "TDA2024") -> list[Difference]:
    table.engine.setting.rules = Rules.named(profile)
    start = table.engine.initial(table.seats, Stakes(blinds=(50, 100)))
    return list(rejudge(table.engine.setting, start, rows(table.log)))


def test_the_same_rules_give_the_same_rulings() -> None:
    table = to_the_end(dealt(3))
    assert sum(isinstance(event, Ruled) for event in table.log) > 6
    assert differences(table) == []


def test_a_second_trip_is_no_difference() -> None:
    table = dealt(3)
    table.push(1, 100)
    table.push(1, 500, later=True)
    assert differences(table) == []


def test_other_rules_are_listed_with_both_readings() -> None:
    """500 + 100 facing 400: a raise under TDA 2024 43, a call where a silent raise must be a full one."""
    table = dealt(3)
    table.push(1, 100, 100, 100)  # raise to 300
    table.push(2, 100, 100, 100, 100)  # 450 in front: at least half a raise
    found = differences(table, "HOUSE_FULLRAISE")
    assert [(each.seat, each.then.action if each.then else None) for each in found] == [(2, "raise")]
    assert found[0].now is not None
    assert found[0].now.action == "call"


def test_a_journal_on_disk_is_judged_and_exported_as_its_events_were(tmp_path: Path) -> None:
    table = to_the_end(dealt(3))
    journal = Journal.open(tmp_path / "journal.db", boot="b")
    journal.append([(event, 1, 2) for event in table.log])
    assert list(hands(journal.events(), "home")) == recorded(table)
    assert journal.replay(table.engine.initial(3, Stakes(blinds=(50, 100)))) == table.state
    journal.close()


@pytest.mark.parametrize(
    ("kind", "spoil"),
    [
        (HandStarted, lambda event: replace(event, game=replace(event.game, streets=()))),
        (HandStarted, lambda event: replace(event, game=replace(event.game, streets=event.game.streets[:2]))),
        (StreetOpened, lambda event: replace(event, row=9)),
        (StreetOpened, lambda event: replace(event, row=-1)),
    ],
)
def test_a_street_that_the_game_of_the_hand_has_not_is_told_before_the_table_opens(
    tmp_path: Path, kind: type[Event], spoil: Callable[[Any], Event]
) -> None:
    table = to_the_end(dealt(3))
    journal = Journal.open(tmp_path / "journal.db", boot="b")
    journal.append([(spoil(event) if isinstance(event, kind) else event, 1, 1) for event in table.log])
    with pytest.raises(JournalError, match=r"journal\.db: event \d+ \(\w+\) does not fit this table"):
        journal.replay(table.engine.initial(3, table.game))
    with pytest.raises(JournalError, match=r"^event \d+"):
        list(rejudge(table.engine.setting, table.engine.initial(3, table.game), journal.events()))
    journal.close()


def test_a_hand_of_another_structure_keeps_it() -> None:
    for game, bets in ((Stakes("FT", (50, 100)), (100, 200)), (Stakes("PT", (50, 100)), (100, 0))):
        table = dealt(3, game=game)
        table.say(1, "raise", 200)
        table.fold(2)
        table.fold(3)
        table.take_back(1, *table.lying(spot(1)))
        table.move(*[move for seat in (2, 3) for move in table.carry(spot(seat), tray(1), *table.lying(spot(seat)))])
        (hand,) = recorded(table)
        (again,) = parse(format_hands([hand]), "")
        assert isinstance(again, RecordedHand)
        assert (again.variant, again.min_bet, again.big_bet) == (game.variant, *bets)
        played = HandHistory.loads(format_hands([hand]).removeprefix("[1]\n"))
        assert played.variant == {"FT": "FT", "PT": "NT"}[game.variant]
        *_, state = played
        assert tuple(state.stacks) == hand.finishing_stacks


def test_a_straddle_is_one_of_the_forced_bets() -> None:
    table = Played(4, button=1, profile="RROP11")
    table.tell(commands.NextHand())
    table.push(2, 50)
    table.push(3, 100)
    table.push(4, 100, 100)
    table.tell(commands.NextStreet())
    for seat in (1, 2, 3):
        table.say(seat, "fold")
    table.take_back(4, 100, 100)
    table.move(*[move for seat in (2, 3) for move in table.carry(spot(seat), tray(4), *table.lying(spot(seat)))])
    (hand,) = recorded(table)

    assert hand.blinds_or_straddles == (50, 100, 200, 0)
    *_, state = HandHistory.loads(format_hands([hand]).removeprefix("[1]\n"))
    assert tuple(state.stacks) == hand.finishing_stacks


def won_by_seat_2(table: Played) -> RecordedHand:
    """All fold to seat 2, and the chips go to it; its history, read again."""
    table.say(3, "fold")
    table.say(1, "fold")
    table.move(*table.carry(POT, tray(2), *table.lying(POT)))
    (hand,) = recorded(table)
    (again,) = parse(format_hands([hand]), "")
    assert isinstance(again, RecordedHand)
    assert again.actions == hand.actions
    return hand


def on_the_flop() -> Played:
    table = dealt(3)
    table.push(1, 100)
    table.push(2, 50)
    table.say(3, "check")
    table.sweep()
    table.board(*FLOP)
    return table


def test_a_card_that_was_replaced_is_none_of_the_hand_history() -> None:
    table = on_the_flop()
    table.say(2, "bet", 100)
    table.board(FLOP[0], FLOP[2])
    table.muck(FLOP[1])
    table.board(FLOP[0], FLOP[2], "5s")

    assert won_by_seat_2(table).board == (FLOP[0], "5s", FLOP[2])


def test_cards_that_were_never_read_are_unknown_and_those_behind_them_keep_their_street() -> None:
    table = on_the_flop()
    for seat in (2, 3, 1):
        table.say(seat, "check")
    table.tell(commands.NextStreet())
    for seat in (2, 3, 1):
        table.say(seat, "check")
    table.board(*FLOP, RIVER)
    assert table.hand.row.name == "turn"
    table.tell(commands.NextStreet())
    assert (table.hand.board, table.hand.board_count) == ((*FLOP, RIVER), 5)
    table.say(2, "bet", 100)
    assert won_by_seat_2(table).board == (*FLOP, "??", RIVER)


def test_a_card_that_was_read_late_is_where_it_was_missing() -> None:
    table = dealt(3)
    table.push(1, 100)
    table.push(2, 50)
    table.say(3, "check")
    table.sweep()
    table.board(*FLOP[:2])
    table.tell(commands.NextStreet())
    assert table.hand.board == FLOP[:2]
    table.say(2, "bet", 100)
    table.board(*FLOP)
    assert table.hand.board == FLOP

    assert won_by_seat_2(table).board == FLOP
