"""A dealer as people are: he knows what was done, sees what the screen shows, and the game does not wait for long.

At his own acts (deal, sweep, board, change, payout) he gives the table three seconds to catch up, and then goes on.
Players do not wait for it at all, but for an open question. What is asked he answers by what people did; what the
screen shows rightly and does not end he agrees to after five seconds; what it shows wrongly, or not at all, he says in
words after as long, and says again. A wrong ruling he puts right, so that the next one can be judged. Where nothing of
that helps for a minute, the hand is stuck.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, assert_never

from msgspec.structs import replace

from controller import commands as c
from controller.rulings.values import Word
from controller.table.events import Asked, Event, Refused
from controller.table.phases import BEFORE_ACTION, NO_HAND, PAYING, SHOWDOWN, STREET_CARDS
from simulator import acts
from simulator.acts import Cue
from simulator.books import Decision
from simulator.rehearsal.table import LOOK_MS, MS, Table
from simulator.rehearsal.verdict import Mismatch, Verdict, same
from simulator.script import Script

OWN_ACTS = (acts.DealHole, acts.Burn, acts.DealBoard, acts.Sweep, acts.MakeChange, acts.Pay, acts.Key, acts.Gather)
WAIT_MS = 3_000  # that he gives the table at an act of his own
STUCK_MS = 60_000  # with the same trouble
AGAIN_MS = 3_000  # from one try to mend it to the next
Kind = Literal["question", "wrong", "unruled", "board", "end"]
# From when on he sees it until he does something. Cards he leaves lying for longer: they are read, late as it may be.
DELAY_MS: dict[Kind, int] = {"question": 1_200, "wrong": 5_000, "unruled": 5_000, "board": 10_000, "end": 5_000}


class Trouble(NamedTuple):
    """Where the table is not where the people are, the first such place."""

    kind: Kind
    number: int  # of the question, the ruling's event, the decision, cards


class HumanTable(Table):
    def begin(self, script: Script) -> None:
        super().begin(script)
        self._last_cues = {cue.decision: at for at, cue in enumerate(script.cues) if cue.decision is not None}
        self._cues_done = 0
        self._begun = self._expressed = 0  # decisions that players have begun, and have made
        self._over = False  # the last act is done
        self._trouble: Trouble | None = None
        self._went_on_ns = self._due_ns = self._look_ns = self.now_ns
        self._reached: tuple[int, int, int] = (0, 0, 0)
        self._tries = 0
        self._undone: dict[int, int] = {}  # after so many right rulings: how often the next was undone
        self._waited: set[object] = set()  # for what he has waited once
        self._stuck = ""
        self._corrections = self._agreed = 0

    # ------------------------------------------------------------------ at the table
    def count_in(self) -> None:
        """What the antennas have not counted by then he says."""
        super().count_in()
        if not self.core.state.counted_in:
            self.command(c.Confirm())
        self.say_stacks()

    def ready(self, cue: Cue) -> bool:
        while self.question is not None and not self._stuck and not cue.at_once:
            self.run_to(self.now_ns + LOOK_MS * MS)
        if isinstance(cue.act, OWN_ACTS):
            self._wait("deal" if isinstance(cue.act, acts.DealHole) else None)
        if cue.decision is not None:
            self._begun = cue.decision + 1
        return not self._stuck

    def _wait(self, what: str | None) -> None:
        """Three seconds at most, once for each trouble."""
        until_ns = self.now_ns + WAIT_MS * MS
        while self.now_ns < until_ns and not self._stuck and self._is_behind(what):
            self.run_to(self.now_ns + LOOK_MS * MS)
        self._waited |= {what or self._found()}

    def _is_behind(self, what: str | None) -> bool:
        found = self._found()
        if (what or found) in self._waited and self.question is None:
            return False
        return found is not None or bool(self.core.open or self.core.waiting)

    def remember(self, cue: Cue) -> None:
        super().remember(cue)
        if cue.decision is not None and self._last_cues[cue.decision] == self._cues_done:
            self._expressed = cue.decision + 1
        self._cues_done += 1

    def finish(self) -> Verdict:
        """He waits for the end of the hand."""
        self._over = True
        while self.witness.stacks is None and not self._stuck:
            self.run_to(self.now_ns + LOOK_MS * MS)
        self.account.end()
        why = self._mismatch()
        return replace(
            self.witness.verdict(),
            wrong_rulings=len(self.account.wrong),
            doubted_wrong=len(self.account.doubted),
            reopened=len(self.account.reopened),
            corrections=self._corrections,
            agreed=self._agreed,
            stuck=bool(self._stuck),
            mismatch=Mismatch(self.script.hand.name, why) if why else None,
        )

    def _mismatch(self) -> str | None:
        account = self.account
        first = next(iter((*account.wrong, *account.doubted, *account.asked_wrong)), "")
        if first or self._stuck:
            return "; ".join(filter(None, (first, self._stuck)))
        recorded = len(self.script.decisions)
        if recorded != account.rulings:
            return f"{recorded} actions recorded, {account.rulings} ruled"
        return self.witness.ended_otherwise()

    # ------------------------------------------------------------------ at the screen
    def look_ns(self) -> int | None:
        return self._look_ns

    def look(self) -> None:
        if self.now_ns < self._look_ns:
            return
        self._look_ns = self.now_ns + LOOK_MS * MS
        found = self._found()
        if found is None or self._goes_on():
            self._went_on_ns = self.now_ns
        if found != self._trouble:
            self._trouble, self._tries = found, 0
            self._due_ns = self.now_ns + (DELAY_MS[found.kind] if found else 0) * MS
        elif found is not None and self.now_ns >= self._went_on_ns + STUCK_MS * MS:
            self._stuck = self._stuck or f"stuck: {self._told(found)}"
        elif found is not None and self.now_ns >= self._due_ns:
            self._due_ns = self.now_ns + AGAIN_MS * MS
            self._mend(found)
            self._tries += 1

    def _goes_on(self) -> bool:
        """Whether the table is further in the hand than it ever was."""
        hand = self.core.state.hand
        cards, pots = (0, 0) if hand is None else (hand.board_count, len(hand.awards))
        reached = (self.account.right, cards, pots)
        further = any(now > before for now, before in zip(reached, self._reached, strict=True))
        self._reached = tuple(map(max, reached, self._reached))  # type: ignore[assignment]
        return further

    def _found(self) -> Trouble | None:
        if self.question is not None:
            return Trouble("question", self.question.id)
        wrong = self.account.first_wrong()
        if wrong is not None and not self._is_played_out():
            return Trouble("wrong", wrong[0].number)
        unruled = next(self.account.unruled(self._expressed), None)
        if unruled is not None:
            return Trouble("unruled", unruled)
        hand = self.core.state.hand
        if hand is not None and hand.board_count < self.board:
            return Trouble("board", self.board)
        return Trouble("end", 0) if self._over and self.witness.stacks is None else None

    def _is_played_out(self) -> bool:
        """Nobody undoes a hand that is won: what is wrong in it then, stays."""
        hand = self.core.state.hand
        over = hand is not None and (hand.phase is PAYING or hand.phase in NO_HAND)
        return over and self.account.rulings >= len(self.script.decisions)

    def _told(self, found: Trouble) -> str:
        hand = self.core.state.hand
        where = "no hand" if hand is None else f"{hand.phase} on the {hand.row.name}, seat {hand.to_act} to act"
        if found.kind == "unruled":
            decision = self.script.decisions[found.number]
            return f"seat {decision.seat} {decision.kind} {decision.total} is not ruled; {where}"
        if found.kind == "question" and self.question is not None:
            return f"seat {self.question.seat} is asked about ({self.question.why}); {where}"
        return f"{found.kind}; {where}"

    # ------------------------------------------------------------------ mending
    def _mend(self, found: Trouble) -> None:
        match found.kind:
            case "question":
                assert self.question is not None
                self._answer(self.question)
            case "wrong":
                self._put_right()
            case "unruled":
                self._say(self.script.decisions[found.number])
            case "board":
                self._correct(c.NextStreet())
            case "end":
                self._end()
            case _:
                assert_never(found.kind)

    def _correct(self, command: c.Command) -> bool:
        """A word or a key of his own; whether the table took it."""
        self._corrections += 1
        return not _refused(self.command(command))

    def _answer(self, question: Asked) -> None:
        """By what people did. Nobody did anything: the question goes, and what was done before it is said."""
        if self._amends(question):
            return
        at, meant = self.account.expected(question.seat), self.account.meant(question.seat)
        if at is None or meant is None or at >= self._begun or self._tries > 1:
            self._set_aside()
            return
        for number, reading in enumerate(question.ruling.readings, 1):
            if same(meant, question.seat, reading):
                self.command(c.Answer(question=question.id, reading=number))
                return
        chosen = question.ruling.chosen
        if question.why == "confirm" and chosen is not None and same(meant, question.seat, chosen):
            self.command(c.Confirm())
        else:
            self.command(c.Answer(question=question.id, action=meant.kind, total_to=meant.total))

    def _amends(self, question: Asked) -> bool:
        """Whether it asks about a ruling that is wrong: he puts that right, by a choice that says it, else by hand."""
        wrong = self.account.first_wrong()
        if wrong is None or wrong[1] is None or wrong[0].seat != question.seat:
            return False
        line, meant = wrong[0], wrong[1]
        for number, reading in enumerate(question.ruling.readings, 1):
            if same(meant, question.seat, reading):
                self.command(c.Answer(question=question.id, reading=number))
                return True
        if self._tries and not self._correct(c.Overrule(action=meant.kind, total_to=meant.total, of=line.number)):
            self._put_right()
        return True

    def _set_aside(self) -> None:
        first = next(self.account.unruled(self._expressed), None)
        if self._tries % 2 or first is None:
            self._correct(c.Undo())
        else:
            decision = self.script.decisions[first]
            self._correct(c.Say(decision.seat, word_of(decision)))

    def _put_right(self) -> None:
        """By the true amount; what cannot be put right so is undone, and further back each time that it comes again."""
        wrong = self.account.first_wrong()
        assert wrong is not None
        line, meant = wrong
        if (
            self._tries == 0
            and meant is not None
            and self._correct(c.Overrule(action=meant.kind, total_to=meant.total, of=line.number))
        ):
            return
        at = self.account.right
        self._undone[at] = self._undone.get(at, 0) + 1
        for _ in range(self._undone[at]):
            self._correct(c.Undo())

    def _say(self, decision: Decision) -> None:
        if self._is_shown(decision):
            self._agreed += 1
            self.command(c.Confirm())
            return
        hand = self.core.state.hand
        if hand is None or hand.phase in NO_HAND:
            self._correct(c.NextHand())
        elif hand.phase in BEFORE_ACTION or (hand.phase in STREET_CARDS and hand.street < decision.street):
            self._correct(c.NextStreet())
        else:
            self._correct(c.Say(decision.seat, word_of(decision)))

    def _is_shown(self, decision: Decision) -> bool:
        for preview in self.core.previews():
            chosen = None if preview.ruling is None else preview.ruling.chosen
            if chosen is not None and same(decision, preview.seat, chosen):
                return True
        return False

    def _end(self) -> None:
        hand = self.core.state.hand
        if hand is None or hand.phase is not SHOWDOWN:
            self._corrections += 1
            self.close_hand()
        elif not self._tries:
            self._correct(c.Show(None))
        else:
            done = {number for number, _ in hand.awards}
            pot = next(number for number in range(len(hand.pots)) if number not in done)
            won = self.script.won or {}
            self._correct(c.Award(pot, tuple(seat for seat in hand.pots[pot].seats if won.get(seat))))


def word_of(decision: Decision) -> Word:
    """What the dealer says that somebody did."""
    match decision.kind:
        case "bet":
            return Word("bet", decision.total)
        case "raise" if decision.all_in:
            return Word("all_in")
        case "raise":
            return Word("raise_to", decision.total)
        case kind:
            return Word(kind)


def _refused(events: Sequence[Event]) -> bool:
    return any(isinstance(event, Refused) for event in events)
