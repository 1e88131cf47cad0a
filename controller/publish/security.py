"""Secrets, certificates, and what a failed connection means for people."""

import os
import socket
import ssl
from pathlib import Path

from controller.config.config import MqttSection
from controller.errors import ConfigError
from firmware_bridge.files import no_file


class Secrets:
    """Password and certificates of [mqtt], read once."""

    def __init__(self, password: str = "", tls: ssl.SSLContext | None = None) -> None:
        self.password, self.tls = password, tls

    @classmethod
    def of(cls, settings: MqttSection, folder: Path) -> "Secrets":
        """Names are relative to `folder`. ConfigError where a file cannot be used."""
        return cls(
            secret(folder, settings.password_file, "password_file"),
            tls(folder, settings.ca_file) if settings.tls else None,
        )


class _Socket(ssl.SSLSocket):
    """Closes itself when the other side is not trusted; paho would leave it open."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def place_of(folder: Path, name: str) -> Path:
    """Where a secret lies: among the credentials that systemd gave this unit, else beside table.toml."""
    given = os.environ.get("CREDENTIALS_DIRECTORY")
    credential = Path(given) / name if given and "/" not in name else None
    return credential if credential is not None and credential.exists() else folder / name


def secret(folder: Path, name: str, key: str) -> str:
    """The content of a password file beside table.toml; "" where none is named."""
    if not name:
        return ""
    path = place_of(folder, name)
    try:
        fault = no_file(path)
        found = path.read_text(encoding="utf-8").strip() if fault is None else ""
    except (OSError, ValueError) as error:
        why = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", error)
        raise ConfigError(f"[mqtt], key {key!r}: {path} cannot be read ({why}): mend the path or its rights") from error
    if fault is not None:
        raise ConfigError(f"[mqtt], key {key!r}: {path} {fault}")
    if not found:
        raise ConfigError(f"[mqtt], key {key!r}: {path} is empty: write the secret into it")
    if not found.isprintable():
        raise ConfigError(f"[mqtt], key {key!r}: {path} has more than one line: only the secret may be in it")
    return found


def tls(folder: Path, ca_file: str) -> ssl.SSLContext:
    """Certificates and host names are checked; `ca_file` names an authority of the house."""
    path = folder / ca_file
    fault = no_file(path) if ca_file else None
    if fault is not None:
        raise ConfigError(f"[mqtt], key 'ca_file': {path} {fault}")
    try:
        context = ssl.create_default_context(cafile=str(path) if ca_file else None)
    except (OSError, ValueError) as error:
        raise ConfigError(f"[mqtt], key 'ca_file': {path} is no certificate ({error}): mend the path") from error
    context.sslsocket_class = _Socket
    return context


def explain(error: OSError) -> str:
    """Why there is no connection, with the cure where it is known."""
    if isinstance(error, ssl.SSLCertVerificationError):
        clock = "; is the clock of this machine right?" if "not yet valid" in str(error) else ""
        return f"its certificate is not trusted ({error.verify_message}){clock}: see [mqtt] ca_file"
    if isinstance(error, socket.gaierror):
        return "its name is unknown: see [mqtt] host"
    if isinstance(error, ConnectionRefusedError):
        return "nobody listens there: start the broker, or see [mqtt] host and port"
    if isinstance(error, TimeoutError):
        return "it does not answer: see [mqtt] host and the network"
    return error.strerror or str(error)
