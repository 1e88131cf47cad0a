"""`betline enroll`: real pseudo-terminals for the reader, and for the person, who runs a process of its own."""

import json
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.places import Place, Zone
from controller.registry.registry import DECK, Item, format_cards, format_chips, load, parse_cards, parse_chips
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.terminals import Terminals
from tests.betline.in_process import betline
from tests.betline.person import Person
from tests.controller.publish.broker import eventually

TRAY, SPOT = Place(Zone.TRAY, 1), Place(Zone.SPOT, 1)
CHIPS = [f"E00401000000{number:04X}" for number in range(40)]
PHONE = "08A1B2C3"
CARDS = [f"04{number:02X}6D412B0289" for number in range(60)]


def enroll(*words: Any, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return betline(["enroll", *words], cwd)


class Bench:
    """A reader with a tray and a bet spot, or a card reader with one antenna."""

    def __init__(self, folder: Path, driver: str = "tablelink", noise: Noise | None = None) -> None:
        places = {("r", 1): TRAY, ("r", 2): SPOT} if driver == "tablelink" else {("r", 1): TRAY}
        self.field = Field(places)
        self.driver = driver
        self.terminals = Terminals(folder)
        self.terminals.start()
        radio = Radio(self.field, noise or Noise(uneven=0))
        self.port = self.terminals.add("reader", catalog.make(driver, "r", radio, speed=10))

    @property
    def words(self) -> list[str]:
        antenna = ["--antenna", "1"] if self.driver == "tablelink" else []
        return ["--port", self.port, "--driver", self.driver, *antenna]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.terminals.close()


@pytest.fixture
def card_bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path, "pn532")
    yield bench
    bench.terminals.close()


def chips_in(path: Path) -> list[Item]:
    return parse_chips(path.read_text(), str(path))


# ---------------------------------------------------------------- chips
def test_a_stack_is_enrolled_by_a_script_and_told_as_json(bench: Bench, tmp_path: Path) -> None:
    bench.field.lay(CHIPS[:20], TRAY)
    bench.field.lay(CHIPS[30:], SPOT)
    file = tmp_path / "chips.csv"
    done = enroll("chips", *bench.words, "--file", file, "--value", 100, "--set", "red", "--count", 20, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert told["added"] == [f"r100-{number:03d}" for number in range(1, 21)]
    assert {item.tag for item in load(file, ()).items.values()} == set(CHIPS[:20])
    assert load(file, ()).values["r100-007"] == 100


def test_misses_and_a_neighbours_strays_change_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path, noise=Noise(miss=0.1, stray=0.01, uneven=0, seed=3))
    bench.field.lay(CHIPS[:20], TRAY)
    bench.field.lay(CHIPS[20:], SPOT)
    file = tmp_path / "chips.csv"
    try:
        done = enroll("chips", *bench.words, "-f", file, "--value", 100, "--set", "red", "--yes")
    finally:
        bench.terminals.close()
    assert (done.returncode, done.stderr) == (0, "")
    assert {item.tag for item in chips_in(file)} == set(CHIPS[:20])
    assert "\x1b" not in done.stdout


def test_known_foreign_and_other_files_tags_are_named_and_never_enrolled_twice(bench: Bench, tmp_path: Path) -> None:
    file, cards = tmp_path / "chips.csv", tmp_path / "red-deck.csv"
    file.write_text(format_chips([Item("r100-001", CHIPS[0], "chip", 100, "red")]))
    cards.write_text(format_cards([Item("As", CHIPS[1], "card", 0, "red")]))
    bench.field.lay([*CHIPS[:6], PHONE], TRAY)
    words = ["chips", *bench.words, "-f", file, "--also", cards, "--value", 100, "--set", "red"]
    done = enroll(*words, "--json")
    told = json.loads(done.stdout)
    assert told["added"] == ["r100-002", "r100-003", "r100-004", "r100-005"]
    assert (told["known"], told["others"], told["foreign"]) == (["r100-001"], ["As"], [PHONE])
    again = enroll(*words, "--yes", "--seconds", 2)
    assert again.returncode == 1
    assert "nothing new: r100-001 is enrolled already" in again.stderr
    assert again.stderr.count("\n") == 1


