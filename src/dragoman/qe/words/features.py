"""What is known of each word of a translation: the word, its source, its neighbours, and what models say of it.

A feature is a column: a symbol for each token (a word, a class) or a number, which the model cuts at quantiles of its
training data. Papers: Luong, Besacier & Lecouteux (LIG, WMT 2014), Wisniewski et al. (LIMSI, WMT 2014), Camargo de
Souza et al. (FBK-UPV-UEdin, WMT 2014).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.options import check_options, option
from dragoman.qe.features.batch import Batch
from dragoman.qe.features.specs import each_of
from dragoman.registry import Registry
from dragoman.stats.arrays import Floats

__all__ = [
    "NET_SET",
    "WORD_FEATURES",
    "WORD_SET",
    "Neighbours",
    "Symbols",
    "WordFeature",
    "make_word_features",
    "moved",
    "words_of",
]

Symbols = Sequence[str]  # one a token; "" is nothing


@dataclass(frozen=True)
class WordFeature(ABC):
    """Something of each token of the translations. Its docstring is its definition."""

    name: ClassVar[str]
    paper: ClassVar[str]
    level: ClassVar[str] = "word"
    needs: ClassVar[tuple[str, ...]] = ()  # names in `RESOURCES`

    @abstractmethod
    def column(self, batch: Batch) -> Symbols | Floats:
        """A symbol or a number for every token of the outputs, sentence after sentence."""

    def needed(self) -> tuple[str, ...]:
        """The resources it needs with these options."""
        return self.needs


WORD_FEATURES: Registry[WordFeature] = Registry(
    "word feature",
    {
        "affix": "dragoman.qe.words.surface_features:Affix",
        "bigram": "dragoman.qe.words.surface_features:Bigram",
        "class": "dragoman.qe.words.link_features:WordClass",
        "distortion": "dragoman.qe.words.link_features:Distortion",
        "elsewhere": "dragoman.qe.words.surface_features:Elsewhere",
        "fertility": "dragoman.qe.words.link_features:Fertility",
        "frequency": "dragoman.qe.words.model_features:Frequency",
        "head-tag": "dragoman.qe.words.syntax_features:HeadTag",
        "kept-rate": "dragoman.qe.words.model_features:KeptRate",
        "lexicon": "dragoman.qe.words.link_features:Lexicon",
        "list-words": "dragoman.qe.words.trace_features:ListWords",
        "lm": "dragoman.qe.words.model_features:LmScore",
        "lm-length": "dragoman.qe.words.model_features:LmLength",
        "pair": "dragoman.qe.words.link_features:Pair",
        "position": "dragoman.qe.words.surface_features:Position",
        "posterior": "dragoman.qe.words.trace_features:Posterior",
        "relation": "dragoman.qe.words.syntax_features:Relation",
        "sentence-length": "dragoman.qe.words.surface_features:SentenceLength",
        "sentence-mean": "dragoman.qe.words.model_features:SentenceMean",
        "shape": "dragoman.qe.words.surface_features:Shape",
        "source": "dragoman.qe.words.link_features:SourceWord",
        "tag": "dragoman.qe.words.syntax_features:Tag",
        "tag-confidence": "dragoman.qe.words.syntax_features:TagConfidence",
        "tag-pair": "dragoman.qe.words.syntax_features:TagPair",
        "word": "dragoman.qe.words.surface_features:Word",
    },
)

_AROUND = ("", -1, 1)  # a word itself, the one before, the one behind
WORD_SET = (
    *each_of("word", at=("", -1, 1, -2, 2)),
    *each_of("bigram", at=("", 1)),
    *each_of("source", at=_AROUND),
    "pair",
    *each_of("affix", end=("", "begin")),
    *each_of("shape", at=_AROUND),
    *each_of("class", at=_AROUND),
    "class:side=source",
    *each_of("lm", at=("", 1, -1)),
    *each_of("lm", model=("target_backward_lm", "output_lm")),
    *each_of("lm-length", at=("", 1)),
    "lm-length:model=target_backward_lm",
    *each_of("lexicon", value=("", "mean")),
    "lexicon:direction=backward",
    *each_of("lexicon", at=(1, -1)),
    *each_of("fertility", at=("", 1, -1)),
    "distortion",
    "frequency",
    "kept-rate",
    *each_of("kept-rate", length=(2,), at=("", 1)),
    "kept-rate:length=3",
    "position",
    "sentence-length",
    *each_of("sentence-mean", of=("", "lexicon", "kept-rate", "elsewhere")),
    *each_of("elsewhere", at=_AROUND),
    *each_of("elsewhere", length=(2,), at=("", 1)),
    *each_of("posterior", at=_AROUND),
    *each_of("posterior", criterion=("position", "any")),
    "posterior:weights=uniform",
    *each_of("posterior", at=("", -1), length=(2,)),
    *each_of("list-words", value=("", "most", "alternatives")),
    "sentence-mean:of=posterior",
    *each_of("tag", at=_AROUND),
    "tag:length=3",
    "tag:kind=morph",
    "tag:side=source",
    "tag-pair",
    "relation",
    *each_of("head-tag", with_relation=("", "yes")),
    *each_of("tag-confidence", of=("", "tree")),
)

# For learners that read the sentence themselves: nothing of neighbours, no sequences of words.
NET_SET = tuple(spec for spec in WORD_SET if "at=" not in spec and not spec.startswith("bigram"))


def make_word_features(specs: Sequence[str]) -> tuple[WordFeature, ...]:
    """The features that specifications name, each once: `lm:model=output_lm,at=1`."""
    features = []
    for spec in dict.fromkeys(specs):
        feature = WORD_FEATURES.make(spec)
        check_options(feature)
        features.append(feature)
    return tuple(features)


@dataclass(frozen=True)
class Neighbours(WordFeature):
    """Base of what can be asked of neighbours, too."""

    at: int = option(0, low=-3, high=3, text="of the token so many places to the right; negative: to the left")

    def column(self, batch: Batch) -> Symbols | Floats:
        """The own column, moved."""
        own = batch.keep((type(self).__name__, self._unmoved()), lambda: self.own(batch))
        return own if self.at == 0 else moved(own, batch.tokens("target").offsets, self.at)

    @abstractmethod
    def own(self, batch: Batch) -> Symbols | Floats:
        """The column of the tokens themselves."""

    def _unmoved(self) -> tuple[object, ...]:
        return tuple(value for name, value in sorted(vars(self).items()) if name != "at")


def moved(column: Symbols | Floats, offsets: NDArray[np.int64], by: int) -> Symbols | Floats:
    """Of each token what its neighbour has; "" or NaN beyond the sentence."""
    n = int(offsets[-1])
    place = np.arange(n) + by
    sentence = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    inside = (place >= offsets[sentence]) & (place < offsets[sentence + 1])
    if isinstance(column, np.ndarray):
        return np.where(inside, column[np.clip(place, 0, max(0, n - 1))], np.nan) if n else column
    return [column[at] if there else "" for at, there in zip(place.tolist(), inside.tolist(), strict=True)]


def words_of(batch: Batch, side: str = "target") -> list[str]:
    """The words of a side, sentence after sentence."""
    tokens = batch.tokens(side)
    return [tokens.words[number] for number in tokens.ids.tolist()]
