"""Secrets, certificates, and what a failed connection means for people."""

import socket
import ssl
from pathlib import Path

from controller.errors import ConfigError


class _Socket(ssl.SSLSocket):
    """Closes itself when the other side is not trusted; paho would leave it open."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def secret(folder: Path, name: str, key: str) -> str:
    """The content of a password or key file beside table.toml; "" where none is named."""
    if not name:
        return ""
    try:
        found = (folder / name).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"[mqtt], key {key!r}: {folder / name} cannot be read ({error}): mend the path or its rights"
        ) from error
    if not found:
        raise ConfigError(f"[mqtt], key {key!r}: {folder / name} is empty: write the secret into it")
    return found


def tls(folder: Path, ca_file: str) -> ssl.SSLContext:
    """Certificates and host names are checked; `ca_file` names an authority of the house."""
    try:
        context = ssl.create_default_context(cafile=str(folder / ca_file) if ca_file else None)
    except OSError as error:
        raise ConfigError(
            f"[mqtt], key 'ca_file': {folder / ca_file} is no certificate ({error}): mend the path"
        ) from error
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
