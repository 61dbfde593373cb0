"""Manifests that come over the network: their files lie in a folder of their own, and they reach no others."""

from __future__ import annotations

import base64
import errno
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from dragoman.errors import DataError, FormatError
from dragoman.human.manifest import Manifest, read_manifest
from dragoman.notation import parse_toml

__all__ = ["check_path", "read_upload"]

_MANIFEST = "manifest.toml"
_MOST_ANNOTATORS = 10_000
_PACKED = (b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd")  # gzip, xz, zstandard
_NAME = re.compile(r"[^\x00-\x1f\\:=]{1,200}")


@contextmanager
def read_upload(
    manifest: str,
    files: Mapping[str, str],
    media: Mapping[str, str] | None = None,
    contents: Mapping[str, bytes] | None = None,
) -> Iterator[Manifest]:
    """The campaign that a manifest and its files declare: texts as they are, media in base 64, or any file's bytes.

    The files are there while the block runs.
    """
    values = parse_toml(manifest, path=_MANIFEST)
    n = values.get("annotators")
    if isinstance(n, int) and n > _MOST_ANNOTATORS:
        raise DataError(f"annotators is {n}; a manifest that is uploaded may ask for {_MOST_ANNOTATORS:,}.")
    _check_inside(values)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, text in files.items():
            _write(folder, path, text.encode())  # pydantic lets no lone surrogate through
        for path, code in (media or {}).items():
            try:
                content = base64.b64decode(code, validate=True)
            except ValueError:
                raise DataError(f"The file {path} is not in base 64.") from None
            _write(folder, path, content)
        for path, content in (contents or {}).items():
            _write(folder, path, content)
        place = folder / _MANIFEST
        place.write_text(manifest, encoding="utf-8", newline="")
        try:
            yield read_manifest(place)
        except FormatError as error:
            # Where the folder lies is nobody's business.
            raise FormatError(error.message, path=_relative(error.path, folder), line=error.line) from None
        except DataError as error:
            raise DataError(str(error).replace(f"{folder}/", "")) from None
        except FileNotFoundError as error:
            missing = _relative(str(error.filename), folder)
            raise DataError(f"The manifest names the file {missing!r}, which was not sent along.") from None


def _write(folder: Path, path: str, content: bytes) -> None:
    check_path(path)
    if content.startswith(_PACKED):
        # Files are unpacked where they are read, by their first bytes, to any size.
        raise DataError(f"{path} is packed; send it unpacked.")
    target = folder / path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise DataError(f"{path!r} cannot name a file beside the others.") from None


def _relative(path: str, folder: Path) -> str:
    return path.removeprefix(f"{folder}/")


def check_path(path: str, *, reserved: bool = True) -> None:
    """Refuse a path that leads out of the upload, or with `reserved` to its manifest."""
    parts = PurePosixPath(path)
    is_taken = reserved and path in (_MANIFEST, "-", ".")
    if not _NAME.fullmatch(path) or parts.is_absolute() or ".." in parts.parts or is_taken:
        raise DataError(f"{path!r} cannot name a file of an upload; use plain names, perhaps in folders.")


def _check_inside(value: Any) -> None:
    """Refuse a manifest with any text that could lead out of its folder."""
    if isinstance(value, Mapping):
        for inner in value.values():
            _check_inside(inner)
    elif isinstance(value, list):
        for inner in value:
            _check_inside(inner)
    elif isinstance(value, str):
        # NAME=PATH is a system, too, so each side of an equals sign is looked at.
        for part in value.split("="):
            path = PurePosixPath(part.strip())
            if path.is_absolute() or ".." in path.parts or part.strip() == "-" or part.strip().startswith("~"):
                raise DataError(f"{value!r} leads out of the upload; name files that are sent along.")
