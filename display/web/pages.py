"""What was heard of the table -> what a page says, in the words and numbers of the screen. Pure, and decides nothing.

A page of a seat is made of the public snapshot, which has no field for cards that nobody showed; and of those that were
shown it takes none.
"""

import msgspec

from controller.snapshot import RulingView, SeatView, Snapshot
from display.feed import Heard
from display.keys import Desk
from display.labels import Labels
from display.parts import Banner, Curtain, Part, RulingPart, TopLine, TurnPart, View
from display.view import BEFORE_ANYTHING, ruling_part, view


class TablePage(Part, frozen=True):
    """The table for everybody: television, tablet, telephone."""

    view: View
    hand: int
    to_act: int | None
    spoken: str = ""  # the ruling as one sentence, for a voice; "": nothing is ruled


class SeatPage(Part, frozen=True):
    """The table as the player of one seat needs it."""

    seat: int
    title: str
    top: TopLine
    present: bool  # somebody sits there
    my_turn: bool
    turn: str  # whose turn it is, or what happens now
    stack: str
    sign: str  # ALL-IN, in place of the stack
    state: str
    pot_label: str
    pot: str
    owe_label: str
    owe: str  # what it costs to stay in; "": nothing is asked of this seat now
    bet: str
    change: str
    missing: str
    ruling: RulingPart | None
    spoken: str
    no_ruling: str
    stale: bool
    banner: Banner | None = None
    curtain: Curtain | None = None
    chip_colours: tuple[tuple[int, str], ...] = ()


def public(heard: Heard) -> Snapshot | None:
    """What was heard without whatever only a dealer may know."""
    if heard.snapshot is None:
        return None
    return Snapshot(**{name: getattr(heard.snapshot, name) for name in Snapshot.__struct_fields__})


def table_page(heard: Heard, words: Labels) -> TablePage:
    seen = public(heard)
    shown = view(seen, heard.link, Desk(), words, dealer=False)
    ruling = seen.ruling if seen is not None else None
    return TablePage(
        shown, seen.hand_number if seen else 0, seen.to_act if seen else None, spoken(ruling, words) if ruling else ""
    )


def seat_page(heard: Heard, number: int, words: Labels) -> SeatPage:
    seen = public(heard)
    shown = view(seen, heard.link, Desk(), words, dealer=False)
    known = seen or BEFORE_ANYTHING
    seat = next((one for one in known.seats if one.seat == number), SeatView(number))
    part = next((one for one in shown.seats if one.seat == number), None)
    owe_label, owe = _owed(known, seat, shown, words)
    ruling = last_of(known, number)
    return SeatPage(
        seat=number,
        title=words.seat.format(n=number) + (f" · {seat.name}" if seat.name else ""),
        top=shown.top,
        present=seat.state != "empty",
        my_turn=known.to_act == number,
        turn=_now(shown),
        stack=part.stack if part else "",
        sign=part.sign if part else "",
        state=part.foot if part else "",
        pot_label=shown.pot_label or words.pot,
        pot=shown.pot or words.amount(0),
        owe_label=owe_label,
        owe=owe,
        bet=words.amount(seat.bet) if seat.bet else "",
        change=words.amount(seat.change_due) if seat.change_due else "",
        missing=words.amount(seat.missing) if seat.missing else "",
        ruling=ruling_part(ruling, known, words) if ruling else None,
        spoken=spoken(ruling, words) if ruling else "",
        no_ruling=shown.no_ruling,
        stale=shown.stale,
        banner=shown.banner,
        curtain=shown.curtain,
        chip_colours=shown.chip_colours,
    )


def last_of(seen: Snapshot, seat: int) -> RulingView | None:
    """The last ruling of a seat, as far as the snapshot tells: one that still settles, or one of this round."""
    told = (*seen.rulings, *filter(None, (seen.ruling, seen.provisional)))
    return next((one for one in reversed(told) if one.seat == seat), None)


def spoken(ruling: RulingView, words: Labels) -> str:
    """A ruling as a voice says it: "Seat 4: Call 600. One chip without a word."."""
    parts = [words.pick(ruling.headline), words.pick(ruling.sentence)]
    return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in parts if part)


def _owed(seen: Snapshot, seat: SeatView, shown: View, words: Labels) -> tuple[str, str]:
    """What is asked of a seat now: to call, where it is its turn; chips that lack; a blind that is not in yet."""
    if seen.to_act == seat.seat and isinstance(shown.act, TurnPart):
        return shown.act.call_label, shown.act.call
    if seat.missing:
        return words.must_add, words.amount(seat.missing)
    posts = [post for post in seen.posts_due if post.seat == seat.seat]
    if posts:
        names = " + ".join(words.posts.get(post.kind, post.kind) for post in posts)
        return names, words.amount(sum(post.amount for post in posts))
    return "", ""


def _now(shown: View) -> str:
    match shown.act:
        case TurnPart():
            return f"{shown.act.who}: {shown.act.turn}"
        case _ if hasattr(shown.act, "name"):
            return str(shown.act.name)
        case _:
            return ""


def encoded(page: Part) -> bytes:
    return msgspec.json.encode(page)
