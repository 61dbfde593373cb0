"""Work for pools, importable by workers."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path


def double(folder: Path, number: int) -> None:
    (folder / "number.txt").write_text(str(2 * number))


def die_once(folder: Path, number: int, mark: str) -> None:
    """The first to come is killed as it works, having written half of what it should."""
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        double(folder, number)
        return
    (folder / "number.txt").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)


def die(folder: Path, number: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fill_disk(folder: Path, number: int) -> None:
    (folder / "half.txt").write_text("half")
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def miss(folder: Path, path: str) -> None:
    Path(path).read_bytes()
