"""Features that ask language models and counts: probabilities, back-off, unseen words, rarity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.lm import LanguageModel, ScoredTokens
from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import PER_SENTENCE, Batch, means, once, shares, sums
from dragoman.qe.features.corpus import corpus_counts, corpus_frequencies
from dragoman.stats.arrays import Floats

__all__ = ["BackOff", "Coverage", "Frequency", "LMScore", "NgramMatch", "NgramSeen", "Unknown"]

_LIMSI = "Zhuang et al., WMT 2012, §3"
_LORIA = "Langlois et al., WMT 2012, §3"
_MODELS = (
    "source",
    "target",
    "source-backward",
    "target-backward",
    "output",
    "source-5",
    "source-backward-5",
    "target-backward-5",
    "source-tag",
    "target-tag",
    "source-morph",
    "target-morph",
)
_SIDES = ("source", "target")
_WINDOWS = {"left": (-2, -1, 0), "centred": (-1, 0, 1), "right": (0, 1, 2)}


def _need(model: str) -> str:
    return "output_lm" if model == "output" else f"{model.replace('-', '_')}_lm"


def _needs(model: str) -> tuple[str, ...]:
    """The model, and of tags the parser that gives them."""
    side, _, kind = model.partition("-")
    return (_need(model), f"{side}_parser") if kind in ("tag", "morph") else (_need(model),)


@once
def _scored(batch: Batch, model: str, compat: str, *, ends: bool = True) -> ScoredTokens:
    """The tokens of the side that a model is of, with their probabilities."""
    side, _, kind = model.replace("output", "target").partition("-")
    lines = batch.parses(side).lines(kind) if kind in ("tag", "morph") else batch.tokens(side, compat).lines
    if kind.startswith("backward"):
        lines = [" ".join(reversed(line.split())) for line in lines]
    return batch.resources.ask(_need(model), LanguageModel).score_tokens(lines, eos=ends, n_threads=batch.n_threads)


def _window(values: Floats, sentence: NDArray[np.int64], where: str, join: np.ufunc, beyond: float) -> Floats:
    """Each word's value joined with those of two neighbours; `beyond` is that of a place outside the sentence."""
    joined = np.full(len(values), beyond)
    if not len(values):
        return joined
    at = np.arange(len(values))
    for shift in _WINDOWS[where]:
        place = np.clip(at + shift, 0, len(values) - 1)
        inside = (at + shift == place) & (sentence[place] == sentence)
        joined = join(joined, np.where(inside, values[place], beyond))
    return joined


@dataclass(frozen=True)
class LMScore(Feature):
    """What a language model says of a side: log10 probability, and values made of the words' probabilities.

    `sum` is that of the sentence, `mean` per token, `perplexity` 10 to the negative mean, cut at 10⁶, `worst` the least
    log-probability of a token, `spread` their standard deviation, `left`, `centred` and `right` the means of
    products of three neighbours' probabilities (Langlois et al.). Without `ends`, the sentence's end is not scored.
    Models: of either side, forward or backward (of order 5 where the name says so), and of machine translations
    (`output`, Rubino et al. 2012); of the parts of speech of either side (`tag`), with their morphology (`morph`;
    Felice & Specia 2012, Popović's PLM6).
    """

    name: ClassVar[str] = "lm"
    paper: ClassVar[str] = f"{_LIMSI}; {_LORIA}; Felice & Specia, WMT 2012; Rubino et al., WMT 2012"
    needs: ClassVar[tuple[str, ...]] = ("source_lm",)

    model: str = option("source", choices=_MODELS, text="which model")
    value: str = option(
        "mean", choices=("sum", "mean", "perplexity", "worst", "spread", "left", "centred", "right"), text="what of it"
    )
    ends: bool = option(True, choices=(False, True), text="score the sentence's end, too")

    def needed(self) -> tuple[str, ...]:
        """The model."""
        return _needs(self.model)

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""
        scored = _scored(batch, self.model, self.compat, ends=self.ends)
        log_p = scored.log_p.astype(np.float64)
        sentence = np.repeat(np.arange(len(batch)), np.diff(scored.offsets))
        if self.value in PER_SENTENCE:
            return PER_SENTENCE[self.value](log_p, sentence, len(batch))
        if self.value == "perplexity":
            return 10.0 ** np.minimum(-means(log_p, sentence, len(batch)), 6.0)
        # A neighbour beyond the sentence counts as certain.
        product = _window(log_p, sentence, self.value, np.add, 0.0)
        return means(10.0**product, sentence, len(batch))


@dataclass(frozen=True)
class BackOff(Feature):
    """How long the n-grams are that a model finds: the mean over the words, or the share of three and more.

    `left`, `centred` and `right` are means of products of three neighbours' lengths; one beyond the sentence counts 1.
    """

    name: ClassVar[str] = "backoff"
    paper: ClassVar[str] = f"Buck, WMT 2012, §3.3; {_LORIA}"
    needs: ClassVar[tuple[str, ...]] = ("source_lm",)

    model: str = option("source", choices=_MODELS, text="which model")
    value: str = option(
        "mean", choices=("mean", "trigrams", *_WINDOWS), text="mean length, share of three and more, or windows"
    )

    def needed(self) -> tuple[str, ...]:
        """The model."""
        return _needs(self.model)

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""
        scored = _scored(batch, self.model, self.compat, ends=False)
        matched = np.where(scored.unknown, 0, scored.n_matched).astype(np.float64)
        if self.value == "trigrams":
            matched = (matched >= 3).astype(np.float64)
        sentence = np.repeat(np.arange(len(batch)), np.diff(scored.offsets))
        if self.value in _WINDOWS:
            matched = _window(matched, sentence, self.value, np.multiply, 1.0)
        return means(matched, sentence, len(batch))


