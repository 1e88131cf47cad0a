"""Check values of the catalogue of CRCs, and real frames that carry them."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.wire.checksums import (
    complement8,
    crc16_ccitt_false,
    crc16_genibus,
    crc16_mcrf4xx,
    is_crc16_genibus,
    is_crc16_mcrf4xx,
    sum8,
)

FRAMES = json.loads((Path(__file__).parent.parent / "data" / "frames.json").read_text())
DIGITS = b"123456789"


def test_check_values() -> None:
    assert crc16_ccitt_false(DIGITS) == 0x29B1
    assert crc16_genibus(DIGITS) == 0xD64E
    assert crc16_mcrf4xx(DIGITS) == 0x6F91
    assert sum8(DIGITS) == 0xDD
    assert complement8(DIGITS) == 0x23


@given(st.binary(max_size=80))
def test_ccitt_false_over_data_and_its_crc_is_zero(data: bytes) -> None:
    assert crc16_ccitt_false(data + crc16_ccitt_false(data).to_bytes(2)) == 0


@given(st.binary(max_size=80), st.integers(0, 0xFFFF))
def test_mcrf4xx_is_seen_low_byte_first_behind_its_data_and_no_other_value_is(data: bytes, other: int) -> None:
    right = crc16_mcrf4xx(data)
    assert is_crc16_mcrf4xx(data + right.to_bytes(2, "little"))
    assert is_crc16_mcrf4xx(data + other.to_bytes(2, "little")) is (other == right)


def test_mcrf4xx_is_what_metratec_appends_to_its_commands() -> None:
    assert f"{crc16_mcrf4xx(b'WAK '):04X}" == "5E70"
    assert f"{crc16_mcrf4xx(b'COF '):04X}" == "4F5E"


@given(st.binary(max_size=80), st.integers(0, 0xFFFF))
def test_genibus_is_seen_high_byte_first_behind_its_data_and_no_other_value_is(data: bytes, other: int) -> None:
    right = crc16_genibus(data)
    assert is_crc16_genibus(data + right.to_bytes(2))
    assert is_crc16_genibus(data + other.to_bytes(2)) is (other == right)


@given(st.binary(max_size=300) | st.integers(0, 300).map(lambda n: b"\xff" * n))
def test_sum8_is_the_sum(data: bytes) -> None:
    assert sum8(data) == sum(data) % 256


@given(st.binary(max_size=80))
def test_complement_brings_the_sum_to_zero(data: bytes) -> None:
    assert sum8(data + bytes((complement8(data),))) == 0


def test_genibus_is_what_gen2_tags_send_after_pc_and_epc() -> None:
    notices = [f["decoded"] for f in FRAMES if f["decoded"].get("epc_crc_ok")]
    assert len(notices) >= 3
    for notice in notices:
        assert crc16_genibus(bytes.fromhex(notice["pc"] + notice["epc"])) == int(notice["epc_crc"], 16)
