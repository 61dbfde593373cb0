"""Fixtures as archives: the same bytes for the same files."""

from __future__ import annotations

import lzma
import re
import tarfile
from collections.abc import Iterable
from pathlib import Path

__all__ = ["asked_texts", "pack"]


def pack(archive: Path, folder: Path, names: Iterable[str]) -> None:
    """Write files and folders of a folder into a .tar.xz, without owners and times."""
    with (
        lzma.open(archive, "wb", preset=9 | lzma.PRESET_EXTREME) as stream,
        tarfile.open(fileobj=stream, mode="w") as tar,
    ):
        for path in sorted(each for name in names for each in _files(folder / name)):
            member = tarfile.TarInfo(path.relative_to(folder).as_posix())
            member.size = path.stat().st_size
            with path.open("rb") as content:
                tar.addfile(member, content)


def asked_texts(folder: Path, commands: Iterable[str]) -> list[str]:
    """The files of a folder that commands name, by their names or without their suffixes."""
    words = {word for command in commands for word in re.split(r"[\s=:,]+", command)}
    return sorted(
        path.name for path in folder.iterdir() if path.is_file() and words & {path.name, path.name.partition(".")[0]}
    )


def _files(path: Path) -> list[Path]:
    return [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
