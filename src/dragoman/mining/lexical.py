"""Mates by translation-based retrieval: which line explains the words of another best, by a lexicon.

Jehl, Hieber & Riezler, "Twitter translation using translation-based cross-lingual retrieval" (WMT 2012), §3. Nothing is
translated: the probability of a query's words is summed over all translations that the lexicon has of a line's words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.align import Aligner, Lexicon
from dragoman.corpus.learnt import Model1
from dragoman.corpus.scorers import PairScorer
from dragoman.errors import ModelError
from dragoman.mining.base import Candidates, Miner, Numbers
from dragoman.options import Recipe, option
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = ["LexicalMiner", "LexicalMining", "TranslatedIndex", "without_frequent"]


@dataclass(frozen=True)
class LexicalMining(Recipe):
    """How a line is scored by its words' translations, and which of two directions of looking up decides."""

    lambda_: float = option(0.9, low=0.001, high=0.999, text="weight of a line against the whole text")
    beta: float = option(0.9, low=0.0, high=1.0, text="weight of translations against words that are written alike")
    least: float = option(0.001, low=0.0, high=1.0, text="translations below this probability are not looked at")
    direction: str = option(
        "both", choices=("both", "source", "target"), text="who looks up whom: pairs that both find, or one side alone"
    )
    hits: int = option(1, low=1, high=1000, text="lines that a line may find; more than one make pairs of all of them")
    stop_words: int = option(0, low=0, text="so many of each text's most frequent words are not looked at")