def test_a_stack_with_a_dead_chip_is_refused_by_its_count(bench: Bench, tmp_path: Path) -> None:
    bench.field.lay(CHIPS[:19], TRAY)
    words = ["chips", *bench.words, "-f", tmp_path / "chips.csv", "--value", 5, "--count", 20, "--seconds", 2, "--yes"]
    done = enroll(*words)
    assert done.returncode == 1
    assert "19 new tags, not 20: a chip may have no tag or a dead one" in done.stderr
    assert not (tmp_path / "chips.csv").exists()


def test_a_script_enrols_several_stacks_as_they_are_changed(bench: Bench, tmp_path: Path) -> None:
    file = tmp_path / "chips.csv"
    bench.field.lay(CHIPS[:10], TRAY)

    def change_stacks() -> None:
        eventually(lambda: file.exists() and len(chips_in(file)) == 10, "the first stack is enrolled")
        bench.field.lift(CHIPS[:10])
        bench.field.lay(CHIPS[10:25], TRAY)

    hands = threading.Thread(target=change_stacks)
    hands.start()
    done = enroll("chips", *bench.words, "-f", file, "--value", 25, "--set", "green", "--stacks", 2, "--json")
    hands.join()
    assert (done.returncode, done.stderr) == (0, "")
    assert [len(json.loads(line)["added"]) for line in done.stdout.splitlines()] == [10, 15]
    assert sorted(load(file, ()).values) == [f"g25-{number:03d}" for number in range(1, 26)]


def test_a_person_enrols_two_stacks_undoes_one_and_goes_on_later(bench: Bench, tmp_path: Path) -> None:
    file = tmp_path / "chips.csv"
    bench.field.lay(CHIPS[:20], TRAY)
    person = Person("enroll", "chips", *bench.words, "--file", file)
    person.sees("Value of one chip: ")
    person.types("a lot")
    person.sees("A whole number above 0")
    person.types("100")
    person.sees("Set (colour): ")
    person.types("red")
    person.sees("Prefix of their names [r100]: ")
    person.types("")
    person.sees("Add 20 chips of 100 as r100-001 to r100-020?")
    person.types("y")
    person.sees("20 chips added, 20 in all")
    assert len(chips_in(file)) == 20
    bench.field.lift(CHIPS[:20])
    bench.field.lay(CHIPS[20:30], TRAY)
    person.sees("Value of one chip [100]: ")
    for answer in ("25", "green", "g25"):
        person.types(answer)
    person.sees("Add 10 chips of 25 as g25-001 to g25-010?")
    person.types("y")
    person.sees("10 chips added, 30 in all")
    bench.field.lift(CHIPS[20:30])
    person.sees("put a stack of one colour on the antenna")
    person.types("u")
    person.sees("taken back: g25-001")
    assert len(chips_in(file)) == 20
    person.types("q")
    person.sees("20 items, 30 of them new")
    assert person.ends() == 0
    bench.field.lay(CHIPS[30:32], TRAY)
    later = Person("enroll", "chips", *bench.words, "--file", file, "--value", 100, "--set", "red", "--prefix", "r100")
    later.sees("goes on with 20 items: 20 x 100 red")
    later.sees("Add 2 chips of 100 as r100-021 to r100-022?")
    later.types("y")
    later.sees("22 in all")
    later.process.send_signal(signal.SIGINT)
    assert later.ends() == 0
    assert enroll("undo", file).stdout.startswith(f"{file}: taken back: r100-021, r100-022; 20 items are left")
    assert enroll("undo", file).stdout.startswith(f"{file}: taken back: r100-001")
    nothing = enroll("undo", file)
    assert (nothing.returncode, chips_in(file)) == (1, [])
    assert "no stack to take back" in nothing.stderr


