"""Small and standing panels: what matters can be read there, and nothing that is wrong vanishes."""

import pytest
from msgspec.structs import replace

from controller.snapshot import NoticeView, ReaderView
from controller.texts.languages import LANGUAGES
from display.labels import labels
from display.parts import Lamp, Link
from tests.display import samples
from tests.display.samples import SAMPLES, both
from tests.display.test_draw import Picture

SMALL, STANDING, HD = (800, 480), (480, 800), (1280, 720)
LEGIBLE = 18  # pixels of a letter


def notices_of(picture: Picture) -> list[str]:
    strip = picture.plan.strip
    return [placed.text for placed in picture.texts if strip.y <= placed.lies.y and placed.lies.bottom <= strip.bottom]


# ---------------------------------------------------------------- letters
@pytest.mark.parametrize("size", [SMALL, STANDING], ids=str)
@pytest.mark.parametrize("name", ["held-up", "unknown-chip", "lost-readers", "counting-in"])
def test_notices_have_letters_of_eighteen_pixels_and_more(name: str, size: tuple[int, int]) -> None:
    picture = Picture(SAMPLES[name], size, language="ru", touch=True)
    strip = picture.plan.strip
    inside = [p for p in picture.texts if strip.y <= p.lies.y and p.lies.bottom <= strip.bottom and len(p.text) > 3]
    assert inside
    assert min(placed.px for placed in inside) >= LEGIBLE


@pytest.mark.parametrize("size", [SMALL, STANDING], ids=str)
@pytest.mark.parametrize("name", ["preflop", "ten-seats", "side-pots", "long-names", "held-up"])
def test_names_have_letters_of_eighteen_pixels_and_more(name: str, size: tuple[int, int]) -> None:
    snapshot = SAMPLES[name]
    picture = Picture(snapshot, size, touch=True)
    heads = [place.box for place in picture.plan.places]
    for seat, box in zip(snapshot.seats, heads, strict=False):
        inside = [p for p in picture.texts if box.y <= p.lies.y < box.y + box.h // 3 and box.x < p.lies.x < box.right]
        named = [p for p in inside if p.text[:2] == seat.name[:2]]
        assert named or seat.state == "empty", seat.name
        assert all(placed.px >= LEGIBLE for placed in named) or len(snapshot.seats) == 10, seat.name


@pytest.mark.parametrize("size", [SMALL, STANDING], ids=str)
def test_side_pots_have_letters_of_eighteen_pixels_and_more(size: tuple[int, int]) -> None:
    picture = Picture(SAMPLES["side-pots"], size, language="ru", touch=True)
    row = picture.plan.pots
    inside = [placed for placed in picture.texts if row.y <= placed.lies.y and placed.lies.bottom <= row.bottom]
    amounts = [placed for placed in inside if placed.text in ("9200", "14\u202f400", "18\u202f750", "6000")]
    assert len(amounts) == 4
    assert min(placed.px for placed in amounts) >= LEGIBLE
    assert sorted(p.text for p in inside if len(p.text) == 1) == sorted("13469136936969")


# ---------------------------------------------------------------- nothing vanishes
@pytest.mark.parametrize("size", [SMALL, HD], ids=str)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_a_lost_reader_blinds_is_never_cut_also_beside_another_notice(
    language: str, size: tuple[int, int]
) -> None:
    picture = Picture(SAMPLES["held-up"], size, language=language, touch=True)
    assert labels(language).pick(SAMPLES["held-up"].notices[1].text) in notices_of(picture)


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_standing_panel_the_places_stand_before_the_cut(language: str) -> None:
    said = labels(language).pick(SAMPLES["held-up"].notices[1].text)
    fact = said.split(".")[0]
    assert any(text.startswith(fact) for text in notices_of(Picture(SAMPLES["held-up"], STANDING, language=language)))


@pytest.mark.parametrize("size", [SMALL, STANDING, HD], ids=str)
@pytest.mark.parametrize("broker", ["up", "connecting", "down"])
@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("lost", range(7))
def test_the_broker_is_always_shown_and_every_other_lamp_is_shown_or_counted(
    lost: int, language: str, broker: str, size: tuple[int, int]
) -> None:
    readers = tuple(
        ReaderView(f"reader-{n}", "lost" if n < lost else "up", both("lost: unplugged", "пропал: отключён"))
        for n in range(7)
    )
    snapshot = replace(SAMPLES["preflop"], readers=readers, broker=broker)
    picture, words = Picture(snapshot, size, language=language, touch=True), labels(language)
    room = picture.plan.lamps
    texts = [p.text for p in picture.texts if room.y <= p.lies.y and p.lies.bottom <= room.bottom + 1]
    lamps = {words.reader_lost.format(id=f"reader-{n}") for n in range(lost)} | {words.readers_up.format(n=7 - lost)}
    shown = lamps.intersection(texts)
    hidden = [int(text[1:]) for text in texts if text.startswith("+")]
    assert any(text.startswith("MQTT") for text in texts)
    assert len(shown) + sum(hidden) == len(lamps)
    if lost and shown:
        assert shown != {words.readers_up.format(n=7 - lost)}, "the worst come first"


def test_notices_that_do_not_fit_are_counted_and_the_most_urgent_are_whole() -> None:
    many = tuple(
        NoticeView(f"n{n}", "alarm" if n == 5 else "info", both(f"notice number {n} " * 3, "уведомление " * 3 + str(n)))
        for n in range(6)
    )
    texts = notices_of(Picture(replace(SAMPLES["preflop"], notices=many), SMALL, touch=True))
    shown = [text for text in texts if text.startswith("notice")]
    assert shown[0].strip() == "notice number 5 notice number 5 notice number 5"
    assert f"+{6 - len(shown)}" in texts


def test_the_time_stands_in_the_top_line() -> None:
    for size in (SMALL, STANDING, HD):
        assert Picture(SAMPLES["preflop"], size).text("21:14").lies.x < size[0] / 4


def test_a_lamp_of_no_broker_is_none() -> None:
    quiet = replace(samples.PREFLOP, broker="off", readers=())
    picture = Picture(quiet, SMALL, link=Link("live"))
    assert not [placed for placed in picture.texts if placed.text.startswith("MQTT")]
    assert Lamp("x", "good").always is False
