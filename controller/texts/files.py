"""How a file of texts is read: one TOML document, its texts checked before anybody says one."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from controller.texts.placeholders import TextError


def document(path: Path, check: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """The tables of a file. TextError, with file, key and cure, where it cannot be read or `check` finds a fault."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        check(found)
    except OSError as error:
        raise TextError(f"{path}: {error.strerror or error}: copy en.toml there, and translate it") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TextError(f"{path}: no TOML: {error}: mend that place, and save it as UTF-8") from error
    except RecursionError as error:
        raise TextError(f"{path}: no TOML: nested too deeply: mend that place") from error
    except TextError as error:
        raise TextError(f"{path}: {error}") from error
    return found
