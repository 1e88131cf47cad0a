"""What follows from an action: the next turn, the end of a round, sweeping, streets."""

from msgspec.structs import replace

from controller.engine import endings
from controller.engine.draft import Draft
from controller.engine.situations import settled
from controller.engine.up_cards import see_opener
from controller.hand.betting import (
    alive,
    between,
    can_bet_on,
    first_to_act,
    must_act,
    next_to_act,
    opener_of_next,
    owes,
)
from controller.hand.openers import BY_CARD
from controller.hand.posts import posted
from controller.hand.pots import pots_of, uncalled_of
from controller.hand.raises import smallest_bet
from controller.hand.rounds import with_round
from controller.rulings.forced_bets import Faced, after_bring_in, after_straddle
from controller.rulings.values import Reading, Ruling
from controller.table.events import (
    BetsSwept,
    BettingClosed,
    DealingEnded,
    PushReleased,
    Ruled,
    StreetOpened,
    TurnPassed,
    UncalledReturned,
)
from controller.table.phases import BEFORE_ACTION, BETTING, SHOWDOWN, STREET_CARD, STREET_CARDS, SWEEPING
from controller.table.state import Hand, InHand

INFERRED_CHECK = Ruling(None, "inferred_check", {})


# ---------------------------------------------------------------- whose turn
def turn(draft: Draft) -> int | None:
    """The seat to act, also where the first action would open the betting."""
    hand = draft.state.hand
    if hand is None:
        return None
    if hand.phase is BETTING:
        return hand.to_act
    return first_to_act(hand) if hand.phase in BEFORE_ACTION else None


def passed_over(draft: Draft, seat: int) -> list[InHand] | None:
    """Players whose checks an action of `seat` would imply; None: it would be out of turn."""
    hand, to_act = draft.state.hand, turn(draft)
    if hand is None or to_act is None or draft.state.table.paused:
        return None
    question = hand.question
    if question is not None:
        return [] if question.seat == seat else None
    if seat == to_act:
        return []
    player = draft.player(seat)
    if draft.setting.house.check != "infer" or player is None or not must_act(hand, player):
        return None
    before = between(hand, to_act, seat)
    return before if all(not owes(hand, other) for other in before) else None


def in_turn(draft: Draft, seat: int) -> bool:
    return passed_over(draft, seat) is not None


def reach(draft: Draft, seat: int) -> None:
    """Opens the betting if need be, and books the checks that an action of `seat` implies."""
    before = passed_over(draft, seat) or []
    open_betting(draft)
    for player in before:
        infer_check(draft, player.seat)


def infer_check(draft: Draft, seat: int) -> None:
    player = draft.player(seat)
    assert player is not None
    reading = Reading("check", player.bet, 0, 0, reopens=False, all_in=False, rule="inferred")
    ruling = replace(INFERRED_CHECK, chosen=reading)
    inferred = Ruled(seat, settled(draft, player, reading), ruling, (), inferred=True, by="inferred")
    draft.emit(with_round(draft.hand, inferred))
    advance(draft, seat)


def open_betting(draft: Draft) -> None:
    """Posts that nobody saw are booked all the same; what is missing shows in the balance."""
    if draft.phase not in BEFORE_ACTION or not see_opener(draft, 0):
        return
    for due in draft.hand.posts_due:
        book_post(draft, due.seat)
    to_act = first_to_act(draft.hand)
    draft.emit(DealingEnded(to_act, _bring_in(draft.hand)))
    if to_act is None:
        close_round(draft)


def _bring_in(hand: Hand) -> Faced | None:
    if hand.row.opens not in BY_CARD:
        return None
    return after_bring_in(hand.posted_small, hand.posted_big, fixed_limit=hand.limits.type == "FL")


def book_post(draft: Draft, seat: int) -> None:
    for due in draft.hand.posts_due:
        player = draft.player(seat)
        if due.seat == seat and player is not None:
            faced = None
            if due.kind == "straddle":
                faced = after_straddle(draft.setting.rules.profile, draft.hand.posted_big, due.amount)
            draft.emit(posted(draft.hand, draft.state.table, player, due.kind, due.amount, faced=faced))


