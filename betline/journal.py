"""`betline journal`: is it whole, what happened, the hands as histories, and putting it away."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from controller.errors import JournalError
from firmware_bridge.files import check_file, write_secret

if TYPE_CHECKING:  # slow to load, and most commands need none of it
    from collections.abc import Sequence

    from controller.engine.engine import Engine
    from controller.journal.book import Journal
    from controller.journal.file import End
    from controller.journal.rows import Row
    from controller.rulings.rules import Rules
    from controller.rulings.values import Reading
    from controller.table.events import Event
    from controller.table.state import State

app = typer.Typer(
    help="The journal: verify, show, export, backup, while the table runs; archive, renew, while it does not.",
    no_args_is_help=True,
)
ConfigOption = Annotated[
    Path | None, typer.Option("--config", "-c", help="table.toml; else the one here, else /etc/betline/table.toml.")
]
FileOption = Annotated[Path | None, typer.Option("--journal", help="A journal file, instead of the one in table.toml.")]


@app.command()
def verify(
    config: ConfigOption = None,
    journal: FileOption = None,
    *,
    rejudge: Annotated[
        bool, typer.Option("--rejudge", help="Also list rulings that today's rules would not give; needs table.toml.")
    ] = False,
) -> None:
    """Check that nothing was lost, changed or slipped in: hashes, numbers, events, SQLite's own structure.

    Exit status 1 where something is wrong. Rulings that would differ today are listed and are no fault.

    Example: betline journal verify --rejudge
    """
    from controller.journal.copies import copy_of
    from controller.journal.mark import CURE

    path = _path(config, journal)
    fresh = _fresh(config)
    with copy_of(path) as copy:
        verdict = copy.verify(fresh)
        for fault in verdict.faults:
            print(f"{path}: {fault}", file=sys.stderr)
        if verdict.faults:
            raise JournalError(f"{path}: {len(verdict.faults)} faults: {CURE}")
        print(f"{path}: in order: {verdict.rows} events, {verdict.public} of them public, epoch {verdict.epoch}")
        if fresh is None:
            print(f"{path}: no table.toml was found: whether each event can follow on its table was not looked at")
        if not verdict.marked:
            print(f"{path}: an older betline wrote it and marked no end: rows cut off there would not be noticed")
        if verdict.parent is not None:
            print(_continues(path, verdict.parent))
        if rejudge:
            for line in _rejudged(config, copy.events(), path):
                print(line)


@app.command()
def show(
    config: ConfigOption = None,
    journal: FileOption = None,
    *,
    hand: Annotated[int | None, typer.Option(help="Only this hand number.")] = None,
    after: Annotated[int, typer.Option(help="Only events behind this number (seq).", min=0)] = 0,
    public: Annotated[bool, typer.Option("--public", help="Only what everybody may hear of.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, with every field.")] = False,
) -> None:
    """Show the events, one a line: seq, public number, time in UTC, kind, content.

    Names of chips and cards stand only where --public is not given.

    Example: betline journal show --hand 12
    """
    from controller.journal.copies import copy_of

    with copy_of(_path(config, journal)) as copy:
        rows = copy.events() if hand is None else _of_hand(copy.events(), hand)
        for row in rows:
            if row.seq > after and (row.n is not None or not public):
                print(_json(row, public=public) if as_json else _line(row, public=public))


@app.command()
def archive(
    config: ConfigOption = None,
    *,
    force: Annotated[
        bool, typer.Option("--force", help="Also where the broker was not told everything: those events stay behind.")
    ] = False,
) -> None:
    """Put the journal away and go on in a new one, between two hands, while the table is stopped.

    For a table that runs for years: it starts quickly again, and backups are small. The old file is kept whole beside
    the new one, as journal.EPOCH.db, and is read with --journal; verify follows the chain from one to the other.
    Stacks, names, button, blinds and the place of every chip go on; missed blinds, the number of the hand and undo
    do not.

    Example: systemctl stop betline && betline journal archive && systemctl start betline
    """
    from controller.config.config import beside, find, load
    from controller.journal.archive import archive as put_away
    from controller.journal.archive import opening

    file = find(config)
    loaded = load(file)
    path = beside(file, loaded.journal.path)
    _, fresh, rules = _table(file)

    def opened(old: "Journal") -> "Sequence[Event]":
        waiting = old.last_n - old.published_n
        if loaded.mqtt.host and waiting and not force:
            raise JournalError(f"{path}: {waiting} events wait for the broker: run the table with it, or --force")
        state = old.replay(fresh)
        try:
            return opening(state, rules.profile)
        except JournalError as error:
            raise JournalError(f"{path}: {error}") from error

    kept = put_away(path, opened)
    print(f"{kept}: put away; {path} goes on from its end")


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    config: ConfigOption = None,
    journal: FileOption = None,
) -> None:
    """Write a whole copy of the journal into one file, while the table runs.

    Where it is put back in the place of the journal, the table goes on from it as a journal of its own: events that
    were played since are not told again under the same numbers.

    Example: betline journal backup /media/usb/evening.db
    """
    from controller.journal.copies import back_up

    path = _path(config, journal)
    check_file(file, JournalError)
    print(f"{file}: {back_up(path, file)} events, whole")


@app.command()
def renew(config: ConfigOption = None, journal: FileOption = None) -> None:
    """Go on from what is left of a journal that is damaged, shorter than it was, or lost; while the table is stopped.

    What is there is kept beside it under a name of its own. The new one holds every event up to the first that is
    missing or damaged, and is a journal of its own for those who listen: it has another epoch.

    Example: systemctl stop betline && betline journal renew && systemctl start betline
    """
    from controller.journal.renew import renew as go_on

    path = _path(config, journal)
    print(f"{path}: {go_on(path)}")


@app.command()
def export(
    file: Annotated[Path, typer.Argument(help="The file to write: .phhs for hands, .jsonl for events.")],
    config: ConfigOption = None,
    journal: FileOption = None,
    *,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write hand histories (PHH: most tools of the trade read it), or all events as JSON lines.

    Cards stand in the histories only where they were tabled. The events hold everything, hole cards too.

    Example: betline journal export evening.phhs
    """
    import msgspec

    from controller.journal.copies import copy_of

    kind = _kind(file)
    check_file(file, JournalError)
    if file.exists() and not force:
        raise JournalError(f"{file}: is there already: take another name, or write over it with --force")
    path = _path(config, journal)
    with copy_of(path) as copy:
        if kind == "events":
            lines = [msgspec.json.encode(row).decode() for row in copy.events()]
            text, what = "".join(f"{line}\n" for line in lines), f"{len(lines)} events"
        else:
            text, what = _histories(list(copy.events()), path, _table_name(config))
    try:
        write_secret(file, text.encode())  # cards that nobody showed stand in it
    except OSError as error:
        raise JournalError(f"{file}: {error.strerror or error}: choose another place") from error
    print(f"{file}: {what}")


