"""How far the table is behind the game, in words. Pure."""

from collections.abc import Iterator, Sequence

from controller.core.seen import Behind
from controller.snapshot import BehindView, Text
from controller.texts.sentences import joined, phrase

MOST = 3  # seats of a list: a line that people read while they deal


def view_of(behind: Behind | None) -> BehindView | None:
    if behind is None:
        return None
    text = phrase("behind", seconds=behind.seconds, what=joined(_parts(behind)))
    return BehindView(behind.seconds, behind.reading, behind.waiting, behind.cards, text)


def _parts(behind: Behind) -> Iterator[Text]:
    if behind.reading:
        yield phrase("behind_reading", seats=_seats(behind.reading))
    if behind.waiting:
        yield phrase("behind_waits", seats=_seats(behind.waiting))
    if behind.cards:
        yield phrase("behind_dealer")


def _seats(seats: Sequence[int]) -> str:
    more = f" +{len(seats) - MOST}" if len(seats) > MOST else ""
    return " ".join(map(str, seats[:MOST])) + more
