"""The start of a hand: by a key, by the first card on a hole antenna, or by a post; then posts and dealing."""

from typing import NamedTuple

from msgspec.structs import replace

from controller.engine import straddles
from controller.engine.draft import Draft
from controller.engine.endings import end
from controller.engine.progress import book_post, open_betting
from controller.hand.posts import owed_by, posts_due, rock_straddler
from controller.hand.showdown import cards_of
from controller.moves.meanings import items_moved
from controller.places import BANK, MUCK, Moved, Zone
from controller.rulings.blinds import Missed, Places, missed, still_owed
from controller.rulings.forced_bets import after_blinds, killed
from controller.rulings.structures import Limits, killed_limits
from controller.table.balance import account, front, given, worth
from controller.table.events import HandStarted, Player
from controller.table.keys import RefusalKey
from controller.table.lying import left_over
from controller.table.meanings import Meaning
from controller.table.phases import BEFORE_ACTION, Phase
from controller.table.seats import next_places, order_from, playing, sitting_out
from controller.table.setup import limits_of


def cannot_start(draft: Draft) -> RefusalKey | None:
    """Why no hand may start now; None: it may."""
    table = draft.state.table
    if table.paused:
        return "paused"
    if draft.running and draft.phase is not Phase.PAYING:
        return "hand_running"
    if table.big_blind <= 0:
        return "no_blinds"
    return None if _ready(draft) >= 2 else "too_few_players"


def _ready(draft: Draft) -> int:
    """How many play the next hand, also while the last one is still being paid."""
    seats = draft.state.table.seats
    stacks = [seat.stack for seat in seats]
    for player in draft.hand.players if draft.running else ():
        stacks[player.seat - 1] = player.stack + player.won + seats[player.seat - 1].bought
    return sum([seat.playing and stack > 0 for seat, stack in zip(seats, stacks, strict=True)])


def may_start_unasked(draft: Draft) -> bool:
    """Cards or chips start a hand: the house says so, and the table was counted in."""
    ready = draft.setting.house.hand_start == "cards" and draft.state.counted_in
    return ready and (not draft.running or draft.phase is Phase.PAYING) and cannot_start(draft) is None


def start(draft: Draft) -> None:
    """The next hand. What the last one left unpaid is named."""
    open_accounts = _open_accounts(draft)
    if draft.running:
        end(draft)
    state = draft.state
    table = state.table
    profile = draft.setting.rules.profile
    blinds = draft.setting.played.forced == "blinds"
    by_button = blinds and draft.setting.stakes.blind_by == "button"
    places = _places(draft, by_button=by_button)
    order = order_from(playing(table), places.button)
    stacks = {seat: table.seats[seat - 1].stack for seat in order}
    stakes = _stakes(draft, order, stacks.get(places.big, 0))
    posts = posts_due(profile, table, order, stacks, places, kill=stakes.kill, blinds=blinds)
    passed = _missed(draft, places) if blinds and not by_button else ()
    gather_cards(draft)
    draft.emit(
        HandStarted(
            number=table.hand_number + 1,
            button=places.button,
            players=tuple(_player(draft, seat, stacks[seat], open_accounts.get(seat, 0)) for seat in order),
            posts=posts,
            min_bet=stakes.bet,
            price=stakes.price,
            big=places.big,
            small_place=None if by_button else places.small_place,
            missed=passed,
            limits=stakes.limits,
            small_blind=table.small_blind,
            big_blind=table.big_blind,
            game=draft.setting.played,
            killed=bool(stakes.kill),
            blinds_in=sum(post.amount for post in posts if post.kind in ("small_blind", "big_blind")),
            postflop_min=stakes.kill,
            owed=still_owed(table.owed_blinds, order, passed),
        )
    )
    for seat, amount in open_accounts.items():
        draft.alarm("payout", seat, amount)
    for seat in order:
        if draft.state.spots[seat - 1]:
            try_posts(draft, seat)
    end_dealing(draft)


def _places(draft: Draft, *, by_button: bool) -> Places:
    """Button and blinds; where the button alone posts it is the big blind, and there is no small one."""
    places = next_places(draft.setting.rules.profile, draft.state.table)
    assert places is not None
    return replace(places, small=None, big=places.button) if by_button else places


class Price(NamedTuple):
    bet: int  # the smallest
    price: int  # what all face
    kill: int  # the kill blind; 0: this hand is not killed
    limits: Limits


