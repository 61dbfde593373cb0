"""A phrase table with its vocabularies, as an artifact."""

from __future__ import annotations

import json
import mmap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from dragoman import _core
from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, ModelError
from dragoman.options import Recipe
from dragoman.text.vocabulary import Vocabulary

__all__ = ["UNKNOWN", "PhrasePair", "PhraseTable"]

UNKNOWN = " "  # the word for the unknown: no token holds white space, so no text can hold it

_TABLE, _SOURCE, _TARGET = "phrases.bin", "source.vocabulary", "target.vocabulary"
_FEATURES = "features.json"
_EXTRACTED = ("table.1", "table.2", "table.3", "table.4")


@dataclass(frozen=True)
class PhrasePair:
    """A source phrase, one translation of it, how their words are linked (source-target, from 0), and its scores."""

    source: str
    target: str
    links: tuple[tuple[int, int], ...]
    scores: tuple[float, ...]  # natural logarithms


class PhraseTable(Artifact):
    """Source phrases and their translations, each with scores, as natural logarithms but for the counts.

    First its `features`, of an extracted table p(s|t), its lexical weight, p(t|s), its lexical weight; then, if
    `oriented`, the probabilities of monotone, swapped and discontinuous towards what is before and behind; last, if
    `counted`, how often pair, source and target were met.
    """

    kind: ClassVar[str] = "phrase table"
    format: ClassVar[int] = 1

    core: _core.phrase.PhraseTable  # what kernels take
    source: Vocabulary
    target: Vocabulary

    def __init__(
        self,
        core: _core.phrase.PhraseTable,
        source: Vocabulary,
        target: Vocabulary,
        recipe: Recipe,
        *,
        features: Sequence[str] = _EXTRACTED,
        orientation: str | None = None,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.core = core
        self.features = tuple(features)
        self.orientation = str(getattr(recipe, "orientation", "none")) if orientation is None else orientation
        self.source = source.freeze()
        self.target = target.freeze()
        self.recipe = recipe
        self.data = dict(data or {})

    def __len__(self) -> int:
        """The number of phrase pairs."""
        return len(self.core)

    def __repr__(self) -> str:
        return f"<PhraseTable of {len(self):,} pairs of {self.n_sources:,} source phrases>"

    @property
    def n_sources(self) -> int:
        """The number of different source phrases."""
        return self.core.n_sources

    @property
    def oriented(self) -> bool:
        """True if the pairs have orientation scores, six behind the features."""
        return self.orientation != "none"

    @property
    def counted(self) -> bool:
        """True if the last three scores are counts."""
        return self.core.n_scores == len(self.features) + (6 if self.oriented else 0) + 3

    def translations(self, phrase: str) -> list[PhrasePair]:
        """The translations of a tokenised source phrase, the most probable first; none if the table lacks it."""
        words = phrase.split()
        ids = [self.source.get(word) for word in words]
        if not ids or None in ids:
            return []
        found = self.core.find(np.array(ids, dtype=np.int32))
        return [
            PhrasePair(" ".join(words), " ".join(map(self.target.word, target)), tuple(links), tuple(scores))
            for target, links, scores in found
        ]

    def count(self, word: str) -> int:
        """How often a source word was met with a translation of its own; 0 if it has none."""
        number = self.source.get(word)
        found = [] if number is None else self.core.find(np.array([number], dtype=np.int32))
        return int(found[0][2][-2]) if found else 0

    def _write(self, folder: Path) -> None:
        (folder / _TABLE).write_bytes(self.core.serialised())
        self.source.save(folder / _SOURCE)
        self.target.save(folder / _TARGET)
        if self.features != _EXTRACTED or self.orientation != getattr(self.recipe, "orientation", None):
            told = {"features": list(self.features), "orientation": self.orientation}
            (folder / _FEATURES).write_text(json.dumps(told, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        file = folder / _TABLE
        with file.open("rb") as stream:
            if not file.stat().st_size:
                raise ModelError(f"{file}: the file is empty. Build the table again or copy it again.")
            content = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
        try:
            core = _core.phrase.PhraseTable.on_file(content)
        except DataError as error:
            raise ModelError(f"{file}: {error}") from None
        # Which import this module, for what they give.
        from dragoman.smt.combination import TableCombination
        from dragoman.smt.extraction import PhraseExtraction

        made_by: type[Recipe] = TableCombination if "mode" in manifest.recipe else PhraseExtraction
        told: dict[str, Any] = {"features": _EXTRACTED, "orientation": None}
        if (folder / _FEATURES).is_file():
            told = json.loads((folder / _FEATURES).read_text(encoding="utf-8"))
        source, target = Vocabulary.load(folder / _SOURCE), Vocabulary.load(folder / _TARGET)
        table = cls(core, source, target, made_by.from_dict(manifest.recipe), **told, data=manifest.data)
        own = len(table.features) + (6 if table.oriented else 0)
        if core.n_target_words > len(target) or core.n_scores not in (own, own + 3):
            raise ModelError(f"{file} does not fit the vocabularies and features beside it. Build it again.")
        return table
