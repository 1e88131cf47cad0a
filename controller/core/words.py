"""Words of people who saw another turn than the table is at: early ones are kept, late ones asked about.

A word meets the turn that its speaker saw: that of the snapshot whose number `n` it carries, else the present one.

present   said at once (`core.py`)
early     it fits behind what is still being read. Behind a push it waits as chips do (`core.py`); behind the next
          street's card, a hand that was taken up to be thrown away, or a question that its speaker did not see, it is
          kept for `KEPT_NS` at most, and said as soon as it fits
late      its turn is over. It is never applied to another seat or street: the table stands still and asks whether
          the ruling of then is put right, it is for whoever acts now, or it does not count. Whoever changes the turn
          by other means instead has answered too

A seat's button is stamped as it is pressed, by somebody who sees his own chips: it is never kept.
"""

from collections.abc import Iterable
from itertools import count

from msgspec.structs import replace

from controller.commands import Answer, Command, Confirm, Overrule, Say
from controller.core.seen import Kept, Late, LateChoice
from controller.core.turns import Turns
from controller.engine.engine import Engine
from controller.engine.turns import Turn, behind_a_fold, is_card_due, is_of_turn
from controller.rulings.values import Reading
from controller.table.events import Event, Refused
from controller.table.inputs import Told
from controller.table.state import State

KEPT_NS = 10_000_000_000  # longer than any card is read behind its deal, shorter than a dealer's patience
MOST_KEPT = 8  # more words than a table has players are not said in ten seconds


