"""Acts in time: hands lift items off one antenna, carry them through the air, and lay them down on another.

One act takes as long as hands need for it: chips of one motion leave and arrive within a few tenths of a second of each
other, cards and heaps likewise. In between an item is in no field. Words come out when they are spoken. Time is given;
nothing here waits.
"""

import heapq
from collections.abc import Callable, Mapping
from itertools import count

from controller.commands import By, Command, Say
from controller.places import Moved, Place, Zone
from firmware_bridge.events import Value
from simulator import acts
from simulator.acts import Act
from simulator.field import Field
from simulator.players import Dice

MS = 1_000_000
CARRY_MS = (250, 700)  # through the air
SPREAD_MS = 220  # between the first and the last item of one motion
HEAP_MS = 25  # more for each item of a heap beyond the first ten
PLAY_MS = (800, 3000)  # chips riffled in the hand


class Spoken(Value, frozen=True):
    at_ns: int
    command: Command
    by: By


class Performance:
    """People's hands over one field. `tags` are the tags of the items, by name.

    `dribble_ms`: from the first to the last chip of a push where they come one by one; `began` hears of every act.
    """

    def __init__(
        self,
        field: Field,
        tags: Mapping[str, str],
        dice: Dice,
        speed: float = 1.0,
        *,
        dribble_ms: int = 0,
        began: Callable[[Act], None] = lambda _: None,
    ) -> None:
        self.field = field
        self._tags = tags
        self._dice = dice
        self._speed = speed
        self._dribble_ms = dribble_ms
        self._began = began
        self._due: list[tuple[int, int, str, Place | None]] = []  # when, order, tag, where to (None: up in the air)
        self._order = count()

    def lay_out(self, lies: Mapping[str, Place]) -> None:
        """Everything on its place before the first hand."""
        heaps: dict[Place, list[str]] = {}
        for item, place in lies.items():
            heaps.setdefault(place, []).append(self._tags[item])
        for place, tags in heaps.items():
            self.field.lay(tags, place)

    def begin(self, act: Act, at_ns: int) -> tuple[int, Spoken | None]:
        """Begin an act; gives when its last item lies still, and what was said with it."""
        self._began(act)
        match act:
            case acts.Say(seat, word, heard):
                return at_ns, Spoken(at_ns, Say(seat, word), heard)
            case acts.Key(command):
                return at_ns, Spoken(at_ns, command, "dealer")
            case acts.Riffle(_, chips):
                lifted = self._carry(act.moves[: len(chips)], at_ns)
                played = lifted + self._ns(self._dice.pause(*PLAY_MS))
                return self._carry(act.moves[len(chips) :], played), None
            case acts.MakeChange():
                return self._one_by_one(act.moves, at_ns), None
            case acts.PushChips(_, chips) if self._dribble_ms and len(chips) > 1:
                return self._dribble(act.moves, at_ns), None
            case _:
                return self._carry(act.moves, at_ns), None

    def _one_by_one(self, moves: tuple[Moved, ...], at_ns: int) -> int:
        """Change is made way by way: first the large chip is taken, then the small ones are given."""
        ways = dict.fromkeys((move.origin, move.target) for move in moves)
        for way in ways:
            at_ns = self._carry(tuple(move for move in moves if (move.origin, move.target) == way), at_ns)
        return at_ns

    def _dribble(self, moves: tuple[Moved, ...], at_ns: int) -> int:
        """Chip by chip, the last of them so much after the first; a hand of its own for each."""
        pause_ns = self._ns(self._dribble_ms) // (len(moves) - 1)
        starts = [at_ns + number * pause_ns for number in range(len(moves))]
        return max([self._carry((move,), start_ns) for move, start_ns in zip(moves, starts, strict=True)])

    def _carry(self, moves: tuple[Moved, ...], at_ns: int) -> int:
        spread = SPREAD_MS + HEAP_MS * max(0, len(moves) - 10)
        carry = self._dice.pause(*CARRY_MS)
        last = at_ns
        for move in moves:
            up = at_ns + self._ns(self._dice.randrange(spread))
            down = up + self._ns(carry + self._dice.randrange(spread))
            tag = self._tags[move.item]
            heapq.heappush(self._due, (up, next(self._order), tag, None))
            if move.target.zone is not Zone.IN_HAND:
                heapq.heappush(self._due, (down, next(self._order), tag, move.target))
            last = max(last, down)
        return last

    def _ns(self, ms: int) -> int:
        return int(ms * MS / self._speed)

    def due_ns(self) -> int | None:
        """When something is lifted or laid down next."""
        return self._due[0][0] if self._due else None

    def advance(self, to_ns: int) -> None:
        """Lift and lay down everything that is due."""
        while self._due and self._due[0][0] <= to_ns:
            _, _, tag, place = heapq.heappop(self._due)
            if place is None:
                self.field.lift((tag,))
            else:
                self.field.lay((tag,), place)
