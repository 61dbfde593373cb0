"""Features that ask which words go together: word lexicon, mutual information, topics, bag-of-words nets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, least, means, once
from dragoman.qe.resources.bag_nets import BagNet
from dragoman.qe.resources.topics import TopicModel
from dragoman.qe.resources.triggers import Triggers
from dragoman.qe.resources.word_lexicon import WordLexicon
from dragoman.qe.resources.words import Ids, word_ids
from dragoman.stats.arrays import Floats
from dragoman.text.vocabulary import Vocabulary

__all__ = ["BagNetMatch", "MutualInformation", "Topic", "TopicDistance", "WordLexiconScore"]

_SIDES = ("source", "target")


def _ids(batch: Batch, side: str, vocabulary: Vocabulary, compat: str) -> Ids:
    """A side's tokens as folded word numbers."""
    tokens = batch.tokens(side, compat)
    return word_ids(tokens.words, tokens.ids, vocabulary), tokens.offsets


@dataclass(frozen=True)
class WordLexiconScore(Feature):
    """p(e | source) of the translation's words in the discriminative word lexicon: geometric mean, mean or least.

    Each target word has a logistic model over the set of source words. Words without a model (rare ones) are passed
    over; 0 if no word has one.
    """

    name: ClassVar[str] = "dwl"
    paper: ClassVar[str] = "Buck, WMT 2012, §3.4 (DWL, DWLmin); Mauser et al., EMNLP 2009"
    needs: ClassVar[tuple[str, ...]] = ("dwl",)

    value: str = option("geometric", choices=("geometric", "mean", "least"), text="what of the probabilities")

    def values(self, batch: Batch) -> Floats:
        """The value of each pair."""
        p, sentence = _word_probabilities(batch, self.compat)
        if self.value != "geometric":
            return (least if self.value == "least" else means)(p, sentence, len(batch))
        some = np.bincount(sentence, minlength=len(batch)) > 0
        return np.where(some, np.exp(means(np.log(np.maximum(p, 1e-300)), sentence, len(batch))), 0.0)


@once
def _word_probabilities(batch: Batch, compat: str) -> tuple[Floats, NDArray[np.int64]]:
    """Probabilities of the words that have a model, and their sentences."""
    lexicon = batch.resources.ask("dwl", WordLexicon)
    source, target = (
        _ids(batch, side, words, compat) for side, words in zip(_SIDES, lexicon.vocabularies, strict=True)
    )
    p = lexicon.probabilities(source, target, n_threads=batch.n_threads)
    modelled = ~np.isnan(p)
    return p[modelled], batch.tokens("target", compat).sentence[modelled]


@dataclass(frozen=True)
class MutualInformation(Feature):
    """How much words say of each other: the mean over words of their mean information with the others.

    Of a side's words with each other, or (`across`) of the translation's with the source's; I(v, w) =
    P(v, w) · ln(P(v, w) / (P(v) · P(w))), P being shares of the corpus's sentences.
    """

    name: ClassVar[str] = "mutual-information"
    paper: ClassVar[str] = "Langlois et al., WMT 2012, §3 (triggers)"
    needs: ClassVar[tuple[str, ...]] = ("triggers",)

    of: str = option("across", choices=("source", "target", "across"), text="within a side, or between both")

    def values(self, batch: Batch) -> Floats:
        """The value of each pair."""
        triggers = batch.resources.ask("triggers", Triggers)
        first, second = ("target", "source") if self.of == "across" else (self.of, self.of)
        sides = [_ids(batch, side, triggers.vocabularies[side], self.compat) for side in (first, second)]
        information = triggers.means(self.of, sides[0], sides[1], n_threads=batch.n_threads)
        return means(information, batch.tokens(first, self.compat).sentence, len(batch))


@once
def _topics(batch: Batch, side: str, compat: str) -> Floats:
    model = batch.resources.ask("topics", TopicModel)
    return model.shares(side, _ids(batch, side, model.vocabularies[side], compat), n_threads=batch.n_threads)


@dataclass(frozen=True)
class TopicDistance(Feature):
    """How far the topics of the translation are from the source's: 1 − cosine, Euclidean distance, or divergences.

    `kullback` is Σ s ln(s/t) in nats, s the source's shares and t the translation's; `jensen` the mean of either's
    divergence from their mean. Both are folded into one model of the two languages, each alone.
    """

    name: ClassVar[str] = "topic-distance"
    paper: ClassVar[str] = "Rubino et al., WMT 2012, §3 (bilingual topics)"
    needs: ClassVar[tuple[str, ...]] = ("topics",)

    distance: str = option("cosine", choices=("cosine", "euclid", "kullback", "jensen"), text="how it is measured")

    def values(self, batch: Batch) -> Floats:
        """The distance of each pair."""
        s, t = (_topics(batch, side, self.compat) for side in _SIDES)
        if self.distance == "euclid":
            far: Floats = np.sqrt(((s - t) ** 2).sum(axis=1))
            return far
        if self.distance == "cosine":
            apart: Floats = 1 - (s * t).sum(axis=1) / np.sqrt((s**2).sum(axis=1) * (t**2).sum(axis=1))
            return apart
        if self.distance == "kullback":
            return _divergence(s, t)
        middle = (s + t) / 2
        return (_divergence(s, middle) + _divergence(t, middle)) / 2


def _divergence(p: Floats, q: Floats) -> Floats:
    divergence: Floats = (p * np.log(p / q)).sum(axis=1)  # shares are above 0: α is added to each
    return divergence


@dataclass(frozen=True)
class Topic(Feature):
    """The share of one topic in a side; which topic has which number, the resource says."""

    name: ClassVar[str] = "topic"
    paper: ClassVar[str] = "Rubino et al., WMT 2012, §3 (topic distributions)"
    needs: ClassVar[tuple[str, ...]] = ("topics",)

    on: str = option("source", choices=_SIDES, text="of which side")
    number: int = option(1, low=1, high=1000, text="of the topic, from 1; 0 everywhere beyond the last one")

    def values(self, batch: Batch) -> Floats:
        """The share in each sentence."""
        topics = _topics(batch, self.on, self.compat)
        return topics[:, self.number - 1].copy() if self.number <= topics.shape[1] else np.zeros(len(batch))


@dataclass(frozen=True)
class BagNetMatch(Feature):
    """What a neural net that maps source words to target words says of the translation's words.

    `distance`: Euclidean, between the predicted and the observed set of words (NNdist, HNNdist); `probability`:
    geometric mean of what is predicted where a word is (NNprob+, HNNprob+). Words are hashed by SHA-1 with three salts
    into 4,096 places, or the most frequent ones.
    """

    name: ClassVar[str] = "bag-net"
    paper: ClassVar[str] = "Buck, WMT 2012, §3.5"
    needs: ClassVar[tuple[str, ...]] = ("hashed_net",)

    encoding: str = option("hashed", choices=("hashed", "words"), text="what the net reads and says")
    value: str = option("distance", choices=("distance", "probability"), text="what of it")

    def needed(self) -> tuple[str, ...]:
        """The net of the encoding."""
        return ("hashed_net",) if self.encoding == "hashed" else ("word_net",)

    def values(self, batch: Batch) -> Floats:
        """The value of each pair."""
        distance, probability = _compared(batch, self.needed()[0], self.compat)
        return distance if self.value == "distance" else probability


@once
def _compared(batch: Batch, net: str, compat: str) -> tuple[Floats, Floats]:
    return batch.resources.ask(net, BagNet).compare(*(batch.tokens(side, compat).lines for side in _SIDES))
