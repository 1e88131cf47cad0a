"""What a player faces and what he pushed, laid out for the rules. Works on the state after his chips have moved."""

from msgspec.structs import replace

from controller.engine.draft import Draft, Setting
from controller.errors import CaseError
from controller.hand.openers import BY_CARD
from controller.hand.raises import (
    blinds_short,
    full_level,
    heads_up_before_cap,
    heads_up_in_event,
    small_blind_waiting,
    structure_of,
)
from controller.rulings import limits
from controller.rulings.values import Facing, Push, Reading, Ruling, Situation, Word
from controller.table.balance import account, given, worth
from controller.table.state import Hand, InHand, State

MOST = 10**12  # more than any table holds; keeps absurd numbers out


def situation_of(setting: Setting, state: State, hand: Hand, player: InHand, pushed: int) -> Situation:
    """The situation before the push of chips worth `pushed`, which lie there already (0: none)."""
    spot = state.spots[player.seat - 1]
    prior = [chip for chip in spot if chip in player.counted] if player.counted else []
    values = setting.values
    chips = [values.get(chip, 0) for chip in (*prior, *player.pulled)]
    lying = sum(chips)
    earlier = player.committed - player.bet
    this_round = given(state, player) - pushed + (worth(player.pulled, values) if player.pulled else 0) - earlier
    if lying > this_round:
        chips = _less_dead(chips, lying - this_round)
        lying = sum(chips)
    swept = min(max(0, this_round - lying), player.bet)
    street = hand.row
    blinds = street.opens == "behind_blinds"
    situation = Situation(
        current_bet=hand.current_bet,
        player_bet=player.bet,
        last_full_raise=hand.last_full_raise,
        min_bet=hand.min_bet,
        player_stack=max(player.start_stack - earlier - lying - swept, 0),
        prior_chips=tuple(chips),
        prior_in_pot=swept,
        can_raise=not player.barred,
        players_in_hand=sum([not other.folded for other in hand.players]),
        facing=_facing(hand, player, blinds=blinds),
        bet_when_last_acted=player.last_acted,
        last_street=street.is_last,
        pot_before_round=sum([other.committed - other.bet for other in hand.players]),
        round_bets_total=sum([other.bet for other in hand.players]),
        opening_bet_amount=hand.min_bet if blinds and hand.raises < 2 else hand.opening_bet,
        full_raise_since_acted=None if player.last_acted is None else hand.full_raises > player.full_raises,
    )
    if hand.limits.type != "NL":
        situation = _by_structure(state, hand, player, situation)
    return situation


def _by_structure(state: State, hand: Hand, player: InHand, situation: Situation) -> Situation:
    """What limit games and those by the pot look at besides."""
    short = blinds_short(hand)
    return replace(
        situation,
        structure=structure_of(state, hand),
        fl_full_level=full_level(state, hand),
        event_heads_up=heads_up_in_event(state, hand),
        heads_up_before_cap=heads_up_before_cap(state, hand),
        heads_up_at_round_start=hand.players_at_start == 2,
        round_bets_total=situation.round_bets_total + short,
        actual_round_bets=situation.round_bets_total if short else None,
        small_blind=small_blind_waiting(state, hand, player),
    )


def by_ledger(setting: Setting, state: State, hand: Hand, player: InHand) -> Situation:
    """The situation by the ledger alone, wherever his chips lie: for what he may do, not for what he pushed.

    Where nobody could put in more, a raise is nothing that he may do: all of it would come back.
    """
    situation = situation_of(setting, state, hand, player, 0)
    answered = any(
        not other.folded and other is not player and other.bet + other.stack > hand.current_bet
        for other in hand.players
    )
    return replace(
        situation,
        prior_chips=(),
        prior_in_pot=player.bet,
        player_stack=player.stack,
        can_raise=situation.can_raise and answered,
    )


