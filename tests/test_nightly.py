"""`make nightly`: what was green is kept, what is red or cannot run is told apart, what hangs is ended."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import nightly
from claims import Claim


def part(name: str, code: str, **more: object) -> nightly.Part:
    return nightly.Part(name, (sys.executable, "-c", code), **more)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nightly, "KEPT", tmp_path / "nightly")
    (tmp_path / "nightly").mkdir()
    monkeypatch.setattr(nightly, "commit", lambda: ("abc", False))
    monkeypatch.setattr(nightly, "commits_since", {"old": 5, "abc": 2, "def": 0}.get)


def run(monkeypatch: pytest.MonkeyPatch, parts: list[nightly.Part], *words: str) -> int:
    monkeypatch.setattr(nightly, "parts", lambda: parts)
    monkeypatch.setattr(sys, "argv", ["nightly.py", *words])
    return nightly.main()


def test_each_end_has_its_name(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    claim = Claim("x", "README.md", "nine times", r"([\d.]+) ×", 9.0, "least")
    parts = [
        part("fine", "print(1)"),
        part("wrong", "raise SystemExit('two failed')"),
        part("elsewhere", "print('no browser'); raise SystemExit(77)"),
        part("slower", "print('2.0 ×')", claims=(claim,)),
        part("without", "print(1)", needs="no-such-program"),
        part("unanswered", "print(1)", needs="sh -c 'echo the service does not answer >&2; exit 1'"),
    ]
    assert run(monkeypatch, parts) == 1
    told = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert " green " in told["fine"]
    assert " red " in told["wrong"]
    assert "two failed" in told["wrong"]
    assert " not here " in told["elsewhere"]
    assert told["elsewhere"].endswith("no browser")
    assert "'nine times' (9), measured 2" in told["slower"]
    assert "no-such-program is not installed" in told["without"]
    assert "the service does not answer" in told["unanswered"]


def test_what_hangs_is_broken_off(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, [part("hanging", "import time; time.sleep(600)")], "--limit", "1") == 1
    assert "broken off" in capsys.readouterr().out


def test_it_goes_on_where_it_stopped(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [part("one", "print(1)"), part("two", "print(2)")]
    assert run(monkeypatch, parts, "one") == 0
    assert run(monkeypatch, parts) == 0
    assert "[2/2] two" in capsys.readouterr().err
    assert run(monkeypatch, parts) == 0
    assert capsys.readouterr().err == ""  # nothing is left to do
    monkeypatch.setattr(nightly, "commit", lambda: ("def", False))
    assert run(monkeypatch, parts, "one") == 0
    assert "one" in capsys.readouterr().err  # another commit
    rows = json.loads((nightly.KEPT / "runs.json").read_text())
    assert {row["part"]: row["commit"] for row in rows} == {"one": "def", "two": "abc"}


def test_what_was_green_since_a_commit_counts_if_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = [part("one", "print(1)"), part("two", "raise SystemExit(1)")]
    monkeypatch.setattr(nightly, "commit", lambda: ("abc", True))
    assert run(monkeypatch, parts) == 1
    monkeypatch.setattr(nightly, "commit", lambda: ("def", True))
    capsys.readouterr()
    assert run(monkeypatch, parts, "--since", "old") == 1
    told = capsys.readouterr()
    assert "[2/2] two" in told.err  # what was red runs again, what was green does not
    assert "[1/2] one" not in told.err
    assert "abc+ (2 before)" in told.out
    assert run(monkeypatch, parts, "--since", "def", "one") == 0
    assert "[1/1] one" in capsys.readouterr().err  # it was green before that commit
    with pytest.raises(SystemExit):
        run(monkeypatch, parts, "--since", "elsewhere")


def test_another_process_may_run_parts_at_the_same_time() -> None:
    before = nightly.kept_runs()
    for name in ("one", "two"):
        nightly.keep(nightly.carry_out(part(name, "print(1)"), 5))
    assert not before
    assert set(nightly.kept_runs()) == {"one", "two"}


def test_what_cannot_run_here_has_a_code_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, [part("one", "print(1)"), part("two", "raise SystemExit(77)")]) == 3
    assert run(monkeypatch, [part("one", "print(1)")], "--table", "--markdown") == 0


def test_the_parts_have_names_of_their_own_and_every_benchmark_is_one() -> None:
    names = [each.name for each in nightly.parts()]
    assert len(set(names)) == len(names)
    assert {"slow-smt", "slow-web", "properties-metrics", "properties-tests"} <= set(names)
    assert "slow-fuzz" not in names  # `fuzz` has more of them
    assert {"wheel-3.11", "wheel-3.14"} <= set(names)
    files = [path for path in (ROOT / "bench").glob("*.py") if "__main__" in path.read_text(encoding="utf-8")]
    assert len(files) > 50
    assert {f"bench-{path.stem}" for path in files} <= set(names)
