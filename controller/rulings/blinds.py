"""Where button and blinds go from hand to hand, and who missed a blind. Seats by number, clockwise.

With a dead button the big blind moves to the next player, and the small blind and the button follow to where the big
and the small blind were, be that chair empty (Russian club rules 2.11.1 and 7.6.1; TDA 2024, dead button). So nobody
pays a big blind twice in a row or is spared one. Heads-up the button is the small blind (TDA 2024 34-B).
"""

from collections.abc import Sequence

from controller.rulings.posting import Entry, entry
from controller.rulings.switches import Profile
from controller.rulings.values import Value


class Places(Value, frozen=True):
    """Seats of one hand. `small_place` is where the small blind belongs; `small` is None where nobody sits there."""

    button: int
    small: int | None
    big: int
    small_place: int


class Missed(Value, frozen=True):
    """Blinds that a player who sat out owes when he comes back."""

    seat: int
    small: bool
    big: bool


def next_places(profile: Profile, seats: Sequence[int], small_place: int, big_place: int) -> Places | None:
    """The next hand's places after one with these; `seats` play. None: this house moves the button to a player."""
    if profile.button == "moving":
        return None
    big = after(seats, big_place)
    if len(seats) == 2:
        other = after(seats, big)
        return Places(other, other, big, other)
    return Places(small_place, big_place if big_place in seats else None, big, big_place)


def after(seats: Sequence[int], place: int) -> int:
    """The next player clockwise of a place."""
    return min((seat for seat in seats if seat > place), default=min(seats))


def missed(profile: Profile, absent: Sequence[int], before: tuple[int, int], now: Places) -> tuple[Missed, ...]:
    """Who of those that sit out was passed by a blind; `before` are the last small and big places.

    Cash games only (Robert's Rules, button and blinds): in a tournament an absent player is dealt in and posts.
    """
    if profile.missed_blinds == "none":
        return ()
    found = [
        Missed(
            seat,
            small=_is_passed(seat, before[0], now.small_place) or seat == now.small_place,
            big=_is_passed(seat, before[1], now.big),
        )
        for seat in absent
    ]
    return tuple(one for one in found if one.small or one.big)


def still_owed(before: Sequence[Missed], dealt_in: Sequence[int], passed: Sequence[Missed]) -> tuple[Missed, ...]:
    """What seats owe once a hand has begun: who is dealt in owes nothing any more, others what has passed them."""
    owed = {one.seat: one for one in before if one.seat not in dealt_in}
    for one in passed:
        old = owed.get(one.seat, Missed(one.seat, small=False, big=False))
        owed[one.seat] = Missed(one.seat, small=old.small or one.small, big=old.big or one.big)
    return tuple(owed[seat] for seat in sorted(owed))


def _is_passed(seat: int, start: int, end: int) -> bool:
    """Strictly between two places, clockwise."""
    return start < seat < end if start < end else seat > start or seat < end


def comes_back(owed: Missed, places: Places, small_blind: int, big_blind: int) -> Entry:
    """What he posts besides: nothing where he sits in a blind, which he pays then."""
    if owed.seat in {places.small, places.big}:
        return Entry(live=0, dead=0)
    return entry(owed.small, owed.big, small_blind, big_blind)
