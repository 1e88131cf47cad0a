"""`betline schema`: what others may build on, for their tools."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.errors import ConfigError


def run(
    name: Annotated[str | None, typer.Argument(help="One schema, or asyncapi; without it their names.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write all of them into this folder.")] = None,
) -> None:
    """JSON Schema of every payload, snapshot, command, journal event and file, and AsyncAPI of MQTT.

    They are made from the types that the table itself writes and reads with. A schema that changes is named in
    CHANGELOG.md, with the eight digits behind its name.

    Example: betline schema mqtt-state
    """
    from importlib.metadata import version

    from betline.schema import asyncapi, catalog

    if out is not None:
        _write(out, asyncapi.files(version("betline")))
    elif name is None:
        for each in catalog.MADE:
            print(f"{each} {catalog.fingerprint(each)}")
        print("asyncapi")
    elif name == "asyncapi":
        sys.stdout.write(asyncapi.text_of(asyncapi.document(version("betline"))))
    elif name in catalog.MADE:
        sys.stdout.write(asyncapi.text_of(catalog.schema(name)))
    else:
        raise ConfigError(f"no schema {name!r}: call betline schema alone for their names")


def _write(folder: Path, texts: dict[str, str]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{folder}: {error.strerror or error}: choose another folder") from error
    print(f"{folder}: {len(texts)} files")
