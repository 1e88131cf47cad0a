"""`betline enroll`: chips by the stack and cards one by one, into files that people read, merge and keep."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:  # slow to load
    from controller.registry.registry import Item

app = typer.Typer(
    help="Register chips by the stack and cards one by one; check, merge and export what is registered.",
    no_args_is_help=True,
)
PortOption = Annotated[str, typer.Option("--port", "-p", help="/dev/serial/by-id/..., socket:// or rfc2217://.")]
DriverOption = Annotated[str, typer.Option("--driver", "-d", help="The reader's family: tablelink, m100, pn532 ...")]
OptionOption = Annotated[list[str] | None, typer.Option("--option", "-o", help="An option of the driver, key=value.")]
AntennaOption = Annotated[int | None, typer.Option(min=0, max=255, help="Which antenna, where there are several.")]
AlsoOption = Annotated[
    list[Path] | None, typer.Option("--also", help="Other files of this table: what they hold is named, never taken.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON line for each stack or card; asks nothing.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing: enrol what settles, by the options given.")]
OutOption = Annotated[Path, typer.Option("--out", "-o", help="The file to write.")]


@app.command()
def chips(
    port: PortOption,
    driver: DriverOption,
    file: Annotated[Path, typer.Option("--file", "-f", help="chips.csv: new, or gone on with.")] = Path("chips.csv"),
    *,
    option: OptionOption = None,
    antenna: AntennaOption = None,
    also: AlsoOption = None,
    value: Annotated[int | None, typer.Option(min=1, help="Value of one chip, instead of asking.")] = None,
    colour: Annotated[str | None, typer.Option("--set", help="The set it belongs to, usually its colour.")] = None,
    prefix: Annotated[str | None, typer.Option(help="Names begin so: r100 gives r100-001, r100-002 ...")] = None,
    count: Annotated[int | None, typer.Option(min=1, help="Chips in each stack: another number is told.")] = None,
    stacks: Annotated[int | None, typer.Option(min=1, help="End after so many; with --yes 1, else no end.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.5, help="Longest wait for a stack; with --yes 60.")] = None,
    yes: YesOption = False,
    json: JsonOption = False,
) -> None:
    """Put a stack of one colour on an antenna, see its count settle, say what it is worth; then the next stack.

    The count has settled when every chip was seen in at least half of the last ten rounds and nothing new came since:
    a chip that is missed now and then counts, a neighbour's chip does not. Doubles, foreign tags and chips that are
    enrolled already are named. The file is written after each stack, so you may end at any time and go on later;
    "u" takes the last stack back, also in a later session.

    \b
    Examples:
      betline enroll chips --port /dev/ttyACM0 --driver tablelink --antenna 1
      betline enroll chips -p /dev/ttyUSB0 -d m100 --value 100 --set red --prefix r100 --count 20
      betline enroll chips -p /dev/ttyUSB0 -d m100 --value 25 --set green --yes --json
    """  # noqa: D301  -- \b keeps typer from joining the examples
    from betline.enroll.chips import Chips, Naming
    from betline.enroll.desk import Desk, Lines, teller
    from betline.enroll.files import Register
    from controller.registry.enrolment import EnrolmentError

    alone = yes or json
    if alone and value is None:
        raise EnrolmentError("--yes and --json ask nothing: say --value 100, and --set red")
    _check_words({"--set": colour, "--prefix": prefix})
    register = Register(file, cards=False)
    tell = teller(quiet=json)
    _greet(tell.line, file, register.items)
    with Desk(port, driver, antenna, option or ()) as desk:
        session = Chips(
            desk,
            register,
            _others(also),
            Naming(value, "" if alone and colour is None else colour, prefix),
            tell,
            lines=None if alone else Lines(),
            count=count,
            seconds=seconds or (60.0 if alone else None),
            json=json,
        )
        try:
            session.run(stacks or (1 if alone else sys.maxsize))
        except KeyboardInterrupt:
            if alone:
                raise
        finally:
            tell.pause()
    tell.line(f"{file}: {len(register.items)} items, {session.enrolled} of them new")


@app.command()
def deck(
    port: PortOption,
    driver: DriverOption,
    file: Annotated[Path, typer.Option("--file", "-f", help="The deck's file: new, or gone on with.")],
    *,
    option: OptionOption = None,
    antenna: AntennaOption = None,
    also: AlsoOption = None,
    name: Annotated[str, typer.Option("--deck", help="Name of the deck; else that of the file (red-deck: red).")] = "",
    order: Annotated[
        str, typer.Option(help="suits (2c to As), new (as from the box), or cards as in 'As Kd 7c'.")
    ] = "suits",
    spares: Annotated[int, typer.Option(min=0, max=20, help="Also so many cards without a face, for losses.")] = 0,
    card: Annotated[str | None, typer.Option(help="Only this card, anew: its old tag is kept as withdrawn.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.5, help="Longest wait for a card; with --yes 60.")] = None,
    yes: YesOption = False,
    json: JsonOption = False,
) -> None:
    """Lay the cards of a deck down as they are called, one by one; hands stay free, no key is needed.

    Cards may stay on a wide antenna, side by side or on a pile, or be taken off again: only the new one counts, and two
    new ones at once are refused. "u" and Enter takes the last card back, "s" skips a card, "q" ends; called again, it
    goes on with what is missing. A second deck is a second file. Then: betline enroll check.

    \b
    Examples:
      betline enroll deck --port /dev/ttyUSB0 --driver pn532 --file red-deck.csv
      betline enroll deck -p /dev/ttyUSB0 -d pn532 -f blue-deck.csv --order new --spares 2 --also red-deck.csv
      betline enroll deck -p /dev/ttyUSB0 -d pn532 -f red-deck.csv --card 7c
    """  # noqa: D301  -- \b keeps typer from joining the examples
    from betline.enroll.deck import Deck
    from betline.enroll.desk import Desk, Lines, teller
    from betline.enroll.files import Register
    from controller.registry.enrolment import order_of

    alone = yes or json
    cards = order_of(card or order)
    _check_words({"--deck": name})
    register = Register(file, cards=True)
    called = name or next((item.set for item in register.items), "") or file.stem.removesuffix("-deck")
    tell = teller(quiet=json)
    _greet(tell.line, file, register.items)
    with Desk(port, driver, antenna, option or ()) as desk:
        lines = None if alone else Lines()
        wait_s = seconds or (60.0 if alone else None)
        session = Deck(desk, register, _others(also), called, tell, lines=lines, seconds=wait_s, json=json)
        try:
            session.anew(cards[0]) if card else session.run(cards, spares)
        except KeyboardInterrupt:
            if alone:
                raise
        finally:
            tell.pause()
    tell.line(f"{file}: {len(register.items)} cards, {session.enrolled} of them new")


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A deck's file or a chips.csv.")],
    port: PortOption,
    driver: DriverOption,
    *,
    option: OptionOption = None,
    antenna: AntennaOption = None,
    also: AlsoOption = None,
    colour: Annotated[str | None, typer.Option("--set", help="Only this set of a chips.csv.")] = None,
    seconds: Annotated[float, typer.Option(min=0.5, help="Longest wait for what is missing.")] = 20.0,
    json: JsonOption = False,
) -> None:
    """Call the roll: spread a deck (or a set of chips) on an antenna, and what is missing, double or foreign is named.

    It ends as soon as all are there. A small antenna does as well: pass the cards over it in parts within --seconds.
    Exit status 1 when something is missing, double or foreign.

    Example: betline enroll check red-deck.csv --port /dev/ttyUSB0 --driver pn532 --also blue-deck.csv
    """
    import msgspec

    from betline.enroll.deck import call_roll
    from betline.enroll.desk import Desk, teller
    from betline.enroll.files import read_items
    from controller.registry.enrolment import EnrolmentError, RollCall

    mine = [item for item in read_items(file) if colour in (None, item.set)]
    if not any(item.state == "in" for item in mine):
        raise EnrolmentError(f"{file}: no items{f' of the set {colour!r}' if colour else ''}: enrol them first")
    roll = RollCall(mine, [*_others(also), *(item for item in read_items(file) if item not in mine)])
    tell = teller(quiet=json)
    with Desk(port, driver, antenna, option or ()) as desk:
        call_roll(desk, roll, tell, seconds)
    there = roll.expected - len(roll.missing)
    if json:
        document = {
            "there": there,
            "missing": list(roll.missing),
            "double": list(roll.doubles),
            "foreign": list(roll.strangers),
        }
        print(msgspec.json.encode(document).decode())
    else:
        print(f"{file}: {there} of {roll.expected} are there")
        for word, names in (("missing", roll.missing), ("double", roll.doubles), ("foreign", roll.strangers)):
            if names:
                print(f"{word}: {', '.join(names)}")
    if roll.missing or roll.doubles or roll.strangers:
        raise typer.Exit(1)


@app.command()
def undo(
    file: Annotated[Path, typer.Argument(help="The chips.csv or deck's file.")] = Path("chips.csv"),
) -> None:
    """Take the last stack or card out of a file again; without a reader. Each call takes one more.

    Example: betline enroll undo chips.csv
    """
    from betline.enroll.chips import listed
    from betline.enroll.files import Register, holds_cards
    from controller.registry.enrolment import EnrolmentError

    register = Register(file, cards=holds_cards(file))
    gone = register.undo()
    if not gone:
        raise EnrolmentError(f"{file}: no stack to take back: delete its lines in an editor instead")
    print(f"{file}: taken back: {listed(gone)}; {len(register.items)} items are left")


@app.command()
def merge(
    first: Annotated[Path, typer.Argument(help="A chips.csv or a deck's file.")],
    second: Annotated[Path, typer.Argument(help="Another of the same kind.")],
    out: OutOption,
    *,
    renumber: Annotated[bool, typer.Option("--renumber", help="Equal names of different chips: new numbers.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Join two files into one: what two people enrolled on two readers.

    Equal lines become one. A tag that is two things stops it, with both named; the files stay as they are.

    Example: betline enroll merge chips-ann.csv chips-bob.csv --renumber -o chips.csv
    """
    from betline.enroll.files import Register, holds_cards, read_items
    from controller.registry import enrolment

    cards = holds_cards(first)
    if holds_cards(second) != cards:
        raise enrolment.EnrolmentError(f"{first} and {second}: one is a deck and one holds chips: they stay two files")
    items = enrolment.merge(read_items(first), read_items(second), renumber=renumber)
    _check_new(out, force=force or out in (first, second))
    Register(out, cards=cards).replace(items)
    print(f"{out}: {len(items)} items")


