"""Manifests of models whose files were changed on purpose."""

from __future__ import annotations

import json
from pathlib import Path

from dragoman.artifact import MANIFEST, checksum

__all__ = ["reseal"]


def reseal(folder: Path) -> None:
    """Make the manifests right for files that were changed, the inner ones first."""
    manifests = sorted(folder.rglob(MANIFEST), key=lambda path: -len(path.parts))
    for manifest in manifests:
        values = json.loads(manifest.read_text(encoding="utf-8"))
        for name in values["files"]:
            values["files"][name] = checksum(manifest.parent / name)
            if "sizes" in values:
                values["sizes"][name] = (manifest.parent / name).stat().st_size
        manifest.write_text(json.dumps(values), encoding="utf-8")
