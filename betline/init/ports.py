"""Who is at each serial port: asks in the words of every reader family, and sets nothing."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from betline.doctor.readers import identify
from firmware_bridge.bridge import ReaderSetup
from firmware_bridge.drivers import catalog
from firmware_bridge.events import Value
from firmware_bridge.port_cures import holders, present, trouble_of

FIRST = "tablelink"  # most likely, and quickest to say so


class Found(Value, frozen=True):
    """A port, and what answers there."""

    port: str
    driver: str = ""  # "": nobody that a driver understands
    baud: int | None = None  # None: the usual speed of the family
    why: str = ""  # why it was not asked


def look(ports: Sequence[str] = ()) -> tuple[Found, ...]:
    """All ports that are plugged in, or these, asked at the same time."""
    wanted = ports or present()
    with ThreadPoolExecutor(max_workers=len(wanted) or 1) as pool:
        return tuple(pool.map(_who, wanted))


def _who(port: str) -> Found:
    why = trouble_of(port) or _held(port)
    if why:
        return Found(port, why=why)
    answer = identify(ReaderSetup("init", FIRST, port))
    if answer is None:
        return Found(port)
    usual = catalog.make(answer.driver).settings.baud
    return Found(port, answer.driver, None if answer.baud == usual else answer.baud)


def _held(port: str) -> str:
    names = holders(port) if port.startswith("/") else ()
    return f"{port}: {', '.join(names)} has it open" if names else ""
