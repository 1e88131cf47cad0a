"""The table from above: felt, seats with what lies before them, pot, board and side pots."""

from display import theme
from display.canvas import Canvas
from display.layout import SeatParts, seat_parts
from display.palettes import BLACK, WHITE, Colour
from display.parts import BetPart, BoardCard, PotPart, SeatPart, View
from display.plan import LINE, Layout, Place, at_least, bet_height
from display.rect import Rect, around

CHIPS_OF_A_BET = 3  # drawn in a bet: one of each of its largest values
FEW_BACKS = 2  # cards of a hand that are drawn one by one where they are read; more are a number
OVERLAP = 0.5  # share of a chip that the next one leaves in sight

FEW = 3  # cards of a seat that stand upright in its box; more lie in its last row


def draw_table(canvas: Canvas, view: View, plan: Layout) -> None:
    canvas.felt(plan.felt)
    canvas.box(plan.dealer, canvas.colours.rail_light, radius=15, edge=canvas.colours.rail)
    canvas.text(
        plan.dealer.inset(canvas.px(8), canvas.px(3)), view.dealer, canvas.colours.soft, align="centre", largest=18
    )
    for seat, place in zip(view.seats, plan.places, strict=False):
        _seat(canvas, seat, place)
    _pot(canvas, view, plan.pot)
    for card, rect in zip(view.board, plan.board, strict=False):
        _board_card(canvas, card, rect)
    _pots(canvas, view.pots, plan)


# ---------------------------------------------------------------- the middle
def _pot(canvas: Canvas, view: View, rect: Rect) -> None:
    """The word and the number, together in the middle."""
    if not view.pot:
        return
    gap = canvas.px(14)
    label = canvas.width(rect, view.pot_label, bold=True, largest=26)
    room = Rect(rect.x, rect.y, max(0, rect.w - label - gap), rect.h)
    amount = canvas.width(room, view.pot, bold=True)
    left = rect.centre[0] - (label + gap + amount) // 2
    canvas.text(Rect(left, rect.y, label + 1, rect.h), view.pot_label, canvas.colours.soft, bold=True, largest=26)
    canvas.text(Rect(left + label + gap, rect.y, amount + 1, rect.h), view.pot, canvas.colours.ink, bold=True)


def _board_card(canvas: Canvas, card: BoardCard, rect: Rect) -> None:
    match card.kind:
        case "face":
            canvas.card(rect, card.face)
        case "back":
            canvas.card_back(rect)
        case "none":
            canvas.box(rect, None, radius=8, edge=canvas.colours.felt_line, width=2)


