"""Processes as an installed program has them: compiled files in a cache, nothing inherited that forbids one."""

import os
import tempfile
from functools import cache


@cache
def _compiled() -> tempfile.TemporaryDirectory[str]:
    """Where they keep their compiled files; goes away with this process."""
    return tempfile.TemporaryDirectory(prefix="betline-bench-pyc-")


def environment() -> dict[str, str]:
    """The environment for such a process. The first one that loads a module compiles it."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": _compiled().name}
