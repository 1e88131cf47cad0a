"""How often antennas miss tags and hear those of others, and the limit m of the sequential test that follows.

Theory. p: a round misses a tag that lies there; q: a round hears a tag of a neighbour. For a chip at rest one step
moves the counter up with probability pq (missed at home, heard next door), down with (1-p)(1-q), and it is held at 0.
How long until it wrongly reaches m is the average run length of a CUSUM. `TAG_ROUNDS` steps must pass before one does:
600 chips, ten rounds a second, 1,000 hours.

Misses in bursts are worse than their share says, because a tag in shadow answers nothing that would hold the counter
down; the test itself takes half a step back for every step in which nobody shows a tag that was missed `ABSENT_RUN`
times in a row. So a tag is in the light (always read) or in shadow (never read), in shadow for `burst` rounds on
average and for the share p of all rounds, and the walk goes over the counter and the age of the shadow. With the burst
that chance alone gives, 1/(1-p), this is the walk above.
"""

from collections.abc import Iterable
from math import inf, sqrt

import msgspec

from controller.tracking.evidence import ABSENT_RUN, HALF, WHOLE
from controller.tracking.noise import Noise as Noise  # noqa: PLC0414  -- who asks for rates takes it from here
from firmware_bridge.events import ScanRound, Value

Antenna = tuple[str, int]  # [[reader]] id and the reader's own number

TAG_ROUNDS = 600 * 10 * 3600 * 1000.0  # chips, rounds a second, seconds, hours: at most one false move
LEAST_STEPS, MOST_STEPS = 2, 20  # what table.toml takes
LEAST_MISS, LEAST_STRAY = 0.01, 0.001  # no short measurement proves less
WEAK_MISS = 0.1  # above: rulings come late; the antenna should be moved
UNFIT_MISS, UNFIT_STRAY = 0.2, 0.05  # above: not to be trusted, whatever m is
MOST_PLAYED = 10  # m that "auto" may choose: it holds 1.25 times these limits, with bursts of any length (computed)
SURE = 1.645  # one-sided 95 % of a normal distribution
LIES = 0.5  # share of rounds that shows a tag that lies there
FAINT = 0.15  # a tag that is heard so often, and half as often anywhere else, lies there all the same
S = 1_000_000_000


def false_move_rounds(noise: Noise, steps: int) -> float:
    """Mean number of steps until a chip that lies still is wrongly moved; infinite where that cannot be.

    States are left out one by one (Grassmann, Taksar and Heyman): nothing is ever subtracted, so that run lengths of
    10^15 steps are as exact as short ones.
    """
    p, q = noise.miss, noise.stray
    if p <= 0 or q <= 0 or p >= 1:
        return inf if p < 1 else 0.0
    states = [(score, age) for score in range(WHOLE * steps) for age in range(ABSENT_RUN + 1)]
    chances = {state: _next(state, noise, WHOLE * steps) for state in states}
    times = dict.fromkeys(states, 1.0)
    sources: dict[_State, set[_State]] = {state: set() for state in states}
    for state, targets in chances.items():
        for target in targets:
            if target in sources:
                sources[target].add(state)
    for state in reversed(states[1:]):
        _leave_out(state, chances, times, sources)
    start = states[0]
    return times[start] / sum(chance for target, chance in chances[start].items() if target != start)


_State = tuple[int, int]  # the counter in half steps; rounds in shadow, 0 in the light
_MOVED: _State = (-1, -1)


def _next(state: _State, noise: Noise, decide_at: int) -> dict[_State, float]:
    """Where one step leads, and how likely."""
    score, age = state
    q, leave = noise.stray, min(1 - noise.miss, 1 / max(1.0, noise.burst))
    dark = 1 - leave if age else leave * noise.miss / (1 - noise.miss)
    older = min(age + 1, ABSENT_RUN)
    unheard = max(0, score - HALF) if older == ABSENT_RUN else score
    found: dict[_State, float] = {}
    for target, chance in (
        ((score + WHOLE, older) if score + WHOLE < decide_at else _MOVED, dark * q),
        ((unheard, older), dark * (1 - q)),
        ((score, 0), (1 - dark) * q),
        ((max(0, score - WHOLE), 0), (1 - dark) * (1 - q)),
    ):
        if chance > 0:
            found[target] = found.get(target, 0.0) + chance
    return found


def _leave_out(
    state: _State,
    chances: dict[_State, dict[_State, float]],
    times: dict[_State, float],
    sources: dict[_State, set[_State]],
) -> None:
    """Make every path through a state one step that takes as long."""
    onward = {target: chance for target, chance in chances.pop(state).items() if target != state}
    away = sum(onward.values())
    for source in sources.pop(state) - {state}:
        share = chances[source].pop(state) / away
        times[source] += share * times[state]
        for target, chance in onward.items():
            chances[source][target] = chances[source].get(target, 0.0) + share * chance
            if target in sources:
                sources[target].add(source)
    for target in onward:
        if target in sources:
            sources[target].discard(state)


