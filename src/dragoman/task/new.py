"""A new task: a folder with a `task.toml` that can be read at once and is edited from there on."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, atomic_folder, write_lines
from dragoman.report import Result, Table
from dragoman.task.manifest import MANIFEST, missing_files, read_task

__all__ = ["NewTask", "new_task"]


@dataclass(frozen=True)
class NewTask(Result):
    """The folder of a new task."""

    kind: ClassVar[str] = "new task"

    name: str
    file: str

    missing: tuple[str, ...] = ()  # files that it names and that are not there

    def tables(self) -> list[Table]:
        """Where it lies, and what comes next."""
        folder = Path(self.file).parent
        note = f"Edit {self.file}; then: dragoman task status {folder}"
        if self.missing:
            note += f". Not there yet: {', '.join(self.missing)}"
        return [Table.of("", ["task", "file"], [(self.name, self.file)], note=note)]

    def meta(self) -> dict[str, Any]:
        """The file that declares it, and which files it still waits for."""
        return {"file": self.file, "missing": list(self.missing)}


def new_task(
    folder: StrPath,
    *,
    pair: str,
    source: StrPath,
    references: Sequence[StrPath],
    systems: Sequence[StrPath] = (),
    judgements: Sequence[StrPath] = (),
    documents: StrPath | None = None,
    metrics: Sequence[str] = ("bleu", "chrf", "ter"),
    teams: Sequence[str] = (),
    track: str = "news",
    deadline: datetime | None = None,
    title: str = "",
    style: str = "wmt13",
    variant: str = "wmt14",
) -> NewTask:
    """Begin a task with one test set, in a new folder; nothing is left of one that is wrong.

    Files stay where they are: the manifest names them, from its own folder where that can be said. A team is NAME or
    NAME=INSTITUTION.
    """
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise DataError(f"{target} is there already and not empty; name a new folder for the task.")
    target.parent.mkdir(parents=True, exist_ok=True)

    def paths(files: Sequence[StrPath]) -> str:
        return _listed([_from(target, file) for file in files])

    lines = [
        "# A shared task: what is asked, of whom, until when. Paths are meant from this folder.",
        f"name = {_quoted(target.resolve().name)}",
        f"title = {_quoted(title or target.resolve().name)}",
        f"deadline = {deadline.isoformat()}" if deadline else "# deadline = 2026-05-17T12:00:00Z",
        "",
        *(line for team in teams for line in _team_lines(team)),
        "[[translation]]",
        f"name = {_quoted(track)}",
        f"pair = {_quoted(pair)}",
        f"source = {_quoted(_from(target, source))}",
        f"references = {paths(references)}",
        *([f"documents = {_quoted(_from(target, documents))}"] if documents else []),
        f"systems = {paths(systems)}",
        f"metrics = {_listed(metrics)}",
        f"judgements = {paths(judgements)}",
        f"style = {_quoted(style)}",
        f"variant = {_quoted(variant)}",
    ]
    with atomic_folder(target) as temporary:
        write_lines(temporary / MANIFEST, "\n".join(lines).splitlines())
        try:
            task = read_task(temporary)
        except FormatError as error:  # it has not its name yet
            raise FormatError(error.message, path=target / MANIFEST, line=error.line) from None
    return NewTask(task.name, str(target / MANIFEST), missing_files(read_task(target)))


def _team_lines(team: str) -> list[str]:
    name, _, institution = team.partition("=")
    return [
        "[[team]]",
        f"name = {_quoted(name)}",
        *([f"institution = {_quoted(institution)}"] if institution else []),
        "",
    ]


def _from(folder: Path, file: StrPath) -> str:
    """The way from the task's folder to a file, perhaps with a name before it."""
    name, equals, path = os.fspath(file).partition("=")
    if not equals or "/" in name:
        name, path = "", os.fspath(file)
    way = os.path.relpath(path, folder.resolve()) if not path.startswith("$") else path
    return f"{name}={way}" if name else way


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a basic string of TOML is one of JSON's


def _listed(texts: Sequence[str]) -> str:
    if len(texts) < 3:
        return "[" + ", ".join(map(_quoted, texts)) + "]"
    return "[\n" + "".join(f"  {_quoted(text)},\n" for text in texts) + "]"
