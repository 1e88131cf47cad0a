"""The benchmarks run, on sizes too small to mean anything, and both sides of each get equal results. Nothing is timed."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from benchmarks import (
    big_table,
    decoders,
    delay,
    families,
    frames,
    hands,
    imports,
    load,
    peers,
    ranking,
    rulings,
    screen,
    starting,
    trips,
    wires,
)
from benchmarks.report import as_json, cells, printed
from benchmarks.rows import TINY, Row, at_most, times
from benchmarks.timing import interleaved, percentile
from controller import spoken
from controller.core.holding import blocked
from controller.places import Place, Zone
from firmware_bridge.drivers.catalog import DRIVERS
from simulator.radio import Noise

ROOT = Path(__file__).parents[1]


def silent(_text: str) -> None:
    """Nobody watches."""


# ---------------------------------------------------------------- rows


def test_a_ratio_says_how_many_times_better_ours_is() -> None:
    assert Row(group="x", what="time", better="less", ours=2, theirs=6).ratio == 3
    assert Row(group="x", what="speed", better="more", ours=6, theirs=2).ratio == 3
    assert Row(group="x", what="alone", ours=6).ratio is None


def test_an_aim_is_met_from_its_figure_on_and_unknown_without_a_figure() -> None:
    assert Row(group="x", what="w", ours=1, theirs=3, aim=times(3)).met is True
    assert Row(group="x", what="w", ours=1, theirs=2.9, aim=times(3)).met is False
    assert Row(group="x", what="w", ours=5, aim=at_most(5)).met is True
    assert Row(group="x", what="w", ours=5.1, aim=at_most(5)).met is False
    assert Row(group="x", what="w", ours=1, aim=times(3)).met is None
    assert Row(group="x", what="w", ours=1).met is None


def test_every_row_is_printed_with_its_figures_its_aim_and_its_note() -> None:
    row = Row(group="x", what="a frame", unit="us", ours=1.5, peer="other", theirs=6, aim=times(3), note="a note")
    assert cells(row) == ("a frame\n  [dim]a note[/dim]", "1.50 us", "other 6.00", "4.00x", ">= 3x", "yes")
    text = "\n".join(printed([row, Row(group="y", what="skipped", note="no peer")]))
    assert all(part in text for part in ("a frame", "a note", "1.50 us", "4.00x", "skipped", "no peer"))
    first = json.loads(next(as_json([row])))
    assert (first["what"], first["ours"], first["ratio"], first["met"]) == ("a frame", 1.5, 4.0, True)


def test_sides_take_turns_and_the_first_turn_does_not_count() -> None:
    calls: list[str] = []
    taken = interleaved({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, 2)
    assert calls == ["a", "b"] * 3
    assert set(taken) == {"a", "b"}
    assert percentile([3, 1, 2], 0.99) == 3


# ---------------------------------------------------------------- both sides, the same result


@pytest.mark.parametrize("state", ["lying still", "all new", "strengths vary"])
@pytest.mark.parametrize(
    ("made", "decoders"),
    [
        (frames.m100_rounds, (frames.m100_tags, frames.rfid_r200_tags)),
        (frames.pn532_rounds, (frames.pn532_tags, frames.pn532_recorded_tags, frames.nfcpy_tags)),
    ],
)
def test_drivers_and_peers_read_the_same_tags(
    made: Callable[..., list[bytes]], decoders: Sequence[frames.Decode], state: frames.State
) -> None:
    rounds = made(30, state)
    found = []
    for decode in decoders:
        try:
            found.append(decode(rounds))
        except peers.MissingPeerError as missing:
            pytest.skip(str(missing))
    assert all(tags == found[0] for tags in found)
    assert [len(tags) for tags in found[0]] == [frames.TAGS if made is frames.m100_rounds else frames.CARDS] * 30
    assert (len(set(found[0])) > 1) is (state == "all new" or (state, made) == ("strengths vary", frames.pn532_rounds))


@pytest.mark.parametrize("still", [True, False])
@pytest.mark.parametrize("name", DRIVERS)
def test_every_driver_and_its_peers_read_what_was_sent(name: str, still: bool) -> None:
    family = wires.FAMILIES[name]
    sent = wires.rounds(family, 20, still=still)
    reads, tags = [data for data, _ in sent], {tag for _, seen in sent for tag in seen}
    assert len(tags) == family.tags * (1 if still else 20)
    assert set(decoders.ours(family, reads)) == tags
    for peer, decode in decoders.PEERS.get(name, ()):
        try:
            assert set(decode(reads)) == tags, peer
        except peers.MissingPeerError as missing:
            pytest.skip(str(missing))


def test_every_driver_is_measured_beside_a_peer_or_the_reason_is_named() -> None:
    assert set(wires.FAMILIES) == set(DRIVERS) == {*decoders.PEERS, *decoders.NO_PEER}
    assert not {*decoders.PEERS} & {*decoders.NO_PEER}


@pytest.mark.parametrize("family", [*wires.FAMILIES.values(), wires.METRATEC_CRC], ids=lambda family: family.driver)
def test_no_driver_loses_a_good_frame_on_a_bad_line_or_makes_up_a_tag(family: wires.Family) -> None:
    """But where plain text has no check: a line that noise has glued to another is none, and no line is certain."""
    plain = family is wires.FAMILIES["metratec"] or family.driver == "uid-lines"
    line = wires.damaged(family, 300)
    found = set(decoders.ours(family, line.reads))
    assert len(line.good) == 300
    assert plain or found - line.bad == line.good
    assert len(found & line.good) > 250


def test_a_peer_that_loses_frames_is_told_to_lose_them() -> None:
    line = families.Line(
        "noise",
        "chafon",
        wires.FAMILIES["chafon"],
        wires.damaged(wires.FAMILIES["chafon"], 40).reads,
        ("deaf", lambda _: []),
    )
    row = line.lost(wires.damaged(wires.FAMILIES["chafon"], 40))
    assert (row.ours, row.theirs, row.met) == (0, 100, True)


def test_tablelink_gives_every_tag_of_every_snapshot() -> None:
    found = frames.tablelink_tags(frames.tablelink_rounds(20, 60, "all new"))
    assert [len(tags) for tags in found] == [60] * 20
    assert len({tag for tags in found for tag in tags}) == 1200


def test_the_engine_and_pokerkit_end_the_same_hands_with_the_same_stacks() -> None:
    found = list(hands.rows(TINY, silent))  # the benchmark itself compares them
    told = [row.what.removeprefix("no-limit hands of random-nt, ") for row in found]
    assert told[-2:] == ["engine alone", "actions only"]
    assert all("us, pokerkit" in row.note for row in found)
    assert all(row.ours and row.theirs for row in found)


def test_a_missing_peer_costs_its_own_figure_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise peers.MissingPeerError("rfid-r200 cannot be loaded: pip install it")

    monkeypatch.setattr(peers, "rfid_r200", missing)
    row = next(frames.rows(TINY, silent))
    assert (row.ours is not None, row.theirs, row.met) == (True, None, None)
    assert "pip install" in row.note


@pytest.mark.parametrize("noise", [Noise(), load.NOISY])
def test_a_big_table_played_again_decides_the_same(noise: Noise) -> None:
    played = big_table.recording(5, noise)
    assert (played.antennas, played.tags >= 997) == (33, True)
    assert played.events
    split = load.Split()
    assert tuple(load.through(played)) == tuple(load.through(played, split)) == played.events
    assert split.drivers > 0
    assert split.tracking > split.engine > 0


# ---------------------------------------------------------------- every group runs


@pytest.mark.parametrize("group", [frames, families, ranking, rulings])
def test_a_group_gives_its_rows(group: object) -> None:
    found = list(group.rows(TINY, silent))  # type: ignore[attr-defined]
    assert found
    assert all(row.ours is not None and (row.ours > 0 or row.unit == "% lost") for row in found)
    assert {row.group for row in found} == {group.GROUP}  # type: ignore[attr-defined]


def test_a_trip_counts_calls_and_changes_of_file() -> None:
    place = Place(Zone.SPOT, 1)

    def there_and_back() -> None:
        blocked({place: "lost"}, 1)
        spoken.parse(["confirm"])
        blocked({}, 1)

    trip, _ = trips.walked(there_and_back)
    assert (trip.files, trip.changes, trip.back) == (2, 3, 1)
    assert trip.calls >= 3


def test_trips_are_the_same_each_time() -> None:
    assert list(trips.rows(TINY, silent)) == list(trips.rows(TINY, silent))


def test_rulings_are_those_of_the_case_file() -> None:
    cases = rulings.ruling_cases()
    assert len(cases) > 300
    assert all(rules.judge(situation, push).why for rules, situation, push in cases)


@pytest.mark.skipif(sys.platform != "linux", reason="pseudo-terminals and /proc as on Linux")
def test_a_table_that_runs_rules_on_every_push() -> None:
    found = delay.measured(2, silent)
    assert len(found.provisional_ms) == len(found.final_ms) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="pseudo-terminals and /proc as on Linux")
def test_a_start_gives_time_memory_and_share() -> None:
    ready, memory, share = starting.rows(TINY, silent)
    assert (ready.unit, memory.unit, share.unit) == ("s", "MiB", "%")
    assert memory.ours is not None
    assert memory.ours > 5


def test_modules_are_loaded_in_processes_of_their_own() -> None:
    found = imports.probe("msgspec")
    assert found.seconds > 0


def test_the_command_names_groups_that_it_does_not_know() -> None:
    command = [sys.executable, "-m", "benchmarks", "speed"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=60)
    assert done.returncode == 1
    assert "no group 'speed'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_command_prints_json_lines() -> None:
    command = [sys.executable, "-m", "benchmarks", "frames", "--tiny", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True, timeout=120)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    others = [name for name in DRIVERS if name not in families.ELSEWHERE]
    beside = [max(1, len(decoders.PEERS.get(name, ()))) for name in others]
    assert len(found) == 3 + 4 + 6 + 2 * sum(beside)  # m100, pn532, tablelink, and all others in two states
    assert {row["group"] for row in found} == {"frames"}


def test_hands_are_taken_from_the_whole_file_and_from_the_repository_where_no_others_are() -> None:
    text = hands.some_hands(hands.RANDOM, 3)
    assert [line for line in text.splitlines() if line.startswith("[")] == ["[1]", "[17]", "[33]"]
    assert hands.some_hands(hands.RANDOM, 10_000).count("variant") == 48


def test_every_state_of_the_screen_is_drawn_in_both_languages() -> None:
    found = screen.frames_ms((800, 480), 1)
    assert {"readme, en", "readme, ru", "help, ru"} <= set(found)
    assert all(taken > 0 for taken in found.values())
