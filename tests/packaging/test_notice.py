"""Every bundled data file has an origin and a licence in NOTICE, and the licence fits the package's."""

from __future__ import annotations

import fnmatch
import subprocess
import tomllib

import pytest

from tests.conftest import ROOT

NOTICE = (ROOT / "NOTICE").read_text(encoding="utf-8")
ROWS = [tuple(cell.strip() for cell in line.split("|")) for line in NOTICE.splitlines() if line.count("|") == 2]
CODE = (".py", ".pyi", ".html", ".js", ".mjs", ".css", ".cpp", ".hpp", ".typed", ".gitkeep")
FITTING = {"Apache-2.0", "Unicode-3.0", "MIT", "BSD-3-Clause", "CC0-1.0"}


def bundled() -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "src/dragoman", "cpp"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("not a checkout")
    return [path for path in done.stdout.splitlines() if not path.endswith(CODE) and (ROOT / path).is_file()]


def rows_of(path: str) -> list[tuple[str, ...]]:
    return [row for row in ROWS if fnmatch.fnmatchcase(path, row[0].replace("/**/", "/*"))]


def test_every_data_file_has_one_origin_and_a_licence_that_fits() -> None:
    paths = bundled()
    assert len(paths) > 100
    assert {path: rows_of(path) for path in paths if len(rows_of(path)) != 1} == {}
    assert {licence for _, _, licence in ROWS} <= FITTING
    assert all(origin for _, origin, _ in ROWS)


def test_no_row_is_left_over() -> None:
    paths = bundled()
    assert [row[0] for row in ROWS if not any(row in rows_of(path) for path in paths)] == []


def test_lists_of_words_name_their_origin_themselves() -> None:
    for folder in ("prefixes", "function_words"):
        for path in sorted((ROOT / "src/dragoman/text" / folder).glob("*.txt")):
            head = [line for line in path.read_text(encoding="utf-8").splitlines()[:3] if line.startswith("# ")]
            assert any(line.startswith("# Origin: ") and "Licence: " in line for line in head), path


def test_the_notice_goes_with_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license-files"] == ["LICENSE", "NOTICE"]
    assert "UNICODE LICENSE V3" in NOTICE