def _pots(canvas: Canvas, pots: tuple[PotPart, ...], plan: Layout) -> None:
    if not pots:
        return
    if plan.slim:
        _pots_in_lines(canvas, pots, plan.pots)
        return
    row = plan.pots
    width = min(row.w // len(pots), canvas.px(230))
    left = row.centre[0] - width * len(pots) // 2
    for i, pot in enumerate(pots):
        _one_pot(canvas, pot, Rect(left + i * width, row.y, width, row.h).inset(canvas.px(3), 0))


def _pots_in_lines(canvas: Canvas, pots: tuple[PotPart, ...], rect: Rect) -> None:
    """Under the table of a small screen: name, amount and seats beside each other; names only where all have room."""
    lines = 2 if rect.h > 1.5 * at_least(30, LINE + 2, canvas.unit) else 1
    rows = rect.rows([1] * lines, gap=canvas.px(3))
    px, gap = int((rows[0].h - 2) / 1.17), canvas.px(8)
    per_row = -(-len(pots) // lines)
    parts = [pots[first : first + per_row] for first in range(0, len(pots), per_row)]
    named = all(sum(_pot_width(pot, px, gap, named=True) for pot in part) <= rect.w for part in parts)
    for row, part in zip(rows, parts, strict=False):
        widths = [_pot_width(pot, px, gap, named=named) for pot in part]
        x = row.x + max(0, row.w - sum(widths)) // 2
        for pot, width in zip(part, widths, strict=True):
            _pot_in_line(canvas, pot, Rect(x, row.y, width - gap // 2, row.h), px, named=named)
            x += width


def _pot_width(pot: PotPart, px: int, gap: int, *, named: bool) -> int:
    name = theme.measure(pot.label, px, bold=False) + gap if named else 0
    return name + theme.measure(pot.amount, px, bold=True) + gap + len(pot.seats) * (px + 4) + 2 * gap


def _pot_in_line(canvas: Canvas, pot: PotPart, rect: Rect, px: int, *, named: bool) -> None:
    canvas.box(rect, canvas.colours.panel, radius=8, edge=canvas.colours.edge, width=1)
    gap, x = canvas.px(8), rect.x + canvas.px(8)
    for text, bold, ink in ((pot.label if named else "", False, canvas.colours.soft), (pot.amount, True, None)):
        if text:
            width = theme.measure(text, px, bold=bold) + 1
            room = Rect(x, rect.y + 1, min(width, rect.right - x), rect.h - 2)
            canvas.text(room, text, ink or canvas.colours.ink, bold=bold, largest=px / canvas.unit)
            x += width + gap
    for i, seat in enumerate(pot.seats):
        disc = Rect(x + i * (px + 4), rect.y, px + 2, rect.h)
        canvas.disc(disc, canvas.colours.soft, str(seat), canvas.colours.panel)


def _one_pot(canvas: Canvas, pot: PotPart, rect: Rect) -> None:
    """Name and amount above, below the seats that may win it."""
    canvas.box(rect, canvas.colours.plate, radius=8)
    upper, lower = rect.inset(canvas.px(6), canvas.px(2)).rows((0.54, 0.46), gap=canvas.px(1))
    name, amount = upper.columns((0.46, 0.54), gap=canvas.px(6))
    canvas.text(name, pot.label, canvas.colours.soft, align="right", largest=16)
    canvas.text(amount, pot.amount, canvas.colours.ink, bold=True, largest=22)
    gap = canvas.px(3)
    size = min(lower.h, (lower.w + gap) // max(1, len(pot.seats)) - gap)
    left = lower.centre[0] - (len(pot.seats) * (size + gap) - gap) // 2
    for i, seat in enumerate(pot.seats):
        canvas.disc(
            Rect(left + i * (size + gap), lower.y, size, lower.h), canvas.colours.soft, str(seat), canvas.colours.plate
        )


# ---------------------------------------------------------------- seats
def _seat(canvas: Canvas, seat: SeatPart, place: Place) -> None:
    parts = seat_parts(place.box, canvas.unit)
    ink, soft = _frame(canvas, seat, place.box)
    _head(canvas, seat, parts, ink)
    if len(seat.shown) > FEW:
        stack, foot = parts.stack.columns((0.5, 0.5), gap=canvas.px(6))
        _stack(canvas, seat, stack, ink)
        _foot(canvas, seat, foot, soft)
        _many(canvas, seat.shown, parts.foot)
    else:
        _stack(canvas, seat, _beside_cards(canvas, seat, parts.stack, parts), ink)
        _foot(canvas, seat, _beside_cards(canvas, seat, parts.foot, parts), soft)
        if seat.shown:
            _shown(canvas, seat.shown, parts.shown)
    if seat.bet is not None:
        _bet(canvas, seat.bet, place)
    if seat.button:
        canvas.disc(place.button, WHITE, "D", BLACK, edge=canvas.colours.dim)


def _beside_cards(canvas: Canvas, seat: SeatPart, rect: Rect, parts: SeatParts) -> Rect:
    """The row of a box as far as no tabled card covers it."""
    if not 0 < len(seat.shown) <= FEW:
        return rect
    return Rect(rect.x, rect.y, max(0, parts.shown.x - rect.x - canvas.px(5)), rect.h)


def _frame(canvas: Canvas, seat: SeatPart, box: Rect) -> tuple[Colour, Colour]:
    """The box itself; returns the colours of its large and its small words."""
    if seat.selected or seat.asked:
        outside = box.inset(-canvas.px(6))
        canvas.box(outside, canvas.colours.chosen if seat.selected else canvas.colours.asked, radius=15)
    if seat.to_act:
        canvas.box(box, canvas.colours.turn, edge=canvas.colours.ink, width=3)
    elif seat.look in ("in", "all_in"):
        edge = (
            canvas.colours.good
            if seat.won
            else canvas.colours.bad_ink
            if seat.look == "all_in"
            else canvas.colours.edge
        )
        canvas.box(box, canvas.colours.seat, edge=edge, width=4 if seat.won else 3)
    else:
        canvas.box(box, canvas.colours.seat_dim, edge=theme.mix(canvas.colours.edge, canvas.colours.night, 0.5))
    if seat.doubtful:
        canvas.hatch(box, canvas.colours.notice("unknown")[0])
        canvas.box(box, None, edge=canvas.colours.notice("unknown")[0], width=5)
    if seat.to_act:
        return BLACK, BLACK
    return (
        (canvas.colours.ink, canvas.colours.soft)
        if seat.look in ("in", "all_in")
        else (canvas.colours.dim, canvas.colours.dim)
    )


def _head(canvas: Canvas, seat: SeatPart, parts: SeatParts, ink: Colour) -> None:
    if seat.to_act:
        canvas.disc(parts.badge, BLACK, str(seat.seat), canvas.colours.turn)
    else:
        canvas.disc(parts.badge, ink, str(seat.seat), canvas.colours.seat)
    covered = 0 < len(seat.shown) <= FEW and parts.shown.y < parts.name.bottom
    name = _beside_cards(canvas, seat, parts.name, parts) if covered else parts.name
    least = 14 if covered else at_least(17, LINE - 4, canvas.unit) / canvas.unit
    canvas.text(name, seat.name, ink, largest=max(21, least), smallest=least)
    if seat.level is not None or seat.doubtful:
        fill, words = canvas.colours.notice(seat.level or "unknown")
        canvas.disc(parts.cards, fill, theme.NOTICE_SIGNS[seat.level or "unknown"], words, edge=canvas.colours.ink)
    elif seat.cards_read is not None and not seat.shown:
        _cards_read(canvas, seat, parts.cards)


def _cards_read(canvas: Canvas, seat: SeatPart, rect: Rect) -> None:
    """Small cards, as many as the game deals: filled where one is read, an outline where it is not."""
    line = BLACK if seat.to_act else canvas.colours.soft
    if seat.hole_cards > FEW_BACKS:
        _cards_counted(canvas, seat, rect, line)
        return
    width, height = round(rect.h * 0.64), round(rect.h * 0.9)
    for i in range(seat.hole_cards):
        left = rect.right - (seat.hole_cards - i) * (width + canvas.px(3))
        card = Rect(left, rect.y + (rect.h - height) // 2, width, height)
        read = i < (seat.cards_read or 0)
        canvas.box(
            card,
            canvas.colours.card_back if read else None,
            radius=3,
            edge=canvas.colours.card if read else line,
            width=2,
        )


def _cards_counted(canvas: Canvas, seat: SeatPart, rect: Rect, ink: Colour) -> None:
    """More cards than there is room for: one of them, and how many are read."""
    read = seat.cards_read or 0
    number, card = rect.from_right(round(rect.w * 0.45))
    width, height = round(rect.h * 0.64), round(rect.h * 0.9)
    back = Rect(card.right - width - canvas.px(2), rect.y + (rect.h - height) // 2, width, height)
    fill, edge = (canvas.colours.card_back, canvas.colours.card) if read == seat.hole_cards else (None, ink)
    canvas.box(back, fill, radius=3, edge=edge, width=2)
    canvas.text(number, str(read), ink, bold=True, align="right", largest=21)


def _stack(canvas: Canvas, seat: SeatPart, rect: Rect, ink: Colour) -> None:
    if seat.sign:
        wide = canvas.width(rect, seat.sign, bold=True, largest=26) + canvas.px(20)
        canvas.sign(
            rect.from_left(min(rect.w, wide))[0].inset(0, canvas.px(2)), canvas.colours.all_in, seat.sign, WHITE
        )
    else:
        canvas.text(rect, seat.stack, ink, bold=True)


def _shown(canvas: Canvas, cards: tuple[str, ...], rect: Rect) -> None:
    for card, room in zip(cards, rect.columns([1] * len(cards), gap=canvas.px(4)), strict=True):
        canvas.card(room, card)


def _many(canvas: Canvas, cards: tuple[str, ...], rect: Rect) -> None:
    """Four to seven cards in one row: rank and suit beside each other; a card that lies face down is its back."""
    width = min((rect.w + canvas.px(2)) // len(cards) - canvas.px(2), round(rect.h * 1.35))
    for at, card in enumerate(cards):
        room = Rect(rect.x + at * (width + canvas.px(2)), rect.y, width, rect.h)
        if card:
            canvas.small_card(room, card)
        else:
            canvas.box(room, canvas.colours.card_back, radius=4, edge=canvas.colours.card, width=2)


def _foot(canvas: Canvas, seat: SeatPart, rect: Rect, soft: Colour) -> None:
    """What was won, or the last action; at the right chips in the hand and chips that wait."""
    if seat.mark:
        words = canvas.width(rect, seat.mark, bold=True, largest=16) + canvas.px(14)
        mark, rest = rect.from_right(min(rect.w, words))
        canvas.sign(
            mark,
            BLACK if seat.to_act else canvas.colours.busy,
            seat.mark,
            canvas.colours.turn if seat.to_act else BLACK,
        )
        rect = Rect(rest.x, rest.y, max(0, rest.w - canvas.px(6)), rest.h)
    if seat.won:
        canvas.text(rect, seat.won, canvas.colours.good_ink, bold=True)
    elif rect.w > canvas.px(40):
        canvas.text(rect, seat.foot, soft, bold=seat.to_act, largest=18, smallest=13)


# ---------------------------------------------------------------- bets
def _bet(canvas: Canvas, bet: BetPart, place: Place) -> None:
    """A chip, the bet, and what is to be given back or added: beside it, or under it where there are two rows."""
    extra, ink = _difference(canvas, bet)
    words = [(bet.amount, canvas.colours.pencil if bet.moving else canvas.colours.ink)] if bet.amount else []
    words += [(extra, ink)] if extra else []
    height = bet_height(canvas.unit)
    if place.bet.h < 2 * height:
        _pill(canvas, place, place.bet, words, bet)
        return
    top = place.bet.centre[1] - height * len(words) // 2
    for i, one in enumerate(words):
        _pill(canvas, place, Rect(place.bet.x, top + i * height, place.bet.w, height), [one], bet)


def _difference(canvas: Canvas, bet: BetPart) -> tuple[str, Colour]:
    """Change, what nobody called, or chips to add; never told by the colour alone."""
    if bet.change:
        return f"↩{bet.change}", canvas.colours.good_ink
    if bet.back:
        return f"↩{bet.back}", canvas.colours.soft
    return (f"+{bet.missing}", canvas.colours.bad_ink) if bet.missing else ("", canvas.colours.bad_ink)


def _pill(canvas: Canvas, place: Place, room: Rect, words: list[tuple[str, Colour]], bet: BetPart) -> None:
    """One row: chips and words of one size; a push that is still being read has a dashed frame."""
    pad = canvas.px(4)
    icon = room.h - 2 * pad
    chips = [value for value, _ in bet.chips[:CHIPS_OF_A_BET]] or [0]
    icons = icon + (len(chips) - 1) * round(icon * OVERLAP)
    inside = Rect(0, 0, max(0, room.w - icons - 5 * pad), room.h - pad)
    px = canvas.size(inside, " ".join(text for text, _ in words), bold=True)
    widths = [theme.measure(text, px, bold=True) for text, _ in words]
    pill = _placed(place, room, min(room.w, icons + 5 * pad + sum(widths) + 2 * pad * (len(words) - 1)))
    canvas.box(pill, canvas.colours.plate, radius=18)
    if bet.moving:
        canvas.dashed(pill, canvas.colours.pencil, width=3, dash=8)
    for i, value in reversed(list(enumerate(chips))):
        canvas.chip(Rect(pill.x + pad + i * round(icon * OVERLAP), pill.y + pad, icon, icon), value, plain=True)
    x = pill.x + icons + 3 * pad
    for (text, colour), width in zip(words, widths, strict=True):
        canvas.text(Rect(x, pill.y + pad // 2, width, inside.h), text, colour, bold=True)
        x += width + 2 * pad


def _placed(place: Place, room: Rect, width: int) -> Rect:
    """Against the box beside it; in the middle before the boxes above and below."""
    if place.side == "left":
        return Rect(room.x, room.y, width, room.h)
    if place.side == "right":
        return Rect(room.right - width, room.y, width, room.h)
    middle = min(max(place.box.centre[0], room.x + width // 2), room.right - width // 2)
    return around((middle, room.centre[1]), width, room.h)
