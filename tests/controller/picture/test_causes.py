"""Why a reader is lost: real reasons of ports and drivers, in a few words of every language."""

import errno
import re

import pytest

from controller.picture.causes import CAUSES, cause
from controller.texts.languages import LANGUAGES, tables
from firmware_bridge.port_cures import explain

PORT, SERVER = "/dev/ttyUSB7", "socket://reader.local:4001"
REAL = {
    "no such port": explain(PORT, OSError(errno.ENOENT, "no")),
    "unplugged": explain(PORT, OSError(errno.EIO, "gone"), was_open=True),
    "no permission": explain(PORT, OSError(errno.EACCES, "no")),
    "port busy": explain(PORT, OSError(errno.EBUSY, "busy")),
    "not a serial port": explain("/dev", OSError(errno.ENOTTY, "no")),
    "no connection to its server": explain(SERVER, OSError(errno.ECONNREFUSED, "refused")),
    "no answer": "the reader has not answered 'inventory' 3 times: is it a m100 on this port?",
    "error after error": "5 errors in turn: the reader is reset and set up again",
    "frames lost": "99 frames of the reader were lost before its number 254",
    "another version": "the reader speaks version 2 of tablelink, this program 3: bring both to the same",
    "an antenna": "antenna 2: no load",
    "an error of its own": "something that nobody heard of",
}


@pytest.mark.parametrize("short", REAL)
def test_a_reason_is_told_by_its_kind(short: str) -> None:
    assert cause(REAL[short])["en"] == short


def test_no_language_but_english_has_an_english_word_or_a_path() -> None:
    for why in REAL.values():
        for language in LANGUAGES:
            assert "/" not in cause(why)[language]
            assert language == "en" or not re.search("[a-zA-Z]{3}", cause(why)["ru"])


def test_every_cause_has_its_text_and_every_text_its_cause() -> None:
    assert {f"cause_{key}" for _, key in CAUSES} | {"cause_of_reader"} == tables("en")["cause"].keys()
