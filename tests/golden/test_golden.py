"""Whole commands and what they print. A case is a folder with two files: `cmd` and `expected`.

Commands run in a folder that holds the samples (`dragoman samples .`). Of several lines of commands, the last one's
output counts; those before it make what it needs. `VERSION` stands for Dragoman's version. After a change on purpose,
write the new answers with: DRAGOMAN_GOLDEN=write pytest tests/golden
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman import __version__
from dragoman.cli.main import group
from dragoman.samples import copy_samples

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/cmd"))


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("golden")
    copy_samples(folder)
    return folder


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_command_prints_what_it_printed_before(case: Path, samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(samples)
    *before, last = [shlex.split(line) for line in (case / "cmd").read_text(encoding="utf-8").splitlines()]
    assert all(name == "dragoman" for name, *_ in [*before, last])
    for _, *words in before:
        made = CliRunner(catch_exceptions=False).invoke(group, words)
        assert made.exit_code == 0, made.output
    done = CliRunner(catch_exceptions=False).invoke(group, last[1:])
    found = f"exit {done.exit_code}\n{done.stdout}"
    for pattern in ('"dragoman": "{}"', "|version:dragoman-{}"):  # the JSON's meta, the metrics' signatures
        found = found.replace(pattern.format(__version__), pattern.format("VERSION"))
    expected = case / "expected"
    if os.environ.get("DRAGOMAN_GOLDEN") == "write":
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


def test_there_are_cases() -> None:
    assert CASES
