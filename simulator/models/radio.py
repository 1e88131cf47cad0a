"""A radio with models over it: what the plain one heard goes through each of them in turn."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, assert_never

from simulator.acts import Act
from simulator.field import Antenna, Field
from simulator.models import models as m
from simulator.models.ears import (
    Blindness,
    Deaths,
    Delays,
    Detuning,
    Ear,
    Echoes,
    Heights,
    Losses,
    Whispers,
)
from simulator.models.pushes import Covered, Straddling
from simulator.players import Dice
from simulator.radio import Heard, Noise, Radio

ORDER = (m.Blind, m.Height, m.Detuned, m.Between, m.Hand, m.Crosstalk, m.Dead, m.ScanLoss, m.Repeated, m.Late)


class Watcher(Protocol):
    """An ear that also knows what hands do."""

    def began(self, act: Act, at_ns: int) -> None: ...


class ModelledRadio(Radio):
    """`clock`: the time that scans end at, in nanoseconds."""

    def __init__(self, field: Field, noise: Noise, models: Iterable[m.Model], clock: Callable[[], int]) -> None:
        super().__init__(field, noise)
        self._clock = clock
        made = sorted((model for model in models if isinstance(model, ORDER)), key=lambda one: ORDER.index(type(one)))
        self._ears = tuple(
            _ear(
                model, field, Dice(f"{noise.seed}:{type(model).__name__}:{[*map(type, made[:at])].count(type(model))}")
            )
            for at, model in enumerate(made)
        )

    def scan(self, antenna: Antenna, at_begin: tuple[str, ...]) -> Heard:
        heard, at_ns = super().scan(antenna, at_begin), self._clock()
        for ear in self._ears:
            heard = ear.heard(antenna, heard, at_ns)
        return heard

    def began(self, act: Act) -> None:
        """Hands begin an act."""
        for watcher in self._watchers():
            watcher.began(act, self._clock())

    def _watchers(self) -> Iterator[Watcher]:
        return (ear for ear in self._ears if isinstance(ear, Covered | Straddling))


def _ear(model: m.Ear, field: Field, dice: Dice) -> Ear:
    match model:
        case m.Blind():
            return Blindness(model, field, dice)
        case m.Height():
            return Heights(model, field, dice)
        case m.Detuned():
            return Detuning(model, field, dice)
        case m.ScanLoss():
            return Losses(model, dice)
        case m.Crosstalk():
            return Whispers(model, field, dice)
        case m.Between():
            return Straddling(model, field, dice)
        case m.Hand():
            return Covered(model, field, dice)
        case m.Dead():
            return Deaths(model, field, dice)
        case m.Repeated():
            return Echoes(model, dice)
        case m.Late():
            return Delays(model)
        case _:
            assert_never(model)
