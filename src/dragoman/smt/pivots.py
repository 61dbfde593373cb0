"""Tables of pivots from bitexts, for TESLA and whatever else looks meanings up in another language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import exp
from typing import Any

import numpy as np

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.metrics.meteor import runs
from dragoman.metrics.pivots import PivotSettings, PivotTable
from dragoman.metrics.references import content_digest
from dragoman.metrics.tesla import TeslaM
from dragoman.report import Progress
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.pairs import encode
from dragoman.smt.phrase_table import UNKNOWN, PhraseExtraction
from dragoman.smt.word_alignment import WordAlignment, repeated
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = ["PivotRecipe"]

_DIRECT, _COUNT = 2, -2  # places of p(translation | phrase) and of the phrase's count among a pair's scores
Phrase = tuple[int, ...]


@dataclass(frozen=True)
class PivotRecipe(PivotSettings):
    """How a table of pivots is extracted from a bitext."""

    def find(
        self,
        pivot: Sequence[str],
        text: Sequence[str],
        *,
        seed: int = 1,
        progress: Progress | None = None,
        n_threads: int = 1,
    ) -> PivotTable:
        """The phrases of `text` with their translations in `pivot`: raw lines that are translations."""
        self.check()
        check_parallel({"pivot": pivot, "text": text})
        sides = zip(self.words(text, self.lang), self.words(pivot, self.pivot_lang), strict=True)
        pairs = [(ours, theirs) for ours, theirs in sides if ours and theirs]
        if not pairs:
            raise DataError("The bitext has no pair of lines with words on both sides.")
        words, kinds = Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN)
        own = encode(words, [" ".join(ours) for ours, _ in pairs])
        aligned = self._aligned(own, [theirs for _, theirs in pairs], kinds, seed, n_threads)
        extraction = PhraseExtraction(
            longest=self.longest, smoothing="none", orientation="none", translations_per_phrase=0
        )
        table = extraction.extract(aligned, words, kinds, n_threads=n_threads)
        entries = list(_entries(table.core, own, self.longest, progress))
        data = {"text": content_digest(text), "pivot": content_digest(pivot)}
        return PivotTable(words, self._kinds(kinds), self._arrays(entries), self, seed=seed, data=data)

    def _tesla(self) -> TeslaM:
        return TeslaM(lang=self.pivot_lang, lemma=self.lemma, pos=self.pos, function_words=self.function_words)

    def _aligned(
        self, own: TokenIds, pivot: list[list[str]], kinds: Vocabulary, seed: int, n_threads: int
    ) -> AlignedText:
        """The pairs, linked by their words, with the kinds of the pivot's words in place of these."""
        plain = encode(Vocabulary(unk=UNKNOWN), [" ".join(words) for words in pivot])
        aligned = WordAlignment(method=self.method, seed=seed).align(own, plain, n_threads=n_threads)
        lemmas, tags = self._tesla().annotated(pivot)
        names = [
            f"{word}\t{lemma}\t{tag}"
            for line in zip(pivot, lemmas, tags, strict=True)
            for word, lemma, tag in zip(*line, strict=True)
        ]
        named = TokenIds(kinds.ids(names, n_threads=n_threads), plain.offsets)
        return AlignedText(
            aligned.source, repeated(named, len(aligned) // len(own)), aligned.links, aligned.link_offsets
        )

    def _kinds(self, kinds: Vocabulary) -> list[tuple[str, str, str, bool]]:
        names = [name.split("\t") if "\t" in name else [name] * 3 for name in kinds.words()]
        flags = self._tesla().function_flags([word for word, _, _ in names])
        return [(word, lemma, tag, bool(flag)) for (word, lemma, tag), flag in zip(names, flags, strict=True)]

    def _arrays(self, entries: list[tuple[Phrase, float, list[tuple[Phrase, float]]]]) -> dict[str, Any]:
        kept = [self._likely(choices) for _, _, choices in entries]
        flat = list(chain.from_iterable(kept))
        return {
            **runs("phrase", [phrase for phrase, _, _ in entries], "phrases"),
            **runs("translation", [phrase for phrase, _ in flat], "translations"),
            "counts": np.array([count for _, count, _ in entries], dtype=np.float64),
            "choices": np.cumsum([0, *map(len, kept)], dtype=np.int64),
            "p": np.array([p for _, p in flat], dtype=np.float64),
        }

    def _likely(self, choices: list[tuple[Phrase, float]]) -> list[tuple[Phrase, float]]:
        ranked = sorted(choices, key=lambda each: (-each[1], each[0]))
        return [each for each in ranked if each[1] > self.least] or ranked[:1]


def _entries(
    table: Any, text: TokenIds, longest: int, progress: Progress | None
) -> Iterator[tuple[Phrase, float, list[tuple[Phrase, float]]]]:
    """The phrases of a text that the table has, with their counts and translations."""
    lines = (text.ids[a:b].tolist() for a, b in pairwise(text.offsets.tolist()))
    phrases = {
        tuple(line[i : i + n]) for line in lines for n in range(1, longest + 1) for i in range(len(line) - n + 1)
    }
    for number, phrase in enumerate(sorted(phrases)):
        if progress is not None and number % 1000 == 0:
            progress(number, len(phrases), "looking translations up")
        found = table.find(np.array(phrase, dtype=np.int32))
        if found:
            choices = [(tuple(target), min(1.0, exp(scores[_DIRECT]))) for target, _, scores in found]
            yield phrase, float(found[0][2][_COUNT]), choices
