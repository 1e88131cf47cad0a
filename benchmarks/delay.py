"""From the last byte of the deciding round to the ruling on the dealer's socket, at a table that really runs.

Two players raise each other for ever; every push is chips laid from a tray to a spot between two beats of the reader.
So it is known which write of the reader decides: the step that is the last of the sequential test shows what the push
is (provisional), and the first round of the spot that ends after the quiet time makes it final.
"""

import statistics
from collections.abc import Iterator

from benchmarks.rows import Row, Size, Tell, at_most
from benchmarks.served import Feed, Served, served
from benchmarks.steady import BEAT_MS
from benchmarks.timing import percentile
from controller.config.config import ReadingSection
from controller.places import Place, Zone
from firmware_bridge.errors import BetlineError
from firmware_bridge.events import Value
from simulator.script import chip_name
from simulator.tables import tag_of

GROUP = "delay"
SEATS = 9
AIM_MS = 5
STEPS = 4  # of the sequential test
QUIET_BEATS = 6  # beats from the first sighting of a push until it was quiet for long enough
QUIET_MS = QUIET_BEATS * BEAT_MS - BEAT_MS // 2
READING = ReadingSection(quiet_ms=QUIET_MS, hold_ms=4000, steps=STEPS)
IDLE_CHIPS = 40  # in the tray of every seat that sits out
SMALL, LARGE = 100, 1000
A_RAISE = 4  # large chips: 2000 to call and 2000 more


class Push(Value, frozen=True):
    seat: int
    chips: tuple[str, ...]
    total: int  # what it comes to


class Delays(Value, frozen=True):
    provisional_ms: tuple[float, ...]
    final_ms: tuple[float, ...]


def rows(size: Size, tell: Tell) -> Iterator[Row]:
    delays = measured(size.pushes, tell)
    what = f"{SEATS} seats, 10 rounds a second: last byte of the deciding round to"
    yield _row(f"{what} the provisional ruling", delays.provisional_ms, "99 %", AIM_MS)
    yield _row(f"{what} the final ruling", delays.final_ms, f"quiet time {QUIET_MS} ms not counted; 99 %", None)


def _row(what: str, delays: tuple[float, ...], note: str, aim: float | None) -> Row:
    return Row(
        group=GROUP,
        what=what,
        unit="ms",
        ours=statistics.median(delays),
        aim=None if aim is None else at_most(aim),
        note=f"{note} within {percentile(list(delays), 0.99):.1f} ms; {len(delays)} pushes",
    )


def measured(count: int, tell: Tell) -> Delays:
    values, lies = _chips(count)
    with served(SEATS, lies, values, READING) as table, table.running():
        feed = Feed(table.folder / "dealer.sock")
        tell("counting in")
        _open_betting(table, feed)
        found = []
        for number, push in enumerate(_pushes(count), 1):
            tell(f"push {number} of {count}")
            found.append(_delays(table, feed, push))
        feed.close()
    provisional, final = zip(*found, strict=True)
    return Delays(provisional, final)


def _chips(count: int) -> tuple[dict[str, int], dict[str, Place]]:
    """Two deep stacks, and an ordinary one for each of the others."""
    values: dict[str, int] = {}
    lies: dict[str, Place] = {}
    heaps = {seat: A_RAISE * (count // 2 + 1) if seat <= 2 else IDLE_CHIPS for seat in range(1, SEATS + 1)}
    for seat, large in heaps.items():
        for value, number in ((SMALL, 4), (LARGE, large)):
            for chip in range(number):
                name = chip_name(value, seat * 1000 + chip)
                values[name], lies[name] = value, Place(Zone.TRAY, seat)
    return values, lies


def _large(seat: int, begin: int, count: int) -> tuple[str, ...]:
    return tuple(chip_name(LARGE, seat * 1000 + chip) for chip in range(begin, begin + count))


def _small(seat: int, begin: int, count: int) -> tuple[str, ...]:
    return tuple(chip_name(SMALL, seat * 1000 + chip) for chip in range(begin, begin + count))


def _pushes(count: int) -> Iterator[Push]:
    """The small blind calls, the big blind raises by 2000, and so on in turn."""
    yield Push(1, _small(1, 1, 1), 200)
    yield Push(2, _large(2, 0, 2), 2200)
    used = {1: 0, 2: 2}
    for number in range(2, count):
        seat = number % 2 + 1
        yield Push(seat, _large(seat, used[seat], A_RAISE), 200 + 2000 * number)
        used[seat] += A_RAISE


def _open_betting(table: Served, feed: Feed) -> None:
    next(shown for _, shown in feed.snapshots() if shown["phase"] != "counting_in")
    for seat in range(3, SEATS + 1):
        feed.command(type="seat_out", seat=seat)
    feed.command(type="next")
    for seat, chips in ((1, _small(1, 0, 1)), (2, _small(2, 0, 2))):
        _lay(table, seat, chips)
        posted = f"seat {seat} posted"
        assert next(shown for _, shown in feed.snapshots() if _seat(shown, seat)["bet"]), posted
    feed.command(type="street")


def _lay(table: Served, seat: int, chips: tuple[str, ...]) -> int:
    """Lay chips on a spot between two beats; how many writes this seat's reader had made before."""
    before: list[int] = []

    def lay() -> None:
        table.field.lay([tag_of(chip) for chip in chips], Place(Zone.SPOT, seat))
        before.append(len(table.writes[f"seat{seat}"]))

    table.terminals.do(lay)
    return before[0]


def _delays(table: Served, feed: Feed, push: Push) -> tuple[float, float]:
    """Milliseconds to the provisional and to the final ruling of one push."""
    first = _lay(table, push.seat, push.chips)
    writes = table.writes[f"seat{push.seat}"]
    provisional_ns = 0
    for at_ns, shown in feed.snapshots():
        if not provisional_ns and _is(shown["provisional"], push):
            provisional_ns = at_ns
        if _is(shown["ruling"], push):
            assert provisional_ns, "a final ruling without a provisional one"
            return (provisional_ns - writes[first + STEPS]) / 1e6, (at_ns - writes[first + QUIET_BEATS]) / 1e6
    raise BetlineError("the feed ended")


def _is(ruling: object, push: Push) -> bool:
    return isinstance(ruling, dict) and (ruling["seat"], ruling["total_to"]) == (push.seat, push.total)


def _seat(shown: dict[str, object], seat: int) -> dict[str, object]:
    seats = shown["seats"]
    assert isinstance(seats, list)
    found: dict[str, object] = seats[seat - 1]
    return found
