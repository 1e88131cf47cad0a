"""Colours: every theme can be read, and what means different things can be told apart by everybody."""

import itertools
from typing import get_args

import pytest

from controller.registry.colours import COLOURS
from controller.snapshot import ThemeName
from display import theme
from display.palettes import BLACK, COLOUR_BLIND, WHITE, Colour, Palette, palette
from display.parts import Level

THEMES: tuple[ThemeName, ...] = get_args(ThemeName)
LEVELS: tuple[Level, ...] = get_args(Level)


def luminance(colour: Colour) -> float:
    """Relative luminance of WCAG 2.1."""
    r, g, b = (linear(part) for part in colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def linear(part: int) -> float:
    share = part / 255
    return share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4


def contrast(one: Colour, other: Colour) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def large_words(of: Palette) -> list[tuple[Colour, Colour]]:
    """Words, and what they stand on."""
    grounds = (of.panel, of.seat, of.plate, of.button)
    inks = (of.ink, of.soft)
    return [
        *itertools.product(inks, grounds),
        (of.ink, of.felt_light),
        (of.pencil, of.night),
        *((ink, of.panel) for ink in (of.turn_ink, of.busy_ink, of.chosen)),
        (of.good_ink, theme.mix(of.panel, of.good_ink, 0.1)),
        *((BLACK, ground) for ground in (of.turn, of.asked, of.busy, of.good)),
    ]


@pytest.mark.parametrize("name", THEMES)
def test_large_words_have_a_contrast_of_seven_and_more(name: ThemeName) -> None:
    weak = [pair for pair in large_words(palette(name)) if contrast(*pair) < 7]
    assert [(pair, round(contrast(*pair), 1)) for pair in weak] == []


@pytest.mark.parametrize("name", THEMES)
def test_small_words_have_a_contrast_of_four_and_a_half_and_more(name: ThemeName) -> None:
    of = palette(name)
    pairs = [of.notice(level) for level in LEVELS]
    pairs += [(WHITE, of.all_in), (of.bad_ink, of.panel), (of.good_ink, of.night), (of.bad_ink, of.night)]
    assert [pair for pair in pairs if contrast(*pair) < 4.5] == []


# ---------------------------------------------------------------- for whom red and green are one
DEUTAN = ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969))  # Machado and others 2009, severity 1
PROTAN = ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052))


def seen_as(colour: Colour, eyes: tuple[tuple[float, float, float], ...]) -> list[float]:
    """A colour as these eyes see it, in linear light, and brightness stretched as eyes stretch it."""
    light = [linear(part) for part in colour]
    mixed = [sum(weight * part for weight, part in zip(row, light, strict=True)) for row in eyes]
    return [max(0.0, min(1.0, part)) ** (1 / 2.2) for part in mixed]


@pytest.mark.parametrize("eyes", [DEUTAN, PROTAN], ids=["deutan", "protan"])
def test_good_and_bad_are_far_apart_for_eyes_that_see_no_red_or_no_green(
    eyes: tuple[tuple[float, float, float], ...],
) -> None:
    of = COLOUR_BLIND
    unlike = [
        (of.good_ink, of.bad_ink),
        (of.good_ink, of.busy_ink),
        (of.alarm[0], of.unknown[0]),
        (of.hearts, of.clubs),
        (of.diamonds, of.clubs),
        (of.hearts, of.spades),
        (of.good, of.turn),
    ]
    for one, other in unlike:
        distance = sum((a - b) ** 2 for a, b in zip(seen_as(one, eyes), seen_as(other, eyes), strict=True)) ** 0.5
        assert distance > 0.17, (one, other)


# ---------------------------------------------------------------- chips
def test_every_colour_that_a_set_of_chips_may_have_can_be_drawn() -> None:
    assert set(theme.CHIPS_BY_NAME) == COLOURS


def test_numbers_on_chips_can_be_read() -> None:
    assert all(contrast(*colours) >= 3 for colours in (*theme.CHIPS.values(), *theme.CHIPS_BY_NAME.values()))
    shown = [theme.short(n) for n in (25, 500, 1000, 1500, 12_500, 25_000, 1_000_000)]
    assert shown == ["25", "500", "1K", "1.5K", "12.5K", "25K", "1M"]
    assert theme.short(1250) == "1250"
