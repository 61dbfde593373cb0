"""Fluency as rewards and penalties: which words the words before them make likelier, and which less likely.

(The syntax-aware system of WMT 2012.) A word's ratio is its probability after the words before it by its probability
alone; ratios above 1 are rewards, those below are penalties, and each kind may count differently. An n-gram that is
missing where it should have been seen is told by the binomial distribution.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import stats

from dragoman.errors import DataError
from dragoman.files import read_lines
from dragoman.lm import LanguageModel
from dragoman.options import option
from dragoman.rescoring.cutting import ModelFeature, cut_sources, cut_texts
from dragoman.rescoring.lists import CandidateLists
from dragoman.stats.arrays import Floats

__all__ = ["Fluency", "missing_ngrams", "ngram_cdf", "rewards_and_penalties"]

_FLOOR = 1e-300  # below it a probability is as good as none


@dataclass(frozen=True)
class Fluency(ModelFeature):
    """Rewards by target word, penalties by source word, in natural logarithms, and how surprisingly n-grams miss.

    The last needs the text that n-grams are counted in; without it there are two numbers.
    """

    name: ClassVar[str] = "fluency"

    text: str = option("", text="tokenised text of the target language; its n-grams are counted")
    order: int = option(3, low=2, high=7, text="words of such an n-gram")

    @property
    def columns(self) -> tuple[str, ...]:
        """Reward, penalty and, with a text, missing n-grams."""
        return ("fluency.reward", "fluency.penalty", *["fluency.missing"] * bool(self.text))

    def scores(self, lists: CandidateLists, *, n_threads: int = 1) -> Floats:
        """Two or three numbers a candidate."""
        texts = cut_texts(lists, self.cut, n_threads=n_threads)
        sources = cut_sources(lists, self.cut, n_threads=n_threads)
        ratios = rewards_and_penalties(LanguageModel.open(self.model), texts, n_threads=n_threads)
        lengths = np.array(
            [[max(1, len(t.split())), max(1, len(s.split()))] for s, t in zip(sources, texts, strict=True)]
        )
        values: Floats = ratios / lengths.reshape(-1, 2)
        if not self.text:
            return values
        missing = missing_ngrams(read_lines(self.text), texts, order=self.order)
        return np.asarray(np.column_stack([values, missing]), dtype=np.float64)


def rewards_and_penalties(model: LanguageModel, lines: Sequence[str], *, n_threads: int = 1) -> Floats:
    """For each tokenised line the sum of ln p(w | before) / p(w) where that is positive, and where it is negative."""
    within = model.score_tokens(lines, eos=False, n_threads=n_threads)
    words = sorted({word for line in lines for word in line.split()})
    alone = dict(zip(words, model.score(words, bos=False, eos=False, n_threads=n_threads).tolist(), strict=True))
    values = np.zeros((len(lines), 2))
    offsets, log_p = within.offsets.tolist(), within.log_p
    for number, line in enumerate(lines):
        own = np.array([alone[word] for word in line.split()])
        ratios = (log_p[offsets[number] : offsets[number + 1]] - own) * math.log(10)
        values[number] = ratios[ratios > 0].sum(), ratios[ratios < 0].sum()
    return values


def ngram_cdf(count: int, history: int, p: float) -> float:
    """How probably an n-gram is seen at most `count` times, its history having been seen so often, each time with p.

    >>> round(ngram_cdf(0, 1000, 0.01), 8)
    4.317e-05
    """
    if not 0 <= p <= 1 or history < 0 or count < 0:
        raise DataError(f"Counts are 0 or more and p lies between 0 and 1; got {count}, {history} and {p}.")
    return float(stats.binom.cdf(count, history, p))


def missing_ngrams(text: Sequence[str], lines: Sequence[str], *, order: int = 3) -> Floats:
    """The mean logarithm of `ngram_cdf` over the n-grams of each line; 0 for one without any.

    The probability of an n-gram's last word is that after one word less, by relative frequency.
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for line in text:
        tokens = line.split()
        counts[()] += len(tokens)
        for size in range(1, order + 1):
            counts.update(tuple(tokens[i : i + size]) for i in range(len(tokens) - size + 1))
    values = np.zeros(len(lines))
    for number, line in enumerate(lines):
        tokens = line.split()
        grams = [tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]
        logs = []
        for gram in grams:
            shorter = counts[gram[1:-1]]  # of a bigram, all words
            p = counts[gram[1:]] / shorter if shorter else 0.0
            logs.append(math.log(max(_FLOOR, ngram_cdf(counts[gram], counts[gram[:-1]], min(1.0, p)))))
        values[number] = sum(logs) / len(logs) if logs else 0.0
    return values
