"""Scripts through readers, with the dealer that is wished for: each at a table of its own, or an evening at one."""

from typing import Literal

from msgspec.structs import replace

from controller.places import Place
from simulator.models.models import Model
from simulator.players import Dice
from simulator.radio import Noise
from simulator.rehearsal.human import HumanTable
from simulator.rehearsal.oracle import OracleTable
from simulator.rehearsal.table import Table
from simulator.rehearsal.verdict import Verdict
from simulator.script import Script

Dealer = Literal["oracle", "human"]
TABLES: dict[Dealer, type[Table]] = {"oracle": OracleTable, "human": HumanTable}


class ThroughReaders:
    """Plays scripts, each at a table of its own: fresh antennas, fresh baseline."""

    def __init__(self, noise: Noise, models: tuple[Model, ...] = (), dealer: Dealer = "oracle") -> None:
        self.noise, self.models, self.dealer = noise, models, dealer

    def open(self, script: Script, dice: Dice) -> Table:
        """A table that is counted in for the first hand."""
        noise = replace(self.noise, seed=dice.getrandbits(32))
        table = TABLES[self.dealer](script, noise, self.models, dice)
        table.count_in()
        return table

    def play(self, script: Script, dice: Dice) -> Verdict:
        return self.open(script, dice).play()


class ThroughAnEvening:
    """Plays scripts one after another at one table: what it has learned of its antennas, and what went wrong, stays."""

    def __init__(self, through: ThroughReaders) -> None:
        self._through = through
        self._table: Table | None = None
        self._end: dict[str, Place] | None = None  # where everything lies, if the hand before did not end

    def play(self, script: Script, dice: Dice) -> Verdict:
        if self._table is None:
            self._table = self._through.open(script, dice)
        else:
            self._table.begin(script)
            self._table.prepare(self._end)
        verdict = self._table.play()
        self._end = script.end if self._table.witness.stacks is None else None
        return verdict
