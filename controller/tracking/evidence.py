"""What is kept of each item, of each antenna, and of each half decided question between the two.

Plain records that `presence.py` changes round by round; the rest of tracking reads them.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Mapping
from math import ceil, log
from typing import NamedTuple

from controller.places import BANK, Place, Zone
from controller.registry.registry import Kind
from controller.tracking.chances import BLIND, OF_LANDED, Ear
from controller.tracking.layout import Antenna, Layout
from controller.tracking.noise import USUAL

WHOLE, HALF = 2, 1  # a step on B only, a miss on B alone
ABSENT_RUN = 6  # misses in a row that chance explains once in a million at p = 0.1 (computed)
LONG_RUN = 4 * ABSENT_RUN  # of these 0.6 % are a burst of misses (mean 5 rounds): no fact is made of less
SPOT_RUN = 8 * ABSENT_RUN  # a bet that vanished although the pot would show it: mean burst of 5 rounds leaves 3e-5
UNFIT_STEPS = 20  # m at an antenna that cannot be trusted: the most that table.toml takes
LIFTED = 3  # items that were missed together, `LIFTED` rounds or more, and came back together: a hand took them up
NEVER_NS = -(1 << 62)  # before any clock began
OUTLASTING = 0.001  # of all runs of misses: longer than what is waited for
KEPT_ROUNDS = 64  # of an antenna, whose times are kept: longer than any patience
ASSUMED_RUNS = 20  # of misses, that what is known of others counts for
ASSUMED = 500  # tag rounds that the usual share of misses counts for
RSSI_MARGIN_DB = 6  # a neighbour this much weaker is a neighbour: twice the distance costs 6 dB or more in free space

CHIP_ZONES = frozenset({Zone.TRAY, Zone.SPOT, Zone.POT, Zone.BANK})
CARD_ZONES = frozenset({Zone.HOLE, Zone.BOARD, Zone.MUCK})
BUTTON_ZONES = frozenset({Zone.SPOT, Zone.BUTTON})
ZONES_OF: Mapping[Kind, frozenset[Zone]] = {
    "chip": CHIP_ZONES,
    "marker": CHIP_ZONES,
    "card": CARD_ZONES,
    "button": BUTTON_ZONES,
}


class Miss:
    """An item that its antenna did not show in its last complete round, or did not show when it was asked for."""

    __slots__ = ("alone", "asked", "run", "seen_ns")

    def __init__(self, seen_ns: int, *, alone: bool = False, asked: int = 0) -> None:
        self.run = 0 if asked else 1  # complete rounds in a row
        self.asked = asked  # questions by its address in vain, since then
        self.seen_ns = seen_ns  # start of the last round that showed it, one sighting amid misses not counted
        self.alone = alone  # there was such a sighting since: a stray tells nothing of where an item lies


class Track:
    """What is known of one item."""

    __slots__ = (
        "home",
        "kind",
        "left_ns",
        "name",
        "passed",
        "pinned",
        "place",
        "returned_from",
        "returned_ns",
        "returns",
        "tag",
        "tests",
        "turned_ns",
        "turns",
        "was",
        "wavered",
        "wavered_ns",
    )

    def __init__(self, name: str, tag: str, kind: Kind) -> None:
        self.name = name
        self.tag = tag
        self.kind = kind
        self.place = BANK
        self.home: Field | None = None  # the antenna that it was decided on
        self.pinned = kind == "button"  # stays where it was until it is seen elsewhere
        self.left_ns = NEVER_NS  # when the place before showed it last
        self.tests: list[Test] = []
        self.returns = 0  # how often it was half decided elsewhere when its own antenna showed it again
        self.returned_ns = NEVER_NS  # when last
        self.returned_from: Field | None = None  # and from where
        self.wavered = 0  # of these returns, those since which the other antenna had shown it anew
        self.wavered_ns = NEVER_NS  # when the first of them was
        self.was: Place | None = None  # where it lay before
        self.turns = 0  # moves in a row between the same two places
        self.turned_ns = NEVER_NS  # when the first of them was decided
        self.passed: Test | None = None  # of a bet that left its spot: the pot showed it in `PASSED` steps


class Test:
    """One item against one candidate antenna."""

    __slots__ = (
        "alone",
        "alone_rounds",
        "away",
        "away_dbm",
        "away_ns",
        "born_ns",
        "both",
        "clear_ns",
        "dbm",
        "first_ns",
        "here",
        "here_ns",
        "hits",
        "idle",
        "latest",
        "limit",
        "more",
        "rounds",
        "score",
        "seen_ns",
        "shown",
        "step_ns",
        "target",
        "track",
    )

    def __init__(self, track: Track, target: "Field", limit: int) -> None:
        self.track = track
        self.target = target
        self.limit = limit  # decided there: the m of when the question came up, in half steps
        self.score = 0  # half steps, never below 0
        self.both = 0  # steps in which both antennas showed it
        self.hits = 0  # sightings that are not counted as strays
        self.shown = 0  # all sightings
        self.rounds = 0  # complete rounds of the target since the first of them
        self.alone = self.alone_rounds = 0  # the same two since the item's own antenna showed it last
        self.idle = 0  # of these since the last
        self.born_ns = 0  # end of the first
        self.latest = False  # the target's latest round showed it
        self.first_ns = 0  # end of the first round of this run of evidence
        self.clear_ns = 0  # end of the complete round before it, which did not show it
        self.seen_ns = 0  # start of the latest round that showed it
        self.here: bool | None = None  # the open step: what the target said
        self.here_ns = 0
        self.step_ns = 0  # when the last step was whole
        self.more = 0  # what the target's earlier rounds of this step said: sightings less misses
        self.dbm: int | None = None
        self.away: bool | None = None  # the open step: what the item's own antenna said
        self.away_ns = 0
        self.away_dbm: int | None = None


class Shadows:
    """Runs of misses on all antennas of the table: what one that has shown nothing yet will do, most likely."""

    __slots__ = ("misses", "runs")

    def __init__(self) -> None:
        self.misses = self.runs = 0

    @property
    def mean(self) -> float:
        """Rounds that an item stays unread on average, once it was missed."""
        return (self.misses + ASSUMED_RUNS) / (self.runs + ASSUMED_RUNS)


class Field:
    """One antenna and what is expected on it."""

    __slots__ = (
        "absent_run",
        "antenna",
        "began_ns",
        "begins",
        "blank",
        "blinded",
        "denied",
        "ended_ns",
        "expected",
        "heard",
        "hits",
        "kinds",
        "landed",
        "landed_ns",
        "leaving",
        "live",
        "longest",
        "misses",
        "missing",
        "place",
        "returned",
        "rounds",
        "runs",
        "shadows",
        "strays",
        "tests",
        "unfit",
        "visits",
        "wavering",
    )

    def __init__(self, antenna: Antenna, absent_run: int | None, shadows: Shadows) -> None:
        self.antenna = antenna
        self.shadows = shadows
        self.place = antenna.place
        self.kinds = frozenset(kind for kind, zones in ZONES_OF.items() if antenna.place.zone in zones)
        self.absent_run = absent_run  # None: absence never ends its place
        self.live = False  # complete rounds are coming, and they can be trusted; kept by health
        self.unfit = ""  # why its rounds cannot be trusted; kept by fitness
        self.began_ns = self.ended_ns = 0  # of the last complete round
        self.begins: deque[int] = deque(maxlen=KEPT_ROUNDS)  # of the last complete rounds
        self.rounds = 0  # complete ones
        self.blank = 0  # of these, the last in a row that showed no tag at all
        self.expected: set[str] = set()
        self.missing: dict[str, Miss] = {}  # expected and not in the last complete round
        self.returned: dict[str, Miss] = {}  # those that the last round showed after two misses or more
        self.denied: dict[str, deque[int]] = {}  # tags that did not answer to their address, and when they were asked
        self.visits: dict[str, tuple[int, int]] = {}  # chips of its seat that it showed for a while and that went back
        self.tests: dict[str, Test] = {}  # candidates for this antenna
        self.wavering: dict[str, Track] = {}  # chips that were half decided to lie here, and came back
        self.leaving: dict[str, Track] = {}  # items of this antenna that are candidates elsewhere
        self.hits = 0
        self.misses = 0
        self.runs = 0  # of misses, of items that came back
        self.longest = 0  # of these
        self.landed = 0  # chips that were decided to lie here
        self.landed_ns = NEVER_NS  # when the last of them was first seen here
        self.blinded = 0  # chips that lay here unread for longer than any shadow, and were shown again or said to
        self.strays = 0
        self.heard: dict[Field, dict[str, int]] = {}  # strays by where they lay, since fitness looked last

    def ear(self) -> Ear:
        """What was measured of it so far."""
        told = USUAL if self.antenna.noise is None else self.antenna.noise
        misses = self.misses + told.miss * ASSUMED
        burst = (self.misses + ASSUMED_RUNS * self.shadows.mean) / (self.runs + ASSUMED_RUNS)
        blind = (BLIND + self.blinded) / (OF_LANDED + self.landed)
        return Ear(min(0.9, misses / (self.hits + self.misses + ASSUMED)), max(told.burst, burst), min(0.5, blind))

    def rounds_since(self, at_ns: int, tag: str = "") -> int:
        """Complete rounds that began later, and questions for this tag in vain, as far as their times are kept."""
        rounds = len(self.begins) - bisect_right(self.begins, at_ns)
        denied = self.denied.get(tag)
        return rounds if denied is None else rounds + len(denied) - bisect_right(denied, at_ns)


class Decided(NamedTuple):
    track: Track
    origin: Place
    first_ns: int  # first sighting at the new place; of a vanished item: when it was last seen
    was_gone: bool  # nobody saw it at the new place: it is held
    clear_ns: int = 0  # end of the last complete round of the new place that did not show it
    left_ns: int | None = None  # when the old place showed it last; None: as `first_ns`


def places_shown(track: Track) -> tuple[Place, ...]:
    """The places that show an item step after step, where it is more than one antenna."""
    places = {test.target.place for test in track.tests if test.both}
    if track.home is not None:
        places.add(track.home.place)
    return tuple(sorted(places, key=lambda place: (place.zone, place.seat or 0)))


def rival(test: Test) -> bool:
    """Whether an antenna of another place shows the item as well, and no weaker, since the last step was whole."""
    return any(
        other.latest
        and other.here_ns > test.step_ns
        and other.target.place != test.target.place
        and stronger(test.dbm, other.dbm) <= 0
        for other in test.track.tests
    )


def may_come(test: Test) -> bool:
    """Whether a test is more than a stray reading of an item that its own antenna shows."""
    home = test.track.home
    return test.score > 0 or home is None or test.track.tag in home.missing


def shadow_rounds(field: Field) -> int:
    """Misses in a row that one item in a thousand outlasts, by the mean run of misses on this antenna so far."""
    mean = (field.misses + 1) / (field.runs + 1)
    return 1 if mean <= 1 else min(LONG_RUN, ceil(log(OUTLASTING) / log(1 - 1 / mean)))


def stronger(one: int | None, other: int | None) -> int:
    """+1 or -1 where one reading is stronger by a margin, else 0."""
    if one is None or other is None or abs(one - other) < RSSI_MARGIN_DB:
        return 0
    return 1 if one > other else -1


def absent_run(zone: Zone, layout: Layout) -> int | None:
    """Misses in a row (and hold_ms) after which an item is on no antenna; None: it stays where it was."""
    match zone:
        case Zone.TRAY | Zone.BOARD:
            return LONG_RUN
        case Zone.SPOT:
            if layout.has(Zone.POT):
                return None if layout.every_seat_has_tray() else SPOT_RUN
            return ABSENT_RUN
        case Zone.POT:
            return None if layout.every_seat_has_tray() else ABSENT_RUN
        case _:
            return ABSENT_RUN


def gone_to(place: Place) -> Place:
    """Where an item is that left an antenna and came to no other."""
    if place.zone in (Zone.BANK, Zone.BOARD, Zone.MUCK):
        return BANK
    return Place(Zone.IN_HAND, place.seat)
