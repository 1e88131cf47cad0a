"""Numbers with their words, as the command line says them. Pure."""


def counted(number: int, one: str, many: str = "") -> str:
    """1 reader, 2 readers; `many` for what does not only take an s: 1 tag lies, 2 tags lie."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
