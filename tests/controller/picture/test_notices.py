"""What is wrong or not known, in words: every key has a text, and nothing names a chip to the public."""

import ast
import re
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

from controller import commands
from controller.core.core import CoreRefusal
from controller.core.reader_states import ReaderState
from controller.core.seen import Seen
from controller.picture import behind, notices, rulings, seats, worlds
from controller.places import BOARD, Place, Zone
from controller.table.events import Alarmed
from controller.table.evolve import evolve
from controller.table.keys import AlarmName, RefusalKey, RulingKey
from controller.table.state import AlarmKey
from controller.texts.languages import LANGUAGES, tables, texts
from controller.texts.sentences import sentence
from controller.tracking.events import ForeignTags, PlaceKnown, SeenTwice, Unaccounted
from firmware_bridge.events import BadFrame, ReaderFault, ReaderLost
from tests.controller.core.test_worlds import on_the_flop
from tests.controller.core_table import CoreTable, counted, dealt, hole, spot, tray
from tests.controller.two_languages import both

SAYING = (behind, notices, rulings, seats, worlds)  # modules that make sentences for the screen
WHYS = ("lost", "silent", "fault", "counting", "overfull", "deaf", "shouting", "blank")  # PlaceKnown


def told(table: CoreTable, *, named: bool = True) -> dict[str, str]:
    """English texts of all notices by key."""
    return said_of(table.core.seen(), named=named)


def said_of(seen: Seen, *, named: bool = True) -> dict[str, str]:
    return {notice.key: notice.text["en"] for notice in notices.of(seen)[named]}


# ---------------------------------------------------------------- every key has a text
def test_every_refusal_has_a_text() -> None:
    assert set(tables("en")["refusal"]) >= {*get_args(RefusalKey), *get_args(CoreRefusal)}


def test_every_alarm_has_a_text() -> None:
    assert set(tables("en")["alarm"]) >= {*get_args(AlarmName), "payout_missing"}


def test_every_ruling_of_the_engine_itself_has_a_text() -> None:
    assert set(tables("en")["engine"]) >= set(get_args(RulingKey))