@app.command()
def export(
    file: Annotated[Path, typer.Argument(help="A chips.csv or a deck's file.")],
    out: OutOption,
    *,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write a registry for other programs (.json) or as an inventory for people (.md).

    Example: betline enroll export chips.csv -o inventory.md
    """
    from betline.enroll.files import read_items, write_whole
    from controller.registry.enrolment import EnrolmentError

    items = sorted(read_items(file), key=lambda item: item.name)
    match out.suffix:
        case ".json":
            text = _as_json(items)
        case ".md":
            text = _as_inventory(file.name, items)
        case _:
            raise EnrolmentError(f"{out}: of what kind? End it with .json, or with .md for an inventory")
    _check_new(out, force=force)
    write_whole(out, text)
    print(f"{out}: {len(items)} items")


# ---------------------------------------------------------------- parts
def _others(also: Sequence[Path] | None) -> list["Item"]:
    from betline.enroll.files import read_items

    return [item for path in also or () for item in read_items(path)]


def _check_words(words: dict[str, str | None]) -> None:
    from controller.registry.enrolment import EnrolmentError

    for option, word in words.items():
        if word is not None and (not word.isprintable() or set(word) & set(',;"')):
            raise EnrolmentError(f"{option} {word!r}: a word without commas or quotes, as in red")


def _check_new(out: Path, *, force: bool) -> None:
    from controller.registry.enrolment import EnrolmentError
    from firmware_bridge.files import check_file

    check_file(out, EnrolmentError)
    if out.exists() and not force:
        raise EnrolmentError(f"{out}: is there already: take another name, or write over it with --force")


def _greet(line: "object", file: Path, items: Sequence["Item"]) -> None:
    from controller.registry.enrolment import count_of

    assert callable(line)
    if items:
        counts = ", ".join(f"{count} x {value} {colour}".rstrip() for colour, value, count in count_of(items))
        line(f"{file}: goes on with {len(items)} items" + (f": {counts}" if counts else ""))


def _as_json(items: Sequence["Item"]) -> str:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(items), indent=1).decode() + "\n"


def _as_inventory(name: str, items: Sequence["Item"]) -> str:
    from controller.registry.enrolment import count_of

    head = [f"# {name}", ""]
    counts = count_of(items)
    if counts:
        rows = [f"| {colour} | {value:,} | {count} | {value * count:,} |" for colour, value, count in counts]
        total = sum(value * count for _, value, count in counts)
        return "\n".join(
            [
                *head,
                "| set | value | chips | worth |",
                "| --- | ---: | ---: | ---: |",
                *rows,
                "",
                f"Worth {total:,}.",
                "",
            ]
        )
    rows = [f"| {item.name} | {item.set} | {item.tag} | {item.state} |" for item in items]
    return "\n".join([*head, "| name | deck | tag | state |", "| --- | --- | --- | --- |", *rows, ""])
