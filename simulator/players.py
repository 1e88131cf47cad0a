"""Players: how somebody who means to call, bet or raise does it with the chips that he has.

A player knows the game as people know it: he sees what he faces and what lies before him, and he speaks where silence
could be misread. His caution is a rule of his own (`speaks_for_itself`), on purpose simpler and stricter than the rules
that the table judges by; nothing here knows those rules.
"""

import random
from collections.abc import Callable

from msgspec.structs import replace

from controller.rulings.values import Word
from firmware_bridge.events import Value
from simulator.acts import Act, Cue, Muck, Names, PullBack, PushChips, Riffle, Say, Splash, TakeChange, spot, tray
from simulator.books import Decision
from simulator.chips import Counts, compose, cover, largest, worth
from simulator.felt import Felt

Changeable = Callable[[Counts], bool]  # whether the table could give the change for these chips


class Dice(random.Random):
    """Everything that is left to chance, from one seed."""

    def happens(self, probability: float) -> bool:
        return self.random() < probability

    def pause(self, least_ms: int, most_ms: int) -> int:
        return round(self.triangular(least_ms, most_ms, least_ms + (most_ms - least_ms) / 4))


class Style(Value, frozen=True):
    """How often people do what, as shares of the occasions on which they could."""

    oversized: float = 0.2  # one chip that is too large
    generous: float = 0.08  # several chips, more than needed, with the word said
    talk: float = 0.12  # words though the chips would speak for themselves
    speak_fold: float = 0.05
    pull_back: float = 0.04  # own chips of the round taken back and others pushed instead
    splash: float = 0.01
    riffle: float = 0.05
    oversized_post: float = 0.04
    change_at_once: float = 0.35  # change for one large chip out of somebody else's bet, where that fits
    own_change: float = 0.6  # too many chips in front: take them back at once
    silent_check: float = 0.35  # left to be inferred
    knock: float = 0.4  # of the checks that are not silent: a button, not the dealer's key
    spot_chips: int = 14  # most chips pushed in front; a longer all-in is announced


class Faced(Value, frozen=True):
    """What a player sees on the felt before he acts."""

    decision: Decision
    tray: Counts
    front: Counts
    in_pot: int  # part of his bet that already lies in the pot

    @property
    def need(self) -> int:
        """Value still to put in front."""
        return self.decision.total - self.in_pot - worth(self.front)

    @property
    def plain(self) -> bool:
        """Whether exactly his bet lies in front of him: no change outstanding, nothing missing."""
        return worth(self.front) + self.in_pot == self.decision.bet

    @property
    def without_front(self) -> "Faced":
        """The same, once he has taken back what lay in front of him."""
        return replace(self, front={}, decision=replace(self.decision, bet=0))


