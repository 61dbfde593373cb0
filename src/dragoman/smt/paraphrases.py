"""Paraphrases by way of another language: phrases that share a translation (Bannard & Callison-Burch, ACL 2005)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import exp
from typing import Any, ClassVar

import numpy as np

from dragoman.data import check_parallel
from dragoman.files import StrPath, open_writer
from dragoman.metrics.meteor_words import NORMALISED_LANGUAGES, cut_lines
from dragoman.options import Recipe, option
from dragoman.report import Column, Progress, Result, Table
from dragoman.smt.pairs import encode
from dragoman.smt.phrase_table import UNKNOWN, PhraseExtraction, PhraseTable
from dragoman.smt.word_alignment import WordAlignment
from dragoman.text.languages import base_language
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = ["Paraphrase", "ParaphraseRecipe", "Paraphrases", "paraphrase_words"]

_INVERSE, _DIRECT = 0, 2  # places of p(pivot | phrase) and p(phrase | pivot) among an extracted pair's scores
_SHOWN = 20


@dataclass(frozen=True)
class Paraphrase:
    """A phrase, another one for it, and how probable that is: Σ p(pivot | phrase) · p(paraphrase | pivot)."""

    phrase: str
    paraphrase: str
    p: float


@dataclass(frozen=True)
class Paraphrases(Result):
    """Paraphrases in the order of their phrases, the most probable of each first."""

    kind: ClassVar[str] = "paraphrases"

    pairs: tuple[Paraphrase, ...]
    n_sentences: int

    def write(self, path: StrPath) -> None:
        """Write them as METEOR has them: lines of probability, phrase, paraphrase in turn."""
        with open_writer(path) as stream:
            for pair in self.pairs:
                stream.write(f"{pair.p:.6g}\n{pair.phrase}\n{pair.paraphrase}\n")

    def tables(self) -> list[Table]:
        """The most probable ones."""
        columns = [Column("phrase"), Column("paraphrase"), Column("p", digits=3)]
        best = sorted(self.pairs, key=lambda pair: -pair.p)[:_SHOWN]
        note = f"{len(self.pairs)} paraphrases of {len({pair.phrase for pair in self.pairs})} phrases in all."
        return [Table.of("Paraphrases", columns, [(each.phrase, each.paraphrase, each.p) for each in best], note=note)]

    def meta(self) -> dict[str, Any]:
        """How many there are, and from how many sentence pairs."""
        return {"n_paraphrases": len(self.pairs), "n_sentences": self.n_sentences}


@dataclass(frozen=True)
class ParaphraseRecipe(Recipe):
    """How paraphrases are found in a bitext."""

    longest: int = option(4, low=1, high=7, text="words of a phrase")
    least: float = option(0.01, low=0, high=1, text="the least probability of a paraphrase")
    translations: int = option(20, low=2, high=1000, text="of a pivot phrase, the most probable")
    most: int = option(20, low=1, high=1000, text="paraphrases of a phrase")
    marks: bool = option(False, text="phrases with punctuation, too")
    parts: bool = option(False, text="paraphrases that are a part of the phrase or have it as a part, too")
    method: str = option("sampler:samplers=1", text="how words are aligned: an aligner, perhaps with options")

    def find(
        self,
        pivot: Sequence[str],
        text: Sequence[str],
        *,
        seed: int = 1,
        progress: Progress | None = None,
        n_threads: int = 1,
    ) -> Paraphrases:
        """Paraphrases in the language of `text`, by way of that of `pivot`: tokenised lines that are translations."""
        self.check()
        check_parallel({"pivot": pivot, "text": text})
        vocabularies = Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN)
        ids = encode(vocabularies[0], pivot), encode(vocabularies[1], text)
        aligned = WordAlignment(method=self.method, seed=seed).align(*ids, n_threads=n_threads)
        extraction = PhraseExtraction(
            longest=self.longest, smoothing="none", orientation="none", translations_per_phrase=self.translations
        )
        table = extraction.extract(aligned, *vocabularies, n_threads=n_threads)
        return Paraphrases(tuple(self.pivoted(table, ids[0], progress)), len(text))

    def pivoted(self, table: PhraseTable, pivot: TokenIds, progress: Progress | None = None) -> Iterator[Paraphrase]:
        """Paraphrases among the target phrases of a table, by way of the source phrases that the text has."""
        chances: defaultdict[tuple[int, ...], defaultdict[tuple[int, ...], float]] = defaultdict(
            lambda: defaultdict(float)
        )
        phrases = sorted(_phrases(pivot, self.longest))
        for number, phrase in enumerate(phrases):
            if progress is not None and number % 1000 == 0:
                progress(number, len(phrases), "pivoting")
            _add(chances, table.core.find(np.array(phrase, dtype=np.int32)))
        word = table.target.word
        plain = cache(lambda phrase: self.marks or all(any(map(str.isalnum, word(each))) for each in phrase))
        for own in filter(plain, sorted(chances)):
            others = (other for other, p in chances[own].items() if p >= self.least and plain(other))
            likely = sorted((-chances[own][other], other) for other in others if self.parts or _are_apart(own, other))
            for p, other in likely[: self.most]:
                yield Paraphrase(" ".join(map(word, own)), " ".join(map(word, other)), -p)


def _are_apart(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Is neither of two phrases a part of the other?"""
    part, phrase = sorted((one, other), key=len)
    return all(phrase[begin : begin + len(part)] != part for begin in range(len(phrase) - len(part) + 1))


def _phrases(text: TokenIds, longest: int) -> set[tuple[int, ...]]:
    """The distinct n-grams of all lines."""
    lines = (text.ids[a:b].tolist() for a, b in pairwise(text.offsets.tolist()))
    return {tuple(line[i : i + n]) for line in lines for n in range(1, longest + 1) for i in range(len(line) - n + 1)}


def _add(chances: Any, translations: list[tuple[list[int], Any, list[float]]]) -> None:
    """Add what the translations of one pivot phrase say of each other."""
    for own, _, scores in translations:
        for other, _, other_scores in translations:
            if own != other:
                chances[tuple(own)][tuple(other)] += exp(scores[_INVERSE] + other_scores[_DIRECT])


def paraphrase_words(lines: Sequence[str], lang: str) -> list[str]:
    """Lines cut as METEOR cuts them, in small letters; as they stand where METEOR has no rules for the language."""
    language = base_language(lang)
    norm = "keep" if language in NORMALISED_LANGUAGES else "lower"
    return [" ".join(words) for words in cut_lines(lines, norm, language)]
