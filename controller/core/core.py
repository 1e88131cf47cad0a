"""The table's core: tracking and engine joined, without I/O, clock or thread.

Reader events and commands go in; engine events come out, in the order in which they must be journaled. Between the two
lies one question: *when* may a settled motion, or cards at rest, be handed to the engine? The way is one: what happened
becomes `Waiting`, `holding.py` names what of that may go on, and the engine decides what it means.

* Pushes are ruled in turn order. While the push of a seat is open, what comes from seats behind it (chips, words,
  mucked cards), the sweep of its chips and the next board card wait. If nothing of the open push is undecided, an act
  of the next player in turn, of the dealer who sweeps, or a board card settles it.
* A push of a seat whose spot or tray is not known now, or on whose spot an unknown tag lies, waits, and so does what
  would infer that seat's check: unknown is never empty. Rulings that do not depend on it go on. The dealer's Confirm
  overrides it; so does "not a chip" for the tag.
* A question stops the game: what other seats do, and the next card, waits for its answer; but an act by which its
  player agrees (`controller/engine/agreement.py`) goes on.
* A seat button counts as said with the chips until half a second after the first sighting of the push.
* Everything else is handed on at once. What is refused changes nothing, the open pushes included.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from controller import commands
from controller.core import cards, holding, known
from controller.core.behind import behind
from controller.core.in_order import InOrder
from controller.core.known import Known
from controller.core.seen import Preview, Seen, options_of, previews
from controller.core.waiting import Waiting
from controller.core.words import Words
from controller.engine.order import is_before, spoken_late
from controller.engine.turns import speaker
from controller.moves.acts import Pushed
from controller.places import Motion, Place
from controller.table import inputs
from controller.table.events import Event, Refused
from controller.table.state import State
from firmware_bridge.events import ReaderEvent

CoreRefusal = Literal[
    "undecided_chips", "counting_in", "nothing_foreign", "word_timed_out", "word_over"
]  # besides the engine's RefusalKey
_OF_TURN = frozenset({"out_of_turn", "betting_open"})  # refusals that a chip which is half read may change


class Core(InOrder):
    """State of the table and everything that is still open; `take`, `command` and `tick` give the new events."""

    # ------------------------------------------------------------------ inputs
    def take(self, event: ReaderEvent) -> list[Event]:
        """One event of a reader."""
        self._heard(event)
        self._closed.clear()
        return [*self._tracked(self._tracker.take(event)), *self._release()]

    def tick(self, at_ns: int) -> list[Event]:
        """Timers that are due at `at_ns`: quiet time, hold time, silent readers, kept words."""
        self._closed.clear()
        events = [*self._tracked(self._tracker.tick(at_ns)), *self._let_go(at_ns), *self._release()]
        self._version += self._short.look(self._state, at_ns)
        self._version += self._is_later()
        for kept in self._words.timed_out(at_ns):
            events += self._refuse("word_timed_out", kept.seat)
        return events

    def wake_at_ns(self) -> int | None:
        return min(
            (due for due in (self._tracker.wake_at_ns(), self._words.wake_at_ns()) if due is not None), default=None
        )

    def command(self, command: commands.Command, by: commands.By, at_ns: int, n: int | None = None) -> list[Event]:
        """What a person says who saw the snapshot `n`. What is not legal now gives `Refused` and changes nothing."""
        self._version += 1
        self._closed.clear()
        return [*self._told(inputs.Told(at_ns, command, by, n)), *self._release()]

    # ------------------------------------------------------------------ what is shown
    def previews(self) -> list[Preview]:
        """Pushes that are not final with their provisional rulings, the seat to act first."""
        return previews(self._engine, self._state, self._looks(), self._known.not_trusted())

    def seen(self) -> Seen:
        """All that people may see of the table now."""
        return Seen(
            self._state,
            self._engine.setting,
            options_of(self._engine, self._state),
            self._known,
            tuple(self.previews()),
            tuple((waiting.seat, place) for waiting, place in self._not_known()),
            self._words.kept,
            self._words.late,
            self._watchers,
            behind=behind(self._look(), self._tracker.now_ns),
            street_waits=self._short.waits and cards.is_short(self._state),
        )

    def _is_later(self) -> bool:
        """Whether people see it further behind the game than before, or behind no more."""
        before, self._behind = self._behind, behind(self._look(), self._tracker.now_ns) if self.settling else None
        return before != self._behind

    @property
    def settling(self) -> bool:
        """Whether any push is open or waits: a dealer holds the next card back until it is not."""
        return bool(self._waiting or self._open_pushes())

    def focus(self) -> tuple[tuple[str, int], ...]:
        """(reader, antenna) to scan first; () scans all alike."""
        return self._tracker.wanted()

    def questions(self) -> Mapping[tuple[str, int], tuple[str, ...]]:
        """Tags that a reader should be asked for by address (reader, antenna): what is ruled on next waits for them."""
        return self._tracker.questions(one.seat for one in self._waiting if one.is_push and one.seat is not None)

    @property
    def state(self) -> State:
        return self._state

    @property
    def known(self) -> Known:
        """What of the table is known now."""
        return self._known

    @property
    def version(self) -> int:
        """Grows whenever something that people see may have changed."""
        return self._version

    @property
    def words(self) -> Words:
        """Words that are kept or asked about, and the number of the last public event."""
        return self._words

    @property
    def open(self) -> Mapping[int, Motion]:
        """Motions that are not final, by number."""
        return self._open

    @property
    def waiting(self) -> Sequence[Waiting]:
        """What happened and waits to be ruled on, in the order in which it happened."""
        return self._waiting

    def first_ns(self, seat: int) -> int:
        """When the first chip of a seat's last push was seen; 0: it made none."""
        return self._first_ns.get(seat, 0)

    def places(self) -> Mapping[str, Place]:
        """Where each item lies, as tracking decided; the state follows with the rulings."""
        return self._tracker.places()

    @property
    def steps(self) -> int:
        """The m of the sequential test, as the antennas need it now."""
        return self._tracker.steps

    @property
    def ignored(self) -> frozenset[str]:
        """Tags that are no chips: somebody said so."""
        return self._tracker.ignored

    def _not_known(self) -> list[tuple[Waiting, Place]]:
        """What waits for nothing but a place that is not known, and that place."""
        return holding.held_up(self._engine, self._look())

    # ------------------------------------------------------------------ people
    def _answered(self, told: inputs.Told) -> list[Event]:
        """Somebody said where the chips lie: that is a fact, and what waited for it goes on."""
        events = self._hand_on(told)
        answer = self._asking.answered(events)
        if answer is None:
            return events
        return events + self._hand_on_world(*answer, told.at_ns)

    def _overruled(self, told: inputs.Told, command: commands.Overrule) -> list[Event]:
        """Who overrules by a doubt's number says where its chips lie."""
        before = self._state
        events = self._hand_on(told)
        return events + self._lie(self._asking.chose(before, command.reading, events), told.at_ns)

    def _told(self, told: inputs.Told) -> list[Event]:
        meant = self._words.heard(self._state, told)
        if not isinstance(meant, inputs.Told):
            return [] if meant is None else self._emit(meant)
        told = meant
        match told.command:
            case commands.Confirm():
                return self._confirm(told)
            case commands.Answer():
                return self._answered(told)
            case commands.Overrule():
                return self._overruled(told, told.command)
            case commands.NotAChip():
                return self._not_a_chip(told.command)
            case commands.Say():
                return self._say(told, told.command)
            case commands.NextStreet():
                return self._in_order(None, told)
            case commands.NextHand() if not self._known.counted:
                return self._end_counting(told)
            case _:
                return self._hand_on(told)

    def _say_kept(self) -> list[Event]:
        """Kept words that fit now."""
        events: list[Event] = []
        for kept in self._words.take_kept(self._state):
            over = self._words.is_over(kept)
            events += self._refuse("word_over", kept.seat) if over else self._told(kept.told)
        return events

    def _say(self, told: inputs.Told, said: commands.Say) -> list[Event]:
        seat = said.seat if said.seat is not None else speaker(self._state)
        if seat is None:
            return self._hand_on(told)
        told = replace(told, command=replace(said, seat=seat))  # whoever is to act when it is handed on
        if told.by == "seat":
            first_ns = min((p.act.at_ns for p in self._pushes() if p.act.seat == seat and p.act.brings), default=None)
            told = replace(told, command=spoken_late(said, told.at_ns, first_ns))
        return self._in_order(seat, told)

    def _in_order(self, seat: int | None, told: inputs.Told) -> list[Event]:
        """A word, or the key of the next street: behind the pushes that come first, which it ends if it may."""
        one = Waiting.said(told, seat)
        still = not (self._open or self._waiting) and holding.next_free(self._engine, self._look(one)) is one
        if still and self._engine.may(self._state, told) is None:
            return self._hand_on(told)
        foreseen = holding.foreseen(self._engine, self._state, self._pushes(), one)
        refused = self._engine.may(foreseen, told)
        if refused is not None and not (
            refused.why in _OF_TURN and holding.is_reading(self._engine, self._look(), one)
        ):
            kept = seat is not None and self._words.keep(told, seat, refused, foreseen, self._lifted())
            return [] if kept else self._emit(refused)
        look = self._look()
        ended = holding.pushes_by(look, None) if seat is None else holding.pushes_before(look, seat, told.at_ns)
        self._waiting.append(one)
        return self._settle(ended, told.at_ns)

    def _lifted(self) -> frozenset[int]:
        """Seats whose cards their antenna does not show now; all, where only the muck would tell of a fold."""
        sensors = self._engine.setting.sensors
        every = range(1, len(self._state.table.seats) + 1)
        unseen = every if sensors.muck else ()
        return frozenset(s for s in every if (self._tracker.lifted(s) if s in sensors.holes else s in unseen))

    def _confirm(self, told: inputs.Told) -> list[Event]:
        """Answers the open question; else the first push that is not final ends, and what is asked of it is agreed to.

        It overrides a chip that is doubtful and a place that is not known, but no chip that is half decided: that
        takes a moment at most.
        """
        asked = self._state.hand is not None and self._state.hand.question is not None
        held = min((w for w, _ in self._not_known()), key=lambda one: holding.priority(self._state, one), default=None)
        opened = next(iter(self._engine.in_order(self._state, self._open_pushes())), None)
        if asked or (held is None and opened is None):
            return self._end_counting(told) if not asked and not self._known.counted else self._hand_on(told)
        if opened is not None and (held is None or is_before(self._state, opened.act.seat, held.seat or 0)):
            return self._confirm_open(opened, told)
        assert held is not None
        return self._confirm_asked(held.seat, self._hand_on_waiting(held), told)

    def _confirm_open(self, push: Pushed, told: inputs.Told) -> list[Event]:
        seat, number = push.act.seat, push.motion.number
        self._asking.agree(number)
        events = [*self._tracked(self._tracker.settle(number, told.at_ns)), *self._release()]
        if number in self._open:
            self._asking.agree(0)  # what was shown is not what would be ruled
            return [*events, *self._refuse("undecided_chips", seat)]
        for waiting in [waiting for waiting, _ in self._not_known() if waiting.seat == seat]:
            events += self._hand_on_waiting(waiting)
        return self._confirm_asked(seat, events, told)

    def _confirm_asked(self, seat: int | None, events: list[Event], told: inputs.Told) -> list[Event]:
        """Whoever confirms a push has agreed to its ruling as well."""
        question = None if self._state.hand is None else self._state.hand.question
        if question is not None and question.why == "confirm" and question.seat == seat:
            events += self._hand_on(told)
        return events

    def _end_counting(self, told: inputs.Told) -> list[Event]:
        """A key ends counting in where all that is missing cannot be counted now; else it refuses, or it is no news."""
        missing = self._tracker.uncounted()
        if not missing or any(place not in self._known.unknown for place in missing):
            return self._refuse("counting_in")
        events = self._tracked(self._tracker.end_counting(told.at_ns))
        return events + self._hand_on(told) if isinstance(told.command, commands.NextHand) else events

    def _not_a_chip(self, command: commands.NotAChip) -> list[Event]:
        foreign = self._known.foreign
        place = next((place for place in foreign if (place.zone, place.seat) == (command.zone, command.seat)), None)
        if place is None:
            return self._refuse("nothing_foreign", command.seat)
        self._known = known.ignoring(self._known, place)
        self._tracker.ignore_foreign(place)
        return []

    # ------------------------------------------------------------------ words of its own
    def _refuse(self, why: CoreRefusal, seat: int | None = None) -> list[Event]:
        return self._emit(Refused(why, seat))

    def _heard(self, event: ReaderEvent) -> None:
        now = known.heard(self._known, event)
        if now is not self._known:
            self._known = now
            self._version += 1
