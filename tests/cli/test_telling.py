"""What a command tells somebody at a terminal besides its result."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from dragoman.cli import telling
from dragoman.cli.telling import told_on_terminal
from dragoman.files import atomic_folder, open_writer, read_lines, write_lines


class Terminal(io.RawIOBase):
    """A stream that says it is one, at which nobody types anything."""

    @property
    def buffer(self) -> Terminal:
        return self

    def isatty(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def readinto(self, _: object) -> int:
        return 0


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What is told while standard error is a terminal, in a folder of its own."""
    lines: list[str] = []
    monkeypatch.setattr(telling, "sys", SimpleNamespace(stdin=Terminal(), stderr=Terminal()))
    monkeypatch.setattr(telling.click, "echo", lambda line, err: lines.append(line))
    monkeypatch.setenv("DRAGOMAN_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return lines


def test_what_waits_for_standard_input_says_so(said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Terminal())
    with told_on_terminal():
        assert read_lines("-") == []
    assert said == ["dragoman: reading standard input; end it with Ctrl-D, or name a file."]


def test_what_wrote_a_file_says_where(said: list[str], tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    with told_on_terminal():
        write_lines("a.txt", ["x"])
        with atomic_folder("model") as folder:
            write_lines(folder / "part", ["x"])
        write_lines("home/kept", ["x"])
        with open_writer("/dev/null") as stream:
            stream.write("x")
    assert said == ["wrote a.txt", "wrote model"]
    write_lines("later", [])
    assert len(said) == 2


def test_many_files_are_counted(said: list[str], tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    with told_on_terminal():
        for number in range(9):
            write_lines(f"site/{number}", [])
    assert said == ["wrote 9 files in site"]


def test_what_failed_was_not_written(said: list[str]) -> None:
    with pytest.raises(KeyError), told_on_terminal(), open_writer("a.txt"):
        raise KeyError
    assert said == []
