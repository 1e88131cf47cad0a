"""The rules of one house, asked by the engine and by `betline rule`. A leaf: it imports nothing of ours.

Where to look:

    silent.py        chips without a word: the ladder. Start there.
    judged_chips.py  which chips are judged (prior chips, TDA 46) and when all were needed (TDA 45-A)
    undercalls.py    less than the bet (TDA 51, 41)
    words.py         word or chips first; check, call, fold
    raise_words.py   all-in, raise, bet, pot
    numbers.py       a bare number, and a number with two readings (TDA 40-C, 57)
    limits.py        smallest and largest wager of every structure, the half line
    kills.py         who must kill the next pot
    structures.py    the bets of a game from street to street, and what a kill makes of them
    reopening.py     who may raise, and the raise cap (TDA 47, 48)
    readings.py      totals made into readings and rulings
    facts.py         a push laid out before it is judged
    blinds.py        button and blinds from hand to hand, missed blinds
    posting.py       what a seat posts: blinds, antes, straddles; forced_bets.py: what all face then
    turn.py          out of turn (TDA 53), substantial action (36); corrections.py: until when (52)
    switches.py      what a house may change; reasons.py: every reason a ruling can give
    profiles.py      the house files
"""

from controller.rulings import limits, profiles, reopening, words
from controller.rulings.facts import lay_out
from controller.rulings.switches import Profile
from controller.rulings.values import Options, Push, Ruling, Situation


class Rules:
    """One house's rules. Pure: the same push in the same situation always gives the same ruling."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    @classmethod
    def named(cls, name: str) -> "Rules":
        """The rules of a profile by its name, any case, or of a house's TOML file. Raises ProfileError."""
        return cls(profiles.load(name))

    def judge(self, situation: Situation, push: Push) -> Ruling:
        """What a push means. Chips, a word, or both; `chosen` is None where the floor must be asked.

        The push is taken as possible: chips that he has, prior chips that lie there.
        """
        return words.judge(lay_out(self.profile, situation, push))

    def options(self, situation: Situation) -> Options:
        """What a player may do before he pushes anything; amounts never above what he has."""
        everything = max(situation.player_bet, situation.prior_in_pot + sum(situation.prior_chips))
        everything += situation.player_stack
        to_call = min(situation.current_bet, everything) - situation.player_bet
        if everything <= situation.current_bet or not self.may_raise(situation):
            return Options(to_call=to_call, can_raise=False, min_raise_to=None, max_raise_to=None)
        most = limits.max_to(self.profile, situation)
        return Options(
            to_call=to_call,
            can_raise=True,
            min_raise_to=min(self.min_raise_to(situation), everything),
            max_raise_to=None if most is None else min(most, everything),
        )

    def may_raise(self, situation: Situation) -> bool:
        """Has he the right to bet or raise (TDA 2024 47, 48)? Says nothing about whether he has the chips."""
        return reopening.may_raise(self.profile, situation)

    def min_raise_to(self, situation: Situation) -> int:
        """The smallest total of a bet or raise, whether or not he has the chips for it."""
        return limits.min_to(self.profile, situation)
