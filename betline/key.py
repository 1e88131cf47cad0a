"""`betline key`: whose commands count from outside, one key a person."""

import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.errors import ConfigError

if TYPE_CHECKING:  # slow to load
    from controller.authority.keys import Keys
    from controller.authority.signing import Signed

app = typer.Typer(
    no_args_is_help=True,
    help="Keys of people and devices: who may speak to the table from outside, and in which role.",
    epilog="Roles, each with what stands before it: player (words of his seat), dealer, floor (overrule, stacks, "
    "seats, blinds), owner. Begin with: betline key add anna --role floor",
)
Config = Annotated[
    Path | None, typer.Option("--config", "-c", help="table.toml; else the one here, else /etc/betline/table.toml.")
]
_SECRET_BYTES = 32


@app.command("add")
def add(
    name: Annotated[str, typer.Argument(help="Of the person or device: a-z, 0-9 and hyphen.")],
    role: Annotated[str, typer.Option(help="player, dealer, floor or owner.")],
    seat: Annotated[int | None, typer.Option(help="Of a player: the only seat he may speak for.")] = None,
    out: Annotated[Path | None, typer.Option(help="His key file; else NAME.key here.")] = None,
    config: Config = None,
) -> None:
    """Make a key: it is written into the table's file of keys, and into NAME.key for the person to take along.

    Whoever has NAME.key speaks in that role until it is revoked. The table obeys it at once, without a restart.

    Example: betline key add anna --role player --seat 3
    """
    from controller.authority import keys
    from controller.authority.signing import Key

    path, found, seats = _keys(config)
    known = keys.role_of(role)
    if known is None:
        raise ConfigError(f"--role {role}: there is no such role: use player, dealer, floor or owner")
    if seat is not None and not 1 <= seat <= seats:
        raise ConfigError(f"--seat {seat}: this table has seats 1 to {seats}: name one of them")
    key = Key(name, known, secrets.token_hex(_SECRET_BYTES), seat)
    fault = keys.fault_of(key)
    if fault is not None:
        raise ConfigError(fault)
    if found.named(name) is not None:
        raise ConfigError(f"{path}: {name} has a key already: revoke it first, betline key revoke {name}")
    theirs = out or Path(f"{name}.key")
    if theirs.exists():
        raise ConfigError(f"{theirs}: is there already: move it away, or name another file with --out")
    keys.save(theirs, keys.Keys(found.table, (key,)))
    keys.save(path, found.with_key(key))
    print(f"{theirs}: the key of {name}, {_called(key.role, key.seat)}; betline say --key {theirs} ...")


@app.command("list")
def show(config: Config = None) -> None:
    """Whose keys count. Secrets are not shown.

    Example: betline key list
    """
    _, found, _ = _keys(config)
    for key in found.key:
        print(f"{key.name}: {_called(key.role, key.seat)}")


@app.command("revoke")
def revoke(name: Annotated[str, typer.Argument(help="Whose key ends.")], config: Config = None) -> None:
    """End a key, at once, also of a table that runs.

    Example: betline key revoke anna
    """
    from controller.authority import keys

    path, found, _ = _keys(config)
    if found.named(name) is None:
        raise ConfigError(f"{path}: {name} has no key: see betline key list")
    keys.save(path, found.without(name))
    print(f"the key of {name} is void")


@app.command("sign", context_settings={"ignore_unknown_options": True})
def sign(
    key_file: Annotated[Path, typer.Argument(help="NAME.key")],
    words: Annotated[list[str], typer.Argument(help="As for betline say.")],
    seen: Annotated[int | None, typer.Option(help="Number n of the state that it is said to.")] = None,
) -> None:
    """Sign words: what is printed goes to the topic cmd/say of the table, within a minute, and counts once.

    Example: mosquitto_pub -t betline/home/cmd/say -m "$(betline key sign anna.key 3 call)"
    """
    import msgspec

    from controller.authority.signing import payload

    print(msgspec.json.encode(payload(signed(key_file, words, seen))).decode())


def signed(key_file: Path, words: list[str], seen: int | None = None) -> "Signed":
    """These words, signed now with a person's key."""
    from controller.authority import keys
    from controller.authority.signing import sign as sign_with
    from controller.spoken import parse

    found = keys.load(key_file)
    if found is None:
        raise ConfigError(f"{key_file}: is not there: name a key file, or make one: betline key add")
    if len(found.key) != 1:
        raise ConfigError(f"{key_file}: holds {len(found.key)} keys: name the file of one person")
    said = " ".join(words)
    parse([said])  # refused here, and not by the table
    return sign_with(found.table, found.key[0], said, secrets.token_hex(8), int(time.time()), n=seen)


def _keys(config: Path | None) -> "tuple[Path, Keys, int]":
    """The table's file of keys, what is in it now, and how many seats the table has."""
    from controller.authority import keys
    from controller.config.config import beside, find, load

    file = find(config)
    loaded = load(file)
    path = beside(file, loaded.authority.keys)
    return path, keys.load(path) or keys.Keys(loaded.table.name), loaded.table.seats


def _called(role: str, seat: int | None) -> str:
    return role if seat is None else f"{role} of seat {seat}"
