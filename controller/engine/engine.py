"""The engine: inputs to events to states. Start here; the rules of betting are in `controller/rulings`.

`decide` holds all rules and is pure; `evolve` holds none, and replay needs only it. No clock, no I/O, no random source.
An input that is not legal now gives `Refused` and changes nothing; no input that can be decoded raises.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from controller import commands
from controller.engine import (
    alarms,
    bets,
    board,
    corrections,
    dealing,
    endings,
    kept,
    order,
    out_of_turn,
    pushes,
    seating,
    starts,
    worlds,
)
from controller.engine.agreement import agreement, agrees_by_cards, agrees_by_word
from controller.engine.dealt import cards_rested
from controller.engine.draft import Draft, Setting, refused
from controller.engine.moved import motion_seen
from controller.engine.progress import close_by_street, may_close, open_betting, open_street, turn
from controller.engine.said import hear, said_out_of_turn, say, speaker
from controller.engine.situations import by_ledger
from controller.engine.up_cards import knows_opener, see_opener
from controller.engine.worlds import Outcome
from controller.moves.acts import Act, Pushed
from controller.places import Motion, Zone
from controller.rulings.rules import Rules
from controller.rulings.values import Options, Reading, Ruling, Word
from controller.table import inputs
from controller.table.events import Asked, Event, Refused, Ruled, Undone
from controller.table.evolve import evolve
from controller.table.phases import BEFORE_ACTION, BETTING, DECIDED
from controller.table.setup import House, Sensors, Stakes
from controller.table.state import Seat, State, Table

WHILE_PAUSED = (
    commands.Resume
    | commands.Pause
    | commands.SeatIn
    | commands.SeatOut
    | commands.SetStack
    | commands.SetButton
    | commands.SetBlinds
    | commands.Undo
    | commands.Redo
    | commands.AcceptDifferences
)
TableCommand = (
    commands.SeatIn
    | commands.SeatOut
    | commands.SetStack
    | commands.SetButton
    | commands.SetBlinds
    | commands.Kill
    | commands.AcceptDifferences
    | commands.Pause
    | commands.Resume
    | commands.NotAChip
)


class Engine:
    """One table's rules of play. It keeps no state: that goes in and comes out."""

    def __init__(
        self, values: Mapping[str, int], rules: Rules, house: House, sensors: Sensors, stakes: Stakes | None = None
    ) -> None:
        """`stakes`: no-limit hold'em where nothing is said; its blinds are those of `initial` alone."""
        self.setting = Setting(values, rules, house, sensors, stakes)

    def initial(self, seats: int, stakes: Stakes) -> State:
        """A table before anything happened: nobody has chips, nothing was seen."""
        empty: tuple[tuple[str, ...], ...] = ((),) * seats
        table = Table(
            seats=(Seat(),) * seats,
            small_blind=stakes.blinds[0] if stakes.blinds else 0,
            big_blind=stakes.blinds[1] if len(stakes.blinds) > 1 else 0,
            ante=stakes.ante,
            ante_by=stakes.ante_by,
        )
        return State(places={}, table=table, spots=empty, cards=empty, given=(0,) * seats)

    def decide(self, state: State, given: inputs.Input) -> tuple[Event, ...]:
        """The events of one input, in order. Pure."""
        return tuple(self._draft(state, given).events)

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def step(self, state: State, given: inputs.Input) -> tuple[State, tuple[Event, ...]]:
        """`decide`, and `evolve` of each of its events."""
        draft = self._draft(state, given)
        return draft.state, tuple(draft.events)

    def preview(self, state: State, pending: Motion) -> Ruling | None:
        """What a push that still settles would mean if nothing changed; None: no ruling would follow."""
        seats = {moved.target.seat for moved in pending.moves if moved.target.zone is Zone.SPOT}
        seats |= {moved.origin.seat for moved in pending.moves if moved.target.zone is Zone.POT}
        for event in self.decide(state, inputs.MotionSeen(pending.last_ns, pending)):
            if isinstance(event, Ruled | Asked) and event.seat in seats:
                return event.ruling
        return None

    def options(self, state: State) -> Options | None:
        """What the seat to act may do; None: nobody is to act."""
        draft = Draft(self.setting, state)
        player = draft.player(turn(draft))
        if player is None or draft.hand.question is not None:
            return None
        return self.setting.rules.options(by_ledger(self.setting, state, draft.hand, player))

    def may(self, state: State, given: inputs.Told) -> Refused | None:
        """Why a word, or the key of the next street, would be refused now; None: it would not.

        Nothing is judged for it, but a word that corrects a ruling: there must be such a reading.
        """
        draft = Draft(self.setting, state)
        if is_stopped(draft, given.command):
            return refused("paused")
        match given.command:
            case commands.Say() as said:
                if agrees_by_word(draft, said):
                    agree(draft, given.by)
                heard = hear(draft, speaker(draft, said), said.word, given.by)
                if heard == "correction":
                    return corrections.no_such_reading(draft, said.word)
                return heard if isinstance(heard, Refused) else None
            case commands.NextStreet():
                return no_next_street(draft, given.by)
            case _:
                return None

    def outcome(self, state: State, seat: int, given: Sequence[inputs.Input]) -> Outcome | None:
        """What would be ruled of these inputs, the last an act of `seat`; None: they cannot have come so."""
        return worlds.outcome(state, seat, given, self.step)

    def could_have_bet(self, state: State, seat: int) -> tuple[int, ...]:
        """Seats that may have bet unseen before an act of `seat`."""
        return worlds.could_have_bet(Draft(self.setting, state), seat)

    def said_in_time(self, state: State, of: int, word: Word) -> Reading | None:
        """What a ruling of this round would be if the word had been said in time; None: no reading of it."""
        return corrections.said_in_time(Draft(self.setting, state), of, word)

    def agreement(self, state: State, seat: int, *, folds: bool) -> bool:
        """Whether an act of this seat is the agreement that the open question waits for."""
        return agreement(Draft(self.setting, state), seat, folds=folds)

    def comes_first(self, state: State, one: Act, other: Act) -> bool:
        """Whether an act that is not ruled yet is to be ruled before another."""
        return order.comes_first(self.setting, state, one, other)

    def in_order(self, state: State, pushes: Iterable[Pushed]) -> list[Pushed]:
        """Pushes that are not ruled yet as they are to be ruled."""
        return order.in_order(self.setting, state, pushes)

    def _draft(self, state: State, given: inputs.Input) -> Draft:
        draft = Draft(self.setting, state)
        match given:
            case inputs.CardsRested():
                if given.place.zone is Zone.MUCK and agrees_by_cards(draft, given.cards):
                    agree(draft, "seat")
                cards_rested(draft, given.place, given.cards)
            case inputs.MotionSeen():
                draft.doubts, draft.named = given.doubts, given.named
                motion_seen(draft, given.motion)
            case inputs.Unsure():
                worlds.ask(draft, given)
            case inputs.Sure():
                worlds.answered_by_antennas(draft)
            case inputs.Told():
                told(draft, given.command, given.by)
            case inputs.ButtonRested():
                seating.button_rested(draft, given.seat)
            case inputs.CountedIn():
                seating.counted_in(draft, given.places)
            case _:
                assert_never(given)
        if not is_refused(draft, given):
            settle(draft)
        return draft


