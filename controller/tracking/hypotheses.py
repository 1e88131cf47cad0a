"""Where a chip that two antennas show may lie: on its own, on the other, or between the two; or dimly on one.

The counter of `presence.py` weighs "on B" against "on A". Two things it cannot know by itself:

* *between*: a chip at the front edge of its tray, or between two spots, is shown by both at a real rate. It goes to and
  fro: each return to its own antenna behind half a decision asks for more steps; and where another place has shown it
  too often for strays, nothing is decided, the chip is told as seen twice, and the table asks.
* *dim*: a chip that no antenna of its own shows, and another in a share of rounds only, loses the counter's walk as
  often as it wins. Its sightings are weighed against strays: it lies there once that is likelier by as much as the
  counter asks.
"""

from collections.abc import Collection

from controller.places import Place, Zone
from controller.tracking.chances import dim_nats
from controller.tracking.evidence import ABSENT_RUN, WHOLE, Field, Test, Track, stronger

SEVERAL = 3  # misses in a row that may be a tag gone elsewhere, where each is by itself
DIM_ROUNDS = 24  # without a sighting, after which an item that nobody shows is no candidate any more
NATS = 3.75  # log likelihood of half a step at 5 % misses and 1 % strays: what a dim item must come up to
BETWEEN = -7.0  # nats: one pushed item in a thousand lies between two antennas
LEAD = 5.0  # nats by which "on a spot" leads "between it and another place" before an item is moved there
TO_AND_FRO_NS, MOST_TURNS = 8_000_000_000, 2  # no hand lays a chip down, takes it back and lays it down again and again
RETURNS_NS = 15_000_000_000  # so long an item that came back to its own antenna is remembered to lie at its edge
MOST_RETURNS = 6  # that count
WAVERS, OF_ROUNDS = 2, 10  # that often at least, and in so many rounds of its tray each: strays amid misses are rarer
EXPECTED = 3  # eighths of the limit that a move need not show which is expected now
EXPECTED_WITH = 4  # the same where other chips of the seat have just come
AT_HAND = (Zone.TRAY, Zone.SPOT, Zone.IN_HAND)
TOGETHER_NS = 2_000_000_000
DIM_HITS = 6  # sightings at least, before a dim item is believed


def visit(test: Test) -> None:
    """A chip that lay where its player pushes for a while, and is back."""
    home, field = test.track.home, test.target
    if home is not None and test.hits > 1 and field.place == Place(Zone.SPOT, home.place.seat):
        field.visits[test.track.tag] = test.first_ns, test.seen_ns


def may_be_dim(test: Test) -> bool:
    """Whether a chip that its own antenna does not show was seen here not long ago."""
    home, track = test.track.home, test.track
    if track.kind != "chip" or test.idle >= DIM_ROUNDS:
        return False
    return home is None or (track.tag in home.missing and home.missing[track.tag].run >= SEVERAL)


def is_dim(test: Test) -> bool:
    """Whether an item that no antenna of its own shows lies here for certain, shown in a share of rounds only."""
    if test.track.kind != "chip" or test.alone < DIM_HITS or not test.latest or test.target.unfit:
        return False
    home, tag = test.track.home, test.track.tag
    silent = home is None or (tag in home.missing and home.missing[tag].run >= ABSENT_RUN)
    return silent and dim_nats(test.alone, test.alone_rounds) >= NATS * test.limit


def came_back(test: Test) -> None:
    """It was half decided to lie at the target, and its own antenna shows it again."""
    track = test.track
    if track.returned_from is not test.target or test.away_ns - track.returned_ns > RETURNS_NS:
        track.returns, track.wavered, track.wavered_ns = 0, 0, test.away_ns
    track.wavered += test.seen_ns > track.returned_ns
    track.returns, track.returned_ns = min(MOST_RETURNS, track.returns + 1), test.away_ns
    track.returned_from = test.target
    if track.kind == "chip":
        wavering = test.target.wavering
        for tag in [tag for tag, one in wavering.items() if test.away_ns - one.returned_ns > RETURNS_NS]:
            del wavering[tag]
        wavering[track.tag] = track


