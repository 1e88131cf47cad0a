"""Ranks and suits as cards are written: "As", "Td", "7c"."""

RANKS = "23456789TJQKA"  # low to high
SUITS = "cdhs"  # low to high, where a suit decides
