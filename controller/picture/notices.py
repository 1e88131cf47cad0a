"""What is not known and what is wrong, in words: one line a cause, in every language. Pure.

The dealer's lines name chips ("r100-017"), because somebody has to look for them; the public ones give values.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from controller.core.seen import Seen
from controller.picture.causes import cause
from controller.places import BOARD, Place, Zone
from controller.registry.registry import face
from controller.snapshot import NoticeView, ReaderView, Text
from controller.table.board import fresh, gone, unread
from controller.table.phases import DECIDED, NO_HAND, Phase
from controller.texts.languages import LANGUAGES
from controller.texts.sentences import joined, phrase, sentence, word_text

BETS_LIE = frozenset({Phase.POSTING, Phase.DEALING, Phase.BETTING})
MOST_NAMES = 6  # a line that people read; the rest is a number
OF_READERS = frozenset({"lost", "silent", "fault"})  # reasons that all antennas of a reader share


def of(seen: Seen) -> tuple[tuple[NoticeView, ...], tuple[NoticeView, ...]]:
    """All notices for the public and for the dealer, the worst first: alarms, what is not known, information."""
    alike = [*_held_up(seen), *_street_waits(seen), *_unknown(seen), *_foreign(seen)]
    public, dealers = ([*_alarms(seen, named=named), *alike, *_of_items(seen, named=named)] for named in (False, True))
    return _worst_first(public), _worst_first([*dealers, *_kept(seen)])


def _kept(seen: Seen) -> Iterator[NoticeView]:
    """Words that are said as soon as they fit."""
    hand = seen.state.hand
    asked, betting = hand is not None and hand.question is not None, hand is not None and hand.to_act is not None
    for kept in seen.kept:
        key = "word_waits_answer" if asked else "word_waits_fold" if betting else "word_waits_card"
        yield NoticeView("word_waits", "info", phrase(key, word=word_text(kept.word), seat=kept.seat), kept.seat)


def _of_items(seen: Seen, *, named: bool) -> Iterator[NoticeView]:
    yield from _not_seen(seen, named=named)
    yield from _twice_waits(seen)
    yield from _twice(seen, named=named)
    yield from _differences(seen, named=named)
    yield from _gathered(seen)
    yield from _short_stacks(seen)


def _worst_first(found: Iterable[NoticeView]) -> tuple[NoticeView, ...]:
    order = {"alarm": 0, "unknown": 1, "info": 2}
    return tuple(sorted(found, key=lambda notice: order[notice.level]))


def readers(seen: Seen) -> tuple[ReaderView, ...]:
    """Health of every reader that was heard of."""
    return tuple(
        ReaderView(name, state.state, _reader_text(state.state, state.why, state.bad_frames))
        for name, state in sorted(seen.known.readers.items())
    )


def place(where: Place) -> Text:
    """A place in words: "bet spot of seat 4"."""
    return phrase(f"place_{where.zone}", seat=where.seat or 0)


def listed(names: Iterable[str]) -> str:
    """Names for a line: the first few, and how many more."""
    everything = sorted(names)
    shown = ", ".join(everything[:MOST_NAMES])
    return shown if len(everything) <= MOST_NAMES else f"{shown} + {len(everything) - MOST_NAMES}"


def _reader_text(state: str, why: str, bad_frames: int) -> Text:
    if state == "up" and bad_frames:
        return phrase("reader_up_bad", count=bad_frames)
    return phrase(f"reader_{state}", why=cause(why))


def _alarms(seen: Seen, *, named: bool) -> Iterator[NoticeView]:
    for alarm in seen.state.alarms:
        amount = alarm.amount or 0
        key = "payout_missing" if alarm.key == "payout" and amount < 0 else alarm.key
        if named and key == "board_unclear" and gone(seen.state):
            new, missing = (", ".join(face(card) for card in of(seen.state)) for of in (fresh, gone))
            yield NoticeView(key, "alarm", phrase("board_unclear_named", new=new, gone=missing), alarm.seat)
            continue
        yield NoticeView(
            alarm.key, "alarm", sentence(key, {"seat": alarm.seat or 0, "amount": abs(amount)}), alarm.seat
        )


def _held_up(seen: Seen) -> Iterator[NoticeView]:
    for seat, where in seen.held_up:
        key = "cards_wait_for_place" if seat is None else "push_waits_for_place"
        if seat is not None and where not in seen.known.unknown:
            key = "push_waits_for_tag"
        elif seat is not None and where.seat != seat:
            key = "push_waits_for_other"
        yield NoticeView(key, "unknown", phrase(key, seat=seat or 0, place=place(where)), seat)


def _street_waits(seen: Seen) -> Iterator[NoticeView]:
    """The next street's cards lie there and are not all read: a key opens it."""
    hand = seen.state.hand
    if hand is None or hand.phase in (*NO_HAND, *DECIDED) or hand.row.is_last:
        return
    tags = seen.known.foreign.get(BOARD, 0) > unread(seen.state)
    if tags or seen.street_waits:
        count = hand.game.streets[hand.street + 1].board_so_far - hand.board_count
        key, read = "street_waits_tag" if tags else "street_waits", len(fresh(seen.state))
        yield NoticeView(key, "unknown", phrase(key, read=read, count=count))


