"""Under the table: the ruling, the question, who is to act; over everything: banner, curtain, help."""

from controller.snapshot import Stack
from display import theme
from display.canvas import Canvas
from display.layout import choice_rooms, question_parts
from display.palettes import BLACK, WHITE, Colour
from display.parts import (
    Banner,
    ChoicePart,
    Curtain,
    EntryPart,
    HelpPart,
    QuestionPart,
    RulingPart,
    StepPart,
    TurnPart,
    View,
)
from display.plan import Layout
from display.rect import Rect, around

CHIPS_IN_A_ROW = 3
CHIP_OF_A_CHOICE = 56  # pixels of the design
MOST_CHIPS_OF_A_CHOICE = 3  # that are drawn beside it, where the words have room; all of them are named
LEAST_LABEL = 15  # pixels of the design: smaller words of a choice would be too dear for its chips
LEAST_CHOICE = 150  # pixels of the design: a narrower field has no room for a rule
DOUBT_LINE = 21  # pixels of the design
BEHIND_LINE = 26
FLAT = 3.5  # width : height of a panel in which things stand beside each other
LEAST_HEADLINE = 42  # pixels of the design: a longer headline is broken into two lines


def draw_panels(canvas: Canvas, view: View, plan: Layout) -> None:
    if view.question is not None and not isinstance(view.act, EntryPart):
        _question(canvas, view.question, plan.panel)
    else:
        _left_panel(canvas, view, plan.ruling)
        _act(canvas, view.act, _behind(canvas, view.behind, plan.act))


def _left_panel(canvas: Canvas, view: View, rect: Rect) -> None:
    if view.question is not None:
        _question(canvas, view.question, rect)
    elif view.ruling is not None:
        _ruling(canvas, view.ruling, rect)
    else:
        canvas.box(rect, canvas.colours.panel, edge=canvas.colours.edge)
        canvas.text(rect.inset(canvas.px(20)), view.no_ruling, canvas.colours.dim, align="centre", largest=24)


# ---------------------------------------------------------------- the last ruling
def _ruling(canvas: Canvas, ruling: RulingPart, rect: Rect) -> None:
    if ruling.provisional:
        canvas.box(rect, canvas.colours.night, radius=0)
        canvas.dashed(rect, canvas.colours.pencil, width=5, dash=18)
        ink = canvas.colours.pencil
    else:
        canvas.box(rect, canvas.colours.panel, edge=canvas.colours.good, width=4)
        ink = canvas.colours.ink
    inside = _doubts(canvas, ruling.doubts, rect.inset(canvas.px(16), canvas.px(9)))
    if ruling.chips_label:
        chips, inside = inside.from_right(round(inside.w * 0.36))
        _to_move(canvas, ruling, Rect(chips.x + canvas.px(14), chips.y, chips.w - canvas.px(14), chips.h))
    one_line = theme.measure(ruling.headline, canvas.px(LEAST_HEADLINE), bold=True) <= inside.w
    shares = (0.47, 0.36, 0.17) if one_line else (0.55, 0.29, 0.16)
    headline, sentence, foot = inside.rows(shares, gap=canvas.px(2))
    canvas.text(headline, ruling.headline, ink, bold=True, lines=2, largest=58)
    canvas.text(sentence, ruling.sentence, ink, lines=3, largest=22)
    _ruling_foot(canvas, ruling, foot)


def _doubts(canvas: Canvas, doubts: tuple[str, ...], rect: Rect) -> Rect:
    """Small lines under the ruling, over its whole width; the room that is left above them."""
    for doubt in reversed(doubts):
        line = Rect(rect.x, rect.bottom - canvas.px(DOUBT_LINE), rect.w, canvas.px(DOUBT_LINE))
        rect = Rect(rect.x, rect.y, rect.w, rect.h - line.h)
        canvas.text(line, doubt, canvas.colours.busy_ink, largest=18)
    return rect


