"""Who owes which post, as the screen says it."""

import pytest
from msgspec.structs import replace

from controller.snapshot import PostView, Snapshot
from display.keys import Desk
from display.labels import labels
from display.parts import Link, StepPart
from display.posts import owed
from display.view import view
from tests.display import samples


def told(snapshot: Snapshot, language: str = "en") -> str:
    return owed(snapshot, labels(language))


def lines(snapshot: Snapshot) -> tuple[str, ...]:
    act = view(snapshot, Link("live"), Desk(), labels("en"), dealer=True).act
    assert isinstance(act, StepPart)
    return act.lines


def owing(*posts: tuple[int, str, int]) -> Snapshot:
    return replace(samples.POSTING, posts_due=tuple(PostView(*post) for post in posts))


def test_a_missing_blind_is_told_by_player_and_amount() -> None:
    assert lines(samples.POSTING) == ("Boris: big blind 200",)
    assert told(samples.POSTING, "ru") == "Boris: большой блайнд 200"


def test_a_player_without_a_name_is_told_by_his_seat() -> None:
    nameless = replace(samples.POSTING, seats=())
    assert [told(nameless, language) for language in ("en", "ru")] == [
        "Seat 2: big blind 200",
        "Место 2: большой блайнд 200",
    ]


def test_several_posts_of_a_player_stand_together() -> None:
    some = owing((1, "small_blind", 100), (2, "big_blind", 20_000), (2, "ante", 200), (3, "dead", 100))
    assert told(some) == "Anna: small blind 100 · Boris: big blind 20\u202f000, ante 200 · Chen: dead blind 100"


def test_many_posts_are_told_by_kind_and_a_short_stack_apart() -> None:
    assert told(samples.ANTES) == (
        "Small blind 100: Anna · Big blind 20\u202f000: Boris · Ante 25: seats 1–4, 6–8 · Ante 10: Julia"
    )
    assert "Анте 25: места 1–4, 6–8" in told(samples.ANTES, "ru")


def test_a_post_of_a_kind_that_this_screen_does_not_know_is_told_all_the_same() -> None:
    assert told(owing((1, "bring_in", 50))) == "Anna: bring in 50"


@pytest.mark.parametrize("phase", ["posting", "dealing"])
def test_where_nobody_owes_the_step_says_what_it_always_says(phase: str) -> None:
    nobody = replace(samples.POSTING, posts_due=(), phase=phase)
    assert lines(nobody) == (labels("en").phases[phase].hint,)
