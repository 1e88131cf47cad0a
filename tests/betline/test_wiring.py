"""`betline wiring`: drawings of the rows that the firmware runs on, and the ones in docs are those."""

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest

from betline.board.wiring import BOARDS, HEADER, modules_of, rows_of
from tests.betline.in_process import betline

DOCS = Path(__file__).parents[2] / "docs"
SHARED = ("SCK", "MOSI", "MISO")
NOT_FREE_ON_A_PICO = {23, 24, 25, 29}  # its regulator, VBUS, LED or radio, VSYS
NOT_FREE_ON_AN_S3 = {0, 3, 45, 46, 19, 20, *range(26, 38)}  # strapping, USB, flash and PSRAM


@pytest.mark.parametrize("board", BOARDS)
def test_the_drawing_in_docs_is_what_the_command_makes(board: str, tmp_path: Path) -> None:
    kept = (DOCS / f"wiring-{board}.svg").read_text(encoding="utf-8")
    assert betline(["wiring", board]).stdout == kept
    betline(["wiring", board, "--out", tmp_path / "x.svg"])
    assert (tmp_path / "x.svg").read_text(encoding="utf-8") == kept


@pytest.mark.parametrize("board", BOARDS)
def test_every_pin_of_a_board_is_drawn_and_serves_one_thing(board: str) -> None:
    rows = rows_of(board)
    texts = [
        one.text or "" for one in ET.fromstring(betline(["wiring", board]).stdout).iter() if one.tag.endswith("text")
    ]
    chips = [row[3:] for row in rows.CHIPS]
    own = [pin for row in chips for pin in row[3:]] + [rows.BUTTON] + list(rows.CARDS[2:] if rows.CARDS else ())
    buses = {row[2]: row[3:6] for row in rows.CHIPS}
    assert all(row[3:6] == buses[row[2]] for row in rows.CHIPS), "chips of one bus share its three wires"
    everything = own + [pin for bus in buses.values() for pin in bus]
    assert [pin for pin, count in Counter(everything).items() if count > 1] == []
    is_pico = rows.CONTROLLER.startswith("Pico")
    assert not set(everything) & (NOT_FREE_ON_A_PICO if is_pico else NOT_FREE_ON_AN_S3)
    for pin in everything:
        assert (f"GP{pin} (pin {HEADER[pin]})" if is_pico else f"IO{pin}") in texts
    assert len(rows.PLACES) == len(rows.CHIPS) + (rows.CARDS is not None)


def test_a_pico_s_buses_are_where_its_chip_has_them() -> None:
    """RP2040 datasheet, table 2: SPI0 and SPI1 by GPIO modulo 16, in fours RX, CSn, SCK, TX; UART0 on 0 and 1."""
    for board in BOARDS:
        rows = rows_of(board)
        if rows.CONTROLLER.startswith("Pico"):
            for _, _, bus, sck, mosi, miso, *_ in rows.CHIPS:
                assert [pin % 4 for pin in (sck, mosi, miso)] == [2, 3, 0], board
                assert {pin % 16 // 8 for pin in (sck, mosi, miso)} == {bus}, board
            assert rows.CARDS in (None, (3, 0, 0, 1))


def test_every_module_has_its_power_and_ground() -> None:
    for board in BOARDS:
        for module in modules_of(rows_of(board)):
            names = [wire.there for wire in module.wires]
            assert "button" in module.title or {"5 V", "GND"} <= set(names)
            assert ("3.3 V" in names) == module.title.startswith("PN5180")


def test_a_board_that_nobody_knows_is_one_line() -> None:
    done = betline(["wiring", "sofa"])
    assert done.returncode == 1
    assert done.stderr == "betline: sofa: no such board: there are seat, seat_iso15693, middle, seat_s3\n"
