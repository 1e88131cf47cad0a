"""The reference of table.toml says what the program knows, and nothing else."""

import msgspec

from controller.config.config import Config
from tests.controller.config.reference import PAGE, SECTIONS, _comments, page


def test_the_reference_is_not_stale() -> None:
    """Where it is: `python -m tests.controller.config.reference`."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_section_and_every_key_has_its_meaning() -> None:
    told = {title.strip("[]") for title, _, _ in SECTIONS} | {"schema", "pin_factory"}
    assert told == set(Config.__struct_fields__)
    silent = [
        f"{title} {field.name}"
        for title, shape, _ in SECTIONS
        for field in msgspec.structs.fields(shape)
        if not _comments(shape).get(field.name)
    ]
    assert silent == []
