"""`betline calibrate`: figures from readers with known noise, on real terminals; and table.toml changed line by line."""

import json
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from betline.calibrate.toml import changed, patch
from betline.init.file import Answers, Reader, table_toml
from controller.config.config import load
from controller.core import build
from controller.errors import ConfigError
from controller.places import Place, Zone
from controller.tracking.rates import Noise as Declared
from controller.tracking.rates import steps_for
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.terminals import Terminals
from tests.betline.in_process import betline
from tests.betline.person import Person

CHIPS = [f"E00401000000{number:04X}" for number in range(60)]
SPOT1, SPOT2, TRAY1 = Place(Zone.SPOT, 1), Place(Zone.SPOT, 2), Place(Zone.TRAY, 1)
FIELD = {("west", 1): SPOT1, ("west", 2): SPOT2, ("west", 3): TRAY1}

TEXT = """\
# my table, do not lose this comment
schema = 1
[table]
seats = 2

[reading]
quiet_ms = 1500   # a push is final no sooner
steps = 4         # m of the sequential test

[[reader]]
id = "west"
driver = "tablelink"
port = "PORT"

[[antenna]]   # under the oak
reader = "west"
number = 1
place = "spot"
seat = 1
tags = 20     # measured by hand

# the second seat
[[antenna]]
reader = "west"
number = 2
place = "spot"
seat = 2
[[antenna]]
reader = "west"
number = 3
place = "tray"
seat = 1
tags = 60

[mqtt]
host = ""
"""


class Bench:
    def __init__(self, folder: Path, noise: Noise) -> None:
        self.folder = folder
        self.field = Field(FIELD)
        self.terminals = Terminals(folder)
        self.terminals.start()
        reader = catalog.make("tablelink", "west", Radio(self.field, noise), radios=3, speed=20)
        self.file = folder / "table.toml"
        self.file.write_text(TEXT.replace("PORT", self.terminals.add("west", reader)))
        self.before = self.file.read_text()

    def calibrate(self, *words: str) -> subprocess.CompletedProcess[str]:
        return betline(["calibrate", *words], self.folder)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path, Noise(miss=0.08, stray=0.02, uneven=0, seed=5))
    yield bench
    bench.terminals.close()


def test_what_is_measured_is_the_noise_of_the_radio_and_the_file_says_so(bench: Bench) -> None:
    bench.field.lay(CHIPS[:10], SPOT1)
    bench.field.lay(CHIPS[10:20], SPOT2)
    bench.field.lay(CHIPS[20:50], TRAY1)
    done = bench.calibrate("--json", "--rounds", "200")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    by_name = {row["antenna"]: row for row in told["antennas"]}
    assert {name: row["tags"] for name, row in by_name.items()} == {
        "spot 1 (west 1)": 10,
        "spot 2 (west 2)": 10,
        "tray 1 (west 3)": 30,
    }
    for row in by_name.values():
        assert row["miss_surely"][0] < row["miss"] < row["miss_surely"][1]
        assert row["stray_surely"][0] <= row["stray"] <= row["stray_surely"][1]
        assert row["miss"] == pytest.approx(0.08, abs=0.025)
        assert row["settings"]["miss"] >= row["miss"]
    assert by_name["spot 1 (west 1)"]["stray"] == pytest.approx(0.02, abs=0.012)
    loaded = load(bench.file)
    assert loaded.reading.steps == told["steps"]
    worst = [steps_for(Declared(a.miss or 0, a.stray or 0, a.burst)) for a in loaded.antenna]
    assert told["steps"] == max(step for step in worst if step)


def test_comments_order_and_spacing_stay_and_a_dry_run_changes_nothing(bench: Bench) -> None:
    bench.field.lay(CHIPS[:10], SPOT1)
    dry = bench.calibrate("--yes", "--dry-run", "--rounds", "40")
    assert (dry.returncode, dry.stderr) == (0, "")
    assert bench.file.read_text() == bench.before
    assert "\n+miss = 0." in dry.stdout
    assert bench.calibrate("--yes", "--rounds", "40").returncode == 0
    after = bench.file.read_text()
    removed = [line for line in patch(bench.before, after, "t").splitlines()[2:] if line.startswith("-")]
    assert all(line.startswith("-steps = 4 ") for line in removed)
    assert "         # m of the sequential test" in after
    assert "[[antenna]]   # under the oak" in after


def test_a_person_walks_from_antenna_to_antenna(tmp_path: Path) -> None:
    """480 readings of 5 % are never by chance the 10 % that would be told as weak."""
    bench = Bench(tmp_path, Noise(miss=0.05, stray=0.02, uneven=0, seed=5))
    try:
        walks(bench)
    finally:
        bench.terminals.close()


def walks(bench: Bench) -> None:
    person = Person("calibrate", "--rounds", "40", cwd=bench.folder)
    person.sees("1 of 3: spot 1 (west 1): put about 20 chips on it")
    bench.field.lay(CHIPS[:12], SPOT1)
    person.types("")
    person.sees("12 tags, ")
    person.sees("2 of 3: spot 2 (west 2)")
    person.types("")
    person.sees("nothing was read there: chips lie on spot 1 (west 1), are the two crossed?")
    person.sees("2 of 3: spot 2 (west 2)")
    bench.field.lay(CHIPS[:12], SPOT2)
    person.types("")
    person.sees("12 tags, ")
    person.sees("3 of 3: tray 1 (west 3)")
    person.types("s")
    person.sees("steps = ")
    person.sees("antennas written")
    assert person.ends() == 0
    first, second, tray = load(bench.file).antenna
    assert first.miss == pytest.approx(0.065, abs=0.045)
    assert second.stray is not None
    assert second.stray == pytest.approx(0.03, abs=0.029)
    assert tray.miss is None
    assert tray.stray is not None


