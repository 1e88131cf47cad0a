"""What the demo says in the terminal while a hand goes on: one line an event, in both languages. Pure."""

from collections.abc import Iterable

from controller.registry.registry import face
from controller.snapshot import Text
from controller.table import events as e
from controller.texts.sentences import phrase, reading_label
from simulator import acts

STREETS: dict[str, Text] = {
    "flop": {"en": "Flop", "ru": "Флоп"},
    "turn": {"en": "Turn", "ru": "Тёрн"},
    "river": {"en": "River", "ru": "Ривер"},
}


DEALING: Text = {"en": "The dealer deals ...", "ru": "Дилер сдаёт ..."}
COUNTING: Text = {"en": "The antennas count every chip ...", "ru": "Антенны считают все фишки ..."}


def told(event: e.Event | acts.DealHole) -> Text | None:
    """The line of an event; None for what nobody at the table would speak of."""
    match event:
        case e.PlacesCounted(places=places):
            count = len(places)
            return {"en": f"Counted: {count} chips and cards lie still", "ru": f"Сосчитано: на месте {count}"}
        case e.HandStarted(number=number, button=button):
            return {"en": f"Hand {number}, button at seat {button}", "ru": f"Раздача {number}, баттон у места {button}"}
        case e.Posted(seat=seat, amount=amount):
            return {"en": f"Seat {seat}: posts {amount}", "ru": f"Место {seat}: ставит {amount}"}
        case acts.DealHole():
            return DEALING
        case e.DealingEnded():
            return {"en": "Cards are out", "ru": "Карты розданы"}
        case e.Ruled(seat=seat, reading=reading):
            return phrase("ruling_headline", seat=seat, action=reading_label(reading))
        case e.StreetOpened(street=street, board=board):
            return _street(street, board)
        case e.Asked(seat=seat):
            return {"en": f"Seat {seat}: the table asks the dealer", "ru": f"Место {seat}: вопрос дилеру"}
        case e.PotAwarded(shares=shares):
            return _won(shares)
        case _:
            return None


def _street(street: str, board: tuple[str, ...]) -> Text:
    cards = " ".join(face(card) for card in board)
    return {language: f"{name}  {cards}".rstrip() for language, name in STREETS[street].items()}


def _won(shares: Iterable[e.Share]) -> Text:
    en = ", ".join(f"Seat {share.seat} wins {share.amount}" for share in shares)
    ru = ", ".join(f"Место {share.seat} выигрывает {share.amount}" for share in shares)
    return {"en": en, "ru": ru}
