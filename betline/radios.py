"""What boards tell of their radios: the words for it, and what is wrong with one. No port here."""

from collections.abc import Iterator

from firmware_bridge.bridge import Antenna, Bridge
from firmware_bridge.drivers.tablelink import Tablelink
from firmware_bridge.wire.tablelink_asking import Health

SLOW_US = 1000  # a transaction of 16 bytes takes 30 us of an SPI at 5 MHz, and the interpreter some more
LOST_MOST, NOISE_MOST = 10, 50


def told_by(bridge: Bridge) -> dict[Antenna, Health]:
    """The last word of each radio, by its first antenna; most readers never say one."""
    return {
        (reader, number): health
        for reader, port in bridge.ports.items()
        if isinstance(port.driver, Tablelink)
        for number, health in sorted(port.driver.health.items())
    }


def figures(told: Health) -> str:
    counts = f"{told.collisions} collisions, {told.noise} noise, {told.retries} asked twice, {told.lost} lost"
    heat = ", too hot" if told.hot else ""
    return f"{told.worst_us} us a transaction at most, level {told.level}, {counts}{heat}"


def troubles(told: Health) -> Iterator[tuple[str, str]]:
    """What is wrong, and what to do."""
    if told.hot:
        yield "its chip is too hot", "more air around it, or fewer antennas that are always on"
    if told.lost > LOST_MOST:
        text = f"{told.lost} transactions with its chip ended in vain"
        yield text, "5 V and 3.3 V at its module, shorter leads of SPI and BUSY, a common ground"
    if told.noise > NOISE_MOST:
        text = f"{told.noise} answers could not be told apart even by all bits"
        yield text, "metal, a display or a charger near it; then its tuning"
    if told.worst_us > SLOW_US:
        yield f"a transaction took {told.worst_us} us", "its BUSY lead; SPI_BAUD in board.py"
