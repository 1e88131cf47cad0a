"""The documents: every command that they print is one, links lead somewhere, and one page leads to all."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from betline.main import app
from controller.config.config import load
from controller.rulings.profiles import SWITCHES
from controller.texts.said import command as command_of

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "hardware.md", *(ROOT / "docs").rglob("*.md")])
TABLE = typer.main.get_command(app)
# What a shell does that is none of ours: it needs root, a Pi, another machine, or somebody's repository.
NOT_RUN = frozenset(
    {
        "apt",
        "git",
        "journalctl",
        "make",
        "sudo",
        "sudoedit",
        "ssh",
        "systemctl",
        "mosquitto_sub",
        ".",
        "pip",
        "python",
        "python3",
        ".venv/bin/python",
        "wget",
        "unzip",
    }
)


def blocks(page: Path, *languages: str) -> Iterator[str]:
    """Fenced blocks, at any depth of a list, of these languages; "": without one."""
    text = page.read_text(encoding="utf-8")
    for found in re.finditer(r"^( *)```(\w*)\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL):
        if found[2] in languages:
            yield re.sub(rf"^{found[1]}", "", found[3], flags=re.MULTILINE)


def commands(page: Path) -> list[list[str]]:
    """Commands of ours in blocks of a shell, as words."""
    lines = [line for block in blocks(page, "", "sh", "bash") for line in block.replace("\\\n", " ").splitlines()]
    bare = [re.split(r"\s{2,}", line)[0] for line in lines if line.startswith("betline ")]  # without what is said of it
    return [shlex.split(line, comments=True) for line in bare]


EVERY = [(page, words) for page in PAGES for words in commands(page)]


@pytest.mark.parametrize(("page", "words"), EVERY, ids=[f"{p.name}: {' '.join(w)}"[:90] for p, w in EVERY])
def test_every_command_in_a_document_is_one(page: Path, words: list[str]) -> None:
    """As the command line takes it: name, options and values; nothing is run."""
    words = [word for word in words[1:] if word != "..."]
    for mark in (">", "|", "<", "--help"):
        words = words[: words.index(mark)] if mark in words else words
    context, found = TABLE.make_context("betline", list(words), resilient_parsing=True), TABLE
    while isinstance(found, TyperGroup) and words:
        inner = found.commands.get(words[0])
        assert inner is not None, f"{page.name}: {words[0]}"
        found, words = inner, words[1:]
    if not isinstance(found, TyperGroup):
        found.make_context(found.name or "", list(words), parent=context, resilient_parsing=not words)
    if found.name == "say":
        command_of([word for word in words if not word.startswith("--") and not word.endswith(".toml")])


def test_there_are_commands_in_the_pages_for_beginners() -> None:
    counted = {str(page.relative_to(ROOT)): len(commands(page)) for page in PAGES}
    for name in ("README.md", "docs/first-evening.md", "docs/house-profiles.md", "docs/running.md"):
        assert counted[name] >= 3, name


def test_what_is_no_command_of_ours_is_named_as_not_run() -> None:
    pages = [
        ROOT / "docs" / name for name in ("first-evening.md", "house-profiles.md", "running.md", "troubleshooting.md")
    ]
    for page in pages:
        for block in blocks(page, "", "sh", "bash"):
            for line in block.splitlines():
                first = line.split()[0] if line.split() else "betline"
                assert first == "betline" or first in NOT_RUN, (page.name, line)


# ---------------------------------------------------------------- those that need nothing are run
def betline(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-c", "from betline.main import main; main()", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_the_house_of_the_page_is_a_house(tmp_path: Path) -> None:
    (house,) = blocks(ROOT / "docs" / "house-profiles.md", "toml")
    (tmp_path / "riverside.toml").write_text(house, encoding="utf-8")
    for words in commands(ROOT / "docs" / "house-profiles.md"):
        done = betline(tmp_path, *words[1:])
        assert done.returncode == 0, (words, done.stderr)
    assert "last_single_chip" in betline(tmp_path, "profiles", "TDA2024", "riverside.toml").stdout
    assert "min_chip" in SWITCHES


def test_a_table_as_the_first_evening_makes_it_is_checked(tmp_path: Path) -> None:
    """`init`, then `run --check`: of two faults, the missing readers are the first that is left."""
    assert betline(tmp_path, "init", "--yes", "--seats", "2", "table.toml").returncode == 0
    checked = betline(tmp_path, "run", "--check", "--config", "table.toml")
    assert "no such port" in checked.stderr
    assert "Traceback" not in checked.stderr


def test_the_mqtt_of_the_home_assistant_page_loads(tmp_path: Path) -> None:
    (mqtt,) = blocks(ROOT / "docs" / "home-assistant.md", "toml")
    assert betline(tmp_path, "init", "--yes", "--seats", "2", "table.toml").returncode == 0
    text = (tmp_path / "table.toml").read_text(encoding="utf-8")
    whole = re.sub(r"^\[mqtt\]\n.*?(?=^\[journal\])", mqtt + "\n", text, flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "table.toml").write_text(whole, encoding="utf-8")
    assert load(tmp_path / "table.toml").mqtt.username == "betline"


# ---------------------------------------------------------------- links
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_that_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_one_page_leads_to_all() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {file.name for file in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert [name for name in sorted(pages) if f"({name})" not in index] == []
    assert "docs/README.md" in (ROOT / "README.md").read_text(encoding="utf-8")
