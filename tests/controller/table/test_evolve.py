"""`evolve` decides nothing: no rule is in it, and what was decided is in the event. Each claim is tried with a fault.

Source texts are looked at: what a file imports, and what it compares with what.
"""

import ast
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace

from controller.games.catalog import game
from controller.rulings.rounds import BettingRound
from controller.table import events as e
from controller.table import evolve as evolving
from controller.table.events import Event, PostKind, Ruled
from controller.table.evolve import evolve
from controller.table.meanings import Meaning
from controller.table.phases import LEADS_TO, Phase, entered
from controller.table.state import State
from tests.controller.engine.played import FLOP, RIVER, TURN, Played, dealt

FOLDER = Path(evolving.__file__).parent
FILES = sorted([*FOLDER.glob("evolve*.py"), FOLDER / "lying.py"])
JUDGES = ("controller.rulings", "controller.hand", "controller.games", "controller.moves", "controller.engine")
ACTIONS = {"check", "call", "bet", "raise", "all_in_call", "all_in_bet", "all_in_raise", "fold"}
WORDS = {street.name for street in game().streets} | set(get_args(PostKind)) | set(Meaning) | ACTIONS
ASKED_OF = {"street", "row", "kind", "meaning", "action", "ante_by", "name"}  # fields that say which street, kind ...


def judges(source: str) -> list[str]:
    """What a text imports that judges."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            found += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return [name for name in found if name.startswith(JUDGES)]


def decides(source: str) -> list[str]:
    """Comparisons with a street, kind, meaning or action, and arithmetic that chooses (max, min)."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare() if _names_one(node) and not _same_field_of_two(node):
                found.append(ast.unparse(node))
            case ast.Match() | ast.match_case() if _matches_one(node):
                found.append(ast.unparse(node).partition("\n")[0])
            case ast.Call(func=ast.Name(id="max" | "min")):
                found.append(ast.unparse(node))
    return found


def _names_one(node: ast.AST) -> bool:
    return any(
        (isinstance(part, ast.Constant) and part.value in WORDS)
        or (isinstance(part, ast.Attribute) and part.attr in ASKED_OF)
        for part in ast.walk(node)
    )


def _same_field_of_two(node: ast.Compare) -> bool:
    """A post that is due and its event are the same post: that is finding a row, not judging it."""
    sides = [node.left, *node.comparators]
    fields = [side.attr for side in sides if isinstance(side, ast.Attribute)]
    return len(fields) == len(sides) == 2 and fields[0] == fields[1]


def _matches_one(node: ast.Match | ast.match_case) -> bool:
    if isinstance(node, ast.Match):
        return isinstance(node.subject, ast.Attribute) and node.subject.attr in ASKED_OF
    patterns = ast.walk(node.pattern)
    return any(isinstance(one, ast.Constant) and one.value in WORDS for one in patterns)


# --- no rule
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_part_of_evolve_imports_what_judges(path: Path) -> None:
    assert judges(path.read_text()) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_part_of_evolve_compares_a_street_a_kind_or_a_meaning(path: Path) -> None:
    assert decides(path.read_text()) == []


