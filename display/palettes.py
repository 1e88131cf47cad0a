"""The colours of the screen by their meanings, once a theme. Pure.

Nothing is told by a hue alone: signs, frames and hatching say the same. `dark` is for a club in the evening, `light`
for a room with the sun in it, `colour-blind` for those who cannot tell red from green (colours after Okabe and Ito,
"Color Universal Design", 2008).
"""

from typing import assert_never

import msgspec
from msgspec.structs import replace

from controller.snapshot import ThemeName
from display.parts import Level, Tone

Colour = tuple[int, int, int]
Plate = tuple[Colour, Colour]  # fill, words on it

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (10, 12, 14)


class Palette(msgspec.Struct, frozen=True):
    """Words on panels have a contrast of 7 and more (WCAG); `_ink`: the same meaning as words on a panel."""

    night: Colour  # behind everything
    panel: Colour
    edge: Colour
    seat: Colour
    seat_dim: Colour
    button: Colour
    button_edge: Colour
    rail: Colour
    rail_light: Colour
    felt: Colour
    felt_light: Colour
    felt_line: Colour
    plate: Colour  # under numbers that lie on the felt
    ink: Colour
    soft: Colour
    dim: Colour
    turn: Colour  # whose turn: the one yellow of the screen
    turn_ink: Colour
    chosen: Colour  # the seat that the dealer chose
    good: Colour
    good_ink: Colour
    busy: Colour
    busy_ink: Colour
    bad_ink: Colour
    pencil: Colour  # provisional: not yet in ink
    all_in: Colour
    asked: Colour  # a question fills the whole panel with it
    card: Colour
    card_back: Colour
    card_back_line: Colour
    alarm: Plate
    unknown: Plate
    refused: Plate
    info: Plate
    spades: Colour
    hearts: Colour
    diamonds: Colour
    clubs: Colour

    def tone(self, tone: Tone) -> Colour:
        """Words on a panel."""
        match tone:
            case "good":
                return self.good_ink
            case "busy":
                return self.busy_ink
            case "bad":
                return self.bad_ink
            case "quiet":
                return self.soft
            case _:
                assert_never(tone)

    def notice(self, level: Level) -> Plate:
        match level:
            case "alarm":
                return self.alarm
            case "unknown":
                return self.unknown
            case "refused":
                return self.refused
            case "info":
                return self.info
            case _:
                assert_never(level)

    def suit(self, letter: str) -> tuple[str, Colour]:
        """Its sign and colour; "?" for a letter that is no suit."""
        suits = {"s": ("♠", self.spades), "h": ("♥", self.hearts), "d": ("♦", self.diamonds), "c": ("♣", self.clubs)}
        return suits.get(letter, ("?", BLACK))


DARK = Palette(
    night=(9, 13, 18),
    panel=(20, 28, 37),
    edge=(58, 74, 90),
    seat=(26, 36, 47),
    seat_dim=(17, 24, 31),
    button=(36, 50, 66),
    button_edge=(96, 116, 138),
    rail=(46, 33, 25),
    rail_light=(86, 63, 46),
    felt=(10, 58, 46),
    felt_light=(17, 82, 64),
    felt_line=(52, 122, 98),
    plate=(10, 30, 27),
    ink=WHITE,
    soft=(186, 200, 214),
    dim=(118, 134, 150),
    turn=(255, 209, 48),
    turn_ink=(255, 209, 48),
    chosen=(72, 214, 255),
    good=(84, 222, 132),
    good_ink=(84, 222, 132),
    busy=(255, 176, 66),
    busy_ink=(255, 176, 66),
    bad_ink=(255, 107, 96),
    pencil=(176, 190, 206),
    all_in=(196, 36, 34),
    asked=(255, 184, 77),
    card=(250, 250, 247),
    card_back=(44, 74, 138),
    card_back_line=(126, 158, 220),
    alarm=((176, 28, 28), WHITE),
    unknown=((104, 66, 176), WHITE),
    refused=((112, 82, 20), WHITE),
    info=((34, 62, 92), WHITE),
    spades=(16, 18, 22),
    hearts=(208, 24, 36),
    diamonds=(18, 92, 214),
    clubs=(10, 128, 58),
)
LIGHT = replace(
    DARK,
    night=(222, 228, 233),
    panel=(250, 251, 252),
    edge=(150, 164, 178),
    seat=(250, 251, 252),
    seat_dim=(212, 219, 226),
    button=(250, 251, 252),
    button_edge=(120, 138, 156),
    rail=(128, 98, 74),
    rail_light=(170, 136, 106),
    felt=(150, 200, 178),
    felt_light=(176, 220, 200),
    felt_line=(110, 168, 144),
    plate=(240, 248, 244),
    ink=(12, 16, 20),
    soft=(52, 64, 76),
    dim=(112, 124, 136),
    turn_ink=(104, 60, 0),
    chosen=(0, 84, 138),
    good=(96, 214, 138),
    good_ink=(0, 88, 40),
    busy_ink=(128, 62, 0),
    bad_ink=(160, 16, 16),
    pencil=(58, 70, 82),
    card=(255, 255, 255),
)
COLOUR_BLIND = replace(
    DARK,
    felt=(18, 44, 62),
    felt_light=(28, 66, 90),
    felt_line=(70, 118, 150),
    plate=(10, 24, 34),
    turn=(240, 228, 66),
    turn_ink=(240, 228, 66),
    chosen=(240, 170, 212),
    good=(110, 196, 244),
    good_ink=(110, 196, 244),
    busy=(230, 159, 0),
    busy_ink=(246, 178, 40),
    bad_ink=(255, 142, 72),
    all_in=(178, 66, 0),
    asked=(240, 178, 60),
    alarm=((176, 62, 0), WHITE),
    unknown=((0, 92, 160), WHITE),
    refused=((86, 86, 86), WHITE),
    hearts=(206, 78, 0),
    diamonds=(0, 104, 180),
    clubs=(0, 122, 92),
)


def palette(name: ThemeName) -> Palette:
    match name:
        case "dark":
            return DARK
        case "light":
            return LIGHT
        case "colour-blind":
            return COLOUR_BLIND
        case _:
            assert_never(name)
