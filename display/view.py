"""A snapshot in one language -> the words and numbers of the screen. Pure, and decides nothing.

Sentences about the game come with the snapshot in every language; the fixed words come from `labels.py`.
The rest of the picture: `seats.py`, `notices.py`.
"""

from controller.snapshot import ReaderView, RulingView, SeatView, Snapshot
from display.buttons import buttons
from display.keys import LISTS, Desk, pot_number
from display.labels import Labels
from display.notices import banner_part, curtain_part, help_part, notice_parts
from display.parts import (
    BoardCard,
    ChoicePart,
    EntryPart,
    Lamp,
    Link,
    PotPart,
    QuestionPart,
    RulingPart,
    StepPart,
    Tone,
    TopLine,
    TurnPart,
    View,
)
from display.posts import owed
from display.seats import BETWEEN, seat_parts, who

MOST_POTS = 5
MOST_CHOICES = 9  # keys 1 to 9
BROKER_TONES: dict[str, Tone] = {"up": "good", "connecting": "busy", "down": "bad"}
BEFORE_ANYTHING = Snapshot(table="", epoch="", n=0)


def view(
    snapshot: Snapshot | None,
    link: Link,
    desk: Desk,
    words: Labels,
    *,
    dealer: bool,
    touch: bool = False,
    clock: str = "",
) -> View:
    """What the screen says now.

    `dealer` adds what only the dealer needs: keys, names of chips, what he is typing; `touch` buttons for his fingers.
    `clock` is the time as people say it.
    """
    seen = snapshot or BEFORE_ANYTHING
    return View(
        top=_top(seen, words, clock),
        seats=seat_parts(seen, desk if dealer else Desk(), words),
        pot_label=words.paying if _is_paid(seen) else words.pot if _has_pot(seen) else "",
        pot=words.amount(seen.paying) if _is_paid(seen) else words.amount(seen.pot_total) if _has_pot(seen) else "",
        board=_board(seen),
        pots=_pots(seen, words),
        dealer=words.dealer,
        ruling=_ruling(seen, words),
        no_ruling=words.no_ruling,
        question=_question(seen, desk if dealer else Desk(), words, dealer=dealer),
        act=_act(seen, desk if dealer else Desk(), words, dealer=dealer),
        behind=words.pick(seen.behind.text) if seen.behind is not None else "",
        notices=notice_parts(seen, link, desk, words, dealer=dealer),
        banner=banner_part(seen, link, words),
        stale=snapshot is not None and link.state in ("lost", "mismatch", "silent"),
        curtain=curtain_part(snapshot, link, words),
        help=help_part(words) if desk.help and dealer else None,
        hint=words.help_hint if dealer and not touch else "",
        buttons=buttons(seen, desk, words) if dealer and touch else (),
        chip_colours=seen.chip_colours,
    )


# ---------------------------------------------------------------- top line
def _top(seen: Snapshot, words: Labels, clock: str) -> TopLine:
    parts = [words.hand.format(n=seen.hand_number)] if seen.hand_number else []
    if seen.street:
        parts.append(words.streets.get(seen.street, seen.street))
    if seen.structure in words.structures:
        parts.append(words.structures[seen.structure].format(bets=_bets(seen, words)))
    if seen.big_blind:
        blinds = words.blinds.format(small=words.amount(seen.small_blind), big=words.amount(seen.big_blind))
        ante = f" {words.ante.format(n=words.amount(seen.ante))}" if seen.ante else ""
        parts.append(blinds + ante)
    return TopLine("  ·  ".join([*parts, seen.table]), _lamps(seen, words), clock)


def _bets(seen: Snapshot, words: Labels) -> str:
    """The amounts of a limit game: 100/200 fixed, 2-10 spread, and 2-10/20 where the last street has more."""
    first, *rest = [words.amount(bet) for bet in seen.bets] or [""]
    return "/".join([f"{first}-{rest[0]}", *rest[1:]] if seen.structure == "spread" and rest else [first, *rest])


def _lamps(seen: Snapshot, words: Labels) -> tuple[Lamp, ...]:
    up = sum(reader.state == "up" for reader in seen.readers)
    lamps = [Lamp(words.readers_up.format(n=up), "good")] if up else []
    lamps += [_reader_lamp(reader, words) for reader in seen.readers if reader.state != "up"]
    if seen.broker != "off":
        texts = {"up": words.broker_up, "connecting": words.broker_connecting, "down": words.broker_down}
        lamps.append(Lamp(texts[seen.broker], BROKER_TONES[seen.broker], always=True))
    return tuple(lamps)


