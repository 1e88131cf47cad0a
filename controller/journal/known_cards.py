"""Cards of a finished hand that everybody has seen: those that were tabled, and stud's up cards. Others stay "??"."""

from collections.abc import Iterable, Mapping

from controller.histories.phh import UNKNOWN, Drew, HoleDealt, RecordedAct, Shown

Acts = tuple[RecordedAct, ...]


def known_cards(acts: Acts, up: Mapping[int, tuple[str, ...]], down: int) -> Acts:
    """The acts with the cards that were tabled known from the deal on, and up cards of those who did not table.

    `down`: how many cards were dealt face down before the first that lies up.
    What a player threw away nobody has seen: it is written as the last cards that he had, the kept ones before them.
    """
    shown = {act.player: act.cards for act in acts if isinstance(act, Shown)}
    held: dict[int, list[list[str]]] = {}
    dealt: list[list[list[str]]] = []
    for act in acts:
        mine: list[list[str]] = []
        if isinstance(act, HoleDealt):
            mine = [[card] for card in act.cards]
            held.setdefault(act.player, []).extend(mine)
        elif isinstance(act, Drew) and act.cards:
            del held[act.player][-len(act.cards) :]
        dealt.append(mine)
    for player, slots in held.items():
        _fill(slots, shown.get(player, ()), up.get(player, ()), down)
    return tuple(
        HoleDealt(act.player, tuple(slot[0] for slot in mine)) if isinstance(act, HoleDealt) else act
        for act, mine in zip(acts, dealt, strict=True)
    )


def _fill(slots: list[list[str]], shown: Iterable[str], up: tuple[str, ...], down: int) -> None:
    cards = tuple(shown)
    if len(cards) == len(slots) and UNKNOWN not in cards:
        for slot, card in zip(slots, cards, strict=True):
            slot[0] = card
    else:
        for slot, card in zip(slots[down:], up, strict=False):
            slot[0] = card
