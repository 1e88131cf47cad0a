"""A push laid out before it is judged: what lies where, and how much he has. No rule decides anything here.

The identity of every ruling: forward + must_add = total_to + change_due, and at most one of the two is not zero.
"""

import msgspec

from controller.rulings.switches import Profile
from controller.rulings.values import Push, Situation


class Facts(msgspec.Struct, frozen=True):
    profile: Profile
    situation: Situation
    push: Push
    kept: tuple[int, ...]  # prior chips that he left in front
    new: tuple[int, ...]  # playing chips of the first motion
    later: int  # value of the motions behind it
    forward: int  # value forward of the line after the push, all motions, the swept part included
    everything: int  # his total of this round if he puts in all he has
    behind: int  # what he has left after the first motion

    @property
    def owes(self) -> bool:
        return self.situation.current_bet > self.situation.player_bet

    @property
    def first_value(self) -> int:
        """His total if prior chips left in front and the first motion count, and nothing else."""
        return self.situation.prior_in_pot + sum(self.kept) + sum(self.new)


def lay_out(profile: Profile, situation: Situation, push: Push) -> Facts:
    first = push.motions[0] if push.motions else ()
    later = sum(map(sum, push.motions[1:])) if len(push.motions) > 1 else 0
    prior = sum(situation.prior_chips)
    back = sum(push.pulled_back)
    first_value = sum(first)
    return Facts(
        profile=profile,
        situation=situation,
        push=push,
        kept=without(situation.prior_chips, push.pulled_back) if push.pulled_back else situation.prior_chips,
        new=tuple(chip for chip in first if chip >= profile.min_chip) if profile.min_chip else first,
        later=later,
        forward=situation.prior_in_pot + prior - back + first_value + later,
        everything=situation.prior_in_pot + prior + situation.player_stack,
        behind=situation.player_stack + back - first_value,
    )


def without(chips: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    """Chips less those taken, one for one. A chip that is not there counts for nothing."""
    left = list(chips)
    for chip in taken:
        if chip in left:
            left.remove(chip)
    return tuple(left)
