"""`betline calibrate`: what each antenna of a table misses and hears astray, and the settings that follow."""

import sys
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:  # slow to load
    from betline.calibrate.walk import Walk
    from betline.shares import Share
    from controller.config.config import Config
    from controller.tracking.rates import Antenna

LEAST_ROUNDS = 20  # fewer prove nothing


def run(
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="table.toml; else the one here, else /etc/betline/table.toml.")
    ] = None,
    *,
    antenna: Annotated[
        list[str] | None, typer.Option("--antenna", "-a", help="Only this one: 'spot 3', 'pot', or west:2. Repeatable.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=LEAST_ROUNDS, help="Complete rounds of each antenna.")] = 60,
    seconds: Annotated[float, typer.Option(min=1, help="Longest time for them.")] = 60.0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write nothing: print the change as a patch.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Ask nothing: measure what lies there now, all at once.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="The figures as one JSON object; asks nothing.")] = False,
) -> None:
    """Walk from antenna to antenna: put chips on it, leave them, and see how well it reads and who else hears them.

    Then table.toml gets what was found: tags (most that it reads well), miss, stray and burst of each antenna, and the
    number of steps that follows: at most one false move in 1,000 hours. Comments and order stay as they are. With
    steps = "auto" that word stays, and the table takes the number from the antennas. Stop betline run first.

    \b
    Examples:
      betline calibrate
      betline calibrate -a "spot 3" -a "tray 3" --rounds 200
      betline calibrate --yes --dry-run
    """  # noqa: D301  -- \b keeps typer from joining the examples
    from betline.calibrate.walk import Walk
    from betline.enroll.desk import Lines, teller
    from controller.config.config import find, load

    path = find(config)
    loaded = load(path)
    wanted = _wanted(loaded, antenna or [])
    tell = teller(quiet=json)
    walk = Walk(loaded, tell, rounds, seconds)
    try:
        if yes or json:
            walk.as_it_lies(wanted)
        else:
            walk.one_by_one(wanted, Lines())
    finally:
        tell.pause()
    _report(walk, json=json)
    _write(path, walk, dry_run=dry_run, quiet=json)


def _wanted(config: "Config", words: Sequence[str]) -> tuple["Antenna", ...]:
    """The antennas that are meant; all, bet spots first, where none is named."""
    from controller.errors import ConfigError

    names: dict[str, Antenna] = {}
    for section in config.antenna:
        antenna = (section.reader, section.number)
        names[f"{section.reader}:{section.number}"] = antenna
        names.setdefault(f"{section.place} {section.seat}" if section.seat else str(section.place), antenna)
    for word in words:
        if word not in names:
            known = ", ".join(name for name in names if ":" not in name)
            raise ConfigError(f"--antenna {word!r}: table.toml has no such antenna: there are {known}")
    return tuple(dict.fromkeys(names[word] for word in words or names))


# ---------------------------------------------------------------- what follows
def settings_of(walk: "Walk") -> dict["Antenna", dict[str, int | float]]:
    """Keys of each [[antenna]] by what was measured. Shares are the most that they may be, 95 % sure."""
    from betline.shares import verdict

    found: dict[Antenna, dict[str, int | float]] = {}
    for antenna, measured in walk.results.items():
        keys: dict[str, int | float] = {}
        best, tags = walk.best.get(antenna, 0), walk.sections[antenna].tags
        if measured.lying:
            keys["miss"] = up(measured.noise.miss, 3)
            keys["burst"] = up(max(1.0, measured.burst), 1)
            if best > tags or (verdict(measured) in ("weak", "unfit") and 0 < best < tags):
                keys["tags"] = best
        if measured.stray_chances:
            keys["stray"] = up(measured.noise.stray, 3)
        if keys:
            found[antenna] = keys
    return found


def up(value: float, digits: int) -> float:
    """Rounded up: a setting must not be better than what was measured."""
    return ceil(value * 10.0**digits - 1e-9) / 10.0**digits


