"""`betline wiring`: which wire goes where, as a drawing (SVG), made of the rows that the firmware itself runs on."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from xml.sax.saxutils import escape

import typer

from firmware_bridge.errors import BetlineError

BOARDS = ("seat", "seat_iso15693", "middle", "seat_s3")
BOARD_MODULES = "firmware_bridge.firmware.boards"
HEADER = {0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19, 15: 20}
HEADER |= {16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34}  # of a Pico, by GPIO
COLOURS = {
    "SCK": "#1f6feb",
    "MOSI": "#8250df",
    "MISO": "#1a7f37",
    "NSS": "#9a6700",
    "BUSY": "#bf3989",
    "RST": "#57606a",
}
SUPPLY = {"5 V": "#cf222e", "3.3 V": "#e16f24", "GND": "#24292f"}
OWN_SUPPLY, BESIDE = "5 V supply", 110  # comes from beside the controller, not out of it
ROW, GAP, TOP, LEFT, WIDE, RIGHT, END = 20, 26, 70, 30, 190, 470, 690


class Wire(NamedTuple):
    """One line of the drawing: what stands at the controller, and what at the module."""

    here: str
    there: str
    colour: str


class Module(NamedTuple):
    title: str
    wires: tuple[Wire, ...]


def run(
    board: Annotated[str, typer.Argument(help=f"One of {', '.join(BOARDS)}.")] = "seat",
    *,
    out: Annotated[Path | None, typer.Option("--out", help="Write it there; else it is printed.")] = None,
) -> None:
    """Draw how the modules of a board are wired, as SVG. Pins are those of its file in firmware_bridge/firmware/boards.

    Nobody has built one of these yet: look at the names on your own modules.

    Example: betline wiring middle --out middle.svg
    """
    text = drawing(rows_of(board), board)
    if out is None:
        print(text, end="")
    else:
        out.write_text(text, encoding="utf-8")


def rows_of(board: str) -> Any:
    """The rows of a board that this betline knows."""
    if board not in BOARDS:
        raise BetlineError(f"{board}: no such board: there are {', '.join(BOARDS)}")
    return importlib.import_module(f"{BOARD_MODULES}.{board}")


def modules_of(rows: Any) -> Iterator[Module]:
    places = dict(enumerate(rows.PLACES, 1))
    for antenna, tags, _, *pins in rows.CHIPS:
        signals = [Wire(_pin(rows, pin), name, COLOURS[name]) for name, pin in zip(COLOURS, pins, strict=True)]
        title = f"PN5180: {places[antenna]} (antenna {antenna}, {tags} tags)"
        yield Module(title, (*signals, *_power("5 V", "3.3 V")))
    if rows.CARDS is not None:
        antenna, _, tx, rx = rows.CARDS
        lines = Wire(_pin(rows, tx), "RX (SCL)", COLOURS["MOSI"]), Wire(_pin(rows, rx), "TX (SDA)", COLOURS["MISO"])
        yield Module(f"PN532 at HSU: {places[antenna]} (antenna {antenna})", (*lines, *_power("5 V")))
    ground = Wire("GND", "other side", SUPPLY["GND"])
    yield Module("button; held at reset: prompt", (Wire(_pin(rows, rows.BUTTON), "one side", "#57606a"), ground))


def _power(*names: str) -> Iterator[Wire]:
    for name in (*names, "GND"):
        yield Wire({"5 V": OWN_SUPPLY, "3.3 V": "3V3"}.get(name, name), name, SUPPLY[name])


def _pin(rows: Any, pin: int) -> str:
    return f"IO{pin}" if rows.CONTROLLER.startswith("ESP32") else f"GP{pin} (pin {HEADER[pin]})"


def drawing(rows: Any, name: str) -> str:
    """A box for the controller, a box for each module, and straight wires between them."""
    parts, y = list[str](), TOP
    for module in modules_of(rows):
        height = ROW * len(module.wires) + 30
        parts.append(_box(RIGHT, y, END - RIGHT, height, module.title))
        for number, wire in enumerate(module.wires):
            parts.append(_wire(y + 38 + ROW * number, wire))
        y += height + GAP
    title = f"{name}: {rows.CONTROLLER}"
    notes = (
        "5 V supply: a supply of its own along the table, never USB; its ground joined with the controller's.",
        "3V3 of a Pico gives 300 mA in all: measure what your modules draw there.",
        "Wires of SPI below 10 cm. The pin IRQ is not used. Nobody has built this yet.",
    )
    below = [_text(LEFT, y + 8 + 18 * number, note) for number, note in enumerate(notes)]
    controller = _box(LEFT, TOP, WIDE, y - GAP - TOP, rows.CONTROLLER)
    size = f'width="720" height="{y + 60}" viewBox="0 0 720 {y + 60}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="13">'
    back = '<rect width="100%" height="100%" fill="#ffffff"/>'
    return "\n".join(
        [
            head,
            back,
            _text(LEFT, 36, title, "font-weight='bold' font-size='18'"),
            controller,
            *parts,
            *below,
            "</svg>",
            "",
        ]
    )


def _box(x: int, y: int, width: int, height: int, title: str) -> str:
    box = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="#f6f8fa" stroke="#57606a"/>'
    return f"{box}\n{_text(x + 8, y + 18, title, 'font-weight=' + repr('bold') + ' font-size=' + repr('12'))}"


def _wire(y: int, wire: Wire) -> str:
    begin = LEFT + WIDE + (BESIDE if wire.here == OWN_SUPPLY else 0)
    line = f'<line x1="{begin}" y1="{y}" x2="{RIGHT}" y2="{y}" stroke="{wire.colour}" stroke-width="2.5"/>'
    return "\n".join(
        (line, _text(begin - 8, y + 4, wire.here, "text-anchor='end'"), _text(RIGHT + 8, y + 4, wire.there))
    )


def _text(x: int, y: int, text: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" fill="#24292f" {more}>{escape(text)}</text>'.replace(" >", ">")