def _ruling_foot(canvas: Canvas, ruling: RulingPart, rect: Rect) -> None:
    """Settling or inferred, what it waits for, the rule; at the right the chips it was judged on."""
    rest = rect
    if ruling.note:
        width = canvas.width(rect, ruling.note, bold=True, largest=19) + canvas.px(16)
        note, rest = rect.from_left(min(width, rect.w // 3))
        fill = canvas.colours.busy if ruling.provisional else canvas.colours.edge
        canvas.sign(note, fill, ruling.note, BLACK if ruling.provisional else canvas.colours.ink)
        rest = Rect(rest.x + canvas.px(10), rest.y, max(0, rest.w - canvas.px(10)), rest.h)
    if ruling.seen and not ruling.waits:
        rule = canvas.width(rest, ruling.rule, largest=19)
        seen = Rect(rest.x + rule + canvas.px(20), rest.y, max(0, rest.w - rule - canvas.px(20)), rest.h)
        _chips_seen(canvas, ruling.seen, ruling.seen_title, seen, (canvas.colours.soft, canvas.colours.dim))
        rest = Rect(rest.x, rest.y, rule + 1, rest.h)
    colour = canvas.colours.busy_ink if ruling.waits else canvas.colours.soft
    canvas.text(rest, ruling.waits or ruling.rule, colour, largest=19, smallest=16)


def _chips_seen(canvas: Canvas, chips: Stack, said: str, rect: Rect, inks: tuple[Colour, Colour]) -> None:
    """The chips pushed, as coloured discs and words, against the right edge, as far as there is room."""
    right = rect.right
    for denomination, count in reversed(chips):
        words = f"{count} × {theme.short(denomination)}"
        width = canvas.width(rect, words, bold=True, largest=19)
        chip = Rect(right - width - rect.h - canvas.px(5), rect.y, rect.h, rect.h)
        if chip.x < rect.x:
            return
        canvas.chip(chip.inset(canvas.px(1)), denomination)
        canvas.text(Rect(right - width - 1, rect.y, width + 1, rect.h), words, inks[0], bold=True, largest=19)
        right = chip.x - canvas.px(12)
    title = canvas.width(rect, said, largest=18)
    if right - title > rect.x:
        canvas.text(Rect(right - title - 1, rect.y, title + 1, rect.h), said, inks[1], largest=18)


def _to_move(canvas: Canvas, ruling: RulingPart, rect: Rect) -> None:
    """Chips that somebody has to move now: change to give back, or what is missing."""
    colour = canvas.colours.tone(ruling.chips_tone)
    canvas.box(rect, theme.mix(canvas.colours.panel, colour, 0.1), radius=10, edge=colour, width=3)
    inside = rect.inset(canvas.px(10), canvas.px(6))
    if not ruling.chips:
        label, amount = inside.rows((0.36, 0.64))
        canvas.text(label, ruling.chips_label, colour, bold=True, align="centre", largest=34)
        canvas.text(amount, ruling.chips_amount, colour, bold=True, align="centre")
        return
    title, chips = inside.rows((0.41, 0.59), gap=canvas.px(3))
    width = canvas.width(title, ruling.chips_label, bold=True, largest=22)
    label, amount = title.from_left(width + canvas.px(10))
    canvas.text(label, ruling.chips_label, colour, bold=True, largest=22)
    canvas.text(amount, ruling.chips_amount, colour, bold=True, align="right")
    across = len(ruling.chips) if len(ruling.chips) <= CHIPS_IN_A_ROW else -(-len(ruling.chips) // 2)
    rows = [ruling.chips[i : i + across] for i in range(0, len(ruling.chips), across)]
    for stack, row in zip(rows, chips.rows([1] * len(rows), gap=canvas.px(2)), strict=True):
        _chips(canvas, stack, row, across)


def _chips(canvas: Canvas, stack: Stack, row: Rect, across: int) -> None:
    """Chips as they are handed over: each denomination drawn, and how many of it."""
    each = min(row.w // across, round(row.h * 1.8))
    left = row.centre[0] - each * len(stack) // 2
    for i, (denomination, count) in enumerate(stack):
        chip, words = Rect(left + i * each, row.y, each, row.h).from_left(min(row.h, round(each * 0.6)))
        canvas.chip(chip, denomination)
        canvas.text(words.inset(canvas.px(4), 0), f"×{count}", canvas.colours.ink, bold=True, largest=36)


# ---------------------------------------------------------------- question
def _question(canvas: Canvas, asked: QuestionPart, rect: Rect) -> None:
    """All attention: the whole panel in one colour, dark words, the readings as numbered fields."""
    canvas.box(rect, canvas.colours.asked, edge=canvas.colours.ink, width=4)
    title, text, why, below = question_parts(rect, canvas.unit)
    _question_title(canvas, asked, title)
    if not asked.why:
        text = Rect(text.x, text.y, text.w, why.bottom - text.y)
    if not asked.choices:
        text, why, hint = Rect(text.x, text.y, text.w, below.bottom - text.y).rows((0.6, 0.23, 0.17))
        canvas.text(hint, asked.hint, BLACK, largest=19)
    canvas.text(text, asked.text, BLACK, bold=True, lines=1 if asked.why and asked.choices else 2, largest=50)
    canvas.text(why, asked.why, BLACK, largest=24)
    for choice, room in zip(asked.choices, choice_rooms(rect, len(asked.choices), canvas.unit), strict=True):
        _choice(canvas, choice, room)


def _question_title(canvas: Canvas, asked: QuestionPart, rect: Rect) -> None:
    """Whom it is about; at the right the push, chip by chip, or how to answer where there is none."""
    width = canvas.width(rect, asked.title, bold=True, largest=22)
    title, rest = rect.from_left(min(width + canvas.px(14), round(rect.w * 0.62)))
    canvas.text(title, asked.title, BLACK, bold=True, largest=22)
    if asked.seen:
        plate = Rect(rest.x, rest.y, rest.w, rest.h)
        _chips_seen(canvas, asked.seen, asked.seen_title, plate, (BLACK, BLACK))
    else:
        canvas.text(rest, asked.hint if asked.choices else "", BLACK, align="right", largest=18)


def _choice(canvas: Canvas, choice: ChoicePart, rect: Rect) -> None:
    canvas.box(rect, canvas.colours.night, radius=9)
    number, words = rect.inset(canvas.px(6), canvas.px(4)).from_left(min(canvas.px(52), rect.h, rect.w // 4))
    lines = 3 if rect.w > 2 * rect.h else 5
    canvas.disc(number, canvas.colours.asked, str(choice.number), BLACK)
    words = Rect(words.x + canvas.px(8), words.y, words.w - canvas.px(8), words.h)
    if rect.w < canvas.px(LEAST_CHOICE):
        canvas.text(words, choice.label, canvas.colours.ink, bold=True, lines=lines, largest=28)
        return
    shown = choice.chips[:MOST_CHIPS_OF_A_CHOICE]
    chips, beside = words.from_right(len(shown) * min(rect.h, canvas.px(CHIP_OF_A_CHOICE)))
    if shown and canvas.is_whole(beside.rows((0.74, 0.26))[0], choice.label, lines=3, smallest=LEAST_LABEL):
        _chips_of_a_choice(canvas, shown, chips)
        words = beside
    label, rule = words.rows((0.74, 0.26) if lines < 5 else (0.85, 0.15))
    canvas.text(label, choice.label, canvas.colours.ink, bold=True, lines=lines, largest=28)
    canvas.text(rule, choice.rule, canvas.colours.soft, largest=17)


def _chips_of_a_choice(canvas: Canvas, chips: Stack, rect: Rect) -> None:
    """One of each value, and how many."""
    for (denomination, count), room in zip(chips, rect.columns([1] * len(chips)), strict=True):
        chip, below = room.rows((0.7, 0.3)) if count > 1 else (room, room)
        canvas.chip(chip.inset(canvas.px(2)), denomination)
        if count > 1:
            canvas.text(below, f"×{count}", canvas.colours.ink, bold=True, align="centre", largest=20)


# ---------------------------------------------------------------- who is to act
def _behind(canvas: Canvas, text: str, rect: Rect) -> Rect:
    """A line at the lower edge that says how far the game is ahead of what stands above it; the room that is left."""
    if not text:
        return rect
    height = canvas.px(BEHIND_LINE)
    line = Rect(rect.x, rect.bottom - height, rect.w, height)
    canvas.text(line.inset(canvas.px(6), 0), text, canvas.colours.busy_ink, align="centre", largest=20)
    return Rect(rect.x, rect.y, rect.w, rect.h - height)


def _act(canvas: Canvas, act: TurnPart | StepPart | EntryPart, rect: Rect) -> None:
    match act:
        case TurnPart():
            _turn(canvas, act, rect)
        case StepPart():
            _step(canvas, act, rect)
        case EntryPart():
            _entry(canvas, act, rect)


def _turn(canvas: Canvas, act: TurnPart, rect: Rect) -> None:
    canvas.box(rect, canvas.colours.panel, edge=canvas.colours.turn, width=4)
    if rect.w > FLAT * rect.h:
        _flat_turn(canvas, act, rect)
        return
    head, body = rect.rows((0.24, 0.76))
    canvas.box(head, canvas.colours.turn, radius=9)
    badge, rest = head.inset(canvas.px(10), canvas.px(4)).from_left(head.h - canvas.px(8))
    canvas.disc(badge, BLACK, str(act.seat), canvas.colours.turn)
    turn, who = rest.from_right(canvas.width(rest, act.turn, largest=24) + 1)
    canvas.text(turn, act.turn, BLACK, align="right", largest=24)
    who = Rect(who.x + canvas.px(10), who.y, max(0, who.w - canvas.px(20)), who.h)
    canvas.text(who, act.who, BLACK, bold=True, smallest=20)
    call, raise_row = body.inset(canvas.px(16), canvas.px(5)).rows((0.57, 0.43), gap=canvas.px(2))
    _labelled(canvas, act.call_label, act.call, call, canvas.colours.ink)
    if act.most:
        raise_row, most = raise_row.columns((0.72, 0.28))
        canvas.text(most, act.most, canvas.colours.soft, align="right", lines=2, largest=18)
    _labelled(canvas, act.raise_label, act.raise_to, raise_row, canvas.colours.turn_ink)


def _flat_turn(canvas: Canvas, act: TurnPart, rect: Rect) -> None:
    """On a standing panel: who, what it costs, and the smallest raise, beside each other."""
    head, call, least = rect.columns((0.36, 0.28, 0.36))
    canvas.box(head, canvas.colours.turn, radius=9)
    name, turn = head.inset(canvas.px(10), canvas.px(8)).rows((0.6, 0.4))
    badge, who = name.from_left(name.h)
    canvas.disc(badge, BLACK, str(act.seat), canvas.colours.turn)
    canvas.text(Rect(who.x + canvas.px(8), who.y, max(0, who.w - canvas.px(8)), who.h), act.who, BLACK, bold=True)
    canvas.text(turn, act.turn, BLACK, align="right", largest=26)
    _over(canvas, act.call_label, act.call, call, canvas.colours.ink)
    label = act.most and f"{act.raise_label} ({act.most})"
    _over(canvas, label or act.raise_label, act.raise_to, least, canvas.colours.turn_ink)


def _over(canvas: Canvas, label: str, amount: str, rect: Rect, ink: Colour) -> None:
    """A number, and over it in small words what it is."""
    words, number = rect.inset(canvas.px(10), canvas.px(8)).rows((0.36, 0.64))
    canvas.text(words, label if amount else "", canvas.colours.soft, align="centre", largest=26)
    canvas.text(number, amount or label, ink if amount else canvas.colours.soft, bold=True, align="centre", largest=60)


def _labelled(canvas: Canvas, label: str, amount: str, rect: Rect, ink: Colour) -> None:
    if not label or not amount:
        canvas.text(
            rect, amount or label, ink if amount else canvas.colours.soft, bold=True, largest=None if amount else 30
        )
        return
    words, number = rect.columns((0.38, 0.62), gap=canvas.px(8))
    canvas.text(words, label, canvas.colours.soft, lines=2, largest=24)
    canvas.text(number, amount, ink, bold=True)


def _step(canvas: Canvas, act: StepPart, rect: Rect) -> None:
    canvas.box(rect, canvas.colours.panel, edge=canvas.colours.edge, width=3)
    inside = rect.inset(canvas.px(16), canvas.px(10))
    if rect.w > FLAT * rect.h:
        left, rest = inside.columns((0.42, 0.58), gap=canvas.px(16))
        name, keys = left.rows((0.66, 0.34), gap=canvas.px(2))
    else:
        name, rest, keys = inside.rows((0.36, 0.48, 0.16), gap=canvas.px(2))
    canvas.text(name, act.name, canvas.colours.ink, bold=True, largest=42)
    canvas.text(keys, act.keys, canvas.colours.dim, largest=18)
    ink = canvas.colours.good_ink if act.won else canvas.colours.soft
    for line, room in zip(act.lines, rest.rows([1] * max(1, len(act.lines))), strict=True):
        canvas.text(room, line, ink, bold=act.won, lines=3, largest=30 if act.won else 26)


def _entry(canvas: Canvas, act: EntryPart, rect: Rect) -> None:
    canvas.box(rect, canvas.colours.panel, edge=canvas.colours.chosen, width=4)
    who, words, hint = rect.inset(canvas.px(16), canvas.px(10)).rows((0.22, 0.54, 0.24), gap=canvas.px(4))
    canvas.text(who, act.who, canvas.colours.chosen, bold=True, largest=26)
    canvas.text(words, act.words, canvas.colours.ink, bold=True, lines=2, largest=52)
    canvas.text(hint, act.hint, canvas.colours.soft, largest=18)


# ---------------------------------------------------------------- over everything
def draw_banner(canvas: Canvas, banner: Banner, plan: Layout) -> None:
    """A band over the board: nobody can miss it, and the pot and the seats stay in sight."""
    band = around((plan.frame.centre[0], plan.board[0].centre[1]), round(plan.frame.w * 0.56), canvas.px(96))
    fill = canvas.colours.notice("alarm")[0] if banner.tone == "bad" else canvas.colours.busy
    canvas.box(band, fill, radius=12, edge=WHITE, width=4)
    ink = WHITE if banner.tone == "bad" else BLACK
    canvas.text(
        band.inset(canvas.px(16), canvas.px(8)), banner.text, ink, bold=True, align="centre", lines=2, largest=50
    )


def draw_frame(canvas: Canvas, plan: Layout) -> None:
    """The whole picture framed: a question waits."""
    canvas.box(plan.frame, None, radius=0, edge=canvas.colours.asked, width=5)


def draw_curtain(canvas: Canvas, curtain: Curtain, plan: Layout) -> None:
    canvas.fill(plan.screen, canvas.colours.night)
    title, hint = plan.frame.inset(canvas.px(60), canvas.px(220)).rows((0.6, 0.4))
    canvas.text(title, curtain.title, canvas.colours.busy_ink, bold=True, align="centre", lines=2, largest=80)
    canvas.text(hint, curtain.hint, canvas.colours.soft, align="centre", lines=3, largest=26)


def draw_help(canvas: Canvas, shown: HelpPart, plan: Layout) -> None:
    canvas.veil(plan.screen, canvas.colours.night, 200)
    sheet = plan.frame.inset(canvas.px(40), canvas.px(30))
    canvas.box(sheet, canvas.colours.panel, radius=14, edge=canvas.colours.chosen, width=3)
    title, body = sheet.inset(canvas.px(24), canvas.px(16)).rows((0.09, 0.91), gap=canvas.px(6))
    canvas.text(title, shown.title, canvas.colours.chosen, bold=True)
    half = -(-len(shown.lines) // 2)
    for column, first in zip(body.columns((1, 1), gap=canvas.px(24)), (0, half), strict=True):
        lines = shown.lines[first : first + half]
        for (keys, what), row in zip(lines, column.rows([1] * half)[: len(lines)], strict=True):
            cap, words = row.columns((0.33, 0.67), gap=canvas.px(8))
            canvas.text(cap, keys, canvas.colours.turn_ink, bold=True, largest=22)
            canvas.text(words, what, canvas.colours.ink, largest=20, lines=2)
