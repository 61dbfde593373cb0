"""A work directory: what each step of a long training gave, kept under a key made of its inputs and settings.

A step whose folder is there is not done again: a training that was interrupted goes on where it stopped, and one with
another recipe redoes only what the change touches. A folder appears under its name only when it is whole.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from dragoman.errors import DataError, DragomanError
from dragoman.files import StrPath, atomic_folder

__all__ = ["PlannedStep", "Work", "fingerprint"]

T = TypeVar("T")

_BATCH = 10_000  # lines hashed at a time
_STEP = "step.json"
_FORMAT = 1  # of what the steps write; a new number makes all of them anew


def fingerprint(lines: Iterable[str]) -> str:
    """The SHA-256 of lines, each with its length in front, so that no two different texts run together."""
    digest = sha256()
    waiting = iter(lines)
    while batch := list(islice(waiting, _BATCH)):
        digest.update("".join([f"{len(line)}:{line}" for line in batch]).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


@dataclass(frozen=True)
class PlannedStep:
    """A step: what it does, what it is told, and the keys of what it reads."""

    name: str
    text: str  # what it does, for people
    settings: Mapping[str, Any]
    inputs: tuple[str, ...]  # keys of other steps, fingerprints of data
    cost: float  # about how long it takes, in units of one another

    @property
    def key(self) -> str:
        """The step's name and a hash of all that decides its outcome."""
        content = json.dumps([_FORMAT, self.name, dict(self.settings), self.inputs], sort_keys=True, ensure_ascii=False)
        return f"{self.name}-{sha256(content.encode()).hexdigest()[:16]}"


class Work:
    """Does planned steps in a folder, each once."""

    def __init__(self, folder: StrPath) -> None:
        self.folder = Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise DataError(f"{self.folder} is a file; name a folder for the work.")
        self.log: list[tuple[PlannedStep, str, float, bool]] = []  # step, outcome, seconds, kept from an earlier run

    def has(self, step: PlannedStep) -> bool:
        """True if the step was done before and its files have the sizes they had then."""
        folder = self.folder / step.key
        if not (folder / _STEP).is_file():
            return False
        sizes: dict[str, int] = json.loads((folder / _STEP).read_text(encoding="utf-8"))["bytes"]
        return _sizes(folder) == sizes

    def do(
        self,
        step: PlannedStep,
        *,
        make: Callable[[], T],
        save: Callable[[T, Path], object],
        load: Callable[[Path], T],
        outcome: Callable[[T], str],
    ) -> T:
        """What the step gives: loaded, if it was done before and is not damaged, else made and saved."""
        final = self.folder / step.key
        if self.has(step):
            start = time.monotonic()
            try:
                value = load(final)
            except DragomanError:
                pass  # damaged since: made again below
            else:
                if all(done is not step for done, *_ in self.log):  # else it was made a moment ago, in parts
                    self.log.append((step, outcome(value), time.monotonic() - start, True))
                return value
        start = time.monotonic()
        value = make()
        self.folder.mkdir(parents=True, exist_ok=True)
        with atomic_folder(final) as folder:
            save(value, folder)
            about = {
                "step": step.name,
                "settings": dict(step.settings),
                "inputs": list(step.inputs),
                "bytes": _sizes(folder),
            }
            text = json.dumps(about, ensure_ascii=False, indent=2) + "\n"
            (folder / _STEP).write_text(text, encoding="utf-8")
        self.log.append((step, outcome(value), time.monotonic() - start, False))
        return value


def _sizes(folder: Path) -> dict[str, int]:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path != folder / _STEP)
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}
