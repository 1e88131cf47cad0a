"""Text fits its rectangle, whatever the text and whatever the rectangle."""

from hypothesis import given, settings
from hypothesis import strategies as st

from display.fitting import CUT, SMALLEST, broken_at, cut, fit


def measure(text: str, px: int) -> int:
    """A typewriter: every letter as wide as six tenths of the size."""
    return round(len(text) * px * 0.6)


TEXTS = st.text(alphabet="abc 12\u202f", min_size=1, max_size=60).map(str.strip).filter(bool)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(TEXTS, st.integers(20, 900), st.integers(12, 200), st.integers(1, 4))
def test_a_fitted_text_never_leaves_its_rectangle(text: str, width: int, height: int, lines: int) -> None:
    fitted = fit(text, (width, height), measure, lines=lines)
    assert all(measure(line, fitted.px) <= width for line in fitted.lines)
    assert len(fitted.lines) <= lines
    assert fitted.px == SMALLEST or len(fitted.lines) * fitted.line_height <= height + len(fitted.lines)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(TEXTS, st.integers(100, 900), st.integers(20, 200))
def test_no_word_is_lost_unless_the_cut_is_shown(text: str, width: int, height: int) -> None:
    fitted = fit(text, (width, height), measure, lines=3)
    written = " ".join(fitted.lines)
    assert written.split(" ") == text.split(" ") or written.endswith(CUT)


def test_the_largest_font_that_fits_is_taken() -> None:
    fitted = fit("600", (10_000, 100), measure)
    assert fitted.px == 85
    assert fit("600", (10_000, 100), measure, largest=40).px == 40


def test_below_the_smallest_font_asked_for_a_text_is_cut_and_not_shrunk() -> None:
    fitted = fit("Maximiliana Featherstonehaugh", (100, 30), measure, smallest=20)
    assert fitted.px == 20
    assert fitted.lines == ("Maximil…",)


def test_lines_break_between_words_and_never_inside_a_number() -> None:
    assert broken_at("raise to 12\u202f500", 10, 60, 100, measure, lines=3) == ("raise to", "12\u202f500")
    assert broken_at("raise to 12 500", 10, 54, 100, measure, lines=3) == ("raise to", "12 500")


def test_a_cut_text_ends_before_a_number_and_never_inside_it() -> None:
    """100 / 20… would be read as blinds of 100 and 20."""
    text = "Blinds 100 / 12\u202f500"
    assert [cut(text, 10, 6 * letters, measure) for letters in (19, 18, 15, 11, 10, 7, 1)] == [
        text,
        "Blinds 100 /…",
        "Blinds 100 /…",
        "Blinds 100…",
        "Blinds…",
        "Blinds…",
        "",
    ]
    assert cut("12\u202f500", 10, 30, measure) == "…"


def test_a_text_for_which_there_is_no_room_at_all_is_nothing() -> None:
    assert cut("raise", 20, 5, measure) == ""
