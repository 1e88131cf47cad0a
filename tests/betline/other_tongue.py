"""A copy of the product in English, Russian and a language more, whose sentences all tell themselves by a mark."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tomli_w

ROOT = Path(__file__).parents[2]
PACKAGES = ("firmware_bridge", "controller", "display", "simulator", "betline")
THERE = ("en", "ru")  # with whatever other languages there are, tests would have to know them
CODE, MARK = "xx", "⟨xx⟩ "
FORMS = re.compile(r"({\w+:)([^|}]*)\|([^}]*})")
MANNER = {"name": "Xish", "comma": " & ", "group_mark": ".", "grouped_from": 1000}
PLURAL = {"one": "n = 1", "two": "n % 10 = 2 and n != 12"}  # three forms: chip, chip-pair, chips
LACKS_TEXT, LACKS_LABEL = "waits_chips", "in_hand"


def marked(value: Any) -> Any:
    """The same document in the other tongue: a mark before every text, and a form for pairs in every plural."""
    if isinstance(value, dict):
        return {key: marked(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [marked(inner) for inner in value]
    return MARK + FORMS.sub(r"\1\2|\2-pair|\3", value) if isinstance(value, str) and value else value


def texts() -> dict[str, Any]:
    document = marked(tomllib.loads((ROOT / "controller/texts/en.toml").read_text(encoding="utf-8")))
    del document["table"][LACKS_TEXT]
    return document | {"language": MANNER, "plural": PLURAL}


def labels() -> dict[str, Any]:
    document = marked(tomllib.loads((ROOT / "display/en.toml").read_text(encoding="utf-8")))
    del document[LACKS_LABEL]
    return document | {"keyboard": "αβγδεζηθικλμνξοπρστυφχψωςϊ"}


class House:
    """The copy, and its command line."""

    def __init__(self, folder: Path) -> None:
        for package in PACKAGES:
            shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        for room in ("controller/texts", "display"):
            for file in (folder / room).glob("*.toml"):
                if file.stem not in THERE:
                    file.unlink()
        before = self._files(folder)
        for file, document in ((f"controller/texts/{CODE}.toml", texts()), (f"display/{CODE}.toml", labels())):
            (folder / file).write_text(tomli_w.dumps(document), encoding="utf-8")
        self.added = self._files(folder) - before
        # without PYTHONSAFEPATH the folder where a test runs comes first, and in it is the product as it is
        self.env = {"PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1", "PYTHONIOENCODING": "utf-8"}

    def _files(self, folder: Path) -> set[str]:
        return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}

    def betline(self, *words: object, typed: str = "") -> subprocess.CompletedProcess[str]:
        return self.python("-m", "betline", *map(str, words), typed=typed)

    def python(self, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *words],
            input=typed,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=os.environ | self.env,
            timeout=120,
            check=False,
        )

    def lines(self, words: Sequence[str]) -> list[str]:
        done = self.python(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()
