"""Stud: whose up cards open a round. Unknown up cards open nothing: position is never guessed instead.

The first round is brought in by the lowest up card, ties by suit: clubs, diamonds, hearts, spades (Robert's Rules,
seven-card stud 3); in razz by the highest, where the ace is low and spades are the highest suit. Later rounds are
opened by the best hand that shows, equal ones by the nearest to the left of the button.
"""

from collections.abc import Mapping, Sequence

from controller.games.game import Opens
from controller.games.ranking import rank_open
from controller.registry.registry import face

BY_CARD: tuple[Opens, ...] = ("low_card", "high_card")
BY_HAND: tuple[Opens, ...] = ("high_hand", "low_hand")
BY_UP_CARDS = (*BY_CARD, *BY_HAND)
_ACE_HIGH = "23456789TJQKA"
_ACE_LOW = "A23456789TJQK"
_SUITS = "cdhs"


def opens_first(opens: Opens, up: Mapping[int, Sequence[str]], count: int) -> int | None:
    """The seat whose up cards open, of those still in, in order from the left of the button.

    `count`: how many of each must be known; None where one is not, or where up cards open nothing.
    """
    if not up or any(len(cards) != count for cards in up.values()):
        return None
    faces = {seat: [face(card) for card in cards] for seat, cards in up.items()}
    match opens:
        case "low_card":
            return min(faces, key=lambda seat: _value(faces[seat][-1], _ACE_HIGH))
        case "high_card":
            return max(faces, key=lambda seat: _value(faces[seat][-1], _ACE_LOW))
        case "high_hand":
            return max(faces, key=lambda seat: rank_open("high", faces[seat]))
        case "low_hand":
            return max(faces, key=lambda seat: rank_open("razz", faces[seat]))
        case "behind_blinds" | "left_of_button":
            return None


def _value(card: str, ranks: str) -> tuple[int, int]:
    return ranks.index(card[0]), _SUITS.index(card[1])
