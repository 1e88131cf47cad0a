"""The shape of the project: imports point upstream only, package files are empty, type modules hold types."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = ("firmware_bridge", "controller", "display", "simulator", "betline")

# Prefixes that a module under the first may import from ours; the longest matching first row counts.
ALLOWED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("firmware_bridge", ("firmware_bridge",)),
    ("controller.rulings", ("controller.rulings",)),
    ("controller.places", ("firmware_bridge.events",)),
    ("controller.snapshot", ("firmware_bridge.events",)),
    ("controller.commands", ("firmware_bridge.events", "controller.rulings.values")),
    ("controller.errors", ("firmware_bridge.errors",)),
    (
        "controller.tracking",
        (
            "controller.tracking",
            "controller.places",
            "controller.registry.registry",
            "controller.errors",
            "firmware_bridge.events",
        ),
    ),
    ("controller", ("controller", "firmware_bridge")),
    ("display", ("display", "controller.snapshot", "controller.commands", "firmware_bridge.errors")),
    (
        "simulator",
        (
            "simulator",
            "firmware_bridge",
            "controller.places",
            "controller.registry.registry",
            "controller.histories.phh",
            "controller.commands",
            "controller.config.config",
            "controller.table.setup",
            "controller.rulings.values",  # the words that players say
            "controller.errors",
        ),
    ),
    ("betline", OURS),
)
NEVER_IN_CONTROLLER = ("pygame", "starlette", "numpy", "pokerkit", "display", "simulator", "betline")


def modules() -> list[Path]:
    return [path for package in OURS for path in sorted((ROOT / package).rglob("*.py"))]


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports_of(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            found += [f"{module}.{alias.name}" for alias in node.names]
    return found


def under(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


def allowed_for(module: str) -> tuple[str, ...]:
    rows = [row for row in ALLOWED if under(module, row[0])]
    return max(rows, key=lambda row: len(row[0]))[1]


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_point_upstream_only(path: Path) -> None:
    module = name_of(path)
    for name in imports_of(path):
        if name.split(".")[0] in OURS:
            assert any(under(name, prefix) for prefix in allowed_for(module)), f"{module} imports {name}"


@pytest.mark.parametrize("path", [p for p in modules() if p.is_relative_to(ROOT / "controller")], ids=name_of)
def test_the_controller_never_loads_what_a_pi_should_not(path: Path) -> None:
    for name in imports_of(path):
        assert name.split(".")[0] not in NEVER_IN_CONTROLLER, f"{name_of(path)} imports {name}"


def test_a_planted_import_is_caught() -> None:
    assert not any(under("display.view", prefix) for prefix in allowed_for("firmware_bridge.events"))
    assert not any(under("controller.table.state", prefix) for prefix in allowed_for("controller.rulings.silent"))
    assert not any(under("controller.rulings.silent", prefix) for prefix in allowed_for("simulator.players"))


def test_package_files_are_empty() -> None:
    for package in OURS:
        for path in (ROOT / package).rglob("__init__.py"):
            assert path.read_text() == "", f"{path} is not empty"
