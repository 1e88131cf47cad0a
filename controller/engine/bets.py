"""All bets of a round set in one act, by the dealer or the floor: for repair, where the table fell behind the game.

The round begins again (`RoundRestarted`), and is played on paper up to these totals: from the smallest up, so that each
is a bet, a raise over the one before it, or a call; whoever folds does so at last. Who bet more than once is named as
often, where a raise would be too small without the first of them. Seats that are not named stay as
they stood. Chips on their spots are then judged against the bets: what is due or missing shows as always.
"""

from msgspec.structs import replace

from controller.commands import BetOf, By, SetBets
from controller.engine.draft import Draft, refused
from controller.engine.earlier import OPEN_TO_CORRECTION
from controller.engine.progress import close_round, open_betting, sweep_if_empty
from controller.engine.situations import by_ledger, everything, is_full, settled
from controller.hand.betting import alive, first_to_act, must_act, next_to_act
from controller.hand.raises import of_this_round
from controller.hand.rounds import with_round
from controller.rulings.values import Action, Reading, Ruling
from controller.table.balance import unjudged
from controller.table.events import Refused, RoundRestarted, Ruled, TurnPassed
from controller.table.phases import BEFORE_ACTION, SHOWDOWN, SWEEPING
from controller.table.state import InHand


def set_bets(draft: Draft, command: SetBets, by: By) -> None:
    """All of it or nothing: the first total that is not legal refuses them all, by its seat and the cure."""
    fault = _cannot(draft, command, by)
    if fault is not None:
        draft.emit(fault)
        return
    totals = _totals(draft, command.bets)
    for all_in_last in (False, True):  # an all-in below a bet may have come before or behind it
        ahead = Draft(draft.setting, draft.state)
        fault = _play(ahead, totals, by, all_in_last=all_in_last)
        if fault is None:
            for event in ahead.events:
                draft.emit(event)
            return
    assert fault is not None
    draft.emit(fault)


def _cannot(draft: Draft, command: SetBets, by: By) -> Refused | None:
    if not draft.running:
        return refused("no_hand")
    if by == "seat":
        return refused("dealers_only")
    shown = draft.phase is SHOWDOWN and (draft.hand.awards or any(player.tabled for player in draft.hand.players))
    if draft.phase not in (*OPEN_TO_CORRECTION, *BEFORE_ACTION) or shown:
        return refused("next_card")
    if not command.bets:
        return refused("bad_amount")
    for bet in command.bets:
        if draft.player(bet.seat) is None:
            return refused("not_in_hand", bet.seat)
    return None


def _totals(draft: Draft, bets: tuple[BetOf, ...]) -> list[BetOf]:
    """What each seat has done in this round: as named, else as it stood, if it has acted."""
    named = {bet.seat for bet in bets}
    stood = [one for one in draft.hand.players if one.last_acted is not None and one.seat not in named]
    as_it_stood = [BetOf(player.seat, player.bet, folds=player.folded) for player in stood]
    return as_it_stood + [_with_total(draft, bet, bets) for bet in bets]


def _with_total(draft: Draft, bet: BetOf, bets: tuple[BetOf, ...]) -> BetOf:
    """With its amount: all that the player has, or what he had in when he folded."""
    player = draft.player(bet.seat)
    assert player is not None
    if bet.folds:
        own = [one.total for one in bets if one.seat == bet.seat and one.total is not None]
        return replace(bet, total=max(own, default=player.bet))
    return replace(bet, total=everything(player)) if bet.total is None else bet


def _play(draft: Draft, totals: list[BetOf], by: By, *, all_in_last: bool) -> Refused | None:
    open_betting(draft)
    rulings = of_this_round(draft.state, draft.hand)
    draft.emit(RoundRestarted(rulings[0].seq if rulings else None, by))
    for bet in _in_order(draft, totals, all_in_last=all_in_last):
        fault = _bet(draft, bet)
        if fault is not None:
            return fault
    for bet in totals:
        player = draft.player(bet.seat)
        if bet.folds and player is not None and not player.folded:
            _rule(draft, player, "fold", player.bet)
    _pass_turn(draft)
    return None


