"""Features of how an engine translated: its scores, the phrases it used, its search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.data.traces import GraphSummary, Trace
from dragoman.errors import DataError
from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, shares
from dragoman.qe.features.traced import traces_of
from dragoman.stats.arrays import Floats

__all__ = ["DecoderPhrases", "DecoderScore", "ForcedDecoding", "SearchNumbers", "SearchSpread"]

_SDLLW = "Soricut et al., WMT 2012, MF1 to MF8"
# What a score is called by our engine, by Moses, and by Moses before 2013; of several numbers, which.
_NAMES: Mapping[str, tuple[tuple[str, int], ...]] = {
    "distortion": (("distortion", 0), ("Distortion0", 0), ("d", 0)),
    "word-penalty": (("word-penalty", 0), ("WordPenalty0", 0), ("w", 0)),
    "phrase-penalty": (("phrase-penalty", 0), ("PhrasePenalty0", 0), ("TranslationModel0", 4), ("tm", 4)),
    "lm": (("lm", 0), ("LM0", 0)),
    "source-given-target": (("table", 0), ("TranslationModel0", 0), ("tm", 0)),
    "source-words-given-target": (("table", 1), ("TranslationModel0", 1), ("tm", 1)),
    "target-given-source": (("table", 2), ("TranslationModel0", 2), ("tm", 2)),
    "target-words-given-source": (("table", 3), ("TranslationModel0", 3), ("tm", 3)),
}
_ROLES = tuple(_NAMES)
_TEXT = "which: what our engine and Moses call by other names, or `total`; see also `named`"


@dataclass(frozen=True)
class _OfTraces(Feature):
    """Base of features of the engine's own translation."""

    needs: ClassVar[tuple[str, ...]] = ("trace",)


@dataclass(frozen=True)
class DecoderScore(_OfTraces):
    """A score that the engine gave its best translation: weighted as a whole (`total`), or one of those it is made of.

    Natural logarithms, except for penalties, which count. `named` asks for any other by the name it has in the trace,
    `place` for one of several numbers under that name.
    """

    name: ClassVar[str] = "decoder-score"
    paper: ClassVar[str] = f"{_SDLLW}; Rubino et al., WMT 2012 (Moses scores); Avramidis, WMT 2012, group 8"

    score: str = option("total", choices=("total", *_ROLES), text=_TEXT)
    named: str = option("", text="instead of `score`: the name in the trace")
    place: int = option(1, low=1, text="with `named`: which number, from 1")
    per: str = option("", choices=("", "source", "target"), text="by the words of which side")

    def values(self, batch: Batch) -> Floats:
        """The score of each sentence; 0 where the engine found no translation."""
        wanted = ((self.named, self.place - 1),) if self.named else _NAMES.get(self.score, ())
        traces = traces_of(batch)
        if not wanted:
            scores = np.array([trace.scores[0] if trace.scores else 0.0 for trace in traces])
        else:
            scores = np.array([_score(trace, wanted, self.named or self.score) for trace in traces])
        if self.per == "":
            return scores
        if self.per == "source":
            return shares(scores, batch.tokens("source").lengths)
        return shares(scores, [len(trace.best.split()) for trace in traces])


def _score(trace: Trace, wanted: tuple[tuple[str, int], ...], name: str) -> float:
    if not trace.texts:
        return 0.0
    own = trace.features[0] if trace.features else {}
    for score, place in wanted:
        if len(own.get(score, ())) > place:
            return own[score][place]
    raise DataError(
        f"The trace of {trace.source[:60]!r} has no score {name!r}. It has: {', '.join(own) or 'none'}. "
        "Decoders write scores by name into their n-best lists if asked to."
    )