def _unknown(seen: Seen) -> Iterator[NoticeView]:
    """One line a reader and reason, with all the places that it blinds."""
    blind: dict[tuple[str, str], list[Place]] = {}
    for where, why in seen.known.unknown.items():
        blind.setdefault((_reader_of(seen, where) if why in OF_READERS else "", why), []).append(where)
    for (reader, why), places in blind.items():
        key, seat = f"unknown_{why}", places[0].seat if len(places) == 1 else None
        text = phrase(key, reader=_with_cause(seen, reader), places=places_listed(places))
        yield NoticeView(key, "unknown", text, seat, reader)


def _reader_of(seen: Seen, where: Place) -> str:
    """The reader that should see a place; of several, one that is not up."""
    names, known = seen.watchers.get(where, ()), seen.known.readers
    down = [name for name in names if name in known and known[name].state != "up"]
    return next(iter(down or names), "")


def _with_cause(seen: Seen, reader: str) -> Text:
    """The reader, and in a few words what its port or itself said of the fault."""
    state = seen.known.readers.get(reader)
    if state is None or not state.why or state.state == "up":
        return dict.fromkeys(LANGUAGES, reader)
    return {language: f"{reader} ({why})" for language, why in cause(state.why).items()}


def places_listed(places: Iterable[Place]) -> Text:
    """Places of a kind together: "trays 1-4, bet spots 1-4, board"."""
    seats: dict[Zone, list[int]] = {}
    for where in sorted(places, key=lambda where: (list(Zone).index(where.zone), where.seat or 0)):
        seats.setdefault(where.zone, []).extend([where.seat] if where.seat is not None else [])
    parts = [
        phrase(f"places_{zone}", count=len(of), seats=spans(of)) if of else phrase(f"place_{zone}", seat=0)
        for zone, of in seats.items()
    ]
    return joined(parts)


def spans(numbers: list[int]) -> str:
    """Sorted numbers as people write them: 1-4, 6."""
    starts = [numbers[0], *(b for a, b in pairwise(numbers) if b != a + 1)]
    ends = [*(a for a, b in pairwise(numbers) if b != a + 1), numbers[-1]]
    return ", ".join(f"{a}" if a == b else f"{a}\u2013{b}" for a, b in zip(starts, ends, strict=True))


def _foreign(seen: Seen) -> Iterator[NoticeView]:
    for where, count in seen.known.foreign.items():
        yield NoticeView("foreign_tag", "unknown", phrase("foreign_tag", count=count, place=place(where)), where.seat)


