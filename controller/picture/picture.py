"""Makes the snapshots that people see from the core's state: one for everybody, one for the dealer. Pure.

Sentences are made here, in every language; who shows them picks one. Names of items stand in the dealer's only.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec.structs import asdict, replace

from controller.core.core import Core, Preview
from controller.picture import notices
from controller.picture.change import change_from, enough_of, stack_of
from controller.places import Zone
from controller.registry.registry import face
from controller.rulings.structures import Limits
from controller.rulings.values import Reading, Ruling
from controller.snapshot import (
    ChoiceView,
    DealerSnapshot,
    PostView,
    PotView,
    QuestionView,
    RulingView,
    SeatView,
    Snapshot,
    Stack,
    Text,
)
from controller.table.balance import balance, front, waiting, worth
from controller.table.events import Asked, Ruled
from controller.table.setup import limits_of
from controller.table.state import Hand, InHand, Phase, State
from controller.texts.sentences import phrase, reading_label, sentence, word_text
from firmware_bridge.events import Value

Values = Mapping[str, int]
SeatState = Literal["empty", "out", "waiting", "in", "folded", "all_in"]


class Outside(Value, frozen=True):
    """What a snapshot tells of the world outside the core."""

    table: str
    epoch: str
    n: int
    broker: Literal["off", "connecting", "up", "down"] = "off"
    last_refusal: Text | None = None


class Judged(Value, frozen=True):
    """A ruling with the reading that counts, and the chips that it was judged on."""

    seat: int
    reading: Reading
    ruling: Ruling
    chips: tuple[str, ...]


def pictures(core: Core, values: Values, outside: Outside) -> tuple[Snapshot, DealerSnapshot]:
    """The public snapshot and the dealer's, of the same instant."""
    previews = core.previews()
    public = replace(
        _common(core, values, outside, previews),
        provisional=_provisional(core, previews, values, named=False),
        notices=notices.of(core, values, named=False),
    )
    dealer = DealerSnapshot(
        **{
            **asdict(public),
            "provisional": _provisional(core, previews, values, named=True),
            "notices": notices.of(core, values, named=True),
        },
        unseen=tuple(item for item, _ in core.known.unaccounted),
        can_undo=bool(core.state.past),
        can_redo=bool(core.state.future),
        last_refusal=outside.last_refusal,
    )
    return public, dealer


def _common(core: Core, values: Values, outside: Outside, previews: list[Preview]) -> Snapshot:
    """What both see; notices and what is provisional are put in afterwards."""
    state, table, hand = core.state, core.state.table, core.state.hand
    live = hand if hand is not None and hand.phase is not Phase.BETWEEN_HANDS else None
    held, pushed = _held(core, values), _pushed(previews, values)
    to_call, min_raise_to, max_raise_to = _limits(core, live)
    limits = live.limits if live else limits_of(core.engine.setting.game, table.big_blind)
    seats = tuple(
        _seat(core, number, values, held.get(number, 0), pushed.get(number, 0))
        for number in range(1, len(table.seats) + 1)
    )
    return Snapshot(
        table=outside.table,
        epoch=outside.epoch,
        n=outside.n,
        broker=outside.broker,
        hand_number=table.hand_number,
        phase=_phase(core),
        street=live.street if live else None,
        small_blind=table.small_blind,
        big_blind=table.big_blind,
        ante=table.ante,
        structure=limits.type,
        bets=_bets(limits),
        board=tuple(face(card) for card in live.board) if live else (),
        board_count=live.board_count if live else 0,
        pots=_pots(live),
        pot_total=sum(p.committed - p.won for p in live.players) if live else 0,
        paying=sum(seat.to_come for seat in seats),
        seats=seats,
        button=live.button if live else table.button,
        posts_due=tuple(PostView(post.seat, post.kind, post.amount) for post in live.posts_due) if live else (),
        to_act=live.to_act if live else None,
        to_call=to_call,
        min_raise_to=min_raise_to,
        max_raise_to=max_raise_to,
        ruling=_last_ruling(state, hand, values),
        question=_question(core, live, values),
        readers=notices.readers(core),
        paused=table.paused,
    )


def _bets(limits: Limits) -> tuple[int, ...]:
    match limits.type:
        case "FL":
            return limits.small_bet, limits.big_bet
        case "spread":
            last = (limits.most_last,) if limits.most_last > limits.most else ()
            return limits.least, limits.most, *last
        case "NL" | "PL" | "HP":
            return ()


def _phase(core: Core) -> str:
    state = core.state
    if not core.known.counted:
        return Phase.COUNTING_IN
    return state.hand.phase if state.hand is not None else Phase.BETWEEN_HANDS


def _pots(hand: Hand | None) -> tuple[PotView, ...]:
    if hand is None:
        return ()
    awarded = {number for number, _ in hand.awards}
    pots = [(number, pot) for number, pot in enumerate(hand.pots) if number not in awarded]
    return tuple(PotView(pot.amount, pot.seats, number) for number, pot in pots)