# ---------------------------------------------------------------- after an action
def advance(draft: Draft, seat: int) -> None:
    """The turn after an action of `seat`."""
    hand = draft.hand
    if sum([not player.folded for player in hand.players]) == 1:
        close_round(draft)
        return
    if hand.to_act is not None and hand.to_act != seat:
        waiting = draft.player(hand.to_act)
        if waiting is not None and must_act(hand, waiting):
            return
        seat = hand.to_act
    following = next_to_act(hand, seat)
    if following is None:
        close_round(draft)
    else:
        draft.emit(TurnPassed(following))


def close_round(draft: Draft) -> None:
    for push in draft.hand.held:
        if not push.early:
            draft.emit(PushReleased(push.seat, "round_closed"))
    draft.emit(BettingClosed(draft.hand.row.name))
    return_uncalled(draft)
    hand = draft.hand
    if len(alive(hand)) == 1:
        sweep(draft)
        endings.uncontested(draft)
        return
    if not can_bet_on(hand) and any(player.all_in for player in hand.players):
        endings.table_all(draft)
    if hand.row.is_last:
        sweep(draft)
        endings.showdown(draft)
    else:
        sweep_if_empty(draft)


def return_uncalled(draft: Draft) -> None:
    uncalled = uncalled_of(draft.hand)
    if uncalled is not None:
        player = draft.player(uncalled.seat)
        assert player is not None
        draft.emit(UncalledReturned(uncalled.seat, uncalled.amount, bet=min(player.bet, uncalled.amount)))


def sweep(draft: Draft) -> None:
    """The bets are in the pots, wherever the chips still lie."""
    if draft.phase is SWEEPING:
        draft.emit(BetsSwept(pots_of(draft.hand), phase=SHOWDOWN if draft.hand.row.is_last else STREET_CARD))


def sweep_if_empty(draft: Draft) -> None:
    """Spots empty but for chips that wait: the sweep is done."""
    if not bets_lying(draft):
        sweep(draft)


def bets_lying(draft: Draft) -> bool:
    """Whether bets of this round or an earlier one still lie before players."""
    spots = draft.state.spots
    for player in draft.hand.players:
        spot = spots[player.seat - 1]
        if spot and any(chip in player.counted or chip in player.stale for chip in spot):
            return True
    return False


# ---------------------------------------------------------------- streets
def open_street(draft: Draft, board: tuple[str, ...], *, common: bool = False) -> None:
    """The next street; with nobody left to bet it is one of a run-out. `common`: one card is dealt for all players."""
    sweep(draft)
    hand = draft.hand
    to_act = None
    if can_bet_on(hand):
        first = opener_of_next(hand)
        assert first is not None
        to_act = first.seat
    row = hand.street + 1
    street = hand.game.streets[row]
    run_out = SHOWDOWN if street.is_last else STREET_CARD
    draft.emit(
        StreetOpened(
            street.name,
            board,
            to_act,
            smallest_bet(hand, row),
            row,
            board_count=street.board_so_far + common,
            players=len(alive(hand)),
            phase=run_out if to_act is None else BETTING,
        )
    )
    if draft.phase is SHOWDOWN:
        endings.showdown(draft)


def close_by_street(draft: Draft) -> bool:
    """The next board card, or the sweep, implies the checks of all who owe nothing; False: somebody owes."""
    if not may_close(draft):
        return False
    while draft.phase is BETTING and draft.hand.to_act is not None:
        infer_check(draft, draft.hand.to_act)
    return draft.phase in STREET_CARDS


def may_close(draft: Draft) -> bool:
    """Whether the round is over, or would be by checks that the house infers."""
    hand = draft.hand
    if hand.phase is not BETTING:
        return hand.phase in STREET_CARDS
    if hand.question is not None or draft.setting.house.check != "infer" or draft.state.table.paused:
        return False
    return not any(must_act(hand, player) and owes(hand, player) for player in hand.players)
