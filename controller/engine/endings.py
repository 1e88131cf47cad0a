"""Showing, award, paying, and the end of a hand. Only tabled hands are looked at."""

from controller.commands import Award, Show
from controller.engine.draft import Draft
from controller.hand.betting import alive
from controller.hand.raises import smallest_bet
from controller.hand.showdown import Won, cards_of, parts, readable, together, winning
from controller.places import Zone
from controller.rulings.kills import Legs, after_pot
from controller.table.balance import account
from controller.table.board import board_of
from controller.table.events import HandEnded, HandsShown, Mucked, PotAwarded, PotPaid, Share
from controller.table.keys import AwardKey
from controller.table.phases import CLOSED, PAYING, SHOWDOWN
from controller.table.state import InHand


# ---------------------------------------------------------------- showing
def table_all(draft: Draft) -> None:
    """All-in and called: all hands are tabled (TDA 2024 16)."""
    for player in alive(draft.hand):
        table_hand(draft, player)


def table_hand(draft: Draft, player: InHand) -> None:
    cards = cards_of(draft.state, player.seat)
    known = cards if len(cards) == draft.hand.hole_cards else ()
    if not player.tabled or (known and player.shown != known):
        draft.emit(HandsShown(player.seat, known))


def show(draft: Draft, command: Show) -> None:
    """The dealer saw a hand tabled: one seat, or all who are still in."""
    if draft.state.hand is None or draft.phase not in CLOSED:
        draft.refuse("not_showdown", command.seat)
        return
    if command.seat is None:
        table_all(draft)
    else:
        player = draft.player(command.seat)
        if player is None or player.folded:
            draft.refuse("not_in_hand", command.seat)
            return
        table_hand(draft, player)
    award_tabled(draft)


def muck_hand(draft: Draft, seat: int) -> None:
    """At the showdown a player gives up; the last one of a pot cannot."""
    others = {player.seat for player in alive(draft.hand)} - {seat}
    pots = [pot.seats for pot in draft.hand.pots if seat in pot.seats]
    if all(others & set(seats) for seats in pots):
        draft.emit(Mucked(seat))
        award_tabled(draft)


# ---------------------------------------------------------------- award
def showdown(draft: Draft) -> None:
    if any(player.all_in for player in alive(draft.hand)):
        table_all(draft)
    award_tabled(draft)


def uncontested(draft: Draft) -> None:
    """One player is left: all pots that nobody won yet are his."""
    (winner,) = alive(draft.hand)
    for number in _open_pots(draft):
        _award(draft, number, _whole(draft, (winner.seat,)), "last_player")
    pay(draft)


def award_tabled(draft: Draft) -> None:
    """Pots go to the best tabled hands once everybody has tabled or mucked."""
    if draft.phase is not SHOWDOWN:
        return
    players = alive(draft.hand)
    if len(players) == 1:
        uncontested(draft)
        return
    if all(player.tabled for player in players):
        for number in _open_pots(draft):
            _award_best(draft, number, _boards(draft))
        _award_alone(draft)
        pay(draft)


def _open_pots(draft: Draft) -> list[int]:
    done = {number for number, _ in draft.hand.awards}
    return [number for number in range(len(draft.hand.pots)) if number not in done]


def _boards(draft: Draft) -> tuple[tuple[str, ...], ...]:
    resting = board_of(draft.state)
    return (draft.hand.board if len(draft.hand.board) >= len(resting) else resting,)


def _award_best(draft: Draft, number: int, boards: tuple[tuple[str, ...], ...]) -> None:
    seats, game = draft.hand.pots[number].seats, draft.hand.game
    players = [player for player in alive(draft.hand) if player.seat in seats]
    if len(players) > 1 and readable(game, boards, players, draft.hand.common):
        _award(draft, number, winning(game, boards, {player.seat: player.shown for player in players}), "best_hand")


def _award_alone(draft: Draft) -> None:
    """A pot that only one player can still win needs no cards."""
    for number in _open_pots(draft):
        seats = draft.hand.pots[number].seats
        players = [player.seat for player in alive(draft.hand) if player.seat in seats]
        if len(players) == 1:
            _award(draft, number, _whole(draft, tuple(players)), "last_player")


def _whole(draft: Draft, seats: tuple[int, ...]) -> tuple[Won, ...]:
    """A pot that is not divided by hands or boards."""
    return (Won(draft.hand.game.hands[0], 0, seats),)


