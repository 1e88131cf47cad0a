"""The shape of the house: one row a room, bottom up; imports point to rooms below only; no circle between files.

A room is a package. Files that lie beside the packages of a top folder are doors, each a room of its own
(`controller/places.py`), or are one room together (`simulator`, `display`, `betline`). Each claim is tried with faults
planted into the real text of the real files.
"""

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = ("firmware_bridge", "controller", "display", "simulator", "betline")

GROUND = ("firmware_bridge.errors", "firmware_bridge.events", "firmware_bridge.files")
NAMES = (*GROUND, "controller.errors", "controller.places", "controller.registry")
ASKED = (*NAMES, "controller.commands", "controller.rulings", "controller.games")
READERS = (
    *GROUND,
    "firmware_bridge.scan_plan",
    "firmware_bridge.drivers",
    "firmware_bridge.port_cures",
    "firmware_bridge.port",
    "firmware_bridge.bridge",
)

# A room, and the rooms that it may import, or single files of them. Bottom up: each names rows above its own.
ROOMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("firmware_bridge.errors", ()),
    ("firmware_bridge.events", ()),
    ("firmware_bridge.files", ("firmware_bridge.errors",)),
    ("firmware_bridge.scan_plan", ()),
    ("firmware_bridge.firmware.boards", ()),
    ("firmware_bridge.firmware", ()),  # goes to a microcontroller, where nothing else of ours is
    ("firmware_bridge.wire", GROUND),
    ("firmware_bridge.drivers", (*GROUND, "firmware_bridge.scan_plan", "firmware_bridge.wire")),
    ("firmware_bridge.listener", ("firmware_bridge.events",)),
    ("firmware_bridge.port_cures", GROUND),
    (
        "firmware_bridge.port",
        (*GROUND, "firmware_bridge.drivers", "firmware_bridge.port_cures"),
    ),
    (
        "firmware_bridge.bridge",
        (
            *GROUND,
            "firmware_bridge.scan_plan",
            "firmware_bridge.drivers",
            "firmware_bridge.port",
        ),
    ),
    ("controller.errors", GROUND),
    ("controller.places", GROUND),
    ("controller.rulings", ()),
    ("controller.snapshot", (*GROUND, "controller.rulings.values")),
    ("controller.games", ("controller.rulings.values",)),
    ("controller.commands", (*GROUND, "controller.rulings.values")),
    (
        "controller.spoken",
        (
            "controller.errors",
            "controller.places",
            "controller.commands",
            "controller.rulings",
            "controller.games.ranks",
        ),
    ),
    (
        "controller.authority",
        (*GROUND, "controller.errors", "controller.commands", "controller.spoken"),
    ),
    (
        "controller.texts",
        (
            *GROUND,
            "controller.errors",
            "controller.snapshot",
            "controller.rulings",
            "controller.commands",
            "controller.spoken",
        ),
    ),
    ("controller.registry", (*GROUND, "controller.errors", "controller.games.ranks")),
    ("controller.histories", (*GROUND, "controller.errors")),
    ("controller.tracking", NAMES),
    ("controller.table", ASKED),
    ("controller.hand", (*ASKED, "controller.table")),
    ("controller.moves", (*ASKED, "controller.table", "controller.hand")),
    ("controller.engine", (*ASKED, "controller.table", "controller.hand", "controller.moves")),
    (
        "controller.config",
        (
            *ASKED,
            *READERS,
            "controller.snapshot",
            "controller.spoken",
            "controller.authority.roles",
            "controller.texts",
            "controller.table",
        ),
    ),
    (
        "controller.core",
        (
            *ASKED,
            *READERS,
            "controller.tracking",
            "controller.table",
            "controller.moves",
            "controller.engine",
            "controller.config",
        ),
    ),
    ("controller.journal", (*ASKED, "controller.histories", "controller.table", "controller.engine")),
    ("controller.recording", (*ASKED, *READERS, "controller.table", "controller.config")),
    (
        "controller.picture",
        (*ASKED, "controller.snapshot", "controller.texts", "controller.table", "controller.core.seen"),
    ),
    (
        "controller.publish",
        (
            *ASKED,
            "controller.snapshot",
            "controller.authority",
            "controller.texts",
            "controller.table",
            "controller.config",
            "controller.journal",
        ),
    ),
    (
        "controller.service",
        (
            *ASKED,
            *READERS,
            "controller.snapshot",
            "controller.authority",
            "controller.texts",
            "controller.table",
            "controller.config",
            "controller.core",
            "controller.journal",
            "controller.recording",
            "controller.picture",
            "controller.publish",
        ),
    ),
    (
        "display",
        (
            "controller.snapshot",
            "controller.commands",
            "controller.texts.languages",
            "controller.texts.files",
            "controller.texts.placeholders",
            "firmware_bridge.errors",
        ),
    ),
    ("display.web", ("controller.snapshot", "controller.commands", "controller.texts.languages", "display")),
    ("simulator.pn5180", ()),  # judges the firmware, and shares nothing with it
    ("simulator.field", ("controller.places", "controller.config")),
    ("simulator.radio", ("controller.places", "firmware_bridge.events", "simulator.field")),
    (
        "simulator.readers",
        (
            *READERS,
            "firmware_bridge.wire",
            "firmware_bridge.firmware",  # `flashed.py` runs it
            "controller.config",
            "simulator.pn5180",
            "simulator.radio",
        ),
    ),
    (
        "simulator",  # people and their table, who never ask the rules
        (
            *NAMES,
            *READERS,
            "controller.commands",
            "controller.config",
            "controller.histories",
            "controller.games",
            "controller.rulings.values",  # the words that players say
            "controller.table.setup",
            "simulator.field",
            "simulator.readers",
        ),
    ),
    # Radio and people as they are: whoever judges the table's readings shares none of it.
    (
        "simulator.models",
        (
            *GROUND,
            "controller.places",
            "controller.config",
            "simulator.acts",
            "simulator.felt",
            "simulator.field",
            "simulator.players",
            "simulator.radio",
            "simulator.readers",
            "simulator.script",
            "simulator.tables",
        ),
    ),
    ("simulator.rehearsal", ("firmware_bridge", "controller", "simulator")),
    ("betline.counts", ()),
    ("betline.board", ("firmware_bridge",)),
    ("betline.radios", ("firmware_bridge",)),
    ("betline.shares", ("controller.tracking",)),
    ("betline.waiting", ()),
    ("betline.decode", ("firmware_bridge", "controller", "simulator.rehearsal")),
    ("betline.demo", ("firmware_bridge", "controller", "display", "simulator")),
    (
        "betline.doctor",
        ("firmware_bridge", "controller", "betline.counts", "betline.radios", "betline.shares", "betline.waiting"),
    ),
    ("betline.init", ("firmware_bridge", "controller", "betline.doctor", "betline.waiting")),
    ("betline.enroll", ("firmware_bridge", "controller")),
    (
        "betline.calibrate",
        (
            "firmware_bridge",
            "controller",
            "betline.doctor",
            "betline.enroll",
            "betline.radios",
            "betline.shares",
        ),
    ),
    (
        "betline.games",
        ("controller.errors", "controller.snapshot", "controller.games", "controller.texts", "display.labels"),
    ),
    ("betline.profiles", ("controller.errors", "controller.rulings", "controller.snapshot", "controller.texts")),
    ("betline.record", ("firmware_bridge", "controller", "simulator.rehearsal")),
    ("betline.replay", (*GROUND, "controller.errors", "simulator")),
    ("betline.rule.fields", ("controller.errors", "controller.rulings")),
    (
        "betline.rule.tables",
        (
            "betline.rule.fields",
            "controller.errors",
            "controller.rulings",
            "controller.games",
            "controller.hand",
        ),
    ),
    (
        "betline.rule",
        (
            "betline.rule.fields",
            "betline.rule.tables",
            "controller.errors",
            "controller.snapshot",
            "controller.rulings",
            "controller.games",
            "controller.hand",
            "controller.texts",
        ),
    ),
    ("betline.speak", ("firmware_bridge.errors", "controller", "display.feed")),
    ("betline.schema", ("firmware_bridge", "controller")),
    ("betline.watch", ("firmware_bridge", "controller.registry", "betline.counts", "betline.decode", "betline.radios")),
    (
        "betline.web",
        (
            "controller.snapshot",
            "controller.texts.languages",
            "controller.config",
            "controller.service.notify",
            "display",
        ),
    ),
    ("betline", OURS),
)
ROWS = dict(ROOMS)
NEVER_IN_CONTROLLER = ("pygame", "starlette", "numpy", "pokerkit", "phevaluator")


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@cache
def sources() -> Mapping[str, str]:
    """Name of each module of ours to its text; package files are empty, see below."""
    paths = [path for package in OURS for path in sorted((ROOT / package).rglob("*.py"))]
    return {name_of(path): path.read_text() for path in paths if path.name != "__init__.py"}


