"""Every card of a recorded hand by name: those that the record does not know are made up, as the record leaves room.

What is shown at the end was held before: an unknown card that was never thrown away is one of those. In stud made-up up
cards leave the first to act whom the record has acting first.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from controller.games.game import Game
from controller.games.ranks import RANKS, SUITS
from controller.histories.phh import UNKNOWN, BoardDealt, BroughtIn, Drew, HoleDealt, RecordedAct, RecordedHand, Shown
from controller.registry.registry import DECK
from simulator.players import Dice

TRIES = 500  # at up cards that leave the record's player first
SHORT = tuple(card for card in DECK if card[0] not in "2345")


class _Slot:
    """One card that was dealt to a player; its name may be known only later."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def known(self) -> bool:
        return self.name != UNKNOWN


def named(hand: RecordedHand, game: Game, dice: Dice) -> tuple[RecordedHand, list[str]]:
    """The hand with all its cards, and the rest of the deck, shuffled."""
    slots = _slots(hand)
    deck = list(DECK if game.deck == "52" else SHORT)
    used = {slot.name for of_act in slots for slot in of_act} | set(hand.board)
    deck = [card for card in deck if card not in used]
    dice.shuffle(deck)
    open_slots = [slot for slot in dict.fromkeys(slot for of_act in slots for slot in of_act) if not slot.known]
    first = _first_to_act(hand) if game.forced == "bring_in" else None
    for _ in range(TRIES):
        for slot, card in zip(open_slots, deck, strict=False):
            slot.name = card
        if first is None or _brings_in(hand, slots, game) == first:
            break
        dice.shuffle(deck)
    return replace(hand, actions=tuple(_acts(hand, slots))), deck[len(open_slots) :]


def _acts(hand: RecordedHand, slots: list[list[_Slot]]) -> Iterator[RecordedAct]:
    for act, mine in zip(hand.actions, slots, strict=True):
        cards = tuple([slot.name for slot in mine])
        match act:
            case HoleDealt(player):
                yield HoleDealt(player, cards)
            case Drew(player):
                yield Drew(player, cards)
            case _:
                yield act


def _slots(hand: RecordedHand) -> list[list[_Slot]]:
    """For each act the cards that it deals, or that it throws away."""
    held: dict[int, list[_Slot]] = {}
    of_acts: list[list[_Slot]] = []
    for act in hand.actions:
        mine: list[_Slot] = []
        match act:
            case HoleDealt(player, cards):
                mine = [_Slot(card) for card in cards]
                held.setdefault(player, []).extend(mine)
            case Drew(player, cards):
                mine = [_thrown(held.get(player, []), card, cards) for card in cards]
            case Shown(player, cards):
                _reveal(held.get(player, []), cards)
            case _:
                pass
        of_acts.append(mine)
    return of_acts


def _thrown(held: list[_Slot], card: str, others: Sequence[str]) -> _Slot:
    """The card of a player that this one is: by name, else one that is not known, else his last."""
    slot = next((slot for slot in held if slot.name == card), None)
    slot = slot or next((slot for slot in held if not slot.known), None)
    slot = slot or next(slot for slot in reversed(held) if slot.name not in others)
    if card != UNKNOWN and not slot.known:
        slot.name = card
    held.remove(slot)
    return slot


def _reveal(held: list[_Slot], cards: Sequence[str]) -> None:
    names = [card for card in cards if card != UNKNOWN and all(slot.name != card for slot in held)]
    for slot, name in zip([slot for slot in held if not slot.known], names, strict=False):
        slot.name = name


# ---------------------------------------------------------------- stud: who brings it in
def _first_to_act(hand: RecordedHand) -> int | None:
    for act in hand.actions:
        if not isinstance(act, HoleDealt | BoardDealt):
            return act.player if isinstance(act, BroughtIn) else getattr(act, "player", None)
    return None


def _brings_in(hand: RecordedHand, slots: list[list[_Slot]], game: Game) -> int | None:
    """The player of the lowest card that lies up, in razz of the highest."""
    up: dict[int, str] = {}
    for act, mine in zip(hand.actions, slots, strict=True):
        if not isinstance(act, HoleDealt):
            break
        up[act.player] = mine[-1].name
    low = game.streets[0].opens == "low_card"
    ranks = RANKS if low else "A" + RANKS[:-1]
    order = sorted(up, key=lambda player: (ranks.index(up[player][0]), SUITS.index(up[player][1])))
    return None if not order else order[0] if low else order[-1]