def _reader_lamp(reader: ReaderView, words: Labels) -> Lamp:
    said = {"lost": words.reader_lost, "fault": words.reader_fault}
    text = said.get(reader.state, words.reader_starting)
    return Lamp(text.format(id=reader.id), "busy" if reader.state == "starting" else "bad")


# ---------------------------------------------------------------- felt
def _has_pot(seen: Snapshot) -> bool:
    """Between hands a pot of nothing is not told."""
    return seen.pot_total > 0 or seen.phase not in BETWEEN


def _is_paid(seen: Snapshot) -> bool:
    """The whole pot is awarded, and its chips are on their way."""
    return seen.paying > 0 and seen.pot_total == 0


def _board(seen: Snapshot) -> tuple[BoardCard, ...]:
    """Cards that were read, then dealt ones that were not, then places still empty."""
    most = seen.board_cards
    faces = [BoardCard("face", card.rpartition(":")[2]) for card in seen.board[:most]]
    backs = [BoardCard("back")] * (min(seen.board_count, most) - len(faces))
    return (*faces, *backs, *[BoardCard("none")] * (most - len(faces) - len(backs)))


def pot_name(number: int, words: Labels) -> str:
    return words.side_pot.format(n=number) if number else words.main_pot


def _pots(seen: Snapshot, words: Labels) -> tuple[PotPart, ...]:
    """Main pot and side pots, each with who may win it; one pot alone says no more than the total above it."""
    if len(seen.pots) < 2:
        return ()
    shown = seen.pots if len(seen.pots) <= MOST_POTS else seen.pots[: MOST_POTS - 1]
    parts = [
        PotPart(pot_name(pot_number(seen, i), words), words.amount(pot.amount), pot.seats)
        for i, pot in enumerate(shown)
    ]
    rest = seen.pots[len(shown) :]
    if rest:
        parts.append(PotPart(words.more.format(n=len(rest)), words.amount(sum(pot.amount for pot in rest)), ()))
    return tuple(parts)


# ---------------------------------------------------------------- ruling and question
def _ruling(seen: Snapshot, words: Labels) -> RulingPart | None:
    ruling = seen.provisional or seen.ruling
    return ruling_part(ruling, seen, words) if ruling is not None else None


def ruling_part(ruling: RulingView, seen: Snapshot, words: Labels) -> RulingPart:
    """A ruling in words and chips; what of it is still to be moved is told by what lies there now."""
    provisional = not ruling.final
    note = words.settling if provisional else words.inferred if ruling.inferred else ""
    headline, waits = words.pick(ruling.headline), words.pick(ruling.waits_for) if provisional else ""
    change, missing = _still(seen, ruling)
    label, amount, tone = _to_move(change, missing, words)
    return RulingPart(
        headline=headline,
        sentence=words.pick(ruling.sentence),
        rule=words.rule(ruling.rule),
        provisional=provisional,
        note="" if note.casefold() in headline.casefold() else note,
        waits="" if waits.casefold() in note.casefold() else waits,
        chips_label=label,
        chips_amount=amount,
        chips_tone=tone,
        chips=ruling.change if change == ruling.change_due else (),
        seen_title=words.chips_seen if ruling.chips else "",
        seen=ruling.chips,
        doubts=_doubts(ruling, words),
    )


def _doubts(ruling: RulingView, words: Labels) -> tuple[str, ...]:
    """What may lie elsewhere; behind the last of them how many more there are."""
    *first, last = [words.pick(doubt) for doubt in ruling.doubts] or [""]
    more = words.more.format(n=ruling.more_doubts) if ruling.more_doubts else ""
    return tuple(filter(None, (*first, "  ·  ".join(filter(None, (last, more))))))


def _still(seen: Snapshot, ruling: RulingView) -> tuple[int, int]:
    """Change and chips to add of a ruling, as far as they are not given and added yet."""
    seat = next((one for one in seen.seats if one.seat == ruling.seat), None)
    if not ruling.final or seat is None:
        return ruling.change_due, ruling.must_add
    return min(ruling.change_due, seat.change_due), min(ruling.must_add, seat.missing)


