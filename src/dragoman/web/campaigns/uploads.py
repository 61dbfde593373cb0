"""Manifests that come over the network: their files lie in a folder of their own, and they reach no others."""

from __future__ import annotations

import base64
import errno
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from dragoman.cat.reading import TooManySegments
from dragoman.errors import DataError, FormatError
from dragoman.human.manifest import Manifest, read_manifest
from dragoman.human.planning import CampaignPlan, plan
from dragoman.notation import parse_toml

__all__ = ["check_path", "planned_upload", "read_upload"]

_MANIFEST = "manifest.toml"
_MOST_ANNOTATORS = 10_000
_JUDGED = 10  # judgements for each text that is taken
_ADVICE = "Take fewer systems or segments, or make it with the command line: dragoman campaign new."
_PACKED = (b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd")  # gzip, xz, zstandard
_NAME = re.compile(r"[^\x00-\x1f\\:=]{1,200}")


@contextmanager
def read_upload(
    manifest: str,
    files: Mapping[str, str],
    media: Mapping[str, str] | None = None,
    contents: Mapping[str, bytes] | None = None,
    *,
    most: int = 100_000,
) -> Iterator[Manifest]:
    """The campaign that a manifest and its files declare: texts as they are, media in base 64, or any file's bytes.

    The files are there while the block runs. `most` texts may be in its test set, a file counted as often as it is
    named: a small one that is named for a thousand systems is a large test set.
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
        _check_amount(_lines_named(values.get("test_set"), folder), most)
        try:
            declared = read_manifest(place)
            texts = declared.test_set
            _check_amount(len(texts) * (1 + len(texts.refs) + len(texts.systems)), most)
            yield declared
        except TooManySegments:
            raise
        except FormatError as error:
            # Where the folder lies is nobody's business.
            raise FormatError(error.message, path=_relative(error.path, folder), line=error.line) from None
        except DataError as error:
            raise DataError(str(error).replace(f"{folder}/", "")) from None
        except FileNotFoundError as error:
            missing = _relative(str(error.filename), folder)
            raise DataError(f"The manifest names the file {missing!r}, which was not sent along.") from None


def planned_upload(manifest: Manifest, *, most: int = 100_000) -> CampaignPlan:
    """The plan of an upload; one of more than `most` items and tasks is refused, for others wait while it is kept."""
    outputs = len(manifest.test_set) * max(1, len(manifest.test_set.systems))
    judged = outputs * min(manifest.protocol.redundancy, len(manifest.annotators))
    if judged > _JUDGED * most:
        raise TooManySegments(
            f"The campaign asks for {judged:,} judgements; this server takes at most {_JUDGED * most:,} of one upload. "
            f"{_ADVICE}"
        )
    planned = plan(manifest)
    n = sum(len(task.items) for task in planned.tasks) + len(planned.assignments)
    if n > most:
        raise TooManySegments(
            f"The plan has {n:,} items and tasks given to people; this server takes at most {most:,} of one upload. "
            f"{_ADVICE}"
        )
    return planned


def _check_amount(n: int, most: int) -> None:
    if n > most:
        raise TooManySegments(
            f"The test set has {n:,} lines, a file counted as often as it is named; this server takes at most {most:,} "
            f"of one upload. {_ADVICE}"
        )


def _lines_named(test_set: Any, folder: Path) -> int:
    """The lines of the files of lines that a test set names, each as often as it is named."""
    table = test_set if isinstance(test_set, Mapping) else {}
    named = Counter(path for key in ("srcs", "refs", "systems", "docs") for path in _paths_in(table.get(key)))
    files = {path: folder / path.rpartition("=")[2] for path in named}
    return sum(n * files[path].read_bytes().count(b"\n") for path, n in named.items() if files[path].is_file())


def _paths_in(value: Any) -> Iterator[str]:
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else (value,)
    yield from (each for each in inside if isinstance(each, str))


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