def _in_order(draft: Draft, totals: list[BetOf], *, all_in_last: bool) -> list[BetOf]:
    """The smallest total first; of equal ones the seat that comes first in this round."""
    places = {player.seat: place for place, player in enumerate(_round_order(draft))}

    def key(bet: BetOf) -> tuple[bool, int, int]:
        player = draft.player(bet.seat)
        all_in = player is not None and bet.total == everything(player)
        return all_in_last and all_in, bet.total or 0, places[bet.seat]

    return sorted(totals, key=key)


def _round_order(draft: Draft) -> tuple[InHand, ...]:
    players, first = draft.hand.players, first_to_act(draft.hand)
    start = next((place for place, player in enumerate(players) if player.seat == first), 0)
    return (*players[start:], *players[:start])


def _bet(draft: Draft, bet: BetOf) -> Refused | None:
    """One seat's total; None where it is legal, and ruled."""
    player = draft.player(bet.seat)
    assert player is not None
    total, most, facing = bet.total or 0, everything(player), draft.hand.current_bet
    if player.folded or (bet.folds and total == player.bet):
        return None
    if total > most:
        return refused("bet_over_stack", bet.seat, total=total, most=most)
    if total < max(player.bet, facing) and total < most:
        return refused("bet_too_small", bet.seat, total=total, least=max(player.bet, facing))
    if total > facing and (fault := _cannot_wager(draft, player, total)) is not None:
        return fault
    if player.stack or total > player.bet:
        _rule(draft, player, _action(player, total, facing), total)
    return None


def _cannot_wager(draft: Draft, player: InHand, total: int) -> Refused | None:
    """Why a bet or raise to this total is not legal; all-in always is, where no limit is below it."""
    situation = by_ledger(draft.setting, draft.state, draft.hand, player)
    situation = replace(situation, can_raise=True)
    options = draft.setting.rules.options(situation)
    least, most = options.min_raise_to, options.max_raise_to
    if most is not None and total > most:
        return refused("bet_too_large", player.seat, total=total, most=most)
    if least is None and total < everything(player):
        return refused("bet_too_large", player.seat, total=total, most=draft.hand.current_bet)
    if least is not None and total < least:
        return refused("bet_too_small", player.seat, total=total, least=least)
    return None


def _action(player: InHand, total: int, facing: int) -> Action:
    all_in = total == everything(player)
    if total > facing:
        if all_in:
            return "all_in_raise" if facing else "all_in_bet"
        return "raise" if facing else "bet"
    if total == player.bet:
        return "check"
    return "all_in_call" if all_in else "call"


def _rule(draft: Draft, player: InHand, action: Action, total: int) -> None:
    full = is_full(draft.setting, draft.state, draft.hand, player, total)
    forfeit = total if action == "fold" and total else None
    reading = Reading(action, total, 0, 0, reopens=full, all_in=False, rule="floor", forfeit=forfeit)
    chips = unjudged(draft.state, player) if action != "fold" else ()
    reading = settled(draft, player, reading)
    ruling = Ruling(reading, "bets_set", {"total": total})
    ruled = with_round(draft.hand, Ruled(player.seat, reading, ruling, chips, by="bets"))
    draft.emit(replace(ruled, out_of_turn=False))


def _pass_turn(draft: Draft) -> None:
    """To who has not acted yet, in the order of the round; else to the next behind the highest bet."""
    hand = draft.hand
    new = [p for p in _round_order(draft) if p.last_acted is None and must_act(hand, p)]
    highest = max(alive(hand), key=lambda player: player.bet)
    following = new[0].seat if new else next_to_act(hand, highest.seat)
    if following is None or len(alive(hand)) == 1:
        close_round(draft)
        if draft.phase is SWEEPING:
            sweep_if_empty(draft)
    elif following != hand.to_act:
        draft.emit(TurnPassed(following))
