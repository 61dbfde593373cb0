"""What is in a model folder, whatever kind of model it is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from dragoman.artifact import Manifest, checksum, read_manifest
from dragoman.files import StrPath
from dragoman.report.result import Result
from dragoman.report.table import Column, Table

__all__ = ["ModelInspection", "inspect_model"]


@dataclass(frozen=True)
class ModelInspection(Result):
    """A model's manifest, and the state of each of its files: `good`, `missing` or `damaged`."""

    kind: ClassVar[str] = "model"

    folder: str
    manifest: Manifest
    files: tuple[tuple[str, int | None, str], ...]  # name, bytes, state

    def tables(self) -> list[Table]:
        """The manifest as fields and values, then the files."""
        manifest = self.manifest
        fields = [
            ("kind", manifest.kind),
            ("format", str(manifest.format)),
            ("made by", f"Dragoman {manifest.dragoman}"),
            ("seed", None if manifest.seed is None else str(manifest.seed)),
            *((f"recipe: {name}", json.dumps(value, ensure_ascii=False)) for name, value in manifest.recipe.items()),
            *((f"trained on: {name}", f"sha256 {digest}") for name, digest in manifest.data.items()),
        ]
        return [
            Table.of(self.folder, ["field", "value"], fields),
            Table.of("Files", ["file", Column("bytes"), "state"], self.files),
        ]

    def meta(self) -> dict[str, Any]:
        """The files and their states."""
        return {"folder": self.folder, "files": [list(row) for row in self.files]}


def inspect_model(folder: StrPath) -> ModelInspection:
    """Read the manifest of a model folder and check its files against it."""
    manifest = read_manifest(folder)
    states: list[tuple[str, int | None, str]] = []
    for name, expected in manifest.files.items():
        path = Path(folder) / name
        if not path.is_file():
            states.append((name, None, "missing"))
        else:
            state = "good" if checksum(path) == expected else "damaged"
            states.append((name, path.stat().st_size, state))
    return ModelInspection(str(folder), manifest, tuple(states))
