"""Every driver beside its peers on the same bytes: frames a second on a clean line, frames and time lost on a bad one.

"lying still": the same tags in every round, as for most of an evening; "all new": others in every round. On the bad
line every frame has a tag of its own, so a frame that was lost is known by its tag; see `wires`. The peers' errors are
theirs to raise: they go on behind them where they can. Frames a second are good frames that were read, so a peer that
gives up early is not fast.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from benchmarks import decoders, wires
from benchmarks.decoders import Decode
from benchmarks.peers import MissingPeerError
from benchmarks.rows import Aim, Better, Row, Size, Tell, at_most, times
from benchmarks.timing import interleaved
from benchmarks.wires import FAMILIES, Damaged, Family

GROUP = "noise"
AT_LEAST = times(5)
NOISY_ROUNDS = 2  # good frames on the bad line, in parts of the rounds of a clean one
ELSEWHERE = ("m100", "pn532", "tablelink")  # measured on clean lines by `frames`
Peer = tuple[str, Decode] | None  # None: there is none on the package index


def clean(size: Size, tell: Tell, group: str) -> Iterator[Row]:
    """Rows of all families that `frames` does not measure in ways of their own."""
    for name, family in FAMILIES.items():
        if name in ELSEWHERE:
            continue
        for still in (True, False):
            state = "lying still" if still else "all new"
            tell(f"{name}, {state}")
            sent = wires.rounds(family, size.rounds, still=still)
            reads, tags = [data for data, _ in sent], {tag for _, seen in sent for tag in seen}
            many = "" if family.tags == 1 else "s"
            what = f"{name}, rounds of {family.tags} tag{many}, {state}"
            for peer in _peers(family):
                line = Line(group, what, family, reads, peer)
                assert all(found == tags for found in line.found.values()), f"{what}: other tags than were sent"
                frames = dict.fromkeys(line.found, family.frames * size.rounds)
                yield line.speed(frames, size)


def rows(size: Size, tell: Tell) -> Iterator[Row]:
    """On a bad line: good frames that are lost, and good frames read in a second."""
    for family in (*FAMILIES.values(), wires.METRATEC_CRC):
        checked = family is wires.METRATEC_CRC
        name = family.driver + (" with CRC" if checked else "")
        tell(name)
        sent = wires.damaged(family, size.rounds * NOISY_ROUNDS)
        for peer in (None,) if checked else _peers(family):
            line = Line(GROUP, f"{name}, bad line", family, sent.reads, peer)
            yield line.lost(sent)
            read = {side: len(found & sent.good) for side, found in line.found.items()}
            yield line.speed(read, size)


def _peers(family: Family) -> tuple[Peer, ...]:
    return decoders.PEERS.get(family.driver, ()) or (None,)


class Line:
    """Two sides that read the same bytes; `found`: the tags of each side that can be measured here."""

    def __init__(self, group: str, what: str, family: Family, reads: Sequence[bytes], peer: Peer) -> None:
        self._group, self._what = group, what
        self._peer = "" if peer is None else peer[0]
        self._aim = None if peer is None else AT_LEAST
        self._note = decoders.NO_PEER.get(family.driver, "") if peer is None else ""
        self._sides: dict[str, Callable[[], list[str]]] = {"ours": partial(decoders.ours, family, reads)}
        self.found = {"ours": set(self._sides["ours"]())}
        if peer is not None:
            try:
                theirs = partial(_silently, peer[1], reads)
                self.found["theirs"] = set(theirs())
                self._sides["theirs"] = theirs
            except MissingPeerError as missing:
                self._note = str(missing)

    def speed(self, frames: Mapping[str, int], size: Size) -> Row:
        """`frames`: that each side reads of the whole line."""
        taken = interleaved(self._sides, size.repetitions)
        a_second = {side: frames[side] / max(seconds, 1e-9) for side, seconds in taken.items()}
        return self._row("frames/s", "more", a_second, self._aim)

    def lost(self, sent: Damaged) -> Row:
        """Good frames that each side does not give, and in a note tags that nobody sent."""
        percent = {side: 100 * len(sent.good - found) / len(sent.good) for side, found in self.found.items()}
        names = {"ours": "ours", "theirs": self._peer}
        made_up = {names[side]: len(found - sent.good - sent.bad) for side, found in self.found.items()}
        told = ", ".join(f"{name} {number}" for name, number in made_up.items() if number)
        unchecked = " (plain text has no check)" if made_up["ours"] else ""
        if told and not self._note:
            self._note = f"tags made up: {told}{unchecked}"
        row = self._row("% lost", "less", percent, at_most(0))
        self._note = ""
        return row

    def _row(self, unit: str, better: Better, figures: Mapping[str, float], aim: Aim | None) -> Row:
        ours, theirs = figures["ours"], figures.get("theirs")
        return Row(
            group=self._group,
            what=f"{self._what}, good frames" if unit == "% lost" else self._what,
            unit=unit,
            better=better,
            ours=ours,
            peer=self._peer,
            theirs=theirs,
            aim=aim,
            note=self._note,
        )


def _silently(decode: Decode, reads: Sequence[bytes]) -> list[str]:
    """Without the log lines of a peer: writing them is not what is measured."""
    logging.disable(logging.CRITICAL)
    try:
        return decode(reads)
    finally:
        logging.disable(logging.NOTSET)
