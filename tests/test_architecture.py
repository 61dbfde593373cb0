"""The map of the house (docs/design.md): who may import whom."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "dragoman"

# From the ground up. A room imports only rooms of lower floors; rooms on one floor do not know each other.
FLOORS = [
    {"errors", "lazy"},
    {"utf8"},
    {"options", "rng", "files", "notation", "spreadsheets"},
    {"registry"},
    {"artifact", "cache"},
    {"_core"},
    {"report"},
    {"text"},
    {"data"},
    {"stats"},
    {"learn"},
    {"syntax", "lm", "align", "samples"},
    {"metrics", "ranking", "corpus"},
    {"engines"},
    {"human", "qe", "smt", "analysis"},
    {"store"},
    {"cat"},
    {"site", "web"},
    {"demo"},
    {"cli"},
]
FLOOR = {room: number for number, floor in enumerate(FLOORS) for room in floor}


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    """The rooms that a module imports, also inside functions."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "dragoman":
            rooms |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("dragoman."):
            rooms.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            rooms |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("dragoman.")}
    return rooms - {"__version__"}


MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_room_imports_only_lower_floors(path: Path) -> None:
    room = room_of(path)
    assert room in FLOOR, f"{room} has no floor: give it one here and in docs/design.md"
    wrong = {other for other in imported_rooms(path) - {room} if FLOOR.get(other, len(FLOORS)) >= FLOOR[room]}
    assert not wrong, f"{path.name} ({room}) imports {', '.join(sorted(wrong))}"


def test_the_check_sees_a_wrong_import(tmp_path: Path) -> None:
    module = tmp_path / "wrong.py"
    module.write_text(
        "def f():\n    from dragoman.cli import main\n    import dragoman.web.app\n    from dragoman import qe\n"
    )
    assert imported_rooms(module) == {"cli", "web", "qe"}


def test_no_room_is_called_utils() -> None:
    assert not [path for path in MODULES if path.stem in {"utils", "util", "helpers", "misc", "common"}]
