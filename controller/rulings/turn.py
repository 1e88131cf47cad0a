"""Action out of turn: when it binds or is taken back (TDA 2024 53), and when a skipped player has lost his turn (36).

The chips of an out-of-turn push are held, not ruled, until the players in between have acted. Whether the action
changed is all that counts: a check, a call and a fold do not change it, a bet and a raise do.
"""

from collections.abc import Sequence
from typing import Literal

from controller.rulings.switches import Profile

ActKind = Literal["post", "check", "fold", "call", "bet", "raise"]
Held = Literal["binds", "released", "chips_stay", "min_wager", "call_or_fold"]

WITH_CHIPS: frozenset[ActKind] = frozenset({"call", "bet", "raise"})
CHANGES: frozenset[ActKind] = frozenset({"bet", "raise"})


def held_action(profile: Profile, held: ActKind, between: Sequence[ActKind]) -> Held:
    """What becomes of an action out of turn once the players in between have acted.

    binds: it stands. released: chips back, every option. chips_stay: they stay in the pot, he may add. min_wager: he is
    held to the smallest bet or raise. call_or_fold: he checked out of turn and may no longer bet or raise.
    """
    if held == "fold" or not CHANGES.intersection(between):
        return "binds"  # a fold always binds (TDA 2024 53-A)
    if held == "check":
        return "call_or_fold" if profile.oot_check_blocks_raise else "released"
    match profile.out_of_turn:
        case "tda53":
            return "released"
        case "chips_stay":
            return "chips_stay"
        case "min_wager":
            return "min_wager" if held in CHANGES else "released"


def skipped_turn(profile: Profile, actions: Sequence[ActKind], *, owes: bool) -> Literal["floor", "checks"]:
    """What becomes of a skipped player after substantial action: the floor rules on his hand (TDA 2024 53-B).

    Where two actions cost him his turn, all of them were checks and he owes nothing, he has checked (Russian club
    rules 2.8.12).
    """
    checked = not owes and all(action == "check" for action in actions)
    return "checks" if checked and profile.substantial == "two" else "floor"


def is_substantial(profile: Profile, actions: Sequence[ActKind]) -> bool:
    """Whether a skipped player who kept silent has lost his turn; posting a blind is no action (TDA 2024 36).

    TDA: two actions of which one put chips in, or any three; two checks or two folds are not.
    """
    real = [action for action in actions if action != "post"]
    match profile.substantial:
        case "two_with_chips_or_three":
            return len(real) >= 3 or (len(real) == 2 and not WITH_CHIPS.isdisjoint(real))
        case "two":
            return len(real) >= 2
        case "three":
            return len(real) >= 3
