"""From a checked configuration to the parts of the core. Pure: reads no file."""

from controller.config import Config, place_of
from controller.core import Core
from controller.engine.engine import Engine
from controller.engine.state import State
from controller.registry import Registry
from controller.rulings.rules import Rules
from controller.tracking import rates
from controller.tracking.layout import Antenna, Layout
from controller.tracking.tracker import Tracker
from firmware_bridge.bridge import ReaderSetup

DEFAULT_STEPS = 4  # m of the sequential test where it is "auto" and nothing was measured yet
DEFAULT_STRAY, DEFAULT_MISS = 0.01, 0.05  # where only the other one was measured


def layout(config: Config) -> Layout:
    """Which antenna is which place, and the times of the sequential test.

    Without any tray antenna nobody can say which chip is still on its way, so the quiet time doubles.
    """
    reading = config.reading
    return Layout(
        antennas=tuple(Antenna(a.reader, a.number, place_of(a), a.tags) for a in config.antenna),
        quiet_ms=reading.quiet_ms if config.sensors.trays else 2 * reading.quiet_ms,
        hold_ms=reading.hold_ms,
        steps=rates.playing_steps(noise(config), DEFAULT_STEPS) if reading.steps == "auto" else reading.steps,
    )


def noise(config: Config) -> tuple[rates.Noise, ...]:
    """What table.toml declares of its antennas, each that was measured."""
    return tuple(
        rates.Noise(
            max(rates.LEAST_MISS, DEFAULT_MISS if a.miss is None else a.miss),
            max(rates.LEAST_STRAY, DEFAULT_STRAY if a.stray is None else a.stray),
            a.burst,
        )
        for a in config.antenna
        if a.miss is not None or a.stray is not None
    )


def engine(config: Config, registry: Registry, rules: Rules) -> Engine:
    return Engine(registry.values, rules, config.house, config.sensors)


def core(config: Config, registry: Registry, rules: Rules, state: State | None = None) -> Core:
    """A core in the state that a journal left, or a fresh one."""
    made = engine(config, registry, rules)
    tracker = Tracker(registry, layout(config))
    if state is None:
        state = made.initial(config.table.seats, config.game)
    else:
        tracker.restore(state.places)
    return Core(made, tracker, state, (reader.id for reader in config.reader))


def readers(config: Config) -> tuple[ReaderSetup, ...]:
    """The readers for the bridge, each with the antennas that are configured for it."""
    return tuple(
        ReaderSetup(
            reader.id,
            reader.driver,
            reader.port,
            tuple(a.number for a in config.antenna if a.reader == reader.id),
            dict(reader.options),
        )
        for reader in config.reader
    )