def test_every_key_that_the_engine_or_the_core_says_is_one_of_the_lists() -> None:
    """Literal types say so to mypy; this says it to whoever casts."""
    controller = Path(notices.__file__).parents[1]
    said: dict[str, set[str]] = {"refuse": set(), "refused": set(), "_refuse": set(), "alarm": set()}
    for path in [*(controller / "engine").glob("*.py"), *(controller / "core").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            name = called(node)
            if isinstance(node, ast.Call) and name in said:
                found = [n.value for n in ast.walk(node.args[0]) if isinstance(n, ast.Constant)]
                said[name] |= {word for word in found if isinstance(word, str)}
    assert said["refuse"] | said["refused"] <= set(get_args(RefusalKey))
    assert said["_refuse"] == set(get_args(CoreRefusal))
    assert said["alarm"] <= set(get_args(AlarmName))
    assert len(said["refuse"] | said["refused"]) > 15


def called(node: ast.AST) -> str:
    """The name of a function or method that is called there."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name
    return ""


@pytest.mark.parametrize("module", SAYING)
def test_every_phrase_that_is_used_exists_in_both_languages(module: object) -> None:
    path = Path(module.__file__)  # type: ignore[attr-defined]
    keys = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "phrase":
            keys |= {n.value for n in ast.walk(node.args[0]) if isinstance(n, ast.Constant)}
    plain = {key for key in keys if isinstance(key, str) and not key.endswith("_")}
    assert plain
    for language in LANGUAGES:
        assert plain <= set(texts(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_and_every_reason_not_to_know_it_has_a_text(language: str) -> None:
    keys = {f"place_{zone}" for zone in Zone} | {f"unknown_{why}" for why in WHYS}
    keys |= {f"reader_{state}" for state in ("starting", "up", "lost", "fault")}
    assert keys <= set(texts(language))


def test_every_text_of_the_table_is_used() -> None:
    source = "".join(Path(module.__file__).read_text() for module in SAYING)
    made = {"place_", "places_", "unknown_", "reader_"}
    unused = [k for k in tables("en")["table"] if f'"{k}"' not in source and not any(k.startswith(m) for m in made)]
    assert unused == []


@pytest.mark.parametrize("key", [*get_args(RefusalKey), *get_args(CoreRefusal), *get_args(AlarmName)])
def test_a_sentence_of_a_refusal_or_an_alarm_is_whole(key: str) -> None:
    said = sentence(key, {"seat": 4, "amount": 300, "seats": 9, "pot": 1, "total": 500, "most": 400, "least": 200})
    for text in said.values():
        assert text[-1] in ".?"
        assert not re.search(r"[{}]|\?\?| \? ", text)
        assert text != key.replace("_", " ")


# ---------------------------------------------------------------- what is told
def test_a_table_where_all_is_well_says_nothing() -> None:
    assert told(dealt()) == {}


@pytest.mark.parametrize("why", WHYS)
def test_a_place_that_is_not_known_is_named_with_its_reason(why: str) -> None:
    table = counted()
    table.core._tracked([PlaceKnown(table.ns, tray(2), known=False, why=why)])
    assert re.match("Not (known|counted yet): tray 2\\.", told(table)[f"unknown_{why}"])


def test_a_lost_reader_is_one_line_with_the_places_that_it_blinds() -> None:
    table = counted()
    table.core._tracked([PlaceKnown(table.ns, where, known=False, why="lost") for where in (spot(1), tray(1))])
    table.core._heard(ReaderLost("seat1", table.ns, "unplugged"))
    _, (notice,) = notices.of(table.core.seen())
    assert notice.reader == "seat1"
    assert both(notice.text) == {
        "en": "Not known: tray 1, bet spot 1. Reader seat1 (unplugged) is lost.",
        "ru": "Не видно: лоток 1, ставка 1. Пропал ридер seat1 (отключён).",
    }


def test_places_of_a_kind_are_named_together() -> None:
    blind = [BOARD, spot(1), spot(3), *(tray(seat) for seat in (4, 1, 2, 3)), hole(2)]
    assert both(notices.places_listed(blind)) == {
        "en": "trays 1–4, bet spots 1, 3, cards 2, board",
        "ru": "лотки 1–4, ставки 1, 3, карты 2, борд",
    }


def test_readers_lost_and_antennas_silent_are_lines_of_their_own() -> None:
    table = counted()
    table.core._tracked([PlaceKnown(table.ns, where, known=False, why="lost") for where in (tray(1), spot(2))])
    table.core._tracked([PlaceKnown(table.ns, spot(3), known=False, why="silent")])
    _, found = notices.of(table.core.seen())
    assert len(found) == len({(notice.key, notice.reader) for notice in found}) == 3


@pytest.mark.parametrize(
    ("numbers", "said"), [([3], "3"), ([1, 2, 3, 4], "1–4"), ([1, 2, 4, 6, 7], "1–2, 4, 6–7"), ([2, 9], "2, 9")]
)
def test_seats_are_written_as_people_write_them(numbers: list[int], said: str) -> None:
    assert notices.spans(numbers) == said


def test_a_push_that_waits_for_a_place_says_so_and_how_to_go_on() -> None:
    table = dealt()
    table.push(1, 500)
    table.run(700)
    table.core._tracked([PlaceKnown(table.ns, tray(1), known=False, why="silent")])
    table.run(3000)
    assert told(table)["push_waits_for_place"] == (
        "Seat 1 waits (Confirm: as it is shown): the tray of seat 1 is not known."
    )


def test_a_push_that_waits_because_another_may_have_bet_unseen_says_so_and_confirm_ends_it() -> None:
    """Seat 3's reader is lost: he may have bet behind a silent check of seat 2, who would only call then."""
    table = on_the_flop()
    table.lose(3)
    table.push(3, 500)
    table.run(4000)
    table.push(2, 500)
    table.run(6000)
    assert (table.rulings(), table.asked()) == ([], None)
    waits = told(table, named=False)["push_waits_for_other"]
    where = {"spot": "bet spot", "tray": "tray"}[table.core.seen().held_up[0][1].zone]
    assert waits == (
        f"Seat 2 waits (Confirm: as it is shown): the {where} of seat 3 is not known, a bet may lie there."
    )
    table.tell(commands.Confirm())
    assert table.rulings() == [(2, "bet", 500)]
    assert "push_waits_for_other" not in told(table)


def test_a_missing_chip_is_named_to_the_dealer_and_told_by_value_to_the_public() -> None:
    table = dealt()
    table.core._tracked([Unaccounted(table.ns, (("s2-50-0", spot(2)), ("s2-25-1", tray(2))))])
    _, found = notices.of(table.core.seen())
    assert [(n.level, n.text["en"]) for n in found] == [
        ("unknown", "Not seen: s2-50-0 (bet spot of seat 2)."),
        ("info", "Not seen: s2-25-1 (tray of seat 2)."),
    ]
    assert told(table, named=False)["not_seen"] == "Not seen: 1 chip worth 25 (tray of seat 2)."


def test_a_chip_of_a_bet_that_was_swept_is_missing_from_nobodys_bet() -> None:
    table = dealt()
    assert "s2-100-0" not in table.core.state.spots[1]
    table.core._tracked([Unaccounted(table.ns, (("s2-100-0", spot(2)),))])
    assert told(table) == {}


def test_many_names_are_shortened() -> None:
    assert notices.listed(f"c{n}" for n in range(9)) == "c0, c1, c2, c3, c4, c5 + 3"
    assert notices.listed(["b", "a"]) == "a, b"


def test_things_in_two_places_and_foreign_tags_are_told() -> None:
    table = counted()
    table.core._tracked(
        [
            SeenTwice(table.ns, (("As", (spot(1), spot(2))),)),
            ForeignTags(table.ns, spot(3), 2),
        ]
    )
    assert told(table)["seen_twice"] == "Seen in two places at once: As."
    assert told(table, named=False)["seen_twice"] == "1 item seen in two places at once."
    assert told(table)["foreign_tag"].startswith("2 unknown tags at the bet spot of seat 3")
    table.core._tracked([SeenTwice(table.ns, ()), ForeignTags(table.ns, spot(3), 0)])
    assert told(table) == {}


def test_alarms_come_first_and_have_their_sentences() -> None:
    table = dealt()
    table.move(table.chips(tray(1), 100), tray(2))
    table.run(3000)
    table.core._tracked([ForeignTags(table.ns, spot(3), 1)])
    _, found = notices.of(table.core.seen())
    assert [notice.level for notice in found] == ["alarm", "unknown"]
    assert found[0].text["en"] == "100 of seat 1 went to another player during the hand."


@pytest.mark.parametrize(("amount", "said"), [(300, "is still due to seat 2"), (-300, "is still missing from seat 2")])
def test_what_the_last_hand_left_open_is_due_or_missing(amount: int, said: str) -> None:
    seen = counted().core.seen()
    text = said_of(replace(seen, state=evolve(seen.state, Alarmed("payout", 2, amount))))["payout"]
    assert said in text
    assert "-" not in text


def test_differences_after_a_restart_are_told_until_they_are_accepted() -> None:
    before = dealt()
    table = CoreTable(state=before.core.state)
    table.where = dict(before.where)
    moved = table.chips(tray(2), 500)
    table.move(moved, Place(Zone.POT))
    table.until(lambda: table.core.known.counted)
    assert moved[0] in told(table)["differences"]
    assert told(table, named=False)["differences"].startswith("Since the restart 1 item lies")
    table.tell(commands.AcceptDifferences())
    assert "differences" not in told(table)


# ---------------------------------------------------------------- readers
def test_readers_tell_their_state_in_words() -> None:
    table = counted()
    table.take(ReaderLost("seat1", table.ns, "unplugged"))
    table.take(ReaderFault("seat2", table.ns, "2", "antenna 2: no load"))
    table.take(BadFrame("seat3", table.ns, "checksum", b""))
    seen = table.core.seen()
    readers = {**seen.known.readers, "middle": ReaderState()}
    said = {
        view.id: (view.state, view.text["en"])
        for view in notices.readers(replace(seen, known=replace(seen.known, readers=readers)))
    }
    assert said == {
        "middle": ("starting", "starting"),
        "seat1": ("lost", "lost: unplugged"),
        "seat2": ("fault", "fault: an antenna"),
        "seat3": ("up", "up, 1 bad frame"),
    }


def test_an_alarm_of_a_newer_version_is_shown_as_it_is() -> None:
    seen = counted().core.seen()
    newer = replace(seen, state=replace(seen.state, alarms=(AlarmKey("never_heard_of"),)))
    assert said_of(newer) == {"never_heard_of": "never heard of"}
