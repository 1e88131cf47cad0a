"""Names of the drivers, one line each. `make` is the only way to a driver for everything outside this package."""

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Literal, get_args, get_origin

import msgspec

from firmware_bridge.drivers.base import Driver
from firmware_bridge.drivers.chafon import Chafon, ChafonOptions
from firmware_bridge.drivers.em4100 import Em4100, Em4100Options
from firmware_bridge.drivers.feig import Feig, FeigOptions
from firmware_bridge.drivers.invelion import Invelion, InvelionOptions
from firmware_bridge.drivers.m100 import M100, M100Options
from firmware_bridge.drivers.metratec import Metratec, MetratecOptions
from firmware_bridge.drivers.options import LineOptions
from firmware_bridge.drivers.pn532 import Pn532, Pn532Options
from firmware_bridge.drivers.tablelink import Tablelink, TablelinkOptions
from firmware_bridge.drivers.thingmagic import ThingMagic, ThingMagicOptions
from firmware_bridge.drivers.uid_lines import UidLines, UidLinesOptions
from firmware_bridge.errors import OptionError

# What makes a driver of its reader's name, its antennas and its options; and the struct of these options.
Row = tuple[Callable[[str, tuple[int, ...], Any], Driver], type[LineOptions]]
DRIVERS: dict[str, Row] = {
    "em4100": (Em4100, Em4100Options),
    "chafon": (Chafon, ChafonOptions),
    "feig": (Feig, FeigOptions),
    "invelion": (Invelion, InvelionOptions),
    "m100": (M100, M100Options),
    "metratec": (Metratec, MetratecOptions),
    "pn532": (Pn532, Pn532Options),
    "tablelink": (Tablelink, TablelinkOptions),
    "thingmagic": (ThingMagic, ThingMagicOptions),
    "uid-lines": (UidLines, UidLinesOptions),
}


def make(
    name: str,
    reader: str = "reader",
    antennas: tuple[int, ...] = (),
    options: Mapping[str, str | int | bool] | None = None,
) -> Driver:
    """A driver by name. `antennas` () means whatever the reader has, antenna 1 for a reader with a single one.

    Option values may be text ("true", "4"), as a command line gives them. `OptionError` names the nearest right word.
    """
    driver, kind = _known(name, reader)
    return driver(reader, antennas, _checked(f"{reader}: driver {name}", dict(options or {}), kind))


def options_of(name: str) -> tuple[str, ...]:
    """Names of the options that a driver takes."""
    return _known(name, "options")[1].__struct_fields__


def ends_rounds(name: str) -> bool:
    """Whether its reader tells when a round is over; else rounds end by time, which is not good enough for trays."""
    return bool(getattr(_known(name, "ends_rounds")[0], "ends_rounds", True))


def most_tags(name: str) -> int | None:
    """How many tags its reader can read at once, where they are so few that it is for cards; None: a stack of chips."""
    most: int | None = getattr(_known(name, "most_tags")[0], "most_tags", None)
    return most


def _known(name: str, where: str) -> Row:
    if name not in DRIVERS:
        raise OptionError(f"{where}: no driver {name!r}{_nearest(name, DRIVERS)}; there are {', '.join(DRIVERS)}")
    return DRIVERS[name]


def _checked(where: str, options: dict[str, str | int | bool], kind: type[LineOptions]) -> LineOptions:
    names = kind.__struct_fields__
    for option in options:
        if option not in names:
            raise OptionError(f"{where} has no option {option!r}{_nearest(option, names)}; it has {', '.join(names)}")
    try:
        return msgspec.convert(options, kind, strict=False)
    except msgspec.ValidationError as error:
        raise OptionError(f"{where}: {str(error).replace('`$.', 'option `')}{_choices(str(error), kind)}") from error


def _choices(error: str, kind: type[LineOptions]) -> str:
    """What an option may be, where it is one of a few words."""
    name = error.rpartition("`$.")[2].rstrip("`")
    shape = next((field.type for field in msgspec.structs.fields(kind) if field.name == name), None)
    words = get_args(shape) if get_origin(shape) is Literal else ()
    return f": use {', '.join(map(str, words))}" if words else ""


def _nearest(word: str, words: Iterable[str]) -> str:
    near = get_close_matches(word.lower(), words, 1, 0.5)
    return f": did you mean {near[0]!r}?" if near else ""
