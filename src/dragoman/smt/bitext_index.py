"""A word-aligned bitext that phrases are looked up in while translating, and that learns new sentence pairs at once."""

from __future__ import annotations

import mmap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import Artifact, Manifest
from dragoman.data.parallel import check_parallel
from dragoman.engines.journal import JOURNAL, Entry, Journal, LearntPair, Rollback, replayed
from dragoman.errors import DataError, ModelError
from dragoman.options import Recipe, filled, option
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.foreground import Foreground
from dragoman.smt.phrase_table import ORIENTATIONS, PhrasePair
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = ["BitextIndex", "PhraseSampling", "Sampled"]

USES = ("none", "only", "beside")

_LONGEST = 1000  # tokens of a sentence to be learnt
_INDEX, _SOURCE, _TARGET = "index.bin", "source.vocabulary", "target.vocabulary"


@dataclass(frozen=True)
class PhraseSampling(Recipe):
    """How phrases are looked up in an indexed bitext (Callison-Burch et al. 2005; Lopez 2007; Germann 2014)."""

    use: str = option("none", choices=USES, text="in the place of a phrase table, beside one, or not at all")
    longest: int = option(7, low=1, high=255, text="words of a phrase, on either side")
    orientation: str = option("word", choices=ORIENTATIONS, text="what a phrase is oriented to")
    orientation_smoothing: float = option(0.5, low=0, text="weight of the orientations of all phrases together")
    samples: int = option(1000, low=0, text="occurrences of a source phrase that are looked at; 0: all")
    inverse_samples: int = option(50, low=0, text="those of a target phrase, for p(source | target); 0: all")
    translations_per_phrase: int = option(40, low=0, text="of one source phrase, the most probable; 0: all")
    coherent: bool = option(
        False, choices=(False, True), text="p(target | source) counts occurrences without a translation, too"
    )

    def index(self, text: AlignedText, source: Vocabulary, target: Vocabulary, *, n_threads: int = 1) -> BitextIndex:
        """The index of an aligned bitext, whose ids are those of the vocabularies."""
        self.check()
        check_parallel({"source": text.source, "target": text.target, "alignment": text.link_offsets[1:]})
        core = _core.phrase.BitextIndex.make(
            text.source.ids,
            text.source.offsets,
            text.target.ids,
            text.target.offsets,
            text.links,
            text.link_offsets,
            longest=self.longest,
            orientation=_core.phrase.Orientation[self.orientation],
            n_threads=n_threads,
        )
        return BitextIndex(core, source, target, self)

    def core(self, n_threads: int = 1) -> _core.phrase.SampleOptions:
        """The options as the core takes them."""
        return filled(_core.phrase.SampleOptions(), self, n_threads=n_threads)


@dataclass(frozen=True, eq=False)
class Sampled:
    """The phrases of some lines, as one state of the index has them, with its vocabularies and the lines' ids."""

    table: _core.phrase.PhraseTable
    source: Vocabulary
    target: Vocabulary
    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]