class Player:
    """One person's hands and habits."""

    def __init__(self, felt: Felt, dice: Dice, style: Style) -> None:
        self.felt = felt
        self.dice = dice
        self.style = style
        self.may_stay_silent = False  # somebody acts, or a card comes, right after him

    def act(self, decision: Decision, cards: Names, in_pot: int, changeable: Changeable) -> list[Cue]:
        """The cues for one decision; none for a check that is left to be inferred."""
        seat = decision.seat
        faced = Faced(decision, self.felt.chips(tray(seat)), self.felt.chips(spot(seat)), in_pot)
        think = self.dice.pause(700, 6000)
        match decision.kind:
            case "fold":
                acts = self._fold(decision, cards)
            case "check":
                acts = self._check(faced)
            case "call" | "bet" | "raise":
                acts = self._put_in(faced, changeable)
        if acts and self.dice.happens(self.style.riffle):
            acts = [*self._riffle(faced), *acts]
        return [Cue(think if not at else self.dice.pause(350, 1200), act) for at, act in enumerate(acts)]

    def _fold(self, decision: Decision, cards: Names) -> list[Act]:
        muck = Muck(decision.seat, cards)
        if self.dice.happens(self.style.speak_fold):
            return [Say(decision.seat, Word("fold")), muck]
        return [muck]

    def _check(self, faced: Faced) -> list[Act]:
        if self.may_stay_silent and self.dice.happens(self.style.silent_check):
            return []
        return [Say(faced.decision.seat, Word("check"), "seat" if self.dice.happens(self.style.knock) else "dealer")]

    def _riffle(self, faced: Faced) -> list[Act]:
        some = [chip for chip, count in faced.tray.items() if count >= 4]
        if not some:
            return []
        return [Riffle(faced.decision.seat, self.felt.pick(tray(faced.decision.seat), {some[0]: 3}))]

    # ------------------------------------------------------------------ chips in front
    def _put_in(self, faced: Faced, changeable: Changeable) -> list[Act]:
        decision = faced.decision
        if decision.all_in:
            return self._all_in(faced)
        if faced.need <= 0:
            return [Say(decision.seat, self._word(faced, {}))]
        if self._may_pull_back(faced):
            return self._instead(faced)
        exact = compose(faced.need, faced.tray)
        chips = self._choose(faced, exact, changeable)
        if chips == exact and speaks_for_itself(faced, chips) and self.dice.happens(self.style.splash):
            return [Splash(decision.seat, self.felt.pick(tray(decision.seat), chips))]
        return self._push(faced, chips)

    def _choose(self, faced: Faced, exact: Counts | None, changeable: Changeable) -> Counts:
        larger = [{chip: 1} for chip in sorted(faced.tray) if chip > faced.need]
        single = next((chips for chips in larger if changeable(chips)), None)
        room = self.style.spot_chips - sum(faced.front.values())
        if exact is None or sum(exact.values()) > room:
            return single or few(faced.need, faced.tray, room) or exact or faced.tray
        if single is not None and self.dice.happens(self.style.oversized):
            return single
        if self.dice.happens(self.style.generous):
            return self._generous(faced, exact)
        return exact

    def _generous(self, faced: Faced, exact: Counts) -> Counts:
        """A few chips more than needed, of a denomination that he pushes anyway: he takes them back."""
        spare = [chip for chip, count in exact.items() if faced.tray[chip] > count]
        if not spare:
            return exact
        chip = self.dice.choice(spare)
        more = min(faced.tray[chip] - exact[chip], self.dice.randint(1, 2))
        return {**exact, chip: exact[chip] + more}

    def _push(self, faced: Faced, chips: Counts) -> list[Act]:
        seat = faced.decision.seat
        push = PushChips(seat, self.felt.pick(tray(seat), chips))
        quiet = speaks_for_itself(faced, chips) and not self.dice.happens(self.style.talk)
        acts: list[Act] = [push] if quiet else [Say(seat, self._word(faced, chips)), push]
        over = worth(chips) - faced.need
        back = compose(over, chips) if over else None
        if back and self.dice.happens(self.style.own_change):
            acts.append(TakeChange(seat, self.felt.among(reversed(push.chips), back)))
        return acts

    def _may_pull_back(self, faced: Faced) -> bool:
        """Only where the new chips alone say what he means: a word before it would already be the action."""
        whole = compose(faced.decision.total, faced.tray)
        return (
            bool(faced.front)
            and not faced.in_pot
            and faced.plain
            and whole is not None
            and speaks_for_itself(faced.without_front, whole)
            and self.dice.happens(self.style.pull_back)
        )

    def _instead(self, faced: Faced) -> list[Act]:
        seat = faced.decision.seat
        whole = compose(faced.decision.total, faced.tray) or faced.tray
        return [
            PullBack(seat, self.felt.pick(spot(seat), faced.front)),
            PushChips(seat, self.felt.pick(tray(seat), whole)),
        ]

    def _all_in(self, faced: Faced) -> list[Act]:
        seat, everything = faced.decision.seat, faced.tray
        room = self.style.spot_chips - sum(faced.front.values())
        if sum(everything.values()) <= room and speaks_for_itself(faced, everything):
            return [PushChips(seat, self.felt.pick(tray(seat), everything))]
        shown = largest(everything, room)
        acts: list[Act] = [Say(seat, Word("all_in"))]
        if shown:
            acts.append(PushChips(seat, self.felt.pick(tray(seat), shown)))
        return acts

    # ------------------------------------------------------------------ words
    def _word(self, faced: Faced, chips: Counts) -> Word:
        decision = faced.decision
        match decision.kind:
            case "call":
                return Word("call")
            case "bet":
                return Word("bet", decision.total)
            case _:
                return self._raise_word(faced, chips)

    def _raise_word(self, faced: Faced, chips: Counts) -> Word:
        decision = faced.decision
        chance = self.dice.random()
        alone = not faced.front and not faced.in_pot and sum(chips.values()) > 1
        if chance < 0.15 and alone and worth(chips) == faced.need:
            return Word("raise")
        if chance < 0.3:
            return Word("raise_by", decision.total - decision.faced)
        return Word("raise_to", decision.total)


def few(need: int, chips: Counts, room: int) -> Counts | None:
    """Enough chips for an amount, in so few that they fit: the smallest denominations are left out one by one."""
    ways = []
    for floor in sorted(chips):
        taken = cover(need, {chip: count for chip, count in chips.items() if chip >= floor})
        if taken and sum(taken.values()) <= room:
            return taken
        ways += [taken] if taken else []
    return min(ways, key=lambda way: sum(way.values()), default=None)


def speaks_for_itself(faced: Faced, chips: Counts) -> bool:
    """The player's own caution: whether nobody could take these chips, pushed in silence, for anything else.

    Change still lying in front always asks for a word. A call: the exact amount, or one chip that is too large. A first
    bet: the exact amount. A raise: several chips, at least as much as the last raise, and more than a call even without
    the smallest of them; never from the blind's own option.
    """
    decision, value = faced.decision, worth(chips)
    exact = value == faced.need
    if not faced.plain or faced.in_pot:
        return False
    if decision.kind == "call":
        return exact or (sum(chips.values()) == 1 and value > faced.need)
    if decision.kind == "bet":
        return exact and decision.total >= decision.last_raise
    return (
        exact
        and sum(chips.values()) > 1
        and decision.bet < decision.faced
        and decision.total - decision.faced >= decision.last_raise
        and decision.total - min(chips) > decision.faced
    )
