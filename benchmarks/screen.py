"""The screen: how long one full frame takes, of every state that its samples have, from snapshot to pixels.

Drawn as `betline screen` draws: onto a display surface of 1920x1080, everything anew, letters and shapes kept from the
frame before. The screen draws only on change; a frame that takes long would delay the key that a dealer presses next.
"""

import os
import time
from collections.abc import Iterator
from statistics import median

from benchmarks.rows import Row, Size, Tell, at_most

GROUP = "screen"
FULL_HD = (1920, 1080)
AIM_MS = 6
LANGUAGES = ("en", "ru")


def rows(size: Size, tell: Tell) -> Iterator[Row]:
    tell("frames")
    times = frames_ms(FULL_HD, 1 + size.repetitions)
    slowest = max(times, key=times.__getitem__)
    what = "one frame at 1920x1080, snapshot to pixels"
    yield Row(
        group=GROUP,
        what=f"{what}: the slowest state",
        unit="ms",
        ours=times[slowest],
        aim=at_most(AIM_MS),
        note=slowest,
    )
    yield Row(group=GROUP, what=f"{what}: half of all states", unit="ms", ours=median(times.values()))


def frames_ms(size: tuple[int, int], repetitions: int) -> dict[str, float]:
    """The best of so many frames of each state, with buttons and without, in each language."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    import pygame

    from display.app import plan_of
    from display.draw import draw
    from display.labels import labels
    from display.view import view
    from tests.display.pictures import CLOCK, scenes

    pygame.display.init()
    surface = pygame.display.set_mode(size)
    found: dict[str, float] = {}
    for name, (snapshot, link, desk) in scenes().items():
        for language in LANGUAGES:
            taken = []
            for _ in range(repetitions):
                began = time.perf_counter()
                shown = view(snapshot, link, desk, labels(language), dealer=True, touch=True, clock=CLOCK)
                draw(surface, shown, plan_of(shown, size))
                taken.append((time.perf_counter() - began) * 1000)
            found[f"{name}, {language}"] = min(taken)
    pygame.display.quit()
    return found
