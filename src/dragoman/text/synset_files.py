"""Synonym sets in METEOR's two files: `english.synsets`, words and the ids of their sets, and `english.exceptions`.

Either holds entries of two lines: a word and its sets, a base form and its irregular forms. They may be compressed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_lines

__all__ = ["SynsetFiles", "find_synset_files"]

# The endings of nouns, verbs and adjectives in the order of morphy(7WN), and what they are replaced by.
_ENDINGS = (
    *(
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    *(("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    *(("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
)
_SUFFIXES = ("", ".gz", ".xz", ".bz2", ".zst")


def find_synset_files(place: StrPath) -> SynsetFiles | None:
    """The files in a folder, if it has them."""
    sets, exceptions = (_file(Path(place), kind) for kind in ("synsets", "exceptions"))
    if sets is None:
        return None
    if exceptions is None:
        raise DataError(f"{place} holds {sets.name} but no english.exceptions beside it; METEOR needs both.")
    return SynsetFiles(sets, exceptions)


def _file(folder: Path, kind: str) -> Path | None:
    paths = (folder / f"english.{kind}{suffix}" for suffix in _SUFFIXES)
    return next((path for path in paths if path.is_file()), None)


class SynsetFiles:
    """Synonym sets as METEOR looks them up: those of a word as it stands and those of its base form."""

    def __init__(self, sets: Path, exceptions: Path) -> None:
        self._paths = sets, exceptions

    def synset_ids(self, word: str) -> tuple[str, ...]:
        """The ids of the sets that the word, or a base form of it, is in."""
        return tuple(dict.fromkeys(name for form in self._forms(word) for name in self._sets.get(form, ())))

    def synonyms(self, word: str) -> tuple[str, ...]:
        """The words that share a set with the word, sorted; the word itself and its base forms are left out."""
        others = {other for name in self.synset_ids(word) for other in self._words[name]}
        return tuple(sorted(other.replace("_", " ") for other in others - set(self._forms(word))))

    def _forms(self, word: str) -> tuple[str, ...]:
        return (word, *(self._bases.get(word) or (self._regular_base(word),)))

    def _regular_base(self, word: str) -> str:
        """The first form without an ending that has a set, in METEOR's order; empty where there is none."""
        if word.endswith("ss") or len(word) <= 2:
            return word
        forms = (word.removesuffix(end) + new for end, new in _ENDINGS if word.endswith(end))
        return next((form for form in forms if form in self._sets), "")

    @cached_property
    def _sets(self) -> dict[str, tuple[str, ...]]:
        return {word: tuple(names) for word, names in _entries(self._paths[0])}

    @cached_property
    def _words(self) -> dict[str, list[str]]:
        words: dict[str, list[str]] = {}
        for word, names in self._sets.items():
            for name in names:
                words.setdefault(name, []).append(word)
        return words

    @cached_property
    def _bases(self) -> dict[str, list[str]]:
        bases: dict[str, list[str]] = {}
        for base, forms in _entries(self._paths[1]):
            for form in forms:
                bases.setdefault(form, []).append(base)
        return bases


def _entries(path: Path) -> Iterator[tuple[str, list[str]]]:
    lines = read_lines(path)
    if len(lines) % 2:
        raise FormatError(
            "an entry has two lines, but the last has one; was the file cut off?", path=path, line=len(lines)
        )
    for word, values in zip(lines[::2], lines[1::2], strict=True):
        yield word, values.split()