FAULTS = {  # rules that belong to the engine, in the words that evolve would have for them
    "the smallest raise": "last_full_raise = max(hand.last_full_raise, event.reading.total_to - hand.current_bet)",
    "the last street": 'phase = SHOWDOWN if hand.row.name == "river" else STREET_CARD',
    "the last street by its number": "phase = SHOWDOWN if hand.street == 3 else STREET_CARD",
    "a fold": 'folds = event.reading.action == "fold"',
    "an ante": 'bet = 0 if event.kind in ("ante", "dead") else event.amount',
    "an ante of the table": 'dead = table.ante_by in ("big_blind", "button")',
    "what counts at once": 'counted = event.meaning in ("paid", "change")',
    "a meaning by match": 'match event.meaning:\n    case "loose":\n        loose = 1',
    "a kind in a pattern": 'match event:\n    case e.Posted(kind="ante"):\n        bet = 0',
    "the rest of a bet": "bet = max(0, player.bet - event.amount)",
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_rule_planted_in_evolve_is_found(fault: str) -> None:
    for path in FILES:
        assert decides(f"{path.read_text()}\n{fault}\n")


@pytest.mark.parametrize("name", ["controller.rulings.rounds", "controller.hand.betting", "controller.games.catalog"])
def test_an_import_planted_in_evolve_is_found(name: str) -> None:
    for path in FILES:
        assert judges(f"{path.read_text()}\ndef late():\n    from {name} import anything\n")


# --- what was decided is in the event
def raised() -> tuple[Played, Ruled, State]:
    """A raise to 600 over a blind of 100, and the table before it."""
    table = dealt(3)
    before = table.state
    table.push(1, 500, 100)
    (ruled,) = table.of(Ruled)
    return table, ruled, before


def test_the_round_after_a_ruling_is_that_of_its_event_whatever_the_amounts_say() -> None:
    _, ruled, before = raised()
    assert ruled.round == BettingRound(600, 500, opener=None, opening_bet=600, raises=1, full_raises=1)
    told = replace(ruled, round=BettingRound(600, 77, opener=9, opening_bet=600, raises=5, full_raises=4))
    hand = evolve(before, told).hand
    assert hand is not None
    assert (hand.last_full_raise, hand.opener, hand.raises, hand.full_raises) == (77, 9, 5, 4)


def test_a_ruling_folds_where_its_event_says_so() -> None:
    _, ruled, before = raised()
    hand = evolve(before, replace(ruled, folds=True, out_of_turn=True)).hand
    assert hand is not None
    player = hand.player(1)
    assert player is not None
    assert (player.folded, player.out_of_turn, player.action) == (True, True, "raise")


def test_a_street_has_the_number_the_cards_and_the_phase_that_its_event_says() -> None:
    table = a_hand()
    (opened, *_) = [event for event in table.log if isinstance(event, e.StreetOpened)]
    before = _before(table, opened)
    told = replace(opened, street="anything", row=2, board_count=9, players=7, min_bet=33, phase=Phase.SHOWDOWN)
    hand = evolve(before, told).hand
    assert hand is not None
    assert (hand.street, hand.board_count, hand.players_at_start, hand.min_bet) == (2, 9, 7, 33)
    assert hand.phase is Phase.SHOWDOWN


def a_hand() -> Played:
    table = dealt(3)
    for step in ((1, 500, 100), (3, 500)):
        table.push(*step)
        table.fold(2) if step[0] == 1 else None
    table.sweep()
    for cards in (FLOP, (*FLOP, TURN), (*FLOP, TURN, RIVER)):
        table.board(*cards)
    table.say(3, "check")
    table.say(1, "check")
    return table


def _before(table: Played, last: Event) -> State:
    """The table before an event of its log."""
    state = table.engine.initial(3, table.game)
    for event in table.log:
        if event is last:
            return state
        state = evolve(state, event)
    raise AssertionError("not in the log")


# --- phases
def test_every_phase_is_entered_through_the_table() -> None:
    for now in Phase:
        for following in Phase:
            if following is now or following in LEADS_TO[now]:
                assert entered(now, following) is following
            else:
                with pytest.raises(AssertionError, match=f"no way leads from {now} to {following}"):
                    entered(now, following)


def test_an_event_that_would_lead_where_no_way_leads_changes_nothing() -> None:
    table = dealt(3)
    with pytest.raises(AssertionError, match="no way leads from betting to paying"):
        evolve(table.state, e.PotAwarded(0, (), "dealer", phase=Phase.PAYING))


def test_no_other_part_of_evolve_sets_a_phase() -> None:
    """Each `phase=` is looked up; a misdeal alone leads out of every phase, and the start of a hand asks first."""
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.keyword) and node.arg == "phase":
                text = ast.unparse(node.value)
                assert text.startswith("entered(") or text in {"phase", "BETWEEN_HANDS"}, f"{path.name}: {text}"


# --- types
def test_every_state_of_a_hand_is_what_its_types_say() -> None:
    """`replace` is not checked by a type checker: what decodes again to the same has the right type in each field."""
    table = a_hand()
    state = table.engine.initial(3, table.game)
    for event in table.log:
        state = evolve(state, event)
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
        assert msgspec.json.decode(msgspec.json.encode(event), type=Event) == event  # type: ignore[arg-type]
