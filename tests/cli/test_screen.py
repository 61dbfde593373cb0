"""How wide the reader's terminal is, and whether it has colours."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from dragoman.samples import copy_samples

DRAGOMAN = [sys.executable, "-c", "from dragoman.cli.main import main; main()"]


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    copy_samples(tmp_path)
    return tmp_path


def lint(folder: Path, **environment: str) -> str:
    """What `lint` prints into a pipe."""
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "TERM")}
    words = [*DRAGOMAN, "lint", "testset"]
    done = subprocess.run(words, cwd=folder, env=kept | environment, capture_output=True, text=True, check=True)
    return done.stdout


def on_terminal(folder: Path, columns: int, **environment: str) -> str:
    """What `lint` prints on a terminal of so many columns."""
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "TERM")}
    ours, theirs = pty.openpty()
    import fcntl
    import struct
    import termios

    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    words = [*DRAGOMAN, "lint", "testset"]
    subprocess.run(words, cwd=folder, env=kept | environment, stdout=theirs, check=True, stdin=subprocess.DEVNULL)
    os.close(theirs)
    text = b""
    try:
        while block := os.read(ours, 4096):
            text += block
    except OSError:  # the other end is closed: Linux says so by an error
        pass
    os.close(ours)
    return text.decode().replace("\r\n", "\n")


def widest(text: str) -> int:
    return max(map(len, text.split("\n")))


def test_columns_says_how_wide_in_a_pipe_too(samples: Path) -> None:
    assert widest(lint(samples)) > 90
    assert widest(lint(samples, COLUMNS="80")) <= 80
    assert widest(lint(samples, COLUMNS="wide")) > 90
    assert "\x1b" not in lint(samples, COLUMNS="80", TERM="xterm")


def test_a_terminal_has_its_width_and_colours(samples: Path) -> None:
    plain = on_terminal(samples, 70, TERM="xterm", NO_COLOR="1")
    assert widest(plain) <= 70
    assert "\x1b" not in plain
    assert "\x1b" not in on_terminal(samples, 70, TERM="dumb")
    assert "\x1b[33mwarning" in on_terminal(samples, 70, TERM="xterm")


def test_an_error_is_red_on_a_terminal_only(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    words = [*DRAGOMAN, "lint", "nothing-here.tmx"]
    ours, theirs = pty.openpty()
    done = subprocess.run(words, cwd=tmp_path, env=kept | {"TERM": "xterm"}, stderr=theirs, check=False)
    os.close(theirs)
    assert done.returncode == 1
    assert os.read(ours, 4096).decode().startswith("\x1b[1;31mdragoman:\x1b[0m ")
    os.close(ours)
    piped = subprocess.run(words, cwd=tmp_path, env=kept, capture_output=True, text=True, check=False)
    assert piped.stderr.startswith("dragoman: ")
