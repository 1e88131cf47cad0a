"""Other people's programs, measured beside ours where they are installed. Nothing of them is copied or shipped.

rfid-r200 (GPL-3) declares Python 3.12 but runs on 3.11; its wheel installs a package named `src`. pyImpinj (MIT) pins a
version of libscrc that cannot be had any more, and runs with the newest: it is installed without what it pins.
"""

import importlib
from typing import Any


class MissingPeerError(Exception):
    """The peer cannot be measured here; says why, and what to install."""


def rfid_r200() -> Any:
    return _first_of("rfid-r200", "src.rfid_r200.utils", "rfid_r200.utils")


def nfcpy() -> tuple[Any, Any]:
    """Its PN532 chip set and its serial transport."""
    return _first_of("nfcpy", "nfc.clf.pn532"), _first_of("nfcpy", "nfc.clf.transport")


def uhfreader18() -> Any:
    return _first_of("uhfreader18", "uhfreader18")


def chafon_rfid() -> tuple[Any, Any]:
    """Its transport, and the frames of the family that answers in layout 18."""
    package = "wabson.chafon-rfid"
    return _first_of(package, "chafon_rfid.transport"), _first_of(package, "chafon_rfid.uhfreader18")


def py_impinj() -> Any:
    return _first_of("--no-deps pyImpinj", "pyImpinj")


def rdm6300() -> Any:
    return _first_of("rdm6300", "rdm6300")


def metratec_rfid() -> Any:
    return _first_of("metratec_rfid", "metratec_rfid.hf_reader_ascii")


def pokerkit() -> Any:
    return _first_of("pokerkit", "pokerkit")


def phevaluator() -> Any:
    return _first_of("phevaluator", "phevaluator")


def _first_of(package: str, *modules: str) -> Any:
    why = ""
    for name in modules:
        try:
            return importlib.import_module(name)
        except Exception as error:  # noqa: BLE001  -- whatever a peer raises at import, it costs its own rows only
            why = why or f"{type(error).__name__}: {error}"
    raise MissingPeerError(f"{package} cannot be loaded ({why}): pip install --ignore-requires-python {package}")
