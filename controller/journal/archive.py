"""A journal put away, and a new one that goes on from its end: what keeps a table quick that runs for years.

Nothing of the old file goes: it gets a name of its own and is never written again. The new one begins with events that
say how the table stood, so a start reads those instead of years; its first hash stands on the last one of the old
file, so both together are still one chain.
"""

import os
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from controller.errors import JournalError
from controller.journal.book import Journal
from controller.journal.file import create, sync_folder
from controller.journal.log import log_of
from controller.journal.mark import mark_of
from controller.rulings.switches import Profile
from controller.table.events import ButtonMoved, Event, LevelChanged, PlacesCounted, SeatChanged
from controller.table.phases import Phase
from controller.table.seats import next_button, next_places
from controller.table.state import Seat, State


def opening(state: State, profile: Profile) -> tuple[Event, ...]:
    """How the table stands between two hands, as events: where all items lie, seats, the next button, blinds.

    JournalError while a hand is played or a pot is still to be paid. What a new session does without is left behind:
    missed blinds, dead blinds, the number of the hand, and what could be undone.
    """
    hand = state.hand
    if hand is not None and (hand.phase is not Phase.BETWEEN_HANDS or hand.owed):
        raise JournalError(
            f"hand {hand.number} is not over: play it to its end, or call it a misdeal, and archive then"
        )
    table = state.table
    places = next_places(profile, table)
    button = places.button if places is not None else next_button(table)
    return (
        *((PlacesCounted(state.places),) if state.counted_in else ()),
        *(_seat(number, seat) for number, seat in enumerate(table.seats, 1) if seat != Seat()),
        *(() if button is None else (ButtonMoved(button),)),
        LevelChanged(table.small_blind, table.big_blind, table.ante),
    )


def _seat(number: int, seat: Seat) -> SeatChanged:
    return SeatChanged(number, seat.stack, seat.playing, seat.name, seat.bought)


def kept_as(path: Path, epoch: str) -> Path:
    """The name of an archived journal: beside the one in use, with its epoch."""
    return path.with_name(f"{path.stem}.{epoch}{path.suffix}")


def archive(path: Path, opened: Callable[[Journal], Sequence[Event]]) -> Path:
    """Put the journal away under the name that is returned, and begin its successor with the events of `opened`.

    The table must not run. A power cut at any moment leaves the old journal or the new one under `path`, and whole.
    """
    with closing(Journal.open(path, create=False)) as old:
        faults = old.verify().faults
        if faults:
            raise JournalError(f"{path}: {faults[0]}: see betline journal verify; what is damaged is not put away")
        events = opened(old)
        kept = kept_as(path, old.epoch)
        if kept.exists() and not kept.samefile(path):
            raise JournalError(f"{kept}: is there already: move it away first")
        fresh = _successor(path, old, events)
        old.fold()
        also_called(path, kept)
        fresh.replace(path)
        mark_of(fresh).replace(mark_of(path))
        sync_folder(path.parent)
    kept.chmod(0o400)
    return kept


def clear(fresh: Path) -> None:
    """Away with what an attempt left that was cut."""
    for left in (fresh, log_of(fresh), mark_of(fresh)):
        left.unlink(missing_ok=True)


def _successor(path: Path, old: Journal, events: Sequence[Event]) -> Path:
    """The next journal, whole and on disk, under another name."""
    fresh = Path(f"{path}.next")
    clear(fresh)
    create(fresh, old.end)
    with closing(Journal.open(fresh)) as new:
        at_ns, wall_ms = time.monotonic_ns(), time.time_ns() // 1_000_000
        new.append([(event, at_ns, wall_ms) for event in events])
    was = path.stat()
    fresh.chmod(was.st_mode & 0o777)
    os.chown(fresh, was.st_uid, was.st_gid)  # root may put it away; the table writes on as who it is
    return fresh


def also_called(path: Path, kept: Path) -> None:
    """A second name for the same file; a copy where the file system has no links."""
    if kept.exists():  # an attempt that was cut got so far
        return
    try:
        os.link(path, kept)
    except OSError:
        shutil.copyfile(path, kept)
        with kept.open("rb") as file:
            os.fsync(file.fileno())
