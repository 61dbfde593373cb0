"""What an engine was taught since it was saved: the foreground, before what its text says (Bertoldi et al., WMT 2012).

A sentence pair that a translator has just confirmed is one among tens of thousands in an index: its phrases would be
outvoted by what the text said before. So its longer phrases are offered beside those of the index, without the costs
of a table and with a feature of their own, `foreground`; of several translations of a phrase the one confirmed last
(Bertoldi et al. 2013 let caches decay; here the last word wins). A language model of the confirmed targets,
`foreground-lm`, stands beside those of the text. The weights of both come from the weight of the engine's language
model; while there is a foreground, the text's own models have less to say. Orientations are the index's, which counts
the pairs learnt with all others; phrases of the foreground have none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from dragoman.engines.journal import LearntPair
from dragoman.lm import KneserNey, LanguageModel
from dragoman.smt.constraints import Term

__all__ = ["FEATURE", "MODEL", "Foreground", "with_foreground", "without_foreground"]

FEATURE, MODEL = "foreground", "foreground-lm"  # source words said by a learnt phrase; the language model
_ORDER = 3
_MOST_LINES = 2000  # of the language model: the last so many targets, so that an update stays quick
# By a manual after captions, en-de: 7.2 BLEU with phrases alone, 11.0 with these; the background keeps its own (the
# guide on prediction has the ablations).
_PHRASE_SHARE, _MODEL_SHARE = 1.2, 0.6  # weights, as multiples of the weight of the engine's language model
_LEFT = {"lm": 0.5, "class-lm": 0.5}  # what is left of the weights of the text's models
_SHORTEST, _LONGEST = 4, 12  # source words of a phrase; a whole sentence may have any number
# Shorter ones do harm: links of words that the aligner has never met are often wrong (300 sentences of a manual after
# captions, en-de: from two words on 5.7 BLEU, from four 6.4, without the foreground 6.3; a news stream does not mind).


class Foreground:
    """Phrases of the pairs learnt, by their source words."""

    def __init__(self) -> None:
        self._phrases: dict[tuple[str, ...], str] = {}
        self._targets: list[str] = []

    def __len__(self) -> int:
        """The number of pairs it was made of."""
        return len(self._targets)

    def add(self, pairs: Sequence[LearntPair]) -> None:
        """Take in pairs; the last one says how a phrase is translated from now on."""
        for pair in pairs:
            source, target = pair.source.split(), pair.target.split()
            for begin, end, first, last in _spans(pair.points(), len(source)):
                self._phrases[tuple(source[begin:end])] = " ".join(target[first:last])
            self._phrases[tuple(source)] = pair.target
        self._targets += [pair.target for pair in pairs]
        self.__dict__.pop("language_model", None)

    @cached_property
    def language_model(self) -> LanguageModel:
        """A model of the targets that were learnt last."""
        return KneserNey(order=_ORDER).train(self._targets[-_MOST_LINES:])

    def terms(self, tokens: Sequence[str]) -> list[Term]:
        """The translations of a sentence's phrases, each one more possibility."""
        n = len(tokens)
        spans = [(begin, end) for begin in range(n) for end in range(begin + _SHORTEST, min(begin + _LONGEST, n) + 1)]
        if not _SHORTEST <= n <= _LONGEST:
            spans.append((0, n))
        phrases = ((begin, end, self._phrases.get(tuple(tokens[begin:end]))) for begin, end in spans)
        return [
            Term(begin, end, text, exclusive=False, values={FEATURE: float(end - begin)})
            for begin, end, text in phrases
            if text is not None
        ]


def with_foreground(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights of an engine that has learnt something; if they name the foreground's, they are as they should be."""
    if MODEL in weights:
        return dict(weights)
    own = abs(weights["lm"])
    left = {name: weight * _LEFT.get(name, 1.0) for name, weight in weights.items()}
    return {**left, MODEL: _MODEL_SHARE * own, FEATURE: _PHRASE_SHARE * own}


def without_foreground(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights of an engine that has learnt nothing."""
    return {name: weight for name, weight in weights.items() if name not in (MODEL, FEATURE)}


def _spans(points: Sequence[tuple[int, int]], n_source: int) -> list[tuple[int, int, int, int]]:
    """Source spans with the target span of their links, where no link leaves the two."""
    of_source: list[list[int]] = [[] for _ in range(n_source)]
    of_target: dict[int, list[int]] = {}
    for s, t in points:
        of_source[s].append(t)
        of_target.setdefault(t, []).append(s)
    spans = []
    for begin in range(n_source):
        low, high = -1, -1
        for end in range(begin + 1, min(begin + _LONGEST, n_source) + 1):
            for t in of_source[end - 1]:
                low, high = (t if low < 0 else min(low, t)), max(high, t)
            if low < 0 or end - begin < _SHORTEST:
                continue
            if all(begin <= s < end for t in range(low, high + 1) for s in of_target.get(t, ())):
                spans.append((begin, end, low, high + 1))
    return spans
