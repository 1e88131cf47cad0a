"""What `betline watch` shows: events of one reader, counted per antenna and tag, and tables made of them. No port here.

A tag is missed in a round that comes between two rounds which saw it; rounds after its last sighting are no misses yet,
for it may have been taken away. A tag that most rounds do not see is taken for a stray of a neighbouring antenna, and
counts for nothing. Only complete rounds count.
"""

from collections.abc import Mapping
from typing import assert_never

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from betline.radios import figures
from controller.registry.registry import Item
from firmware_bridge.events import BadFrame, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound
from firmware_bridge.wire.tablelink_asking import Health

HERE_ROUNDS = 3  # unseen no longer than this: it lies there
GONE_ROUNDS = 20  # unseen for so long: taken away, and no longer listed
STRAY_ROUNDS = 4  # after so many it is judged whether a tag is a stray
MOST_LISTED = 30  # tags of one antenna on the screen
S = 1_000_000_000
ALL_DAMAGED_NS = S  # nothing but damaged frames for so long: another driver, or another speed
WRONG_DRIVER = "nothing but damaged frames: is it the right driver, and the right baud?"


class TagSeen:
    """One tag on one antenna, since its first sighting there."""

    def __init__(self) -> None:
        self.seen = self.missed = 0
        self.unseen = 0  # complete rounds since the last sighting
        self.rssi_dbm: int | None = None

    def hit(self, rssi_dbm: int | None) -> None:
        self.missed += self.unseen
        self.unseen = 0
        self.seen += 1
        self.rssi_dbm = rssi_dbm

    @property
    def is_stray(self) -> bool:
        rounds = self.seen + self.missed + self.unseen
        return rounds >= STRAY_ROUNDS and 2 * self.seen < rounds

    @property
    def is_here(self) -> bool:
        return self.unseen <= HERE_ROUNDS and not self.is_stray


class AntennaSeen:
    def __init__(self) -> None:
        self.rounds = self.incomplete = 0
        self.began_ns = self.ended_ns = 0
        self.tags: dict[str, TagSeen] = {}

    def take(self, scan: ScanRound) -> None:
        if scan.absent:
            return  # of single tags, and no round
        self.began_ns = self.began_ns or scan.began_ns
        self.ended_ns = scan.ended_ns
        self.rounds += 1
        self.incomplete += not scan.complete
        seen = {sighting.tag: sighting.rssi_dbm for sighting in scan.sightings}
        for tag, rssi_dbm in seen.items():
            self.tags.setdefault(tag, TagSeen()).hit(rssi_dbm)
        if scan.complete:
            for tag in self.tags.keys() - seen.keys():
                self.tags[tag].unseen += 1
                if self.tags[tag].unseen > GONE_ROUNDS:
                    del self.tags[tag]

    @property
    def here(self) -> tuple[str, ...]:
        """Tags that lie there, as far as the last rounds tell."""
        return tuple(sorted(tag for tag, seen in self.tags.items() if seen.is_here))

    @property
    def rate(self) -> float:
        """Rounds a second."""
        spent_ns = self.ended_ns - self.began_ns
        return self.rounds * S / spent_ns if spent_ns else 0.0

    @property
    def miss_share(self) -> float:
        """Misses among all rounds in which a tag lay there."""
        lying = [seen for seen in self.tags.values() if not seen.is_stray]
        missed = sum(seen.missed for seen in lying)
        total = missed + sum(seen.seen for seen in lying)
        return missed / total if total else 0.0


class Watched:
    """All that was heard of one reader.

    `names`: items by tag, where the registry is known. `health`: the last word of each radio, where readers tell it.
    """

    def __init__(
        self, port: str, driver: str, names: Mapping[str, Item], health: Mapping[int, Health] | None = None
    ) -> None:
        self.title = f"{driver} on {port}"
        self._health = {} if health is None else health
        self.names = names
        self.state = "waiting for its first answer"
        self.antennas: dict[int, AntennaSeen] = {}
        self.bad_frames = 0
        self._first_bad_ns = self._last_bad_ns = 0
        self.fault = ""
        self.answered = False

    def take(self, event: ReaderEvent) -> None:
        match event:
            case ScanRound():
                self.answered = True
                self.antennas.setdefault(event.antenna, AntennaSeen()).take(event)
            case ReaderUp():
                self.answered = True
                self.state = f"up: {event.identity}"
            case ReaderLost():
                self.state = f"lost: {event.why}"
                for antenna in self.antennas.values():
                    antenna.tags.clear()  # unknown is never empty, and never what it was
            case ReaderFault():
                self.fault = f"{event.code}: {event.meaning}"
            case BadFrame():
                self._first_bad_ns = event.at_ns if not self.bad_frames else self._first_bad_ns
                self._last_bad_ns = event.at_ns
                self.bad_frames += 1
            case _:
                assert_never(event)

    @property
    def looks_wrong(self) -> bool:
        """Nothing was understood of what came for a whole second."""
        understood = self.answered or self.fault
        return not understood and self._last_bad_ns - self._first_bad_ns >= ALL_DAMAGED_NS

    def value(self, antenna: AntennaSeen) -> int:
        return sum(self.names[tag].value for tag in antenna.here if tag in self.names)

    def radio(self, antenna: int) -> str:
        """How the radio of this antenna fares, in one line; "": it never said so."""
        told = self._health.get(antenna)
        if told is None:
            return ""
        return f"radio of antenna {antenna}: {figures(told)}"

    def view(self) -> RenderableType:
        parts: list[RenderableType] = [Text(self.title, style="bold"), Text(self.state)]
        if self.fault:
            parts.append(Text(f"last fault: {self.fault}", style="yellow"))
        if self.bad_frames:
            parts.append(Text(f"damaged frames: {self.bad_frames}", style="yellow"))
        if self.looks_wrong:
            parts.append(Text(WRONG_DRIVER, style="bold yellow"))
        if self.antennas:
            parts.append(self._antennas())
        parts += [Text(line) for number in sorted(self.antennas) if (line := self.radio(number))]
        parts += [self._tags(number) for number in sorted(self.antennas) if self.antennas[number].tags]
        return Group(*parts)

    def _antennas(self) -> Table:
        table = Table("antenna", "tags", "value", "rounds", "a second", "not complete", "misses", box=None)
        for column in table.columns:
            column.justify = "right"
        for number, antenna in sorted(self.antennas.items()):
            value = f"{self.value(antenna):,}" if self.names else "-"
            counts = (str(antenna.rounds), f"{antenna.rate:.1f}", str(antenna.incomplete), f"{antenna.miss_share:.1%}")
            table.add_row(str(number), str(len(antenna.here)), value, *counts)
        return table

    def _tags(self, number: int) -> Table:
        table = Table("tag", "item", "seen", "missed", "unseen since", "dBm", "", title=f"antenna {number}", box=None)
        table.title_justify = "left"
        tags = sorted(self.antennas[number].tags.items())
        for tag, seen in tags[:MOST_LISTED]:
            item = self.names[tag].name if tag in self.names else "-"
            rssi = "-" if seen.rssi_dbm is None else str(seen.rssi_dbm)
            note = "stray?" if seen.is_stray else "" if seen.is_here else "gone?"
            counts = (str(seen.seen), str(seen.missed), str(seen.unseen or "-"))
            table.add_row(tag, item, *counts, rssi, note, style="dim" if note else "")
        if len(tags) > MOST_LISTED:
            table.add_row(f"and {len(tags) - MOST_LISTED} more")
        return table
