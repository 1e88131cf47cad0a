"""The table from above: felt, seats with what lies before them, pot, board and side pots."""

from display import theme
from display.canvas import Canvas
from display.layout import BET_HEIGHT, Layout, Place, SeatParts, seat_parts
from display.parts import BetPart, BoardCard, PotPart, SeatPart, View
from display.rect import Rect, around
from display.theme import Colour

FEW = 3  # cards of a seat that stand upright in its box; more lie in its last row


def draw_table(canvas: Canvas, view: View, plan: Layout) -> None:
    canvas.felt(plan.felt)
    canvas.box(plan.dealer, theme.RAIL_LIGHT, radius=15, edge=theme.RAIL)
    canvas.text(plan.dealer.inset(canvas.px(8), canvas.px(3)), view.dealer, theme.SOFT, align="centre", largest=18)
    for seat, place in zip(view.seats, plan.places, strict=False):
        _seat(canvas, seat, place)
    _pot(canvas, view, plan.pot)
    for card, rect in zip(view.board, plan.board, strict=False):
        _board_card(canvas, card, rect)
    _pots(canvas, view.pots, plan.pots)


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
    canvas.text(Rect(left, rect.y, label + 1, rect.h), view.pot_label, theme.SOFT, bold=True, largest=26)
    canvas.text(Rect(left + label + gap, rect.y, amount + 1, rect.h), view.pot, theme.WHITE, bold=True)


def _board_card(canvas: Canvas, card: BoardCard, rect: Rect) -> None:
    match card.kind:
        case "face":
            canvas.card(rect, card.face)
        case "back":
            canvas.card_back(rect)
        case "none":
            canvas.box(rect, None, radius=8, edge=theme.FELT_LINE, width=2)


