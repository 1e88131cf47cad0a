"""The people of the demo: they play scripts in real time and watch the table as people do.

Players act by the script. The dealer holds the next card and the sweep back until the table has ruled, reads questions
off the screen, and answers them: agreement where the reading shown is what the player meant, else what he meant.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from betline.demo_controller import Antenna, Controller, Report
from betline.replay_engine import answer
from betline.replay_verdict import Verdict, Witness
from controller.commands import Command, Confirm, SeatIn, SetButton, SetStack
from controller.engine import events as e
from controller.places import Place, Zone
from display.feed import Feed
from simulator import acts
from simulator.acts import Cue
from simulator.performance import Spoken
from simulator.script import Script, Setting
from simulator.theatre import Theatre

MS = 1_000_000
DEALERS_ACTS = (acts.Burn, acts.DealBoard, acts.Sweep, acts.MakeChange, acts.Pay, acts.Key, acts.Gather)
SEEN_ROUNDS = 5  # complete rounds of an antenna after which what was moved there is decided: m and one for luck
READ_SCREEN_MS = 1200  # from a question to the dealer's key
TURN_LIGHT_S = 1.0  # so long a player waits for his turn to be shown; then he acts all the same
PATIENCE_S = 30.0  # in table time; then the dealer agrees to what is shown, or goes on
LAST_LOOK_S = 8.0
"""Seconds of table time."""


class People:
    """Players and dealer of one table. `play` takes one script and gives its verdict."""

    def __init__(self, controller: Controller, feed: Feed, antennas: dict[Place, list[Antenna]], speed: float) -> None:
        self._controller = controller
        self._feed = feed
        self._antennas = antennas
        self._speed = speed
        self._seen: dict[Antenna, deque[int]] = {}
        self._touched: list[Antenna] = []
        self._since_ns = 0
        self._settling = False
        self._question: e.Asked | None = None
        self._asked_at = 0.0
        self._witness: Witness | None = None
        self._spots = {
            antenna: place.seat for place, its in antennas.items() if place.zone is Zone.SPOT for antenna in its
        }
        self._rounds: list[int] = []
        self._decided = 0  # rulings that the acts so far should have led to
        self._provisional: tuple[int, str, int] | None = None
        self.changed = 0  # final rulings that differ from what was shown last before them
        self.counted = False
        self.ready = False

    # ------------------------------------------------------------------ playing
    def wait_ready(self, limit_s: float) -> bool:
        return self._until(lambda: self.ready, limit_s)

    def count_in(self, limit_s: float) -> bool:
        return self._until(lambda: self.counted, limit_s)

    def play(self, script: Script, theatre: Theatre) -> Verdict:
        self._witness = Witness(script)
        self._rounds, self._decided = [], 0
        for cue in script.cues:
            self._ready(cue)
            theatre.perform(cue, self._say)
            if cue.decision is not None:
                self._decided = cue.decision + 1
            self._touched = [a for move in cue.act.moves for a in self._antennas.get(move.target, ())]
            self._since_ns = time.monotonic_ns()
        witness = self._witness
        self._until(lambda: witness.stacks is not None, LAST_LOOK_S)
        return replace(witness.verdict(), rounds_to_final=tuple(self._rounds))

    def sleep(self, seconds: float) -> None:
        """Pass real time as people do: looking at the screen."""
        self._until(lambda: False, seconds * self._speed)

    def prepare(self, setting: Setting, *, ledger: bool) -> None:
        """Before the first hand: names, the button and, where no tray tells them, the stacks."""
        for seat, name in setting.names.items():
            if ledger:
                self._send(SetStack(seat, setting.stacks[seat]))
            self._send(SeatIn(seat, name))
        self._send(SetButton(setting.button))

    def _ready(self, cue: Cue) -> None:
        """Nobody acts while a question stands or before the antennas had a look; the dealer waits for rulings too."""
        if isinstance(cue.act, DEALERS_ACTS):
            if not self._until(lambda: self._calm() and self._ruled() and not self._settling, PATIENCE_S):
                self._agree()
        else:
            self._until(self._calm, PATIENCE_S)
            self._until(self._ruled, TURN_LIGHT_S)

    def _calm(self) -> bool:
        return self._shown() and self._question is None

    def _ruled(self) -> bool:
        return self._witness is None or len(self._witness.rulings) >= self._decided

    def _shown(self) -> bool:
        """Whether every antenna that was touched last had enough rounds since."""
        return all(
            sum(began >= self._since_ns for began in self._seen.get(antenna, ())) >= SEEN_ROUNDS
            for antenna in self._touched
        )

    def _agree(self) -> None:
        """Patience is at its end: agree to what is shown, if that is what was meant."""
        snapshot = self._feed.latest().snapshot
        shown = snapshot.provisional if snapshot is not None else None
        if shown is None or self._witness is None:
            return
        meant = self._witness.expected(shown.seat)
        if meant is None:
            return
        kind = shown.action.removeprefix("all_in_")
        if (shown.seat, kind, shown.total_to) == (meant.seat, meant.kind, meant.total):
            self._witness.asked += 1
            self._send(Confirm())

    def _say(self, spoken: Spoken) -> None:
        self._send(spoken.command)

    def _send(self, command: Command) -> None:
        self._feed.send(command)

    # ------------------------------------------------------------------ watching
    def _until(self, condition: Callable[[], bool], limit_s: float) -> bool:
        """Watch until something is so; False where it is not so after `limit_s` of table time."""
        until = time.monotonic() + limit_s / self._speed
        while not condition():
            left = until - time.monotonic()
            if left <= 0:
                return False
            report = self._controller.report(min(left, 0.05))
            self._look()
            if report is not None:
                self._take(report)
            self._answer_when_read()
        return True

    def _take(self, report: Report) -> None:
        self.ready |= report.ready
        self._settling = report.settling if not report.ready else self._settling
        for reader, antenna, began_ns in report.rounds:
            self._seen.setdefault((reader, antenna), deque(maxlen=64)).append(began_ns)
        self._see(report.events)

    def _see(self, events: Iterable[e.Event]) -> None:
        for event in events:
            match event:
                case e.PlacesCounted():
                    self.counted = True
                case e.Ruled():
                    self._note_final(event)
                case e.Asked():
                    self._question, self._asked_at = event, time.monotonic()
                case e.Answered() | e.HandEnded() | e.Misdealt():
                    self._question = None
                case _:
                    pass
        if self._witness is not None:
            self._witness.see(events)

    def _note_final(self, ruled: e.Ruled) -> None:
        """How many rounds of its spot a push took, and whether the screen had shown something else before."""
        shown, self._provisional = self._provisional, None
        reading = ruled.reading
        if shown is not None and shown[0] == ruled.seat and ruled.by == "chips":
            self.changed += shown[1:] != (reading.action, reading.total_to)
        if ruled.chips:
            for antenna, seat in self._spots.items():
                if seat == ruled.seat:
                    self._rounds.append(sum(began >= self._since_ns for began in self._seen.get(antenna, ())))

    def _look(self) -> None:
        """What the screen shows of the open push."""
        snapshot = self._feed.latest().snapshot
        shown = snapshot.provisional if snapshot is not None else None
        if shown is not None:
            self._provisional = (shown.seat, shown.action, shown.total_to)

    def _answer_when_read(self) -> None:
        due = self._asked_at + READ_SCREEN_MS / 1000 / self._speed
        if self._question is None or self._witness is None or time.monotonic() < due:
            return
        self._send(answer(self._question, self._witness.expected(self._question.seat)))
        self._asked_at = time.monotonic() + 1.0  # once more, should it get lost
