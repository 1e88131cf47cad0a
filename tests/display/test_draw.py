"""Pictures: every text fits and none lies on another, and what must look different does."""

import itertools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest
from msgspec.structs import replace

from controller.snapshot import Snapshot
from controller.texts.languages import LANGUAGES
from display import theme
from display.app import plan_of
from display.canvas import Placed
from display.draw import draw
from display.feed_lines import Snap, read
from display.keys import Desk
from display.labels import labels
from display.layout import choice_rooms, seat_parts
from display.palettes import DARK, WHITE, Colour
from display.parts import Link
from display.plan import Layout
from display.rect import Rect
from display.view import view
from tests.display import samples
from tests.display.rects import contains, overlaps
from tests.display.samples import SAMPLES

HD, FULL_HD, SMALL = (1280, 720), (1920, 1080), (800, 480)
COVERED = {"paused", "counting-in"}  # a band lies over part of the picture on purpose


class Picture:
    def __init__(self, snapshot: Snapshot | None, size: tuple[int, int] = HD, **more: Any) -> None:
        touch = more.get("touch", False)
        self.surface = pygame.Surface(size)
        words = labels(more.get("language", "en"))
        desk, link = more.get("desk", Desk()), more.get("link", Link("live"))
        seen = view(snapshot, link, desk, words, dealer=True, touch=touch, clock="21:14")
        self.plan: Layout = plan_of(seen, size)
        self.texts: list[Placed] = draw(self.surface, seen, self.plan)

    def pixels(self, rect: Rect) -> Iterator[Colour]:
        for x in range(rect.x, rect.right, 2):
            for y in range(rect.y, rect.bottom, 2):
                r, g, b, _ = self.surface.get_at((x, y))
                yield r, g, b

    def share(self, rect: Rect, colour: Colour) -> float:
        """How much of a rectangle has this colour, or nearly."""
        found = list(self.pixels(rect))
        return sum(max(abs(a - b) for a, b in zip(p, colour, strict=True)) < 24 for p in found) / len(found)

    def text(self, words: str) -> Placed:
        return next(placed for placed in self.texts if placed.text == words)


# ---------------------------------------------------------------- words
@pytest.mark.parametrize(
    ("size", "language", "touch"),
    [
        (HD, "en", False),
        (HD, "ru", True),
        (FULL_HD, "en", True),
        (SMALL, "ru", False),
        (SMALL, "ru", True),
        ((1024, 768), "ru", True),
        ((480, 320), "en", False),
        *((HD, language, True) for language in LANGUAGES if language not in ("en", "ru")),
        *((SMALL, language, False) for language in LANGUAGES if language not in ("en", "ru")),
    ],
    ids=str,
)
@pytest.mark.parametrize("name", SAMPLES)
def test_every_text_fits_and_no_two_overlap(name: str, language: str, size: tuple[int, int], touch: bool) -> None:
    picture = Picture(SAMPLES[name], size, language=language, touch=touch)
    for placed in picture.texts:
        assert contains(picture.plan.screen, placed.lies), placed.text
        assert placed.room.x <= placed.lies.x, placed.text
        assert placed.lies.right <= placed.room.right + 1, placed.text
        assert placed.lies.h <= placed.room.h + 1 or placed.px <= 9, placed.text
    if name not in COVERED:
        for one, other in itertools.combinations(picture.texts, 2):
            assert not overlaps(one.lies.inset(1, 3), other.lies.inset(1, 3)), f"{one.text!r} over {other.text!r}"


DESKS = [
    Desk(),
    Desk(page=1),
    Desk(page=2),
    Desk(entry="raise_to", typed="600"),
    Desk(entry="award"),
    Desk(entry="bets", typed="2 200 3 a "),
    Desk(entry="overrule"),
    Desk(sure="misdeal"),
]


