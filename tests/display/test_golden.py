"""A few pictures are as they were when somebody last looked at them, but for a hair's breadth."""

from pathlib import Path

import pygame
import pytest
from msgspec.structs import replace

from tests.display import samples
from tests.display.golden import FOLDER, PICTURES, drawn, share_of_other_pixels
from tests.display.pictures import LIVE, Desk, picture, scenes

TOLERATED = 0.001  # of the pixels
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_as_it_was_looked_at(name: str) -> None:
    """Where it should look otherwise: `python -m tests.display.golden`, and look."""
    golden = pygame.image.load(FOLDER / f"{name}.png")
    now = drawn(name)
    assert golden.get_size() == now.get_size()
    assert share_of_other_pixels(golden, now) <= TOLERATED


def test_one_chip_more_or_another_colour_is_more_than_is_tolerated() -> None:
    whole = picture((samples.PREFLOP, LIVE, Desk()), (1280, 720), "en")
    red = replace(samples.PREFLOP, chip_colours=((100, "red"), (500, "blue")))
    other = picture((red, LIVE, Desk()), (1280, 720), "en")
    small = (320, 180)
    shrunk = [pygame.transform.smoothscale(one, small) for one in (whole, other)]
    assert share_of_other_pixels(*shrunk) > TOLERATED
    assert share_of_other_pixels(shrunk[0], shrunk[0]) == 0


def test_golden_pictures_are_few_and_small() -> None:
    files = list(FOLDER.glob("*.png"))
    assert {file.stem for file in files} == set(PICTURES)
    assert sum(file.stat().st_size for file in files) < 400_000


def test_every_state_has_its_picture_in_the_documents() -> None:
    """`make pictures` draws them."""
    page = (ROOT / "docs" / "screen.md").read_text(encoding="utf-8")
    shown = {file.stem for file in (ROOT / "docs" / "pictures").glob("*.png")}
    assert shown >= set(scenes())
    assert [name for name in sorted(shown) if f"pictures/{name}.png" not in page] == []
