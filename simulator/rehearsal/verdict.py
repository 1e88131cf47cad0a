"""Whether a hand was decided as it was recorded: every action, the pots, and the stacks in the end."""

from collections.abc import Iterable
from typing import Protocol

from controller.games.catalog import variants
from controller.rulings.values import Reading
from controller.table import events as e
from firmware_bridge.events import Value
from simulator.books import Decision
from simulator.script import Script


class Mismatch(Value, frozen=True):
    hand: str
    why: str


class Verdict(Value, frozen=True):
    """What became of one hand."""

    actions: int  # recorded decisions
    wrong_rulings: int  # final rulings that differ from what was recorded
    asked: int  # questions to the dealer or the floor, agreement included
    alarms: tuple[str, ...]
    mismatch: Mismatch | None
    rounds_to_final: tuple[int, ...] = ()  # of the spot, from first sighting to final ruling
    engine_ns: int = 0  # spent in the engine alone
    doubted_wrong: int = 0  # wrong rulings that carried a doubt which named the right reading
    reopened: int = 0  # wrong rulings that the table itself asked about anew, what was meant first
    needless: int = 0  # questions whose first reading was right
    corrections: int = 0  # words, keys and answers by which the dealer put the table right
    agreed: int = 0  # pushes that were shown rightly and ended only when the dealer agreed
    stuck: bool = False  # the hand could not go on
    provisional_ms: tuple[int, ...] = ()  # from chips at rest to the first right ruling shown, for each push
    final_ms: tuple[int, ...] = ()  # and to the final one
    table_ms: int = 0  # the hand took at the table


class Witness:
    """Watches the events of one hand.

    Rulings are compared seat by seat, in the order of each seat's own actions: who folds out of turn folds all the same
    (TDA 2024 53-A), and cards that were read late are a fold that was ruled late.
    """

    def __init__(self, script: Script) -> None:
        self.script = script
        self.rulings: list[e.Ruled] = []
        self.left: dict[int, list[Decision]] = {seat: [] for seat in script.setting.stacks}
        for decision in script.decisions:
            self.left[decision.seat].append(decision)
        self.wrong: list[str] = []
        self.last: Decision | None = None  # what the last ruling should be
        self.pots: tuple[e.PotAmount, ...] = ()
        self.won: dict[int, int] = {}
        self.stacks: dict[int, int] | None = None
        self.street = 0
        self.asked = 0
        self.alarms: list[str] = []

    def expected(self, seat: int | None) -> Decision | None:
        """What the seat's next action should be; None: it has none left."""
        left = self.left.get(seat or 0)
        return left[0] if left else None

    def _compare(self, ruled: e.Ruled) -> None:
        number, decision = len(self.rulings), self.expected(ruled.seat)
        if decision is None:
            self.wrong.append(f"ruling {number}: {_ruled(ruled)}, and no action of this seat is left")
            return
        self.last = self.left[ruled.seat].pop(0)
        if not same(decision, ruled.seat, ruled.reading) or decision.street != self.street:
            self.wrong.append(f"ruling {number}: recorded {self._recorded(decision)}, ruled {_ruled(ruled)}")

    def see(self, events: Iterable[e.Event]) -> None:
        for event in events:
            match event:
                case e.Ruled():
                    self.rulings.append(event)
                    self._compare(event)
                case e.StreetOpened():
                    self.street += 1
                case e.BetsSwept(pots=pots):
                    self.pots = pots
                case e.PotAwarded(shares=shares):
                    for share in shares:
                        self.won[share.seat] = self.won.get(share.seat, 0) + share.amount
                case e.HandEnded(stacks=stacks):
                    self.stacks = {share.seat: share.amount for share in stacks}
                case e.Asked():
                    self.asked += 1
                case e.Overruled(seat=seat, reading=reading):
                    self._overruled(seat, reading)
                case e.Alarmed(key=key):
                    self.alarms.append(key)
                case e.Refused(why=why):
                    self.alarms.append(f"refused: {why}")
                case _:
                    pass

    def _overruled(self, seat: int, reading: Reading) -> None:
        """A word that came late confirms the last ruling, or spoils it."""
        if self.last is not None and not same(self.last, seat, reading):
            self.wrong.append(f"recorded {self._recorded(self.last)}, overruled to {reading.action} {reading.total_to}")

    def _recorded(self, decision: Decision) -> str:
        played, _ = variants()[self.script.hand.variant]
        street = played.streets[decision.street].name
        return f"seat {decision.seat} {decision.kind} {decision.total} on the {street}"

    def verdict(self) -> Verdict:
        why = next(iter(self.wrong), None) or self._count() or self.ended_otherwise()
        return Verdict(
            actions=len(self.script.decisions),
            wrong_rulings=len(self.wrong),
            asked=self.asked,
            alarms=tuple(self.alarms),
            mismatch=Mismatch(self.script.hand.name, why) if why else None,
        )

    def ended_otherwise(self) -> str | None:
        """What pots and stacks in the end are not as recorded; None: they are."""
        return self._pots() or self._won() or self._stacks()

    def _count(self) -> str | None:
        recorded, ruled = len(self.script.decisions), len(self.rulings)
        return None if recorded == ruled else f"{recorded} actions recorded, {ruled} ruled"

    def _pots(self) -> str | None:
        recorded = [(pot.amount, set(pot.seats)) for pot in self.script.pots]
        decided = [(pot.amount, set(pot.seats)) for pot in self.pots]
        return None if recorded == decided else f"pots by the record {_said(recorded)}, decided {_said(decided)}"

    def _won(self) -> str | None:
        if self.script.won is None or self.won == self.script.won:
            return None
        return f"won by the record {self.script.won}, awarded {self.won}"

    def _stacks(self) -> str | None:
        if self.script.finishing is None:
            return None
        if self.stacks is None:
            return "the hand did not end"
        ended = {seat: self.stacks.get(seat) for seat in self.script.finishing}
        return None if ended == self.script.finishing else f"stacks recorded {self.script.finishing}, decided {ended}"


class Outcome(Protocol):
    """A reading, or what a screen shows of one."""

    @property
    def action(self) -> str: ...
    @property
    def total_to(self) -> int: ...


def same(decision: Decision, seat: int | None, reading: Outcome) -> bool:
    """Whether a ruling is the recorded action: its player, its kind, and what it comes to.

    What nobody else can match comes back: totals are alike from there on.
    """
    kind = reading.action.removeprefix("all_in_")
    most = decision.most or reading.total_to
    alike = min(reading.total_to, most) == min(decision.total, most)
    return seat == decision.seat and kind == decision.kind and (kind == "fold" or alike)


def _ruled(ruled: e.Ruled) -> str:
    return f"seat {ruled.seat} {ruled.reading.action} {ruled.reading.total_to} ({ruled.reading.rule}, by {ruled.by})"


def _said(pots: list[tuple[int, set[int]]]) -> str:
    return " + ".join(f"{amount} for {'/'.join(map(str, sorted(seats)))}" for amount, seats in pots) or "none"
