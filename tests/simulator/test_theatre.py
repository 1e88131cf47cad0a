"""The theatre lets time pass and moves tags on time; with a clock of its own it needs none of ours."""

from controller.places import Place
from controller.rulings.values import Word
from controller.table.setup import House, Stakes
from simulator import acts
from simulator.acts import Cue, spot, tray
from simulator.field import field_of
from simulator.performance import Performance, Spoken
from simulator.players import Dice
from simulator.tables import config_of, tag_of
from simulator.theatre import Theatre

MS = 1_000_000


class Clock:
    def __init__(self) -> None:
        self.now_ns = 0
        self.slept = 0.0

    def __call__(self) -> int:
        return self.now_ns

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.slept += seconds
        self.now_ns += round(seconds * 1e9)


def test_an_act_takes_its_pause_and_its_time_and_speed_shortens_both() -> None:
    took = []
    for speed in (1.0, 10.0):
        clock, field = Clock(), field_of(config_of(2, Stakes(), House()))
        performance = Performance(field, {"100-001": tag_of("100-001")}, Dice(1), speed)
        performance.lay_out({"100-001": tray(1)})
        said: list[Spoken] = []
        Theatre(performance, speed, clock, clock.sleep).perform(Cue(2000, acts.PushChips(1, ("100-001",))), said.append)
        assert field.where(tag_of("100-001")) == spot(1)
        assert said == []
        took.append(clock.slept)
    assert 2.2 < took[0] < 3.2
    assert abs(took[0] / took[1] - 10) < 0.5


def test_words_are_said_after_the_pause() -> None:
    clock, field = Clock(), field_of(config_of(2, Stakes(), House()))
    theatre = Theatre(Performance(field, {}, Dice(1)), 2.0, clock, clock.sleep)
    said: list[tuple[int, Spoken]] = []
    theatre.perform(Cue(1000, acts.Say(2, Word("check"))), lambda spoken: said.append((clock.now_ns, spoken)))
    ((at_ns, spoken),) = said
    assert at_ns == spoken.at_ns == 500 * MS
    assert not isinstance(spoken.command, Place)
