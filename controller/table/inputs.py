"""What the engine is told: settled motions, cards at rest, and people's commands. All carry the time of their cause."""

from controller.commands import By, Command
from controller.places import Motion, Place
from firmware_bridge.events import Value


class MotionSeen(Value, frozen=True, tag="motion"):
    """A motion that the tracker settled, or that a person or the next player's action settled."""

    at_ns: int
    motion: Motion


class CardsRested(Value, frozen=True, tag="cards"):
    at_ns: int
    place: Place  # hole(seat), board or muck
    cards: tuple[str, ...]  # the whole set that rests there now


class ButtonRested(Value, frozen=True, tag="button"):
    at_ns: int
    seat: int


class CountedIn(Value, frozen=True, tag="counted_in"):
    """The antennas have shown what lies where: items with their places, all of them."""

    at_ns: int
    places: dict[str, Place]


class Told(Value, frozen=True, tag="told"):
    at_ns: int
    command: Command
    by: By


Input = MotionSeen | CardsRested | ButtonRested | CountedIn | Told
