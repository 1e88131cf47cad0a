"""Golden pictures, shrunk: `python -m tests.display.golden` draws them anew; look at each before it is kept."""

from pathlib import Path

import pygame

from controller.snapshot import Language, ThemeName
from tests.display.pictures import picture, scenes

FOLDER = Path(__file__).parent / "golden"
SMALL, STANDING, HD = (800, 480), (480, 800), (1280, 720)
SHRUNK = 4  # each pixel stands for a square of so many: another FreeType moves no square
PICTURES: dict[str, tuple[str, tuple[int, int], Language, ThemeName]] = {  # file -> state, size, language, theme
    "which-chips": ("which-chips", HD, "en", "dark"),
    "provisional-ru": ("provisional", HD, "ru", "dark"),
    "side-pots-light": ("side-pots", HD, "en", "light"),
    "unknown-chip-colour-blind": ("unknown-chip", HD, "en", "colour-blind"),
    "held-up-small": ("held-up", SMALL, "ru", "dark"),
    "ten-seats-standing": ("ten-seats", STANDING, "en", "dark"),
}


def drawn(name: str) -> pygame.Surface:
    state, size, language, theme = PICTURES[name]
    whole = picture(scenes()[state], size, language, theme)
    return pygame.transform.smoothscale(whole, (size[0] // SHRUNK, size[1] // SHRUNK))


def share_of_other_pixels(one: pygame.Surface, other: pygame.Surface, apart: int = 48) -> float:
    """How many pixels of two pictures of one size are far from each other in a colour."""
    pairs = zip(pygame.image.tobytes(one, "RGB"), pygame.image.tobytes(other, "RGB"), strict=True)
    far = [abs(a - b) > apart for a, b in pairs]
    return sum(any(far[at : at + 3]) for at in range(0, len(far), 3)) / (len(far) / 3)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        pygame.image.save(drawn(name), FOLDER / f"{name}.png")
