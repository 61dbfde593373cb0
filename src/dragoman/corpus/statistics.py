"""Corpus statistics as the WMT findings print them (2012, Figure 1: sentences, words, distinct words), and more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from dragoman._core import corpus as core
from dragoman.data.bitext import BATCH, Bitext
from dragoman.report import Column, Result, Table
from dragoman.text.base import Tokeniser
from dragoman.text.casing import lowercase as lowercase_lines

__all__ = ["CorpusStatistics", "SideStatistics", "corpus_statistics", "side_names"]


@dataclass(frozen=True)
class SideStatistics:
    """The numbers of one text. Lengths are in tokens; `duplicates` are lines that came before."""

    name: str
    sentences: int
    tokens: int
    types: int
    hapaxes: int  # types that come once
    longest: int
    empty: int
    duplicates: int

    @property
    def mean_length(self) -> float | None:
        """Tokens per sentence."""
        return self.tokens / self.sentences if self.sentences else None

    @property
    def type_token_ratio(self) -> float | None:
        """Types per token. It falls as a text grows; compare texts of one size."""
        return self.types / self.tokens if self.tokens else None

    @property
    def hapax_share(self) -> float | None:
        """The share of the types that come once."""
        return self.hapaxes / self.types if self.types else None


@dataclass(frozen=True)
class CorpusStatistics(Result):
    """Statistics of the sides of a bitext, or of any texts by name."""

    kind: ClassVar[str] = "corpus-statistics"

    sides: tuple[SideStatistics, ...]
    tokeniser: str
    lowercase: bool
    pair_duplicates: int | None  # pairs that came before; None if the texts are no bitext

    def tables(self) -> list[Table]:
        """One row a side."""
        columns: list[str | Column] = [
            "side",
            "sentences",
            "tokens",
            "types",
            Column("mean_length", "mean length", digits=1),
            Column("longest"),
            "empty",
            "duplicates",
            Column("type_token_ratio", "types/tokens", digits=4),
            Column("hapax_share", "hapax share", digits=3),
        ]
        rows = [
            (
                s.name,
                s.sentences,
                s.tokens,
                s.types,
                s.mean_length,
                s.longest,
                s.empty,
                s.duplicates,
                s.type_token_ratio,
                s.hapax_share,
            )
            for s in self.sides
        ]
        case = "regardless of case" if self.lowercase else "with regard to case"
        how = "between white space" if self.tokeniser == "none" else f"of the tokeniser {self.tokeniser}"
        return [Table.of("Corpus statistics", columns, rows, note=f"Tokens {how}; types {case}.")]

    def meta(self) -> dict[str, Any]:
        """How words were counted."""
        return {"tokeniser": self.tokeniser, "lowercase": self.lowercase, "pair_duplicates": self.pair_duplicates}


class _Side:
    """The counts of one side, growing."""

    def __init__(
        self, name: str, lang: str | None, tokeniser: Tokeniser | None, *, lowercase: bool, n_threads: int
    ) -> None:
        self.name = name
        self._lang = lang
        self._tokeniser = tokeniser
        self._lowercase = lowercase
        self._n_threads = n_threads
        self._types = core.TypeCounter()
        self._lines = core.RepeatCounter()
        self._sentences = self._longest = self._empty = 0

    def add(self, lines: Sequence[str]) -> Any:
        """Count a batch; returns the hashes of its lines."""
        keys = core.hash_lines(lines, n_threads=self._n_threads)
        self._lines.add(keys)
        if self._tokeniser is not None:
            lines = self._tokeniser.tokenise(lines, n_threads=self._n_threads)
        if self._lowercase:
            lines = lowercase_lines(lines, self._lang, n_threads=self._n_threads)
        lengths = self._types.add(lines)
        self._sentences += len(lengths)
        self._longest = max(self._longest, int(lengths.max(initial=0)))
        self._empty += int((lengths == 0).sum())
        return keys

    def result(self) -> SideStatistics:
        return SideStatistics(
            name=self.name,
            sentences=self._sentences,
            tokens=self._types.tokens,
            types=self._types.types,
            hapaxes=self._types.hapaxes,
            longest=self._longest,
            empty=self._empty,
            duplicates=self._sentences - self._lines.distinct,
        )


def corpus_statistics(
    texts: Bitext | Mapping[str, Iterable[str]],
    *,
    tokeniser: Tokeniser | Mapping[str, Tokeniser] | None = None,
    lowercase: bool = True,
    n_threads: int = 1,
) -> CorpusStatistics:
    """Count sentences, tokens and types of a bitext or of texts by name, in one pass.

    Tokens are what stands between white space, or what `tokeniser` makes of the lines (one for all, or one for each
    side). Types are counted regardless of case, by the rules of the language, unless `lowercase` is false.
    """
    names = side_names(texts) if isinstance(texts, Bitext) else list(texts)

    langs = [texts.source_lang, texts.target_lang] if isinstance(texts, Bitext) else [None] * len(names)

    def side(name: str, lang: str | None) -> _Side:
        chosen = tokeniser.get(name) if isinstance(tokeniser, Mapping) else tokeniser
        return _Side(name, lang, chosen, lowercase=lowercase, n_threads=n_threads)

    sides = [side(name, lang) for name, lang in zip(names, langs, strict=True)]
    pairs: core.RepeatCounter | None = None
    if isinstance(texts, Bitext):
        pairs = core.RepeatCounter()
        n_pairs = 0
        for batch in texts.batches():
            n_pairs += len(batch.srcs)
            pairs.add(core.hash_pairs(sides[0].add(batch.srcs), sides[1].add(batch.tgts)))
    else:
        for each in sides:
            for lines in _batches(texts[each.name]):
                each.add(lines)
    used = {
        each.signature()
        for each in (tokeniser.values() if isinstance(tokeniser, Mapping) else [tokeniser] if tokeniser else [])
    }
    return CorpusStatistics(
        sides=tuple(each.result() for each in sides),
        tokeniser=", ".join(sorted(used)) or "none",
        lowercase=lowercase,
        pair_duplicates=None if pairs is None else n_pairs - pairs.distinct,
    )


def side_names(bitext: Bitext) -> list[str]:
    """What the sides of a bitext are called: their languages, where they are known."""
    source, target = bitext.source_lang or "source", bitext.target_lang or "target"
    return [source, target] if source != target else [f"{source} (source)", f"{target} (target)"]


def _batches(lines: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(lines)
    while batch := list(islice(rest, BATCH)):
        yield batch
