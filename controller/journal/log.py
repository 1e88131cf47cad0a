"""SQLite's write-ahead log, looked at before SQLite opens it: SQLite passes over whatever of it is damaged.

    header  magic  version  page size  checkpoints  salt 1, 2  sum 1, 2                        (32 bytes, big-endian)
    frame   page   pages of the file if this frame ends a commit, else 0   salt 1, 2  sum 1, 2  | the page

Each sum stands on the one before it (sqlite.org/fileformat.html, section 4). A commit that was cut leaves one that is
not whole behind the last. Two are more than that: each is on disk before the next one begins.
"""

import struct
from pathlib import Path
from typing import Literal

from controller.errors import JournalError
from firmware_bridge.files import no_file

Log = Literal["none", "empty", "headless", "whole", "damaged"]
MAGIC = 0x377F0682  # sums of little-endian words; one more: of big-endian ones
_HEADER, _FRAME = struct.Struct(">8I"), struct.Struct(">6I")


def log_of(path: Path) -> Path:
    return Path(f"{path}-wal")


def check(path: Path) -> None:
    """JournalError where no file lies in the place of the log."""
    fault = no_file(log_of(path))
    if fault is not None:
        raise JournalError(f"{log_of(path)}: {fault}; a journal keeps its log there")


def look(path: Path) -> Log:
    """The log beside this journal."""
    file = log_of(path)
    check(path)
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return "none"
    except OSError as error:
        raise JournalError(f"{file}: {error.strerror or error}: mend its rights, or read it as root") from error
    return judged(data)


def judged(data: bytes) -> Log:
    if not data:
        return "empty"
    if len(data) < _HEADER.size:
        return "headless"
    magic, version, size, _, salt_1, salt_2, sum_1, sum_2 = _HEADER.unpack_from(data)
    order: Literal["<", ">"] = "<" if magic == MAGIC else ">"
    if magic & ~1 != MAGIC or version != 3007000 or _sums(data[:24], order) != (sum_1, sum_2):
        return "headless"
    if size < 512 or size > 65536 or size & (size - 1):
        return "headless"
    good = _good_frames(data, size, order)
    return "damaged" if _commits_behind(data, size, good, (salt_1, salt_2)) > 1 else "whole"


def _good_frames(data: bytes, size: int, order: Literal["<", ">"]) -> int:
    """Frames from the begin on that are as they were written."""
    salts, sums = _HEADER.unpack_from(data)[4:6], _HEADER.unpack_from(data)[6:8]
    step = _FRAME.size + size
    for number, at in enumerate(range(_HEADER.size, len(data) - step + 1, step)):
        frame = _FRAME.unpack_from(data, at)
        sums = _sums(data[at : at + 8] + data[at + _FRAME.size : at + step], order, sums)
        if frame[2:4] != salts or frame[4:6] != sums:
            return number
    return (len(data) - _HEADER.size) // step


def _commits_behind(data: bytes, size: int, good: int, salts: tuple[int, int]) -> int:
    """Commits of this log behind the first frame that is not as it was written."""
    step = _FRAME.size + size
    frames = [_FRAME.unpack_from(data, at) for at in range(_HEADER.size, len(data) - _FRAME.size + 1, step)]
    return sum(frame[2:4] == salts and frame[1] > 0 for frame in frames[good:])


def _sums(data: bytes, order: Literal["<", ">"], sums: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for one, other in zip(words[::2], words[1::2], strict=True):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second