class TranslatedIndex:
    """Lines of one language that lines of another are looked up in."""

    def __init__(
        self,
        lines: Sequence[str],
        queries: Sequence[str],
        lexicon: Lexicon,
        recipe: LexicalMining | None = None,
        *,
        n_threads: int = 1,
    ) -> None:
        """Index tokenised `lines`; `lexicon` has p(query word | word), and `queries` are what will be looked up."""
        recipe = (recipe or LexicalMining()).check()
        self._words = lexicon.target_vocabulary.thawed()
        self._queries = _encode(self._words, queries, n_threads)
        vocabulary = lexicon.source_vocabulary.thawed()
        documents = _encode(vocabulary, lines, n_threads)
        counts = np.bincount(self._queries.ids, minlength=len(self._words)).astype(np.float64)
        self.background = counts / max(1.0, counts.sum())  # P(word | text of the queries)
        self.core = _core.lexical.TranslatedIndex(
            documents.ids,
            documents.offsets,
            *_rows(lexicon, recipe.least, len(vocabulary)),
            self._words.core.find_words(vocabulary.words()),
            self.background,
            lambda_=recipe.lambda_,
            beta=recipe.beta,
            n_threads=n_threads,
        )
        self._floor = 1 - recipe.lambda_

    def search(
        self,
        k: int = 10,
        *,
        line_numbers: Sequence[int] = (),
        query_numbers: Sequence[int] = (),
        width: int = 0,
        n_threads: int = 1,
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The `k` best lines for each query, -1 where there are fewer, and their gain a word, in nats.

        The gain is how much more probable the query's words are by the line than by no line at all.
        """
        places, gains = self.core.search(
            self._queries.ids,
            self._queries.offsets,
            k=k,
            document_numbers=np.asarray(line_numbers, np.int64),
            query_numbers=np.asarray(query_numbers, np.int64),
            width=width,
            n_threads=n_threads,
        )
        lengths = np.maximum(1, self._queries.lengths())[:, None]
        return places, gains.astype(np.float64) / lengths

    def log_p(self, query: int, gain: float) -> float:
        """Log P(query | line) of a hit: the paper's score."""
        ids = self._queries.ids[self._queries.offsets[query] : self._queries.offsets[query + 1]]
        return float(gain * max(1, len(ids)) + np.log(self._floor * self.background[ids]).sum())


class LexicalMiner(Miner):
    """Finds mates by an aligner's lexicons of both directions.

    A `PairScorer` of the kind "model1" cuts raw text as it did when it learnt; an `Aligner` takes tokenised text.
    """

    def __init__(self, model: PairScorer | Aligner, recipe: LexicalMining | None = None) -> None:
        self.recipe = (recipe or LexicalMining()).check()
        self._scorer = model if isinstance(model, PairScorer) else None
        if isinstance(model, PairScorer):
            if not isinstance(model.recipe, Model1):
                raise ModelError(
                    f"A pair scorer {model.recipe.name!r} has no lexicon of both languages. Train one with "
                    '"dragoman corpus filter train --scorer model1".'
                )
            self.aligner: Aligner = model.models["ibm1"]  # type: ignore[assignment]  # its recipe says so
        else:
            self.aligner = model

    def signature(self) -> str:
        """The options by name."""
        shown = [f"{each.name.rstrip('_')}:{getattr(self.recipe, each.name)}" for each in fields(self.recipe)]
        return "|".join(["lexical", f"lexicon:{self.aligner.recipe.name}", *shown])

    def cut(self, lines: Sequence[str], n_threads: int = 1) -> list[str]:
        """Lines as the lexicon knows their words."""
        return self._scorer.recipe.cut(lines, n_threads) if self._scorer else list(lines)

    def candidates(
        self, srcs: Sequence[str], tgts: Sequence[str], *, numbers: Numbers | None = None, n_threads: int = 1
    ) -> Candidates:
        """Pairs whose lines find each other first, or that one side finds first; scores are gains a word, in nats.

        With several `hits`, pairs whose lines are among those that the other finds, a source perhaps in several.
        """
        sources, targets = (
            without_frequent(self.cut(lines, n_threads), self.recipe.stop_words) for lines in (srcs, tgts)
        )
        found = [
            _hits(by_source, sources, targets, self, numbers, n_threads)
            for by_source in (True, False)
            if self.recipe.direction in ("both", "source" if by_source else "target")
        ]
        if len(found) == 1:
            pairs = found[0]
            return _best_of_sources(pairs) if self.recipe.hits == 1 else _in_order(*pairs)
        one, other = (pairs[0] * len(targets) + pairs[1] for pairs in found)
        _, forward, backward = np.intersect1d(one, other, assume_unique=True, return_indices=True)
        gains = (found[0][2][forward] + found[1][2][backward]) / 2
        return _in_order(found[0][0][forward], found[0][1][forward], gains)

    def links(
        self, srcs: Sequence[str], tgts: Sequence[str], *, points: int = 3, n_threads: int = 1
    ) -> tuple[list[str], list[str], list[str]]:
        """Pairs cut into words and linked by the lexicon alone (Pharaoh), where aligning them would guess too much.

        A word is linked to its best partner in each direction, grow-diag-final-and makes one of both (the paper's
        cautious extraction, but for that it takes all partners that its tables have). Pairs with fewer than `points`
        links in either direction are left out.
        """
        sources, targets = self.cut(srcs, n_threads), self.cut(tgts, n_threads)
        result = self.aligner.align(sources, targets, n_threads=n_threads)
        forward = _linked(result.forward, result.target.offsets)
        backward = _linked(result.backward, result.source.offsets)
        kept = np.flatnonzero(np.minimum(forward, backward) >= points).tolist()
        lines = list(result.lines())
        return [sources[n] for n in kept], [targets[n] for n in kept], [lines[n] for n in kept]


def _linked(links: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many words of each line are linked."""
    so_far = np.concatenate([[0], np.cumsum(links >= 0)])
    counts: NDArray[np.int64] = so_far[offsets[1:]] - so_far[offsets[:-1]]
    return counts


_Pairs = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]  # sources, targets, gains


def without_frequent(lines: Sequence[str], n_words: int) -> list[str]:
    """Lines of words without the so many most frequent ones, those that come first among equals."""
    if not n_words:
        return list(lines)
    counts = Counter(word for line in lines for word in line.split())
    frequent = {word for word, _ in counts.most_common(n_words)}
    return [" ".join(word for word in line.split() if word not in frequent) for line in lines]


def _hits(
    by_source: bool,
    sources: Sequence[str],
    targets: Sequence[str],
    miner: LexicalMiner,
    numbers: Numbers | None,
    n_threads: int,
) -> _Pairs:
    """What the queries of one direction find."""
    queries, lines = (sources, targets) if by_source else (targets, sources)
    lexicon = miner.aligner.lexicon("backward" if by_source else "forward")
    index = TranslatedIndex(lines, queries, lexicon, miner.recipe, n_threads=n_threads)
    limits: dict[str, Any] = {}
    if numbers is not None:
        both = (numbers.sources, numbers.targets)
        limits = {"query_numbers": both[not by_source], "line_numbers": both[by_source], "width": numbers.width}
    places, gains = index.search(miner.recipe.hits, **limits, n_threads=n_threads)
    asked, ranks = np.nonzero(places >= 0)
    hits = places[asked, ranks].astype(np.int64)
    return (asked, hits, gains[asked, ranks]) if by_source else (hits, asked, gains[asked, ranks])


def _in_order(sources: NDArray[np.int64], targets: NDArray[np.int64], scores: NDArray[np.float64]) -> Candidates:
    """The candidates in the order of the sources, those of one source best first."""
    order = np.lexsort((targets, -scores, sources))
    return Candidates(sources[order], targets[order], scores[order])


def _best_of_sources(pairs: _Pairs) -> Candidates:
    """The candidates, of one source that several targets found the best."""
    every = _in_order(*pairs)
    first = np.ones(len(every), bool)
    first[1:] = every.sources[1:] != every.sources[:-1]
    return Candidates(every.sources[first], every.targets[first], every.scores[first])


def _encode(vocabulary: Vocabulary, lines: Sequence[str], n_threads: int) -> TokenIds:
    whitespace = _core.text.surface_tokeniser("none")
    return TokenIds(*vocabulary.core.encode(lines, whitespace, n_threads=n_threads))


def _rows(
    lexicon: Lexicon, least: float, n_words: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]:
    """The lexicon as rows of the words that are indexed; the empty word has none."""
    kept = (lexicon.sources >= 0) & (lexicon.p >= least)
    counts = np.bincount(lexicon.sources[kept], minlength=n_words)
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), lexicon.targets[kept], lexicon.p[kept]
