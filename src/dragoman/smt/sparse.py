"""Sparse features: one for each pair of words, named by them, with a weight only where tuning gave it one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.notation import whole_number
from dragoman.smt.feature_tables import feature_name
from dragoman.text.vocabulary import Vocabulary

__all__ = ["DECODER_FEATURES", "SparseNames", "SparseRows"]

# Features that an engine's recipe can ask for by name alone; each has a line in the core's table. Others are made from
# tables that stand behind the name (see `FeatureTables`).
DECODER_FEATURES = tuple(each for each in _core.phrase.known_features() if not _core.phrase.feature_resources(each))

_BITS, _SHIFT = _core.phrase.SPARSE_BITS, _core.phrase.SPARSE_SHIFT
_MARKS = {-1: "<unk>", -2: "<s>", -3: "</s>"}  # what the core's negative words say


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Sparse features of paths: those of path p are `[offsets[p], offsets[p + 1])`, with keys that rise."""

    offsets: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    keys: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    values: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, dtype=np.float32))


class BothSides(Protocol):
    """What has the words of both sides, as of now: an engine may learn new ones."""

    @property
    def source(self) -> Vocabulary:
        """The words of the source side."""

    @property
    def target(self) -> Vocabulary:
        """The words of the target side."""


class SparseNames:
    """Names of sparse features, `word-pairs house Haus`, and the numbers that the core knows them by."""

    def __init__(self, features: Sequence[str], words: BothSides, classes: Sequence[str] = ()) -> None:
        """`classes` are names for numbers, of features that are made from tables."""
        named = enumerate(map(feature_name, features), start=1)
        self.families = {number: (name, _sides(name)) for number, name in named if _sides(name) is not None}
        self._classes = list(classes)
        self._numbers = {name: number for number, (name, _) in self.families.items()}
        self._words = words

    def is_sparse(self, name: str) -> bool:
        """Whether a name is that of a sparse feature of this engine."""
        family, *parts = name.split(" ")
        return family in self._numbers and len(parts) == 2

    def key(self, name: str) -> int:
        """The number of a sparse feature."""
        if not self.is_sparse(name):
            raise DataError(f"{name!r} names no sparse feature; write a family and two words: word-pairs house Haus.")
        family, *parts = name.split(" ")
        number = self._numbers[family]
        sides = self.families[number][1] or ()
        code = number << 2 * _BITS
        for shift, side, part in zip((_BITS, 0), sides, parts, strict=True):
            code |= (self._word(side, part) + _SHIFT) << shift
        return code

    def name(self, key: int) -> str:
        """The name of a sparse feature."""
        family, sides = self.families[key >> 2 * _BITS]
        mask = (1 << _BITS) - 1
        numbers = ((key >> _BITS & mask) - _SHIFT, (key & mask) - _SHIFT)
        return " ".join([family, *(self._shown(s, n) for s, n in zip(sides or (), numbers, strict=True))])

    def weights(self, weights: Mapping[str, float]) -> _core.phrase.SparseWeights | None:
        """Weights by name as the decoder takes them; `None` if there are none."""
        return sparse_weights([self.key(name) for name in weights], weights.values()) if weights else None

    def _vocabulary(self, side: str) -> Vocabulary:
        return self._words.source if side == "source" else self._words.target

    def _word(self, side: str, part: str) -> int:
        if side == "class" and self._classes:
            if part not in self._classes:
                raise DataError(f"A sparse feature names the class {part!r}. Known: {', '.join(self._classes)}.")
            return self._classes.index(part)
        if side in ("number", "class"):
            number = whole_number(part)
            if number is None:
                raise DataError(f"Expected a number in the name of a sparse feature, got {part[:40]!r}.")
            return number
        vocabulary = self._vocabulary(side)
        if side == "source" and part == _MARKS[-1] and vocabulary.unk_id is not None:
            return vocabulary.unk_id  # source text is encoded with it; a target has no such word, only copied ones
        for number, mark in _MARKS.items():
            if part == mark:
                return number
        word = vocabulary.get(part)
        if word is None:
            raise DataError(f"A sparse feature names the {side} word {part!r}, which the engine does not know.")
        return word

    def _shown(self, side: str, number: int) -> str:
        if side in ("number", "class"):
            return self._classes[number] if side == "class" and self._classes else str(number)
        vocabulary = self._vocabulary(side)
        if number == vocabulary.unk_id:
            number = -1
        return _MARKS[number] if number < 0 else vocabulary.word(number)


def sparse_weights(keys: Iterable[int], values: Iterable[float]) -> _core.phrase.SparseWeights:
    """Weights by number as the decoder takes them."""
    return _core.phrase.SparseWeights(np.fromiter(keys, dtype=np.uint64), np.fromiter(values, dtype=np.float32))


def _sides(feature: str) -> tuple[str, str] | None:
    """What the two parts of a name are words of; `None` for a feature without sparse values."""
    parts = _core.phrase.sparse_parts(feature).name
    if parts == "none":
        return None
    if parts == "numbers":
        side = "class" if _core.phrase.feature_resources(feature) else "number"
        return (side, side)
    first, second = parts.split("_")
    return (first, second)
