"""The dealer who knows where everything lies: the table alone is tried, and nobody's patience.

He holds up the next card or the sweep while something is undecided or shown where it no longer is, agrees where the
table asks for agreement and shows what was meant, and else says what was meant.
"""

from controller.commands import Confirm
from simulator import acts
from simulator.acts import Cue
from simulator.rehearsal.engine import answer
from simulator.rehearsal.table import LOOK_MS, MS, Table
from simulator.rehearsal.verdict import Verdict, same
from simulator.script import Script

READ_SCREEN_MS = 1200  # from a question on the screen to the dealer's key
PATIENCE_MS = 30_000  # how long he holds the game up for what is undecided
LAST_LOOK_MS = 8_000  # after the last act
DEALERS_ACTS = (acts.Say, acts.Burn, acts.DealBoard, acts.Sweep, acts.MakeChange, acts.Pay, acts.Key, acts.Gather)


class OracleTable(Table):
    def begin(self, script: Script) -> None:
        super().begin(script)
        self.asked_ns: int | None = None  # since when a question stands on the screen

    def ready(self, cue: Cue) -> bool:
        """While a question stands nobody acts; cards and sweeps wait for all that is undecided."""
        everything = isinstance(cue.act, DEALERS_ACTS)
        until_ns = self.now_ns + PATIENCE_MS * MS
        while self.now_ns < until_ns and (self.question is not None or (everything and self._undecided())):
            self.run_to(self.now_ns + LOOK_MS * MS)
        if everything and self._undecided():
            self._settle()
        return True

    def _undecided(self) -> bool:
        """Somebody acted, and the screen does not say so yet; or it shows something that still settles."""
        hand = self.core.state.hand
        unread = hand is not None and hand.board_count < self.board
        unruled = len(self.witness.rulings) < self.acted
        return unread or unruled or self.unseen() or bool(self.core.open or self.core.waiting)

    def _settle(self) -> None:
        """Patience is at its end: agree to what is shown, if that is what was meant."""
        preview = next(iter(self.core.previews()), None)
        shown = preview.ruling.chosen if preview is not None and preview.ruling is not None else None
        meant = self.witness.expected(preview.seat) if preview is not None else None
        if preview is not None and shown is not None and meant is not None and same(meant, preview.seat, shown):
            self.witness.asked += 1
            self.command(Confirm())

    def look_ns(self) -> int | None:
        return None if self.asked_ns is None else self.asked_ns + READ_SCREEN_MS * MS

    def look(self) -> None:
        question = self.question
        if question is None:
            self.asked_ns = None
        elif self.asked_ns is None:
            self.asked_ns = self.now_ns
        elif self.now_ns >= self.asked_ns + READ_SCREEN_MS * MS:
            self.asked_ns = None
            self.command(answer(question, self.witness.expected(question.seat)))

    def finish(self) -> Verdict:
        self.run_to(self.now_ns + LAST_LOOK_MS * MS)
        return self.witness.verdict()