def _not_seen(seen: Seen, *, named: bool) -> Iterator[NoticeView]:
    """A chip missing from a bet matters to a ruling; one missing from a tray is only told.

    Bets that leave their spots while nobody bets, or that were swept, are on their way into the pot, and chips of the
    pot may have gone to the dealer's float for change, which no antenna sees: the accounts check both.
    """
    hand = seen.state.hand
    betting = hand is not None and hand.phase in BETS_LIE
    by_place: dict[Place, list[str]] = {}
    for item, where in seen.known.unaccounted:
        in_bet = betting and where.seat is not None and item in seen.state.spots[where.seat - 1]
        if where.zone is not Zone.POT and (in_bet or where.zone is not Zone.SPOT):
            by_place.setdefault(where, []).append(item)
    for where, items in by_place.items():
        value = sum(seen.setting.values.get(item, 0) for item in items)
        text = (
            phrase("not_seen_named", names=listed(items), place=place(where))
            if named
            else phrase("not_seen", count=len(items), value=value, place=place(where))
        )
        yield NoticeView("not_seen", "unknown" if where.zone is Zone.SPOT else "info", text, where.seat)


def _twice_waits(seen: Seen) -> Iterator[NoticeView]:
    """A chip before the seat to act that another place shows as well opens no push: a word or its removal goes on."""
    hand = seen.state.hand
    seat = None if hand is None or hand.phase is not Phase.BETTING or hand.question is not None else hand.to_act
    if seat is None or any(preview.seat == seat for preview in seen.previews):
        return
    spot, gone = Place(Zone.SPOT, seat), {item for item, _ in seen.known.unaccounted}
    for item, shown in seen.known.twice:
        if spot in shown and item in gone:
            text = phrase("twice_waits", value=seen.setting.values.get(item, 0), place=place(spot), seat=seat)
            yield NoticeView("twice_waits", "unknown", text, seat)


def _twice(seen: Seen, *, named: bool) -> Iterator[NoticeView]:
    items = [item for item, _ in seen.known.twice]
    if items:
        text = phrase("seen_twice_named", names=listed(items)) if named else phrase("seen_twice", count=len(items))
        yield NoticeView("seen_twice", "unknown", text)


def _differences(seen: Seen, *, named: bool) -> Iterator[NoticeView]:
    items = seen.state.differences
    if items:
        text = phrase("differences_named", names=listed(items)) if named else phrase("differences", count=len(items))
        yield NoticeView("differences", "unknown", text)


def _gathered(seen: Seen) -> Iterator[NoticeView]:
    """Nothing but folds by cards, and the winner's cards are in the muck as well: so a gathered misdeal looks."""
    hand, holes = seen.state.hand, seen.setting.sensors.holes
    if hand is None or hand.phase is not Phase.PAYING or hand.street or not seen.state.rulings:
        return
    folds = all(kept.event.reading.action == "fold" and kept.event.by == "cards" for kept in seen.state.rulings)
    winners = [player.seat for player in hand.players if not player.folded]
    if folds and all(seat in holes and not seen.state.cards[seat - 1] for seat in winners):
        yield NoticeView("walk_or_misdeal", "info", phrase("walk_or_misdeal"))


def _short_stacks(seen: Seen) -> Iterator[NoticeView]:
    """What the count-in left too small: chips that lay in shadow then are missing from the stacks.

    Before the first hand a stack below the posts is most likely that. Later the ledger knows better: a tray that shows
    less than half of it was not read.
    """
    table, hand = seen.state.table, seen.state.hand
    if not seen.known.counted or (hand is not None and hand.phase not in NO_HAND):
        return
    least = table.big_blind + (0 if table.ante_by == "none" else table.ante)
    shown, trays = _shown(seen), seen.setting.sensors.trays
    for seat, chair in enumerate(table.seats, 1):
        if hand is None and chair.playing and 0 < chair.stack < least:
            text = phrase("stack_short", seat=seat, stack=chair.stack, least=least)
            yield NoticeView("stack_short", "unknown", text, seat)
        elif seat in trays and 2 * shown.get(seat, 0) < chair.stack:
            text = phrase("tray_short", seat=seat, stack=chair.stack, shown=shown.get(seat, 0))
            yield NoticeView("tray_short", "info", text, seat)


def _shown(seen: Seen) -> dict[int, int]:
    """Value of the chips with each seat, without those that its antennas should show and do not."""
    values, found = seen.setting.values, dict[int, int]()
    unseen = {item for item, _ in seen.known.unaccounted}
    for item, place in seen.state.places.items():
        if place.seat is not None and item not in unseen:
            found[place.seat] = found.get(place.seat, 0) + values.get(item, 0)
    return found
