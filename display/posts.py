"""Who still owes a blind, an ante or another post, in one line. Pure."""

from itertools import pairwise

from controller.snapshot import PostView, Snapshot
from display.labels import Labels

MOST_BY_NAME = 3  # players; with more of them the line goes by kinds of posts
BETWEEN = " · "


def owed(seen: Snapshot, words: Labels) -> str:
    """Player by player, "Boris: big blind 200"; where many owe, post by post: "Ante 25: seats 1–9". "": nobody owes."""
    owing = tuple(dict.fromkeys(post.seat for post in seen.posts_due))
    if len(owing) > MOST_BY_NAME:
        return BETWEEN.join(_by_kind(seen, words))
    return BETWEEN.join(_by_player(seen, seat, words) for seat in owing)


def _by_player(seen: Snapshot, seat: int, words: Labels) -> str:
    posts = ", ".join(_post(post, words) for post in seen.posts_due if post.seat == seat)
    return f"{_name(seen, seat, words)}: {posts}"


def _by_kind(seen: Snapshot, words: Labels) -> list[str]:
    """Blinds before antes, as they come around the table; a short stack's smaller post is one of its own."""
    seats: dict[str, list[int]] = {}
    for post in sorted(seen.posts_due, key=lambda post: post.kind == "ante"):
        seats.setdefault(_post(post, words), []).append(post.seat)
    return [f"{text[:1].upper()}{text[1:]}: {_names(seen, sorted(of), words)}" for text, of in seats.items()]


def _post(post: PostView, words: Labels) -> str:
    name = words.posts.get(post.kind, post.kind.replace("_", " "))
    return f"{name} {words.amount(post.amount)}"


def _names(seen: Snapshot, seats: list[int], words: Labels) -> str:
    return words.seats.format(n=_spans(seats)) if len(seats) > 1 else _name(seen, seats[0], words)


def _name(seen: Snapshot, seat: int, words: Labels) -> str:
    names = (view.name for view in seen.seats if view.seat == seat)
    return next(names, "") or words.seat.format(n=seat)


def _spans(numbers: list[int]) -> str:
    """Sorted numbers as people write them: 1–4, 6."""
    starts = [numbers[0], *(b for a, b in pairwise(numbers) if b != a + 1)]
    ends = [*(a for a, b in pairwise(numbers) if b != a + 1), numbers[-1]]
    return ", ".join(f"{a}" if a == b else f"{a}\u2013{b}" for a, b in zip(starts, ends, strict=True))
