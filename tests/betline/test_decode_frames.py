"""Every frame of `frames.json` through `betline decode`: readers' frames give what they document, hosts' give no line."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from betline.main import app
from firmware_bridge.drivers.catalog import DRIVERS
from firmware_bridge.wire import invelion

FRAMES = json.loads((Path(__file__).parents[1] / "data" / "frames.json").read_text())
DRIVER_OF = {
    "chafon-cf": "chafon",
    "em4100-ascii": "em4100",
    "feig-obid": "feig",
    "invelion-a0": "invelion",
    "m100-aadd": "m100",
    "m100-bb7e": "m100",
    "metratec-ascii": "metratec",
    "mfrc522-text": "uid-lines",
    "pn532-hsu": "pn532",
    "thingmagic": "thingmagic",
    "uhfreader18": "chafon",
    "uhfreader288": "chafon",
}
NOT_READ = {"fi50x-ascii", "skyetek-v2-binary"}  # families without a driver
MINE = [frame for frame in FRAMES if frame["reader"] in DRIVER_OF]
FROM_READER = [frame for frame in MINE if frame["direction"] == "reader->host"]
FROM_HOST = [frame for frame in MINE if frame["direction"] != "reader->host" and frame["checksum"]["ok"] is not False]
DAMAGED_HOST = [frame for frame in MINE if frame["direction"] != "reader->host" and frame["checksum"]["ok"] is False]
EMPTY_ROUNDS = (  # reader, key and value of what says that a round is over and had no tag
    ("m100-bb7e", "error", "15"),
    ("uhfreader18", "status", "FB"),
    ("chafon-cf", "status", "12"),
    ("thingmagic", "status", "0400"),
    ("metratec-ascii", "count", 0),
)
Line = dict[str, Any]


def decoded(frame: dict[str, Any]) -> list[Line]:
    done = CliRunner().invoke(app, ["decode", DRIVER_OF[frame["reader"]], "--hex"], input=frame["hex"])
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def named(frame: dict[str, Any]) -> str:
    return f"{frame['reader']} {frame['hex'][:36]}"


def tags_of(said: dict[str, Any]) -> list[str]:
    """Tags that a frame documents, whatever it calls them. One inside an error is no sighting, an empty EPC none."""
    one = said.get("epc") if "error" not in said else None
    many = [tag.get("epc") or tag.get("uid") or tag["UID"] for tag in (*said.get("tags", ()), *said.get("targets", ()))]
    return [tag for tag in (one, said.get("uid"), said.get("id"), *many) if tag]


def error_of(frame: dict[str, Any]) -> str | None:
    """The code of an error that a frame documents."""
    said = frame["decoded"]
    if frame["reader"] == "pn532-hsu":
        return "syntax" if said.get("TFI") == "7F" else None
    if frame["reader"] == "feig-obid":
        return said["status"] if said.get("status", "00") != "00" else None
    if said.get("cmd") == "EE":
        return "EE"  # a report of scan mode, whose layout differs from model to model
    return said.get("error")


def identity_of(said: dict[str, Any]) -> list[str]:
    """Words that the identity of the reader has, where a frame tells one."""
    if "sak" in said:
        return ["Card SAK"]  # the first line of a sketch, whatever it says
    return [said[key] for key in ("text", "type") if key in said and len(said[key]) > 1] + (
        [said["version"]] if "." in said.get("version", "") else []
    )


@pytest.mark.parametrize("frame", FROM_READER, ids=named)
def test_every_frame_of_a_reader_gives_what_it_documents(frame: dict[str, Any]) -> None:
    lines, said = decoded(frame), frame["decoded"]
    kinds = [line["event"] for line in lines]
    seen = [tag for line in lines if line["event"] == "tags" for tag in line["tags"]]
    assert seen == tags_of(said) if frame["checksum"]["ok"] is not False else not seen
    if frame["checksum"]["ok"] is False:
        raw = frame["hex"].replace(" ", "")
        assert lines == [{"event": "bad_frame", "reason": "checksum", "hex": raw}]
    elif any(frame["reader"] == reader and said.get(key) == value for reader, key, value in EMPTY_ROUNDS):
        assert [(line["event"], line["tags"], line["round_end"]) for line in lines] == [("tags", [], True)]
    elif (code := error_of(frame)) is not None:
        assert kinds == ["reader_error"]
        assert lines[0]["code"] == code
        assert lines[0]["meaning"]
    elif tags_of(said):
        assert kinds[-1] == "tags"
        assert set(kinds[:-1]) <= {"reader"}  # readers that only talk are known by their first word
    elif words := identity_of(said):
        assert kinds == ["reader"]
        assert all(word in lines[0]["identity"] for word in words)
    else:
        assert lines == []  # the answer to a command that nobody sent


@pytest.mark.parametrize(
    "frame", [f for f in FROM_READER if "rssi_dbm" in f["decoded"] or "rssi_raw" in f["decoded"]], ids=named
)
def test_a_strength_that_a_frame_documents_is_told(frame: dict[str, Any]) -> None:
    said = frame["decoded"]
    dbm = said["rssi_dbm"] if "rssi_dbm" in said else said["rssi_raw"] + invelion.RSSI_OFFSET
    assert [line["rssi_dbm"] for line in decoded(frame) if line.get("tags")] == ([[dbm]] if said["epc"] else [])


@pytest.mark.parametrize("frame", FROM_HOST, ids=named)
def test_frames_of_a_host_give_no_line(frame: dict[str, Any]) -> None:
    assert decoded(frame) == []


@pytest.mark.parametrize("frame", DAMAGED_HOST, ids=named)
def test_damaged_frames_of_a_host_are_told_and_are_no_tag(frame: dict[str, Any]) -> None:
    assert {line["event"] for line in decoded(frame)} == {"bad_frame"}


def test_all_frames_are_tried_but_those_of_families_without_a_driver() -> None:
    assert {frame["reader"] for frame in FRAMES} == {*DRIVER_OF, *NOT_READ}
    assert len(FROM_READER) + len(FROM_HOST) + len(DAMAGED_HOST) == len(MINE) > 120
    assert {*DRIVER_OF.values()} == {*DRIVERS} - {"tablelink"}  # protocol.md has the frames of that one
