"""Antenna by antenna: chips are put there and left, and its rounds and those of its neighbours are counted."""

import time
from collections.abc import Iterator, Sequence

import msgspec

from betline import radios
from betline.doctor.antennas import called
from betline.enroll.desk import Lines, Teller
from betline.radios import told_by
from betline.shares import missed, verdict
from controller.config.config import Config
from controller.core import build
from controller.tracking.rates import Antenna, Measured, Survey
from firmware_bridge.bridge import Bridge
from firmware_bridge.errors import PortError
from firmware_bridge.events import ReaderEvent, ReaderLost, ScanRound
from firmware_bridge.listener import Listener
from firmware_bridge.wire.tablelink_asking import Health

LOOK_S = 0.1
ANSWER_S = 10.0  # boards boot in 3 s
MOST_ASKED = 20  # chips: one stack in the hand
FEWEST = 3  # chips that say something of misses in a stack
BAD = ("weak", "unfit")
MOST_ROUNDS = 4  # times the rounds that were asked for, where they decide nothing
STIR_ROUNDS = 2  # rounds after chips were put down in which a hand may still be over them


class Walk:
    """The readers of a table, open for the whole walk; `results` gathers what was found."""

    def __init__(self, config: Config, tell: Teller, rounds: int, seconds: float) -> None:
        self.config, self.tell, self.rounds, self.seconds = config, tell, rounds, seconds
        self.sections = {(section.reader, section.number): section for section in config.antenna}
        self.results: dict[Antenna, Measured] = {}
        self.best: dict[Antenna, int] = {}  # most chips that were read well there
        self.radios: dict[Antenna, Health] = {}  # the last word of each radio that a board told of
        self._events = Listener()
        self._bridge = Bridge(build.readers(config), self._events.put)

    # ------------------------------------------------------------ all at once
    def as_it_lies(self, wanted: Sequence[Antenna]) -> None:
        """Measure everything that lies there now, on all antennas together."""
        with self._bridge:
            found = self._measure(wanted, "as it lies", ())
        for antenna in self.sections:
            if antenna in wanted:
                self._keep(antenna, found[antenna])

    # ------------------------------------------------------------ one after the other
    def one_by_one(self, wanted: Sequence[Antenna], lines: Lines) -> None:
        """Ask for chips on each antenna in turn, until the person ends it."""
        with self._bridge:
            for number, antenna in enumerate(wanted, 1):
                if not self._at(antenna, f"{number} of {len(wanted)}", lines):
                    return

    def _at(self, antenna: Antenna, where: str, lines: Lines) -> bool:
        """One antenna, with fewer chips again where it reads badly; False: the person has had enough."""
        section = self.sections[antenna]
        chips = max(FEWEST, min(section.tags, MOST_ASKED))
        while True:
            self.tell.pause()
            words = f"put about {chips} chips on it, none on its neighbours, hands off"
            answer = lines.ask(f"{where}: {called(section)}: {words} (Enter: measure, s: skip, q: end)")
            if answer is None or answer[:1].lower() == "q":
                return False
            if answer[:1].lower() == "s":
                return True
            found = self._measure((antenna,), called(section), (antenna,))
            again = self._judge(antenna, found, chips)
            if not again:
                return True
            chips = again

    def _judge(self, antenna: Antenna, found: dict[Antenna, Measured], chips: int) -> int:
        """Keep what was found; how many chips to try again with, 0: it is good."""
        mine = found[antenna]
        self.tell.line(f"  {figures(mine)}")
        if antenna in self.radios:
            self.tell.line(f"  radio: {radios.figures(self.radios[antenna])}")
        if not mine.lying:
            homes = [other for other, its in found.items() if its.lying and other in self.sections]
            there = f": chips lie on {called(self.sections[homes[0]])}, are the two crossed?" if homes else ""
            self.tell.line(f"  nothing was read there{there}")
            return chips
        self._keep(antenna, mine)
        for other, its in found.items():
            if other != antenna and its.loudest == antenna and its.stray_chances:
                self._keep_strays(other, its)
        if verdict(mine) in BAD or mine.incomplete > mine.rounds:
            fewer = len(mine.lying) // 2
            if fewer >= FEWEST:
                self.tell.line(f"  that is too many for it, or it lies badly: the same with {fewer}, or s to skip")
                return fewer
        return 0

    # ------------------------------------------------------------ measuring
    def _measure(self, wanted: Sequence[Antenna], words: str, focus: Sequence[Antenna]) -> dict[Antenna, Measured]:
        """Rounds until each of `wanted` had enough complete ones to be called good or bad, or the time is over."""
        self._bridge.focus(focus)
        self._events.forget(self._look)
        survey, stirred, wish = Survey(self.sections), dict.fromkeys(self.sections, 0), self.rounds
        for event in self._heard():
            if isinstance(event, ScanRound) and (event.reader, event.antenna) in stirred:
                antenna = (event.reader, event.antenna)
                stirred[antenna] += 1
                if stirred[antenna] > STIR_ROUNDS:
                    survey.take(event)
            done = min(survey.rounds(antenna) for antenna in wanted)
            self.tell.progress(f"{words}: counting {wish} rounds", done / wish)
            if done >= wish and (wish >= MOST_ROUNDS * self.rounds or _decided(survey, wanted)):
                break
            wish += self.rounds * (done >= wish)
        self.tell.pause()
        self.radios |= told_by(self._bridge)
        return survey.measured()

    def _heard(self) -> Iterator[ReaderEvent | None]:
        """Events until the time is over. `PortError`: a port cannot be opened, or a reader that is needed is mute."""
        end_s, answered = time.monotonic() + self.seconds, False
        while time.monotonic() < end_s:
            event = self._events.get(LOOK_S)
            self._look(event)
            answered = answered or isinstance(event, ScanRound)
            yield event
        if not answered:
            raise PortError("no reader gave a round: see what is wrong with them: betline doctor")

    def _look(self, event: ReaderEvent | None) -> None:
        """`PortError`: a port cannot be opened."""
        if isinstance(event, ReaderLost) and not self._bridge.ports[event.reader].was_open:
            raise PortError(event.why)

    # ------------------------------------------------------------ keeping
    def _keep(self, antenna: Antenna, found: Measured) -> None:
        """The figures of an antenna; strays that were heard of it before stay, if they were worse."""
        before = self.results.get(antenna)
        self.results[antenna] = found
        if before is not None and before.stray_chances and before.stray >= found.stray:
            self._keep_strays(antenna, before)
        if verdict(found) not in BAD and found.incomplete <= found.rounds:
            self.best[antenna] = max(self.best.get(antenna, 0), len(found.lying))

    def _keep_strays(self, antenna: Antenna, found: Measured) -> None:
        mine = self.results.get(antenna, Measured(antenna))
        if not mine.stray_chances or found.stray >= mine.stray:
            self.results[antenna] = msgspec.structs.replace(
                mine,
                strays=found.strays,
                stray_chances=found.stray_chances,
                loudest=found.loudest,
                strayed=found.strayed,
            )


def _decided(survey: Survey, wanted: Sequence[Antenna]) -> bool:
    found = survey.measured()
    return all(verdict(found[antenna]) != "not enough rounds yet" for antenna in wanted)


def figures(found: Measured) -> str:
    text = f"{len(found.lying)} tags, {found.rounds} rounds, {found.a_second:.1f} a second"
    if found.lying:
        miss = missed(found)
        text += f", {miss.value:.1%} missed (surely {miss.least:.1%} to {miss.most:.1%})"
        text += f", the longest for {found.longest} rounds"
    return text + (f", {found.incomplete} not complete" if found.incomplete else "")
