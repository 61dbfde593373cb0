"""Pairs of terms out of a bitext: words that belong together, and the n-gram that they meet most on the other side.

Okita et al. (CLIA 2010) after Kupiec (ACL 1993), both ways. Words belong together that are noun phrases by their parts
of speech, as there, or, where nobody tags the text, those that have much mutual information.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from typing import Any, ClassVar

from dragoman.align.glossary import Glossary
from dragoman.data.parallel import check_parallel
from dragoman.data.term_files import write_terms
from dragoman.data.terms import Term, TermList
from dragoman.errors import DataError
from dragoman.files import StrPath, write_lines
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Table

__all__ = ["TermExtraction", "TermPair", "Terms"]

Ngram = tuple[str, ...]
Tags = Sequence[Sequence[str]]  # universal parts of speech, one a word, by line

# A letter for each part of speech that a noun phrase may have. The patterns of the paper are N N, N P N, N A (French).
_LETTERS = {"NOUN": "n", "PROPN": "n", "ADJ": "a", "ADP": "p", "DET": "d"}
_NOUN_PHRASE = re.compile(r"a*n[an]*(?:pd?a*n[an]*)*")


@dataclass(frozen=True)
class TermPair:
    """Two terms that meet in pairs of sentences."""

    source: str
    target: str
    n: int  # sentence pairs that have both
    n_source: int
    n_target: int
    likeness: float  # Dice's coefficient of the sentences that they stand in


@dataclass(frozen=True)
class TermExtraction(Recipe):
    """Which words are a term, and which of the other side's n-grams is its translation."""

    longest: int = option(4, low=2, high=7, text="words of a term")
    least: int = option(3, low=1, text="sentences that a term stands in")
    information: float = option(4.0, text="bits of mutual information a term's words have, for each word but the first")
    likeness: float = option(0.3, low=0.0, high=1.0, text="Dice's coefficient that a pair needs")
    common: float = option(
        0.02, low=0.0, high=1.0, text="words of more than this share of lines do not begin or end a term"
    )
    join: str = option("both", choices=("both", "either"), text="pairs that both directions find, or either")

    def extract(
        self,
        srcs: Sequence[str],
        tgts: Sequence[str],
        *,
        tags: tuple[Tags, Tags] | None = None,
        languages: tuple[str, str] = ("", ""),
    ) -> Terms:
        """The pairs of terms of tokenised lines, the most alike first; at least one of a pair has several words.

        With `tags` of both sides' words, terms are noun phrases, and mutual information is not asked for.
        """
        self.check()
        check_parallel({"srcs": srcs, "tgts": tgts})
        if not srcs:
            raise DataError("There are no sentence pairs to find terms in.")
        source, target = (
            _Side.of(lines, self, None if tags is None else tags[n]) for n, lines in enumerate((srcs, tgts))
        )
        forward = _translations(source.terms, source, target)
        backward = _translations({*target.terms, *forward.values()}, target, source)
        pairs = {(s, t) for s, t in forward.items() if self.join == "either" or backward.get(t) == s}
        if self.join == "either":
            pairs |= {(s, t) for t, s in backward.items() if t in target.terms}
        else:
            pairs |= {(s, t) for t, s in backward.items() if t in target.terms and self._returns(s, t, source, target)}
        found = [_pair(s, t, source, target) for s, t in pairs]
        kept = [pair for pair in found if pair.n >= self.least and pair.likeness >= self.likeness]
        kept.sort(key=lambda pair: (-pair.likeness, -pair.n, pair.source, pair.target))
        return Terms(tuple(kept), len(srcs), self.join, languages)

    @staticmethod
    def _returns(s: Ngram, t: Ngram, source: _Side, target: _Side) -> bool:
        """Does the translation of a translation come back?"""
        return _translations({s}, source, target).get(s) == t


@dataclass(frozen=True)
class Terms(Result):
    """Pairs of terms, as a glossary for `align` and `smt train`."""

    kind: ClassVar[str] = "terms"

    pairs: tuple[TermPair, ...]
    n_lines: int
    join: str
    languages: tuple[str, str] = ("", "")

    @property
    def glossary(self) -> Glossary:
        """The pairs as what aligners take."""
        return Glossary(tuple((pair.source, pair.target) for pair in self.pairs))

    def write(self, path: StrPath) -> None:
        """Write source, target and how often they meet, between `|||`, as --glossary and --priors take them.

        A path that ends in .tbx or .csv gets what translators' tools read, the numbers as notes.
        """
        if Path(path).suffix.lower() in {".tbx", ".csv"}:
            terms = (Term(p.source, p.target, note=f"{p.n} times, likeness {p.likeness:.3f}") for p in self.pairs)
            write_terms(TermList(tuple(terms), *self.languages), path)
            return
        write_lines(path, (f"{pair.source} ||| {pair.target} ||| {pair.n}" for pair in self.pairs))

    def tables(self) -> list[Table]:
        """A row a pair."""
        columns: list[str | Column] = [
            Column("source", is_text=True),
            Column("target", is_text=True),
            "n",
            "n_source",
            "n_target",
            Column("likeness", digits=3),
        ]
        rows = [(p.source, p.target, p.n, p.n_source, p.n_target, p.likeness) for p in self.pairs]
        return [Table.of("Terms", columns, rows, note=f"{len(rows)} pairs of terms in {self.n_lines} sentence pairs.")]

    def meta(self) -> dict[str, Any]:
        """Counts."""
        return {
            "n_pairs": len(self.pairs),
            "n_lines": self.n_lines,
            "join": self.join,
            "languages": list(self.languages),
        }