def _award(draft: Draft, number: int, won: tuple[Won, ...], why: AwardKey) -> None:
    pot = draft.hand.pots[number]
    unit = smallest_in_play(draft) if len({seat for one in won for seat in one.seats}) > 1 else 1
    last = len(draft.hand.awards) + 1 >= len(draft.hand.pots)
    phase = PAYING if last else draft.phase
    divided = parts(pot.amount, won, unit)
    told = divided if len(divided) > 1 else ()
    draft.emit(PotAwarded(number, together(divided), why, phase=phase, parts=told))


def smallest_in_play(draft: Draft) -> int:
    """Value of the smallest chip that lies at the table; odd chips are of this kind (TDA 2024 20)."""
    values = draft.setting.values
    at_table = (
        values[item] for item, place in draft.state.places.items() if item in values and place.zone is not Zone.BANK
    )
    return min(at_table, default=draft.setting.smallest)


def award(draft: Draft, command: Award) -> None:
    """Where cards were not read the dealer names who wins a pot."""
    if draft.phase is not SHOWDOWN:
        draft.refuse("not_showdown")
        return
    if command.pot not in _open_pots(draft):
        draft.refuse("no_such_pot", pot=command.pot)
        return
    pot = draft.hand.pots[command.pot]
    seats = tuple(player.seat for player in alive(draft.hand) if player.seat in pot.seats)
    halves = [command.seats, *([command.other_half] if command.other_half else [])]
    if len(halves) > len(draft.hand.game.hands):
        draft.refuse("no_halves")
        return
    won = []
    for kind, half in zip(draft.hand.game.hands, halves, strict=False):
        named = tuple(seat for seat in seats if seat in half)
        if not named or len(named) != len(set(half)):
            draft.refuse("cannot_win", next((seat for seat in half if seat not in seats), None))
            return
        won.append(Won(kind, 0, named))
    _award(draft, command.pot, tuple(won), "dealer")
    _award_alone(draft)
    pay(draft)


# ---------------------------------------------------------------- paying
def pay(draft: Draft) -> None:
    """After the award: the hand ends at once where nobody can see the pot being paid, or where there is none."""
    hand = draft.hand
    if hand.pots and len(hand.awards) < len(hand.pots):
        return
    seen = draft.setting.sensors.pot and all(share.seat in draft.setting.sensors.trays for share in hand.owed)
    if not seen or not hand.pots or everybody_paid(draft):
        end(draft)


def everybody_paid(draft: Draft) -> bool:
    trays = draft.setting.sensors.trays
    return all(account(draft.state, player) == 0 for player in draft.hand.players if player.seat in trays)


def paid(draft: Draft, seat: int, amount: int) -> None:
    """Chips of the pot came to a winner."""
    owed = next((share.amount for share in draft.hand.owed if share.seat == seat), 0)
    if owed:
        draft.emit(PotPaid(seat, min(owed, amount)))


def end_if_paid(draft: Draft) -> None:
    if draft.phase is PAYING and everybody_paid(draft):
        end(draft)


def end(draft: Draft) -> None:
    seats = draft.state.table.seats
    stacks = tuple(
        Share(player.seat, player.stack + player.won + seats[player.seat - 1].bought) for player in draft.hand.players
    )
    legs = _legs(draft)
    leg, killer = (None, None) if legs is None else (legs.leg or 0, legs.killer)
    busted = tuple(share.seat for share in stacks if share.amount <= 0)
    draft.emit(HandEnded(draft.hand.number, stacks, _rock(draft), leg, killer, busted))


def _legs(draft: Draft) -> Legs | None:
    """Towards a kill of the next hand; None: the game has none, or only a person says who kills."""
    hand, stakes = draft.hand, draft.setting.stakes
    winners = [player.seat for player in hand.players if player.won > 0]
    if stakes.kill == "none" or stakes.kill_when != "two_pots" or not winners:
        return None
    put_in = sum([player.committed - player.posted for player in hand.players if player.seat not in winners])
    full_bet = put_in >= smallest_bet(hand, 0)
    return after_pot(draft.state.table.leg, hand.killer, winners, full_bet=full_bet)


def _rock(draft: Draft) -> int | None:
    """The rock goes to the winner; of several to the nearest on the left of who had it."""
    winners = [player.seat for player in draft.hand.players if player.won > 0]
    if draft.setting.rules.profile.straddle != "rock" or not winners:
        return None
    holder, chairs = draft.state.table.rock or draft.hand.button, len(draft.state.table.seats)
    return min(winners, key=lambda seat: (seat - holder - 1) % chairs)
