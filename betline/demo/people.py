"""The people of the demo: they play scripts in real time and watch the table as people do.

Players act by the script, when the antennas have shown what was moved before; if the turn light is late, they do not
wait for it. The dealer holds the next card and the sweep back until the table has ruled, reads questions off the
screen, and answers them: agreement where the reading shown is what the player meant, else what he meant.

Nobody here counts on the machine's speed: people wait for what is so, and only patience has a limit.
"""

import time
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from betline.demo.controller import Controller, Report
from betline.demo.late_word import LateWord
from controller.commands import Command, Confirm, SeatIn, SetButton, SetStack
from controller.places import Place, Zone
from controller.snapshot import RulingView
from controller.table import events as e
from controller.texts.sentences import phrase
from display.feed import Feed
from simulator import acts
from simulator.acts import Cue
from simulator.books import Decision
from simulator.performance import Spoken
from simulator.rehearsal.engine import answer
from simulator.rehearsal.verdict import Verdict, Witness, same
from simulator.script import Script, Setting
from simulator.theatre import Theatre

DEALERS_ACTS = (acts.Burn, acts.DealBoard, acts.Sweep, acts.MakeChange, acts.Pay, acts.Key, acts.Gather)
LEFT = frozenset({Zone.SPOT, Zone.HOLE, Zone.BOARD})  # what went from there is missed before it can come again
READ_SCREEN_S = 1.2  # from a question to the dealer's key, of table time
NAMED_CHIP_S = 6.0  # so long a dealer leaves a push that waits for a named chip or place; of table time
TURN_LIGHT_S = 1.0  # so long a player waits for his turn to be shown, of table time; then he acts all the same
AGAIN_S = 2.0  # real: a key that did not help is pressed again
PATIENCE_S = 30.0  # real, on any machine: then the evening goes on, and the hand is not as played


