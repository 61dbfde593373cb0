"""What training a `Recipe` gives: an `Artifact`.

An artifact is saved as a folder with a `manifest.json` that says what it is, how it was made, how large its files are
and what they must hash to. Nothing is pickled. A folder appears under its name only when it is complete.
"""

from __future__ import annotations

import json
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from tokenize import TokenError
from typing import Any, ClassVar, Self, get_origin, get_type_hints
from zipfile import BadZipFile

from dragoman import __version__
from dragoman.errors import DataError, DragomanError, ModelError
from dragoman.files import StrPath, atomic_folder
from dragoman.notation import parse_json
from dragoman.options import Recipe

__all__ = ["FAULTS", "Artifact", "Manifest", "checksum", "read_manifest"]

MANIFEST = "manifest.json"

# Bytes up to which a file is hashed whenever it is opened: what people edit is small. A larger one, which is mapped and
# not read, is known by its size unless all is to be verified.
_HASHED = 1 << 16


@dataclass(frozen=True)
class Manifest:
    """What stands in an artifact's `manifest.json`."""

    kind: str  # "truecaser", "language model", …
    format: int  # version of the folder's layout
    recipe: dict[str, Any]
    seed: int | None
    data: dict[str, str]  # what it was trained on: name → SHA-256 of the content
    dragoman: str  # the version that made it
    files: dict[str, str]  # file in the folder → SHA-256
    sizes: dict[str, int] = field(default_factory=dict)  # file → bytes; without one, a file is known by its hash alone

    def check(self, folder: Path, *, verify: bool) -> None:
        """Raise unless every file is there in its size and, if it is small or all is to be verified, unchanged."""
        for name, expected in self.files.items():
            path, size = folder / name, self.sizes.get(name)
            if not path.is_file():
                raise ModelError(f"{folder} is incomplete: {name} is missing. Build it again or copy it whole.")
            if size is not None and path.stat().st_size != size:
                raise ModelError(
                    f"{folder}: {name} is damaged or was edited ({path.stat().st_size} bytes, not {size}). "
                    f"Build it again or copy it whole."
                )
            if (verify or size is None or size <= _HASHED) and checksum(path) != expected:
                raise ModelError(f"{folder}: {name} is damaged or was edited (checksum differs). Build it again.")


# What reading files of other content than promised ends in: a checksum does not tell who wrote it. Archives that say
# they are encrypted or patched end in `RuntimeError`; NumPy, which reads the head of an array as Python, adds the last
# three.
FAULTS = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    zlib.error,
    BadZipFile,
    SyntaxError,
    TokenError,
)


def checksum(path: StrPath) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    digest = sha256()
    with Path(path).open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


class Artifact(ABC):
    """Something trained or built, immutable, saved as a folder.

    A subclass names its `kind` and `format`, writes its files in `_write` and reads them in `_read`.
    """

    kind: ClassVar[str]
    format: ClassVar[int]

    recipe: Recipe
    seed: int | None = None
    data: Mapping[str, str] = {}

    @abstractmethod
    def _write(self, folder: Path) -> None:
        """Write the files of the artifact (not the manifest) into an empty folder."""

    @classmethod
    @abstractmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        """Read the artifact from a folder whose manifest and files have been checked."""

    def save(self, folder: StrPath) -> Path:
        """Write the artifact as a folder, replacing an older artifact there. The folder is whole or not there."""
        final = Path(folder)
        _check_replaceable(final)
        final.parent.mkdir(parents=True, exist_ok=True)
        with atomic_folder(final) as temporary:
            self._write(temporary)
            written = {
                path.relative_to(temporary).as_posix(): path for path in sorted(temporary.rglob("*")) if path.is_file()
            }
            manifest = Manifest(
                kind=self.kind,
                format=self.format,
                recipe=self.recipe.to_dict(),
                seed=self.seed,
                data=dict(self.data),
                dragoman=__version__,
                files={name: checksum(path) for name, path in written.items()},
                sizes={name: path.stat().st_size for name, path in written.items()},
            )
            text = json.dumps(asdict(manifest), indent=2, ensure_ascii=False) + "\n"
            (temporary / MANIFEST).write_text(text, encoding="utf-8")
        return final

    @classmethod
    def load(cls, folder: StrPath, *, verify: bool = False) -> Self:
        """Read an artifact; another kind, another format version or a damaged file raises `ModelError`.

        Large files are known by their sizes, so that opening them does not mean reading them; `verify` reads and hashes
        them all.
        """
        path = Path(folder)
        manifest = read_manifest(path)
        if manifest.kind != cls.kind:
            raise ModelError(f"{path} is a {manifest.kind} (format {manifest.format}), not a {cls.kind}.")
        if manifest.format != cls.format:
            raise ModelError(
                f"{path} is a {cls.kind} of format {manifest.format} (made by Dragoman {manifest.dragoman}); "
                f"this version reads format {cls.format}. Build it again."
            )
        try:
            manifest.check(path, verify=verify)
            return cls._read(path, manifest)
        except DragomanError:
            raise
        except FAULTS as error:
            raise ModelError(
                f"{path} does not hold what a {cls.kind} has ({type(error).__name__}: {str(error)[:200]}). "
                "Build it again or copy it whole."
            ) from error

    @classmethod
    def read_part(cls, folder: Path) -> Self:
        """Read an artifact that is part of another one: its files have been checked with those of the whole."""
        return cls._read(folder, read_manifest(folder))


def read_manifest(folder: StrPath) -> Manifest:
    """The manifest of any model folder."""
    path = Path(folder)
    if not path.exists():
        raise ModelError(f"There is no model folder {path}.")
    if not (path / MANIFEST).is_file():
        raise ModelError(f"{path} is not a model folder: it has no {MANIFEST}.")
    try:
        values = parse_json((path / MANIFEST).read_bytes())
        manifest = Manifest(**values)
        declared = get_type_hints(Manifest).items()
        kinds = {name: dict if get_origin(kind) is dict else kind for name, kind in declared}
        wrong = [name for name, kind in kinds.items() if not isinstance(getattr(manifest, name), kind)]
        if wrong:
            raise TypeError(f"{', '.join(wrong)} of another type than a manifest's")
    except (DataError, TypeError) as error:
        raise ModelError(f"{path / MANIFEST} is not a manifest of Dragoman's: {str(error).rstrip('.')}.") from None
    for name in manifest.files:
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise ModelError(f"{path / MANIFEST} names a file outside the folder: {name!r}.")
    return manifest


def _check_replaceable(final: Path) -> None:
    if final.is_dir() and any(final.iterdir()) and not (final / MANIFEST).is_file():
        raise DataError(f"{final} exists and is not a model folder; name another folder.")
    if final.exists() and not final.is_dir():
        raise DataError(f"{final} is a file; a model is saved as a folder. Name another path.")
