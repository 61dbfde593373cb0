"""A spelling dictionary among the resources: its two files, kept as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, Self

from dragoman.artifact import Artifact, Manifest
from dragoman.files import StrPath, read_bytes
from dragoman.options import Recipe
from dragoman.text.hunspell import dictionary_paths
from dragoman.text.spelling import Dictionary

__all__ = ["SpellingDictionary", "SpellingRecipe"]

_NAME = "dictionary"


@dataclass(frozen=True)
class SpellingRecipe(Recipe):
    """Nothing is chosen: a dictionary is what its files say."""


class SpellingDictionary(Artifact):
    """A Hunspell dictionary; see `dragoman.text.Dictionary`."""

    kind: ClassVar[str] = "spelling dictionary"
    format: ClassVar[int] = 1

    def __init__(self, files: Mapping[str, bytes], dictionary: Dictionary) -> None:
        self.recipe = SpellingRecipe()
        self.data = {end: sha256(block).hexdigest() for end, block in files.items()}
        self._files = dict(files)
        self._dictionary = dictionary

    @classmethod
    def load(cls, folder: StrPath, *, verify: bool = False) -> Self:
        """From a folder of resources, or from a dictionary's own files."""
        return super().load(folder, verify=verify) if Path(folder).is_dir() else cls._of(Path(folder))

    def knows(self, words: Sequence[str], *, n_threads: int = 1) -> list[bool]:
        """True for each word that is spelt right."""
        return self._dictionary.knows(words, n_threads=n_threads)

    @classmethod
    def _of(cls, base: Path) -> Self:
        dictionary = Dictionary.load(base)
        return cls({path.suffix: read_bytes(path) for path in dictionary_paths(base)}, dictionary)

    def _write(self, folder: Path) -> None:
        for end, block in self._files.items():
            (folder / f"{_NAME}{end}").write_bytes(block)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:  # noqa: ARG003 - the contract
        return cls._of(folder / _NAME)