def test_a_reader_with_several_antennas_asks_which(bench: Bench, tmp_path: Path) -> None:
    words = ["chips", "--port", bench.port, "--driver", "tablelink", "-f", tmp_path / "c.csv", "--value", 5, "--yes"]
    done = enroll(*words)
    assert done.returncode == 1
    assert "this reader has several antennas (1, 2 ...): choose one: --antenna 1" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("chips", "-p", "/dev/null/x", "-d", "m100", "--yes"), "say --value 100"),
        (("chips", "-p", "/dev/nowhere", "-d", "m100", "--value", "5", "--yes"), "no such port"),
        (("chips", "-p", "/dev/nowhere", "-d", "m1000"), "did you mean 'm100'?"),
        (("chips", "-p", "/dev/nowhere", "-d", "m100", "--set", "a,b"), "without commas"),
        (("deck", "-p", "/dev/nowhere", "-d", "m100", "-f", "d.csv", "--order", "As Zz"), "'Zz' is no card"),
        (("check", "nowhere.csv", "-p", "/dev/nowhere", "-d", "m100"), "nowhere.csv: No such file"),
        (("undo", "nowhere.csv"), "nowhere.csv: No such file"),
    ],
)
def test_wrong_words_are_one_line_with_the_cure(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    done = enroll(*words, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("betline: ")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_damaged_registry_stops_it_before_anything_is_written(bench: Bench, tmp_path: Path) -> None:
    file = tmp_path / "chips.csv"
    file.write_text("name,tag,value,kind,set,state\nr1,XYZ,1,chip,red,in\n")
    done = enroll("chips", *bench.words, "-f", file, "--value", 5, "--yes")
    assert done.returncode == 1
    assert "chips.csv, line 2: tag 'XYZ'" in done.stderr
    assert "XYZ" in file.read_text()


# ---------------------------------------------------------------- decks
def test_cards_are_enrolled_one_by_one_as_they_are_laid_down(card_bench: Bench, tmp_path: Path) -> None:
    file = tmp_path / "red-deck.csv"
    person = Person("enroll", "deck", *card_bench.words, "--file", file, "--order", "As Kd 7c", "--spares", 1)
    for number, card in enumerate(("As", "Kd")):
        person.sees(f"lay down {card} ({number + 1} of 4)")
        card_bench.field.lay([CARDS[number]], TRAY)
        person.sees(f"{card} is {CARDS[number]}")
        card_bench.field.lift([CARDS[number]])
    person.types("u")
    person.sees("taken back: Kd")
    card_bench.field.lay([CARDS[5]], TRAY)
    person.sees(f"Kd is {CARDS[5]}")
    person.types("s")
    person.sees("lay down spare-1")
    card_bench.field.lift([CARDS[5]])
    card_bench.field.lay([CARDS[6]], TRAY)
    person.sees("3 cards, 4 of them new")
    assert person.ends() == 0
    cards = {item.name: item.tag for item in parse_cards(file.read_text(), "red")}
    assert cards == {"As": CARDS[0], "Kd": CARDS[5], "spare-1": CARDS[6]}
    assert all(item.set == "red" for item in parse_cards(file.read_text(), "red"))


def test_an_undone_card_that_still_lies_there_is_not_taken_for_the_next(card_bench: Bench, tmp_path: Path) -> None:
    person = Person("enroll", "deck", *card_bench.words, "--file", tmp_path / "deck.csv", "--order", "As Kd")
    person.sees("lay down As")
    card_bench.field.lay(CARDS[:1], TRAY)
    person.sees(f"As is {CARDS[0]}")
    person.types("u")
    person.sees("taken back: As")
    person.sees("lay down As")
    card_bench.field.lay(CARDS[1:2], TRAY)
    person.sees(f"As is {CARDS[1]}")
    person.types("q")
    assert person.ends() == 0


def test_two_new_cards_at_once_are_refused_and_a_script_is_told_why(card_bench: Bench, tmp_path: Path) -> None:
    card_bench.field.lay(CARDS[:2], TRAY)
    done = enroll("deck", *card_bench.words, "-f", tmp_path / "deck.csv", "--yes", "--seconds", 1.5)
    assert done.returncode == 1
    assert f"no new card for 2c, but {CARDS[0]}, {CARDS[1]} at once" in done.stderr
    assert not (tmp_path / "deck.csv").exists()


def test_a_lost_card_gets_another_tag_and_a_script_goes_on_where_it_ended(card_bench: Bench, tmp_path: Path) -> None:
    file = tmp_path / "red-deck.csv"
    file.write_text(format_cards([Item(card, CARDS[n], "card", 0, "red") for n, card in enumerate(DECK[:-1])]))
    card_bench.field.lay(CARDS[51:52], TRAY)
    done = enroll("deck", *card_bench.words, "-f", file, "--json")
    assert json.loads(done.stdout) == {"card": "As", "tag": CARDS[51], "deck": "red", "cards": 52}
    card_bench.field.lift(CARDS[51:52])
    card_bench.field.lay(CARDS[55:56], TRAY)
    done = enroll("deck", *card_bench.words, "-f", file, "--card", "7c", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    cards = {item.name: item for item in parse_cards(file.read_text(), "red")}
    assert cards["7c"].tag == CARDS[55]
    assert cards["spare-7c"].state == "withdrawn"


def test_the_roll_call_names_missing_double_and_foreign_cards(bench: Bench, tmp_path: Path) -> None:
    red, blue = tmp_path / "red-deck.csv", tmp_path / "blue-deck.csv"
    tags = [f"E00402000000{number:04X}" for number in range(52)]
    red.write_text(format_cards(Item(card, tag, "card", 0, "red") for card, tag in zip(DECK, tags, strict=True)))
    blue.write_text(format_cards([Item("As", CHIPS[0], "card", 0, "blue")]))
    bench.field.lay(tags, TRAY)
    whole = enroll("check", red, *bench.words, "--json")
    assert whole.returncode == 0
    assert json.loads(whole.stdout) == {"there": 52, "missing": [], "double": [], "foreign": []}
    bench.field.lift([tags[3], tags[9]])
    bench.field.lay([CHIPS[0], PHONE], TRAY)
    poor = enroll("check", red, *bench.words, "--also", blue, "--seconds", 4)
    assert poor.returncode == 1
    assert poor.stdout.splitlines()[-4:] == [
        f"{red}: 50 of 52 are there",
        f"missing: {', '.join(sorted((DECK[3], DECK[9])))}",
        "double: As of blue",
        f"foreign: {PHONE}",
    ]


# ---------------------------------------------------------------- files
def test_two_files_become_one_and_an_inventory(tmp_path: Path) -> None:
    ann, bob, both = (tmp_path / f"{name}.csv" for name in ("ann", "bob", "both"))
    ann.write_text(format_chips(Item(f"r100-{n:03d}", CHIPS[n], "chip", 100, "red") for n in range(3)))
    bob.write_text(format_chips(Item(f"r100-{n:03d}", CHIPS[n + 9], "chip", 100, "red") for n in range(2)))
    stopped = enroll("merge", ann, bob, "-o", both)
    assert stopped.returncode == 1
    assert "let --renumber do it" in stopped.stderr
    assert not both.exists()
    assert enroll("merge", ann, bob, "--renumber", "-o", both).returncode == 0
    assert sorted(load(both, ()).values) == [f"r100-{n:03d}" for n in range(5)]
    enroll("export", both, "-o", tmp_path / "inventory.md")
    assert "| red | 100 | 5 | 500 |" in (tmp_path / "inventory.md").read_text()
    enroll("export", both, "-o", tmp_path / "chips.json")
    assert len(json.loads((tmp_path / "chips.json").read_text())) == 5
    again = enroll("export", both, "-o", tmp_path / "chips.json")
    assert (again.returncode, "--force" in again.stderr) == (1, True)
    assert enroll("export", both, "-o", tmp_path / "chips.exe").returncode == 1
