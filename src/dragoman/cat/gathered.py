"""From people to models: what translators confirmed, as the files that training, tuning and campaigns take."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from dragoman.cat.projection import spoken
from dragoman.cat.projects import codes_of
from dragoman.cat.segments import Code
from dragoman.errors import DataError
from dragoman.files import StrPath, write_lines
from dragoman.report import Result, Table
from dragoman.store.translating import segments

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from dragoman.store.translating.projects import Project

__all__ = ["Gathering", "gather", "write_gathering"]

_ALL = 10**9
_MANIFEST = """\
# Machine translations and what translators made of them, judged side by side: errors, then a score.
name = "{name}"
protocol = "esa"
redundancy = 1
seed = 1
annotators = ["first", "second"]
task_size = 10

[test_set]
source_lang = "{source}"
target_lang = "{target}"
srcs = "post-edits.src"
systems = {{machine = "post-edits.mt", people = "post-edits.pe"}}
"""


@dataclass(frozen=True)
class Gathering(Result):
    """The confirmed segments of a project, without inline codes, and which of them were post-edited from what."""

    kind: ClassVar[str] = "project data"

    langs: tuple[str, str]
    pairs: tuple[tuple[str, str], ...]  # source and confirmed translation
    post_edits: tuple[tuple[str, str, str], ...]  # source, machine translation, what became of it
    folder: str = ""

    def tables(self) -> list[Table]:
        """What was written where, and the command that takes it."""
        source, target = self.langs
        commands = [
            (f"confirmed.{source}, confirmed.{target}", len(self.pairs), self._command("smt learn")),
            (f"confirmed.{source}, confirmed.{target}", len(self.pairs), self._command("smt tune")),
            ("post-edits.src, .mt, .pe", len(self.post_edits), self._command("qe train")),
            ("manifest.toml", len(self.post_edits), self._command("campaign new")),
        ]
        return [Table.of("Project data", ["files", "segments", "command"], commands)]

    def meta(self) -> dict[str, Any]:
        """Where it is."""
        return {"folder": self.folder, "langs": list(self.langs)}

    def _command(self, name: str) -> str:
        folder, (source, target) = self.folder or ".", self.langs
        texts = f"{folder}/confirmed.{source}", f"{folder}/confirmed.{target}"
        return {
            "smt learn": f"dragoman smt learn -m ENGINE --src {texts[0]} --tgt {texts[1]}",
            "smt tune": f"dragoman smt tune -m ENGINE --dev-src {texts[0]} --dev-ref {texts[1]} -o TUNED",
            "qe train": f"dragoman qe train --data {folder}/post-edits --bitext {texts[0]} {texts[1]} -m MODEL",
            "campaign new": f"dragoman campaign new {folder}/manifest.toml",
        }[name]


def gather(connection: Connection, project: Project, *, least: str = "translated") -> Gathering:
    """What was confirmed in a project: `approved` alone, or `translated`, too."""
    states = {"translated": ("translated", "approved"), "approved": ("approved",)}[least]
    _, rows = segments.list_segments(connection, project.id, limit=_ALL)
    confirmed = [row for row in rows if row["state"] in states and row["target"]]
    if not confirmed:
        raise DataError(f"Nothing in the project {project.name!r} is {least} yet.")
    texts = [(*_texts(row, codes_of(row["codes"])), row) for row in confirmed]
    edits = [
        (source, spoken(row["origin"]["text"], codes_of(row["codes"])), target)
        for source, target, row in texts
        if row["origin"] and row["origin"].get("kind") == "MT" and row["origin"].get("text")
    ]
    langs = project.source_lang, project.target_lang
    return Gathering(langs, tuple((source, target) for source, target, _ in texts), tuple(edits))


def _texts(row: Mapping[str, Any], codes: tuple[Code, ...]) -> tuple[str, str]:
    return spoken(row["source"], codes), spoken(row["target"], codes)


def write_gathering(gathering: Gathering, folder: StrPath, name: str) -> Gathering:
    """The files of a folder: confirmed pairs, post-edits, and a manifest of a campaign that judges the translations."""
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    source, target = gathering.langs
    langs = {"source": source, "target": target}
    write_lines(path / f"confirmed.{source}", [each for each, _ in gathering.pairs])
    write_lines(path / f"confirmed.{target}", [each for _, each in gathering.pairs])
    for place, suffix in enumerate(("src", "mt", "pe")):
        write_lines(path / f"post-edits.{suffix}", [each[place] for each in gathering.post_edits])
    manifest = _MANIFEST.format(name=re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower() or "project", **langs)
    (path / "manifest.toml").write_text(manifest, encoding="utf-8")
    return replace(gathering, folder=str(folder))