# ---------------------------------------------------------------- parts
def _histories(rows: "Sequence[Row]", path: Path, table: str) -> tuple[str, str]:
    """Hands as PHH, and how many there are."""
    from controller.histories.write import format_hands
    from controller.journal.hands import hands

    try:
        found = list(hands(rows, table))
    except JournalError as error:
        raise JournalError(f"{path}: {error}") from error
    return format_hands(found), f"{len(found)} hands"


def _path(config: Path | None, journal: Path | None) -> Path:
    from controller.config.config import beside, find, load

    if journal is not None:
        return journal
    file = find(config)
    return beside(file, load(file).journal.path)


def _continues(path: Path, parent: "End") -> str:
    """What is known of the journal before this one; JournalError where it is not the one that it continues."""
    from controller.journal.archive import kept_as
    from controller.journal.copies import copy_of

    kept = kept_as(path, parent.epoch)
    if not kept.exists():
        return f"{path}: continues {parent.epoch} from event {parent.seq}, which is not kept beside it: not looked at"
    with copy_of(kept) as before:
        faults = before.verify().faults
        if faults or before.end != parent:
            raise JournalError(f"{kept}: {faults[0] if faults else 'is not what this one continues'}: restore a backup")
    return f"{path}: continues {kept} from event {parent.seq}: in order, too"


