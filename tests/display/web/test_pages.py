"""What pages say: the words and numbers of the screen, for one seat its own, and never a card of a player."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.snapshot import DealerSnapshot, PostView
from controller.texts.languages import LANGUAGES
from display import theme
from display.feed import Heard
from display.keys import Desk
from display.labels import labels
from display.parts import Link
from display.view import view
from display.web import pages, site
from tests.display import samples

STATIC = Path(site.STATIC)
EN = labels("en")
LARGEST_PAGE = 300_000  # bytes of all that a page loads


def live(snapshot: DealerSnapshot) -> Heard:
    return Heard(Link("live"), snapshot)


def seat(snapshot: DealerSnapshot, number: int) -> pages.SeatPage:
    return pages.seat_page(live(snapshot), number, EN)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", samples.SAMPLES)
def test_the_table_page_says_what_the_public_screen_says(name: str, language: str) -> None:
    heard, words = live(samples.SAMPLES[name]), labels(language)

    shown = pages.table_page(heard, words).view

    assert shown == view(pages.public(heard), heard.link, Desk(), words, dealer=False)


@pytest.mark.parametrize("name", samples.SAMPLES)
def test_no_page_names_a_chip_or_what_only_the_dealer_reads(name: str) -> None:
    secret = replace(samples.SAMPLES[name], unseen=("secret-chip-1",), last_refusal={"en": "secret refusal"})

    told = [pages.table_page(live(secret), EN), *(pages.seat_page(live(secret), n, EN) for n in range(1, 11))]

    assert not any(b"secret" in pages.encoded(page) for page in told)


def test_the_page_of_a_seat_has_no_cards_not_even_shown_ones() -> None:
    assert any(one.cards for one in samples.SIDE_POTS.seats)

    for number in range(1, 10):
        page = msgspec.to_builtins(seat(samples.SIDE_POTS, number))
        assert not {"cards", "shown", "hole_cards", "board", "cards_read"} & all_keys(page)


def all_keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(all_keys, value.values()))
    return set().union(*map(all_keys, value)) if isinstance(value, list | tuple) else set()


def test_who_is_to_act_reads_what_a_call_costs_and_nobody_else_does() -> None:
    assert samples.README.to_act == 7

    mine, other = seat(samples.README, 7), seat(samples.README, 3)

    assert (mine.my_turn, mine.owe_label, mine.owe) == (True, "to call", "600")
    assert (other.my_turn, other.owe, other.turn) == (False, "", "Greta: to act")


def test_a_seat_reads_its_own_last_ruling_with_its_change_and_another_seat_does_not() -> None:
    mine, other = seat(samples.README, 4), seat(samples.README, 3)

    assert mine.ruling is not None
    assert (mine.ruling.headline, mine.ruling.chips_amount, mine.change) == ("Seat 4: Call 600", "400", "400")
    assert mine.spoken.startswith("Seat 4: Call 600. One chip")
    assert other.ruling is None


def test_a_seat_keeps_its_ruling_of_this_round_when_others_have_acted_since() -> None:
    mine = samples.ONE_CHIP_CALL
    theirs = replace(mine, seat=9, headline={"en": "Seat 9: Fold"})
    later = replace(samples.README, ruling=theirs, rulings=(mine, theirs))

    assert getattr(seat(later, mine.seat).ruling, "headline", None) == mine.headline["en"]


def test_a_blind_that_is_not_in_yet_and_chips_that_lack_are_owed() -> None:
    due = replace(samples.README, to_act=None, posts_due=(PostView(3, "big_blind", 200),))
    lacking = replace(samples.README, seats=tuple(replace(one, missing=50) for one in samples.README.seats))

    assert (seat(due, 3).owe_label, seat(due, 3).owe) == ("big blind", "200")
    assert (seat(lacking, 3).owe_label, seat(lacking, 3).owe) == ("ADD", "50")


def test_an_empty_chair_and_a_chair_that_does_not_exist_say_so() -> None:
    assert not seat(samples.README, 8).present
    assert not seat(samples.README, 25).present


def test_a_table_that_is_gone_is_told_as_gone() -> None:
    lost = pages.seat_page(Heard(Link("lost", "21:14:05"), samples.README), 4, EN)
    never = pages.table_page(Heard(Link("waiting", path="public.sock")), EN)

    assert lost.stale
    assert "21:14:05" in getattr(lost.banner, "text", "")
    assert never.view.curtain is not None


# ---------------------------------------------------------------- what a browser loads
def test_chips_have_the_colours_of_the_screen() -> None:
    found = dict(re.findall(r"\.((?:v|c-)\w+) \{ --disc: (#\w{6})", (STATIC / "look.css").read_text().lower()))
    wanted = {f"v{value}": colours[0] for value, colours in theme.CHIPS.items()}
    wanted |= {f"c-{name}": colours[0] for name, colours in theme.CHIPS_BY_NAME.items()}

    assert found == {name: "#{:02x}{:02x}{:02x}".format(*colour) for name, colour in wanted.items()}


def palettes() -> dict[str, dict[str, str]]:
    text = (STATIC / "look.css").read_text()
    blocks = re.findall(r":root \{(.*?)\n\s*\}", text, re.DOTALL)
    dark, light = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block)) for block in blocks[:2])
    return {"dark": dark, "light": dark | light}


def contrast(one: str, other: str) -> float:
    """As WCAG 2.2 defines it."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_words_have_the_contrast_of_wcag_aa(scheme: str) -> None:
    colours = palettes()[scheme]
    pairs = [(ink, ground) for ink in ("text", "soft") for ground in ("night", "panel", "seat")]
    pairs += [("dim", "seat-dim"), ("good", "panel"), ("bad", "panel"), ("busy", "panel"), ("pencil", "panel")]

    assert {pair: contrast(*(colours[name] for name in pair)) for pair in pairs if contrast(*(colours[name] for name in pair)) < 4.5} == {}  # fmt: skip
    assert contrast("#ffffff", colours["felt-light"]) >= 4.5
    assert contrast("#0a0c0e", colours["turn"]) >= 4.5


def test_all_pages_together_are_light_and_load_nothing_from_elsewhere() -> None:
    files = [path for path in STATIC.iterdir() if path.is_file()]

    assert sum(path.stat().st_size for path in files) < LARGEST_PAGE
    for path in files:
        text = path.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "://" not in text, f"{path.name} names another host"
        assert not re.search(r"<script>|\sstyle=|\son\w+=", text), f"{path.name}: what the policy forbids"


def test_what_a_page_says_itself_comes_from_the_files_of_the_languages() -> None:
    for path in STATIC.glob("*.html"):
        names = set(re.findall(r"\$(\w+)", path.read_text())) - {"language", "seat", "others", "dealer", "place"}
        assert names <= EN.web.keys(), path.name
        assert not re.search(r">\s*[A-Za-z]{3,}[^<]*<", path.read_text()), f"{path.name}: a word of one language"


def test_every_language_has_all_words_of_the_pages() -> None:
    for language in LANGUAGES:
        words = labels(language).web
        assert words.keys() == EN.web.keys()
        if language != "en":
            assert [key for key in words if words[key] == EN.web[key]] == []
