"""What was submitted, put before people: the manifest of a campaign over the systems that count."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from dragoman.data.assemble import read_systems
from dragoman.errors import DataError
from dragoman.files import StrPath, write_lines
from dragoman.human.manifest import read_manifest
from dragoman.report import Result, Table
from dragoman.task.manifest import SharedTask, TranslationTrack
from dragoman.task.names import system_names
from dragoman.task.submissions import SubmissionBox
from dragoman.text.languages import parse_pair

__all__ = ["TaskCampaign", "campaign_of"]


@dataclass(frozen=True)
class TaskCampaign(Result):
    """The manifest that was written, and whom it puts before people."""

    kind: ClassVar[str] = "task campaign"

    file: str
    protocol: str
    systems: tuple[str, ...]

    def tables(self) -> list[Table]:
        """A row for each system."""
        note = f"Plan it: dragoman campaign plan {self.file}"
        return [
            Table.of(f"{self.protocol}: systems that are judged", ["system"], [(s,) for s in self.systems], note=note)
        ]

    def meta(self) -> dict[str, Any]:
        """The manifest and its protocol."""
        return {"file": self.file, "protocol": self.protocol}


def campaign_of(
    task: SharedTask, track: str, file: StrPath, *, protocol: str = "ranking", annotators: Sequence[str] = ()
) -> TaskCampaign:
    """Write the manifest of a campaign of any protocol over a track; what it gives becomes the track's `judgements`.

    Names of systems never reach a screen. A manifest that cannot be planned is not left behind.
    """
    chosen = task.track(track)
    if not isinstance(chosen, TranslationTrack):
        raise DataError(f"The track {track} has estimates, which nobody judges; name one with translations.")
    target = Path(file)
    if target.exists():
        raise DataError(f"{target} is there already; name another file.")
    names = system_names(task)
    counted = SubmissionBox(task).counted(chosen.name, "translation")
    paths = {each.name: each.path for each in read_systems(chosen.systems)}
    paths |= {names.of(each): each.text for each in counted}
    if not paths:
        raise DataError(f"No system was submitted to {track}; there is nothing to judge.")
    source_lang, target_lang = parse_pair(chosen.pair)

    def listed(texts: Sequence[str]) -> str:
        return "[" + ", ".join(map(_quoted, texts)) + "]"

    def way(path: str) -> str:
        return _quoted(os.path.relpath(path, target.resolve().parent))

    people = listed(annotators) if annotators else "4"
    systems = ", ".join(f"{_quoted(name)} = {way(path)}" for name, path in paths.items())
    references = ", ".join(way(path.rpartition("=")[2]) for path in chosen.references)
    lines = [
        f"name = {_quoted(f'{task.name}-{chosen.name}')}",
        f"title = {_quoted(task.title)}",
        f"protocol = {_quoted(protocol)}",
        f"seed = {task.seed}",
        f"annotators = {people}",
        "",
        "[test_set]",
        f"source_lang = {_quoted(source_lang)}",
        f"target_lang = {_quoted(target_lang)}",
        f"srcs = {way(chosen.source)}",
        f"refs = [{references}]",
        *([f"docs = {way(chosen.documents)}"] if chosen.documents else []),
        f"systems = {{{systems}}}",
    ]
    write_lines(target, lines)
    try:
        read_manifest(target)
    except BaseException:
        target.unlink()
        raise
    return TaskCampaign(str(target), protocol, tuple(paths))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
