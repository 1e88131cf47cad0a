"""`betline rule`: JSON lines in, answers out, errors named, constant memory."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from betline.rule.command import LONGEST_LINE, lines
from betline.rule.stream import Judge
from controller.errors import ConfigError
from tests.controller.rulings.cases import CASES, OWN_CASES

ROOT = Path(__file__).parents[2]
RULED = ("action", "total_to", "change_due", "must_add", "reopens", "all_in")
KEYS = {
    "ruling": RULED,
    "options": ("to_call", "can_raise", "min_raise_to", "max_raise_to"),
    "pots": ("pots",),
    "posting": ("blind_posted", "ante_posted", "all_in", "total_to"),
}
CALL: dict[str, Any] = {
    "id": "one",
    "type": "ruling",
    "context": {"current_bet": 300, "player_bet": 0, "player_stack": 5000, "min_bet": 100, "last_full_raise": 300,
                "can_raise": True, "facing": "opening_bet", "players_in_hand": 3},
    "pushed": [[1000]],
}  # fmt: skip


def betline_rule(text: bytes, *options: str) -> tuple[list[dict[str, Any]], int]:
    command = [sys.executable, "-c", "from betline.main import main; main()", "rule", *options]
    done = subprocess.run(command, input=text, capture_output=True, check=False, cwd=ROOT)
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode


def judged(case: object, profile: str = "TDA2024", language: str = "en") -> dict[str, Any]:
    line = case if isinstance(case, bytes) else json.dumps(case).encode()
    return json.loads(Judge(profile, language).judged(line))  # type: ignore[no-any-return]


def changed(**fields: Any) -> dict[str, Any]:
    return {**CALL, **fields}


def in_context(**fields: Any) -> dict[str, Any]:
    return {**CALL, "context": {**CALL["context"], **fields}}


def test_every_case_of_the_file_is_answered_as_it_expects_under_every_profile_it_names() -> None:
    cases = CASES + [case for case in OWN_CASES if "switches" not in case]
    asked = [{**case, "profile": name.lower()} for case in cases for name in case["profiles"]]

    answers, status = betline_rule("\n".join(map(json.dumps, asked)).encode())

    assert status == 1  # the procedure cases
    for case, answer in zip(asked, answers, strict=True):
        assert answer["id"] == case["id"]
        if case["type"] == "procedure":
            assert answer == {"id": case["id"], "error": "procedure cases are judged by the engine"}
            continue
        expected = case["expected"]
        assert {key: answer[key] for key in KEYS[case["type"]]} == {key: expected[key] for key in KEYS[case["type"]]}
        assert answer.get("uncalled_return", {}) == expected.get("uncalled_return", {})
        for alternative, wanted in zip(answer.get("alternatives", ()), expected.get("alternatives", ()), strict=False):
            assert {key: alternative[key] for key in wanted} == wanted


def test_an_answer_carries_rule_reason_and_alternatives_with_the_names_of_the_contract() -> None:
    assert judged(CALL) == {
        "id": "one",
        "action": "call",
        "total_to": 300,
        "change_due": 700,
        "must_add": 0,
        "reopens": False,
        "all_in": False,
        "rule": "TDA 2024 44",
        "reason": "One chip, no word: a call. 700 back.",
        "disputed": False,
        "alternatives": [],
    }


def test_ask_the_floor_is_called_as_in_the_case_file_and_every_way_out_is_whole() -> None:
    answer = judged(changed(context={**CALL["context"], "facing": "raise"}, pushed=[[100]]))

    assert answer["action"] == "invalid_td_discretion"
    assert answer["total_to"] is None
    assert [set(way) for way in answer["alternatives"]] == [{*RULED, "rule"}, {*RULED, "rule", "forfeit"}]
    assert answer["alternatives"][1]["forfeit"] == 100


def test_the_reason_comes_in_russian_too() -> None:
    assert judged(CALL, language="ru")["reason"] == "Одна фишка без слова: колл. 700 сдачи."


def test_all_good_lines_end_with_status_0_and_empty_lines_count_for_nothing() -> None:
    line = json.dumps(CALL).encode()

    answers, status = betline_rule(b"\xef\xbb\xbf" + line + b"\n\n  \r\n" + line)

    assert len(answers) == 2
    assert status == 0


def test_the_profile_of_a_line_wins_over_the_option_in_any_case() -> None:
    two = in_context(current_bet=600, last_full_raise=400)
    two["pushed"] = [[500, 500]]

    answers, status = betline_rule(
        b"\n".join(json.dumps({**two, **more}).encode() for more in ({}, {"profile": "tda2024"})), "--profile", "rrop11"
    )

    assert [answer["action"] for answer in answers] == ["raise", "call"]
    assert status == 0


def test_over_a_straddle_each_house_has_its_own_smallest_raise() -> None:
    straddled = {"id": "s", "type": "options", "blinds": {"sb": 5, "bb": 10, "straddle": 20},
                 "street": "preflop", "context": {"current_bet": 20, "player_bet": 0, "last_full_raise": 10, "min_bet": 10,
                                                  "player_stack": 900, "can_raise": True, "players_in_hand": 6}}  # fmt: skip

    assert judged(straddled, "RROP11")["min_raise_to"] == 40
    assert judged(straddled, "WSOP_LIVE")["min_raise_to"] == 30


def test_a_house_file_of_ones_own_is_taken(tmp_path: Path) -> None:
    house = tmp_path / "my-club.toml"
    house.write_text('title = "My club"\nextends = "TDA2024"\nlast_single_chip = "all_in"\n')
    last = in_context(player_stack=1000)

    answers, _ = betline_rule(json.dumps(last).encode(), "--profile", str(house))

    assert answers[0]["action"] == "all_in_raise"


def test_an_unknown_profile_option_is_one_line_and_status_1() -> None:
    command = [sys.executable, "-c", "from betline.main import main; main()", "rule", "--profile", "TDA2042"]
    done = subprocess.run(command, input=b"", capture_output=True, check=False, cwd=ROOT)

    assert done.returncode == 1
    assert done.stderr.decode().strip() == 'betline: no house profile "TDA2042": did you mean "TDA2024"?'
    with pytest.raises(ConfigError):
        Judge("TDA2042", "en")


def test_explain_prints_the_steps_of_a_case_for_a_person() -> None:
    answers = subprocess.run(
        [sys.executable, "-c", "from betline.main import main; main()", "rule", "--explain"],
        input=json.dumps(CALL).encode(), capture_output=True, check=True, cwd=ROOT,
    ).stdout.decode()  # fmt: skip

    assert answers.splitlines() == [
        "one  (TDA2024: Poker TDA Rules 2024, version 1.0)",
        "  1. The bet is 300; 5000 behind.",
        "  2. Nothing was said: the chips decide.",
        "  3. First motion: 1000",
        "  4. Judged, 1000 in all: 1000",
        "  5. It is one chip.",
        "  6. The smallest bet or raise goes to 600.",
        "  7. Silent chips are a raise from 450 on.",
        "  => Ruling: Call 300, 700 back  [TDA 2024 44]",
        "     One chip, no word: a call. 700 back.",
        "",
    ]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_case_is_explained_with_all_its_numbers(language: str) -> None:
    judge = Judge("TDA2024", language, explain=True)

    for case in CASES:
        lines = judge.judged(json.dumps({**case, "profile": case["profiles"][0]}).encode()).decode()
        assert lines.endswith("\n")
        if case["type"] in {"ruling", "options"}:
            assert lines.startswith(f"{case['id']}  ({case['profiles'][0]}: ")
            assert "?" not in lines.replace("? Ask", "").replace("? Решает", ""), lines
        else:
            assert json.loads(lines)["id"] == case["id"]


BAD = {
    "not json": (b"{nonsense", "not JSON"),
    "cut": (b'{"id": "one", "type": ', "not JSON"),
    "not utf-8": (b'{"id": "\xff\xfe"}', "not JSON"),
    "a list": (b"[1, 2]", "one JSON object"),
    "a number": (b"17", "one JSON object"),
    "nothing known": (b"{}", "current_bet is missing"),
    "nesting": (b"[" * 100_000, "not JSON|nested too deep"),
    "negative amount": (in_context(current_bet=-5), r"context\.current_bet: expected int >= 0"),
    "half a chip": (changed(pushed=[[12.5]]), r"pushed\[0\]\[0\]: expected int, got float"),
    "a chip of nothing": (changed(pushed=[[0]]), r"expected int >= 1"),
    "a word for a number": (in_context(player_stack="many"), r"context\.player_stack: expected int, got str"),
    "absurd amount": (in_context(player_stack=10**30), r"context\.player_stack: expected int"),
    "more than the stack": (changed(pushed=[[5000, 1000]]), "pushed 6000, but only 5000 is behind"),
    "a chip that was not there": (changed(pulled_back=[25]), "pulled_back: no chip of 25"),
    "a bet that nobody made": (in_context(facing="none"), 'facing "none" and current_bet 300 cannot both be'),
    "nobody bet but he faces": (in_context(current_bet=0), 'facing "opening_bet" and current_bet 0 cannot both be'),
    "the bet is below his own": (in_context(player_bet=500), "player_bet 500 is above current_bet 300"),
    "nobody to play with": (in_context(players_in_hand=0), "players_in_hand: expected int >= 1"),
    "unknown word": (changed(declaration={"kind": "rase"}), 'declaration.kind "rase" is unknown: did you mean "raise"'),
    "unknown moment": (changed(declaration={"kind": "call", "form": "later"}), "declaration.form"),
    "a word without its amount": (changed(declaration={"kind": "raise_to"}), "declaration.amount is missing"),
    "two readings of nothing": (changed(declaration={"kind": "ambiguous_number"}), "declaration.amount is missing"),
    "unknown structure": (changed(structure={"type": "NLX"}), 'structure.type "NLX" is unknown: did you mean "NL"'),
    "a spread without ends": (changed(structure={"type": "spread", "min": 1}), "spread limit needs min and max"),
    "unknown type": (changed(type="rulling"), 'type "rulling" is unknown: did you mean "ruling"'),
    "unknown facing": (in_context(facing="bet"), 'context.facing "bet" is unknown'),
    "unknown profile": (changed(profile="TDA2042"), 'profile "TDA2042" is unknown: did you mean "TDA2024"'),
    "a file as profile": (changed(profile="/etc/passwd.toml"), "is unknown"),
    "no chips and no word": (changed(pushed=[]), "nothing to judge"),
    "empty motions": (changed(pushed=[[], []]), "nothing to judge"),
    "a seat without money": (
        {"id": "one", "type": "pots", "contributions": {"a": 5}, "in_hand": ["a", "b"]}, '"b" is not among'),
    "a seat twice in the hand": (
        {"id": "one", "type": "pots", "contributions": {"a": 5}, "in_hand": ["a", "a"]}, "in_hand: each seat"),
    "a pot that nobody can win": (
        {"id": "one", "type": "pots", "contributions": {"a": 5}, "in_hand": []}, "in_hand: each seat"),
    "more swept than he bet": (in_context(prior_in_pot=900), "prior_in_pot 900 is more than his bet of 0"),
    "chips named twice": (b'{"pushed": [[100]], "pushed": [[1000]]}', '"pushed" is there twice'),
    "a name twice below": (b'{"context": {"min_bet": 1, "min_b\\u0065t": 2}}', '"min_bet" is there twice'),
    "posting without blinds": (changed(type="posting"), "blinds are missing"),
    "a street between hands": (changed(street="between"), "street"),
}  # fmt: skip


TURNS_ON = ("current_bet", "player_bet", "last_full_raise", "min_bet", "player_stack", "can_raise", "players_in_hand")


@pytest.mark.parametrize("kind", ["ruling", "options"])
@pytest.mark.parametrize("key", [*TURNS_ON, "facing"])
def test_what_a_ruling_turns_on_is_never_guessed(key: str, kind: str) -> None:
    """A bet that is not given is not a bet of 0: the answer would be a wrong ruling."""
    context = {name: value for name, value in CALL["context"].items() if name != key}
    for without in (context, {**context, key: None}):
        answer = judged({**CALL, "type": kind, "context": without})
        if (key, kind) == ("facing", "options"):
            assert answer["to_call"] == 300  # who put the bet there changes no option
        else:
            assert answer["error"].startswith(f"context.{key} is missing: ")


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        ({"context": {**CALL["context"], "player_bet": 100}}, "context.prior_chips"),
        ({"structure": {"type": "PL"}}, "street"),
        ({"structure": {"type": "PL"}, "street": "flop"}, "context.pot_before_round"),
        ({"structure": {"type": "HP"}, "street": "flop"}, "context.pot_before_round"),
        ({"structure": {"type": "FL", "street_bet": 300}, "street": "flop"}, "structure.raises_made"),
        ({"declaration": {"kind": "pot"}}, "context.pot_before_round"),
        ({"blinds": {"sb": 100, "bb": 200, "straddle": 300}}, "street"),
        ({"type": "pots"}, "contributions"),
        ({"type": "pots", "contributions": {"a": 5}}, "in_hand"),
        ({"type": "posting", "blinds": {"sb": 50}}, "blinds.bb"),
        ({"type": "posting", "blinds": {"bb": 50}, "context": {}}, "context.player_stack"),
    ],
)
def test_what_only_some_cases_turn_on_is_asked_for_there(fields: dict[str, Any], missing: str) -> None:
    assert judged(changed(**fields))["error"].startswith(f"{missing} is missing: ")


@pytest.mark.parametrize("key", sorted({key for case in CASES for key in case["context"]}))
def test_a_case_without_one_key_is_answered_as_before_or_names_that_key(key: str) -> None:
    """Whatever is left out of a case of the file: never another ruling, but for keys of special questions."""
    special = {"bet_when_last_acted", "fl_full_level", "opening_bet_amount", "actual_round_bets", "out_of_turn",
               "event_heads_up", "heads_up_before_cap", "actual_big_blind", "ante_first", "position"}  # fmt: skip
    for case in CASES:
        if key in case["context"] and key not in special and case["type"] != "procedure":
            whole = {**case, "profile": case["profiles"][0]}
            without = {**whole, "context": {name: value for name, value in case["context"].items() if name != key}}
            answer = judged(without)
            if case["context"][key] in (0, []) and key in {"prior_in_pot", "prior_chips"}:
                assert "error" not in answer or case["context"]["player_bet"]
            assert answer == judged(whole) or key in answer["error"], case["id"]


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_gives_a_named_error_and_the_stream_goes_on(name: str) -> None:
    bad, message = BAD[name]
    judge = Judge("TDA2024", "en")

    answer = json.loads(judge.judged(bad if isinstance(bad, bytes) else json.dumps(bad).encode()))
    following = json.loads(judge.judged(json.dumps(CALL).encode()))

    assert set(answer) == {"id", "error"}
    assert answer["id"] == (bad["id"] if isinstance(bad, dict) else None)
    assert any(part in answer["error"] for part in message.replace("\\", "").split("|")), answer["error"]
    assert "\n" not in answer["error"]
    assert judge.failed
    assert following["action"] == "call"


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.data())
def test_no_mangled_case_ever_ends_the_stream(data: st.DataObject) -> None:
    line = bytearray(json.dumps(data.draw(st.sampled_from(CASES))).encode())
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(line) - 1))
        line[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))

    answer = json.loads(Judge("TDA2024", "en").judged(bytes(line)))

    assert "id" in answer
    assert ("error" in answer) != ("action" in answer)


def test_an_id_may_be_a_number_or_missing() -> None:
    assert judged(changed(id=17))["id"] == 17
    assert judged({key: value for key, value in CALL.items() if key != "id"})["id"] is None


def test_fields_that_no_case_has_are_named_and_left_out() -> None:
    answer = judged(in_context(player_stak=1) | {"colour": "red"})

    assert answer["action"] == "call"
    assert answer["ignored"] == ["context.player_stak", "colour"]


def test_a_line_without_end_is_refused_and_not_kept() -> None:
    stream = io.BytesIO(b"{" + b" " * (3 * LONGEST_LINE) + b"}\n" + json.dumps(CALL).encode())
    judge = Judge("TDA2024", "en")

    answers = [json.loads(judge.judged(line)) for line in lines(stream)]

    assert answers[0] == {"id": None, "error": "the line is longer than 1 MiB; one case a line"}
    assert answers[1]["action"] == "call"


def test_an_endless_line_at_the_end_of_input_is_one_error() -> None:
    assert list(lines(io.BytesIO(b"x" * (2 * LONGEST_LINE + 5)))) == [None]


def test_each_answer_is_flushed_before_the_next_line_is_read() -> None:
    command = [sys.executable, "-c", "from betline.main import main; main()", "rule"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(json.dumps(CALL).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["change_due"] == 700
        process.stdin.close()
        assert process.wait(timeout=30) == 0
