"""Disks and memory that do not suffice: a clear message, exit code 1, nothing half-written."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman.rng import Stream

WORDS = 3000


@pytest.fixture
def text(tmp_path: Path) -> Path:
    words = (Stream(1, "no room").uniform(40_000) * WORDS).astype(int).tolist()
    lines = [" ".join(f"w{word}" for word in words[i : i + 20]) for i in range(0, len(words), 20)]
    file = tmp_path / "text"
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return file


def run(words: list[str], limit: Callable[[], None]) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-c", "from dragoman.cli.main import main; main()", *words]
    return subprocess.run(call, preexec_fn=limit, capture_output=True, text=True, check=False)


def small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


@pytest.mark.parametrize("what", ["model", "arpa", "scratch", "engine"])
def test_a_disk_without_room_is_named_and_nothing_left_behind(text: Path, tmp_path: Path, what: str) -> None:
    made = tmp_path / "made"
    made.mkdir()
    build = ["lm", "build", str(text), "-m", str(made / "lm"), "--order", "3"]
    words = {
        "model": build,
        "arpa": [*build, "--arpa", str(made / "lm.arpa")],
        "scratch": [*build, "--memory", "1m", "--scratch", str(made)],
        "engine": [
            "smt",
            "train",
            "--src",
            str(text),
            "--tgt",
            str(text),
            "--lang-src",
            "en",
            "--lang-tgt",
            "de",
            "-o",
            str(made / "engine"),
            "--work",
            str(tmp_path / "work"),
        ],
    }[what]
    done = run(words, small_files)
    assert done.returncode == 1
    [line] = done.stderr.strip().splitlines()
    if what == "scratch":
        assert "Cannot write a scratch file: File too large. Name a folder with more room, or allow more" in line
    else:
        assert "There is no room on the disk" in line
        assert "Nothing was left half-written: make room and run it again." in line
    assert list(made.iterdir()) == []


def test_too_little_memory_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from dragoman.cli import main as command_line

    def exhausted(**_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(command_line.group, "main", exhausted)
    with pytest.raises(SystemExit) as stopped:
        command_line.main()
    assert stopped.value.code == 1
    assert capsys.readouterr().err.startswith("dragoman: There is not enough memory for this; nothing was left half")
