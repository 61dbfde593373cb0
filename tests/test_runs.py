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


def test_tests_that_start_a_browser_themselves_are_outside() -> None:
    """Those that get one from a fixture are marked by `tests/conftest.py`."""
    starting = {path: path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")}
    starting = {
        path: text for path, text in starting.items() if re.search(r"^ +with running_browser\(", text, re.MULTILINE)
    }
    assert TESTS / "qe" / "test_report_browser.py" in starting
    left_out = tuple(str(TESTS / name) for name in variable("LEFT_OUT"))
    unmarked = [
        path for path, text in starting.items() if "mark.outside" not in text and not str(path).startswith(left_out)
    ]
    assert unmarked == []
