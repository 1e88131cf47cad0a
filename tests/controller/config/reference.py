"""docs/table-toml.md, made from the types of the configuration and their comments: `python -m tests.controller.config.reference`."""

import inspect
import re
import typing
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec

from controller.config import config
from controller.table.setup import House, Stakes
from firmware_bridge.drivers import catalog

PAGE = Path(__file__).parents[3] / "docs" / "table-toml.md"
HEAD = """\
# table.toml, key by key

Made from the program itself by `python -m tests.controller.config.reference`: it says what this version knows. `betline init` writes
a first file, `betline run --check` reads one and names the place that is wrong. Times are in milliseconds, chips are whole
numbers. Paths are relative to the file. A key that is left out has its default.

The file begins with `schema = 1`. `pin_factory` (`lgpio`, `rpigpio` or `mock`; default `lgpio`) stands there too: how buttons
and lights are reached.
"""
SECTIONS: tuple[tuple[str, type, str], ...] = (
    ("[table]", config.TableSection, "The table and its files."),
    ("[game]", Stakes, "What is played. Blinds change while playing by `betline say blinds 200 400`."),
    ("[house]", House, "The habits of the house; its rules are the profile ([house-profiles.md](house-profiles.md))."),
    ("[reading]", config.ReadingSection, "When a push is settled."),
    ("[[reader]]", config.ReaderSection, "One section a reader; its options are below."),
    ("[[antenna]]", config.AntennaSection, "One section an antenna: which field of which reader looks at which place."),
    (
        "[mqtt]",
        config.MqttSection,
        "The broker ([controller/topics.md](../controller/topics.md), [home-assistant.md](home-assistant.md)).",
    ),
    (
        "[authority]",
        config.AuthoritySection,
        "Who may say what from outside ([running.md](running.md), `betline key --help`).",
    ),
    ("[journal]", config.JournalSection, "What happened ([journal.md](journal.md))."),
    ("[sockets]", config.SocketsSection, "Where screens and `betline say` find the table."),
    ("[screen]", config.ScreenSection, "The pot screen ([screen.md](screen.md)), and the language of the whole table."),
    ("[speech]", config.SpeechSection, "Rulings aloud."),
    ("[[button]]", config.ButtonSection, "A button between a GPIO pin and ground."),
    ("[[light]]", config.LightSection, "A light per seat that shows whose turn it is."),
)
OF_TYPES = {"int": "a whole number", "float": "a number", "str": "text", "bool": "`true`, `false`"}


def page() -> str:
    parts = [HEAD]
    for title, shape, what in SECTIONS:
        parts.append(f"## {title}\n\n{what}\n\n{_table(shape)}")
    parts.append(_options())
    return "\n".join(parts)


def _table(shape: type) -> str:
    comments, hints = _comments(shape), typing.get_type_hints(shape)
    lines = ["| key | values | default | meaning |", "| --- | --- | --- | --- |"]
    for field in msgspec.structs.fields(shape):
        values = _values(hints[field.name])
        lines.append(f"| `{field.name}` | {values} | {_default(field)} | {comments.get(field.name, '')} |")
    return "\n".join(lines) + "\n"


def _options() -> str:
    """The options of every driver."""
    lines = ["## Options of readers", "", "`options = { ... }` of a `[[reader]]`, by its driver:", ""]
    lines += ["| driver | options, with their defaults |", "| --- | --- |"]
    for driver, (_, shape) in sorted(catalog.DRIVERS.items()):
        options = [f"`{field.name} = {_plain(field)}`" for field in msgspec.structs.fields(shape)]
        lines.append(f"| [{driver}](readers/{driver}.md) | {', '.join(options)} |")
    return "\n".join(lines) + "\n"


def _comments(shape: type) -> dict[str, str]:
    """What stands behind a field in the source, and in the lines right above it."""
    found: dict[str, str] = {}
    above: list[str] = []
    for line in inspect.getsource(shape).splitlines():
        alone = re.fullmatch(r"    # (.*)", line)
        field = re.match(r"    (\w+): ", line)
        if alone:
            above.append(alone[1])
        elif field:
            behind = line.partition("  # ")[2]
            found[field[1]] = " ".join([*above, behind]).strip()
            above = []
        elif "  # " in line and found:  # a default on a line of its own
            found[list(found)[-1]] = line.partition("  # ")[2].strip()
    return {name: text.replace("|", "\\|") for name, text in found.items()}


def _values(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return ", ".join(f"`{value}`" if value != "" else '""' for value in inner)
    if origin is typing.Annotated:
        return _values(inner[0])
    if origin is tuple:
        return f"a list of {OF_TYPES.get(inner[0].__name__, 'values')}".replace("a whole number", "whole numbers")
    if origin is dict:
        return "a table in braces"
    if inner:  # a union
        return ", ".join(_values(one) for one in inner if one is not type(None))
    if isinstance(hint, type) and hasattr(hint, "__members__"):
        return ", ".join(f"`{one}`" for one in hint if one not in ("held", "bank"))  # no antenna sees these
    return OF_TYPES.get(getattr(hint, "__name__", ""), "text")


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "needed"
    plain = _plain(field)
    return "not set" if plain in ("null", "{}") else f"`{plain}`"


def _plain(field: msgspec.structs.FieldInfo) -> str:
    value = field.default if field.default is not msgspec.NODEFAULT else {}
    return msgspec.json.encode(value).decode()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