def _stakes(draft: Draft, order: tuple[int, ...], big_blinds_stack: int) -> Price:
    """What the hand is played for: the full big blind (one house heads-up: what was posted of it), or a kill."""
    table, stakes = draft.state.table, draft.setting.stakes
    big = table.big_blind
    if draft.setting.played.forced == "bring_in":
        return Price(big, 0, 0, limits_of(stakes, big))
    limits = limits_of(stakes, big)
    if stakes.kill != "none" and table.killer in order:
        bet = killed(big, stakes.kill)
        return Price(bet, bet, bet, killed_limits(limits, stakes.kill))
    posted = min(big, big_blinds_stack)
    return Price(big, after_blinds(draft.setting.rules.profile, big, posted, len(order)).current_bet, 0, limits)


def _missed(draft: Draft, places: Places) -> tuple[Missed, ...]:
    table = draft.state.table
    if table.small_place is None or table.big_place is None:
        return ()
    before = (table.small_place, table.big_place)
    return missed(draft.setting.rules.profile, sitting_out(table), before, places)


def _player(draft: Draft, seat: int, stack: int, carry: int) -> Player:
    state, values = draft.state, draft.setting.values
    lying = front(state, seat, values) - worth(left_over(state, seat), values)
    return Player(seat, stack, lying, carry)


def _open_accounts(draft: Draft) -> dict[int, int]:
    """What is still to be paid to (or by) seats of the last hand, where antennas could have seen it paid."""
    hand, sensors = draft.state.hand, draft.setting.sensors
    if hand is None or not sensors.pot:
        return {}
    accounts = {}
    for player in hand.players:
        early = worth(_lying_early(draft, player.seat), draft.setting.values)
        amount = account(draft.state, player) - early
        if amount and player.seat in sensors.trays:
            accounts[player.seat] = amount
    return accounts


def _lying_early(draft: Draft, seat: int) -> tuple[str, ...]:
    """Chips that were brought for the next hand."""
    old = left_over(draft.state, seat)
    return tuple(chip for chip in draft.state.spots[seat - 1] if chip not in old)


def gather_cards(draft: Draft) -> None:
    """The dealer has shuffled: cards of the last hand that no antenna shows are in the deck again."""
    state = draft.state
    gone = [card for cards in state.cards for card in cards if state.places[card].zone is Zone.IN_HAND]
    thrown = [card for card, place in state.places.items() if place == MUCK and card not in state.muck]
    moves = [Moved(card, state.places[card], BANK) for card in (*gone, *state.muck, *thrown)]
    if moves:
        draft.emit(items_moved(tuple(moves), Meaning.SHUFFLED))


# ---------------------------------------------------------------- posts and dealing
def would_post(draft: Draft, seat: int) -> bool:
    """Whether chips of this seat between two hands are a post of the next one."""
    table = draft.state.table
    profile, seats = draft.setting.rules.profile, playing(table)
    places = next_places(profile, table)
    if places is None or seat not in seats:
        return False
    if table.ante_by == "each" or seat in (*_blinds(draft, places), table.killer):
        return True
    if table.ante_by == "button" and seat == places.button:
        return True
    return seat == rock_straddler(profile, table, order_from(seats, places.button), places)


def _blinds(draft: Draft, places: Places) -> tuple[int | None, ...]:
    if draft.setting.played.forced != "blinds":
        return ()
    return (places.button,) if draft.setting.stakes.blind_by == "button" else (places.small, places.big)


def try_posts(draft: Draft, seat: int) -> None:
    """Books the posts of a seat once its chips in front make them up."""
    player = draft.player(seat)
    owed = owed_by(draft.hand, seat)
    if player is not None and owed and given(draft.state, player) - player.committed >= owed:
        book_post(draft, seat)
    elif player is not None and not owed:
        straddles.post_lying(draft, player)
    end_dealing(draft)


def end_dealing(draft: Draft) -> None:
    """Betting opens when every seat with a hole antenna has its cards; without one, when all posts are made."""
    hand, state, holes = draft.hand, draft.state, draft.setting.sensors.holes
    if hand.phase not in BEFORE_ACTION:
        return
    seen = False
    for player in hand.players:
        if player.seat in holes:
            seen = True
            if len(cards_of(state, player.seat)) < hand.hole_cards:
                return
    if seen or not hand.posts_due:
        open_betting(draft)