def steps_after(config: "Config", found: Mapping["Antenna", Mapping[str, int | float]]) -> int:
    """The limit that the table takes when these settings are written."""
    import msgspec

    from controller.core import build

    antennas = tuple(
        msgspec.structs.replace(section, **found.get((section.reader, section.number), {}))
        for section in config.antenna
    )
    reading = msgspec.structs.replace(config.reading, steps="auto")
    return build.layout(msgspec.structs.replace(config, antenna=antennas, reading=reading)).steps


# ---------------------------------------------------------------- telling and writing
def _report(walk: "Walk", *, json: bool) -> None:
    found = settings_of(walk)
    steps = steps_after(walk.config, found)
    if json:
        import msgspec

        rows = [_row(walk, antenna) | {"settings": found.get(antenna, {})} for antenna in walk.results]
        sys.stdout.write(msgspec.json.encode({"antennas": rows, "steps": steps}).decode() + "\n")
    elif walk.results:
        _table(walk)
        sys.stdout.write(f"steps = {steps}: at most one false move in 1,000 hours\n")


def _row(walk: "Walk", antenna: "Antenna") -> dict[str, Any]:
    from betline.doctor.antennas import called
    from betline.shares import missed, strays, verdict

    measured, section = walk.results[antenna], walk.sections[antenna]
    loudest = walk.sections.get(measured.loudest) if measured.loudest and measured.strays else None
    return {
        "antenna": called(section),
        "tags": len(measured.lying),
        "rounds": measured.rounds,
        "a_second": round(measured.a_second, 1),
        "miss": round(measured.miss, 4),
        "miss_surely": _surely(missed(measured)),
        "longest": measured.longest,
        "stray": round(measured.stray, 4),
        "stray_surely": _surely(strays(measured)),
        "hears": called(loudest) if loudest is not None else "",
        "verdict": verdict(measured),
        "radio": walk.radios.get(antenna),
    }


def _surely(found: "Share") -> list[float]:
    return [round(found.least, 4), round(found.most, 4)]


def _table(walk: "Walk") -> None:
    from rich.console import Console
    from rich.table import Table

    from betline.doctor.antennas import called
    from betline.radios import figures

    table = Table("antenna", "tags", "rounds", "a second", "missed", "longest", "strays", "of", "", box=None)
    for column in table.columns[1:7]:
        column.justify = "right"
    for antenna in walk.results:
        row = _row(walk, antenna)
        miss, stray = (_with_error(row[key], row[f"{key}_surely"]) for key in ("miss", "stray"))
        shares = (miss, str(row["longest"]), stray, row["hears"], row["verdict"])
        table.add_row(row["antenna"], str(row["tags"]), str(row["rounds"]), str(row["a_second"]), *shares)
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    console.print(table)
    for antenna, told in walk.radios.items():
        if antenna in walk.results:
            console.print(f"radio of {called(walk.sections[antenna])}: {figures(told)}")


def _with_error(value: float, surely: Sequence[float]) -> str:
    """As in 5.0% (3.4 to 7.1)."""
    least, most = (f"{100 * one:.1f}" for one in surely)
    return f"{value:.1%} ({least} to {most})"


def _write(path: Path, walk: "Walk", *, dry_run: bool, quiet: bool) -> None:
    from betline.calibrate.toml import changed, patch
    from betline.enroll.files import write_whole

    found = settings_of(walk)
    if not found:
        raise _nothing()
    steps = steps_after(walk.config, found)
    reading: dict[str, int | float] = {} if walk.config.reading.steps == "auto" else {"steps": steps}
    old = path.read_text(encoding="utf-8")
    new = changed(old, found, reading)
    if dry_run:
        if not quiet:
            sys.stdout.write(patch(old, new, str(path)))
        return
    write_whole(path, new)
    if not quiet:
        word = "" if reading else ' (by steps = "auto")'
        sys.stdout.write(f"{path}: {len(found)} antennas written, steps {steps}{word}\n")


def _nothing() -> Exception:
    from controller.errors import ConfigError

    return ConfigError("nothing was measured: put chips on the antennas, and see: betline doctor")
