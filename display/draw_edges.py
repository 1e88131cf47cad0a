"""What stands above and below the table: the top line with its lamps, and the notices."""

from display import theme
from display.canvas import Canvas
from display.palettes import BLACK
from display.parts import Lamp, NoticePart, Tone, TopLine, View
from display.plan import LINE, Layout, at_least
from display.rect import Rect

LAMPS: tuple[Tone, ...] = ("bad", "busy", "good", "quiet")  # the worst first
LEAST_LEFT = 0.5  # share of the top line that lamps leave to hand, street and blinds
LAMP_LETTERS = 19  # pixels of the design
NOTICE_LETTERS = 21
LEGIBLE = 18  # pixels of the screen: smaller notices are cut and not shrunk


def draw_edges(canvas: Canvas, view: View, plan: Layout) -> None:
    _top(canvas, view.top, view.hint, plan)
    _strip(canvas, view.notices, plan.strip)


# ---------------------------------------------------------------- top line
def _top(canvas: Canvas, top: TopLine, hint: str, plan: Layout) -> None:
    """The time, hand and blinds at the left; at the right the health of broker and readers."""
    left, right = plan.top, plan.lamps
    if plan.top == plan.lamps:
        wide = canvas.width(Rect(0, 0, 10_000, left.h), top.left, largest=22) + canvas.px(16)
        wanted = canvas.px(24) + sum(_lamp_width(canvas, lamp.text, right) + canvas.px(16) for lamp in top.lamps)
        most = max(round(left.w * LEAST_LEFT), left.w - wanted - (canvas.px(90) if hint else 0))
        left, right = left.from_left(min(wide + _clock_width(canvas, top, left), most))
    if top.clock:
        clock, left = left.from_left(_clock_width(canvas, top, left))
        canvas.text(clock, top.clock, canvas.colours.ink, bold=True, largest=22)
    canvas.text(left, top.left, canvas.colours.soft, largest=22, smallest=17)
    if hint:
        written = canvas.text(right, hint, canvas.colours.dim, align="right", largest=18)
        right = Rect(right.x, right.y, max(0, written.x - canvas.px(18) - right.x), right.h)
    _lamps(canvas, top.lamps, right)


def _clock_width(canvas: Canvas, top: TopLine, rect: Rect) -> int:
    return canvas.width(rect, top.clock, bold=True, largest=22) + canvas.px(16) if top.clock else 0


def _lamps(canvas: Canvas, lamps: tuple[Lamp, ...], rect: Rect) -> None:
    """As many as there is room for, the first in the list nearest to the edge; of the rest how many they are.

    The broker's is always there. Then the worst come first: what is well may be a number.
    """
    shown, hidden = _chosen(canvas, lamps, rect)
    edge = rect.right
    for lamp in shown:
        width = _lamp_width(canvas, lamp.text, rect)
        ink = canvas.colours.tone(lamp.tone)
        canvas.disc(Rect(edge - width, rect.y, canvas.px(14), rect.h), ink, "", BLACK)
        words = Rect(edge - width + canvas.px(20), rect.y, width - canvas.px(20) + 1, rect.h)
        canvas.text(words, lamp.text, ink, largest=LAMP_LETTERS)
        edge -= width + canvas.px(16)
    if hidden:
        worst = min((lamp.tone for lamp in hidden), key=LAMPS.index)
        more = Rect(rect.x, rect.y, max(0, edge - rect.x), rect.h)
        canvas.text(more, f"+{len(hidden)}", canvas.colours.tone(worst), bold=True, align="right", largest=LAMP_LETTERS)


def _chosen(canvas: Canvas, lamps: tuple[Lamp, ...], rect: Rect) -> tuple[list[Lamp], list[Lamp]]:
    """Those that are shown, and those that are counted."""
    order = sorted(lamps, key=lambda lamp: (not lamp.always, LAMPS.index(lamp.tone)))
    widths = [_lamp_width(canvas, lamp.text, rect) + canvas.px(16) for lamp in order]
    counted = canvas.px(50)  # "+12"
    for many in range(len(order), 0, -1):
        room = rect.w + canvas.px(16) - (counted if many < len(order) else 0)
        if sum(widths[:many]) <= room or many == 1:
            return order[:many], order[many:]
    return [], []


