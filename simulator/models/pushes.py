"""What antennas hear of a push: through the hand that makes it, and of a chip that comes to lie between two spots."""

from controller.places import Place, Zone
from simulator.acts import Act, PushChips
from simulator.field import Antenna, Field
from simulator.models import models as m
from simulator.models.ears import S, without
from simulator.players import Dice
from simulator.radio import Heard
from simulator.tables import tag_of

FAIR = (0.3, 0.7)  # how often the spot that a chip between two belongs to reads it; the other one reads it else


class Covered:
    def __init__(self, model: m.Hand, field: Field, dice: Dice) -> None:
        self._model, self._dice = model, dice
        self._zones = {Zone.SPOT, Zone.TRAY} if model.tray == "yes" else {Zone.SPOT}
        self._places = field.antennas
        self._until_ns: dict[int | None, int] = {}

    def began(self, act: Act, at_ns: int) -> None:
        if isinstance(act, PushChips):
            self._until_ns[act.seat] = at_ns + int(self._dice.uniform(*self._model.seconds) * S)

    def heard(self, antenna: Antenna, heard: Heard, at_ns: int) -> Heard:
        place = self._places[antenna]
        covered = place.zone in self._zones and at_ns < self._until_ns.get(place.seat, 0)
        return Heard((), (), heard.complete) if covered else heard


class Straddling:
    """A chip that straddles two antennas, until it is taken up again."""

    def __init__(self, model: m.Between, field: Field, dice: Dice) -> None:
        self._share, self._field, self._dice = model.share, field, dice
        self._spots = {place.seat: antenna for antenna, place in field.antennas.items() if place.zone is Zone.SPOT}
        self._between: dict[
            str, tuple[Place, Antenna, float]
        ] = {}  # tag: its spot, who else reads it, how it is shared

    def began(self, act: Act, at_ns: int) -> None:
        del at_ns
        for tag in (tag_of(move.item) for move in act.moves):
            self._between.pop(tag, None)
        if isinstance(act, PushChips) and self._dice.random() < self._share:
            beside = [seat for seat in (act.seat - 1, act.seat + 1) if seat in self._spots]
            if beside:
                tag = tag_of(self._dice.choice(act.chips))
                other = self._spots[self._dice.choice(beside)]
                self._between[tag] = (Place(Zone.SPOT, act.seat), other, self._dice.uniform(*FAIR))

    def heard(self, antenna: Antenna, heard: Heard, at_ns: int) -> Heard:
        del at_ns
        for tag, (spot, other, share) in self._between.items():
            if self._field.where(tag) != spot:
                continue
            if tag in heard.own and self._dice.random() >= share:
                heard = without(heard, (tag,))
            elif antenna == other and tag not in heard.stray and self._dice.random() >= share:
                heard = Heard(heard.own, (*heard.stray, tag), heard.complete)
        return heard