def _pots(canvas: Canvas, pots: tuple[PotPart, ...], row: Rect) -> None:
    if not pots:
        return
    width = min(row.w // len(pots), canvas.px(230))
    left = row.centre[0] - width * len(pots) // 2
    for i, pot in enumerate(pots):
        _one_pot(canvas, pot, Rect(left + i * width, row.y, width, row.h).inset(canvas.px(3), 0))


def _one_pot(canvas: Canvas, pot: PotPart, rect: Rect) -> None:
    """Name and amount above, below the seats that may win it."""
    canvas.box(rect, theme.mix(theme.FELT, theme.BLACK, 0.5), radius=8)
    upper, lower = rect.inset(canvas.px(6), canvas.px(2)).rows((0.54, 0.46), gap=canvas.px(1))
    name, amount = upper.columns((0.46, 0.54), gap=canvas.px(6))
    canvas.text(name, pot.label, theme.SOFT, align="right", largest=16)
    canvas.text(amount, pot.amount, theme.WHITE, bold=True, largest=22)
    gap = canvas.px(3)
    size = min(lower.h, (lower.w + gap) // max(1, len(pot.seats)) - gap)
    left = lower.centre[0] - (len(pot.seats) * (size + gap) - gap) // 2
    for i, seat in enumerate(pot.seats):
        canvas.disc(Rect(left + i * (size + gap), lower.y, size, lower.h), theme.SOFT, str(seat), theme.BLACK)


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
        canvas.disc(place.button, theme.WHITE, "D", theme.BLACK, edge=theme.DIM)


def _beside_cards(canvas: Canvas, seat: SeatPart, rect: Rect, parts: SeatParts) -> Rect:
    """The row of a box as far as no tabled card covers it."""
    if not 0 < len(seat.shown) <= FEW:
        return rect
    return Rect(rect.x, rect.y, max(0, parts.shown.x - rect.x - canvas.px(5)), rect.h)


def _frame(canvas: Canvas, seat: SeatPart, box: Rect) -> tuple[Colour, Colour]:
    """The box itself; returns the colours of its large and its small words."""
    if seat.selected or seat.asked:
        outside = box.inset(-canvas.px(6))
        canvas.box(outside, theme.CHOSEN if seat.selected else theme.ASKED, radius=15)
    if seat.to_act:
        canvas.box(box, theme.TURN, edge=theme.WHITE, width=3)
    elif seat.look in ("in", "all_in"):
        edge = theme.GOOD if seat.won else theme.BAD if seat.look == "all_in" else theme.EDGE
        canvas.box(box, theme.SEAT, edge=edge, width=4 if seat.won else 3)
    else:
        canvas.box(box, theme.SEAT_DIM, edge=theme.mix(theme.EDGE, theme.NIGHT, 0.5))
    if seat.doubtful:
        canvas.hatch(box, theme.NOTICES["unknown"][0])
        canvas.box(box, None, edge=theme.NOTICES["unknown"][0], width=5)
    if seat.to_act:
        return theme.BLACK, theme.BLACK
    return (theme.WHITE, theme.SOFT) if seat.look in ("in", "all_in") else (theme.DIM, theme.DIM)


def _head(canvas: Canvas, seat: SeatPart, parts: SeatParts, ink: Colour) -> None:
    if seat.to_act:
        canvas.disc(parts.badge, theme.BLACK, str(seat.seat), theme.TURN)
    else:
        canvas.disc(parts.badge, ink, str(seat.seat), theme.BLACK)
    name = _beside_cards(canvas, seat, parts.name, parts)
    canvas.text(name, seat.name, ink, largest=21, smallest=14 if seat.shown else 17)
    if seat.level is not None or seat.doubtful:
        fill, words = theme.NOTICES[seat.level or "unknown"]
        canvas.disc(parts.cards, fill, theme.NOTICE_SIGNS[seat.level or "unknown"], words, edge=theme.WHITE)
    elif seat.cards_read is not None and not seat.shown:
        _cards_read(canvas, seat, parts.cards)


def _cards_read(canvas: Canvas, seat: SeatPart, rect: Rect) -> None:
    """Small cards, as many as the game deals: filled where one is read, an outline where it is not."""
    line = theme.BLACK if seat.to_act else theme.SOFT
    width, height = round(rect.h * 0.64), round(rect.h * 0.9)
    for i in range(seat.hole_cards):
        left = rect.right - (seat.hole_cards - i) * (width + canvas.px(3))
        card = Rect(left, rect.y + (rect.h - height) // 2, width, height)
        read = i < (seat.cards_read or 0)
        canvas.box(card, theme.CARD_BACK if read else None, radius=3, edge=theme.CARD if read else line, width=2)


def _stack(canvas: Canvas, seat: SeatPart, rect: Rect, ink: Colour) -> None:
    if seat.sign:
        wide = canvas.width(rect, seat.sign, bold=True, largest=26) + canvas.px(20)
        canvas.sign(rect.from_left(min(rect.w, wide))[0].inset(0, canvas.px(2)), theme.ALL_IN, seat.sign, theme.WHITE)
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
            canvas.box(room, theme.CARD_BACK, radius=4, edge=theme.CARD, width=2)


def _foot(canvas: Canvas, seat: SeatPart, rect: Rect, soft: Colour) -> None:
    """What was won, or the last action; at the right chips in the hand and chips that wait."""
    if seat.mark:
        words = canvas.width(rect, seat.mark, bold=True, largest=16) + canvas.px(14)
        mark, rest = rect.from_right(min(rect.w, words))
        canvas.sign(
            mark, theme.BLACK if seat.to_act else theme.BUSY, seat.mark, theme.TURN if seat.to_act else theme.BLACK
        )
        rect = Rect(rest.x, rest.y, max(0, rest.w - canvas.px(6)), rest.h)
    if seat.won:
        canvas.text(rect, seat.won, theme.GOOD, bold=True)
    elif rect.w > canvas.px(40):
        canvas.text(rect, seat.foot, soft, bold=seat.to_act, largest=18, smallest=13)


# ---------------------------------------------------------------- bets
def _bet(canvas: Canvas, bet: BetPart, place: Place) -> None:
    """A chip, the bet, and what is to be given back or added: beside it, or under it at the sides of the table."""
    extra, ink = _difference(bet)
    words = [(bet.amount, theme.PENCIL if bet.moving else theme.WHITE)] if bet.amount else []
    words += [(extra, ink)] if extra else []
    height = canvas.px(BET_HEIGHT)
    if place.side in ("top", "bottom"):
        _pill(canvas, place, place.bet, words, moving=bet.moving)
        return
    top = place.bet.centre[1] - height * len(words) // 2
    for i, one in enumerate(words):
        _pill(canvas, place, Rect(place.bet.x, top + i * height, place.bet.w, height), [one], moving=bet.moving)


def _difference(bet: BetPart) -> tuple[str, Colour]:
    """Change, what nobody called, or chips to add; never told by the colour alone."""
    if bet.change:
        return f"↩{bet.change}", theme.GOOD
    if bet.back:
        return f"↩{bet.back}", theme.SOFT
    return (f"+{bet.missing}", theme.BAD) if bet.missing else ("", theme.BAD)


def _pill(canvas: Canvas, place: Place, room: Rect, words: list[tuple[str, Colour]], *, moving: bool) -> None:
    """One row: a chip and words of one size; a push that is still being read has a dashed frame."""
    pad = canvas.px(4)
    icon = room.h - 2 * pad
    inside = Rect(0, 0, max(0, room.w - icon - 5 * pad), room.h - pad)
    px = canvas.size(inside, " ".join(text for text, _ in words), bold=True)
    widths = [theme.measure(text, px, bold=True) for text, _ in words]
    pill = _placed(place, room, min(room.w, icon + 5 * pad + sum(widths) + 2 * pad * (len(words) - 1)))
    canvas.box(pill, theme.mix(theme.FELT, theme.BLACK, 0.6), radius=18)
    if moving:
        canvas.dashed(pill, theme.PENCIL, width=3, dash=8)
    canvas.chip(Rect(pill.x + pad, pill.y + pad, icon, icon))
    x = pill.x + icon + 3 * pad
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
