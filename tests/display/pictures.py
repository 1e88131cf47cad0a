"""Draws every state of the screen: `python -m tests.display.pictures FOLDER 1280 720 en [NAME ...] [--theme light]`.

`make pictures` draws those of docs/screen.md, and the README's.
"""

import sys
from pathlib import Path

import msgspec
import pygame

from controller.snapshot import DealerSnapshot, Language, ThemeName
from display.app import plan_of
from display.draw import draw
from display.keys import Desk
from display.labels import labels
from display.palettes import palette
from display.parts import Link
from display.view import view
from tests.display import samples
from tests.display.small_png import save

LIVE = Link("live")
CLOCK = "21:14"
SMALL, STANDING = (800, 480), (480, 800)
Scene = tuple[DealerSnapshot | None, Link, Desk]


def scenes() -> dict[str, Scene]:
    """Every sample, and what the dealer may be in the middle of."""
    found: dict[str, Scene] = {name: (snapshot, LIVE, Desk()) for name, snapshot in samples.SAMPLES.items()}
    readings = samples.QUESTION.question.choices if samples.QUESTION.question else ()
    ruling = msgspec.structs.replace(samples.RAISE, readings=readings)
    overruled = msgspec.structs.replace(samples.PREFLOP, ruling=ruling)
    waiting = Link("waiting", path="/run/betline/dealer.sock", why="No such file or directory")
    return found | {
        "stale": (samples.CHANGE, Link("lost", "21:14:05"), Desk()),
        "no-feed": (None, waiting, Desk()),
        "silent": (samples.CHANGE, Link("silent", "21:14:05", silent_s=7), Desk()),
        "out-of-turn": (samples.PREFLOP, LIVE, Desk(selected=7, out_of_turn=True)),
        "blinds": (samples.BETWEEN, LIVE, Desk(entry="blinds", typed="200 400")),
        "page-2": (samples.SIDE_POTS, LIVE, Desk(page=1)),
        "page-3": (samples.BETWEEN, LIVE, Desk(page=2, selected=3)),
        "overrule": (overruled, LIVE, Desk(entry="overrule")),
        "doubt-overruled": (samples.DOUBT, LIVE, Desk(entry="overrule")),
        "choose-a-number": (samples.IS_IT_THERE, LIVE, Desk(message="choose_number")),
        "mismatch": (samples.CHANGE, Link("mismatch", why="unknown field"), Desk()),
        "help": (samples.CHANGE, LIVE, Desk(help=True)),
        "typing": (samples.PREFLOP, LIVE, Desk(selected=2, entry="raise_to", typed="1600")),
        "answering": (samples.QUESTION, LIVE, Desk(entry="raise_to", typed="1600")),
        "misdeal": (samples.PREFLOP, LIVE, Desk(sure="misdeal")),
        "not-sent": (samples.PREFLOP, LIVE, Desk(message="not_sent")),
    }


def picture(
    scene: Scene, size: tuple[int, int], language: Language, theme: ThemeName = "dark", *, touch: bool = True
) -> pygame.Surface:
    """One state, as the dealer sees it."""
    snapshot, link, desk = scene
    shown = view(snapshot, link, desk, labels(language), dealer=True, touch=touch, clock=CLOCK)
    surface = pygame.Surface(size)
    draw(surface, shown, plan_of(shown, size), palette(theme))
    return surface


def write(folder: Path, size: tuple[int, int], language: Language, theme: ThemeName, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, scene in scenes().items():
        if not names or name in names:
            save(picture(scene, size, language, theme), folder / f"{name}.png")


def write_documents(docs: Path) -> None:
    """The pictures of docs/screen.md: every state on a small panel, and a few on others."""
    write(docs / "pictures", SMALL, "en", "dark", [])
    others: tuple[tuple[str, str, tuple[int, int], Language, ThemeName], ...] = (
        ("in-russian", "question", SMALL, "ru", "dark"),
        ("light", "change", SMALL, "en", "light"),
        ("colour-blind", "side-pots", SMALL, "en", "colour-blind"),
        ("standing", "readme", STANDING, "en", "dark"),
        ("standing-question", "question", STANDING, "en", "dark"),
    )
    for name, state, size, language, theme in others:
        save(picture(scenes()[state], size, language, theme), docs / "pictures" / f"{name}.png")


if __name__ == "__main__" and sys.argv[1:] == ["--docs"]:
    write_documents(Path("docs"))
elif __name__ == "__main__":
    given = sys.argv[1:]
    theme: ThemeName = "dark"
    if "--theme" in given:
        at = given.index("--theme")
        theme = given[at + 1]  # type: ignore[assignment]
        del given[at : at + 2]
    folder, wide, high, language, *names = given
    write(Path(folder), (int(wide), int(high)), language, theme, names)
