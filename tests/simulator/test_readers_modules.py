"""Virtual modules with one antenna (m100, pn532): they answer like the real ones, and their drivers see the table."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.config.config import ReaderSection
from controller.places import Place, Zone
from firmware_bridge.drivers import catalog as drivers
from firmware_bridge.errors import OptionError
from firmware_bridge.events import BadFrame, ReaderEvent, ReaderFault, ReaderUp, ScanRound
from firmware_bridge.wire import m100, pn532
from firmware_bridge.wire.pn532 import ACK, NACK
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.readers.m100 import M100
from simulator.readers.pn532 import Pn532
from simulator.wire import Wire

S, MS = 1_000_000_000, 1_000_000
SPOT, NEXT = Place(Zone.SPOT, 1), Place(Zone.SPOT, 2)
EPCS = tuple(f"E2001D7315016521408F{n:04X}" for n in range(12))
CARDS = ("24D34F59", "04416D412B0289")
FRAMES = json.loads((Path(__file__).parents[1] / "data" / "frames.json").read_text())


def field(tags: tuple[str, ...] = ()) -> Field:
    field = Field({("m", 1): SPOT, ("n", 1): NEXT})
    field.lay(tags, SPOT)
    return field


def quiet(tags: tuple[str, ...] = ()) -> Radio:
    return Radio(field(tags), Noise(uneven=0))


def rounds(events: list[ReaderEvent]) -> list[ScanRound]:
    return [event for event in events if isinstance(event, ScanRound)]


def troubles(events: list[ReaderEvent]) -> list[ReaderEvent]:
    return [event for event in events if not isinstance(event, ScanRound | ReaderUp)]


@pytest.mark.parametrize("driver", ["m100", "pn532"])
def test_a_driver_sets_its_virtual_module_up_and_sees_the_tags(driver: str) -> None:
    tags = {"m100": EPCS, "pn532": CARDS}[driver]
    wire = Wire(drivers.make(driver, "m"), catalog.make(driver, "m", quiet(tags)), "m")
    events = wire.advance(5 * S)
    assert sum(isinstance(event, ReaderUp) for event in events) == 1
    assert not troubles(events)
    assert len(rounds(events)) > 15
    assert all(scan.complete and {s.tag for s in scan.sightings} == set(tags) for scan in rounds(events))


@pytest.mark.parametrize("driver", ["m100", "pn532"])
def test_a_driver_sees_tags_come_and_go(driver: str) -> None:
    tags = {"m100": EPCS, "pn532": CARDS}[driver]
    radio = quiet()
    wire = Wire(drivers.make(driver, "m"), catalog.make(driver, "m", radio), "m")
    assert not any(scan.sightings for scan in rounds(wire.advance(2 * S)))
    radio.field.lay(tags, SPOT)
    wire.advance(3 * S)
    assert all(len(scan.sightings) == len(tags) for scan in rounds(wire.advance(5 * S)))
    radio.field.lay(tags, Place(Zone.IN_HAND, 1))
    wire.advance(6 * S)
    empty = rounds(wire.advance(8 * S))
    assert empty
    assert not any(scan.sightings for scan in empty)


@pytest.mark.parametrize("driver", ["m100", "pn532"])
@settings(max_examples=15, derandomize=True, deadline=None)
@given(st.lists(st.integers(1, 2000), min_size=1, max_size=4))
def test_power_cuts_at_any_time_are_survived_and_silence_is_never_an_empty_round(
    driver: str, after_ms: list[int]
) -> None:
    """A cut inside a round of an M100 may look like its end, which has no mark: tags are missed then, never all."""
    tags = {"m100": EPCS, "pn532": CARDS}[driver]
    options = {"power_dbm": 26} if driver == "m100" else {}
    module = {"m100": M100, "pn532": Pn532}[driver]("m", quiet(tags))
    wire = Wire(drivers.make(driver, "m", (), options), module, "m")
    events = wire.advance(2 * S)
    for pause_ms in after_ms:
        events += wire.advance(wire.now_ns + pause_ms * MS)
        module.power_cut()
    wire.advance(wire.now_ns + 2 * S)
    later = wire.advance(wire.now_ns + 3 * S)
    assert all(scan.sightings for scan in rounds(events))
    assert len(rounds(later)) > 10
    assert all(scan.complete and len(scan.sightings) == len(tags) for scan in rounds(later))
    if isinstance(module, M100):
        assert module.settings[m100.GET_POWER] == (2600).to_bytes(2)


def test_a_stuck_m100_is_set_up_again_and_goes_on() -> None:
    module = M100("m", quiet(EPCS))
    wire = Wire(drivers.make("m100", "m"), module, "m")
    wire.advance(2 * S)
    module.broken_error = 0x20
    events = wire.advance(5 * S)
    assert [e.code for e in events if isinstance(e, ReaderFault)][-1] == "stuck"
    assert rounds(events)[-1].complete


@pytest.mark.parametrize("framing", ["bb", "aa"])
def test_the_m100_driver_finds_the_framing_of_its_module(framing: str) -> None:
    module = catalog.make("m100", "m", quiet(EPCS[:3]), {"framing": framing})
    events = Wire(drivers.make("m100", "m"), module, "m").advance(5 * S)
    assert any(isinstance(event, ReaderUp) for event in events)
    assert len(rounds(events)[-1].sightings) == 3


def test_a_sleeping_m100_is_woken_by_its_first_command() -> None:
    events = Wire(drivers.make("m100", "m"), M100("m", quiet(EPCS[:3]), asleep=True), "m").advance(5 * S)
    assert len(rounds(events)[-1].sightings) == 3


def test_an_m100_set_up_by_its_options_keeps_what_it_was_told() -> None:
    module = M100("m", quiet())
    Wire(drivers.make("m100", "m", (), {"power_dbm": 26, "q": 6, "region": "eu"}), module, "m").advance(2 * S)
    assert module.settings[m100.GET_POWER] == (2600).to_bytes(2)
    assert module.settings[m100.GET_QUERY] == m100.query(6)


def test_an_m100_that_polls_for_a_dead_host_is_stopped_first() -> None:
    module = M100("m", quiet(EPCS[:2]))
    module.receive(m100.command("bb", m100.MULTI_POLL, m100.multi_poll(65535)), 0)
    events = Wire(drivers.make("m100", "m"), module, "m").advance(3 * S)
    assert any(isinstance(event, ReaderUp) for event in events)
    assert all(len(scan.sightings) == 2 for scan in rounds(events) if scan.complete)


def test_several_rounds_of_an_m100_make_one_of_ours() -> None:
    wire = Wire(drivers.make("m100", "m", (), {"rounds": 3}), M100("m", quiet(EPCS)), "m")
    scans = rounds(wire.advance(5 * S))
    assert scans
    assert all({s.tag for s in scan.sightings} == set(EPCS) for scan in scans)


def test_a_tag_taken_away_before_its_slot_is_not_read() -> None:
    radio = quiet(EPCS)
    module = M100("m", radio)
    module.receive(m100.command("bb", m100.SINGLE_POLL), 0)
    radio.field.lay([EPCS[-1]], Place(Zone.IN_HAND, 1))
    out = b""
    while (due := module.wake_at_ns()) is not None:
        out += module.tick(due)
    assert bytes.fromhex(EPCS[0]) in out
    assert bytes.fromhex(EPCS[-1]) not in out


def test_strays_of_uhf_are_weaker_than_the_tags_that_lie_there() -> None:
    radio = Radio(field(EPCS[:1]), Noise(stray=0.5, uneven=0, seed=2))
    radio.field.lay(EPCS[1:2], NEXT)
    strengths: dict[str, list[int]] = {tag: [] for tag in EPCS[:2]}
    for scan in rounds(Wire(drivers.make("m100", "m"), M100("m", radio), "m").advance(10 * S)):
        for sighting in scan.sightings:
            assert sighting.rssi_dbm is not None
            strengths[sighting.tag].append(sighting.rssi_dbm)
    assert strengths[EPCS[1]]
    assert max(strengths[EPCS[1]]) < min(strengths[EPCS[0]])


@pytest.mark.parametrize(
    "frame",
    [f for f in FRAMES if f["reader"] == "m100-bb7e" and f["direction"] == "host->reader" and f["checksum"]["ok"]],
    ids=lambda f: f["meaning"][:40],
)
def test_an_m100_answers_every_published_command(frame: dict[str, str]) -> None:
    module = M100("m", quiet(EPCS[:1]))
    data = bytes.fromhex(frame["hex"])
    out = module.receive(data, 0)
    while len(out) < 7 and (due := module.wake_at_ns()) is not None:
        out += module.tick(due)
    found = m100.scanner().feed(out, 0)
    assert found
    assert not any(isinstance(item, m100.Frame) and item.error == 0x17 for item in found)


def test_an_m100_refuses_what_it_does_not_know_with_error_17() -> None:
    module = M100("m", quiet())
    assert module.receive(m100.command("bb", 0x99), 0) == m100.error("bb", 0x17)
    assert module.receive(m100.command("aa", m100.VERSION, b"\0"), 0) == b""


def test_a_sleeping_pn532_hears_nothing_before_its_wake_up_and_nothing_but_sam_before_that() -> None:
    chip = Pn532("m", quiet(CARDS))
    version = pn532.command(pn532.FIRMWARE)
    assert chip.receive(version, 0) == b""
    assert chip.receive(pn532.wake_up(version), 0) == b""
    assert chip.receive(pn532.wake_up(pn532.command(pn532.SAM, b"\1")), 0) == ACK
    assert chip.receive(version, 0) == ACK


def test_a_pn532_polls_for_ever_until_it_is_told_not_to_and_an_ack_aborts_it() -> None:
    radio = quiet()
    chip = Pn532("m", radio, asleep=False)
    assert chip.receive(pn532.command(pn532.LIST, b"\2\0"), 0) == ACK
    assert not any(chip.tick(chip.wake_at_ns() or 0) for _ in range(200))
    radio.field.lay(CARDS, SPOT)
    due = chip.wake_at_ns() or 0
    chip.tick(due)
    assert chip.tick(chip.wake_at_ns() or 0) == pn532.listed(
        (pn532.Target(CARDS[0]), pn532.Target(CARDS[1], 0x0044, 0x00))
    )
    chip.receive(pn532.command(pn532.LIST, b"\2\0"), due)
    chip.receive(ACK, due)
    assert chip.wake_at_ns() is None


def test_a_nack_brings_the_last_answer_again_and_nonsense_a_syntax_error() -> None:
    chip = Pn532("m", quiet(), asleep=False)
    chip.receive(pn532.command(pn532.FIRMWARE), 0)
    answer = chip.tick(chip.wake_at_ns() or 0)
    assert chip.receive(NACK, 0) == answer
    assert chip.receive(pn532.command(0x99), 0) == ACK + pn532.SYNTAX_ERROR
    assert chip.receive(pn532.command(pn532.LIST, b"\3\0"), 0) == ACK + pn532.SYNTAX_ERROR


def test_a_pn532_lists_two_cards_of_three_and_no_chip() -> None:
    chips = ("E004015012345678",)
    wire = Wire(drivers.make("pn532", "m"), Pn532("m", quiet((*chips, *CARDS, "D0BBE11A"))), "m")
    for scan in rounds(wire.advance(3 * S)):
        assert {s.tag for s in scan.sightings} == set(CARDS)


def test_a_damaged_answer_of_a_pn532_is_asked_for_again_and_no_card_is_lost() -> None:
    count = 0

    def damage(data: bytes) -> bytes:
        nonlocal count
        count += 1
        return data[:-4] + bytes((data[-4] ^ 0x10,)) + data[-3:] if count == 40 and len(data) > 20 else data

    wire = Wire(drivers.make("pn532", "m"), Pn532("m", quiet(CARDS)), "m", damage=damage)
    events = wire.advance(10 * S)
    assert not any(isinstance(event, ReaderFault) for event in events)
    assert all(len(scan.sightings) == 2 for scan in rounds(events))
    assert count > 40
    assert sum(isinstance(event, BadFrame) for event in events) <= 1


def test_every_virtual_reader_has_its_driver_and_no_other_is_promised() -> None:
    for name in catalog.NAMES:
        section = ReaderSection("m", name, "/dev/null")
        assert Wire(drivers.make(name, "m"), catalog.for_section(section, quiet()), "m").advance(5 * S)
    with pytest.raises(OptionError, match="no virtual reader"):
        catalog.make("crystal-ball", "m", quiet())
