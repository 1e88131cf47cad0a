"""Inputs that may not be handed to the engine yet, with what is done by them. Plain data."""

from controller import commands
from controller.engine.order import act_said
from controller.moves.acts import Act
from controller.places import Zone
from controller.table import inputs
from firmware_bridge.events import Value


class Waiting(Value, frozen=True):
    given: inputs.Input
    act: Act | None  # of a player; None: the dealer's

    @classmethod
    def said(cls, given: inputs.Told, seat: int | None) -> "Waiting":
        """What a person said for a seat; without one it is the dealer's key."""
        word = given.command.word if isinstance(given.command, commands.Say) else None
        return cls(given, None if seat is None or word is None else act_said(seat, word, given.at_ns))

    @classmethod
    def rested(cls, given: inputs.CardsRested, seat: int | None) -> "Waiting":
        """Cards that a seat threw away; without one they are the dealer's."""
        return cls(given, None if seat is None else act_said(seat, None, given.at_ns))

    @property
    def seat(self) -> int | None:
        return None if self.act is None else self.act.seat

    @property
    def is_push(self) -> bool:
        """Chips of a player."""
        return self.act is not None and isinstance(self.given, inputs.MotionSeen)

    @property
    def items(self) -> frozenset[str]:
        given = self.given
        return frozenset([m.item for m in given.motion.moves]) if isinstance(given, inputs.MotionSeen) else frozenset()

    @property
    def mucked(self) -> tuple[str, ...]:
        given = self.given
        return given.cards if isinstance(given, inputs.CardsRested) and given.place.zone is Zone.MUCK else ()

    @property
    def board(self) -> tuple[str, ...] | None:
        """What lies on the board from now on; None: it is of something else."""
        given = self.given
        return given.cards if isinstance(given, inputs.CardsRested) and given.place.zone is Zone.BOARD else None
