"""From a checked configuration to the parts of the core. Pure: reads no file."""

from controller.config.config import AntennaSection, Config, ReaderSection, place_of
from controller.core.core import Core
from controller.engine.engine import Engine
from controller.places import Zone
from controller.registry.registry import Registry
from controller.rulings.rules import Rules
from controller.table.state import State
from controller.tracking import rates
from controller.tracking.layout import Antenna, Layout
from controller.tracking.noise import USUAL, Noise
from controller.tracking.tracker import Tracker
from firmware_bridge.bridge import ReaderSetup
from firmware_bridge.drivers import catalog
from firmware_bridge.scan_plan import SMALL_TAGS

QUICK = (Zone.SPOT, Zone.HOLE, Zone.BOARD)  # few tags, and what lies there changes most
DEFAULT_STEPS = 4  # m of the sequential test where it is "auto" and nothing was measured yet


def layout(config: Config) -> Layout:
    """Which antenna is which place, and the times of the sequential test.

    Without any tray antenna nobody can say which chip is still on its way, so the quiet time doubles.
    """
    reading = config.reading
    return Layout(
        antennas=tuple(Antenna(a.reader, a.number, place_of(a), a.tags, _declared(a)) for a in config.antenna),
        quiet_ms=reading.quiet_ms if config.sensors.trays else 2 * reading.quiet_ms,
        hold_ms=reading.hold_ms,
        steps=rates.playing_steps(noise(config), DEFAULT_STEPS) if reading.steps == "auto" else reading.steps,
        adapts=reading.steps == "auto",
    )


def noise(config: Config) -> tuple[Noise, ...]:
    """What table.toml declares of its antennas, each that was measured."""
    return tuple(declared for a in config.antenna if (declared := _declared(a)) is not None)


def _declared(antenna: AntennaSection) -> Noise | None:
    """What was measured there; where only one of the two was, the usual figure for the other."""
    if antenna.miss is None and antenna.stray is None:
        return None
    return Noise(
        max(rates.LEAST_MISS, USUAL.miss if antenna.miss is None else antenna.miss),
        max(rates.LEAST_STRAY, USUAL.stray if antenna.stray is None else antenna.stray),
        antenna.burst,
    )


def engine(config: Config, registry: Registry, rules: Rules) -> Engine:
    return Engine(registry.values, rules, config.house, config.sensors, config.game)


def core(config: Config, registry: Registry, rules: Rules, state: State | None = None, n: int = 0) -> Core:
    """A core in the state that a journal left, with the number of its last public event, or a fresh one."""
    made = engine(config, registry, rules)
    tracker = Tracker(registry, layout(config))
    if state is None:
        state = made.initial(config.table.seats, config.game)
    else:
        tracker.restore(state.places)
    return Core(made, tracker, state, (reader.id for reader in config.reader), n)


def readers(config: Config) -> tuple[ReaderSetup, ...]:
    """The readers for the bridge, each with the antennas that are configured for it."""
    return tuple(
        ReaderSetup(
            reader.id, reader.driver, reader.port, tuple(a.number for a in antennas), _options(reader, antennas)
        )
        for reader in config.reader
        for antennas in ([a for a in config.antenna if a.reader == reader.id],)
    )


def _options(reader: ReaderSection, antennas: list[AntennaSection]) -> dict[str, str | int | bool]:
    """Those of the file; and which antennas a radio of several scans often, where the file does not say.

    Bet spots, cards and antennas for few tags take a fifth of a second, a tray half a second and more.
    """
    options = dict(reader.options)
    if len(antennas) > 1 and "often" not in options and "often" in catalog.options_of(reader.driver):
        few = [a for a in antennas if a.place in QUICK or a.tags <= SMALL_TAGS]
        options["often"] = ",".join(str(a.number) for a in few)
    return options
