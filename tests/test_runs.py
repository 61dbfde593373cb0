"""Which tests run when: what `make check` and the daily run leave out is in docs/testing.md, with the reason."""

from __future__ import annotations

import re
import subprocess

from tests.conftest import ROOT

TESTS = ROOT / "tests"
PAGE = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def variable(name: str) -> set[str]:
    """The words of a variable of the Makefile."""
    call = ["make", "--dry-run", "--print-data-base", "--question", "PYTHON=false", "check"]
    printed = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    (found,) = re.findall(rf"^{name} := (.*)$", printed, flags=re.MULTILINE)
    return set(found.split())


def test_every_folder_is_checked_or_left_out_with_a_reason() -> None:
    folders = {path.parent.relative_to(TESTS).parts[0] for path in TESTS.glob("*/**/test_*.py")}
    files = {path.name for path in TESTS.glob("test_*.py")}
    left_out = variable("LEFT_OUT")
    rows = re.findall(r"^\| (`.*?) \| (.+) \|$", section("What `make check` leaves out"), flags=re.MULTILINE)
    named = [name.removeprefix("tests/") for cells, _ in rows for name in re.findall(r"`(.+?)`", cells)]
    assert sorted(named) == sorted(left_out)
    checked = {f"tests/{each}" for each in (folders | files) - left_out}
    assert variable("CHECKED") == checked | {"tests/smt/test_engine.py"}


def test_every_file_with_slow_tests_is_listed() -> None:
    text = section("From the daily run to the nightly one")
    slow = [path for path in TESTS.rglob("test_*.py") if "mark.slow" in path.read_text(encoding="utf-8")]
    slow = [path for path in slow if path != TESTS / "test_runs.py"]
    assert len(slow) > 30
    missing = []
    for path in slow:
        folder, *rest = path.relative_to(TESTS).parts
        row = next((line for line in text.splitlines() if f"tests/{folder}" in line and "/".join(rest) in line), None)
        if row is None:
            missing.append(str(path.relative_to(ROOT)))
    assert missing == []