def steps_for(noise: Noise, tag_rounds: float = TAG_ROUNDS, least: int = LEAST_STEPS) -> int | None:
    """The least m with at most one false move in so many rounds of tags; None: none that table.toml takes does."""
    for steps in range(least, MOST_STEPS + 1):
        if false_move_rounds(noise, steps) >= tag_rounds:
            return steps
    return None


def steps_of(antennas: Iterable[Noise], tag_rounds: float = TAG_ROUNDS) -> int | None:
    """The m of a table: that of its worst antenna. None: one is beyond every m; `LEAST_STEPS` without antennas."""
    steps = LEAST_STEPS
    for noise in antennas:
        found = steps_for(noise, tag_rounds, steps)
        if found is None:
            return None
        steps = found
    return steps


def playing_steps(antennas: Iterable[Noise], usual: int) -> int:
    """The m that a table plays with; `usual` where nothing was measured.

    An antenna beyond what can be trusted counts as one at that limit: it is named and mended, not waited for.
    """
    noises = [Noise(min(n.miss, UNFIT_MISS), min(n.stray, UNFIT_STRAY), n.burst) for n in antennas]
    return (steps_of(noises) or MOST_STEPS) if noises else usual


def bound(events: int, chances: int) -> float:
    """The most that a share may be, 95 % sure, after so many events in so many chances (Wilson's upper bound)."""
    if not chances:
        return 1.0
    share, z = events / chances, SURE
    middle = share + z * z / (2 * chances)
    spread = z * sqrt(share * (1 - share) / chances + z * z / (4 * chances * chances))
    return min(1.0, (middle + spread) / (1 + z * z / chances))


# ---------------------------------------------------------------- measuring
class Measured(Value, frozen=True):
    """What one antenna did while nothing moved."""

    antenna: Antenna
    rounds: int = 0  # complete ones
    incomplete: int = 0
    a_second: float = 0.0  # complete rounds
    lying: tuple[str, ...] = ()
    hits: int = 0  # of tags that lie there
    misses: int = 0
    bursts: int = 0  # runs of misses
    longest: int = 0  # of these
    heard: dict[str, float] = msgspec.field(default_factory=dict)  # tags that do not lie there: share of rounds
    strays: int = 0  # sightings of tags that lie on another antenna
    stray_chances: int = 0  # rounds of this antenna, for each such tag
    loudest: Antenna | None = None  # the other antenna whose tags it hears most
    missed: tuple[int, ...] = ()  # of each round: how many of the tags that lie there it missed
    strayed: tuple[int, ...] = ()  # of each round: how many tags of the loudest neighbour it heard

    @property
    def miss(self) -> float:
        return self.misses / (self.hits + self.misses) if self.hits + self.misses else 0.0

    @property
    def stray(self) -> float:
        """Share of rounds in which one given tag of the loudest neighbour was heard."""
        return self.strays / self.stray_chances if self.stray_chances else 0.0

    @property
    def burst(self) -> float:
        """Rounds that a tag stayed unread on average, once it was missed."""
        return self.misses / self.bursts if self.bursts else 1.0

    @property
    def noise(self) -> Noise:
        """Figures to set m by: 95 % sure, and never better than a short measurement can prove.

        Without a neighbour that had tags on it nothing was proved about strays: the usual 1 % is taken.
        """
        stray = bound(self.strays, self.stray_chances) if self.stray_chances else 0.01
        miss = bound(self.misses, self.hits + self.misses) if self.lying else 0.05
        return Noise(max(LEAST_MISS, min(miss, 0.99)), max(LEAST_STRAY, stray), self.burst)

    @property
    def unfit(self) -> bool:
        return self.miss > UNFIT_MISS or self.stray > UNFIT_STRAY

    @property
    def weak(self) -> bool:
        return self.miss > WEAK_MISS


class _Seen:
    """One tag on one antenna."""

    __slots__ = ("bursts", "longest", "run", "shown")

    def __init__(self, before: int) -> None:
        self.shown: list[int] = []  # rounds
        self.run = before  # misses in a row until now; before its first sighting all rounds are
        self.bursts = self.longest = 0

    @property
    def hits(self) -> int:
        return len(self.shown)

    def hit(self, at: int) -> None:
        self.shown.append(at)
        self.end_run()

    def end_run(self) -> None:
        if self.run:
            self.bursts += 1
            self.longest = max(self.longest, self.run)
        self.run = 0