class Words:
    """What was said and waits for more than chips. Time comes with the calls."""

    def __init__(self, engine: Engine, state: State, n: int) -> None:
        self._engine = engine
        self._turns = Turns(state, n)
        self._kept: tuple[Kept, ...] = ()
        self._late: Late | None = None
        self._late_at = Turn()  # the turn at which the question was put
        self._ids = count(-2, -1)

    @property
    def n(self) -> int:
        return self._turns.n

    @property
    def kept(self) -> tuple[Kept, ...]:
        return self._kept

    @property
    def late(self) -> Late | None:
        return self._late

    def note(self, events: Iterable[Event], state: State) -> None:
        """What was decided. A late word is no question any more at another turn than it was asked at."""
        self._turns.note(events, state)
        if self._late is not None and self._turns.now != self._late_at:
            self._late = None

    # ------------------------------------------------------------------ early
    def keep(self, told: Told, seat: int, refused: Refused, foreseen: State, lifted: frozenset[int]) -> bool:
        """Whether a word that is refused now is kept for the next card, or for a fold that is being read.

        `foreseen` is the table behind all pushes; `lifted` are seats whose cards may be on their way to the muck.
        """
        hand = foreseen.hand
        if told.by == "seat" or hand is None:
            return False
        if refused.why == "out_of_turn" and hand.to_act in lifted and behind_a_fold(foreseen, seat):
            return self._keep(told, seat, hand.number, hand.street)
        if refused.why != "betting_closed":
            return False
        player = hand.player(seat)
        if player is None or player.folded or player.all_in or not is_card_due(hand):
            return False
        return self._keep(told, seat, hand.number, hand.street + 1)

    def _keep(self, told: Told, seat: int, hand: int, street: int) -> bool:
        """Kept for its street, whatever its speaker saw before."""
        if len(self._kept) >= MOST_KEPT:
            return False
        assert isinstance(told.command, Say)
        said = replace(told.command, seat=seat)
        self._kept = (*self._kept, Kept(replace(told, command=said, n=None), seat, said.word, hand, street))
        return True

    def take_kept(self, state: State) -> tuple[Kept, ...]:
        """All that are kept, to be said again; none while the table waits for an answer."""
        if not self._kept or self._late is not None or (state.hand is not None and state.hand.question is not None):
            return ()
        taken, self._kept = self._kept, ()
        return taken

    def is_over(self, kept: Kept) -> bool:
        """Whether the street that a kept word was for is over."""
        now = self._turns.now
        return (now.hand, now.street) > (kept.hand, kept.street)

    def timed_out(self, at_ns: int) -> list[Kept]:
        """Kept words whose time is over at `at_ns`; they are kept no longer."""
        over = [kept for kept in self._kept if at_ns - kept.told.at_ns >= KEPT_NS]
        self._kept = tuple(kept for kept in self._kept if kept not in over)
        return over

    def wake_at_ns(self) -> int | None:
        return min((kept.told.at_ns + KEPT_NS for kept in self._kept), default=None)

    # ------------------------------------------------------------------ late
    def heard(self, state: State, told: Told) -> Told | Refused | None:
        """What a command is now, or why it may not be; None: it is kept or asked about, or it was an answer."""
        if self._is_answer(state, told.command):
            return self._answered(told)
        return self._said(state, told, told.command) if isinstance(told.command, Say) else told

    def _said(self, state: State, told: Told, said: Say) -> Told | Refused | None:
        if told.n is None or told.by == "seat":
            return told
        seen, now = self._turns.at(told.n), self._turns.now
        if seen is None:
            return Refused("word_unknown", said.seat)
        if seen == now:
            return told
        seat = seen.seat if said.seat is None else said.seat
        told = replace(told, command=replace(said, seat=seat))
        if not is_of_turn(seen, now, seat):
            return self._ask(state, told, seen, seat)
        if seat is not None and now.question not in {None, seen.question}:
            return None if self._keep(told, seat, now.hand, now.street) else Refused("word_over", seat)
        return told

    def _ask(self, state: State, told: Told, seen: Turn, seat: int | None) -> Refused | None:
        said = told.command
        assert isinstance(said, Say)
        ruled = None if seat is None else self._ruled_since(state, seen, seat)
        right = None if ruled is None else self._engine.said_in_time(state, ruled[0], said.word)
        if ruled is not None and right is not None and _same(ruled[1], right):
            return Refused("word_ruled", seat)
        choices = tuple(self._choices(state, told, None if ruled is None else ruled[0], right))
        if not choices or self._late is not None:
            return Refused("word_over", seat)
        reading = None if ruled is None else ruled[1]
        self._late = Late(next(self._ids), seat, said.word, (*choices, LateChoice(None)), reading)
        self._late_at = self._turns.now
        return None

    def _ruled_since(self, state: State, seen: Turn, seat: int) -> tuple[int, Reading] | None:
        """The ruling of this round that ended the turn which was seen: its event's number, and what counts of it."""
        hand = state.hand
        if hand is None or (seen.hand, seen.street) != (hand.number, hand.street):
            return None
        of_seat = [one for one in state.rulings if one.seq in hand.rulings and one.event.seat == seat]
        for one in of_seat:
            then = one.hand.player(seat)
            acted = None if then is None else then.last_acted
            if (one.hand.current_bet, acted) == (seen.bet, seen.acted_by(seat)):
                return one.seq, one.event.reading
        return None

    def _choices(self, state: State, told: Told, of: int | None, right: Reading | None) -> Iterable[LateChoice]:
        said, now = told.command, self._turns.now
        assert isinstance(said, Say)
        if of is not None and right is not None:
            correction = Overrule(action=right.action, total_to=right.total_to, of=of)
            if not _refuses(self._engine.decide(state, replace(told, command=correction))):
                yield LateChoice(correction, right)
        if now.seat is not None and now.seat != said.seat:
            present = Say(now.seat, said.word)
            if self._engine.may(state, replace(told, command=present)) is None:
                yield LateChoice(present)

    def _is_answer(self, state: State, command: Command) -> bool:
        """Whether a command answers the question about a late word: another question of the table comes first."""
        if self._late is None or (state.hand is not None and state.hand.question is not None):
            return False
        if isinstance(command, Answer):
            return command.question in {None, self._late.id}
        return isinstance(command, Confirm)

    def _answered(self, told: Told) -> Told | Refused | None:
        late, command = self._late, told.command
        assert late is not None
        if isinstance(command, Confirm):
            return Refused("choose_a_number", late.seat)
        number = command.reading if isinstance(command, Answer) else None
        if number is None or not 0 < number <= len(late.choices):
            return Refused("no_such_reading", late.seat)
        self._late = None
        meant = late.choices[number - 1].command
        return None if meant is None else replace(told, command=meant, n=None)


def _same(one: Reading, other: Reading) -> bool:
    return (one.action, one.total_to) == (other.action, other.total_to)


def _refuses(events: Iterable[Event]) -> bool:
    return any(isinstance(event, Refused) for event in events)