def imported(source: str) -> list[str]:
    """Full names of what a text imports, wherever in it."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def under(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


def room_of(name: str) -> str | None:
    """The room of a module or of something in it."""
    rooms = [room for room in ROWS if under(name, room)]
    return max(rooms, key=len, default=None)


def strays(module: str, source: str) -> list[str]:
    """What a module imports of ours that its row does not allow."""
    room = room_of(module)
    assert room is not None, f"{module}: in no room: give it a row"
    ours = [name for name in imported(source) if name.split(".")[0] in OURS]
    return [name for name in ours if room_of(name) != room and not any(under(name, row) for row in ROWS[room])]


def heavy(source: str) -> list[str]:
    return [name for name in imported(source) if name.split(".")[0] in NEVER_IN_CONTROLLER]


def circle(texts: Mapping[str, str]) -> list[str]:
    """Modules that import one another in a ring, the first one again at the end; none: []."""
    arrows = {module: sorted({_module(name, texts) for name in imported(text)} - {"", module}) for module, text in texts.items()}  # fmt: skip
    done: set[str] = set()

    def walk(module: str, path: list[str]) -> list[str]:
        if module in path:
            return [*path[path.index(module) :], module]
        if module in done:
            return []
        ring = next((found for below in arrows[module] if (found := walk(below, [*path, module]))), [])
        done.add(module)
        return ring

    return next((found for module in texts if (found := walk(module, []))), [])


def _module(name: str, texts: Iterable[str]) -> str:
    while name and name not in texts:
        name = name.rpartition(".")[0]
    return name


# --- the claims


@pytest.mark.parametrize("module", sources())
def test_imports_point_to_rooms_below_only(module: str) -> None:
    assert strays(module, sources()[module]) == []


def test_rows_stand_bottom_up_so_no_circle_of_rooms_can_be_written_down() -> None:
    order = [room for room, _ in ROOMS]
    for room, row in ROOMS:
        for name in row:
            below = [other for other in order if under(other, name)] or [room_of(name)]
            assert below != [None], f"{room}: {name} is no room"
            late = [other for other in below if order.index(str(other)) > order.index(room)]
            assert not late or (room, name) == ("betline", "betline"), f"{room}: {late} stand above it"


def test_every_row_is_used() -> None:
    assert {room_of(module) for module in sources()} == set(ROWS)
    for room, row in ROOMS:
        names = [name for module, text in sources().items() if room_of(module) == room for name in imported(text)]
        if room not in {"betline", "simulator.rehearsal"}:
            idle = [name for name in row if name not in GROUND and not any(under(used, name) for used in names)]
            assert [name for name in idle if name not in (*ASKED, *READERS)] == [], f"{room} never imports these"


def test_no_files_import_one_another_in_a_circle() -> None:
    assert circle(sources()) == []


@pytest.mark.parametrize("module", [name for name in sources() if under(name, "controller")])
def test_the_controller_never_loads_what_a_pi_should_not(module: str) -> None:
    assert heavy(sources()[module]) == []


def test_package_files_are_empty() -> None:
    packages = [path for package in OURS for path in (ROOT / package).rglob("__init__.py")]
    assert len(packages) > 20
    assert [path for path in packages if path.read_text()] == []


def test_every_folder_of_modules_is_a_package_and_has_a_row() -> None:
    folders = {path.parent for package in OURS for path in (ROOT / package).rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []
    halls = {ROOT / "firmware_bridge", ROOT / "controller"}  # each file there has a row
    names = {".".join(folder.relative_to(ROOT).parts) for folder in folders - halls}
    assert names - set(ROWS) == set()


@pytest.mark.parametrize("hall", ["betline", "controller"])
def test_no_hall_without_walls(hall: str) -> None:
    """Beside its packages a hall holds no more than a dozen files."""
    assert len(list((ROOT / hall).glob("*.py"))) <= 12


# --- and that they can fail


def forbidden(room: str) -> str:
    """A module that a room may not import: of the first room that stands above it."""
    others = [name for name, _ in ROOMS]
    above = others[others.index(room) + 1 :]
    return next(
        module for other in above for module in sources() if room_of(module) == other and not allowed(room, module)
    )


def allowed(room: str, module: str) -> bool:
    return room_of(module) == room or any(under(module, row) for row in ROWS[room])


@pytest.mark.parametrize("room", [room for room, _ in ROOMS if room != "betline"])
def test_a_forbidden_import_planted_in_a_room_is_found(room: str) -> None:
    module = next(name for name in sources() if room_of(name) == room)
    wrong = forbidden(room)
    package, _, name = wrong.rpartition(".")
    for line in (f"import {wrong}", f"from {package} import {name}", f"def late():\n    from {wrong} import anything"):
        found = strays(module, f"{sources()[module]}\n{line}\n")
        assert [one for one in found if under(one, wrong)], f"{line} in {module}"


def test_what_only_the_command_line_may_import_is_found_everywhere_else() -> None:
    for module in sources():
        if not under(module, "betline"):
            assert strays(module, "import betline.main\n") == ["betline.main"]


def test_a_module_without_a_room_is_found() -> None:
    with pytest.raises(AssertionError, match="in no room"):
        strays("controller.helpers", "")


def test_a_circle_of_two_files_is_found() -> None:
    planted = {
        **sources(),
        "controller.places": f"{sources()['controller.places']}\nimport controller.tracking.cards\n",
    }
    ring = circle(planted)
    assert ring[0] == ring[-1]
    assert {"controller.places", "controller.tracking.cards"} <= set(ring)
    for module, below in pairwise(ring):
        assert any(under(name, below) for name in imported(planted[module]))


def test_a_heavy_import_is_found() -> None:
    assert heavy("def draw():\n    from pygame import Surface\n") == ["pygame.Surface"]


# --- sizes
LONGEST_FUNCTION = 45  # lines, without its signature and docstring
LONGEST_FILE = 420


def long_functions(source: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            if body and (body[-1].end_lineno or 0) - body[0].lineno + 1 > LONGEST_FUNCTION:
                found.append(node.name)
    return found


@pytest.mark.parametrize("module", sources())
def test_no_function_and_no_file_is_too_long_to_be_read_at_once(module: str) -> None:
    source = sources()[module]
    assert long_functions(source) == []
    assert source.count("\n") <= LONGEST_FILE


def test_a_long_function_is_found() -> None:
    assert long_functions("def long():\n" + "    x = 1\n" * (LONGEST_FUNCTION + 1)) == ["long"]
    assert long_functions("def right():\n" + "    x = 1\n" * LONGEST_FUNCTION) == []
