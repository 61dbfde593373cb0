"""Rooms that import on first use: every name leads to its home, and what is written once is what is offered."""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "dragoman"
ROOMS = sorted(
    ".".join(["dragoman", *path.relative_to(PACKAGE).parts[:-1]])
    for path in PACKAGE.rglob("__init__.py")
    if "offer(__name__)" in path.read_text(encoding="utf-8")
)


def imports_for_type_checkers(room: ModuleType) -> dict[str, str]:
    """Name → module, as Python itself reads the package's text."""
    tree = ast.parse(Path(room.__file__ or "").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {a.name: str(node.module) for node in block.body if isinstance(node, ast.ImportFrom) for a in node.names}


@pytest.mark.parametrize("name", ROOMS)
def test_every_name_leads_to_its_home(name: str) -> None:
    room = import_module(name)
    homes = imports_for_type_checkers(room)
    assert set(homes) == set(room.__all__) - {"__version__"}
    assert set(homes) <= set(dir(room))
    for each, home in homes.items():
        expected = import_module(f"{home}.{each}") if home == name else getattr(import_module(home), each)
        assert getattr(room, each) is expected


@pytest.mark.parametrize("name", ROOMS)
def test_an_unknown_name_is_no_attribute(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"module '{name}' has no attribute 'bluff'"):
        import_module(name).bluff  # noqa: B018


def test_there_are_rooms_to_look_at() -> None:
    assert {"dragoman", "dragoman.metrics", "dragoman.data", "dragoman.data.judgements"} <= set(ROOMS)


def test_a_room_made_for_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "someroom"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from typing import TYPE_CHECKING\nfrom dragoman.lazy import offer\n"
        "if TYPE_CHECKING:\n    from someroom.paint import (\n        blue,\n        paint,\n    )\n"
        "    from someroom import shelf\nelse:\n    offer(__name__)\n"
    )
    (folder / "paint.py").write_text("blue = 4\ndef paint(): return blue\n")
    (folder / "shelf.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    room = import_module("someroom")
    assert "someroom.paint" not in sys.modules
    assert room.paint() == room.blue == 4
    import_module("someroom.paint")
    assert callable(room.paint)  # the function, though Python binds the module of that name
    assert room.shelf is sys.modules["someroom.shelf"]
