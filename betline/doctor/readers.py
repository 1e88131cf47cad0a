"""Readers at their ports: who answers, who does not, and who answers instead."""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from betline.counts import counted
from betline.doctor.machine import Finding
from betline.doctor.table import split
from betline.radios import figures, told_by, troubles
from controller.tracking.rates import Survey
from firmware_bridge.bridge import Antenna, Bridge, ReaderSetup
from firmware_bridge.drivers import catalog
from firmware_bridge.drivers.base import Driver
from firmware_bridge.events import (
    BadFrame,
    Out,
    PortSettings,
    ReaderEvent,
    ReaderFault,
    ReaderLost,
    ReaderUp,
    ScanRound,
    Value,
    Wanted,
)
from firmware_bridge.listener import Listener
from firmware_bridge.port import Port, Tap
from firmware_bridge.wire.tablelink_asking import Health

BAUDS = (115200, 9600, 38400, 57600, 19200, 230400)  # what readers leave the factory with, and boards are set to
QUESTION_S = 0.6  # the slowest answer to a first question is 0.3 s, at 9600 baud
MOST_SENT = 4  # writes of one question: waking up, and asking once again
ENOUGH_ROUNDS = 20  # of each antenna
DAMAGED = 0.02  # share of frames above which a cable is bad
LOOK_S = 0.1


class Heard:
    """What one reader said while it was listened to."""

    def __init__(self, setup: ReaderSetup) -> None:
        self.setup = setup
        self.identity = self.lost = self.fault = ""
        self.rounds = self.bad_frames = self.bytes = 0

    def take(self, event: ReaderEvent) -> None:
        match event:
            case ScanRound():
                self.rounds += 1
            case ReaderUp():
                self.identity, self.lost = event.identity or "up", ""
            case ReaderLost():
                self.lost = event.why
            case ReaderFault():
                self.fault = f"{event.code}: {event.meaning}"
            case BadFrame():
                self.bad_frames += 1

    @property
    def answered(self) -> bool:
        return bool(self.identity or self.rounds)


class Listening:
    """All readers of a table for some seconds: `heard` by reader, and the survey of their antennas."""

    def __init__(self, setups: Sequence[ReaderSetup]) -> None:
        self.heard = {setup.id: Heard(setup) for setup in setups}
        antennas = [(setup.id, number) for setup in setups for number in setup.antennas]
        self.survey = Survey(antennas)
        self._antennas = antennas
        self._events = Listener()
        self._bridge = Bridge(setups, self._events.put, self._tap)
        self.radios: dict[Antenna, Health] = {}  # what boards told of them

    def _tap(self, reader: str) -> Tap:
        heard = self.heard[reader]

        def count(_at_ns: int, direction: str, data: bytes) -> None:
            heard.bytes += len(data) if direction == "rx" else 0

        return count

    def run(self, seconds: float) -> None:
        """Until every antenna had enough rounds, or the time is over."""
        end_s = time.monotonic() + seconds
        with self._bridge:
            while (left_s := end_s - time.monotonic()) > 0 and not self._enough():
                event = self._events.get(min(LOOK_S, left_s))
                if event is not None:
                    self._take(event)
            self.radios = told_by(self._bridge)

    def _take(self, event: ReaderEvent) -> None:
        self.heard[event.reader].take(event)
        if isinstance(event, ScanRound):
            self.survey.take(event)

    def _enough(self) -> bool:
        return bool(self._antennas) and all(self.survey.rounds(each) >= ENOUGH_ROUNDS for each in self._antennas)


def findings(listening: Listening) -> Iterator[Finding]:
    """A line for each reader; one that does not answer is asked in the words of other drivers and at other speeds."""
    mute = []
    for heard in listening.heard.values():
        if heard.answered:
            yield _answered(heard)
        elif _cannot_open(heard):
            yield split(f"reader {heard.setup.id}", "fail", heard.lost)
        elif not heard.bytes and not catalog.ends_rounds(heard.setup.driver):
            text = f"{heard.setup.driver} on {heard.setup.port}: such a reader says nothing while no tag lies there"
            yield Finding(f"reader {heard.setup.id}", "warn", text, "lay a tag on it and call betline doctor again")
        else:
            mute.append(heard)
    with ThreadPoolExecutor(max_workers=len(mute) or 1) as pool:
        others = dict(zip([heard.setup.id for heard in mute], pool.map(identify, [h.setup for h in mute]), strict=True))
    for heard in mute:
        yield _mute(heard, others)


def radios(told: Mapping[Antenna, Health]) -> Iterator[Finding]:
    """A line for each radio that a board told of, and one for whatever is wrong with it."""
    for (reader, number), health in told.items():
        name, wrong = f"radio of antenna {number} of {reader}", list(troubles(health))
        for text, cure in wrong:
            yield Finding(name, "warn", text, cure)
        if not wrong:
            yield Finding(name, "ok", figures(health))


def _cannot_open(heard: Heard) -> bool:
    """Whether the port itself is the trouble: the reason then begins with its name."""
    return heard.lost.startswith(f"{heard.setup.port}: ") and not heard.bytes


