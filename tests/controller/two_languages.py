"""What tests compare of a text: its English and its Russian, however many languages there are."""

from controller.snapshot import Text


def both(text: Text | None) -> Text | None:
    return None if text is None else {language: text[language] for language in ("en", "ru")}