def _limits(core: Core, hand: Hand | None) -> tuple[int | None, int | None, int | None]:
    """Chips to add for a call, and the smallest and largest raise, for the seat to act."""
    options = core.engine.options(core.state) if hand is not None and hand.to_act is not None else None
    if options is None:
        return None, None, None
    if not options.can_raise:
        return options.to_call, None, None
    return options.to_call, options.min_raise_to, options.max_raise_to


# ---------------------------------------------------------------- seats
def _seat(core: Core, number: int, values: Values, held: int, pushed: int) -> SeatView:
    state, hand = core.state, core.state.hand
    seat = state.table.seats[number - 1]
    ended = hand is None or hand.phase is Phase.BETWEEN_HANDS
    player = None if hand is None else hand.player(number)
    lying = front(state, number, values)
    live = None if ended else player
    due = balance(state, number, values) if live else 0
    to_come, uncalled, change = _dues(live, due)
    return SeatView(
        seat=number,
        name=seat.name,
        state=_seat_state(core, number, live),
        stack=live.stack if live else seat.stack,
        bet=live.bet if live else 0,
        front=lying,
        change_due=change,
        uncalled=uncalled,
        missing=max(-due, 0),
        to_act=live is not None and hand is not None and hand.to_act == number,
        button=(state.table.button if ended or hand is None else hand.button) == number,
        last_action=_last_action(live),
        cards_read=_cards_read(core, number),
        in_hand_value=held if number in core.engine.setting.sensors.trays else None,
        said=_said(hand, live),
        waiting=pushed + (worth(waiting(state, hand, live), values) if live and hand else 0),
        cards=tuple(face(card) for card in player.shown) if player and player.tabled else (),
        won=player.won if player else 0,
        to_come=to_come,
        known=not any(place.seat == number for place in core.known.unknown),
    )


def _dues(player: InHand | None, due: int) -> tuple[int, int, int]:
    """What the middle owes him, cut into: won and to come, back because nobody called it, change."""
    if player is None or due <= 0:
        return 0, 0, 0
    to_come = min(player.won, due)
    if player.won:
        return to_come, due - to_come, 0
    uncalled = min(player.uncalled, due)
    return 0, uncalled, due - uncalled


def _seat_state(core: Core, number: int, player: InHand | None) -> SeatState:
    seat = core.state.table.seats[number - 1]
    if player is not None:
        return "folded" if player.folded else "all_in" if player.all_in else "in"
    if seat.playing:
        return "waiting"
    return "out" if seat.stack or seat.name else "empty"


def _last_action(player: InHand | None) -> Text | None:
    """What he did in this round; nothing any more once his bet is swept."""
    if player is None or not player.action or (player.action not in {"check", "fold"} and not player.bet):
        return None
    label = reading_label(Reading(player.action, player.bet, 0, 0, reopens=False, all_in=False, rule=""))
    return phrase("inferred", action=label) if player.inferred else label


def _said(hand: Hand | None, player: InHand | None) -> Text | None:
    """A word that counts later: it waits for its chips, or for the turn."""
    if hand is None or player is None:
        return None
    if hand.word is not None and hand.word[0] == player.seat:
        return word_text(hand.word[1])
    held = next((push.word for push in hand.held if push.seat == player.seat), None)
    return word_text(held) if held is not None else None


def _cards_read(core: Core, number: int) -> int | None:
    if number not in core.engine.setting.sensors.holes:
        return None
    places = core.state.places
    return sum(places[card].zone is Zone.HOLE for card in core.state.cards[number - 1] if card in places)


def _held(core: Core, values: Values) -> dict[int | None, int]:
    """Value of chips that left the antennas, by the seat that they were last with."""
    held: dict[int | None, int] = {}
    for item, place in core.state.places.items():
        if place.zone is Zone.HELD:
            held[place.seat] = held.get(place.seat, 0) + values.get(item, 0)
    return held


# ---------------------------------------------------------------- rulings
def _view(judged: Judged, state: State, values: Values) -> RulingView:
    seat, reading, ruling = judged.seat, judged.reading, judged.ruling
    said = reading_label(replace(reading, change_due=0, must_add=0))
    lying = dict.fromkeys((*state.spots[seat - 1], *judged.chips))
    return RulingView(
        seat=seat,
        action=reading.action,
        total_to=reading.total_to,
        change_due=reading.change_due,
        change=_change(reading.change_due, lying, values),
        must_add=reading.must_add,
        reopens=reading.reopens,
        all_in=reading.all_in,
        rule=reading.rule,
        headline=phrase("ruling_headline", seat=seat, action=said),
        sentence=_reason(reading, ruling),
        chips=stack_of(judged.chips, values),
        readings=_choices(ruling.readings),
    )


