"""What is wrong, in words: notices, the banner over the table, the curtain where nothing is known. The keys. Pure."""

from controller.snapshot import DealerSnapshot, Snapshot
from display.keys import Desk
from display.labels import Labels
from display.parts import Banner, Curtain, HelpPart, Level, Link, NoticePart

URGENT_FIRST: tuple[Level, ...] = ("alarm", "unknown", "refused", "info")


def notice_parts(seen: Snapshot, link: Link, desk: Desk, words: Labels, *, dealer: bool) -> tuple[NoticePart, ...]:
    found = [NoticePart(notice.level, words.pick(notice.text)) for notice in seen.notices]
    found += _reader_notices(seen, words)
    if dealer:
        found += _dealer_notices(seen, link, desk, words)
    unique = dict.fromkeys(notice for notice in found if notice.text)
    return tuple(sorted(unique, key=lambda notice: URGENT_FIRST.index(notice.level)))


def _reader_notices(seen: Snapshot, words: Labels) -> list[NoticePart]:
    """What lost readers say of themselves, where no notice says what that blinds."""
    told = {notice.reader for notice in seen.notices}
    return [
        NoticePart("unknown", f"{reader.id}: {words.pick(reader.text)}")
        for reader in seen.readers
        if reader.state in ("lost", "fault") and reader.id not in told
    ]


def _dealer_notices(seen: Snapshot, link: Link, desk: Desk, words: Labels) -> list[NoticePart]:
    found = []
    if desk.message:
        found.append(NoticePart("refused", str(getattr(words, desk.message, desk.message)).format(n=desk.number)))
    if link.refusal:
        found.append(NoticePart("refused", words.refused.format(why=link.refusal)))
    if isinstance(seen, DealerSnapshot) and seen.last_refusal and not link.refusal:
        found.append(NoticePart("refused", words.refused.format(why=words.pick(seen.last_refusal))))
    return found


def banner_part(seen: Snapshot, link: Link, words: Labels) -> Banner | None:
    if link.state == "lost":
        return Banner(words.stale.format(time=link.since), "bad")
    if link.state == "silent":
        return Banner(words.silent.format(n=link.silent_s), "bad")
    if link.state == "mismatch":
        return Banner(words.mismatch, "bad")
    if seen.paused:
        return Banner(words.paused, "busy")
    if seen.phase == "counting_in":
        return Banner(words.counting, "busy")
    return None


def curtain_part(snapshot: Snapshot | None, link: Link, words: Labels) -> Curtain | None:
    if snapshot is not None:
        return None
    if link.state == "mismatch":
        return Curtain(words.mismatch, f"{link.path}: {link.why}")
    return Curtain(words.no_feed, words.no_feed_hint.format(path=link.path, why=link.why or "…"))


def help_part(words: Labels) -> HelpPart:
    return HelpPart(words.help_title, tuple((line.keys, line.what) for line in words.help))
