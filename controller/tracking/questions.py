"""Single chips that a reader should be asked for by address, because somebody waits for them; and what silence says.

A reader that can ask tells of one chip in some milliseconds, where a round of its tray takes half a second. A question
is a round for the chips that it names, and for no others: those that answer were seen, the others were not. It counts
for the test of a move, and for how likely a chip lies unread; what an antenna misses is measured by its rounds alone.

Asked for are the chips of a seat that are half read on its spot, those that its tray does not show, and those of its
spot that it does not show. Where these are many, a round tells of all of them as soon; and where misses
come in runs, a question soon behind a round tells of the same shadow, so nobody is asked there.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping

from controller.places import Place, Zone
from controller.tracking.evidence import KEPT_ROUNDS, LONG_RUN, Field, Miss, Test, Track
from firmware_bridge.events import ScanRound

MOST = 6  # chips of one antenna: ten milliseconds each, where they do not answer
MOST_BURSTY = 4 / 3  # misses in a row, on average
Antenna = tuple[str, int]


def in_vain(field: Field, scan: ScanRound) -> None:
    """Tags that were asked for at this antenna and did not answer."""
    for tag in scan.absent:
        field.denied.setdefault(tag, deque(maxlen=KEPT_ROUNDS)).append(scan.began_ns)
        if tag not in field.expected:
            continue
        miss, before = field.missing.get(tag), field.returned.pop(tag, None)
        if miss is not None:
            miss.asked += 1
        else:
            field.missing[tag] = Miss(before.seen_ns if before else field.began_ns, alone=before is not None, asked=1)


def is_absence(field: Field, tag: str, scan: ScanRound, *, complete: bool) -> bool:
    """Whether a scan that does not show a tag is news of its absence."""
    return not told_before(field, tag, scan) if complete else tag in scan.absent


def told_before(field: Field, tag: str, scan: ScanRound) -> bool:
    """Whether it was said before this round ended that the tag does not answer: then the round says it once more."""
    denied = field.denied.get(tag)
    return denied is not None and scan.began_ns <= denied[-1] <= scan.ended_ns


def wanted(
    fields: Collection[Field], tracks: Mapping[str, Track], seats: Iterable[int]
) -> dict[Antenna, tuple[str, ...]]:
    """By antenna, the tags that are waited for: of these seats, and of those on whose spot a chip is half read."""
    asked: dict[Field, set[str]] = {}
    for seat in sorted({*seats, *_half_read_seats(fields)}):
        trays = [field for field in fields if field.place == Place(Zone.TRAY, seat)]
        fronts = [field for field in fields if field.place == Place(Zone.SPOT, seat)]
        unread = {tag for field in trays for tag in _unread(field, tracks)}
        for field in fronts:
            asked.setdefault(field, set()).update(unread, _unread(field, tracks))
        for field in trays:
            asked.setdefault(field, set()).update(unread)
        for test in _half_read((*fronts, *trays)):
            for end in (test.target, test.track.home):
                if end is not None:
                    asked.setdefault(end, set()).add(test.track.tag)
    return {
        (field.antenna.reader, field.antenna.number): tuple(sorted(tags))
        for field, tags in asked.items()
        if 0 < len(tags) <= MOST and field.live and field.ear().burst <= MOST_BURSTY
    }


def _half_read_seats(fields: Iterable[Field]) -> Iterator[int]:
    for field in fields:
        if field.tests and field.place.zone is Zone.SPOT and field.place.seat is not None and any(_half_read([field])):
            yield field.place.seat


def _half_read(fields: Iterable[Field]) -> Iterator[Test]:
    """Chips that one of these antennas has just shown, and that lie elsewhere as far as is known."""
    for field in fields:
        for test in field.tests.values():
            if test.track.kind == "chip" and (test.score or test.latest):
                yield test


def _unread(field: Field, tracks: Mapping[str, Track]) -> Iterator[str]:
    """Chips that it should show and does not, for as long as that may be a shadow."""
    for tag, miss in (*field.missing.items(), *field.returned.items()):
        if miss.run < LONG_RUN and tracks[tag].kind == "chip":
            yield tag
