"""How likely it is that an item lies unread on an antenna. Pure; behind each question of the table stands one of these.

A tag that lies on an antenna is shown round by round but for its misses, which come in runs; a few of all that lie
there are *blind*: shaded in their stack, or with a dying tag. Half of the blind are never shown, the others in any
share of rounds, each share as likely. A tag that lies elsewhere is shown by strays.

What players do with chips that no antenna shows, before the antennas are asked (assumed; play that is recorded should
mend it): of chips that left the tray while others of it were pushed one in two is of the push (`LEFT_WITH`); where the
push came out of the hand, one in three of the others that were there (`FROM_HAND`); of chips that were in the hand long
before, one in twenty (`KEPT`); of chips that lay on the spot one in fifty is pulled back under a new push
(`PULLED_BACK`).
"""

from math import exp, lgamma, log
from typing import NamedTuple

LEFT_WITH, FROM_HAND, KEPT, PULLED_BACK = 0.5, 0.3, 0.05, 0.02
BLIND, OF_LANDED = 1.0, 200.0  # what an antenna begins with: one tag in two hundred
LEAVES = 0.1  # chance that a given chip of the tray of who pushes, missed there, left it at all
LEAVES_UNSEEN = 0.001  # the same of a tray before which nothing is known to have moved
STRAY = 0.01  # a scan reads a given tag of the next antenna: the usual figure


class Ear(NamedTuple):
    """What was measured of one antenna."""

    miss: float  # share of rounds in which a tag that lies there is not shown
    burst: float  # mean run of misses, in rounds
    blind: float  # share of tags that stay unread while they lie there


def shadow(run: int, ear: Ear) -> float:
    """That a tag that lies there, and is not blind, was missed in its last `run` rounds."""
    if run <= 0:
        return 1.0
    stays = max(ear.miss, 1 - 1 / max(1.0, ear.burst))
    return ear.miss * float(stays ** (run - 1))


def there(hits: int, rounds: int, ear: Ear) -> float:
    """Likelihood of `hits` sightings in `rounds` rounds, in their order, of a tag that lies there."""
    misses = rounds - hits
    good = (1 - ear.miss) ** hits * shadow(misses, ear)
    dark = 1.0 if not hits else 0.0
    return float((1 - ear.blind) * good + ear.blind / 2 * (dark + any_share(hits, misses)))


def astray(hits: int, rounds: int) -> float:
    """The same of a tag that lies elsewhere."""
    return float(STRAY**hits * (1 - STRAY) ** (rounds - hits))


def any_share(hits: int, misses: int) -> float:
    """The same of a tag that is shown in an unknown share of rounds."""
    return exp(lgamma(hits + 1) + lgamma(misses + 1) - lgamma(hits + misses + 2))


def dim_nats(hits: int, rounds: int) -> float:
    """How much more likely the sightings are of a tag that lies there and is shown now and then, than of strays."""
    misses = rounds - hits
    likely = lgamma(hits + 1) + lgamma(misses + 1) - lgamma(rounds + 2)
    return likely - hits * log(STRAY) - misses * log(1 - STRAY)


class Before(NamedTuple):
    """How likely a chip is somewhere, before the antenna in question is asked."""

    pushed: float  # that it is of the push, where it left the tray
    in_tray: float = 0.0  # how likely its tray would miss it as it does, if it lay there still; 0: it lay in none
    leaves: float = LEAVES  # that it left the tray


def came(before: Before, hits: int, rounds: int, ear: Ear) -> float:
    """That an unseen item lies on an antenna which showed it `hits` times in `rounds`, else in the hand."""
    here = before.leaves * before.pushed * there(hits, rounds, ear)
    hand = (before.leaves * (1 - before.pushed) + before.in_tray) * astray(hits, rounds)
    return here / (here + hand) if here else 0.0


def went(run: int, ear: Ear) -> float:
    """That an item which its antenna missed `run` times in a row has left it, else lies there unread."""
    return PULLED_BACK / (PULLED_BACK + there(0, run, ear))
