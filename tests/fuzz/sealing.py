"""Manifests of models whose files were changed on purpose."""

from __future__ import annotations

import json
from pathlib import Path

from dragoman.artifact import MANIFEST, checksum

__all__ = ["reseal", "reseal_above"]


def reseal(folder: Path) -> None:
    """Make the manifests right for files that were changed, the inner ones first."""
    for manifest in sorted(folder.rglob(MANIFEST), key=lambda path: -len(path.parts)):
        _seal(manifest)


def reseal_above(file: Path, folder: Path) -> None:
    """The same where one file of the folder was changed: the manifests of the folders that it is in."""
    changed = {file}
    for inner in [each for each in file.parents if each.is_relative_to(folder)]:
        manifest = inner / MANIFEST
        if manifest.is_file() and manifest != file:
            _seal(manifest, changed)
            changed.add(manifest)


def _seal(manifest: Path, changed: set[Path] | None = None) -> None:
    values = json.loads(manifest.read_text(encoding="utf-8"))
    for name in values["files"]:
        path = manifest.parent / name
        if changed is None or path in changed:
            values["files"][name] = checksum(path)
            if "sizes" in values:
                values["sizes"][name] = path.stat().st_size
    manifest.write_text(json.dumps(values), encoding="utf-8")
