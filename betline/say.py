"""`betline say`: words and commands from a shell, sent over the dealer's socket."""

import socket
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from controller.errors import FeedError

HELP = """Say something to the table, as the dealer.

\b
betline say 4 raise to 600      what seat 4 said; also call, check, fold,
                                bet 300, raise by 400, all in, pot, tap;
                                of cards: draw 2, pat
betline say 4 call after        said after the chips were in
betline say confirm             also undo, redo, next, street, misdeal,
                                pause, resume, accept
betline say overrule 2          the second reading of the list shown;
                                also overrule raise to 600
betline say overrule seat 2 to 600     an older ruling: the last of
                                seat 2 in this round; also event 117,
                                as betline journal show numbers it
betline say answer 1            the same for an open question
betline say seat 5 out          also seat 5 in Anna
betline say stack 5 2000
betline say button 3
betline say blinds 100 200 200  small, big, ante
betline say bets 1:200 2:500 4:all-in  all bets of this round at once,
                                also 3:fold; seats that are not
                                named stay as they stand
betline say kill 3              the next hand is killed by seat 3
betline say 4 draw 2            changes two cards; pat: none
betline say opens 4             stud: seat 4 acts first
betline say up 4 Kd 7c          stud: its cards that lie face up
betline say show 2              also show all
betline say award 0 2 5         the main pot goes to seats 2 and 5;
                                award 0 2 / 5: high to 2, low to 5
betline say opens 4             stud: seat 4 acts first, where up
                                cards were not read
betline say up 4 Kd 7c          stud: the cards of seat 4 that lie up
betline say not a chip spot 3   the unknown tags there are none of ours
betline say out of turn         the last inferred check was none
betline say out of turn 5 call  what seat 5 said before its turn;
                                it waits, as chips out of turn do

Words may be said in any language of the table: betline say 4 рейз до 600
betline say --key anna.key 3 call      as the player whose key it is

The exit status is 0 only when the table did it.
"""


def run(
    words: Annotated[list[str], typer.Argument(help="What to say, as in: 4 raise to 600")],
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="table.toml; else the one here, else /etc/betline/table.toml.")
    ] = None,
    socket_file: Annotated[
        Path | None, typer.Option("--socket", help="The dealer's socket, instead of the one in table.toml.")
    ] = None,
    *,
    seen: Annotated[
        int | None, typer.Option(help="Number n of the snapshot that it is said to; without it the table as it is.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(help="Your key file (betline key add): then it is said as you, not as the dealer.")
    ] = None,
    timeout: Annotated[float, typer.Option(help="Seconds to wait for the answer.", min=0.1)] = 5.0,
) -> None:
    from controller.texts.said import command as command_of

    command = command_of(words)
    path = socket_file or _socket_of(config)
    said = {"id": "say", "command": command, "by": "say", "n": seen} if key is None else _signed(key, words, seen)
    error = ask(path, said, timeout)
    if error is not None:
        raise FeedError(error)
    typer.echo("ok")


run.__doc__ = HELP


def _signed(key: Path, words: list[str], seen: int | None) -> dict[str, Any]:
    from betline.key import signed

    said = signed(key, words, seen)
    proof = {"words": said.words, "key": said.key, "time": said.time, "sig": said.sig}
    return {"id": said.id, "by": "say", "n": said.n, **proof}


def _socket_of(given: Path | None) -> Path:
    from controller.config.config import beside, find, load

    file = find(given)
    return beside(file, load(file).sockets.dealer)


def _no_socket(path: Path) -> str:
    """Why nobody can listen at this name; "" where somebody may."""
    try:
        return "" if path.is_socket() else "is no socket" if path.exists() else "no such socket"
    except OSError as error:
        return error.strerror or str(error)


def tell(path: Path, command: Any, timeout_s: float, seen: int | None = None) -> str | None:
    """Send one command to a dealer's socket, as its dealer."""
    return ask(path, {"id": "say", "command": command, "by": "say", "n": seen}, timeout_s)


def ask(path: Path, said: dict[str, Any], timeout_s: float) -> str | None:
    """Send one line to a dealer's socket: None when it was done, else why not. FeedError where nobody answers."""
    import msgspec

    fault = _no_socket(path)
    if fault:
        raise FeedError(f"{path}: {fault}: start betline run, or name the socket with --socket")
    until = time.monotonic() + timeout_s
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(timeout_s)
        try:
            connection.connect(str(path))
            connection.sendall(msgspec.json.encode(said) + b"\n")
            with connection.makefile("rb") as lines:
                for line in lines:
                    answer = msgspec.json.decode(line)
                    if answer.get("id") == said["id"]:
                        error: str | None = answer.get("error")
                        return error
                    connection.settimeout(max(0.01, until - time.monotonic()))
        except TimeoutError:
            raise FeedError(f"{path}: no answer in {timeout_s:g} s: is the table busy? See betline doctor") from None
        except (OSError, msgspec.MsgspecError) as error:
            why = getattr(error, "strerror", None) or error
            raise FeedError(f"{path}: {why}: start betline run, or name the socket with --socket") from error
    raise FeedError(f"{path}: the table closed the connection: see the log of betline run")