def is_refused(draft: Draft, given: inputs.Input) -> bool:
    """Whether `may` would have refused it: then nothing comes of it, no alarm told again either."""
    foreseen = isinstance(given, inputs.Told) and isinstance(given.command, commands.Say | commands.NextStreet)
    return foreseen and bool(draft.events) and isinstance(draft.events[-1], Refused)


def settle(draft: Draft) -> None:
    """What the new state brings with it: cards that rested already, chips whose turn has come, alarms that are over."""
    state = draft.state
    if state.hand is not None:
        if draft.running and state.board != state.hand.board:
            board.follow(draft)
        if draft.hand.held:
            out_of_turn.judge_held(draft)
        if draft.running and not any(isinstance(event, Undone) for event in draft.events):
            kept.ask_thrown(draft)
    if draft.state.alarms:
        alarms.clear(draft)


def is_stopped(draft: Draft, command: commands.Command) -> bool:
    return draft.state.table.paused and not isinstance(command, WHILE_PAUSED)


def told(draft: Draft, command: commands.Command, by: commands.By) -> None:
    """What a person wants; refused where it is not legal now."""
    if is_stopped(draft, command):
        draft.refuse("paused")
        return
    match command:
        case commands.Say():
            word(draft, command, by)
        case commands.NextHand():
            next_hand(draft)
        case commands.NextStreet():
            next_street(draft, by)
        case commands.Confirm():
            confirm(draft, by)
        case commands.Undo():
            corrections.undo(draft, by)
        case commands.Redo():
            corrections.redo(draft, by)
        case commands.Overrule():
            corrections.overrule(draft, command, by)
        case commands.Answer():
            corrections.answer(draft, command, by)
        case commands.SetBets():
            bets.set_bets(draft, command, by)
        case commands.OutOfTurn():
            out_of_turn_key(draft, command, by)
        case commands.Misdeal():
            corrections.misdeal(draft)
        case commands.Show():
            endings.show(draft, command)
        case commands.Award():
            endings.award(draft, command)
        case commands.Opens() | commands.UpCards():
            told_of_cards(draft, command)
        case _:
            told_of_table(draft, command, by)