@dataclass(frozen=True)
class _OfCorpus(Feature):
    """Base of features that ask the counts of a side's corpus."""

    needs: ClassVar[tuple[str, ...]] = ("ngrams",)

    on: str = option("source", choices=_SIDES, text="of which side")

    def needed(self) -> tuple[str, ...]:
        """The counts of the side."""
        return ("ngrams",) if self.on == "source" else ("target_ngrams",)


@dataclass(frozen=True)
class Unknown(_OfCorpus):
    """Words of a side that the corpus has not: their number or their share."""

    name: ClassVar[str] = "unknown"
    paper: ClassVar[str] = f"{_LIMSI}; {_LORIA}; Soricut et al., WMT 2012, LF1"

    share: bool = option(False, choices=(False, True), text="divided by the length")

    def values(self, batch: Batch) -> Floats:
        """Unknown words of each sentence."""
        tokens = batch.tokens(self.on, self.compat)
        vocabulary = corpus_counts(batch, self.on).vocabulary
        unknown = tokens.sums(tokens.by_word(lambda word: word not in vocabulary))
        return shares(unknown, tokens.lengths) if self.share else unknown


@dataclass(frozen=True)
class NgramSeen(_OfCorpus):
    """Share of a side's n-grams of a length that stand in the corpus: simple matching (Moreau & Vogel)."""

    name: ClassVar[str] = "ngram-seen"
    paper: ClassVar[str] = "Hardmeier et al., WMT 2012, §3; Moreau & Vogel, WMT 2012, §4"

    length: int = option(2, low=1, high=5, text="words of the n-grams")

    def values(self, batch: Batch) -> Floats:
        """Shares of the n-grams of each sentence."""
        frequency, sentence = corpus_frequencies(batch, self.on, self.length, self.compat)
        return means(frequency > 0, sentence, len(batch))


@dataclass(frozen=True)
class Coverage(_OfCorpus):
    """Multi-level matching: what no n-gram of the longest length matches may be matched by shorter ones, for less.

    With s_k the share of matched k-grams, s_N + Σ p^(N−k) · max(0, s_k − s_{k+1}), k from N − 1 down to 1.
    """

    name: ClassVar[str] = "multi-level-match"
    paper: ClassVar[str] = "Moreau & Vogel, WMT 2012, §4"

    longest: int = option(4, low=1, high=5, text="words of the longest n-grams")
    discount: float = option(0.5, low=0, high=1, text="what a match is worth one level down")

    def values(self, batch: Batch) -> Floats:
        """The score of each sentence."""
        levels = [
            means(frequency > 0, sentence, len(batch))
            for frequency, sentence in (
                corpus_frequencies(batch, self.on, length, self.compat) for length in range(1, self.longest + 1)
            )
        ]
        total = levels[-1].copy()
        for length in range(self.longest - 1, 0, -1):
            gain = np.maximum(0.0, levels[length - 1] - levels[length])
            total += self.discount ** (self.longest - length) * gain
        return total


@dataclass(frozen=True)
class NgramMatch(_OfCorpus):
    """Geometric mean of the shares of 1- to 4-grams that the corpus has, each (matched + 1)/(n + 1).

    BLEU's precisions with the whole corpus for a reference; a repeated n-gram is matched each time.
    """

    name: ClassVar[str] = "ngram-precision"
    paper: ClassVar[str] = "Soricut et al., WMT 2012, LF4 and LF5"

    longest: int = option(4, low=1, high=5, text="words of the longest n-grams")

    def values(self, batch: Batch) -> Floats:
        """The mean precision of each sentence."""
        total = np.zeros(len(batch))
        for length in range(1, self.longest + 1):
            frequency, sentence = corpus_frequencies(batch, self.on, length, self.compat)
            matched = sums(frequency > 0, sentence, len(batch))
            total += np.log((matched + 1) / (np.bincount(sentence, minlength=len(batch)) + 1))
        return np.exp(total / self.longest)


@dataclass(frozen=True)
class Frequency(_OfCorpus):
    """How frequent a side's n-grams are in the corpus: mean or least ln(1 + frequency), or their spread."""

    name: ClassVar[str] = "frequency"
    paper: ClassVar[str] = "Felice & Specia, WMT 2012, §3; González-Rubio et al., WMT 2012, §3"

    length: int = option(1, low=1, high=5, text="words of the n-grams")
    value: str = option("mean", choices=("mean", "least", "spread"), text="what of the frequencies")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""
        frequency, sentence = corpus_frequencies(batch, self.on, self.length, self.compat)
        logs = np.log1p(frequency.astype(np.float64))
        return PER_SENTENCE[self.value](logs, sentence, len(batch))
