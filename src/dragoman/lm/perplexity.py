"""How well a model expects a text: perplexity, unknown words, and which n-grams it found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Protocol

import numpy as np

from dragoman.errors import DataError
from dragoman.lm.model import ScoredTokens
from dragoman.report import Column, Result, Table

__all__ = ["Perplexity", "SentenceScores", "TokenScorer", "perplexity", "score_sentences"]

_BATCH = 20_000  # lines scored at a time


class TokenScorer(Protocol):
    """What gives every token of a text a probability: a model of words, of characters, of classes."""

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""

    def score_tokens(self, lines: Sequence[str], *, n_threads: int = 1) -> ScoredTokens:
        """log10 of the probability of every token, whole sentences."""


@dataclass(frozen=True)
class Perplexity(Result):
    """Perplexity of a text under a model. Sentence ends count as tokens."""

    kind: ClassVar[str] = "perplexity"

    n_sentences: int
    n_tokens: int  # words and sentence ends
    n_unknown: int
    log_p: float  # log10, all tokens
    log_p_known: float  # log10, without unknown words
    n_matched: tuple[int, ...]  # tokens by the length of the n-gram found, from 1 on
    weights: tuple[tuple[str, float], ...] = ()  # of a mixture: its models by name

    @property
    def value(self) -> float:
        """Perplexity with unknown words scored as `<unk>`."""
        return float(10.0 ** (-self.log_p / self.n_tokens))

    @property
    def known(self) -> float | None:
        """Perplexity over what the model knows; None if that is nothing."""
        n = self.n_tokens - self.n_unknown
        return float(10.0 ** (-self.log_p_known / n)) if n else None

    def tables(self) -> list[Table]:
        """The measures in one row, how long the n-grams were that the model found, and the weights of a mixture."""
        columns: list[Column | str] = [
            "sentences",
            "tokens",
            "unknown",
            Column("unknown_percent", "unknown %", 2),
            Column("log_p", "log10 p", 2),
            Column("perplexity", digits=3),
            Column("perplexity_known", "without unknown", 3),
        ]
        share = 100 * self.n_unknown / self.n_tokens
        row = (self.n_sentences, self.n_tokens, self.n_unknown, share, self.log_p, self.value, self.known)
        lengths = Table.of(
            "N-grams found",
            [Column("order", "length"), "tokens", Column("percent", "%", 1)],
            [(k, n, 100 * n / self.n_tokens) for k, n in enumerate(self.n_matched, start=1)],
        )
        weights = Table.of("Mixture", ["model", Column("weight", digits=3)], self.weights)
        return [Table.of("Perplexity", columns, [row]), lengths, *([weights] if self.weights else [])]


@dataclass(frozen=True)
class SentenceScores(Result):
    """log10 probability of each sentence."""

    kind: ClassVar[str] = "sentence-scores"

    scores: tuple[tuple[float, int, int], ...]  # log10 p, tokens with the sentence's end, unknown words
    order: int

    def tables(self) -> list[Table]:
        """One row for each sentence."""
        columns: list[Column | str] = [
            "segment",
            Column("log_p", "log10 p", 4),
            "tokens",
            "unknown",
            Column("perplexity", digits=2),
        ]
        rows = [
            (number, log_p, tokens, unknown, 10.0 ** (-log_p / tokens))
            for number, (log_p, tokens, unknown) in enumerate(self.scores, start=1)
        ]
        return [Table.of("Sentences", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """The order of the model, and the unit of its scores."""
        return {"order": self.order, "unit": "log10"}


def perplexity(model: TokenScorer, lines: Iterable[str], *, n_threads: int = 1) -> Perplexity:
    """The perplexity of tokenised lines, each a sentence; read once, in constant memory."""
    if isinstance(lines, str):
        raise DataError("Expected lines of text, got one str. Pass an iterable of lines.")
    n_sentences = n_tokens = n_unknown = 0
    log_p = log_p_known = 0.0
    n_matched = np.zeros(model.order + 1, dtype=np.int64)
    source = iter(lines)
    while batch := list(islice(source, _BATCH)):
        scored = model.score_tokens(batch, n_threads=n_threads)
        values = scored.log_p.astype(np.float64)
        n_sentences += len(batch)
        n_tokens += len(values)
        n_unknown += int(scored.unknown.sum())
        log_p += float(values.sum())
        log_p_known += float(values[~scored.unknown].sum())
        n_matched += np.bincount(scored.n_matched, minlength=len(n_matched))
    if not n_sentences:
        raise DataError("There is no sentence to measure the perplexity of.")
    return Perplexity(n_sentences, n_tokens, n_unknown, log_p, log_p_known, tuple(n_matched[1:].tolist()))


def score_sentences(model: TokenScorer, lines: Sequence[str], *, n_threads: int = 1) -> SentenceScores:
    """log10 probability, length and unknown words of each of some tokenised lines."""
    scored = model.score_tokens(lines, n_threads=n_threads)
    starts = scored.offsets[:-1]
    if not len(starts):
        return SentenceScores((), model.order)
    totals = np.add.reduceat(scored.log_p.astype(np.float64), starts)
    unknown = np.add.reduceat(scored.unknown.astype(np.int64), starts)
    rows = zip(totals.tolist(), np.diff(scored.offsets).tolist(), unknown.tolist(), strict=True)
    return SentenceScores(tuple(rows), model.order)
