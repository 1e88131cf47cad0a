"""What the demo says in the terminal while a hand goes on: one line an event, in every language. Pure."""

from betline.demo.late_word import LateWord
from controller.registry.registry import face
from controller.snapshot import Text
from controller.table import events as e
from controller.texts.sentences import joined, phrase, reading_label
from simulator import acts
from simulator.rehearsal.verdict import Verdict


def counting() -> Text:
    """While the antennas look for the first time."""
    return phrase("demo_counting")


def told(event: e.Event | acts.DealHole | LateWord) -> Text | None:
    """The line of an event; None for what nobody at the table would speak of. Amounts are written as on the chips."""
    match event:
        case e.PlacesCounted(places=places):
            return phrase("demo_counted", count=len(places))
        case e.HandStarted(number=number, button=button):
            return phrase("demo_hand", number=number, button=button)
        case e.Posted(seat=seat, amount=amount):
            return phrase("demo_posts", seat=seat, amount=str(amount))
        case acts.DealHole():
            return phrase("demo_dealing")
        case e.DealingEnded():
            return phrase("demo_dealt")
        case e.Ruled(seat=seat, reading=reading):
            return phrase("ruling_headline", seat=seat, action=reading_label(reading))
        case e.StreetOpened(street=street, board=board):
            return _street(street, board)
        case LateWord(asked=int(seat)):
            return phrase("demo_late", seat=seat)
        case e.Asked(seat=int(seat)):
            return phrase("demo_asked", seat=seat)
        case e.PotAwarded(shares=shares):
            return joined(phrase("demo_won", seat=share.seat, amount=str(share.amount)) for share in shares)
        case _:
            return None


def played(verdict: Verdict, number: int) -> Text:
    """How a hand went, behind it."""
    if verdict.mismatch is not None:
        return phrase("demo_not_as_played", number=number, why=verdict.mismatch.why)
    parts = [phrase("demo_played", number=number, count=verdict.actions)]
    parts += [phrase("demo_questions", count=verdict.asked)] if verdict.asked else []
    parts += [phrase("demo_alarms", alarms=", ".join(verdict.alarms))] if verdict.alarms else []
    return joined([*parts, phrase("demo_exact")])


def summed_up(hands: int, exact: int, wrong: int, asked: int, seconds: float) -> Text:
    return phrase("demo_summary", hands=hands, exact=exact, wrong=wrong, asked=asked, seconds=f"{seconds:g}")


def _street(street: str, board: tuple[str, ...]) -> Text:
    cards = " ".join(face(card) for card in board)
    return {language: f"{name}  {cards}".rstrip() for language, name in phrase(f"demo_{street}").items()}
