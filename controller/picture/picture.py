"""Makes the snapshots that people see from what the core shows: one for everybody, one for the dealer. Pure.

Sentences are made here, in every language; who shows them picks one. Names of items stand in the dealer's only.
"""

from typing import Literal

from msgspec.structs import asdict, replace

from controller.core.seen import Seen
from controller.picture import behind, notices
from controller.picture.rulings import last_ruling, of_this_round, provisional, question
from controller.picture.seats import seats
from controller.registry.registry import face
from controller.rulings.structures import Limits
from controller.snapshot import DealerSnapshot, PostView, PotView, Snapshot, Text
from controller.table.draws import to_draw
from controller.table.phases import Phase
from controller.table.setup import limits_of
from controller.table.state import Hand
from firmware_bridge.events import Value


class Outside(Value, frozen=True):
    """What a snapshot tells of the world outside the core."""

    table: str
    epoch: str
    n: int
    broker: Literal["off", "connecting", "up", "down"] = "off"
    last_refusal: Text | None = None
    chip_colours: tuple[tuple[int, str], ...] = ()  # of the registry


def pictures(seen: Seen, outside: Outside) -> tuple[Snapshot, DealerSnapshot]:
    """The public snapshot and the dealer's, of the same instant."""
    common = _common(seen, outside)
    settling, settling_named = provisional(seen)
    told, told_named = notices.of(seen)
    public = replace(common, provisional=settling, notices=told)
    dealer = DealerSnapshot(
        **{**asdict(common), "provisional": settling_named, "notices": told_named},
        unseen=tuple(item for item, _ in seen.known.unaccounted),
        can_undo=bool(seen.state.past),
        can_redo=bool(seen.state.future),
        last_refusal=outside.last_refusal,
    )
    return public, dealer


def _common(seen: Seen, outside: Outside) -> Snapshot:
    """What both see; notices and what is provisional are put in afterwards."""
    table, hand = seen.state.table, seen.state.hand
    live = hand if hand is not None and hand.phase is not Phase.BETWEEN_HANDS else None
    to_call, min_raise_to, max_raise_to = _limits(seen, live)
    limits = live.limits if live else limits_of(seen.setting.stakes, table.big_blind)
    game = live.game if live else seen.setting.played
    chairs = tuple(seats(seen))
    return Snapshot(
        table=outside.table,
        epoch=outside.epoch,
        n=outside.n,
        broker=outside.broker,
        hand_number=table.hand_number,
        phase=_phase(seen),
        street=live.row.name if live else None,
        small_blind=table.small_blind,
        big_blind=table.big_blind,
        ante=table.ante,
        structure=limits.type,
        bets=_bets(limits),
        board=tuple(face(card) for card in live.board) if live else (),
        board_count=live.board_count if live else 0,
        board_cards=game.board_cards,
        hole_cards=live.hole_cards if live else game.cards_by(0),
        game=game.title,
        to_draw=to_draw(live),
        pots=_pots(live),
        pot_total=sum(p.committed - p.won for p in live.players) if live else 0,
        paying=sum(seat.to_come for seat in chairs),
        seats=chairs,
        button=live.button if live else table.button,
        posts_due=tuple(PostView(post.seat, post.kind, post.amount) for post in live.posts_due) if live else (),
        to_act=live.to_act if live else None,
        to_call=to_call,
        min_raise_to=min_raise_to,
        max_raise_to=max_raise_to,
        ruling=last_ruling(seen),
        rulings=of_this_round(seen),
        question=question(seen, live),
        behind=behind.view_of(seen.behind),
        readers=notices.readers(seen),
        chip_colours=outside.chip_colours,
        paused=table.paused,
    )


def _bets(limits: Limits) -> tuple[int, ...]:
    match limits.type:
        case "FL":
            return limits.small_bet, limits.big_bet
        case "spread":
            last = (limits.most_last,) if limits.most_last > limits.most else ()
            return limits.least, limits.most, *last
        case "NL" | "PL" | "HP":
            return ()


def _phase(seen: Seen) -> str:
    if not seen.known.counted:
        return Phase.COUNTING_IN
    return seen.state.hand.phase if seen.state.hand is not None else Phase.BETWEEN_HANDS


def _pots(hand: Hand | None) -> tuple[PotView, ...]:
    if hand is None:
        return ()
    awarded = {number for number, _ in hand.awards}
    pots = [(number, pot) for number, pot in enumerate(hand.pots) if number not in awarded]
    return tuple(PotView(pot.amount, pot.seats, number) for number, pot in pots)


def _limits(seen: Seen, hand: Hand | None) -> tuple[int | None, int | None, int | None]:
    """Chips to add for a call, and the smallest and largest raise, for the seat to act."""
    options = seen.options if hand is not None else None
    if options is None:
        return None, None, None
    if not options.can_raise:
        return options.to_call, None, None
    return options.to_call, options.min_raise_to, options.max_raise_to
