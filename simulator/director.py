"""Turns a recorded hand into cues: goes through the record once, and lets players and dealer do what it says.

Chips are really there: an act can only move what lies where it begins, so that nothing is made and nothing is lost.
"""

from collections.abc import Iterable, Iterator

from controller.commands import Show
from controller.histories.phh import BoardDealt, Drew, HoleDealt, Mucked, RecordedHand, Shown
from controller.places import BANK, MUCK, Moved, Zone
from controller.rulings.values import Word
from simulator.acts import (
    Act,
    Burn,
    Cue,
    DealBoard,
    DealHole,
    Discard,
    Gather,
    Key,
    Muck,
    Names,
    Post,
    PushChips,
    Reshuffle,
    Say,
    Splash,
    Sweep,
    spot,
    tray,
)
from simulator.books import Books, Decision, Entry, Posted, RoundClosed
from simulator.cards import named
from simulator.chips import Counts, compose, cover, largest, minus, plus, worth
from simulator.dealer import Dealer
from simulator.felt import Felt
from simulator.players import Dice, Player, Style
from simulator.script import Layout, Script, lay_out, setting_of

CARD_ZONES = frozenset({Zone.HOLE, Zone.BOARD, Zone.MUCK})


def script_of(hand: RecordedHand, dice: Dice, style: Style, layout: Layout | None = None) -> Script:
    """The script of a hand that `books.unsupported` lets pass. Raises HistoryError where the record makes no sense.

    `layout` is where everything lies already; without it stacks, float and deck are laid out afresh.
    """
    return _Director(hand, dice, style, layout).script()


def evening(hands: Iterable[RecordedHand], dice: Dice, style: Style) -> Iterator[Script]:
    """Hands of one table one after another: each begins with the chips where the one before left them."""
    layout: Layout | None = None
    for hand in hands:
        script = script_of(hand, dice, style, layout)
        layout = Layout(script.layout.values, script.end)
        yield script


