"""Apertium, where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from typing import cast

import pytest

from dragoman.engines import Translates, capabilities, load_engine
from dragoman.errors import DataError, NotAvailable
from dragoman.testing.engines import check_engine


def _modes() -> list[str]:
    if shutil.which("apertium") is None:
        return []
    return subprocess.run(["apertium", "-l"], capture_output=True, text=True, check=True).stdout.split()


needs_pair = pytest.mark.skipif("eng-spa" not in _modes(), reason="Apertium with the pair eng-spa is not installed")


@needs_pair
def test_it_keeps_the_contract_and_translates_line_by_line() -> None:
    engine = cast("Translates", load_engine("apertium:eng-spa"))
    assert capabilities(engine) == ("translates",)
    assert engine.languages == ("en", "es")
    lines = ["The red house", "", "is big and", "[a] {b} ^c$ @d \\ /e < f >", "Where is the station?"]
    check_engine(engine, lines)
    answers = engine.translate(lines)
    assert answers[0] == "La casa roja"
    assert answers[1] == ""


@needs_pair
def test_a_mode_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(DataError, match=r"no mode 'eng-xyz' here. Installed: .*eng-spa"):
        load_engine("apertium:eng-xyz")


def test_without_the_program_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NotAvailable, match="apt-get install apertium"):
        load_engine("apertium:eng-spa")


def test_a_failure_of_the_program_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    program = tmp_path / "apertium"  # type: ignore[operator]
    program.write_text('#!/bin/sh\n[ "$1" = -l ] && { echo eng-spa; exit; }\necho broken >&2; exit 3\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    engine = cast("Translates", load_engine("apertium:eng-spa"))
    with pytest.raises(DataError, match="Apertium failed: broken"):
        engine.translate(["a"])
