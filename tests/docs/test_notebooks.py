"""The notebooks of the documentation run, and show what they say they show."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("notebooks", ROOT / "tools" / "notebooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kinds(notebook: dict[str, Any]) -> list[list[list[str]]]:
    """Of each cell the kinds of its outputs; what they say in numbers, the tests of the package look after."""
    return [
        [sorted(each.get("data", {"stdout": ""})) for each in cell.get("outputs", ())] for cell in notebook["cells"]
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_runs_from_top_to_bottom(tool: ModuleType, path: Path) -> None:
    pytest.importorskip("pandas")
    stored = tool.stored(path)
    assert any(cell.get("outputs") for cell in stored["cells"]), "execute it: tools/notebooks.py"
    assert kinds(tool.executed(stored)) == kinds(stored)


def test_a_page_has_text_code_and_output(tool: ModuleType) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "text"]},
        {"cell_type": "code", "source": ["print('<b>')\n", "1 + 1"], "outputs": []},
    ]
    notebook = tool.executed({"cells": cells})
    page = tool.as_markdown(notebook, "name")
    assert page.startswith(
        "# Title\ntext\n\n```python\nprint('<b>')\n1 + 1\n```\n\n```text\n<b>\n```\n\n```text\n2\n```"
    )
    assert "[The notebook itself](name.ipynb)" in page


def test_a_cell_that_fails_says_where(tool: ModuleType) -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        tool.executed({"cells": [{"cell_type": "code", "source": ["x = 1\n", "1 / 0"], "outputs": []}]})
    assert "<cell 1>" in str(raised.traceback[-1].path)


def test_every_notebook_has_a_place_in_the_contents() -> None:
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) == 5
    assert [path.stem for path in NOTEBOOKS if f"notebooks/{path.stem}.md" not in contents] == []
