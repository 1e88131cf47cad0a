"""A script through readers, with the dealer that is wished for: each at a table of its own."""

from typing import Literal

from msgspec.structs import replace

from simulator.models.models import Model
from simulator.models.people import as_people_do
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

    def play(self, script: Script, dice: Dice) -> Verdict:
        noise = replace(self.noise, seed=dice.getrandbits(32))
        script = as_people_do(script, self.models)
        table = TABLES[self.dealer](script, noise, self.models, dice)
        table.count_in()
        return table.play()
