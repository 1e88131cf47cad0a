"""How long people wait for the table: from chips at rest to the first right ruling shown, and to the final one."""

from controller.core.seen import Preview
from simulator.rehearsal.account import Account
from simulator.rehearsal.verdict import same

MS = 1_000_000


class Latency:
    """All times in nanoseconds; decisions by their number in the hand."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self._rested: dict[int, int] = {}
        self._shown: dict[int, int] = {}
        self._ruled: dict[int, int] = {}

    def rested(self, decision: int, at_ns: int) -> None:
        """The last chip of it that has moved so far lies still."""
        self._rested[decision] = at_ns

    def shown(self, previews: list[Preview], at_ns: int) -> None:
        for preview in previews:
            at, meant = self._account.expected(preview.seat), self._account.meant(preview.seat)
            chosen = None if preview.ruling is None else preview.ruling.chosen
            if at is not None and meant is not None and chosen is not None and same(meant, preview.seat, chosen):
                self._shown.setdefault(at, at_ns)

    def ruled(self, decision: int, at_ns: int) -> None:
        """A ruling on chips, before the account hears of it."""
        self._ruled.setdefault(decision, at_ns)

    def times(self, decision: int) -> tuple[int, int | None, int | None]:
        """When its last chip lay still, when the right ruling was first shown, and when it was final."""
        return self._rested.get(decision, 0), self._shown.get(decision), self._ruled.get(decision)

    def provisional_ms(self) -> tuple[int, ...]:
        """To the first right ruling on the screen: what is final at once is shown as well."""
        first = {at: min(self._shown.get(at, ruled), ruled) for at, ruled in self._ruled.items()}
        return self._since_rest(first)

    def final_ms(self) -> tuple[int, ...]:
        return self._since_rest(self._ruled)

    def _since_rest(self, times: dict[int, int]) -> tuple[int, ...]:
        """What was ruled before its chips lay still took no time."""
        return tuple(max(0, at - self._rested[one]) // MS for one, at in times.items() if one in self._rested)
