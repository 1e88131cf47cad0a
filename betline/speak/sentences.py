"""What a table says aloud: one sentence a ruling, and each question once. Pure.

"Seat 4: Call 600, 400 back"
"""

from controller.snapshot import Language, RulingView, Snapshot
from controller.texts.languages import pick, writing
from controller.texts.sentences import phrase

Said = tuple[object, ...]  # what tells one ruling or question from another


class Listener:
    """Knows what was said; what stood there before it came is not said again."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._ruling: Said | None = None
        self._question: Said | None = None
        self._began = False

    def news(self, seen: Snapshot) -> tuple[str, ...]:
        """The sentences of what is new in this snapshot."""
        ruling, question = _ruling(seen), _question(seen)
        said = []
        if self._began and seen.ruling is not None and ruling != self._ruling:
            said.append(self._sentence(seen.ruling))
        if self._began and seen.question is not None and question != self._question:
            said.append(pick(seen.question.text, self._language))
        self._began, self._ruling, self._question = True, ruling, question
        return tuple(_aloud(sentence) for sentence in said)

    def _sentence(self, ruling: RulingView) -> str:
        parts = [pick(ruling.headline, self._language)]
        for key, name, amount in (("label_change", "change", ruling.change_due), ("label_add", "add", ruling.must_add)):
            if amount:
                parts.append(phrase(key, **{name: amount})[self._language])
        return writing(self._language).comma.join(dict.fromkeys(parts))


def _ruling(seen: Snapshot) -> Said | None:
    one = seen.ruling
    if one is None:
        return None
    return seen.hand_number, seen.street, one.seat, one.action, one.total_to, one.change_due, one.must_add


def _question(seen: Snapshot) -> Said | None:
    return None if seen.question is None else (seen.question.id, seen.question.seat)


def _aloud(sentence: str) -> str:
    """As a speech program reads it: numbers in one piece."""
    return sentence.replace("\u202f", "").replace("\u00a0", " ")
