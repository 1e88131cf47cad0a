"""From the bytes of readers to tags: our drivers, and the peers that read the same bytes.

Each takes the reads of a line, one after the other, and gives all tags in order. A peer gets what its own port would
give it, is asked for tags in the way that its makers meant, and goes on behind an error wherever it can.
"""

import io
import logging
import queue
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from benchmarks import peers
from benchmarks.wires import Family
from firmware_bridge.drivers import catalog
from firmware_bridge.events import ReaderEvent, ScanRound
from firmware_bridge.wire import pn532

MS = 1_000_000
Decode = Callable[[Sequence[bytes]], list[str]]


def ours(family: Family, reads: Sequence[bytes]) -> list[str]:
    """The whole driver, as `betline decode` runs it; reads a millisecond apart."""
    made = catalog.make(family.driver, options=family.options)
    made.start(0)
    found: list[str] = []
    for number, data in enumerate(reads, 1):
        found += _tags(made.receive(data, number * MS).events)
    end_ns = (len(reads) + 200) * MS
    return found + _tags(made.tick(end_ns).events) + _tags(made.flush(end_ns).events)


def _tags(events: Iterable[ReaderEvent]) -> list[str]:
    return [sighting.tag for event in events if isinstance(event, ScanRound) for sighting in event.sightings]


# ---------------------------------------------------------------- peers


def uhfreader18(reads: Sequence[bytes]) -> list[str]:
    stream = peers.uhfreader18().StreamBuffer()
    return [tag for data in reads for frame in stream.feed(data).frames for tag in _of_layout_18(frame.data)]


def _of_layout_18(data: bytes) -> Iterator[str]:
    """Its frames are whole; the tags are cut out of them here, as little as can be."""
    at = 1
    for _ in range(data[0] if data else 0):
        end = at + 1 + data[at]
        yield data[at + 1 : end].hex().upper()
        at = end


def chafon_rfid(reads: Sequence[bytes]) -> list[str]:
    """Its transport reads a length and as many bytes."""
    transport, reader = peers.chafon_rfid()
    line = transport.MockTransport(b"".join(reads))
    found: list[str] = []
    while line.pointer < len(line.data):
        try:
            frame = reader.G2InventoryResponseFrame(line.read_frame())
            found += [tag.epc.hex().upper() for tag in frame.get_tag()]
        except (ValueError, IndexError):
            continue
    return found


def py_impinj(reads: Sequence[bytes]) -> list[str]:
    told: queue.Queue[dict[str, Any]] = queue.Queue()
    line = peers.py_impinj().ImpinjProtocolFactory(told, told, address=1)
    for data in reads:
        try:
            line.data_received(data)
        except (IndexError, KeyError):
            continue
    return [item["epc"] for item in list(told.queue) if item.get("type") == "TAG"]


def rdm6300(reads: Sequence[bytes]) -> list[str]:
    module = peers.rdm6300()

    class Coil(module.BaseReader):  # type: ignore[misc, name-defined]
        def card_inserted(self, card: Any) -> None:
            found.append(f"{card.type:02X}{card.value:08X}")
            self.card = None  # the same card again counts again

    found: list[str] = []
    coil = Coil.__new__(Coil)
    coil.port, coil.card, coil.last_read_at, coil.heartbeat_interval = "memory", None, None, None
    coil.current_fragment, coil.serial = [], _Bytes(b"".join(reads), coil.stop)
    coil.start()
    return found


def metratec_rfid(reads: Sequence[bytes]) -> list[str]:
    """Its parser takes an answer to INV whole: cut here at the line that ends it, which its own port does not do."""
    reader_class = peers.metratec_rfid().HfReaderAscii
    reader = reader_class.__new__(reader_class)
    reader._last_inventory, reader._fire_empty_inventories, reader._custom_command = {"timestamp": None}, True, None
    reader._logger, reader._handle_data = logging.getLogger("metratec"), reader._data_received
    found: list[str] = []
    reader._cb_inventory = lambda tags: found.extend(tag.get_id() for tag in tags)
    for answer in re.findall(rb"(?s).*?IVF \d\d\r", b"".join(reads)):
        try:
            reader._connection_data_received(answer)
        except (ValueError, IndexError):
            continue
    return found


def rfid_r200(reads: Sequence[bytes]) -> list[str]:
    """It keeps nothing between two calls, so it gets all at once."""
    reader = peers.rfid_r200().CommonR200Interface()
    reader.debug = False
    found: list[str] = []
    for response in reader._parse_buffer(b"".join(reads)):
        try:
            pool, _ = reader._read_tags([response])
        except (RuntimeError, IndexError):
            continue
        found += [bytes(tag.epc).hex().upper() for tag in pool]
    return found


def nfcpy(reads: Sequence[bytes]) -> list[str]:
    """One command after the other, until all is read; its transport looks for no frame, it takes what comes."""
    nfc, transport = peers.nfcpy()
    line = transport.TTY.__new__(transport.TTY)
    memory = io.BytesIO(b"".join(reads))
    line.tty = MemoryPort(memory)
    chip = nfc.Chipset(line, logging.getLogger("nfc.clf.pn532"))
    found: list[str] = []
    while memory.tell() < len(memory.getbuffer()):
        try:
            found += of_a_list(chip.command(pn532.LIST, pn532.TWO_TYPE_A, 1.0))
        except (OSError, IndexError, TypeError, nfc.Chipset.Error):
            continue
    return found


def of_a_list(data: bytearray) -> Iterator[str]:
    """UIDs of a response to InListPassiveTarget, of cards without ATS."""
    at = 1
    for _ in range(data[0]):
        end = at + 5 + data[at + 4]
        yield data[at + 5 : end].hex().upper()
        at = end


class MemoryPort:
    """What stands for the serial port of nfcpy's transport."""

    def __init__(self, memory: io.BytesIO) -> None:
        self.timeout = 0.0
        self.read = memory.read

    def write(self, data: Any) -> None:
        """Commands go nowhere: their answers are in memory already."""

    def flushInput(self) -> None:  # noqa: N802  -- the name that the transport calls
        """Nothing is thrown away."""


class _Bytes:
    """A port that gives one byte a read, as these peers ask for them, and tells when there are no more."""

    def __init__(self, data: bytes, at_end: Callable[[], None]) -> None:
        self._left = iter(data)
        self._at_end = at_end

    def read(self) -> bytes:
        for byte in self._left:
            return bytes((byte,))
        self._at_end()
        return b""


# By driver: the peers on the package index that read the same bytes.
PEERS: dict[str, tuple[tuple[str, Decode], ...]] = {
    "chafon": (("uhfreader18", uhfreader18), ("chafon-rfid", chafon_rfid)),
    "em4100": (("rdm6300", rdm6300),),  # pyrfid names no tag on Python 3: it joins the codes of the digits
    "invelion": (("pyImpinj", py_impinj),),
    "m100": (("rfid-r200", rfid_r200),),
    "metratec": (("metratec_rfid", metratec_rfid),),
    "pn532": (("nfcpy", nfcpy),),
}
# Why the other drivers have none.
NO_PEER = {
    "feig": "no package reads OBID frames: obidrfid speaks XML over a network",
    "tablelink": "our own protocol",
    "thingmagic": "python-mercuryapi is the vendor's C library, which its package does not bring; it does not build",
    "uid-lines": "lines of sketches; python-fi50x reads another protocol, for which there is no driver",
}