def _to_move(change: int, missing: int, words: Labels) -> tuple[str, str, Tone]:
    """What somebody has to move now, if anything: chips to add, or change to give back."""
    if missing:
        return words.must_add, words.amount(missing), "bad"
    if change:
        return words.change_due, words.amount(change), "good"
    return "", "", "quiet"


def _question(seen: Snapshot, desk: Desk, words: Labels, *, dealer: bool) -> QuestionPart | None:
    asked = seen.question
    if asked is None:
        return _overruling(seen.ruling, desk, words) if desk.entry == "overrule" else None
    looks = any(choice.chips for choice in asked.choices)
    title = words.agreement if asked.confirm else words.where_is_it if looks else words.question
    if asked.seat is not None:
        title = f"{words.question_at.format(n=asked.seat)}  ·  {title}"
    choices = tuple(
        ChoicePart(c.number, words.pick(c.label), words.rule(c.rule), c.chips) for c in asked.choices[:MOST_CHOICES]
    )
    hint = words.press_confirm if asked.confirm else words.press_number if choices else ""
    if asked.more:
        hint = f"{hint}  ·  {words.more.format(n=asked.more)}"
    return QuestionPart(
        title=title,
        text=words.pick(asked.text),
        choices=choices,
        hint=hint if dealer else "",
        why=words.pick(asked.why),
        seen_title=f"{words.chips_seen} {words.amount(sum(value * count for value, count in asked.chips))}",
        seen=asked.chips,
    )


def _overruling(ruling: RulingView | None, desk: Desk, words: Labels) -> QuestionPart | None:
    """The readings that the dealer may choose instead of the last ruling's; of an earlier one there are none here."""
    if ruling is None or desk.selected not in (None, ruling.seat):
        return None
    choices = tuple(
        ChoicePart(c.number, words.pick(c.label), words.rule(c.rule)) for c in ruling.readings[:MOST_CHOICES]
    )
    return QuestionPart(words.say_overrule, words.pick(ruling.headline), choices, "")


# ---------------------------------------------------------------- who is to act
def _act(seen: Snapshot, desk: Desk, words: Labels, *, dealer: bool) -> TurnPart | StepPart | EntryPart:
    if desk.sure:
        text = words.sure_misdeal if desk.sure == "misdeal" else words.sure_not_a_chip
        return EntryPart(_whom(seen, desk.selected, words) if desk.sure != "misdeal" else "", text, words.sure_hint)
    if desk.entry:
        return _entry(seen, desk, words)
    if desk.out_of_turn:
        return EntryPart(_whom(seen, desk.selected, words), words.say_out_of_turn, words.say_out_of_turn_hint)
    if seen.to_act is not None:
        return _turn(seen, seen.to_act, words)
    return _step(seen, words, dealer=dealer)


def _entry(seen: Snapshot, desk: Desk, words: Labels) -> EntryPart:
    begun = {
        "raise_to": words.say_raise_to,
        "raise_by": words.say_raise_by,
        "bet": words.say_bet,
        "amount": words.say_amount if any(seat.bet for seat in seen.seats) else words.say_bet,
        "overrule": words.say_overrule,
        "stack": words.say_stack,
        "blinds": words.say_blinds,
        "bets": words.say_bets,
        "draw": words.say_draw,
    }
    hint = words.say_list_hint if desk.entry in LISTS else words.say_hint
    if desk.entry == "award":
        pot = pot_name(pot_number(seen, desk.pot), words)
        return EntryPart("", f"{words.say_award.format(pot=pot)} {desk.typed}▏", hint)
    if desk.entry == "up":
        cards = " ".join(desk.typed[at : at + 2].capitalize() for at in range(0, len(desk.typed), 2))
        return EntryPart(_typed_for(seen, desk, words), f"{words.say_up} {cards}▏", hint)
    amount = (
        _bets_typed(desk, words)
        if desk.entry == "bets"
        else desk.typed
        if desk.entry in LISTS
        else words.amount(int(desk.typed))
        if desk.typed
        else ""
    )
    answers = (
        seen.question and not desk.out_of_turn and desk.entry not in ("raise_by", "blinds", "bets", "stack", "overrule")
    )
    said = words.say_answer if answers else begun[desk.entry]
    return EntryPart(_typed_for(seen, desk, words), f"{said} {amount}▏", hint)


