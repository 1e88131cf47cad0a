"""Hands of one table one after another, where the record gives each seat other chips than it had in the end.

Each hand begins with the chips where the one before left them, and with the stacks as recorded: who has less buys from
the bank, who has more gives back, and who would not fit into a tray, or could not pay out, changes his whole stack.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from controller.histories.phh import RecordedHand
from controller.places import BANK, Moved, Place
from simulator.acts import Cue, MakeChange, carry, tray
from simulator.books import Books
from simulator.chips import TRAY_CHIPS, compose, smallest_chip, stack_of
from simulator.director import script_of
from simulator.felt import Felt
from simulator.players import Dice, Style
from simulator.script import Layout, Script, amounts_of, lay_out

BANK_CHIPS = 400  # of each denomination: for ten full trays
BUY_PAUSE_MS = 2_000


class Evening:
    """The chips of one evening, and where they lie. `hands` are those that will be played, which say what is needed."""

    def __init__(self, hands: Sequence[RecordedHand]) -> None:
        self._smallest = smallest_chip(amount for hand in hands for amount in amounts_of(hand))
        richest = max(hands, key=lambda hand: max(hand.starting_stacks))
        self.seats = max(max(Books(hand).seats) for hand in hands)
        self._used: dict[str, int] = {}  # by item: the last hand that it was out of the bank for
        self._hands = 0
        self._layout = self._emptied(lay_out(richest, Books(richest), Dice(0), self._smallest, BANK_CHIPS))

    @staticmethod
    def _emptied(layout: Layout) -> Layout:
        return Layout(layout.values, dict.fromkeys(layout.lies, BANK))

    def script(self, hand: RecordedHand, dice: Dice, style: Style) -> Script:
        """The next hand, with what is bought and given back before it."""
        felt = Felt(self._layout.values, self._by_use())
        before = []
        for moves in self._bought(felt, Books(hand).start):
            felt.move(moves)
            before.append(Cue(BUY_PAUSE_MS, MakeChange(moves)))
        script = script_of(hand, dice, style, Layout(self._layout.values, dict(felt.at)))
        self._layout = Layout(script.layout.values, script.end)
        return replace(script, buys=tuple(before), setting=replace(script.setting, seats=self.seats))

    def _by_use(self) -> dict[str, Place]:
        """Where everything lies; the bank gives out first what has lain there longest."""
        lies = self._layout.lies
        self._hands += 1
        self._used |= dict.fromkeys((item for item, place in lies.items() if place != BANK), self._hands)
        return dict(sorted(lies.items(), key=lambda one: self._used.get(one[0], 0)))

    def _bought(self, felt: Felt, stacks: dict[int, int]) -> Iterator[tuple[Moved, ...]]:
        """First what is given back, then what is bought of it."""
        for seat in range(1, self.seats + 1):
            back = self._given_back(felt, seat, stacks.get(seat, 0))
            if back:
                yield carry(back, tray(seat), BANK)
        for seat, stack in stacks.items():
            due = stack - felt.worth(tray(seat))
            if due:
                fresh = due == stack
                counts = stack_of(stack, self._smallest) if fresh else compose(due, felt.chips(BANK))
                yield carry(felt.pick(BANK, counts or {}), BANK, tray(seat))

    def _given_back(self, felt: Felt, seat: int, stack: int) -> tuple[str, ...]:
        over, there = felt.worth(tray(seat)) - stack, felt.chips(tray(seat))
        if sum(there.values()) <= TRAY_CHIPS:
            if over <= 0:
                return ()
            back = compose(over, there)
            if back is not None:
                return felt.pick(tray(seat), back)
        return felt.on(tray(seat))
