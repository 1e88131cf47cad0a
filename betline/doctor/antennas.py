"""Antennas by a few seconds of their rounds: dead, deaf, shouting, crossed, twins. Pure."""

from collections.abc import Iterator, Mapping

from betline.counts import counted
from betline.doctor.machine import Finding, Verdict
from betline.shares import missed, strays
from controller.config.config import AntennaSection, Config, place_of
from controller.places import BANK, Place, Zone
from controller.registry.registry import Registry
from controller.tracking.evidence import ZONES_OF
from controller.tracking.rates import LIES, UNFIT_MISS, UNFIT_STRAY, WEAK_MISS, Antenna, Measured, Survey

FEW_ROUNDS = 5  # fewer say nothing about shares
GHOSTS = 5  # tags of no registry that a single antenna showed now and then
GHOST_SHARE = 0.3
MOST = 0.5  # of the chips that should lie there
SURE_CHIPS = 2  # one chip may have been taken away by hand


class Antennas:
    """The configured antennas, what they did, and what the journal says lies on them."""

    def __init__(
        self, config: Config, survey: Survey, items: Registry, places: Mapping[str, Place], answering: set[str]
    ) -> None:
        self._sections = {(a.reader, a.number): a for a in config.antenna if a.reader in answering}
        self._measured = survey.measured()
        self._shares = {antenna: survey.shares(antenna) for antenna in self._measured}
        self._homes = survey.homes()
        self._items = items
        self._due = {antenna: self._tags_at(place_of(section), places) for antenna, section in self._sections.items()}

    def _tags_at(self, place: Place, places: Mapping[str, Place]) -> frozenset[str]:
        """Tags that lie there by the journal; the muck shows only its top, so nothing is expected there."""
        if place.zone in (Zone.MUCK, Zone.BUTTON) or place == BANK:
            return frozenset()
        names = (name for name, where in places.items() if where == place and name in self._items.items)
        return frozenset(self._items.items[name].tag for name in names)

    def findings(self) -> Iterator[Finding]:
        told: set[Antenna] = set()
        for found in (self._crossed(told), self._twins(told)):
            yield from found
        for antenna, section in self._sections.items():
            faults = list(self._one(antenna, section, told))
            yield from faults
            if not faults and antenna not in told:
                yield Finding(called(section), "ok", self._figures(self._measured[antenna]))
        yield from self._not_configured()
        yield from self._not_enrolled()

    # ------------------------------------------------------------ two antennas
    def _crossed(self, told: set[Antenna]) -> Iterator[Finding]:
        """What should lie on one lies on the other, and the other way round."""
        for antenna in self._sections:
            other = self._lies_at(antenna)
            if other is None or antenna in told or other not in self._sections:
                continue
            if self._lies_at(other) == antenna:
                told |= {antenna, other}
                names = f"{called(self._sections[antenna])} and {called(self._sections[other])}"
                cure = "change their numbers over in table.toml, or their cables"
                yield Finding("antennas", "fail", f"crossed: {names} each see the other's chips", cure)

    def _lies_at(self, antenna: Antenna) -> Antenna | None:
        """The other antenna that shows most of what should lie on this one."""
        due = self._due.get(antenna, frozenset())
        homes = [self._homes[tag] for tag in due if self._homes.get(tag, antenna) != antenna]
        if len(due) < SURE_CHIPS or not homes:
            return None
        most = max(set(homes), key=homes.count)
        return most if homes.count(most) > MOST * len(due) else None

    def _twins(self, told: set[Antenna]) -> Iterator[Finding]:
        """Two antennas of different places that show the same tags."""
        antennas = [antenna for antenna in self._sections if antenna not in told]
        shown = {a: {tag for tag, share in self._shares[a].items() if share >= LIES} for a in antennas}
        for number, one in enumerate(antennas):
            for other in antennas[number + 1 :]:
                both, fewer = shown[one] & shown[other], min(len(shown[one]), len(shown[other]))
                same_place = place_of(self._sections[one]) == place_of(self._sections[other])
                if both and len(both) > MOST * fewer and not same_place:
                    told |= {one, other}
                    names = f"{called(self._sections[one])} and {called(self._sections[other])}"
                    cure = "less power, more distance or a shield between them; or one cable goes to both"
                    yield Finding("antennas", "fail", f"{names} see the same {counted(len(both), 'tag')}", cure)

    # ------------------------------------------------------------ one antenna
    def _one(self, antenna: Antenna, section: AntennaSection, told: set[Antenna]) -> Iterator[Finding]:
        name, seen = called(section), self._measured[antenna]
        if not seen.rounds:
            yield _silent(name, seen)
            return
        if len(seen.lying) > section.tags:
            cure = f"betline calibrate, or fewer chips: tags = {section.tags} in its [[antenna]]"
            yield Finding(name, "warn", f"{len(seen.lying)} tags lie there, more than it reads well", cure)
        if antenna in told or seen.rounds < FEW_ROUNDS:
            return
        yield from self._deaf(name, antenna, seen)
        yield from self._shouting(name, seen)
        yield from self._wrong_kind(name, section, seen)

    def _deaf(self, name: str, antenna: Antenna, seen: Measured) -> Iterator[Finding]:
        due = self._due[antenna]
        unheard = due - self._shares[antenna].keys()
        elsewhere = self._lies_at(antenna)
        if due and len(unheard) > MOST * len(due):
            if elsewhere in self._sections:
                text = f"{len(unheard)} of {len(due)} chips of it lie on {called(self._sections[elsewhere])} now"
                yield Finding(name, "warn", text, "put them back, or accept it at the next start of the table")
            else:
                lie = counted(len(due), "chip lies", "chips lie")
                text = f"deaf: {lie} there by the journal, and it sees {len(due) - len(unheard)}"
                verdict: Verdict = "fail" if len(due) >= SURE_CHIPS else "warn"
                yield Finding(name, verdict, text, "check its cable, tuning and height")
        elif missed(seen).above(UNFIT_MISS):
            yield Finding(name, "fail", f"deaf: {self._figures(seen)}", "move it nearer, or off the metal under it")
        elif seen.miss > WEAK_MISS:
            yield Finding(name, "warn", f"weak: {self._figures(seen)}", "move it nearer; then betline calibrate")

    def _shouting(self, name: str, seen: Measured) -> Iterator[Finding]:
        if strays(seen).above(UNFIT_STRAY) and seen.loudest is not None:
            section = self._sections.get(seen.loudest)
            neighbour = called(section) if section is not None else f"antenna {seen.loudest[1]} of {seen.loudest[0]}"
            text = f"shouting: it hears the tags of {neighbour} in {seen.stray:.0%} of its rounds"
            yield Finding(name, "fail", text, "less power, more distance, or a shield between the two")
        ghosts = [t for t, share in seen.heard.items() if t not in self._items.by_tag and share < GHOST_SHARE]
        ghosts = [tag for tag in ghosts if tag not in self._homes]
        if len(ghosts) >= GHOSTS:
            text = f"shouting: {len(ghosts)} tags that were hardly there at all, {ghosts[0]} among them"
            yield Finding(name, "warn", text, "tags in cases and pockets near it, or an inventory that makes them up")

    def _wrong_kind(self, name: str, section: AntennaSection, seen: Measured) -> Iterator[Finding]:
        items = [self._items.by_tag[tag] for tag in seen.lying if tag in self._items.by_tag]
        wrong = [item.name for item in items if section.place not in ZONES_OF[item.kind]]
        if wrong:
            text = f"not made for what lies there: {wrong[0]}" + (f" and {len(wrong) - 1} more" if wrong[1:] else "")
            yield Finding(name, "warn", text, "take them away; or two antennas have each other's numbers")

    def _figures(self, seen: Measured) -> str:
        missed = f", {seen.miss:.1%} missed" if seen.lying else ""
        return f"{counted(len(seen.lying), 'tag')}, {seen.a_second:.1f} rounds a second{missed}"

    # ------------------------------------------------------------ neither
    def _not_configured(self) -> Iterator[Finding]:
        readers = {reader for reader, _ in self._sections}
        for reader, number in self._measured:
            if reader in readers and (reader, number) not in self._sections:
                text = f"antenna {number} of {reader} reads, and table.toml does not know it"
                yield Finding("antennas", "warn", text, "add an [[antenna]] for it, or ignore this")

    def _not_enrolled(self) -> Iterator[Finding]:
        unknown = [tag for tag in self._homes if tag not in self._items.by_tag]
        if unknown:
            lie = counted(len(unknown), "tag of no registry lies", "tags of no registry lie")
            text = f"{lie} on the table, {min(unknown)} among them"
            yield Finding("tags", "warn", text, "betline enroll chips, or take them away")


def _silent(name: str, seen: Measured) -> Finding:
    if seen.incomplete:
        text = f"none of its {seen.incomplete} rounds is complete"
        return Finding(name, "fail", text, "fewer tags on it, or a better cable")
    cure = "check its cable, and its number against the reader's own"
    return Finding(name, "fail", "dead: not one round, while its reader answers", cure)


def called(section: AntennaSection) -> str:
    """The place, and which antenna of which reader it is: tray 3 (west 1)."""
    seat = f" {section.seat}" if section.seat is not None else ""
    return f"{section.place}{seat} ({section.reader} {section.number})"
