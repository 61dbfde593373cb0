"""Phrases of factored setups with several steps or alternative paths, put together for the lines to be translated.

`tL-L+tT-T+gLaT-F:tF-FaLaT` (Koehn & Hoang 2007; Bojar, Jawaid & Kamran, WMT 2012): each step that translates has a
phrase table of its own. A translation of source words by a path is a sequence of whole words, as the training text has
them with all their factors, that shows each step one of its translations; what a path generates is worth
log p(generated | read) of each word. The paths compete in one search, each with features of its own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import Artifact, Manifest
from dragoman.errors import ModelError
from dragoman.smt.bitext_index import Sampled
from dragoman.smt.factor_setup import FactorStep
from dragoman.smt.factors import FactorSection, FactorWords
from dragoman.smt.phrase_table import UNKNOWN, PhrasePair, PhraseTable
from dragoman.text.vocabulary import Vocabulary

__all__ = ["FactoredPhrases", "generation_scores"]

_TARGET = "target.vocabulary"
_MOST = 100  # translations of a phrase by one path
_KEPT = 4  # batches of lines whose phrases are remembered: tuning asks for the same ones again and again


class FactoredPhrases(Artifact):
    """The tables of a factored setup's translation steps, and what its generation steps say of whole target words."""

    kind: ClassVar[str] = "factored phrases"
    format: ClassVar[int] = 1

    recipe: FactorSection

    def __init__(
        self,
        recipe: FactorSection,
        tables: Mapping[str, PhraseTable],
        generated: Mapping[str, NDArray[np.float32]],
        target: Vocabulary,
        data: Mapping[str, str] | None = None,
    ) -> None:
        """Tables by step; by generation step log p of each word of `target`, the words that carry all factors."""
        self.recipe = recipe
        self.tables = dict(tables)
        self.generated = dict(generated)
        self.target = target.freeze()
        self.data = dict(data or {})
        self._recent: OrderedDict[tuple[str, ...], Sampled] = OrderedDict()
        self._lock = Lock()
        words = FactorWords(recipe.carried)
        self._gives = {
            str(step): _numbers(tables[str(step)].target, [words.part(word, step.gives) for word in target.words()])
            for step in self._steps()
            if not step.generates
        }

    def _steps(self) -> Iterator[FactorStep]:
        return (step for path in self.recipe.paths for step in path)

    def __len__(self) -> int:
        """The number of phrase pairs in all tables."""
        return sum(map(len, self.tables.values()))

    def __repr__(self) -> str:
        return f"<FactoredPhrases {self.recipe.setup}: {len(self):,} pairs in {len(self.tables)} tables>"

    @property
    def n_sources(self) -> int:
        """The number of source phrases in all tables."""
        return sum(table.n_sources for table in self.tables.values())

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features: of each path, four of each translation, one of each generation."""
        names = []
        for number, path in enumerate(self.recipe.paths, start=1):
            prefix = f"path{number}." if len(self.recipe.paths) > 1 else ""
            ordered = [*(step for step in path if not step.generates), *(step for step in path if step.generates)]
            for step in ordered:
                own = [""] if step.generates else [f".{i}" for i in range(1, len(self._table(step).features) + 1)]
                names += [f"{prefix}{step}{each}" for each in own]
        return tuple(names)

    def _table(self, step: FactorStep) -> PhraseTable:
        return self.tables[str(step)]

    @property
    def _first(self) -> PhraseTable:
        return self._table(self.recipe.paths[0][0])

    @property
    def orientation(self) -> str:
        """What phrases are oriented to."""
        return self._first.orientation

    @property
    def source(self) -> Vocabulary:
        """The words that the first step reads."""
        return self._first.source

    @property
    def longest(self) -> int:
        """Words of the longest source phrase."""
        return max(table.core.longest for table in self.tables.values())

    def sample(self, token_lines: Sequence[str], *, n_threads: int = 1) -> Sampled:
        """All phrases of tokenised lines, by all paths."""
        key = tuple(token_lines)
        with self._lock:
            if key in self._recent:
                self._recent.move_to_end(key)
                return self._recent[key]
        sampled = self._assembled(token_lines, n_threads)
        with self._lock:
            self._recent[key] = sampled
            while len(self._recent) > _KEPT:
                self._recent.popitem(last=False)
        return sampled

    def _assembled(self, token_lines: Sequence[str], n_threads: int) -> Sampled:
        section = self.recipe
        whole = section.composed(token_lines)
        vocabulary = Vocabulary(unk=UNKNOWN)
        ids, offsets = vocabulary.core.encode(whole, _core.text.surface_tokeniser("none"), n_threads=n_threads)
        words, read = FactorWords(section.read), vocabulary.words()
        sources = {
            str(step): _numbers(self._table(step).source, [words.part(word, step.reads) for word in read])[ids]
            for step in self._steps()
            if not step.generates
        }
        paths = [
            (
                [
                    (
                        self._table(step).core,
                        len(self._table(step).features),
                        sources[str(step)],
                        self._gives[str(step)],
                    )
                    for step in path
                    if not step.generates
                ],
                [self.generated[str(step)] for step in path if step.generates],
            )
            for path in section.paths
        ]
        oriented = self._first.oriented
        table = _core.phrase.assemble(paths, ids, offsets, most=_MOST, orientation=oriented, n_threads=n_threads)
        return Sampled(table, vocabulary.freeze(), self.target, ids, offsets)

    def translations(self, phrase: str) -> list[PhrasePair]:
        """The translations of a tokenised source phrase by all paths; none if there are none."""
        words = phrase.split()
        sample = self.sample([" ".join(words)])
        return [
            PhrasePair(" ".join(words), " ".join(map(self.target.word, target)), tuple(links), tuple(scores))
            for target, links, scores in (sample.table.find(sample.ids) if words else [])
        ]

    def count(self, word: str) -> int:
        """How many translations of its own a word has."""
        return len(self.translations(word))

    def _write(self, folder: Path) -> None:
        for step, table in self.tables.items():
            table.save(folder / step)
        for step, log_p in self.generated.items():
            np.save(folder / f"{step}.npy", log_p)
        self.target.save(folder / _TARGET)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        section = FactorSection.from_dict(manifest.recipe)
        target = Vocabulary.load(folder / _TARGET)
        tables, generated = {}, {}
        for step in {str(step): step for path in section.paths for step in path}.values():
            name = str(step)
            if not step.generates:
                tables[name] = PhraseTable.read_part(folder / name)
                continue
            generated[name] = _read_scores(folder / f"{name}.npy", len(target))
        return cls(section, tables, generated, target, manifest.data)


def _read_scores(path: Path, n_words: int) -> NDArray[np.float32]:
    try:
        scores = np.load(path, allow_pickle=False)
    except (ValueError, OSError, EOFError, SyntaxError) as error:
        raise ModelError(f"{path} is no array of scores ({error}). Train the engine again.") from None
    if scores.dtype != np.float32 or scores.shape != (n_words,) or not np.isfinite(scores).all():
        raise ModelError(f"{path} does not fit the vocabulary beside it. Train the engine again.")
    return np.ascontiguousarray(scores)


def _numbers(vocabulary: Vocabulary, words: Sequence[str]) -> NDArray[np.int32]:
    """The number of each word, -1 of those that the vocabulary lacks; its word for the unknown is none."""
    numbers = np.array(vocabulary.find(words), dtype=np.int32)
    return np.where(numbers == vocabulary.unk_id, np.int32(-1), numbers)


def generation_scores(
    step: FactorStep, vocabulary: Vocabulary, words: FactorWords, counts: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Natural log p(what the step gives | what it reads) by word, of how often each whole word was met."""
    read = Vocabulary(unk=UNKNOWN)
    both = Vocabulary(unk=UNKNOWN)
    whole = vocabulary.words()
    conditions = read.ids([words.part(word, step.reads) for word in whole])
    pairs = both.ids([words.part(word, (*step.reads, *step.gives)) for word in whole])
    totals = np.bincount(conditions, weights=counts)[conditions]
    joint = np.bincount(pairs, weights=counts)[pairs]
    return np.log(np.where(totals > 0, joint / np.maximum(totals, 1), 1.0)).astype(np.float32)
