"""The hand as the sensors see it. Prose here, the table below, and who may do what in which phase.

A hand starts by a key, by the first card on a hole antenna, or by a post. Posts are booked when their chips lie there,
at the latest when betting opens, which the last hole card, a key or the first action does. A round closes when all have
acted and are equal, or one is left; its bets count as swept when the spots are empty, at the latest when the next
street opens. A street opens at exactly as many cards at rest on the board as the game has by then, or by key. After the
last one, or when players who are all-in were called, tabled hands decide; where cards were not read, the dealer names
the winners. The pot goes to the seats as awarded; the next hand may start before.

    phase           enters by               without that sensor      leaves by
    counting in     start of the service    -                        all trays counted, or key
    between hands   hand ended              -                        key, first hole card, or a post
    posting         hand start              -                        all posts made, first hole card, first action
    dealing         first hole card         key or first action      all hole cards, or first action
    betting         dealing done, street    -                        all acted and equal, or one left
    sweeping        betting closed          -                        spots empty, or next street card
    street card     its cards at rest       key                      betting, or the next card of a run-out
    showdown        last one closed, all-in -                        tabled hands, award
    paying          award                   no pot antenna: at once  everybody paid, or next hand
"""

from enum import StrEnum


class Phase(StrEnum):
    COUNTING_IN = "counting_in"
    BETWEEN_HANDS = "between_hands"
    POSTING = "posting"
    DEALING = "dealing"
    BETTING = "betting"
    SWEEPING = "sweeping"
    STREET_CARD = "street_card"
    SHOWDOWN = "showdown"
    PAYING = "paying"


# Names for what is asked most: looking a member up in its enum costs more than the question (Python 3.11).
BETTING, SWEEPING, STREET_CARD, SHOWDOWN = Phase.BETTING, Phase.SWEEPING, Phase.STREET_CARD, Phase.SHOWDOWN
PAYING, BETWEEN_HANDS = Phase.PAYING, Phase.BETWEEN_HANDS

# Groups of phases. Tuples: a phase is found in a few of them faster than its hash is made.
BEFORE_ACTION = (Phase.POSTING, Phase.DEALING)
OPEN = (Phase.BETTING, Phase.POSTING, Phase.DEALING)
NO_HAND = (Phase.BETWEEN_HANDS, Phase.COUNTING_IN)
STREET_CARDS = (Phase.SWEEPING, Phase.STREET_CARD)
DECIDED = (Phase.SHOWDOWN, Phase.PAYING)
CLOSED = (*STREET_CARDS, *DECIDED, Phase.BETWEEN_HANDS)

# Where each phase may lead. An event that would lead elsewhere is a mistake of the engine's.
LEADS_TO: dict[Phase, frozenset[Phase]] = {
    Phase.COUNTING_IN: frozenset({Phase.BETWEEN_HANDS, Phase.POSTING}),
    Phase.BETWEEN_HANDS: frozenset({Phase.POSTING}),
    Phase.POSTING: frozenset({Phase.DEALING, Phase.BETTING}),
    Phase.DEALING: frozenset({Phase.BETTING}),
    Phase.BETTING: frozenset({Phase.SWEEPING}),
    Phase.SWEEPING: frozenset({Phase.STREET_CARD, Phase.SHOWDOWN, Phase.PAYING}),
    # Between hands: a dead small blind, and all folded to the big one: there is no pot to pay.
    Phase.STREET_CARD: frozenset({Phase.BETTING, Phase.STREET_CARD, Phase.SHOWDOWN, Phase.PAYING, Phase.BETWEEN_HANDS}),
    Phase.SHOWDOWN: frozenset({Phase.PAYING}),
    Phase.PAYING: frozenset({Phase.BETWEEN_HANDS}),
}
VOIDED = Phase.BETWEEN_HANDS  # a misdeal leads there from every phase of a hand


def entered(now: Phase, following: Phase) -> Phase:
    """The next phase, looked up in the table. AssertionError where no way leads there: nothing of the input counts."""
    assert following is now or following in LEADS_TO[now], f"no way leads from {now} to {following}"
    return following