def test_an_antenna_that_reads_too_many_badly_is_tried_with_fewer_and_its_tags_follow(tmp_path: Path) -> None:
    bench = Bench(tmp_path, Noise(miss=0.4, uneven=0, seed=5))
    try:
        person = Person("calibrate", "-a", "spot 1", "--rounds", "40", cwd=bench.folder)
        bench.field.lay(CHIPS[:12], SPOT1)
        person.sees("put about 20 chips on it")
        person.types("")
        person.sees("the same with 6, or s to skip")
        person.types("s")
        person.sees("unfit")
        assert person.ends() == 0
        assert load(bench.file).antenna[0].miss == pytest.approx(0.44, abs=0.1)
        assert load(bench.file).antenna[0].tags == 20
    finally:
        bench.terminals.close()


def test_auto_stays_auto_and_the_table_plays_with_the_number(bench: Bench) -> None:
    bench.file.write_text(bench.before.replace("steps = 4 ", 'steps = "auto" '))
    bench.field.lay(CHIPS[:10], SPOT1)
    done = bench.calibrate("--yes", "--rounds", "40", "-a", "spot 1")
    assert 'by steps = "auto"' in done.stdout
    loaded = load(bench.file)
    assert loaded.reading.steps == "auto"
    assert f"steps = {build.layout(loaded).steps}:" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("-a", "spot 9", "--yes"), "there are spot 1, spot 2, tray 1"),
        (("-c", "nowhere.toml", "--yes"), "nowhere.toml: No such file"),
    ],
)
def test_wrong_words_are_one_line(bench: Bench, words: tuple[str, ...], told: str) -> None:
    done = bench.calibrate(*words)
    assert done.returncode == 1
    assert done.stderr.startswith("betline: ")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_empty_table_and_a_missing_port_write_nothing(bench: Bench) -> None:
    empty = bench.calibrate("--yes", "--rounds", "20", "--seconds", "5")
    assert empty.returncode == 1
    assert "nothing was measured: put chips on the antennas" in empty.stderr
    bench.terminals.unplug("west")
    gone = bench.calibrate("--yes", "--seconds", "5")
    assert gone.returncode == 1
    assert "no such port" in gone.stderr
    assert bench.file.read_text() == bench.before


# ---------------------------------------------------------------- the file
def test_a_value_in_place_keeps_its_comment_in_its_column() -> None:
    after = changed(TEXT, {("west", 1): {"tags": 8}}, {"steps": 12})
    assert "tags = 8      # measured by hand" in after
    assert "steps = 12        # m of the sequential test" in after
    assert len(after.splitlines()) == len(TEXT.splitlines())


def test_a_new_key_stands_behind_the_last_of_its_own_section() -> None:
    after = changed(TEXT, {("west", 2): {"miss": 0.05}}, {})
    assert 'place = "spot"\nseat = 2\nmiss = 0.05\n[[antenna]]' in after


def test_a_missing_reading_section_is_added_at_the_end() -> None:
    text = '[table]\nseats = 2\n[[antenna]]\nreader = "w"\nnumber = 1\n'
    assert changed(text, {}, {"steps": 5}) == text + "\n[reading]\nsteps = 5\n"


@pytest.mark.parametrize(
    "text",
    [
        'antenna = [{reader = "w", number = 1, place = "spot"}]\n',
        'reading = {steps = 4}\n[[antenna]]\nreader = "w"\nnumber = 1\n',
    ],
)
def test_what_cannot_be_changed_safely_is_told_to_be_written_by_hand(text: str) -> None:
    with pytest.raises(ConfigError, match=r"write by hand: .*steps = 5.*miss = 0\.1"):
        changed(text, {("w", 1): {"miss": 0.1}}, {"steps": 5})


def test_what_looks_like_a_section_inside_a_text_is_left_alone() -> None:
    text = 'note = """\n[[antenna]]\nreader = "w"\nnumber = 1\n"""\n[reading]\nsteps = 4\n'
    assert changed(text, {("w", 1): {"miss": 0.1}}, {"steps": 5}) == text.replace("steps = 4", "steps = 5")


SHARES = st.floats(0.001, 0.5).map(lambda share: round(share, 3))


@settings(max_examples=40, derandomize=True, deadline=None)
@given(
    st.integers(2, 10),
    st.dictionaries(
        st.integers(1, 20), st.fixed_dictionaries({"tags": st.integers(1, 99), "miss": SHARES}), max_size=6
    ),
    st.integers(2, 20),
)
def test_a_file_of_init_says_the_same_and_the_new_values(
    seats: int, found: dict[int, dict[str, float]], steps: int
) -> None:
    places = tuple(Place(zone, seat) for zone in (Zone.SPOT, Zone.TRAY) for seat in range(1, seats + 1))
    text = table_toml(Answers(seats=seats, readers=(Reader("west", "tablelink", "/dev/x", places),)))
    wanted = {("west", number): keys for number, keys in found.items() if number <= len(places)}
    before, after = tomllib.loads(text), changed(text, wanted, {"steps": steps})
    now = tomllib.loads(after)
    assert now["reading"].pop("steps") == steps
    before["reading"].pop("steps")
    for section in before["antenna"]:
        section.update(wanted.get(("west", section["number"]), {}))
    assert now == before
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        line for line in after.splitlines() if line.startswith("#")
    ]