def wavered(track: Track, field: Field, since_ns: int) -> int:
    """How often it went to this antenna and back, all of it later than `since_ns`; 0: not often enough to lie between.

    One that did so before lay at the edge already, and nobody brought it.
    """
    home, times = track.home, track.wavered
    if home is None or track.returned_from is not field or times < WAVERS or track.wavered_ns < since_ns:
        return 0
    return times if home.rounds_since(track.wavered_ns) <= OF_ROUNDS * times else 0


def turned(test: Test) -> None:
    """It was decided to lie at the target: back where it was before, or at a third place."""
    track, now_ns = test.track, test.here_ns
    again = track.was == test.target.place and now_ns - track.turned_ns < TO_AND_FRO_NS
    track.turns = track.turns + 1 if again else 0
    track.turned_ns = track.turned_ns if again else now_ns
    track.was = track.place


def goes_to_and_fro(test: Test) -> bool:
    """Whether it was decided here and there by turns, more often than a hand moves it: it lies between the two."""
    track = test.track
    back = track.kind == "chip" and track.was == test.target.place
    return back and track.turns >= MOST_TURNS and test.here_ns - track.turned_ns < TO_AND_FRO_NS


def needed(test: Test, expected: Collection[int | None]) -> int:
    """The limit. An item that went back and forth must show more: its own antenna does not hear one that is gone.

    A return is 3.2 nats for "between" (a quarter of steps against one in a hundred), a step on B alone 1.3 against it.
    A player's chips before another seat are the rarest of moves, and most often lie between the two: twice as much.
    """
    track, limit = test.track, test.limit
    if track.kind != "chip":
        return limit
    if _is_anothers(test):
        limit *= 2
    elif is_players(test, expected):
        with_others = test.first_ns - test.target.landed_ns < TOGETHER_NS
        limit -= limit * (EXPECTED_WITH if with_others else EXPECTED) // 8
    if not track.returns or track.returned_from is not test.target or test.here_ns - track.returned_ns > RETURNS_NS:
        return limit
    return limit + WHOLE * (3 * track.returns - 2)


def is_credible(test: Test) -> bool:
    """Whether it was read there more than once since another place showed it: no stray, most likely."""
    return test.both <= 1 and (test.alone > 1 or (test.shown > 1 and test.score >= WHOLE))


def is_push(test: Test, expected: Collection[int | None]) -> bool:
    """Whether it would be a chip that a player pushes when a push of his is to come."""
    return test.target.place.zone is Zone.SPOT and is_players(test, expected)


def is_players(test: Test, expected: Collection[int | None]) -> bool:
    """Whether it would be a chip that such a player pushes or takes back."""
    here, now = test.target.place, test.track.place
    if here.seat != now.seat or here.seat not in expected:
        return False
    return here.zone in AT_HAND and now.zone in AT_HAND and Zone.SPOT in (here.zone, now.zone)


def _is_anothers(test: Test) -> bool:
    here, now = test.target.place, test.track.place
    return here.zone is Zone.SPOT and now.zone in (Zone.TRAY, Zone.IN_HAND) and now.seat != here.seat


def may_lie_between(test: Test) -> bool:
    """Whether another place shows it as well, and too often to be strays for certain.

    A place that has not shown it since it was first seen here was only passed.
    """
    if test.track.kind != "chip":
        return False
    lead = LEAD if test.target.place.zone is Zone.SPOT else 0.0
    return any(
        other.shown > 1
        and other.seen_ns > test.born_ns
        and other.target.place != test.target.place
        and stronger(test.dbm, other.dbm) <= 0
        and BETWEEN + dim_nats(other.shown, other.rounds) > -lead
        for other in test.track.tests
    )
