"""The PN532 on its UART: every published frame, and the dialogue of command, ACK and response with its traps."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.drivers.catalog import make
from firmware_bridge.drivers.dialogue import MS
from firmware_bridge.drivers.pn532 import Pn532, Pn532Options
from firmware_bridge.errors import FrameError
from firmware_bridge.events import BadFrame, Out, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound, Sighting
from firmware_bridge.wire import pn532 as wire
from firmware_bridge.wire.pn532 import Acknowledged, Frame, Listed, Target
from firmware_bridge.wire.rejected import Rejected

ALL = [
    f
    for f in json.loads((Path(__file__).parent.parent / "data" / "frames.json").read_text())
    if f["reader"] == "pn532-hsu"
]
FROM_READER = [f for f in ALL if f["direction"] == "reader->host"]
FROM_HOST = [f for f in ALL if f["direction"] == "host->reader"]
CARD, NTAG = Target("24D34F59"), Target("04416D412B0289", 0x0044, 0x00)
VERSION = wire.response(wire.FIRMWARE, bytes.fromhex("32010607"))


def name(frame: dict[str, Any]) -> str:
    return str(frame["hex"][:32] + " " + frame["meaning"][:24])


# ---------------------------------------------------------------- frames


@pytest.mark.parametrize("frame", FROM_READER, ids=name)
def test_every_frame_of_the_reader_decodes_as_documented(frame: dict[str, Any]) -> None:
    (found,) = wire.scanner().feed(bytes.fromhex(frame["hex"]), 0)
    match frame["decoded"]:
        case {"targets": targets}:
            assert isinstance(found, Listed)
            assert [t.uid for t in found.targets] == [t["UID"] for t in targets]
            for target, want in zip(found.targets, targets, strict=True):
                check_target(target, want)
        case {"TFI": "7F"}:
            assert found == Frame(wire.ERROR, 0, b"")
        case {"rsp": code, "status": status}:
            assert found == Frame(wire.CHIP, int(code, 16), bytes((status,)))
        case {"rsp": code, "LEN": length}:
            assert isinstance(found, Frame)
            assert (found.code, len(found.data)) == (int(code, 16), length - 2)
        case {"rsp": code}:
            assert found == Frame(wire.CHIP, int(code, 16), b"")
        case other:
            raise AssertionError(other)


def check_target(target: Target, want: dict[str, Any]) -> None:
    if "SENS_RES" in want:
        assert (target.sens_res, target.sel_res) == (int(want["SENS_RES"], 16), int(want["SEL_RES"], 16))
    assert target.ats == bytes.fromhex(want.get("ATS", ""))


def test_ack_and_nack_go_both_ways() -> None:
    both = [bytes.fromhex(f["hex"]) for f in ALL if f["direction"] == "both"]
    assert both == [wire.ACK, wire.NACK]
    found = [item for raw in both for item in wire.scanner().feed(raw, 0)]
    assert found == [Acknowledged(), Acknowledged(again=True)]


COMMANDS: dict[str, bytes] = {
    "wake-up + SAMConfiguration(normal) in one write: the zero run doubles as preamble": wire.wake_up(
        wire.command(wire.SAM, wire.SAM_NORMAL)
    ),
    "short wake-up + SAMConfiguration(normal, timeout 0, IRQ on)": wire.wake_up(
        wire.command(wire.SAM, b"\x01\x00\x01"), zeros=3
    ),
    "GetFirmwareVersion": wire.command(wire.FIRMWARE),
    "SAMConfiguration(normal)": wire.command(wire.SAM, b"\x01\x00\x00"),
    "SAMConfiguration(normal), short form": wire.command(wire.SAM, wire.SAM_NORMAL),
    "RFConfiguration item 1: RF field off": wire.command(wire.RF, wire.FIELD_OFF),
    "RFConfiguration item 5 (MxRtyATR=1, MxRtyPSL=0, MxRtyPassiveActivation=1): makes polling finite": wire.command(
        wire.RF, wire.FINITE_RETRIES
    ),
    "InListPassiveTarget, 1 target, 106 kbps type A": wire.command(wire.LIST, b"\x01\x00"),
    "InListPassiveTarget, 2 targets, 106 kbps type A": wire.command(wire.LIST, wire.TWO_TYPE_A),
    "InAutoPoll: endless, period 3x150 ms, types 00 11 12 04": wire.command(
        wire.AUTO_POLL, bytes.fromhex("FF 03 00 11 12 04")
    ),
    "InDeselect all": wire.command(wire.DESELECT, b"\0"),
}


@pytest.mark.parametrize("frame", FROM_HOST, ids=name)
def test_every_frame_of_the_host_is_what_the_encoder_makes(frame: dict[str, Any]) -> None:
    raw = bytes.fromhex(frame["hex"])
    assert COMMANDS[frame["meaning"]] == raw
    (found,) = wire.scanner().feed(raw, 0)
    assert isinstance(found, Frame)
    assert (found.tfi, found.code) == (wire.HOST, int(frame["decoded"]["cmd"], 16))


def test_the_encoder_of_the_chip_makes_the_published_responses() -> None:
    made = {
        wire.listed((CARD,)),
        wire.listed((NTAG,)),
        wire.listed((CARD, NTAG)),
        wire.response(wire.SAM),
        wire.response(wire.DESELECT, b"\0"),
        wire.response(wire.DATA_EXCHANGE, b"\0"),
        wire.SYNTAX_ERROR,
        wire.response(wire.DIAGNOSE, b"456" + bytes(256)),
    }
    assert len(made & {bytes.fromhex(f["hex"]) for f in FROM_READER}) == len(made)


def test_frames_that_are_known_are_read_the_same_as_the_first_time() -> None:
    raws = [bytes.fromhex(f["hex"]) for f in ALL] + [wire.pack(wire.CHIP, 0x41, bytes(250))]
    first = [wire.scanner().feed(raw, 0) for raw in raws]
    scanner = wire.scanner()
    assert [scanner.feed(raw, 0) for raw in raws + raws] == first + first
    assert scanner.feed(b"".join(raws), 0) == [item for found in first for item in found]
    assert scanner.feed(b"\0\0\xff\x05\xfb\xd5\x41\1\2\3\4\0", 0) == [
        Rejected("checksum", b"\0\xff\x05\xfb\xd5\x41\1\2\3\4\0")
    ]


@given(st.lists(st.tuples(st.sampled_from([4, 7, 10]), st.booleans()), max_size=6), st.data())
def test_new_cards_are_read_the_same_in_a_run_and_each_behind_noise(
    cards: list[tuple[int, bool]], data: st.DataObject
) -> None:
    raws = []
    for size, damaged in cards:
        raw = bytearray(wire.listed((Target(data.draw(st.binary(min_size=size, max_size=size)).hex().upper()),)))
        if damaged:
            raw[data.draw(st.integers(5, len(raw) - 2))] ^= 1 << data.draw(st.integers(0, 7))
        raws.append(raw)
    run = wire.scanner().feed(b"".join(raws), 0)
    apart = [found for raw in raws for found in wire.scanner().feed(b"\1" + raw, 0)[1:]]
    assert [f for f in run if isinstance(f, Listed)] == [f for f in apart if isinstance(f, Listed)]


@pytest.mark.parametrize("zeros", [0, 1, 2, 9])
def test_any_number_of_zeros_may_come_before_the_head(zeros: int) -> None:
    assert wire.scanner().feed(bytes(zeros) + wire.listed((CARD,))[1:], 0) == [Listed((CARD,))]


def test_an_ats_is_skipped_before_the_second_target() -> None:
    smart = Target("FDE60899", sel_res=0x28, ats=bytes.fromhex("05 78 80 90 02"))
    assert wire.scanner().feed(wire.listed((smart, NTAG)), 0) == [Listed((smart, NTAG))]


def test_targets_of_another_kind_in_an_auto_poll_are_no_cards() -> None:
    felica = b"\x11\x03\x01\xaa\xbb"
    mifare = b"\x10\x09\x02\x00\x04\x08\x04" + bytes.fromhex(CARD.uid)
    raw = wire.response(wire.AUTO_POLL, b"\x02" + felica + mifare)
    assert wire.scanner().feed(raw, 0) == [Listed((CARD,))]


@pytest.mark.parametrize(
    "data",
    [
        "",  # not even a count
        "01",  # a target is missing
        "01 01 0004 08 04 24D34F",  # cut
        "01 01 0004 08 04 24D34F59 00",  # more than it counts
        "01 01 0004 08 05 24D34F5900",  # a UID of five bytes
        "01 01 0004 28 04 24D34F59",  # says ATS and has none
        "01 01 0004 28 04 24D34F59 00",  # an ATS of no byte
        "01 01 0004 28 04 24D34F59 05 78",  # an ATS that is cut
    ],
)
def test_a_list_that_cannot_be_is_refused_whole(data: str) -> None:
    raw = wire.response(wire.LIST, bytes.fromhex(data))
    assert wire.scanner().feed(raw, 0) == [Rejected("value", raw[1:])]


@pytest.mark.parametrize("data", ["01 10 0A 01 0004 08 04 24D34F59", "01 10 08 01 0004 08 04 24D34F59 00", "02 10"])
def test_an_auto_poll_that_cannot_be_is_refused_whole(data: str) -> None:
    raw = wire.response(wire.AUTO_POLL, bytes.fromhex(data))
    assert [type(f) for f in wire.scanner().feed(raw, 0)] == [Rejected]


def test_lengths_beyond_the_chip_are_no_frame() -> None:
    huge = b"\0\0\xff\xff\xff\x01\x0a\xf5"  # 266 bytes
    assert wire.scanner().feed(huge + wire.listed((CARD,)), 0) == [Rejected("oversize", huge + b"\0"), Listed((CARD,))]
    with pytest.raises(FrameError):
        wire.command(wire.DIAGNOSE, bytes(264))


def test_frames_of_nobody_are_refused() -> None:
    raw = wire.pack(0xD6, 0x4B, b"\0")
    assert wire.scanner().feed(raw, 0) == [Rejected("value", raw[1:])]


@pytest.mark.parametrize("target", [Target("24D34F"), Target("24D34F59", sel_res=0x20), Target("24D34F59", ats=b"\1")])
def test_targets_that_cannot_be_are_an_error_of_the_sender(target: Target) -> None:
    with pytest.raises(FrameError):
        wire.listed((target,))


# ---------------------------------------------------------------- the dialogue


def said(out: Out) -> list[Acknowledged | tuple[int, bytes]]:
    found = [item for raw in out.send for item in wire.scanner().feed(raw, 0)]
    return [(f.code, f.data) if isinstance(f, Frame) else f for f in found if isinstance(f, (Acknowledged, Frame))]


class Chip:
    """A driver and a chip that answers what it is told to; time goes on by itself."""

    def __init__(self, **options: Any) -> None:
        self.driver = Pn532("r", (5,), Pn532Options(**options))
        self.at_ns = 0
        self.heard = said(self.driver.start(0))
        self.events: list[ReaderEvent] = []

    def take(self, out: Out) -> list[Acknowledged | tuple[int, bytes]]:
        self.events += out.events
        self.heard += (new := said(out))
        return new

    def wait(self) -> list[Acknowledged | tuple[int, bytes]]:
        due = self.driver.wake_at_ns()
        assert due is not None
        self.at_ns = due
        return self.take(self.driver.tick(due))

    def say(self, *frames: bytes, after_ms: int = 1) -> list[Acknowledged | tuple[int, bytes]]:
        self.at_ns += after_ms * MS
        return self.take(self.driver.receive(b"".join(frames), self.at_ns))

    def set_up(self) -> "Chip":
        for code, response in (
            (wire.SAM, wire.response(wire.SAM)),
            (wire.FIRMWARE, VERSION),
            (wire.RF, wire.response(wire.RF)),
        ):
            assert self.heard[-1][0] == code  # type: ignore[index]
            self.say(wire.ACK, response)
            self.wait()
        self.events.clear()
        return self


POLL, OFF = (wire.LIST, wire.TWO_TYPE_A), (wire.RF, wire.FIELD_OFF)


def rounds(events: list[ReaderEvent]) -> list[ScanRound]:
    return [e for e in events if isinstance(e, ScanRound)]


def test_setting_up_aborts_wakes_names_the_chip_and_makes_polls_finite() -> None:
    chip = Chip()
    assert chip.driver.start(0).send == (wire.ACK, wire.wake_up(wire.command(wire.SAM, wire.SAM_NORMAL)))
    chip = Chip()
    chip.say(wire.ACK, wire.response(wire.SAM))
    chip.wait()
    chip.say(wire.ACK, VERSION)
    assert chip.events == [ReaderUp("r", chip.at_ns, "PN532 1.6")]
    chip.wait()
    chip.say(wire.ACK, wire.response(wire.RF))
    chip.wait()
    assert chip.heard == [
        Acknowledged(),
        (wire.SAM, wire.SAM_NORMAL),
        (wire.FIRMWARE, b""),
        (wire.RF, wire.FINITE_RETRIES),
        POLL,
    ]


def test_one_command_at_a_time_and_a_pause_before_each() -> None:
    chip = Chip()
    assert chip.say(wire.ACK) == []
    assert chip.say(wire.response(wire.SAM)) == []
    assert chip.driver.wake_at_ns() == chip.at_ns + MS


def test_a_poll_is_a_complete_round_and_the_field_goes_off_until_the_next() -> None:
    chip = Chip().set_up()
    polled_ns = chip.at_ns
    chip.say(wire.ACK, wire.listed((CARD, NTAG)), after_ms=25)
    want = (Sighting("24D34F59"), Sighting("04416D412B0289"))
    assert chip.events == [ScanRound("r", 5, polled_ns, polled_ns + 25 * MS, True, want)]
    assert chip.wait() == [OFF]
    assert chip.say(wire.ACK, wire.response(wire.RF)) == []
    assert chip.wait() == [POLL]
    assert chip.at_ns == polled_ns + 100 * MS


def test_the_field_may_stay_on() -> None:
    chip = Chip(field_off=False).set_up()
    chip.say(wire.ACK, wire.listed(()))
    assert chip.wait() == [POLL]


def test_no_card_is_an_empty_complete_round() -> None:
    chip = Chip().set_up()
    chip.say(wire.ACK, wire.listed(()))
    assert [(r.complete, r.sightings) for r in rounds(chip.events)] == [(True, ())]


def test_ack_and_response_may_come_apart_and_the_ack_may_be_lost() -> None:
    chip = Chip().set_up()
    chip.say(wire.ACK, after_ms=5)
    chip.say(wire.listed((CARD,)), after_ms=20)
    chip.wait()
    chip.say(wire.response(wire.RF))
    assert len(rounds(chip.events)) == 1
    assert chip.wait() == [POLL]


def test_a_command_without_an_ack_is_sent_again_behind_a_wake_up() -> None:
    chip = Chip()
    chip.say(wire.ACK, wire.response(wire.SAM))
    assert chip.wait() == [(wire.FIRMWARE, b"")]
    asked_ns = chip.at_ns
    chip.wait()
    assert chip.at_ns == asked_ns + 90 * MS
    out = chip.driver.tick(chip.at_ns + MS)
    assert out.send == (wire.wake_up(wire.command(wire.FIRMWARE)),)


def test_a_command_without_a_response_is_aborted_and_sent_again() -> None:
    chip = Chip()
    chip.say(wire.ACK, wire.response(wire.SAM))
    chip.wait()
    chip.say(wire.ACK)
    assert chip.wait() == [Acknowledged()]
    assert chip.wait() == [(wire.FIRMWARE, b"")]


@pytest.mark.parametrize("acknowledged", [False, True])
def test_a_poll_without_an_answer_may_be_a_power_cut_so_the_chip_is_set_up_again(acknowledged: bool) -> None:
    chip = Chip().set_up()
    if acknowledged:
        chip.say(wire.ACK)
    assert chip.wait() == ([Acknowledged()] if acknowledged else [])
    assert chip.wait() == [(wire.SAM, wire.SAM_NORMAL)]
    chip.set_up()
    assert chip.heard[-1] == POLL
    chip.say(wire.ACK, wire.listed((CARD,)))
    assert [r.began_ns for r in rounds(chip.events)] == [chip.at_ns - MS]


def test_a_list_behind_the_time_out_is_told_of_the_time_since_its_poll() -> None:
    chip = Chip().set_up()
    polled_ns = chip.at_ns
    chip.wait()
    chip.say(wire.listed((CARD,)))
    assert [(r.began_ns, r.ended_ns) for r in rounds(chip.events)] == [(polled_ns, chip.at_ns)]


def test_half_a_response_is_not_asked_for_again_when_its_time_is_over() -> None:
    chip = Chip().set_up()
    chip.say(wire.ACK)
    chip.say(wire.listed((CARD,))[:9], after_ms=299)
    assert chip.wait() == [Acknowledged()]
    assert [type(e) for e in chip.events] == [BadFrame]


def test_a_first_answer_that_an_adapter_holds_back_for_a_second_costs_no_more_than_that() -> None:
    chip = Chip()
    while chip.at_ns < 1000 * MS:
        chip.wait()
    answers = [wire.ACK + wire.response(wire.SAM)] * sum(isinstance(h, tuple) and h[0] == wire.SAM for h in chip.heard)
    chip.say(*answers)
    for _ in range(4):
        chip.wait()
        code = chip.heard[-1][0] if isinstance(chip.heard[-1], tuple) else None
        chip.say(wire.ACK, VERSION if code == wire.FIRMWARE else wire.response(code or 0))
    assert ReaderUp in [type(e) for e in chip.events]
    assert chip.at_ns < 2000 * MS


def test_three_tries_lose_the_chip_and_a_second_later_it_is_set_up_again() -> None:
    chip = Chip().set_up()
    while not chip.events:
        chip.wait()
    assert [type(e) for e in chip.events] == [ReaderLost]
    lost_ns = chip.at_ns
    assert chip.wait() == [(wire.SAM, wire.SAM_NORMAL)]
    assert chip.at_ns == lost_ns + 1000 * MS
    for _ in range(6):
        chip.wait()
    assert len(chip.events) == 1  # told once
    chip.say(wire.ACK, wire.response(wire.SAM))
    chip.wait()
    chip.say(wire.ACK, VERSION)
    assert [type(e) for e in chip.events] == [ReaderLost, ReaderUp]


def test_a_chip_that_answers_everything_but_polls_is_lost_all_the_same() -> None:
    chip = Chip().set_up()
    for _ in range(2):
        chip.wait()
        chip.wait()
        assert chip.heard[-1] == (wire.SAM, wire.SAM_NORMAL)
        chip.set_up()
    chip.wait()
    assert [type(e) for e in chip.events] == [ReaderLost]


def test_a_damaged_response_is_asked_for_again_once() -> None:
    chip = Chip().set_up()
    damaged = bytearray(wire.listed((CARD,)))
    damaged[-5] ^= 1
    assert chip.say(wire.ACK, bytes(damaged)) == [Acknowledged(again=True)]
    assert [type(e) for e in chip.events] == [BadFrame]
    assert chip.say(bytes(damaged)) == []
    chip.say(wire.listed((CARD,)))
    assert [r.sightings for r in rounds(chip.events)] == [(Sighting("24D34F59"),)]


def test_the_error_frame_is_told_and_the_command_tried_again() -> None:
    chip = Chip().set_up()
    chip.say(wire.ACK, wire.SYNTAX_ERROR)
    assert [e.code for e in chip.events if isinstance(e, ReaderFault)] == ["syntax"]
    assert chip.wait() == [POLL]


def test_a_random_uid_is_no_identity_and_told_once_while_it_lies_there() -> None:
    chip = Chip().set_up()
    phone = Target("08A1B2C3")
    for targets in ((phone, CARD), (phone,), (), (phone,)):
        chip.say(wire.ACK, wire.listed(targets))
        chip.wait()
        chip.say(wire.ACK, wire.response(wire.RF))
        chip.wait()
    assert [tuple(s.tag for s in r.sightings) for r in rounds(chip.events)] == [("24D34F59",), (), (), ()]
    assert [e.code for e in chip.events if isinstance(e, ReaderFault)] == ["random_uid", "random_uid"]


def test_a_seven_byte_uid_that_begins_with_08_is_an_identity() -> None:
    events = make("pn532").receive(wire.listed((Target("08416D412B0289"),)), 0).events
    assert [r.sightings for r in rounds(list(events))] == [(Sighting("08416D412B0289"),)]


def test_what_nobody_asked_for_is_read_all_the_same() -> None:
    driver = make("pn532", "r", (2,))
    (scan,) = driver.receive(wire.listed((CARD,)), 7).events
    assert scan == ScanRound("r", 2, 7, 7, True, (Sighting("24D34F59"),))


def test_the_echo_of_our_own_commands_changes_nothing() -> None:
    chip = Chip().set_up()
    assert chip.say(wire.command(*POLL)) == []
    assert chip.events == []
