"""Morphemes learnt from words alone: Morfessor Baseline (Creutz & Lagus 2002, 2005; Virpioja et al. 2013).

The best lexicon of morphs is the one with which the words, and the lexicon itself, are described in the fewest nats. A
model is a folder with `morphs.tsv`, which people and other programs can read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import Artifact, Manifest, read_manifest
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_lines, write_lines
from dragoman.options import Recipe, option
from dragoman.rng import Stream
from dragoman.text.subword_training import SubwordModel
from dragoman.text.vocabulary import Vocabulary

__all__ = ["MorphemeModel", "MorphemeRecipe", "open_subwords"]

_MORPHS = "morphs.tsv"
_HEADER = "morph\tcount"
_MARK = "▁"  # U+2581 before the first morph of a word, as sentencepiece marks it
_BATCH = 10_000  # lines
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class MorphemeRecipe(Recipe):
    """How to learn morphemes.

    Every word is cut in two where that makes the description shortest, or not at all, then its halves are, and what a
    half becomes it becomes in all words; round by round until a round gains too little. Marks stay with their letters:
    what is cut are grapheme clusters.
    """

    counting: str = option(
        "types",
        choices=("types", "log", "tokens"),
        text="morphemes: a word counts once, by log2(1 + n), or as often as met",
    )
    corpus_weight: float = option(
        1.0, low=1e-6, high=1e6, text="morphemes: weight of words against lexicon: the higher, the fewer cuts"
    )
    longest: int = option(100, low=1, high=1000, text="in letters; longer words teach nothing")
    tolerance: float = option(0.005, low=0.0, text="nats a word: a round that gains no more is the last")
    max_rounds: int = option(100, low=1, text="rounds at most")

    def train(self, lines: Iterable[str], *, seed: int = 0, n_threads: int = 1) -> MorphemeModel:
        """Learn from lines of text, whose words are what stands between white space (or `▁`)."""
        self.check()
        if isinstance(lines, str):
            raise DataError("Expected lines of text, got one str. Pass an iterable of lines.")
        words = Vocabulary(counted=True)
        none = _core.text.surface_tokeniser("none")
        source = _checked(lines)
        while batch := list(islice(source, _BATCH)):
            words.core.encode(batch, none, n_threads=n_threads)
        return self.train_words(dict(zip(words, words.counts.tolist(), strict=True)), seed=seed)

    def train_words(self, counts: Mapping[str, int], *, seed: int = 0) -> MorphemeModel:
        """Learn from words and how often each was met; their order does not matter.

        If all are longer than `longest`, there are no morphs, and words stay whole.
        """
        self.check()
        wrong = next((word for word in counts if word.split() != [word] or _MARK in word), None)
        if wrong is not None:
            raise DataError(f"{wrong!r} is no word: it is empty, or has white space or {_MARK} inside.")
        if not counts:
            raise DataError("There is no word to learn morphemes from.")
        words = sorted(counts)
        met = np.array([counts[word] for word in words], dtype=np.int64)
        key = Stream(seed, "morphemes").key
        morphs, morph_counts, taken, _, _, _ = _core.morph.train(
            words,
            self._counted(met),
            corpus_weight=self.corpus_weight,
            longest=self.longest,
            tolerance=self.tolerance,
            max_rounds=self.max_rounds,
            key=key,
        )
        order = sorted(range(len(morphs)), key=lambda place: (-morph_counts[place], morphs[place]))
        digest = sha256("".join(f"{word}\t{counts[word]}\n" for word in words).encode())
        return MorphemeModel(
            self,
            [morphs[place] for place in order],
            morph_counts[order],
            n_words=int(self._counted(met)[taken].sum()),
            seed=seed,
            data={"words": digest.hexdigest()},
        )

    def _counted(self, met: NDArray[np.int64]) -> NDArray[np.int64]:
        if self.counting == "tokens":
            return met
        if self.counting == "types":
            return np.minimum(met, 1)
        return np.rint(np.log2(1.0 + np.maximum(met, 0))).astype(np.int64)


class MorphemeModel(Artifact):
    """Cuts words into morphs, the most probable ones of its lexicon, and puts them together again."""

    kind: ClassVar[str] = "morpheme model"
    format: ClassVar[int] = 1

    recipe: MorphemeRecipe

    def __init__(
        self,
        recipe: MorphemeRecipe,
        morphs: Sequence[str],
        counts: NDArray[np.int64],
        *,
        n_words: int,
        seed: int | None = None,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.recipe = recipe
        self.morphs = tuple(morphs)  # the most frequent first
        self.counts = counts  # of the morphs, in words that count as the recipe says
        self.n_words = n_words  # how much these count together
        self.seed = seed
        self.data = dict(data or {})
        self._core = _core.morph.Segmenter(self.morphs, counts, n_words=n_words)

    def __len__(self) -> int:
        """The number of morphs."""
        return len(self.morphs)

    @cached_property
    def description_length(self) -> float:
        """Of the training words and of the lexicon, in nats: what training made small."""
        return self._core.description_length(self.recipe.corpus_weight)

    @cached_property
    def costs(self) -> NDArray[np.float64]:
        """−ln p of each morph."""
        return self._core.costs()

    def cut(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Each line as morphs, separated by single spaces; `▁` stands before the first of a word.

        Letters that no morph covers are as few as can be; neighbours among them stay together.
        """
        if isinstance(lines, str):
            raise DataError("Expected a sequence of lines, got one str. Pass [line].")
        spaced = [line.replace(_MARK, " ") if _MARK in line else line for line in lines]
        return self._core.cut_lines(spaced, mark=_MARK, n_threads=n_threads)

    def encode(self, lines: Sequence[str], *, n_threads: int = 1) -> list[list[str]]:
        """Each line as a list of morphs; `▁` begins the first of a word."""
        return [line.split(" ") if line else [] for line in self.cut(lines, n_threads=n_threads)]

    def decode(self, pieces: Sequence[Sequence[str]]) -> list[str]:
        """Each sequence of morphs as text."""
        return ["".join(line).removeprefix(_MARK).replace(_MARK, " ") for line in pieces]

    def _write(self, folder: Path) -> None:
        # The empty morph is the end of a word.
        rows = (f"{morph}\t{count}" for morph, count in zip(self.morphs, self.counts.tolist(), strict=True))
        write_lines(folder / _MORPHS, [_HEADER, f"\t{self.n_words}", *rows])

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        path = folder / _MORPHS
        header, *lines = read_lines(path)
        if header != _HEADER or not lines:
            raise FormatError(f"is no table of morphs: it begins with {header[:60]!r}.", path=path)
        rows = []
        for number, line in enumerate(lines, start=2):
            morph, _, count = line.partition("\t")
            if not count.isdecimal() or (morph == "") != (number == 2):
                raise FormatError(f"expected a morph, a tab and a count, got {line[:60]!r}.", path=path, line=number)
            rows.append((morph, int(count)))
        recipe = MorphemeRecipe.from_dict(manifest.recipe)
        counts = np.array([count for _, count in rows[1:]], dtype=np.int64)
        morphs = [morph for morph, _ in rows[1:]]
        return cls(recipe, morphs, counts, n_words=rows[0][1], seed=manifest.seed, data=manifest.data)


def open_subwords(folder: StrPath) -> SubwordModel | MorphemeModel:
    """The model in a folder, of subwords or of morphemes, whichever it is."""
    if read_manifest(folder).kind == MorphemeModel.kind:
        return MorphemeModel.load(folder)
    return SubwordModel.load(folder)


def _checked(lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        if not line.isascii():
            if _SURROGATE.search(line):
                raise DataError(f"Line {number} holds a lone surrogate, which is no character.")
            line = line.replace(_MARK, " ")
        yield line