def _fresh(config: Path | None) -> "State | None":
    """The table before anything happened; None where no table.toml says what it is."""
    from controller.config.config import find
    from controller.errors import ConfigError

    try:
        file = find(config)
    except ConfigError:
        if config is not None:
            raise
        return None
    return _table(file)[1]


def _table(file: Path) -> "tuple[Engine, State, Rules]":
    """What table.toml says about the table: its engine, itself before anything happened, and the rules of the house."""
    from controller.config.config import beside, load
    from controller.core import build
    from controller.registry import registry
    from controller.rulings.rules import Rules

    loaded = load(file)
    table, profile = loaded.table, loaded.table.profile
    rules = Rules.named(str(beside(file, profile)) if profile.endswith(".toml") else profile)
    items = registry.load(beside(file, table.chips), [beside(file, name) for name in table.cards])
    engine = build.engine(loaded, items, rules)
    return engine, engine.initial(table.seats, loaded.game), rules


def _table_name(config: Path | None) -> str:
    from controller.config.config import find, load
    from controller.errors import ConfigError

    try:
        return load(find(config)).table.name
    except ConfigError:
        return ""  # a journal alone has hands, and no name of its table


def _kind(file: Path) -> Literal["hands", "events"]:
    match file.suffix:
        case ".phhs":
            return "hands"
        case ".jsonl" | ".json":
            return "events"
        case _:
            raise JournalError(f"{file}: of what kind? End it with .phhs for hands, or with .jsonl for events")


def _content(row: "Row", *, public: bool) -> dict[str, Any]:
    """An event as people look at it: what is public, and the items where they may be seen."""
    import msgspec

    from controller.publish.public import public_fields

    fields = public_fields(row.event, row.before_n)
    if public:
        return fields or {}
    everything: dict[str, Any] = msgspec.to_builtins(row.event)
    if fields is None:
        return {key: value for key, value in everything.items() if key != "type"}
    return fields | {key: everything[key] for key in ("chips", "items") if everything.get(key)}


def _line(row: "Row", *, public: bool) -> str:
    from controller.journal.rows import kind_of

    content = {key: value for key, value in _content(row, public=public).items() if value is not None}
    text = " ".join(f"{key}={_short(value)}" for key, value in content.items())
    return f"{row.seq:>6} {row.n or '-':>6} {_utc(row.wall_ms)} {kind_of(row.event):<14} {text}"


def _json(row: "Row", *, public: bool) -> str:
    import msgspec

    from controller.journal.rows import kind_of

    if not public:
        return msgspec.json.encode(row).decode()
    head = {"seq": row.seq, "n": row.n, "wall_ms": row.wall_ms, "event_type": kind_of(row.event)}
    return msgspec.json.encode(head | _content(row, public=True)).decode()


def _of_hand(rows: "Iterator[Row]", number: int) -> "Iterator[Row]":
    from controller.table.events import HandStarted

    inside = False
    for row in rows:
        if isinstance(row.event, HandStarted):
            inside = row.event.number == number
        if inside:
            yield row


def _rejudged(config: Path | None, rows: "Iterator[Row]", path: Path) -> Iterator[str]:
    """A line for every ruling that today's rules would not give, and the count."""
    from controller.config.config import find
    from controller.journal.rejudge import rejudge

    engine, fresh, rules = _table(find(config))
    count = 0
    try:
        for found in rejudge(engine.setting, fresh, rows):
            count += 1
            yield f"event {found.seq}, seat {found.seat}: was {_called(found.then)}, today {_called(found.now)}"
    except JournalError as error:
        raise JournalError(f"{path}: {error}") from error
    yield f"{count} rulings would differ under {rules.profile.name} as it is today"


def _called(reading: "Reading | None") -> str:
    if reading is None:
        return "asked of the floor"
    return f"{reading.action} to {reading.total_to} ({reading.rule})"


def _short(value: object) -> str:
    import msgspec

    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= 200 else text[:197] + "..."


def _utc(wall_ms: int) -> str:
    try:
        return datetime.fromtimestamp(wall_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):  # of a clock that was far off: a label, nothing more
        return "????-??-?? ??:??:??"