def _bets_typed(desk: Desk, words: Labels) -> str:
    """What was typed of all bets: 1:200 3:fold 4:all-in."""
    parts = desk.typed.split()
    said = {"a": words.buttons["all_in"], "f": words.buttons["fold"]}
    bets = [":".join(said.get(part, part) for part in parts[at : at + 2]) for at in range(0, len(parts), 2)]
    ends = len(parts) % 2 and desk.typed.endswith(" ")
    return " ".join(bets) + (":" if ends else " " if parts and desk.typed.endswith(" ") else "")


def _typed_for(seen: Snapshot, desk: Desk, words: Labels) -> str:
    """The seat that an amount is for; none for blinds and all bets, nor for the last ruling, which says whose it is."""
    if desk.entry in ("blinds", "bets") or (desk.entry == "overrule" and desk.selected is None):
        return ""
    return _whom(seen, desk.selected or (desk.begun[1] if desk.begun else None), words)


def _whom(seen: Snapshot, selected: int | None, words: Labels) -> str:
    for view_of_seat in seen.seats:
        if view_of_seat.seat == (selected or seen.to_act):
            return who(view_of_seat, words)
    return words.turn


def _turn(seen: Snapshot, seat: int, words: Labels) -> TurnPart:
    owed = seen.to_call or 0
    label, amount = _raise_line(seen, seat, words)
    return TurnPart(
        seat=seat,
        who=next((v.name for v in seen.seats if v.seat == seat and v.name), words.seat.format(n=seat)),
        turn=words.to_act,
        call_label=words.to_call if owed or seen.to_call is None else "",
        call=words.amount(owed) if owed else words.check_free if seen.to_call == 0 else "?",
        raise_label=label,
        raise_to=amount,
        most=_most(seen, seat, words) if amount else "",
    )


def _raise_line(seen: Snapshot, seat: int, words: Labels) -> tuple[str, str]:
    """Label and number of the smallest raise or bet; a stack below it may still go all-in."""
    least, whole = seen.min_raise_to, _all_in_to(seen, seat)
    if least is None:
        return words.no_raise, ""
    if whole is not None and whole <= least:
        return words.all_in_only, words.amount(whole)
    raising, fixed = any(view_of.bet for view_of in seen.seats), least == seen.max_raise_to
    if fixed:
        return words.fixed_raise if raising else words.fixed_bet, words.amount(least)
    return words.min_raise if raising else words.min_bet, words.amount(least)


def _most(seen: Snapshot, seat: int, words: Labels) -> str:
    """The limit of the game, where it is below all-in and leaves a choice."""
    most, whole = seen.max_raise_to, _all_in_to(seen, seat)
    if most is None or most == seen.min_raise_to or (whole is not None and whole <= most):
        return ""
    return words.most.format(n=words.amount(most))


def _all_in_to(seen: Snapshot, seat: int) -> int | None:
    """What this seat's total of the round would be with all its chips."""
    return next((view_of.stack + view_of.bet for view_of in seen.seats if view_of.seat == seat), None)


def _step(seen: Snapshot, words: Labels, *, dealer: bool) -> StepPart:
    step = words.phases.get(seen.phase)
    name = step.name if step else seen.phase.replace("_", " ")
    winners = tuple(_winner(seat, words) for seat in seen.seats if seat.won)
    if step is None:
        return StepPart(name, winners, "", won=bool(winners))
    if seen.to_draw is not None:
        named = next((one.name for one in seen.seats if one.seat == seen.to_draw and one.name), "")
        who = named or words.seat.format(n=seen.to_draw)
        return StepPart(name, (words.to_draw.format(who=who),), step.keys if dealer else "")
    hint = (owed(seen, words) if seen.phase == "posting" else "") or step.hint
    return StepPart(name, winners or (hint,), step.keys if dealer else "", won=bool(winners))


def _winner(seat: SeatView, words: Labels) -> str:
    """What he won or, once a part of it has come to him, what is still to come."""
    partly = 0 < seat.to_come < seat.won
    amount = (
        words.to_come.format(n=words.amount(seat.to_come)) if partly else words.won.format(n=words.amount(seat.won))
    )
    return f"{who(seat, words)}  {amount}"