@dataclass(frozen=True)
class DecoderPhrases(_OfTraces):
    """The phrases of the engine's best translation.

    `count`; `source-length` and `target-length`: their mean number of words; `ratio` of the former to the latter;
    `density`: phrases by words of the source; `longest`: source words of the longest; `jumps`: share of phrases that do
    not go on where the one before ended in the source.
    """

    name: ClassVar[str] = "decoder-phrases"
    paper: ClassVar[str] = (
        "Rubino et al., WMT 2012; González-Rubio et al., WMT 2012; Wu & Zhao, WMT 2012 (trace density)"
    )

    value: str = option(
        "count",
        choices=("count", "source-length", "target-length", "ratio", "density", "longest", "jumps"),
        text="what of them",
    )

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence; 0 where nothing is known of phrases."""
        return np.array([_phrases(trace, self.value) for trace in traces_of(batch)], dtype=np.float64)


def _phrases(trace: Trace, value: str) -> float:
    n = len(trace.phrases)
    if not n:
        return 0.0
    source = sum(end - begin for begin, end, _, _ in trace.phrases)
    target = sum(end - begin for _, _, begin, end in trace.phrases)
    if value == "jumps":
        ends = [0, *(end for _, end, _, _ in trace.phrases[:-1])]
        return sum(begin != end for (begin, _, _, _), end in zip(trace.phrases, ends, strict=True)) / n
    numbers = {
        "count": n,
        "source-length": source / n,
        "target-length": target / n,
        "ratio": source / target if target else 0.0,
        "density": n / source if source else 0.0,
        "longest": max(end - begin for begin, end, _, _ in trace.phrases),
    }
    return float(numbers[value])


@dataclass(frozen=True)
class SearchNumbers(_OfTraces):
    """The size of the engine's search.

    `nodes`: partial translations; `dead`: share of them that nothing complete was made of; `arcs`; `options`:
    translations of source phrases at hand; `options-per-word`: the same by words of the source; `option-length`: mean
    number of source words of these.
    """

    name: ClassVar[str] = "search-graph"
    paper: ClassVar[str] = "González-Rubio et al., WMT 2012, §3 (dead nodes, translation options)"

    value: str = option(
        "dead", choices=("nodes", "dead", "arcs", "options", "options-per-word", "option-length"), text="what of it"
    )

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence; 0 where a trace knows nothing of it."""
        words = batch.tokens("source").lengths.tolist()
        pairs = zip(traces_of(batch), words, strict=True)
        return np.array([_search(trace.graph, self.value, n) for trace, n in pairs], dtype=np.float64)


def _search(graph: GraphSummary | None, value: str, n_words: int) -> float:
    if graph is None:
        return 0.0
    options, words = graph.options or 0, graph.option_words or 0
    numbers = {
        "nodes": graph.nodes,
        "dead": graph.dead / graph.nodes if graph.nodes else 0.0,
        "arcs": graph.arcs,
        "options": options,
        "options-per-word": options / n_words if n_words else 0.0,
        "option-length": words / options if options else 0.0,
    }
    return float(numbers[value])


@dataclass(frozen=True)
class SearchSpread(_OfTraces):
    """A score over all steps of the engine's search: mean, variance, standard deviation, least or most.

    `total` is the weighted score of a step, `future` the estimate of what was still to come behind it. `raised` takes
    the exponential: a probability, if the score is a logarithm of one.
    """

    name: ClassVar[str] = "search-spread"
    paper: ClassVar[str] = "Avramidis, WMT 2012, group 8; Wu & Zhao, WMT 2012 (links of the word graph)"

    score: str = option("total", choices=("total", "future", *_ROLES), text=_TEXT)
    named: str = option(
        "", text="instead of `score`: the name in the trace; one of several numbers is NAME.1, NAME.2, …"
    )
    value: str = option("mean", choices=("mean", "variance", "deviation", "least", "most"), text="what of it")
    raised: bool = option(False, choices=(False, True), text="e to the power of it")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence; 0 where a trace has no such score."""
        if self.named:
            names: tuple[str, ...] = (self.named,)
        elif self.score in _NAMES:
            pairs = _NAMES[self.score]
            names = tuple(f"{name}.{place + 1}" for name, place in pairs) + tuple(n for n, place in pairs if place == 0)
        else:
            names = ("score",) if self.score == "total" else ("future",)
        spreads = np.array([_spread(trace.graph, names, self.value) for trace in traces_of(batch)], dtype=np.float64)
        return np.exp(np.minimum(spreads, 50.0)) if self.raised else spreads


def _spread(graph: GraphSummary | None, names: tuple[str, ...], value: str) -> float:
    spreads = graph.spreads if graph is not None else {}
    for name in names:
        if name in spreads:
            return float(getattr(spreads[name], value))
    return 0.0


@dataclass(frozen=True)
class ForcedDecoding(_OfTraces):
    """How well an engine that need not have made the output can say it with its own phrases (forced decoding).

    `artificial`: words copied, inserted or left out without a phrase, by words of the output; `reached`: 1 if there are
    none; `score`: the engine's score without those words, by words of the output; `gap`: that score less the score of
    the engine's own best translation, by words of each.
    """

    name: ClassVar[str] = "forced-decoding"
    paper: ClassVar[str] = "after Wuebker, Hwang & Quirk, WMT 2012 (forced decoding)"

    value: str = option("artificial", choices=("artificial", "reached", "score", "gap"), text="what of it")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence; where no way was found all words are artificial, and scores are 0."""
        lengths = batch.tokens("target").lengths.tolist()
        return np.array([_forced(t, self.value, n) for t, n in zip(traces_of(batch), lengths, strict=True)])


def _forced(trace: Trace, value: str, n_words: int) -> float:
    if trace.forced is None:
        return 1.0 if value == "artificial" else 0.0
    artificial, length = trace.forced.artificial, max(1, n_words)
    if value == "artificial":
        return artificial / length
    if value == "reached":
        return float(artificial == 0)
    score = trace.forced.score / length
    if value == "score" or not trace.scores:
        return score
    return score - trace.scores[0] / max(1, len(trace.best.split()))
