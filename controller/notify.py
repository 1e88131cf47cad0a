"""systemd's notify protocol (sd_notify(3)): ready, stopping, watchdog. Six lines, no library; silent elsewhere."""

import os
import socket


class Notify:
    """Sends datagrams to NOTIFY_SOCKET; without one every call does nothing."""

    def __init__(self) -> None:
        self._address = os.environ.get("NOTIFY_SOCKET", "")
        usec = os.environ.get("WATCHDOG_USEC", "")
        for_us = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog_s = int(usec) / 1e6 if usec.isdigit() and for_us else None  # None: no watchdog asked for

    def ready(self, status: str) -> None:
        self._send(f"READY=1\nSTATUS={status}")

    def status(self, status: str) -> None:
        self._send(f"STATUS={status}")

    def alive(self) -> None:
        """Feed the watchdog. Only the core thread calls this, so a stuck core is restarted."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def _send(self, text: str) -> None:
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            try:
                sender.sendto(text.encode(), address)
            except OSError:
                return  # the manager went away: nothing that the table could do about it
