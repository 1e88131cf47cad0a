"""`betline web`: pages of the table for browsers: a television, a tablet, a telephone at each seat."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.snapshot import Language
from controller.texts.languages import ENGLISH, LANGUAGES, known

if TYPE_CHECKING:
    from display.web.authority import Keys

PORT = 8040
NO_LIBRARY = 'betline web needs starlette and uvicorn: pip install "betline[web]"'


def run(
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="table.toml; else the one here, else /etc/betline/table.toml.")
    ] = None,
    *,
    socket_file: Annotated[
        Path | None, typer.Option("--socket", help="The table's public socket, instead of the one in table.toml.")
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen at: 0.0.0.0 lets everybody in the network look.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen at.", min=1, max=65_535)] = PORT,
    name: Annotated[
        list[str] | None, typer.Option(help="A name of this machine that browsers use, repeatable: table.local.")
    ] = None,
    control: Annotated[
        bool, typer.Option("--control", help="Also /dealer and /floor, for who holds a key; prints the keys' file.")
    ] = False,
    language: Annotated[
        Language | None,
        typer.Option(help=f"Language: {', '.join(LANGUAGES)}; by default that of table.toml."),
    ] = None,
) -> None:
    """Show the table in browsers: / for everybody, /seat/4 for the player of seat 4. These take no orders.

    \b
    betline web                          on this machine only: http://127.0.0.1:8040/
    betline web --host 0.0.0.0           for the telephones of the network
    betline web --name table.local       also by this name
    betline web --control                also /dealer and /floor, with keys that it makes beside table.toml
    """  # noqa: D301  -- \b keeps typer from joining the examples
    from display.errors import ScreenError

    try:
        from betline.web.server import Server
        from display.web.site import Settings, Site
    except ImportError as error:
        raise ScreenError(NO_LIBRARY) from error
    path, dealer, spoken = _table_of(config, socket_file)
    _check_port(host, port)
    settings = Settings(path, known(language or spoken), tuple(name or ()), dealer if control else "")
    site = Site(settings, _keys(config, f"http://{_address(host)}:{port}") if control else None)
    print(f"betline web: http://{_address(host)}:{port}/ and /seat/1 ... Ctrl-C ends it", flush=True)
    Server(site.app, host, port).run()


def _table_of(config: Path | None, given: Path | None) -> tuple[str, str, Language]:
    """The sockets for everybody and for the dealer, and the language of table.toml; where there is none English."""
    if given is not None and config is None:
        return str(given), str(given.with_name("dealer.sock")), ENGLISH
    from controller.config.config import beside, find, load

    file = find(config)
    loaded = load(file)
    public, dealer = (beside(file, name) for name in (loaded.sockets.public, loaded.sockets.dealer))
    return str(given or public), str(dealer), loaded.screen.language


def _keys(config: Path | None, address: str) -> "Keys":
    """The keys of the pages that command, beside table.toml; they are told by the name of their file only."""
    from controller.config.config import find
    from display.web.authority import keys_in

    path = find(config).with_name("web-keys.toml")
    keys = keys_in(path)
    print(f"keys of dealer and floor: {path}; open {address}/dealer and enter one, or behind #", flush=True)
    return keys


def _check_port(host: str, port: int) -> None:
    """ScreenError where nothing can listen there, before anything is started."""
    import socket

    from display.errors import ScreenError

    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind((host, port))
    except OSError as error:
        raise ScreenError(f"{host} port {port}: {error.strerror or error}: choose another --host or --port") from error


def _address(host: str) -> str:
    return f"[{host}]" if ":" in host else host
