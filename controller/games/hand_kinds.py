"""Kinds of hands that win, and which cards make them: `ranking.py` says what each is."""

from typing import Literal

Kind = Literal["high", "short_high", "low8", "razz", "low27", "badugi", "badugi27"]
Uses = Literal["any", "two", "all"]
