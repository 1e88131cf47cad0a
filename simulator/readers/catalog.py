"""The virtual reader behind each driver, one line each: a table without hardware is made of these."""

from collections.abc import Mapping

from controller.config.config import ReaderSection
from firmware_bridge.errors import OptionError
from simulator.radio import Radio
from simulator.readers.base import VirtualReader
from simulator.readers.chafon import Chafon
from simulator.readers.em4100 import Em4100
from simulator.readers.feig import Feig
from simulator.readers.invelion import Invelion
from simulator.readers.m100 import M100
from simulator.readers.metratec import Metratec
from simulator.readers.pn532 import Pn532
from simulator.readers.tablelink import Tablelink
from simulator.readers.thingmagic import ThingMagic
from simulator.readers.uid_lines import UidLines

NAMES = ("tablelink", "m100", "pn532", "feig", "chafon", "metratec", "em4100", "uid-lines", "thingmagic", "invelion")


def make(
    driver: str,
    reader: str,
    radio: Radio,
    options: Mapping[str, str | int | bool] | None = None,
    *,
    radios: int = 1,
    speed: float = 1.0,
) -> VirtualReader:
    """The other end of a driver's wire, with the antennas that the field has for this reader.

    `options` are the driver's; those that a module must share are followed. `radios`: antennas that one microcontroller
    scans at once. `OptionError`: there is no virtual reader for this driver.
    """
    match driver:
        case "tablelink":
            return Tablelink(reader, radio, radios=radios, speed=speed)
        case "m100":
            return M100(reader, radio, framing="aa" if (options or {}).get("framing") == "aa" else "bb", speed=speed)
        case "pn532":
            return Pn532(reader, radio, speed=speed)
        case "metratec":
            return Metratec(reader, radio, speed=speed)
        case "chafon":
            return Chafon(reader, radio, kind=0x0C if len(radio.field.numbers(reader)) > 1 else 0x09, speed=speed)
        case "feig":
            return Feig(reader, radio, mux=str((options or {}).get("mux", "")), speed=speed)
        case "em4100":
            return Em4100(reader, radio, speed=speed)
        case "uid-lines":
            return UidLines(reader, radio, once=(options or {}).get("repeats") is False, speed=speed)
        case "thingmagic":
            saved = (options or {}).get("region", "keep") == "keep"
            return ThingMagic(reader, radio, saved=saved, speed=speed)
        case "invelion":
            return Invelion(reader, radio, speed=speed)
        case _:
            raise OptionError(
                f"{reader}: there is no virtual reader for driver {driver!r}; there are {', '.join(NAMES)}"
            )


def for_section(section: ReaderSection, radio: Radio, *, radios: int = 1, speed: float = 1.0) -> VirtualReader:
    """The virtual reader of one [[reader]] of table.toml."""
    return make(section.driver, section.id, radio, section.options, radios=radios, speed=speed)
