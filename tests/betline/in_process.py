"""The command line without a process of its own: the same arguments, output and status, a second sooner."""

import io
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

from betline.main import main


def betline(words: Sequence[object], cwd: Path | None = None) -> CompletedProcess[str]:
    """Run `betline WORDS...` in `cwd`, with nobody to answer questions."""
    arguments, before = ["betline", *map(str, words)], Path.cwd()
    out, err = io.StringIO(), io.StringIO()
    os.chdir(cwd or before)
    try:
        with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "argv", arguments):
            status = _status(err)
    finally:
        os.chdir(before)
    return CompletedProcess(arguments, status, out.getvalue(), err.getvalue())


def _status(err: io.StringIO) -> int:
    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, str):
            err.write(end.code + "\n")
            return 1
        return end.code or 0
    return 0