@pytest.mark.parametrize(
    "desk", DESKS, ids=["hand", "corrections", "table", "keypad", "list", "bets", "overrule", "sure"]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_button_says_what_it_does_in_letters_that_a_dealer_reads(language: str, desk: Desk) -> None:
    picture = Picture(SAMPLES["preflop"], HD, language=language, desk=desk, touch=True)
    words = labels(language)
    shown = view(SAMPLES["preflop"], Link("live"), desk, words, dealer=True, touch=True).buttons
    for button in shown:
        said = [placed.px for placed in picture.texts if placed.text == button.label]
        assert not button.label or max(said) >= 16, button.label


@pytest.mark.parametrize("touch", [False, True], ids=["keys", "buttons"])
@pytest.mark.parametrize("size", [HD, FULL_HD], ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_key_numbers_are_an_eighteenth_of_the_height_and_more(
    language: str, size: tuple[int, int], touch: bool
) -> None:
    """Readable from two metres: the pot, the amount to call, the smallest raise, the ruling, the change."""
    picture = Picture(SAMPLES["change"], size, language=language, touch=touch)
    headline = labels(language).pick(samples.ONE_CHIP_CALL.headline)
    for words in ("5400", "600", "1200", "400", headline):
        largest = max(placed.px for placed in picture.texts if placed.text == words)
        assert largest >= size[1] / 18, words


@pytest.mark.parametrize("size", [HD, FULL_HD], ids=str)
def test_stacks_and_bets_of_ten_seats_are_a_thirtieth_of_the_height_and_more(size: tuple[int, int]) -> None:
    picture = Picture(SAMPLES["ten-seats"], size)
    for words in ("99\u202f900", "1\u202f254\u202f000", "200", "100"):
        assert max(placed.px for placed in picture.texts if placed.text == words) >= size[1] / 30, words


def test_the_headline_and_the_reason_of_a_long_ruling_are_whole() -> None:
    picture = Picture(SAMPLES["long-names"])
    ruling = SAMPLES["long-names"].ruling
    assert ruling is not None
    picture.text(ruling.headline["en"])
    picture.text(ruling.sentence["en"])


def test_a_long_name_is_cut_and_not_shrunk_out_of_sight() -> None:
    names = [placed for placed in Picture(SAMPLES["long-names"]).texts if placed.text.startswith("Maximil")]
    assert len(names) >= 8
    assert all(placed.text.endswith("…") for placed in names)
    assert min(placed.px for placed in names) >= 17


@pytest.mark.parametrize("size", [SMALL, HD], ids=str)
@pytest.mark.parametrize("touch", [False, True], ids=["keys", "buttons"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["is-it-there", "which-chips"])
def test_no_choice_of_where_a_chip_lies_is_cut(name: str, language: str, size: tuple[int, int], touch: bool) -> None:
    """The action stands at its end: a choice without it cannot be chosen."""
    question = SAMPLES[name].question
    assert question is not None
    picture, words = Picture(SAMPLES[name], size, language=language, touch=touch), labels(language)
    for said in (question.text, *(choice.label for choice in question.choices)):
        picture.text(words.pick(said))


@pytest.mark.parametrize("size", [SMALL, HD], ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_waits_is_named_with_the_key_that_ends_it(language: str, size: tuple[int, int]) -> None:
    """Where a line is cut on a small screen, who waits and the key stand before the cut."""
    picture = Picture(SAMPLES["held-up"], size, language=language, touch=True)
    said = labels(language).pick(SAMPLES["held-up"].notices[0].text)
    key = said[: said.index(":", said.index("(")) + 1]
    shown = [placed.text for placed in picture.texts if placed.text.startswith(key)]
    assert len(shown) == 1
    assert shown == [said] or size == SMALL


@pytest.mark.parametrize("size", [SMALL, HD], ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_doubt_beside_a_ruling_is_cut(language: str, size: tuple[int, int]) -> None:
    picture = Picture(SAMPLES["doubt"], size, language=language, touch=True)
    shown = view(SAMPLES["doubt"], Link("live"), Desk(), labels(language), dealer=True).ruling
    assert shown is not None
    assert len(shown.doubts) == 2
    for line in shown.doubts:
        assert picture.text(line).lies.y > picture.text(shown.headline).lies.bottom


# ---------------------------------------------------------------- what must look different
def bar(rect: Rect) -> Rect:
    """The upper edge of a panel."""
    return Rect(rect.x + 20, rect.y, rect.w - 40, 4)


def test_a_final_ruling_has_a_whole_frame_and_a_provisional_one_a_dashed_one() -> None:
    final, settling = Picture(SAMPLES["change"]), Picture(SAMPLES["provisional"])
    assert final.share(bar(final.plan.ruling), DARK.good) > 0.95
    assert settling.share(bar(settling.plan.ruling), DARK.good) == 0
    assert 0.4 < settling.share(bar(settling.plan.ruling), DARK.pencil) < 0.6


def test_a_provisional_headline_is_not_written_in_the_ink_of_a_final_one() -> None:
    final, settling = Picture(SAMPLES["change"]), Picture(SAMPLES["provisional"])
    assert final.share(final.text("Seat 4: Call 600").lies, WHITE) > 0.1
    assert settling.share(settling.text("Seat 4: Call 600").lies, WHITE) == 0


def test_a_question_takes_the_whole_panel_and_frames_the_picture() -> None:
    asked, quiet = Picture(SAMPLES["question"]), Picture(SAMPLES["change"])
    assert asked.share(asked.plan.panel, DARK.asked) > 0.3
    assert quiet.share(quiet.plan.panel, DARK.asked) < 0.001
    edge = Rect(0, 100, 4, 300)
    assert asked.share(edge, DARK.asked) > 0.95
    assert quiet.share(edge, DARK.asked) == 0


def test_the_seat_to_act_is_the_only_one_filled_with_the_colour_of_the_turn() -> None:
    picture = Picture(SAMPLES["ten-seats"])
    filled = [i for i, p in enumerate(picture.plan.places, 1) if picture.share(p.box, DARK.turn) > 0.4]
    assert filled == [7]


def test_folded_seats_are_dimmer_than_those_that_play() -> None:
    picture = Picture(SAMPLES["change"])

    def brightest(seat: int) -> int:
        return max(sum(pixel) for pixel in picture.pixels(picture.plan.places[seat - 1].box))

    assert brightest(2) < 0.7 * brightest(1)


def test_suits_have_four_colours() -> None:
    picture = Picture(SAMPLES["change"])
    for rect, suit in zip(picture.plan.board, "sdch", strict=False):
        mine = DARK.suit(suit)[1]
        assert picture.share(rect, mine) > 0.08, suit
        others = [DARK.suit(name)[1] for name in "shdc" if name != suit]
        assert all(picture.share(rect, colour) < 0.02 for colour in others), suit


def test_dealt_cards_that_were_not_read_lie_face_down() -> None:
    picture = Picture(SAMPLES["backs"])
    backs = [picture.share(rect, DARK.card_back) > 0.4 for rect in picture.plan.board]
    faces = [picture.share(rect, DARK.card) > 0.4 for rect in picture.plan.board]
    assert backs == [False, False, True, True, False]
    assert faces == [True, True, False, False, False]


def test_cards_read_are_filled_and_cards_not_read_are_outlines() -> None:
    picture = Picture(SAMPLES["preflop"])

    def filled(seat: int) -> float:
        return picture.share(seat_parts(picture.plan.places[seat - 1].box, 1.0).cards, DARK.card_back)

    assert filled(3) > 1.7 * filled(6) > 0
    assert filled(5) == 0


def test_what_is_not_known_and_what_is_wrong_have_colours_of_their_own() -> None:
    picture = Picture(SAMPLES["unknown-chip"])
    assert picture.share(picture.plan.strip, DARK.notice("alarm")[0]) > 0.1
    assert picture.share(picture.plan.strip, DARK.notice("unknown")[0]) > 0.15
    unknown = DARK.notice("unknown")[0]
    assert picture.share(picture.plan.places[3].box, unknown) > 0.05
    assert picture.share(picture.plan.places[4].box, unknown) == 0


def test_change_is_drawn_chip_by_chip_in_the_colours_of_the_chips() -> None:
    yellow, violet = theme.CHIPS[1000][0], theme.CHIPS[500][0]
    ruling = replace(samples.ONE_CHIP_CALL, change=((1000, 2), (500, 1)), change_due=2500, chips=())
    seats = tuple(replace(s, change_due=2500) if s.seat == ruling.seat else s for s in SAMPLES["change"].seats)
    picture = Picture(replace(SAMPLES["change"], ruling=ruling, seats=seats))
    panel = picture.plan.ruling
    right = Rect(panel.centre[0], panel.y, panel.w // 2, panel.h)
    assert picture.share(right, yellow) > 0.02
    assert picture.share(right, violet) > 0.02
    assert picture.text("×2").px > 20
    assert picture.text("2500").px >= HD[1] / 18


def test_the_chip_in_question_is_drawn_beside_the_choice_that_has_it_there() -> None:
    for language, size in itertools.product(LANGUAGES, (SMALL, HD)):
        house = replace(SAMPLES["is-it-there"], chip_colours=((100, "red"),))
        picture = Picture(house, size, language=language, touch=True)
        with_it, without = choice_rooms(picture.plan.panel, 2, picture.plan.unit)
        red = theme.CHIPS_BY_NAME["red"][0]
        right = [Rect(room.right - room.h, room.y, room.h, room.h) for room in (with_it, without)]
        assert picture.share(right[0], red) > 0.15
        assert picture.share(right[1], red) == 0
        picture.text("100")


def test_chips_are_drawn_in_the_colours_of_the_house() -> None:
    red, blue = (theme.CHIPS_BY_NAME[name][0] for name in ("red", "blue"))
    ruling = replace(samples.ONE_CHIP_CALL, change=((500, 2),))
    for colours, own in (((), theme.CHIPS[500][0]), (((500, "red"),), red), (((500, "blue"),), blue)):
        picture = Picture(replace(SAMPLES["change"], ruling=ruling, chip_colours=colours))
        panel = picture.plan.ruling
        right = Rect(panel.centre[0], panel.y, panel.w // 2, panel.h)
        assert picture.share(right, own) > 0.02
    assert theme.chip(500, "a colour that nobody knows") == theme.CHIPS[500]


def test_old_data_are_grey_and_only_the_warning_has_a_colour() -> None:
    picture = Picture(SAMPLES["change"], link=Link("lost", "21:14:05"))
    for place in picture.plan.places:
        assert all(max(pixel) - min(pixel) < 10 for pixel in picture.pixels(place.box))
    assert picture.share(picture.plan.board[2], DARK.notice("alarm")[0]) > 0.3
    picture.text("NO CONNECTION SINCE 21:14:05: what you see is old")


def test_without_any_data_no_seat_and_no_pot_is_drawn() -> None:
    picture = Picture(None, link=Link("waiting", path="/run/x.sock"))
    assert {placed.text for placed in picture.texts} >= {"Waiting for the table"}
    assert Counter(placed.text for placed in picture.texts)["POT"] == 0


def test_a_chosen_seat_has_a_frame_of_its_own() -> None:
    chosen, plain = Picture(SAMPLES["preflop"], desk=Desk(selected=2)), Picture(SAMPLES["preflop"])
    outside = chosen.plan.places[1].box.inset(-6)
    assert chosen.share(outside, DARK.chosen) > 3 * plain.share(outside, DARK.chosen) + 0.03


def test_help_covers_the_table_and_its_texts_do_not_overlap() -> None:
    for language in LANGUAGES:
        for size in (HD, SMALL):
            shown = Picture(SAMPLES["change"], size, desk=Desk(help=True), language=language)
            plain = Picture(SAMPLES["change"], size, language=language)
            texts = shown.texts[len(plain.texts) :]
            assert len(texts) == 2 * len(labels(language).help) + 1
            for one, other in itertools.combinations(texts, 2):
                assert not overlaps(one.lies.inset(1, 2), other.lies.inset(1, 2)), (one.text, other.text)


def test_pictures_can_be_drawn_after_pygame_was_ended() -> None:
    first = Picture(SAMPLES["two-seats"])
    pygame.quit()
    assert [t.lies for t in Picture(SAMPLES["two-seats"]).texts] == [t.lies for t in first.texts]


def test_the_same_view_gives_the_same_picture() -> None:
    first, second = Picture(SAMPLES["side-pots"]), Picture(SAMPLES["side-pots"])
    assert pygame.image.tobytes(first.surface, "RGB") == pygame.image.tobytes(second.surface, "RGB")


@pytest.mark.parametrize("face", ["", "A", "Xx", "10s", "As", "Td", "♠"])
def test_a_card_of_no_known_face_is_still_drawn(face: str) -> None:
    Picture(replace(SAMPLES["change"], board=(face,), board_count=1))


ROOT = Path(__file__).parent.parent.parent


def test_the_picture_of_the_readme_is_drawn_from_its_sample() -> None:
    """`betline screen --snapshot tests/display/readme.json --public --shot docs/screen.png` made it."""
    told = read(b'{"snapshot": ' + (ROOT / "tests/display/readme.json").read_bytes() + b"}")
    assert told == Snap(samples.README)
    shown = pygame.image.load(ROOT / "docs" / "screen.png")
    assert shown.get_size() == HD
    picture = Picture(samples.README)
    for place in picture.plan.places:  # another FreeType may move a pixel, not a box
        x, y = place.box.x + place.box.w // 2, place.box.bottom - 6
        assert shown.get_at((x, y)) == picture.surface.get_at((x, y))
