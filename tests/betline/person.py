"""Somebody at a terminal of a betline command that runs as a process of its own."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PATIENCE_S = 60.0  # a limit for a broken build on a busy machine
HERE: list["Person"] = []  # who has not left


def take_interrupts() -> None:
    """Ctrl-C and hanging up as at a terminal, also in the background of a shell or under nohup, which ignore them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Person:
    """Somebody at a terminal: reads until something is shown, and types."""

    def __init__(self, command: str, *words: Any, cwd: Path | None = None) -> None:
        self.master, slave = os.openpty()
        environment = os.environ | {"TERM": "xterm", "COLUMNS": "120", "LINES": "40"}
        begun = [sys.executable, "-c", "from betline.main import main; main()", command, *map(str, words)]
        self.process = subprocess.Popen(
            begun,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            cwd=cwd,
            preexec_fn=take_interrupts,  # noqa: PLW1509  -- the child alone, before it runs anything
        )
        os.close(slave)
        HERE.append(self)
        self.shown = ""
        self._seen = 0

    def sees(self, text: str) -> None:
        """Wait until this is shown, behind what was waited for before."""
        end = time.monotonic() + PATIENCE_S
        while text not in self.shown[self._seen :]:
            assert time.monotonic() < end, f"{text!r} did not come: {self.shown[-2000:]}"
            if select.select([self.master], [], [], 1.0)[0]:
                self.shown += os.read(self.master, 4096).decode(errors="replace")
        self._seen = self.shown.index(text, self._seen) + len(text)

    def types(self, text: str) -> None:
        os.write(self.master, f"{text}\n".encode())

    def ends(self) -> int:
        try:
            while more := os.read(self.master, 4096):
                self.shown += more.decode(errors="replace")
        except OSError:  # EIO: it has ended
            pass
        self._hang_up()
        assert "Traceback" not in self.shown
        return self.process.wait(PATIENCE_S)

    def leaves(self) -> None:
        """Whatever is still running is stopped; nothing, after `ends`."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._hang_up()

    def _hang_up(self) -> None:
        if self.master >= 0:
            os.close(self.master)
            self.master = -1
