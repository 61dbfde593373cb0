"""Every code block of the README and the guides does what it says."""

from __future__ import annotations

import doctest
import os
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import agrees, code_blocks, commands, run

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
each_document = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())


@each_document
def test_console_blocks(path: Path, tmp_path: Path) -> None:
    wanted = commands(path.read_text(encoding="utf-8"))
    if not wanted:
        pytest.skip("no console blocks")
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "COLUMNS": "120",
        "NO_COLOR": "1",
        "LC_ALL": "C.UTF-8",
    }
    wrong = []
    for step in wanted:
        printed = run(step.command, tmp_path, environment)
        if step.shown and not agrees(step.shown, printed):
            wrong.append(f"{path.name}:{step.line}: $ {step.command}\n" + "\n".join(printed))
    assert not wrong, "\n\n".join(wrong)


@each_document
def test_python_blocks(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = code_blocks(path.read_text(encoding="utf-8"), "python")
    source = "\n".join("\n".join(lines) + "\n" for _, lines in blocks)
    if ">>>" not in source:
        pytest.skip("no python sessions")
    monkeypatch.chdir(tmp_path)
    session = doctest.DocTestParser().get_doctest(source, {}, path.name, str(path), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    runner.run(session, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_the_runner_tells_wrong_output_from_right() -> None:
    assert agrees(["a", "…", "d"], ["a", "b", "c", "d"])
    assert agrees(["time …s", "x"], ["time 3.2s", "x"])
    assert not agrees(["a", "…"], ["b"])
    assert not agrees(["a"], ["a", "b"])
    text = "```console\n$ echo a \\\n    b\na b\n$ true\n```\n"
    assert [(c.command, c.shown) for c in commands(text)] == [("echo a b", ["a b"]), ("true", [])]