@dataclass(frozen=True, eq=False)
class _Side:
    """The n-grams of one side that may be terms, with the lines that they stand in."""

    lines: list[Collection[Ngram]]  # by line, its n-grams that stand in enough lines
    places: dict[Ngram, list[int]]
    terms: set[Ngram]  # of several words that belong together

    @classmethod
    def of(cls, texts: Sequence[str], recipe: TermExtraction, tags: Tags | None = None) -> _Side:
        lines = [line.split() for line in texts]
        words = Counter(word for line in lines for word in line)
        in_lines = Counter(word for line in lines for word in set(line))
        most = max(1.0, recipe.common * len(lines))
        edges = {word for word, n in in_lines.items() if n <= most and any(map(str.isalnum, word))}
        counts = Counter(ngram for line in lines for ngram in _ngrams(line, edges, recipe.longest))
        often = {ngram for ngram, n in counts.items() if n >= recipe.least}
        kept: list[Collection[Ngram]] = [
            dict.fromkeys(ngram for ngram in _ngrams(line, edges, recipe.longest) if ngram in often) for line in lines
        ]
        places: dict[Ngram, list[int]] = defaultdict(list)
        for number, ngrams in enumerate(kept):
            for ngram in ngrams:
                places[ngram].append(number)
        if tags is not None:
            phrases = Counter(_noun_phrases(lines, tags, recipe.longest))
            return cls(kept, places, {ngram for ngram in often if phrases[ngram] >= recipe.least})
        n_tokens = max(1, sum(words.values()))
        terms = {
            ngram
            for ngram in often
            if len(ngram) > 1 and _information(ngram, counts[ngram], words, n_tokens) >= recipe.information
        }
        return cls(kept, places, terms)


def _noun_phrases(lines: Sequence[Sequence[str]], tags: Tags, longest: int) -> Iterator[Ngram]:
    """The n-grams of several words that are noun phrases where they stand."""
    check_parallel({"lines": lines, "tags": tags})
    for number, (line, line_tags) in enumerate(zip(lines, tags, strict=True), start=1):
        if len(line) != len(line_tags):
            raise DataError(f"Line {number} has {len(line)} words and {len(line_tags)} parts of speech.")
        letters = "".join(_LETTERS.get(tag, ".") for tag in line_tags)
        for begin in range(len(line)):
            for end in range(begin + 2, min(len(line), begin + longest) + 1):
                if _NOUN_PHRASE.fullmatch(letters, begin, end):
                    yield tuple(line[begin:end])


def _ngrams(line: Sequence[str], edges: Collection[str], longest: int) -> Iterator[Ngram]:
    """The n-grams of a line that begin and end with words that a term may."""
    for begin, word in enumerate(line):
        if word in edges:
            for end in range(begin + 1, min(len(line), begin + longest) + 1):
                if line[end - 1] in edges:
                    yield tuple(line[begin:end])


def _information(ngram: Ngram, n: int, words: Counter[str], n_tokens: int) -> float:
    """Bits that the words of an n-gram know of each other, for each but the first."""
    alone = sum(log2(words[word] / n_tokens) for word in ngram)
    return (log2(n / n_tokens) - alone) / (len(ngram) - 1)


def _translations(terms: Collection[Ngram], own: _Side, other: _Side) -> dict[Ngram, Ngram]:
    """For each term the n-gram of the other side that it shares most of its lines with; of equals the longest."""
    found = {}
    for term in terms:
        lines = own.places.get(term, [])
        meetings = Counter(ngram for line in lines for ngram in other.lines[line])
        if meetings:
            found[term] = max(
                meetings, key=lambda t: (2 * meetings[t] / (len(lines) + len(other.places[t])), len(t), t)
            )
    return found


def _pair(s: Ngram, t: Ngram, source: _Side, target: _Side) -> TermPair:
    n_source, n_target = len(source.places[s]), len(target.places[t])
    n = len(set(source.places[s]) & set(target.places[t]))
    return TermPair(" ".join(s), " ".join(t), n, n_source, n_target, 2 * n / (n_source + n_target))
