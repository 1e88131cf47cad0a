"""The poorest table: bet spots and the dealer's keys. What antennas would have shown, keys say instead."""

from collections.abc import Iterator

from msgspec.structs import replace

from controller.commands import Award, NextHand, NextStreet
from controller.games.catalog import variants
from controller.hand.showdown import winning
from controller.histories.phh import BoardDealt
from controller.rulings.values import Word
from simulator import acts
from simulator.acts import Act, Cue
from simulator.players import Style
from simulator.script import Script

KEY_MS = 400  # to the next key
# Chips thrown into the pot, or changed between two seats, are seen by nobody here: polite players do neither.
STYLE = Style(splash=0.0, change_at_once=0.0, riffle=0.0)
UNSEEN = (acts.DealHole, acts.Burn, acts.Riffle, acts.Gather)


def with_keys(script: Script) -> Script:
    """The same hand for a table without trays, pot, muck, board and card antennas."""
    return replace(script, cues=(Cue(KEY_MS, acts.Key(NextHand())), *_cues(script)))


def _cues(script: Script) -> Iterator[Cue]:
    awarded = False
    said: set[int | None] = {None}  # decisions that were said
    for cue in script.cues:
        match cue.act:
            case acts.Say():
                said.add(cue.decision)
                yield cue
            case acts.Muck(seat, _):
                if cue.decision not in said:
                    yield _said(cue, acts.Say(seat, Word("fold")))
            case acts.DealBoard():
                yield _said(cue, acts.Key(NextStreet()))
            case acts.Key():
                pass  # the dealer shows no hand that the table cannot read: he names the winners
            case acts.Pay():
                if not awarded:
                    yield from (Cue(KEY_MS, acts.Key(award)) for award in _awards(script))
                awarded = True
                yield cue
            case _:
                if not isinstance(cue.act, UNSEEN):
                    yield cue


def _said(cue: Cue, act: Act) -> Cue:
    return Cue(cue.pause_ms, act, cue.decision)


def _awards(script: Script) -> Iterator[Award]:
    """Who wins each pot, as the dealer sees it on the table; nothing where one player is left."""
    folded = {decision.seat for decision in script.decisions if decision.kind == "fold"}
    alive = [seat for seat in script.setting.stacks if seat not in folded]
    if len(alive) < 2:
        return
    board = [card for act in script.hand.actions if isinstance(act, BoardDealt) for card in act.cards]
    hole: dict[int, list[str]] = {}
    for cue in script.cues:
        if isinstance(cue.act, acts.DealHole):
            hole.setdefault(cue.act.seat, []).append(cue.act.card)
    game, _ = variants()[script.hand.variant]
    for number, pot in enumerate(script.pots):
        won = winning(game, [board], {seat: hole[seat] for seat in alive if seat in pot.seats})
        yield Award(number, won[0].seats, won[1].seats if len(won) > 1 else ())