def _lamp_width(canvas: Canvas, text: str, rect: Rect) -> int:
    return canvas.width(Rect(0, 0, 10_000, rect.h), text, largest=LAMP_LETTERS) + canvas.px(20)


# ---------------------------------------------------------------- notices
def _strip(canvas: Canvas, notices: tuple[NoticePart, ...], rect: Rect) -> None:
    """The most urgent ones, whole wherever that is possible; of the rest how many they are."""
    if not notices:
        return
    lines = 2 if rect.h >= 2 * at_least(0, LINE, canvas.unit) else 1
    rows = rect.rows([1] * lines, gap=canvas.px(3)) if lines > 1 and len(notices) > 1 else (rect,)
    packed = _packed(canvas, notices, rows)
    hidden = len(notices) - sum(len(row) for row in packed)
    for number, (row, room) in enumerate(zip(packed, rows, strict=False)):
        rest = room
        if hidden and number == len(rows) - 1:
            more, rest = room.from_right(canvas.px(60))
            canvas.text(more, f"+{hidden}", canvas.colours.ink, bold=True, align="centre", largest=24)
        _row(canvas, row, rest)


def _row(canvas: Canvas, row: list[NoticePart], rect: Rect) -> None:
    """Side by side, each as wide as it needs; the last one takes what is left."""
    for number, notice in enumerate(row):
        wide = rect.w if number == len(row) - 1 else _wanted(canvas, notice, rect)
        room, rect = rect.from_left(wide)
        rect = Rect(rect.x + canvas.px(8), rect.y, max(0, rect.w - canvas.px(8)), rect.h)
        _notice(canvas, notice, room)


def _packed(canvas: Canvas, notices: tuple[NoticePart, ...], rows: tuple[Rect, ...]) -> list[list[NoticePart]]:
    """Row by row: a further notice stands in a row only where all of it is whole beside what is there."""
    packed: list[list[NoticePart]] = [[] for _ in rows]
    at, left = 0, rows[0].w
    for number, notice in enumerate(notices):
        wanted = _wanted(canvas, notice, rows[at]) + canvas.px(8)
        last = canvas.px(60) if at == len(rows) - 1 and number < len(notices) - 1 else 0
        if packed[at] and wanted > left - last:
            if at == len(rows) - 1:
                break
            at, left = at + 1, rows[at + 1].w
        packed[at].append(notice)
        left -= wanted
    return [row for row in packed if row]


def _wanted(canvas: Canvas, notice: NoticePart, row: Rect) -> int:
    """How wide a notice is in letters of the usual size."""
    wide = theme.measure(notice.text, _letters(canvas, row), bold=notice.level == "alarm")
    return wide + row.h + canvas.px(12)


def _letters(canvas: Canvas, row: Rect) -> int:
    """Height of a notice's letters: as designed, and on a small screen as large as its row allows."""
    return max(canvas.px(NOTICE_LETTERS), min(LEGIBLE, int((row.h - 2) / 1.17)))


def _notice(canvas: Canvas, notice: NoticePart, rect: Rect) -> None:
    fill, ink = canvas.colours.notice(notice.level)
    canvas.box(rect, fill, radius=8)
    sign, words = rect.from_left(rect.h)
    canvas.disc(sign.inset(max(2, rect.h // 8)), ink, theme.NOTICE_SIGNS[notice.level], fill)
    words = Rect(words.x + canvas.px(2), words.y + 1, max(0, words.w - canvas.px(6)), words.h - 2)
    letters = _letters(canvas, rect)
    largest, least = letters / canvas.unit, min(letters, LEGIBLE) / canvas.unit
    canvas.text(words, notice.text, ink, bold=notice.level == "alarm", lines=2, largest=largest, smallest=least)
