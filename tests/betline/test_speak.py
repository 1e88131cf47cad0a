"""`betline speak`: one sentence a ruling, by a speech program that writes down what it is given."""

import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from betline.speak.command import SpeechError, program, say
from betline.speak.sentences import Listener
from controller.publish.feeds import Feeds
from controller.snapshot import Snapshot
from tests.betline.test_screen import TABLE
from tests.controller.publish.broker import eventually
from tests.display import samples

QUIET = replace(samples.CHANGE, ruling=None)
PATIENCE_S = 30


@pytest.fixture
def scribe(tmp_path: Path) -> Path:
    """A speech program that nobody hears."""
    file = tmp_path / "scribe"
    file.write_text(f'#!/bin/sh\nfor last; do :; done\necho "$last" >> {tmp_path}/said.txt\n')
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file


def test_a_ruling_is_one_sentence_with_its_change_and_what_stood_there_before_is_not_said() -> None:
    listener = Listener("en")
    assert listener.news(samples.PREFLOP) == ()
    assert listener.news(samples.CHANGE) == ("Seat 4: Call 600, 400 back",)
    assert listener.news(samples.CHANGE) == ()
    assert listener.news(samples.ADD) == ("Seat 6: raise to 1200, add 200",)


def test_it_speaks_the_language_of_the_table_and_numbers_in_one_piece() -> None:
    listener = Listener("ru")
    listener.news(QUIET)
    assert listener.news(samples.CHANGE) == ("Место 4: Колл 600, 400 сдачи",)
    (said,) = listener.news(samples.SIDE_CHANGE)
    assert "12025" in said


def test_the_same_act_in_the_next_round_is_said_again_and_a_question_once() -> None:
    listener = Listener("en")
    listener.news(QUIET)
    assert listener.news(samples.TWO) == ("Seat 2: check",)
    assert listener.news(replace(samples.TWO, street="turn")) == ("Seat 2: check",)
    asked = replace(samples.TWO, street="turn", question=samples.QUESTION.question)
    assert [sentence.split(":")[0] for sentence in listener.news(asked)] == [
        "1100 in two moves with a second trip to the tray"
    ]
    assert listener.news(asked) == ()


def test_what_still_settles_is_not_said() -> None:
    listener = Listener("en")
    listener.news(samples.PREFLOP)
    assert listener.news(samples.PROVISIONAL) == ()


@pytest.fixture
def feeds(tmp_path: Path) -> Iterator[Feeds]:
    opened = Feeds(tmp_path / "p.sock", tmp_path / "d.sock", lambda *_: None)
    opened.start()
    yield opened
    opened.stop()


def test_rulings_of_a_table_that_runs_are_spoken(tmp_path: Path, scribe: Path, feeds: Feeds) -> None:
    table = TABLE.format(sockets='public = "p.sock"\ndealer = "d.sock"') + f'[speech]\ncommand = "{scribe} -v ru"\n'
    (tmp_path / "table.toml").write_text(table)
    (tmp_path / "chips.csv").write_text("name,tag,value,kind,set,state\n")
    before, after = (
        Snapshot(**{f: getattr(s, f) for f in Snapshot.__struct_fields__}) for s in (QUIET, samples.CHANGE)
    )
    command = [sys.executable, "-c", "from betline.main import main; main()", "speak", "--count", "1"]
    speaker = subprocess.Popen(command, cwd=tmp_path)
    try:
        numbers = iter(range(1, 10_000))

        def heard() -> bool:
            """A table shows itself again and again; the ruling comes once somebody listens."""
            feeds.show(replace(before, n=(n := next(numbers))), replace(QUIET, n=n))
            feeds.show(replace(after, n=(n := next(numbers))), replace(samples.CHANGE, n=n))
            return speaker.poll() is not None

        eventually(heard)
    finally:
        speaker.kill()
        speaker.wait()
    assert (tmp_path / "said.txt").read_text() == "Место 4: Колл 600, 400 сдачи\n"


# ---------------------------------------------------------------- what can go wrong
@pytest.mark.parametrize(
    ("command", "says"),
    [("", "no speech program"), ("no-such-voice -v ru", "no program 'no-such-voice'"), ('"espeak', "quotation marks")],
)
def test_a_program_that_is_not_there_is_one_line_with_its_cure(command: str, says: str) -> None:
    with pytest.raises(SpeechError, match=says):
        program(command)


def test_a_program_that_fails_says_why(tmp_path: Path) -> None:
    voice = tmp_path / "voice"
    voice.write_text("#!/bin/sh\necho no sound card >&2\nexit 3\n")
    voice.chmod(0o755)
    with pytest.raises(SpeechError, match="no sound card"):
        say([str(voice)], "Seat 4: Call 600")
