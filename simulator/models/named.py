"""Models as people write them: `blind:share=0.01,seconds=60,zone=spot`. Pure.

What is not said keeps its default; several models run at once. `all-mild` stands for all of them, each mildly.
"""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import inspect

from firmware_bridge.errors import OptionError
from simulator.models.models import ALL_MILD, KINDS, MILD, Model

NAMES = (*KINDS, ALL_MILD)


def models_of(texts: Iterable[str]) -> tuple[Model, ...]:
    """The models of all `--radio` options, in order. Raises OptionError, one line with the cure."""
    return tuple(model for text in texts for model in _named(text))


def written(model: Model) -> str:
    """A model with all its numbers, as it could be given."""
    name = next(name for name, kind in KINDS.items() if isinstance(model, kind))
    return f"{name}:" + ",".join(f"{key}={_shown(value)}" for key, value in _numbers(model))


def _numbers(model: Model) -> Iterator[tuple[str, object]]:
    for key in model.__struct_fields__:
        yield key, getattr(model, key)


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return "-".join(map(_shown, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _named(text: str) -> tuple[Model, ...]:
    name, _, rest = text.partition(":")
    if name == ALL_MILD:
        if rest:
            raise OptionError(f"--radio {text}: {ALL_MILD} takes no values")
        return MILD
    if name not in KINDS:
        raise OptionError(f"--radio {text}: no such model: one of {', '.join(NAMES)}")
    return (_model(text, KINDS[name], rest),)


def _model(text: str, kind: type[Model], rest: str) -> Model:
    keys = kind.__struct_fields__
    said: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or key not in keys:
            raise OptionError(f"--radio {text}: {part!r} says nothing here: {' or '.join(f'{one}=' for one in keys)}")
        said[key] = value
    return msgspec.convert({key: _value(text, kind, key, value) for key, value in said.items()}, kind)


def _value(text: str, kind: type[Model], key: str, value: str) -> object:
    wanted = next(one.type for one in msgspec.structs.fields(kind) if one.name == key)
    parts = value.split("-") if isinstance(inspect.type_info(wanted), inspect.TupleType) else []
    try:
        found: object = msgspec.convert((parts[0], parts[-1]) if parts else value, wanted, strict=False)
    except msgspec.ValidationError as error:
        raise _bad(text, key, wanted) from error
    if len(parts) > 2 or (isinstance(found, tuple) and found[0] > found[1]):
        raise _bad(text, key, wanted)
    return found


def _bad(text: str, key: str, wanted: object) -> OptionError:
    return OptionError(f"--radio {text}: {key}: give {_range(inspect.type_info(wanted))}")


def _range(wanted: inspect.Type) -> str:
    match wanted:
        case inspect.LiteralType(values=values):
            return " or ".join(map(str, values))
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.FloatType(ge=None, gt=least, le=most):
            return f"a number above {least}, {most} at most"
        case inspect.FloatType(ge=least, le=most):
            return f"a number from {least} to {most}"
        case inspect.TupleType(item_types=(one, *_)):
            return f"{_range(one)}, or the least and the most as 1-3"
        case _:
            raise AssertionError(f"a model has a value of {wanted}, which nobody can be told of")


def described() -> str:
    """All of them with their defaults, for a help text."""
    return " ".join([*(written(kind()) for kind in KINDS.values()), ALL_MILD])