class Survey:
    """Counts the rounds of antennas on which nothing moves: `take` them, then ask for `measured`."""

    def __init__(self, antennas: Iterable[Antenna] = ()) -> None:
        self._rounds: dict[Antenna, int] = dict.fromkeys(antennas, 0)
        self._incomplete: dict[Antenna, int] = {}
        self._times: dict[Antenna, tuple[int, int]] = {}  # begin of the first round, end of the last
        self._seen: dict[Antenna, dict[str, _Seen]] = {}

    def take(self, scan: ScanRound) -> None:
        if scan.absent:
            return  # of single tags that were asked for: no round
        antenna = (scan.reader, scan.antenna)
        rounds = self._rounds.setdefault(antenna, 0)
        if not scan.complete:
            self._incomplete[antenna] = self._incomplete.get(antenna, 0) + 1
            return
        self._times[antenna] = (self._times.get(antenna, (scan.began_ns, 0))[0], scan.ended_ns)
        known = self._seen.setdefault(antenna, {})
        shown = {sighting.tag for sighting in scan.sightings}
        for tag in shown - known.keys():
            known[tag] = _Seen(rounds)
        for tag, seen in known.items():
            if tag in shown:
                seen.hit(rounds)
            else:
                seen.run += 1
        self._rounds[antenna] = rounds + 1

    def rounds(self, antenna: Antenna) -> int:
        return self._rounds.get(antenna, 0)

    def shares(self, antenna: Antenna) -> dict[str, float]:
        """Tags that an antenna showed, and in which share of its complete rounds."""
        rounds = self._rounds.get(antenna, 0)
        return {tag: seen.hits / rounds for tag, seen in self._seen.get(antenna, {}).items()} if rounds else {}

    def homes(self) -> dict[str, Antenna]:
        """Where each tag lies: the antenna that shows it most. A tag without a clear home has none."""
        shares: dict[str, list[tuple[float, Antenna]]] = {}
        for antenna in self._rounds:
            for tag, share in self.shares(antenna).items():
                shares.setdefault(tag, []).append((share, antenna))
        homes = {}
        for tag, found in shares.items():
            found.sort(reverse=True)
            best, second = found[0][0], found[1][0] if len(found) > 1 else 0.0
            if best >= LIES or (best >= FAINT and best >= 2 * second):
                homes[tag] = found[0][1]
        return homes

    def measured(self) -> dict[Antenna, Measured]:
        """The figures of every antenna that was asked for or heard."""
        homes = self.homes()
        return {antenna: self._measure(antenna, homes) for antenna in self._rounds}

    def _measure(self, antenna: Antenna, homes: dict[str, Antenna]) -> Measured:
        rounds, known = self._rounds[antenna], self._seen.get(antenna, {})
        lying = tuple(sorted(tag for tag in known if homes.get(tag) == antenna))
        for tag in lying:
            known[tag].end_run()
        hits = sum(known[tag].hits for tag in lying)
        heard = {tag: share for tag, share in self.shares(antenna).items() if tag not in lying}
        strays, chances, loudest = self._strays(antenna, homes)
        began_ns, ended_ns = self._times.get(antenna, (0, 0))
        return Measured(
            antenna,
            rounds,
            self._incomplete.get(antenna, 0),
            rounds * S / (ended_ns - began_ns) if ended_ns > began_ns else 0.0,
            lying,
            hits,
            rounds * len(lying) - hits,
            sum(known[tag].bursts for tag in lying),
            max((known[tag].longest for tag in lying), default=0),
            heard,
            strays,
            chances,
            loudest,
            tuple([len(lying) - count for count in _by_round(rounds, lying, known)]),
            _by_round(rounds, (tag for tag, home in homes.items() if home == loudest), known),
        )

    def _strays(self, antenna: Antenna, homes: dict[str, Antenna]) -> tuple[int, int, Antenna | None]:
        """Sightings of the tags of the neighbour that is heard most, the chances of them, and which it is."""
        known, rounds = self._seen.get(antenna, {}), self._rounds[antenna]
        found: list[tuple[float, int, int, Antenna]] = []
        for other in dict.fromkeys(homes.values()):
            theirs = [tag for tag, home in homes.items() if home == other]
            sightings = sum(known[tag].hits for tag in theirs if tag in known)
            if other != antenna and rounds:
                found.append((sightings / len(theirs), sightings, len(theirs) * rounds, other))
        return max(found)[1:] if found else (0, 0, None)


def _by_round(rounds: int, tags: Iterable[str], known: dict[str, _Seen]) -> tuple[int, ...]:
    """How many of these tags each round showed."""
    shown = [0] * rounds
    for tag in tags:
        for at in known[tag].shown if tag in known else ():
            shown[at] += 1
    return tuple(shown)
