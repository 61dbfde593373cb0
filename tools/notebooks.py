"""The notebooks of the documentation: executed here, shown by mkdocs.

    .venv/bin/python tools/notebooks.py            # execute all and store what they show
    .venv/bin/python tools/notebooks.py --check    # execute all; say which show something else than is stored

Cells are executed in their order in one name space and in an empty folder; what is printed, and the value of a cell's
last line, are its output. No server of notebooks is needed. As a hook of mkdocs it makes a page of each.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of its cells."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                cell = {**cell, "execution_count": count, "outputs": _outputs("".join(cell["source"]), names, count)}
            cells.append(cell)
    return {**notebook, "cells": cells}


def _outputs(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"<cell {count}>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"<cell {count}>", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        outputs.append(
            {"data": _data(value), "execution_count": count, "metadata": {}, "output_type": "execute_result"}
        )
    return outputs


def _data(value: Any) -> dict[str, list[str]]:
    from dragoman.report import Result

    data = {"text/plain": _lines(str(value) if isinstance(value, Result) else repr(value))}
    shown = getattr(value, "_repr_html_", None)
    return data if shown is None else {"text/html": _lines(shown()), **data}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def as_markdown(notebook: dict[str, Any], name: str) -> str:
    """The notebook as a page."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        parts += map(_shown, cell["outputs"])
    parts.append(f"[The notebook itself]({name}.ipynb)")
    return "\n\n".join(parts) + "\n"


def _shown(output: dict[str, Any]) -> str:
    data = output.get("data", {"text/plain": output.get("text", [])})
    if "text/html" in data:
        # One line: a blank one would end the HTML for Markdown.
        return re.sub(r"\s*\n\s*", " ", "".join(data["text/html"])).replace(' border="1"', "")
    return "```text\n" + "".join(data["text/plain"]).rstrip("\n") + "\n```"


def stored(path: Path) -> dict[str, Any]:
    """A notebook as it lies on disk."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def differences(path: Path) -> list[int]:
    """The cells whose outputs are not those that are stored, numbered from 1."""
    before = stored(path)
    after = executed(before)
    pairs = zip(before["cells"], after["cells"], strict=True)
    return [number for number, (old, new) in enumerate(pairs, start=1) if old.get("outputs") != new.get("outputs")]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The moment at which mkdocs lets a hook add files."""
    from mkdocs.structure.files import File

    for path in sorted(FOLDER.glob("*.ipynb")):
        page = as_markdown(stored(path), path.stem)
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=page))
    return files


def main() -> None:
    """Execute every notebook."""
    os.environ.setdefault("DRAGOMAN_THREADS", "1")
    changed = 0
    for path in sorted(FOLDER.glob("*.ipynb")):
        if "--check" in sys.argv:
            cells = differences(path)
            changed += len(cells)
            print(f"{path.name}: {'as stored' if not cells else f'other outputs in cells {cells}'}")
        else:
            path.write_text(json.dumps(executed(stored(path)), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            print(path.name)
    sys.exit(changed > 0)


if __name__ == "__main__":
    main()
