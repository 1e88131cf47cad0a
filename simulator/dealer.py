"""The dealer's hands: change, sweeping, paying. Every way of giving change keeps what each seat owns.

Change at the end of a round comes from the seat's own chips in front where they allow it, else from the pot after the
sweep, and only as a last resort with the help of the dealer's float (`BANK`), which breaks a chip of the pot.
"""

from collections.abc import Callable, Iterable, Mapping

from controller.places import BANK, POT, Place
from simulator.acts import Act, MakeChange, Names, Pay, Sweep, TakeChange, carry, spot, tray
from simulator.chips import Counts, compose, cover, minus, plus
from simulator.felt import Felt

Do = Callable[[Act], None]  # makes an act on the felt, and notes it


class Dealer:
    def __init__(self, felt: Felt, do: Do) -> None:
        self.felt = felt
        self.do = do

    def could_change(self, dues: Iterable[int], seats: Iterable[int], coming: Counts) -> bool:
        """Whether all these amounts could be given from the chips in front, in the pot, and those now coming."""
        pool = plus(self.felt.chips(POT), coming)
        for seat in seats:
            pool = plus(pool, self.felt.chips(spot(seat)))
        for due in sorted(dues, reverse=True):
            given = compose(due, pool)
            if given is None:
                return False
            pool = minus(pool, given)
        return True

    def swap(self, seat: int, due: int, others: Iterable[int]) -> bool:
        """Change at once: the seat's large chip against smaller ones in front of another, equal value both ways."""
        for chip in sorted(self.felt.chips(spot(seat)), reverse=True):
            for other in others:
                there = self.felt.chips(spot(other))
                back = compose(due, there)
                stays = compose(chip - due, minus(there, back)) if back and chip > due else None
                if back and stays:
                    self._swap(seat, other, chip, (back, stays))
                    return True
        return False

    def _swap(self, seat: int, other: int, chip: int, parts: tuple[Counts, Counts]) -> None:
        back, stays = self._pick_both(spot(other), parts)
        large = self.felt.pick(spot(seat), {chip: 1})
        moves = carry(large, spot(seat), spot(other)) + carry(back, spot(other), tray(seat))
        self.do(MakeChange(moves + carry(stays, spot(other), spot(seat))))

    def _pick_both(self, place: Place, parts: tuple[Counts, Counts]) -> tuple[Names, Names]:
        names = self.felt.pick(place, plus(*parts))
        first = self.felt.among(names, parts[0])
        return first, tuple(name for name in names if name not in first)

    def own_change(self, seat: int, due: int) -> bool:
        """The seat takes back chips that lie in front of it, where some of them make the amount."""
        back = compose(due, self.felt.chips(spot(seat)))
        if back:
            self.do(TakeChange(seat, self.felt.pick(spot(seat), back)))
        return bool(back)

    def sweep(self, seats: Iterable[int]) -> None:
        fronts = tuple((seat, self.felt.on(spot(seat))) for seat in seats if self.felt.on(spot(seat)))
        if fronts:
            self.do(Sweep(fronts))

    def change_from_pot(self, seat: int, due: int) -> None:
        chips = self._from_pot(due)
        self.do(MakeChange(carry(chips, POT, tray(seat))))

    def pay(self, shares: Mapping[int, int]) -> None:
        """Push each winner's share of the pot; where one winner is left, the whole pot is his."""
        for left, (seat, amount) in zip(range(len(shares), 0, -1), shares.items(), strict=True):
            self.do(Pay(seat, self.felt.on(POT) if left == 1 else self._from_pot(amount)))

    def _from_pot(self, amount: int) -> Names:
        """Chips of the pot that make this amount; where none do, the float breaks a chip of the pot first."""
        chips = compose(amount, self.felt.chips(POT))
        if chips is None:
            self._break(amount)
            chips = compose(amount, self.felt.chips(POT))
        assert chips is not None, f"no {amount} in the pot and the float"
        return self.felt.pick(POT, chips)

    def _break(self, amount: int) -> None:
        """Exchange one chip of the pot for smaller ones of the float, so that `amount` can be made."""
        pot = self.felt.chips(POT)
        taken = cover(amount, pot)
        assert taken is not None, f"no {amount} in the pot"
        over = sum(chip * count for chip, count in taken.items()) - amount
        for chip in sorted(chip for chip in pot if chip > over):
            bank = self.felt.chips(BANK)
            back = compose(over, bank)
            rest = compose(chip - over, minus(bank, back)) if back else None
            if taken.get(chip) and back and rest:
                small = self.felt.pick(BANK, plus(back, rest))
                self.do(MakeChange(carry(self.felt.pick(POT, {chip: 1}), POT, BANK) + carry(small, BANK, POT)))
                return
