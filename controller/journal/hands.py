"""Hand histories made of the journal: rows in, finished hands in PHH's terms out. Pure.

Corrections count: what was undone is gone, what was redone is back, an overruled action stands as it was put right.
Hole cards are those that were tabled; others are "??", although the journal may know them.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from controller.errors import JournalError
from controller.histories.phh import (
    UNKNOWN,
    BoardDealt,
    BroughtIn,
    CheckedOrCalled,
    Drew,
    Folded,
    HoleDealt,
    Mucked,
    RaisedTo,
    RecordedAct,
    RecordedHand,
    Shown,
    forced,
)
from controller.journal.known_cards import known_cards
from controller.journal.rows import Row, kind_of
from controller.rulings.values import Reading
from controller.table import events as e

_BLINDS = {"small_blind", "big_blind", "straddle", "kill", "live"}


class _Progress(NamedTuple):
    """What is recorded so far: the hand that is played, and a chain of those that ended."""

    hand: e.HandStarted | None = None
    acts: tuple[RecordedAct, ...] = ()
    board: tuple[str, ...] = ()  # cards dealt; "??" for those that were not read
    up: dict[int, tuple[str, ...]] = {}  # stud: by player, cards that lie face up  # noqa: RUF012  -- never changed
    drew: dict[int, int] = {}  # by player, cards changed before the next street  # noqa: RUF012  -- the same
    done: "_Done | None" = None


class _Done(NamedTuple):
    hand: RecordedHand
    before: "_Done | None"


def hands(rows: Iterable[Row], table: str) -> Iterator[RecordedHand]:
    """Every hand that was played to its end, in order; JournalError where an event belongs to no such hand."""
    progress = _Progress()
    before: list[_Progress] = []  # by `state.seq`: what undo goes back to
    for row in rows:
        before.append(progress)
        try:
            progress = _next(progress, row, before, table)
        except (AssertionError, LookupError, ValueError) as error:  # a seat, a street or an event that there is not
            raise JournalError(
                f"event {row.seq} ({kind_of(row.event)}) does not fit the hand before it: restore a backup"
            ) from error
    found = []
    done = progress.done
    while done is not None:
        found.append(done.hand)
        done = done.before
    yield from reversed(found)


def _next(progress: _Progress, row: Row, before: list[_Progress], table: str) -> _Progress:
    match row.event:
        case e.Undone(of=of):
            return before[_of(of)]._replace(up=progress.up)
        case e.RoundRestarted(of=of):
            return progress if of is None else before[_of(of)]
        case e.Overruled(of=of, seat=seat, reading=reading):
            return _with(before[_of(of)], _act(before[of], seat, reading))
        case e.HandStarted():
            return _Progress(row.event, _dealt(row.event), done=progress.done)
        case e.HandEnded() if progress.hand is not None:
            return _Progress(done=_Done(_finished(progress, progress.hand, row.event, table), progress.done))
        case e.Misdealt():
            return _Progress(done=progress.done)
        case _ if progress.hand is not None:
            return _in_hand(progress, row.event)
    return progress


def _of(number: int) -> int:
    """The number of an event; IndexError where there is no such number."""
    if number < 0:
        raise IndexError(number)
    return number


def _in_hand(progress: _Progress, event: e.Event) -> _Progress:
    match event:
        case e.Ruled():
            return _with(progress, _act(progress, event.seat, event.reading))
        case e.Posted(kind="straddle"):
            return _straddled(progress, e.PostDue(event.seat, event.kind, event.amount, event.amount))
        case e.TurnedUp():
            return progress._replace(up={**progress.up, _player(progress, event.seat): event.cards})
        case e.Drew():
            return progress._replace(drew={**progress.drew, _player(progress, event.seat): event.cards})
        case e.StreetOpened():
            return _street(progress, event)
        case e.BoardChanged():
            return _changed(progress, event.board)
        case e.HandsShown():
            return _with(progress, Shown(_player(progress, event.seat), event.cards or _unknown(progress.hand)))
        case e.Mucked():
            return _with(progress, Mucked(_player(progress, event.seat)))
    return progress


def _act(progress: _Progress, seat: int, reading: Reading) -> RecordedAct:
    player = _player(progress, seat)
    if _is_bring_in(progress) and reading.action in ("call", "all_in_call"):
        return BroughtIn(player)
    match reading.action:
        case "fold":
            return Folded(player)
        case "bet" | "raise" | "all_in_bet" | "all_in_raise":
            return RaisedTo(player, reading.total_to)
        case _:
            return CheckedOrCalled(player)


def _is_bring_in(progress: _Progress) -> bool:
    assert progress.hand is not None
    assert progress.hand.game is not None
    nobody = all(isinstance(act, HoleDealt) for act in progress.acts)
    return nobody and progress.hand.game.forced == "bring_in"


def _straddled(progress: _Progress, post: e.PostDue) -> _Progress:
    """One that was due is among the posts of the hand already."""
    hand = progress.hand
    assert hand is not None
    if post in hand.posts:
        return progress
    return progress._replace(hand=replace(hand, posts=(*hand.posts, post)))


def _street(progress: _Progress, event: e.StreetOpened) -> _Progress:
    """Only the cards that are new; "??" for those that were not read."""
    progress = _of_players(progress, event.row)
    new = [card for card in event.board if card not in progress.board]
    dealt = event.board_count - len(progress.board)
    cards = (*new, *[UNKNOWN] * dealt)[:dealt]
    if not cards:
        return progress
    return _with(progress, BoardDealt(cards))._replace(board=(*progress.board, *cards))


def _of_players(progress: _Progress, row: int) -> _Progress:
    """What players change and get before the betting of a street."""
    assert progress.hand is not None
    assert progress.hand.game is not None
    street = progress.hand.game.streets[row]
    gone = {act.player for act in progress.acts if isinstance(act, Folded)}
    alive = [player for player in range(1, len(progress.hand.players) + 1) if player not in gone]
    dealt = street.down + street.up
    acts: list[RecordedAct] = []
    if street.draw or street.discard:
        thrown = {player: progress.drew.get(player, street.discard) for player in alive}
        acts = [Drew(player, (UNKNOWN,) * thrown[player]) for player in alive]
        if street.draw:
            acts += [HoleDealt(player, (UNKNOWN,) * count) for player, count in thrown.items() if count]
    elif dealt:
        acts = [HoleDealt(player, (UNKNOWN,) * dealt) for player in alive]
    return progress._replace(acts=(*progress.acts, *acts), drew={})


def _changed(progress: _Progress, board: tuple[str, ...]) -> _Progress:
    """Cards that lie in the place of others were dealt instead of them; the rest are those that were not read."""
    came = [card for card in board if card not in progress.board]
    cards = [came.pop(0) if came and card != UNKNOWN and card not in board else card for card in progress.board]
    cards = [came.pop(0) if came and card == UNKNOWN else card for card in cards]
    acts, at = list(progress.acts), 0
    for index, act in enumerate(acts):
        if isinstance(act, BoardDealt):
            acts[index] = BoardDealt(tuple(cards[at : at + len(act.cards)]))
            at += len(act.cards)
    return progress._replace(acts=tuple(acts), board=tuple(cards))


def _with(progress: _Progress, act: RecordedAct) -> _Progress:
    return progress._replace(acts=(*progress.acts, act))


def _player(progress: _Progress, seat: int) -> int:
    assert progress.hand is not None
    return 1 + [player.seat for player in progress.hand.players].index(seat)


def _dealt(hand: e.HandStarted) -> tuple[RecordedAct, ...]:
    return tuple(HoleDealt(player, _unknown(hand)) for player in range(1, len(hand.players) + 1))


def _unknown(hand: e.HandStarted | None) -> tuple[str, ...]:
    """Hole cards of a player that nobody saw."""
    assert hand is not None
    assert hand.game is not None
    return (UNKNOWN,) * hand.game.cards_by(0)


def _finished(progress: _Progress, hand: e.HandStarted, ended: e.HandEnded, table: str) -> RecordedHand:
    assert hand.game is not None
    seats = tuple(player.seat for player in hand.players)
    stacks = {share.seat: share.amount for share in ended.stacks}
    antes = _posts(hand, {"ante"})
    return RecordedHand(
        source="journal",
        line=1,
        number=hand.number,
        variant=hand.game.codes[hand.limits.type],
        antes=antes,
        ante_trimming_status=len(set(antes)) == 1,  # who pays for the table has paid it, whoever plays for less
        blinds_or_straddles=_posts(hand, _BLINDS),
        min_bet=hand.min_bet,
        big_bet=hand.limits.big_bet,
        bring_in=hand.small_blind if hand.game.forced == "bring_in" else 0,
        spread=(hand.limits.least, hand.limits.most, hand.limits.most_last) if hand.limits.most else (),
        starting_stacks=tuple(player.stack for player in hand.players),
        actions=known_cards(progress.acts, progress.up, hand.game.streets[0].down),
        finishing_stacks=tuple(stacks.get(seat, 0) for seat in seats),
        seats=seats,
        table=table,
    )


def _posts(hand: e.HandStarted, kinds: set[str]) -> tuple[int, ...]:
    """Full amounts by player, short stacks or not: who reads the hand takes what the stack has."""
    due = [(post.seat, post.nominal) for post in hand.posts if post.kind in kinds]
    return forced(tuple(sum(amount for seat, amount in due if seat == player.seat) for player in hand.players))