def _answered(heard: Heard) -> Finding:
    name, setup = f"reader {heard.setup.id}", heard.setup
    text = f"{setup.driver} on {setup.port}: {heard.identity or 'reads'}, {counted(heard.rounds, 'round')}"
    if heard.lost:
        return Finding(name, "fail", f"{text}, then lost: {heard.lost}", "check its cable, its power and its USB hub")
    if heard.fault:
        return Finding(name, "warn", f"{text}; it says {heard.fault}", "see the reader's page in docs/readers")
    if heard.bad_frames > DAMAGED * max(10, heard.rounds):
        cure = "a shorter cable, a common ground, another USB port; or another baud in options"
        return Finding(name, "warn", f"{text}, {counted(heard.bad_frames, 'damaged frame')}", cure)
    if not heard.rounds:
        return Finding(name, "fail", f"{text}: it answers and scans nothing", "check its antennas and options")
    return Finding(name, "ok", text)


def _mute(heard: Heard, others: dict[str, "Answer | None"]) -> Finding:
    setup, answer = heard.setup, others[heard.setup.id]
    name, where = f"reader {setup.id}", f"{setup.port}: no {setup.driver} answers"
    if answer is None:
        said = "bytes come that no driver understands" if heard.bytes else "nothing comes"
        cure = "check power, ground, and that TX goes to RX; then driver and baud"
        return Finding(name, "fail", f"{where}: {said}", cure)
    if answer.driver == setup.driver:
        cure = f"options = {{ baud = {answer.baud} }} in its [[reader]]"
        return Finding(name, "fail", f"{where} as configured, but one does at {answer.baud} baud", cure)
    swapped = next(
        (id_ for id_, other in others.items() if id_ != setup.id and other and other.driver == setup.driver), None
    )
    text = f"{where}, but a {answer.driver} does at {answer.baud} baud"
    if swapped:
        return Finding(name, "fail", text, f"the ports of {setup.id!r} and {swapped!r} are crossed: change them over")
    cure = f'driver = "{answer.driver}" in its [[reader]], or another port'
    return Finding(name, "fail", text, cure)


# ---------------------------------------------------------------- who is it then?
class Answer(Value, frozen=True):
    """A family that is understood at a port, and its speed."""

    driver: str
    baud: int


class Question:
    """A driver that may ask who is there and nothing more: what it would send after the first answer is kept back.

    So a reader of another family gets one question that it does not understand, and no setting is changed.
    """

    def __init__(self, inner: Driver, baud: int) -> None:
        self.settings = PortSettings(baud, inner.settings.parity, inner.settings.dtr, inner.settings.rts)
        self.understood = threading.Event()
        self._inner = inner
        self._asked: list[bytes] = []
        self._heard = False
        self._good = self._bad = 0

    def start(self, at_ns: int) -> Out:
        return self._asking(self._inner.start(at_ns))

    def receive(self, data: bytes, at_ns: int) -> Out:
        self._heard = True
        return self._listened(self._inner.receive(data, at_ns))

    def tick(self, at_ns: int) -> Out:
        out = self._inner.tick(at_ns)
        return self._listened(out) if self._heard else self._asking(out)

    def wake_at_ns(self) -> int | None:
        return self._inner.wake_at_ns()

    def focus(self, antennas: tuple[int, ...]) -> None:
        pass

    def ask(self, wanted: Wanted) -> None:
        pass

    def flush(self, at_ns: int) -> Out:
        del at_ns
        return Out()

    def _asking(self, out: Out) -> Out:
        asked = out.send[: MOST_SENT - len(self._asked)]
        self._asked += asked
        return Out((), asked)

    def _listened(self, out: Out) -> Out:
        """An answer is understood when the driver tells something of it, or would ask its next question."""
        self._bad += sum(isinstance(event, BadFrame) for event in out.events)
        self._good += sum(isinstance(event, ReaderUp | ScanRound) for event in out.events)
        self._good += sum(question not in self._asked for question in out.send)
        if self._good > self._bad:
            self.understood.set()
        return Out()


def identify(setup: ReaderSetup) -> Answer | None:
    """Which driver is answered at this port, and at which speed: its own at other speeds first, then all others."""
    return next((Answer(name, q.settings.baud) for name, q in _questions(setup) if _ask(setup, q)), None)


def _questions(setup: ReaderSetup) -> Iterator[tuple[str, Question]]:
    own = catalog.make(setup.driver, setup.id, setup.antennas, setup.options)
    for baud in (own.settings.baud, *_others(own.settings.baud)):
        yield setup.driver, Question(catalog.make(setup.driver, setup.id, setup.antennas, setup.options), baud)
    # Readers that only ever talk, in lines of text, are the last: their drivers put up with most bytes.
    names = sorted(catalog.DRIVERS, key=lambda name: (not catalog.ends_rounds(name), name))
    for name in names:
        if name != setup.driver:
            driver = catalog.make(name, setup.id)
            yield name, Question(driver, driver.settings.baud)


def _others(baud: int) -> Iterable[int]:
    return (each for each in BAUDS if each != baud)


def _ask(setup: ReaderSetup, question: Question) -> bool:
    line = Port(setup.id, setup.port, question, lambda _event: None)
    line.start()
    try:
        return question.understood.wait(QUESTION_S)
    finally:
        line.close()