def word(draft: Draft, command: commands.Say, by: commands.By) -> None:
    """A word; what is refused changes nothing, nor does it agree to anything."""
    if agrees_by_word(draft, command):
        ahead = Draft(draft.setting, draft.state)
        agree(ahead, by)
        heard = hear(ahead, command.seat, command.word, by)
        if isinstance(heard, Refused):
            draft.emit(heard)
            return
        agree(draft, by)
    say(draft, command, by)


def agree(draft: Draft, by: commands.By) -> None:
    """Somebody agrees by acting, and acts then: two causes, so that undo takes back the act alone."""
    pushes.agree(draft, by)
    settle(draft)
    draft.next_cause()


def confirm(draft: Draft, by: commands.By) -> None:
    """Agrees to what is asked; where nothing is, that a new card on the board is in the place of one."""
    if draft.state.hand is None or draft.hand.question is not None or not board.is_unclear(draft):
        corrections.confirm(draft, by)
    else:
        board.put_in_place(draft)


def out_of_turn_key(draft: Draft, command: commands.OutOfTurn, by: commands.By) -> None:
    if command.seat is not None and command.word is not None:
        said_out_of_turn(draft, command.seat, command.word)
    else:
        corrections.out_of_turn(draft, by)


def told_of_cards(draft: Draft, command: commands.Opens | commands.UpCards) -> None:
    if not draft.running:
        draft.refuse("no_hand")
    elif isinstance(command, commands.Opens):
        dealing.name_opener(draft, command.seat)
    else:
        dealing.name_up(draft, command.seat, command.cards)


def told_of_table(draft: Draft, command: TableCommand, by: commands.By) -> None:
    match command:
        case commands.SeatIn():
            seating.seat_in(draft, command)
        case commands.SeatOut():
            seating.seat_out(draft, command)
        case commands.SetStack():
            seating.set_stack(draft, command)
        case commands.SetButton():
            seating.set_button(draft, command.seat)
        case commands.SetBlinds():
            seating.set_blinds(draft, command)
        case commands.Kill():
            seating.kill(draft, command)
        case commands.AcceptDifferences():
            seating.accept_differences(draft, by)
        case commands.Pause():
            seating.pause(draft, by)
        case commands.Resume():
            seating.resume(draft, by)
        case commands.NotAChip():
            draft.refuse("nothing_foreign")  # tags are the tracker's: above it there are names only
        case _:
            assert_never(command)


def next_hand(draft: Draft) -> None:
    why = starts.cannot_start(draft)
    if why is None:
        starts.start(draft)
    else:
        draft.refuse(why)


def next_street(draft: Draft, by: commands.By) -> None:
    """The next street is open although its cards were not read; in posting or dealing it opens the betting."""
    why = no_next_street(draft, by)
    if why is not None:
        draft.emit(why)
    elif draft.phase in BEFORE_ACTION:
        open_betting(draft)
    elif close_by_street(draft) and see_opener(draft, draft.hand.street + 1):
        open_street(draft, board.as_read(draft))


def no_next_street(draft: Draft, by: commands.By) -> Refused | None:
    """Who does not see the table infers no check: from outside a street opens only behind a round that is over."""
    if not draft.running:
        return refused("no_hand")
    if draft.phase in BEFORE_ACTION:
        return None if knows_opener(draft, 0) else refused("who_opens")
    if draft.hand.row.is_last or draft.phase in DECIDED:
        return refused("no_street_left")
    open_still = draft.phase is BETTING and by in commands.OUTSIDE
    if open_still or not may_close(draft):
        return refused("betting_open", draft.hand.to_act)
    return None if knows_opener(draft, draft.hand.street + 1) else refused("who_opens")
