"""What the engine is told: settled motions, cards at rest, and people's commands. All carry the time of their cause."""

from controller.commands import By, Command
from controller.places import Motion, Place
from controller.rulings.values import Reading
from controller.table.events import Supposed
from firmware_bridge.events import Value


class MotionSeen(Value, frozen=True, tag="motion"):
    """A motion that the tracker settled, or that a person or the next player's action settled."""

    at_ns: int
    motion: Motion
    named: Reading | None = None  # what a person says that the push is
    doubts: tuple[Supposed, ...] = ()  # worlds in which it would be another act, too unlikely to be asked about


class Unsure(Value, frozen=True, tag="unsure"):
    """What a player did depends on where items lie, and nothing is due that tells: people are asked."""

    at_ns: int
    seat: int
    chips: tuple[str, ...]
    worlds: tuple[Supposed, ...]  # the likeliest first


class Sure(Value, frozen=True, tag="sure"):
    """The antennas have answered what people were asked."""

    at_ns: int


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
    n: int | None = None  # of the snapshot that its speaker saw; None: the table as it is


Input = MotionSeen | Unsure | Sure | CardsRested | ButtonRested | CountedIn | Told
