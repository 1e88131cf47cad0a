"""Do the events of a journal follow on one another, and do the states that it kept say the same? Pure."""

from collections.abc import Mapping

from controller.errors import JournalError
from controller.journal import kept
from controller.journal.rows import Row, follow
from controller.table.state import State


class Followed:
    """Goes along the rows, from the first one on. Without the table before anything happened it follows nothing."""

    def __init__(self, fresh: State | None, states: Mapping[int, tuple[str, bool, State | None]]) -> None:
        self._state = fresh
        self._kind = None if fresh is None else kept.kind_of(fresh)
        self._states = states

    def fault(self, row: Row | None) -> str | None:
        """Why the row cannot follow on the table, or the state that was kept behind it is another."""
        if row is None:
            self._state = None
            return None
        if self._state is not None:
            try:
                self._state = follow(self._state, row)
            except JournalError as error:
                self._state = None
                return str(error)
        return self._fault_kept(row.seq)

    def _fault_kept(self, seq: int) -> str | None:
        if seq not in self._states:
            return None
        kind, fits, state = self._states[seq]
        if not fits:
            return f"the table that was kept behind event {seq} does not fit it: it was changed or damaged"
        if self._state is not None and kind == self._kind and state != self._state:
            return f"the table that was kept behind event {seq} is not the one that the events lead to"
        return None
