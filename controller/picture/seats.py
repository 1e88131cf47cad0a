"""The seats as people see them: stack, bet, what lies in front, and what the middle owes. Pure."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from controller.core.seen import Seen
from controller.games.game import HandKind
from controller.games.ranking import Named, Uses, name
from controller.picture.change import stack_of
from controller.picture.rulings import pushed
from controller.places import Place, Zone
from controller.registry.registry import face
from controller.rulings.values import Reading
from controller.snapshot import SeatView, Text
from controller.table.balance import account, front, waiting, worth
from controller.table.draws import drew
from controller.table.phases import STREET_CARDS, Phase
from controller.table.state import Hand, InHand
from controller.texts.hands import hand_text
from controller.texts.sentences import phrase, reading_label, word_text

SeatState = Literal["empty", "out", "waiting", "in", "folded", "all_in"]


def seats(seen: Seen) -> Iterator[SeatView]:
    """All seats, from seat 1."""
    held, behind = _held(seen), pushed(seen)
    blind = {place.seat for place in seen.known.unknown}
    for number in range(1, len(seen.state.table.seats) + 1):
        yield _seat(seen, number, held.get(number, 0), behind.get(number, 0), known=number not in blind)


def _seat(seen: Seen, number: int, held: int, pushed: int, *, known: bool) -> SeatView:
    state, hand, values = seen.state, seen.state.hand, seen.setting.values
    seat = state.table.seats[number - 1]
    ended = hand is None or hand.phase is Phase.BETWEEN_HANDS
    player = None if hand is None else hand.player(number)
    live = None if ended else player
    waits = worth(waiting(state, hand, live), values) if live and hand else 0
    to_come, uncalled, change = _dues(live, due := account(state, live) - waits if live else 0)
    return SeatView(
        seat=number,
        name=seat.name,
        state=_seat_state(seen, number, live),
        stack=live.stack if live else seat.stack,
        bet=live.bet if live else 0,
        front=front(state, number, values),
        front_chips=stack_of(state.spots[number - 1], values),
        change_due=change,
        uncalled=uncalled,
        missing=max(-due, 0),
        to_act=live is not None and hand is not None and hand.to_act == number,
        button=(state.table.button if ended or hand is None else hand.button) == number,
        last_action=_last_action(live),
        cards_read=_cards_read(seen, number),
        in_hand_value=held if number in seen.setting.sensors.trays else None,
        said=_said(hand, live),
        waiting=pushed + waits,
        cards=tuple(face(card) for card in player.shown) if player and player.tabled else (),
        hands=_named(hand, player),
        up=tuple(face(card) for card in state.up.get(number, ())) if live is not None and not live.folded else (),
        drew=_drew(hand, live),
        won=player.won if player else 0,
        to_come=to_come,
        known=known,
    )


def _drew(hand: Hand | None, player: InHand | None) -> int | None:
    """Cards that he changed: before this round, or before the next one where the draw is on."""
    if hand is None or player is None or player.folded:
        return None
    return drew(player, hand.street + 1 if hand.phase in STREET_CARDS else hand.street)


def _named(hand: Hand | None, player: InHand | None) -> tuple[Text, ...]:
    """What a tabled hand is, once all cards are known: one of each hand that wins in this game."""
    if hand is None or player is None or not player.tabled:
        return ()
    board = tuple(face(card) for card in hand.board)
    shown = tuple(face(card) for card in player.shown)
    if len(board) < hand.game.board_cards or len(shown) + len(board) < hand.game.shown_cards + hand.game.board_cards:
        return ()
    found = [_name(kind, shown, board, hand.game.uses) for kind in hand.game.hands]
    return tuple([hand_text(one.code, one.ranks) for one in found if one is not None])


@lru_cache(maxsize=64)
def _name(kind: HandKind, shown: tuple[str, ...], board: tuple[str, ...], uses: Uses) -> Named | None:
    return name(kind, shown, board, uses)


def _dues(player: InHand | None, due: int) -> tuple[int, int, int]:
    """What the middle owes him, cut into: won and to come, back because nobody called it, change."""
    if player is None or due <= 0:
        return 0, 0, 0
    to_come = min(player.won, due)
    if player.won:
        return to_come, due - to_come, 0
    uncalled = min(player.uncalled, due)
    return 0, uncalled, due - uncalled


def _seat_state(seen: Seen, number: int, player: InHand | None) -> SeatState:
    seat = seen.state.table.seats[number - 1]
    if player is not None:
        return "folded" if player.folded else "all_in" if player.all_in else "in"
    if seat.playing:
        return "waiting"
    return "out" if seat.stack or seat.name else "empty"


def _last_action(player: InHand | None) -> Text | None:
    """What he did in this round; nothing any more once his bet is swept."""
    if player is None or not player.action or (player.action not in {"check", "fold"} and not player.bet):
        return None
    label = reading_label(Reading(player.action, player.bet, 0, 0, reopens=False, all_in=False, rule=""))
    return phrase("inferred", action=label) if player.inferred else label


def _said(hand: Hand | None, player: InHand | None) -> Text | None:
    """A word that counts later: it waits for its chips, or for the turn."""
    if hand is None or player is None:
        return None
    if hand.word is not None and hand.word[0] == player.seat:
        return word_text(hand.word[1])
    held = next((push.word for push in hand.held if push.seat == player.seat), None)
    return word_text(held) if held is not None else None


def _cards_read(seen: Seen, number: int) -> int | None:
    if number not in seen.setting.sensors.holes:
        return None
    places = seen.state.places
    return sum(places[card] == Place(Zone.HOLE, number) for card in seen.state.cards[number - 1] if card in places)


def _held(seen: Seen) -> dict[int | None, int]:
    """Value of chips that left the antennas, by the seat that they were last with."""
    zone, values = Zone.IN_HAND, seen.setting.values
    held: dict[int | None, int] = {}
    for item, seat in [(item, place.seat) for item, place in seen.state.places.items() if place.zone is zone]:
        held[seat] = held.get(seat, 0) + values.get(item, 0)
    return held
