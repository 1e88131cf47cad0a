"""systemd's notify protocol (sd_notify(3)): ready, stopping, watchdog. Six lines, no library; silent elsewhere."""

import os
import socket

MEALS = 4  # sd_watchdog_enabled(3) advises two or more; a message costs 0.1 ms, and the core turns 100 times a second


class Notify:
    """Sends datagrams to NOTIFY_SOCKET; without one every call does nothing."""

    def __init__(self) -> None:
        self._address = os.environ.get("NOTIFY_SOCKET", "")
        usec = os.environ.get("WATCHDOG_USEC", "")
        for_us = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog_s = int(usec) / 1e6 if usec.isdigit() and for_us else None  # None: no watchdog asked for
        self._due_ns = 0  # when the watchdog is fed next

    def ready(self, status: str) -> None:
        self._send(f"READY=1\nSTATUS={status}")

    def status(self, status: str) -> None:
        self._send(f"STATUS={status}")

    def alive(self, at_ns: int) -> None:
        """Feed the watchdog, `MEALS` times in its interval at most; a manager that does not listen is not waited for.

        Only the core thread calls this, so a stuck core is restarted.
        """
        if self.watchdog_s is not None and at_ns >= self._due_ns:
            self._due_ns = at_ns + int(self.watchdog_s * 1e9) // MEALS
            self._send("WATCHDOG=1", socket.MSG_DONTWAIT)

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def _send(self, text: str, flags: int = 0) -> None:
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            try:
                sender.sendto(text.encode(), flags, address)
            except OSError:
                return  # the manager went away: nothing that the table could do about it
