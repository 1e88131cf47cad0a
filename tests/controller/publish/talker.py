"""Appends events for ever and tells them: python talker.py FOLDER PORT. Made to be killed at any moment."""

import sys
import time
from pathlib import Path

from controller.table.events import TurnPassed
from tests.controller.publish.table import MOVED, RULED, Table, snapshot


def main(folder: Path, port: int) -> None:
    table = Table(folder, port)
    table.publisher.start()
    while True:
        table.append(MOVED, RULED, TurnPassed(5))
        table.publisher.state(snapshot(table.journal.last_n))
        while not table.work.empty():
            table.work.get()
            table.publisher.exchange(table.journal)
        time.sleep(0.001)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