class BitextIndex(Artifact):
    """An aligned bitext with suffix arrays over both sides: a phrase table that is made while it is asked.

    `learn` takes in further sentence pairs; they are searched at once, and, if the index lies in a folder, on disk
    before it returns. The same pairs in the same order give the same tables, whenever they came. Threads may look up
    and learn at the same time.
    """

    kind: ClassVar[str] = "bitext index"
    format: ClassVar[int] = 1

    recipe: PhraseSampling
    features: ClassVar[tuple[str, ...]] = ("table.1", "table.2", "table.3", "table.4")

    def __init__(
        self,
        core: _core.phrase.BitextIndex,
        source: Vocabulary,
        target: Vocabulary,
        recipe: PhraseSampling,
        *,
        journal: Path | None = None,
        file: memoryview | None = None,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.core = core
        self.recipe = recipe
        self.data = dict(data or {})
        self._vocabularies = self._first_vocabularies = source.freeze(), target.freeze()
        self._n_first = self._n_saved = len(core)  # pairs that it was made of; that it was last saved with
        self._file = file  # the content that it was made of, to come back to
        self._learnt: list[LearntPair] = []
        self.foreground = Foreground()  # what was learnt, before what the text says
        self.n_changes = 0  # how often something was learnt or forgotten: what was looked up before is out of date
        self._journal = Journal(journal) if journal else None
        self._learning = RLock()
        if self._journal:
            self._take(self._journal.more())

    def __len__(self) -> int:
        """The number of sentence pairs."""
        return len(self.core)

    def __repr__(self) -> str:
        return f"<BitextIndex of {len(self):,} sentence pairs>"

    @property
    def source(self) -> Vocabulary:
        """The words of the source side, as of now."""
        return self._vocabularies[0]

    @property
    def target(self) -> Vocabulary:
        """The words of the target side, as of now."""
        return self._vocabularies[1]

    @property
    def orientation(self) -> str:
        """What phrases are oriented to."""
        return self.recipe.orientation

    @property
    def oriented(self) -> bool:
        """True if phrases have orientation scores."""
        return self.orientation != "none"

    def sample(self, batch: _core.text.TokenBatch, *, n_threads: int = 1) -> Sampled:
        """All phrases of tokenised lines that the bitext has."""
        options = self.recipe.core(n_threads)
        while True:
            # New words enter the vocabularies before their sentences enter the text: if the vocabularies are the same
            # behind the look-up as before, all that was found is in them.
            vocabularies = self._vocabularies
            ids, offsets = vocabularies[0].core.encode_batch(batch, n_threads=n_threads)
            table = self.core.table(ids, offsets, options)
            if self._vocabularies is vocabularies:
                return Sampled(table, *vocabularies, ids, offsets)

    def translations(self, phrase: str) -> list[PhrasePair]:
        """The translations of a tokenised source phrase, the most probable first; none if the text lacks it."""
        words = phrase.split()
        sample = self.sample(_core.text.surface_tokeniser("none").batch([" ".join(words)]))
        pairs = sample.table.find(sample.ids) if words else []
        return [
            PhrasePair(" ".join(words), " ".join(map(sample.target.word, target)), tuple(links), tuple(scores))
            for target, links, scores in pairs
        ]

    def count(self, word: str) -> int:
        """How often a source word was met with a translation of its own, in a sample of the text; 0 if it has none."""
        pairs = self.translations(word)
        return int(pairs[0].scores[-2]) if pairs else 0

    def learn(self, pairs: Sequence[LearntPair]) -> None:
        """Take in tokenised sentence pairs with their links, all or none; written to disk first."""
        _check(pairs)  # what is wrong is not written
        with self._learning:
            self._take(self._journal.append(pairs) if self._journal else pairs)

    def refresh(self) -> int:
        """Take in what other processes have learnt or forgotten with the same folder; how many entries there were."""
        with self._learning:
            new = self._journal.more() if self._journal else []
            self._take(new)
            return len(new)

    def rollback(self, n_pairs: int) -> int:
        """Forget the last pairs learnt, whoever taught them, until `n_pairs` are left; how many were forgotten."""
        with self._learning:
            self.refresh()
            before = len(self)
            if not self._n_saved <= n_pairs <= before:
                raise DataError(
                    f"The index has {before} sentence pairs, of which {before - self._n_saved} were learnt since it "
                    f"was saved: it can go back to {self._n_saved} or more, not to {n_pairs}."
                )
            if n_pairs < before:
                entry = Rollback(n_pairs)
                self._take(self._journal.append([entry]) if self._journal else [entry])
            return before - len(self)

    def _take(self, entries: Sequence[Entry]) -> None:
        learnt = replayed(self._learnt, entries, n_first=self._n_first)
        if self._file and any(isinstance(entry, Rollback) for entry in entries):
            self._start_again(self._file, learnt)
            foreground = Foreground()
            foreground.add(learnt)
            self.foreground = foreground
        else:
            self._add(learnt[len(self._learnt) :])
            self.foreground.add(learnt[len(self._learnt) :])
        self._learnt = learnt
        self.n_changes += bool(entries)

    def _start_again(self, file: memoryview, pairs: Sequence[LearntPair]) -> None:
        """The index as it was before anything was learnt, with these pairs alone."""
        core = _core.phrase.BitextIndex.on_file(file)
        again = BitextIndex(core, *self._first_vocabularies, self.recipe, file=file)
        again._add(pairs)
        # Those who look up meanwhile see a core that knows fewer words than the vocabularies, never more.
        self.core = again.core
        self._vocabularies = again._vocabularies

    def _add(self, pairs: Sequence[LearntPair]) -> None:
        if not pairs:
            return
        if self._file is None:
            self._file = memoryview(self.core.serialised())
        sides = [pair.source for pair in pairs], [pair.target for pair in pairs]
        grown = [
            vocabulary if _knows(vocabulary, lines) else vocabulary.thawed()
            for vocabulary, lines in zip(self._vocabularies, sides, strict=True)
        ]
        source, target = (
            TokenIds(*vocabulary.core.encode(lines, _core.text.surface_tokeniser("none")))
            for vocabulary, lines in zip(grown, sides, strict=True)
        )
        if any(new is not old for new, old in zip(grown, self._vocabularies, strict=True)):
            self._vocabularies = grown[0].freeze(), grown[1].freeze()
        points = [pair.points() for pair in pairs]
        flat = np.array([point for each in points for point in each], dtype=np.uint16).reshape(-1, 2)
        offsets = np.cumsum([0, *map(len, points)], dtype=np.int64)
        self.core.add(source.ids, source.offsets, target.ids, target.offsets, flat, offsets)

    def _write(self, folder: Path) -> None:
        with self._learning:
            self.refresh()
            (folder / _INDEX).write_bytes(self.core.serialised())
            self._n_saved = len(self)
            self.source.save(folder / _SOURCE)
            self.target.save(folder / _TARGET)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        file = folder / _INDEX
        with file.open("rb") as stream:
            if not file.stat().st_size:
                raise ModelError(f"{file}: the file is empty. Build the index again or copy it again.")
            content = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
        try:
            core = _core.phrase.BitextIndex.on_file(content)
        except DataError as error:
            raise ModelError(f"{file}: {error}") from None
        source, target = Vocabulary.load(folder / _SOURCE), Vocabulary.load(folder / _TARGET)
        if core.n_words[0] > len(source) or core.n_words[1] > len(target):
            raise ModelError(f"{file} does not belong to the vocabularies beside it. Build the index again.")
        recipe = PhraseSampling.from_dict(manifest.recipe)
        return cls(core, source, target, recipe, journal=folder / JOURNAL, file=content, data=manifest.data)


def _tokens(lines: Sequence[str]) -> list[list[str]]:
    batch = _core.text.surface_tokeniser("none").batch(lines)
    return [batch.tokens(i) for i in range(len(lines))]


def _knows(vocabulary: Vocabulary, lines: Sequence[str]) -> bool:
    return all(token in vocabulary for tokens in _tokens(lines) for token in tokens)


def _check(pairs: Sequence[LearntPair]) -> None:
    sides = _tokens([pair.source for pair in pairs]), _tokens([pair.target for pair in pairs])
    for number, (pair, source, target) in enumerate(zip(pairs, *sides, strict=True), start=1):
        if not source or not target:
            raise DataError(f"Sentence pair {number} has a side without words; there is nothing to learn from it.")
        if max(len(source), len(target)) > _LONGEST:
            raise DataError(
                f"Sentence pair {number} has {len(source)} and {len(target)} tokens; at most {_LONGEST} can be learnt. "
                "Cut it into sentences."
            )
        for s, t in pair.points():
            if not (0 <= s < len(source) and 0 <= t < len(target)):
                raise DataError(
                    f"Sentence pair {number} has {len(source)} and {len(target)} tokens, but a link {s}-{t}, counted "
                    "from 0."
                )
