"""The log of readers: a line for each whose health changed, in the words of the screen, and no flood of them."""

import logging
from collections.abc import Mapping

from controller.core.reader_states import ReaderState

EVERY_NS = 10_000_000_000  # between two lines about one reader in the same state: faults may count something
NEVER_NS = -EVERY_NS
_LOG = logging.getLogger("betline")


class ReaderLog:
    def __init__(self) -> None:
        self._known: dict[str, ReaderState] = {}
        self._logged: dict[str, tuple[str, str]] = {}  # state and reason of the last line about it
        self._logged_ns: dict[str, int] = {}

    def look(self, readers: Mapping[str, ReaderState], now_ns: int) -> None:
        """Log what has changed since the last look."""
        for name, state in readers.items():
            if state is not self._known.get(name):
                self._known[name] = state
                self._changed(name, state, now_ns)

    def _changed(self, name: str, state: ReaderState, now_ns: int) -> None:
        if state.state not in {"lost", "fault"}:
            told = self._logged.pop(name, ("", ""))
            if told[0] == "lost" and state.state == "up":
                _LOG.warning("reader %s: up again", name)
            return
        told = state.state, state.why
        known = self._logged.get(name)
        again = known is not None and known[0] == told[0] and now_ns < self._logged_ns.get(name, NEVER_NS) + EVERY_NS
        if told != known and not again:
            self._logged[name], self._logged_ns[name] = told, now_ns
            _LOG.warning("reader %s: %s: %s", name, *told)
