"""What a hand is called, in every language: "straight, nine high". Pure.

A rank has four forms, in the order of `FORMS`: alone; where a hand goes up to it; of it, where there are several; many
of it. Languages with cases need all of them.
"""

from controller.snapshot import Text
from controller.texts.languages import LANGUAGES
from controller.texts.sentences import Part, entries, phrase

FORMS = ("one", "top", "of", "many")


def hand_text(code: str, ranks: str) -> Text:
    """A hand by its code and the ranks that name it, as `ranking.Named` has them."""
    parts: dict[str, Part] = {"cards": "-".join("10" if rank == "T" else rank for rank in ranks)}
    for place, rank in enumerate(ranks[:2], 1):
        behind = "" if place == 1 else f"_{place}"
        parts |= {f"{form}{behind}": rank_text(rank, form) for form in FORMS}
    return phrase(f"hand_{code}", **parts)


def rank_text(rank: str, form: str) -> Text:
    """A rank in one of its forms: "K", of: kings."""
    key, place = f"rank_{rank.lower()}", FORMS.index(form)
    return {language: form_of(entries(language)[key].text, place) for language in LANGUAGES}


def form_of(text: str, form: int) -> str:
    """One form of a word; a language that tells fewer apart writes fewer, and its last one is the rest."""
    forms = text.split("|")
    return forms[min(form, len(forms) - 1)]