class _Director:
    def __init__(self, hand: RecordedHand, dice: Dice, style: Style, layout: Layout | None) -> None:
        self.recorded, self.dice, self.style = hand, dice, style
        self.setting = setting_of(hand, Books(hand))
        self.layout = layout or lay_out(hand, Books(hand), dice)
        self.felt = Felt(self.layout.values, self.layout.lies)
        self.player = Player(self.felt, dice, style)
        self.dealer = Dealer(self.felt, self.do)
        self.hand, self.deck = named(hand, Books(hand).game, dice)
        self.books = Books(self.hand)
        self.cards: dict[int, Names] = dict.fromkeys(self.books.seats, ())
        self.cues: list[Cue] = []
        self.decisions: list[Decision] = []
        self.splashed: dict[int, int] = {}  # seat -> value of this round's bet that already lies in the pot
        self.kept: dict[int, int] = {}  # seat -> what a winner still owes the pot that he is paid from
        self.silent = False  # the last check was left to be inferred
        self.settled: set[int] = set()  # seats that showed or mucked

    def script(self) -> Script:
        self._post()
        self._deal()
        ahead = list(Books(self.hand).entries())
        for number, entry in enumerate(self.books.entries(), 1):
            self._play(entry, ahead[number] if number < len(ahead) else None)
        self._finish()
        return Script(
            hand=self.recorded,
            setting=self.setting,
            layout=self.layout,
            cues=tuple(self.cues),
            decisions=tuple(self.decisions),
            pots=self.books.pots(),
            won=self.books.won(),
            finishing=self.books.finishing(),
            end=dict(self.felt.at),
        )

    def do(self, act: Act) -> None:
        self._cue(Cue(self.dice.pause(500, 2500), act))

    def _cue(self, cue: Cue) -> None:
        self.felt.move(cue.act.moves)
        self.cues.append(cue)

    # ------------------------------------------------------------------ before the betting
    def _post(self) -> None:
        """Antes go into the pot before the cards; blinds stay in front."""
        fronts: list[tuple[int, Names]] = []
        for post in self.books.posts:
            seat, there = post.seat, self.felt.chips(tray(post.seat))
            ante = compose(post.ante, there) or {}
            blind = self._blind(post, minus(there, ante))
            if ante:
                fronts.append((seat, self.felt.pick(tray(seat), ante)))
            self._cue(Cue(self.dice.pause(300, 1500), Post(seat, self.felt.pick(tray(seat), plus(ante, blind)))))
        if fronts:
            self.do(Sweep(tuple(fronts)))

    def _blind(self, post: Posted, there: Counts) -> Counts:
        if not post.blind:
            return {}
        single = min((chip for chip in there if chip > post.blind), default=0)
        if single and self.dice.happens(self.style.oversized_post):
            return {single: 1}
        return compose(post.blind, there) or cover(post.blind, there) or there

    def _deal(self) -> None:
        """The first street, one card at a time round the table."""
        first: dict[int, Names] = {}
        for act in self.hand.actions:
            if not isinstance(act, HoleDealt):
                break
            seat = self.books.seats[act.player - 1]
            first[seat] = (*first.get(seat, ()), *act.cards)
        for number in range(self.books.game.cards_by(0)):
            for seat in self.setting.stacks:
                if number < len(first.get(seat, ())):
                    self._deal_to(seat, first[seat][number])

    def _deal_to(self, seat: int, card: str) -> None:
        if self.felt.at.get(card, BANK) == MUCK:
            self.do(Reshuffle(tuple(name for name, place in self.felt.at.items() if place == MUCK)))
        self.cards[seat] = (*self.cards[seat], card)
        self._cue(Cue(self.dice.pause(150, 350), DealHole(seat, card)))

    # ------------------------------------------------------------------ the record, entry by entry
    def _play(self, entry: Entry, following: Entry | None) -> None:
        match entry:
            case Decision():
                self._decide(entry, following)
            case RoundClosed():
                self._close(entry)
            case BoardDealt(cards):
                if self.deck:
                    self._cue(Cue(self.dice.pause(900, 2500), Burn(self.deck.pop())))
                self._cue(Cue(self.dice.pause(400, 900), DealBoard(cards)))
            case Shown(player):
                self._show(self.books.seats[player - 1])
            case Mucked(player):
                self._muck(self.books.seats[player - 1])
            case HoleDealt(player, cards):
                self._deal_later(self.books.seats[player - 1], cards)
            case Drew(player, cards):
                self._draw(self.books.seats[player - 1], cards)

    def _deal_later(self, seat: int, cards: Names) -> None:
        """A card of a later street, or for one that was thrown away; those of the first street lie there already."""
        for card in cards:
            if card not in self.cards[seat]:
                self._deal_to(seat, card)

    def _draw(self, seat: int, cards: Names) -> None:
        self.cards[seat] = tuple(card for card in self.cards[seat] if card not in cards)
        if cards:
            self._cue(Cue(self.dice.pause(600, 2500), Discard(seat, cards)))
        else:
            self._cue(Cue(self.dice.pause(600, 2500), Say(seat, Word("pat"), "seat")))

    def _decide(self, decision: Decision, following: Entry | None) -> None:
        seat = decision.seat

        def changeable(chips: Counts) -> bool:
            due = self._owed(seat, decision.total) + worth(chips)
            dues = [*(due for other in self.books.seats if other != seat and (due := self._change_due(other)) > 0), due]
            return self.dealer.could_change(dues, self.books.seats, chips)

        swept = any(self.felt.on(spot(other)) for other in self.books.seats)
        self.player.may_stay_silent = not self.silent and self._answered(decision, following, swept=swept)
        cues = self.player.act(decision, self.cards[seat], self.splashed.get(seat, 0), changeable)
        for cue in cues:
            self._cue(Cue(cue.pause_ms, cue.act, len(self.decisions)))
            if isinstance(cue.act, Splash):
                self.splashed[seat] = self.splashed.get(seat, 0) + sum(map(self.felt.value, cue.act.chips))
        self.silent = not cues
        self.decisions.append(decision)
        due = self._owed(seat, decision.total)
        if due > 0 and self.dice.happens(self.style.change_at_once):
            self.dealer.swap(seat, due, (other for other in self.books.seats if other != seat))

    def _owed(self, seat: int, bet: int) -> int:
        """Value beyond his bet that lies in front of a seat, or in the pot of this round; below 0: missing."""
        return self.felt.worth(spot(seat)) + self.splashed.get(seat, 0) - bet

    def _change_due(self, seat: int) -> int:
        return self._owed(seat, self.books.bets[seat])

    # ------------------------------------------------------------------ the end of a round
    def _close(self, closed: RoundClosed) -> None:
        """Missing chips come in, change goes out, the rest goes into the pot."""
        alive = self.books.alive()
        winner = alive[0] if len(alive) == 1 else None  # all of the pot is his: nothing to give out or bring in
        dues = {seat: self._owed(seat, bet) for seat, bet in closed.bets.items() if seat != winner}
        for seat, due in dues.items():
            if due < 0 and not self._offset(seat, -due, closed.street):
                self._bring_in(seat, -due)
                dues[seat] = self._owed(seat, closed.bets[seat])
        dues = {seat: due for seat, due in dues.items() if due > 0 and not self.dealer.own_change(seat, due)}
        self.dealer.sweep(self.books.seats)
        if closed.uncalled is not None and closed.from_pot and closed.uncalled[0] != winner:
            dues[closed.uncalled[0]] = dues.get(closed.uncalled[0], 0) + closed.from_pot
        for seat, due in dues.items():
            self.dealer.change_from_pot(seat, due)
        self.splashed.clear()

    def _answered(self, decision: Decision, following: Entry | None, *, swept: bool) -> bool:
        """Whether somebody acts, or a card comes, right after this decision: only then a check can be inferred.

        Where bets have to be swept before the card, the dealer knows that the round is over: somebody told him.
        """
        if isinstance(following, Decision):
            return following.street == decision.street
        last = self.books.is_last(decision.street)
        draws = not last and bool(self.books.game.streets[decision.street + 1].draw)  # a whole hand may be thrown away
        return isinstance(following, RoundClosed) and not last and not draws and not swept

    def _offset(self, seat: int, missing: int, street: int) -> bool:
        """After the last street hands are up at once: a winner keeps what he still owes, and is paid so much less."""
        won = self.books.won() if self.books.is_last(street) else None
        if won is None or won.get(seat, 0) < missing:
            return False
        self.kept[seat] = missing
        return True

    def _bring_in(self, seat: int, missing: int) -> None:
        """An announced all-in is counted in, in handfuls that the spot can read."""
        left = cover(missing, self.felt.chips(tray(seat))) or {}
        while left:
            room = self.style.spot_chips - len(self.felt.on(spot(seat)))
            handful = largest(left, room)
            if handful:
                self.do(PushChips(seat, self.felt.pick(tray(seat), handful)))
                left = minus(left, handful)
            if left:
                self.splashed[seat] = self.splashed.get(seat, 0) + self.felt.worth(spot(seat))
                self.dealer.sweep((seat,))

    # ------------------------------------------------------------------ the end of the hand
    def _all_tabled(self) -> bool:
        """All-in and called: everybody's cards are face up without a word."""
        return sum(self.books.behind(seat) > 0 for seat in self.books.alive()) <= 1

    def _show(self, seat: int) -> None:
        self.settled.add(seat)
        if not self._all_tabled():
            self.do(Key(Show(seat)))

    def _muck(self, seat: int) -> None:
        self.settled.add(seat)
        if not self._all_tabled():
            self._cue(Cue(self.dice.pause(600, 2500), Muck(seat, self.cards[seat])))

    def _finish(self) -> None:
        won = self.books.won()
        alive = self.books.alive()
        if len(alive) > 1:
            for seat in (seat for seat in alive if seat not in self.settled):
                if won is None or won.get(seat):
                    self._show(seat)
                else:
                    self._muck(seat)
        if won:
            self.dealer.pay({seat: amount - self.kept.get(seat, 0) for seat, amount in won.items()})
        cards = [name for name in (*self.deck, *self.felt.at) if self.felt.at[name].zone in CARD_ZONES]
        self.do(Gather(tuple(Moved(card, self.felt.at[card], BANK) for card in cards)))
