"""Zips whose bytes tell nothing but their files."""

from __future__ import annotations

import io
import zipfile

__all__ = ["zipped"]

_TIME = (1980, 1, 1, 0, 0, 0)  # of all entries of a zip: the same content gives the same bytes


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip of these files; the same files give the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return stream.getvalue()
