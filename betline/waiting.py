"""A sign of life on a terminal while something takes long; nothing where nobody watches."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def waiting(what: str) -> Iterator[None]:
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(f"{what} ..."):
        yield