def _reason(reading: Reading, ruling: Ruling) -> Text:
    """Why: by the rules, with the amounts as they were settled; or somebody has chosen otherwise.

    Nothing for a fold that leaves no bet: the headline says it all.
    """
    if reading.action == "fold" and not reading.total_to:
        return {}
    chosen = ruling.chosen
    if chosen is None or (chosen.action, chosen.rule) != (reading.action, reading.rule):
        return phrase("chosen_by_people")
    settled = {"total": reading.total_to, "change": reading.change_due, "add": reading.must_add}
    return sentence(ruling.why, ruling.numbers | {key: settled[key] for key in settled if key in ruling.numbers})


def _change(amount: int, lying: Iterable[str], values: Values) -> Stack:
    """From the seat's own chips in front where they fit, else from the dealer's float; () where no chips make it."""
    if not amount:
        return ()
    own = change_from(amount, stack_of(lying, values))
    return own or change_from(amount, enough_of(amount, values.values())) or ()


def _choices(readings: Iterable[Reading]) -> tuple[ChoiceView, ...]:
    return tuple(
        ChoiceView(number, reading_label(reading), reading.rule) for number, reading in enumerate(readings, start=1)
    )


def _last_ruling(state: State, hand: Hand | None, values: Values) -> RulingView | None:
    ruled: Ruled | None = hand.last_ruled if hand else None
    if ruled is None:
        return None
    view = _view(Judged(ruled.seat, ruled.reading, ruled.ruling, ruled.chips), state, values)
    if not ruled.inferred:
        return view
    headline = phrase("inferred", action=view.headline)
    return RulingView(
        **{**{f: getattr(view, f) for f in view.__struct_fields__}, "headline": headline, "inferred": True}
    )


def _provisional(core: Core, previews: list[Preview], values: Values, *, named: bool) -> RulingView | None:
    """The push that is being settled, of the seat to act first; nothing where there is no reading to show."""
    preview = _shown(previews)
    ruling = preview.ruling if preview is not None else None
    if preview is None or ruling is None or ruling.chosen is None:
        return None
    view = _view(Judged(preview.seat, ruling.chosen, ruling, _brought(preview)), core.state, values)
    return replace(view, final=False, waits_for=_waits_for(core, preview, values, named=named))


def _shown(previews: list[Preview]) -> Preview | None:
    return next((one for one in previews if one.ruling is not None and one.ruling.chosen is not None), None)


def _brought(preview: Preview) -> tuple[str, ...]:
    """Chips that came forward, onto the spot or straight into the pot."""
    return tuple(move.item for move in preview.motion.moves if move.target.zone in {Zone.SPOT, Zone.POT})


def _pushed(previews: list[Preview], values: Values) -> dict[int, int]:
    """Value in front of seats whose push is not shown as provisional: it waits for the one that is."""
    shown = _shown(previews)
    waiting: dict[int, int] = {}
    for preview in previews:
        if preview is not shown:
            waiting[preview.seat] = waiting.get(preview.seat, 0) + worth(_brought(preview), values)
    return waiting


def _waits_for(core: Core, preview: Preview, values: Values, *, named: bool) -> Text:
    blocked = core.blocked(preview.seat)
    if blocked:
        key = "waits_place" if blocked[0] in core.known.unknown else "waits_foreign"
        return phrase(key, place=notices.place(blocked[0]))
    doubtful = preview.motion.doubtful
    if not doubtful:
        return phrase("waits_settling")
    if named:
        return phrase("waits_chips_named", names=notices.listed(doubtful))
    return phrase("waits_chips", count=len(doubtful), value=worth(doubtful, values))


def _question(core: Core, hand: Hand | None, values: Values) -> QuestionView | None:
    asked = hand.question if hand else None
    if asked is None:
        return None
    choices, chips = _choices(asked.ruling.readings), stack_of(asked.chips, values)
    if asked.why == "confirm" and asked.ruling.chosen is not None:
        chosen = reading_label(asked.ruling.chosen)
        text = phrase("question_confirm", seat=asked.seat or 0, action=chosen)
        why = _why_confirm(core, asked)
        return QuestionView(asked.id, asked.seat, text, choices, confirm=True, chips=chips, why=why)
    why = sentence(asked.ruling.why, asked.ruling.numbers)
    return QuestionView(asked.id, asked.seat, phrase("question_floor", why=why), choices, chips=chips)


def _why_confirm(core: Core, asked: Asked) -> Text:
    """Why the dealer's agreement is asked: what is doubtful, what is disputed, the house, or what no antenna sees."""
    if asked.doubtful and not asked.undecided:
        second = "later_motion" in asked.ruling.numbers
        return phrase("confirm_second" if second else "confirm_changed")
    if asked.doubtful:
        return phrase("confirm_doubtful")
    if asked.ruling.disputed:
        return phrase("confirm_disputed")
    if core.engine.setting.house.confirm == "always":
        return phrase("confirm_always")
    return phrase("confirm_unseen", smallest=core.engine.setting.smallest)