def _less_dead(chips: list[int], dead: int) -> list[int]:
    """Bet chips without those of an ante that still lies among them, where whole chips make it up."""
    taken = exact(sorted(chips, reverse=True), dead)
    left = list(chips)
    for chip in taken:
        left.remove(chip)
    return left


def exact(chips: list[int], amount: int) -> list[int]:
    """Chips that are worth exactly the amount, taken largest first; () where whole chips do not make it."""
    taken = []
    for chip in chips:
        if chip <= amount:
            taken.append(chip)
            amount -= chip
    return taken if amount == 0 else []


def _facing(hand: Hand, player: InHand, *, blinds: bool) -> Facing:
    if not hand.current_bet:
        return "none"
    if hand.row.opens in BY_CARD and not hand.raises:
        return "blind"  # the bring-in: a forced bet like a blind
    if blinds:
        if hand.raises:
            return "raise"
        return "blind" if player.bet < hand.current_bet else "own_blind_option"
    return "opening_bet" if hand.raises < 2 else "raise"


def judge(
    draft: Draft, player: InHand, motions: tuple[tuple[str, ...], ...], word: Word | None, unseen: int = 0
) -> Ruling:
    """What the rules say of these chips and this word; the floor where the rules cannot be applied.

    `unseen` is the value of one more chip in the first motion, which lies there perhaps and was not read.
    """
    setting = draft.setting
    values = setting.values
    pushed = tuple([tuple([values.get(chip, 0) for chip in motion]) for motion in motions])
    total = sum(map(sum, pushed))
    if unseen:
        pushed = ((*pushed[0], unseen), *pushed[1:]) if pushed else ((unseen,),)
    situation = situation_of(setting, draft.state, draft.hand, player, total)
    back = tuple(values.get(chip, 0) for chip in player.pulled) if player.pulled else ()
    if total + unseen > situation.player_stack + sum(back):
        situation = replace(situation, player_stack=total + unseen - sum(back))
    try:
        return setting.rules.judge(situation, Push(pushed, back, word))
    except CaseError:
        return Ruling(None, "cannot_judge", {"bet": situation.current_bet, "forward": total})


def everything(player: InHand) -> int:
    """His total of this round if he puts in all he has."""
    return player.bet + player.start_stack - player.committed


def settled(draft: Draft, player: InHand, reading: Reading) -> Reading:
    """The reading with what the balance says: never more than he has, change and missing chips by the account."""
    most = everything(player)
    total = min(max(reading.total_to, player.bet), most)
    due = account(draft.state, player) - (total - player.bet)
    change, add = max(due, 0), max(-due, 0)
    all_in = total == most and reading.action not in ("fold", "check")
    if total < reading.total_to:
        reading = _as_far_as_he_has(draft, player, reading, total)
    if (reading.total_to, reading.change_due, reading.must_add, reading.all_in) == (total, change, add, all_in):
        return reading
    return replace(reading, total_to=total, change_due=change, must_add=add, all_in=all_in)


def is_full(setting: Setting, state: State, hand: Hand, player: InHand, total: int) -> bool:
    """Whether a wager of this total lets players raise who have acted."""
    situation = situation_of(setting, state, hand, player, 0)
    return total > hand.current_bet and limits.is_full(setting.rules.profile, situation, total)


def _as_far_as_he_has(draft: Draft, player: InHand, reading: Reading, total: int) -> Reading:
    """More lies there than the ledger knows of: what he has decides what it is."""
    if reading.action in ("fold", "check"):
        return reading
    bet = draft.hand.current_bet
    action = "all_in_call" if total <= bet else "all_in_raise" if bet else "all_in_bet"
    full = total > bet and is_full(draft.setting, draft.state, draft.hand, player, total)
    return replace(reading, action=action, reopens=full)


def agreed(ruling: Ruling) -> Reading | None:
    """What was chosen, or else the first reading; a person agrees to it only where nothing else is shown."""
    if ruling.chosen is not None:
        return ruling.chosen
    return ruling.readings[0] if ruling.readings else None
