"""Writes a journal in child processes and kills each with SIGKILL at a random moment: python journal_killer.py FILE ROUNDS SEED.

A child tells every batch on a pipe after `append` returned. Whatever was told must be in the file afterwards.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

from controller.journal.book import Journal
from controller.places import BANK, POT, Moved
from controller.table.events import ItemsMoved, TurnPassed


def write_for_ever(path: Path, told: int) -> None:
    journal = Journal.open(path, boot="boot")
    while True:
        moved = ItemsMoved((Moved("r100-001", BANK, POT),), "sweep")
        rows = journal.append([(moved, 1, 2), (TurnPassed(3), 3, 4), (TurnPassed(None), 5, 6)])
        os.write(told, b"%d\n" % rows[-1].seq)


def main(path: Path, rounds: int, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(rounds):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            write_for_ever(path, writing)
        os.close(writing)
        # Either wait until the child writes, or kill it while it still opens or makes the file.
        first = os.read(reading, 1) if chance.random() < 0.7 else b""
        time.sleep(chance.random() * 0.02)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        text = first
        while chunk := os.read(reading, 65536):
            text += chunk
        os.close(reading)
        promised = max((int(line) for line in text.decode().splitlines() if line), default=0)
        check(path, promised)
    print("kept", flush=True)


def check(path: Path, promised: int) -> None:
    journal = Journal.open(path, boot="boot")
    verdict = journal.verify()
    journal.close()
    assert not verdict.faults, verdict.faults
    assert verdict.rows >= promised, (verdict.rows, promised)
    assert verdict.rows % 3 == 0, f"half a batch: {verdict.rows}"
    assert verdict.public == verdict.rows * 2 // 3
    if verdict.rows > 3000:  # keep every check quick
        path.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
