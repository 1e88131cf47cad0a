"""The gate that every door asks: what a signed command may do, once.

gate = Gate("home", KeyFile(path).find, Taken(path))
gate.signed(Signed(...), wall_s)        # Allowed(command, grant), or Refused(why)
judge(command, grant)                   # of somebody whom a door knows otherwise (controller/authority/roles.py)
"""

import logging
import threading
from collections.abc import Callable

from controller.authority.roles import Allowed, Judged, Refused, judge
from controller.authority.signing import Key, Signed, fault_of
from controller.authority.taken import Taken
from controller.errors import ConfigError, WordsError
from controller.spoken import parse

Find = Callable[[str], Key | None]
_LOG = logging.getLogger("betline.authority")


class Gate:
    """Any thread may ask."""

    def __init__(self, table: str, find: Find = lambda _: None, taken: Taken | None = None) -> None:
        self._table = table
        self._find = find
        self._taken = taken if taken is not None else Taken()
        self._lock = threading.Lock()

    def signed(self, said: Signed, wall_s: float) -> Judged:
        """Believed, fresh, allowed and new; only then is its id taken."""
        with self._lock:
            try:
                key = self._find(said.key)
                why = fault_of(self._table, key, said, wall_s)
                if why is not None or key is None:
                    return Refused(why or "without authority")
                judged = judge(parse([said.words]), key.grant)
            except (ConfigError, WordsError) as error:
                return Refused(str(error))
            if isinstance(judged, Allowed) and (why := self._taken.take(said.key, said.id, said.time)) is not None:
                return Refused(why)
            _LOG.info("%s (%s): %r: %s", key.name, key.role, said.words[:60], getattr(judged, "why", "handed on"))
            return judged

    def once(self, identity: str) -> str | None:
        """Take the id of a command without a key; why not, where it was taken before."""
        return self._taken.take("", identity, None)