class People:
    """Players and dealer of one table with these watched places. `play` takes one script and gives its verdict."""

    def __init__(
        self,
        controller: Controller,
        feed: Feed,
        watched: Iterable[Place],
        speed: float,
        tell: Callable[[e.Event | acts.DealHole | LateWord], None] = lambda _: None,
    ) -> None:
        self._controller = controller
        self._tell = tell  # whoever listens hears every event, and when dealing begins
        self._feed = feed
        self._watched = frozenset(watched)
        self._speed = speed
        self._lies: dict[str, Place] = {}
        self._moved: dict[str, Place] = {}  # and not yet shown by an antenna
        self._settling = False
        self._question: e.Asked | None = None
        self._press_at = 0.0  # when the dealer presses a key for what is on the screen
        self._stuck: RulingView | None = None
        self._confirms = 0  # keys that agreed, and that no event has answered yet
        self._witness: Witness | None = None
        self._rounds: list[int] = []
        self._decided = 0  # rulings that the acts so far should have led to
        self._provisional: tuple[int, str, int] | None = None
        self.changed = 0  # final rulings that differ from what was shown last before them
        self._late = LateWord(feed, READ_SCREEN_S / speed)
        self.late_told = False
        self.counted = False
        self.ready = False

    # ------------------------------------------------------------------ playing
    def wait_ready(self) -> bool:
        return self._until(lambda: self.ready)

    def count_in(self) -> bool:
        return self._until(lambda: self.counted)

    def prepare(self, setting: Setting, *, ledger: bool) -> None:
        """Before the first hand: names, the button and, where no tray tells them, the stacks."""
        for seat, name in setting.names.items():
            if ledger:
                self._send(SetStack(seat, setting.stacks[seat]))
            self._send(SeatIn(seat, name))
        self._send(SetButton(setting.button))

    def play(self, script: Script, theatre: Theatre) -> Verdict:
        witness = self._witness = Witness(script)
        self._rounds, self._decided, self._confirms = [], 0, 0
        dealt = False
        for cue in script.cues:
            self._ready(cue)
            if isinstance(cue.act, acts.DealHole) and not dealt:
                dealt = True
                self._tell(cue.act)
            theatre.perform(cue, self._say)
            if cue.decision is not None:
                self._decided = cue.decision + 1
            self._moved |= {move.item: move.target for move in cue.act.moves}
        self._until(lambda: witness.stacks is not None)
        return replace(witness.verdict(), rounds_to_final=tuple(self._rounds))

    def sleep(self, seconds: float) -> None:
        """Pass real time as people do: looking at the screen."""
        self._until(lambda: False, seconds)

    def _ready(self, cue: Cue) -> None:
        """Nobody acts while a question stands or before the antennas had a look; the dealer waits for rulings too."""
        if cue.at_once:
            return
        if isinstance(cue.act, DEALERS_ACTS):
            self._until(lambda: self._calm() and self._ruled() and not self._settling)
        else:
            self._until(self._calm)
            self._until(self._ruled, TURN_LIGHT_S / self._speed)

    def _calm(self) -> bool:
        return self._question is None and not self._late.waits and self._shown()

    def _ruled(self) -> bool:
        return self._witness is None or len(self._witness.rulings) >= self._decided

    def _shown(self) -> bool:
        """Whether antennas have shown everything that was moved, or at least that it left."""
        for item, place in list(self._moved.items()):
            lies = self._lies.get(item)
            if lies == place or (place not in self._watched and (lies is None or lies.zone not in LEFT)):
                del self._moved[item]
        return not self._moved

    def _say(self, spoken: Spoken) -> None:
        self._send(spoken.command)

    def _send(self, command: Command) -> None:
        self._until(lambda: self._feed.send(command))

    # ------------------------------------------------------------------ watching
    def _until(self, condition: Callable[[], bool], most_s: float = PATIENCE_S) -> bool:
        """Watch until something is so; False where it is not so after `most_s` of real time."""
        until = time.monotonic() + most_s
        while not condition():
            left = until - time.monotonic()
            if left <= 0:
                return False
            report = self._controller.report(min(left, 0.05))
            self._look()
            if report is not None:
                self._take(report)
            self._press_when_read()
        return True

    def _take(self, report: Report) -> None:
        self.ready |= report.ready
        if not report.ready:
            self._settling = report.settling
        self._lies.update(report.lies)
        self._rounds += report.finals
        self._see(report.events)

    def _see(self, events: Iterable[e.Event]) -> None:
        for event in events:
            self._tell(event)
            match event:
                case e.PlacesCounted():
                    self.counted = True
                case e.Ruled():
                    self._note_final(event)
                    self._late.ruled(event, time.monotonic())
                case e.Asked():
                    self._question = event
                    self._press_at = time.monotonic() + READ_SCREEN_S / self._speed
                case e.Answered() | e.HandEnded() | e.Misdealt():
                    self._question = None
                case _:
                    pass
        if self._witness is not None:
            self._witness.see([event for event in events if not self._came_too_late(event)])

    def _came_too_late(self, event: e.Event) -> bool:
        """Whether it refuses the dealer's agreement to what the next player's act, or time, had settled in that moment.

        The table decided as it would have with the key: nothing is wrong, and nobody has to look.
        """
        if isinstance(event, e.Answered) and event.by == "dealer":
            self._confirms = 0
        if not isinstance(event, e.Refused) or event.why != "nothing_to_confirm" or not self._confirms:
            return False
        self._confirms -= 1
        return True

    def _note_final(self, ruled: e.Ruled) -> None:
        """Note whether the screen had shown something else before."""
        shown, self._provisional = self._provisional, None
        reading = ruled.reading
        if self._question is not None and self._question.seat == ruled.seat:
            self._question = None
        if shown is not None and shown[0] == ruled.seat and ruled.by == "chips":
            self.changed += shown[1:] != (reading.action, reading.total_to)

    # ------------------------------------------------------------------ the dealer at the screen
    def _look(self) -> None:
        """What the screen shows of the open push."""
        snapshot = self._feed.latest().snapshot
        if snapshot is not None and self._witness is not None:
            self._late.look(snapshot, time.monotonic())
            if self._late.asked is not None and not self.late_told:
                self.late_told = True
                self._tell(self._late)
        shown = snapshot.provisional if snapshot is not None else None
        if shown is not None:
            self._provisional = (shown.seat, shown.action, shown.total_to)
        stuck = shown if shown is not None and shown.waits_for != phrase("waits_settling") else None
        if stuck is not None and stuck != self._stuck and self._question is None:
            self._press_at = time.monotonic() + NAMED_CHIP_S / self._speed
        self._stuck = stuck

    def _press_when_read(self) -> None:
        """Answers the question, or confirms a push that waits for a named chip, if it is read as it was meant."""
        if self._witness is None or time.monotonic() < self._press_at:
            return
        question, stuck = self._question, self._stuck
        if question is not None:
            if not self._on_screen(question):
                return  # answered meanwhile, and the report of it is on its way; or not shown yet
            command: Command = answer(question, self._witness.expected(question.seat))
        elif stuck is not None and _is_meant(stuck, self._witness.expected(stuck.seat)):
            command = Confirm()
        else:
            return
        self._press_at = time.monotonic() + AGAIN_S
        self._confirms += isinstance(command, Confirm)
        self._feed.send(command)

    def _on_screen(self, question: e.Asked) -> bool:
        snapshot = self._feed.latest().snapshot
        shown = snapshot.question if snapshot is not None else None
        return shown is not None and shown.id == question.id


def _is_meant(shown: RulingView, meant: Decision | None) -> bool:
    return meant is not None and same(meant, shown.seat, shown)
