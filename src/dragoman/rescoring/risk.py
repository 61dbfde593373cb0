"""Minimum Bayes risk over the lists of several engines: of all candidates the one that most of all agree with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError
from dragoman.metrics.bleu import Bleu
from dragoman.metrics.specs import make_metric
from dragoman.notation import finite_number, finite_numbers
from dragoman.options import Recipe, option
from dragoman.rescoring.lists import SCORE, CandidateLists
from dragoman.stats.arrays import Floats
from dragoman.text import TOKENISERS
from dragoman.text.vocabulary import Vocabulary

__all__ = ["Consensus", "Opinion", "RiskRecipe", "Squares", "squares"]

_FILE = "consensus.json"


@dataclass(frozen=True)
class RiskRecipe(Recipe):
    """How alike two candidates are, and how far weights and scales are searched."""

    metric: str = option("bleu", text="of a candidate against another: expected, it is what is made high")
    passes: int = option(2, low=1, text="how often every weight and scale is looked at")


@dataclass(frozen=True)
class Opinion:
    """What an engine's list counts for: its share, and how steep its probabilities are, exp(scale · score)."""

    weight: float = 1.0
    scale: float = 1.0


@dataclass(frozen=True, eq=False)
class Squares:
    """For each source, how good each candidate (row) is if another (column) is right."""

    gains: NDArray[np.float32]
    starts: NDArray[np.int64]  # of each source's square, one more than there are
    offsets: NDArray[np.int64]  # of the candidates

    def __iter__(self) -> Iterator[NDArray[np.float32]]:
        sizes = np.diff(self.offsets).tolist()
        for size, (begin, end) in zip(sizes, pairwise(self.starts.tolist()), strict=True):
            yield self.gains[begin:end].reshape(size, size)

    def choose(self, probabilities: Floats) -> NDArray[np.int64]:
        """The place of each source's candidate of the highest expected gain, of equals the first; -1: it has none."""
        chosen = np.full(len(self.offsets) - 1, -1)
        for i, (square, (begin, end)) in enumerate(zip(self, pairwise(self.offsets.tolist()), strict=True)):
            if begin < end:
                expected = np.round(square @ probabilities[begin:end].astype(np.float32), 6)
                chosen[i] = begin + int(np.argmax(expected))
        return chosen


def squares(lists: CandidateLists, metric: str = "bleu", *, n_threads: int = 1) -> Squares:
    """All candidates of each source against each other: sentence BLEU in the core, else any metric of the registry.

    BLEU has one added to counts above unigrams (Lin & Och, COLING 2004), and the metric's own tokens.
    """
    made = make_metric(metric)
    if "srcs" in made.needs:
        raise DataError(f"The metric {made.name!r} looks at sources, and not at one translation beside another.")
    sizes = np.diff(lists.offsets)
    starts = np.concatenate([[0], np.cumsum(sizes**2)]).astype(np.int64)
    if type(made) is Bleu:
        return Squares(_bleu_gains(lists, made, n_threads), starts, lists.offsets)
    segment = made.for_segments()
    gains = np.empty(starts[-1], dtype=np.float32)
    for (begin, end), (first, last) in zip(pairwise(lists.offsets.tolist()), pairwise(starts.tolist()), strict=True):
        if begin == end:
            continue
        texts = lists.texts[begin:end]
        rows = segment.pair_rows(texts, texts, n_threads=n_threads)
        values = segment.values(rows.reshape(-1, rows.shape[-1]))
        gains[first:last] = values if made.higher_is_better else -values
    return Squares(gains, starts, lists.offsets)


def _bleu_gains(lists: CandidateLists, metric: Bleu, n_threads: int) -> NDArray[np.float32]:
    tokens = TOKENISERS.make(metric.tokeniser).tokenise(list(lists.texts), n_threads=n_threads)
    lines = [line.lower() for line in tokens] if metric.lowercase else tokens
    ids, ends = Vocabulary().core.encode(lines, _core.text.surface_tokeniser("none"), n_threads=n_threads)
    return _core.phrase.pairwise_gains(ids, ends, lists.offsets, n_threads=n_threads)


@dataclass(frozen=True, eq=False)
class Consensus(Artifact):
    """Whose candidates count how much when the one of least risk is chosen."""

    kind: ClassVar[str] = "consensus"
    format: ClassVar[int] = 1

    recipe: RiskRecipe
    opinions: Mapping[str, Opinion]
    values: tuple[float, ...] = ()  # of the metric on the tuning set: each engine alone, then together
    data: Mapping[str, str] = field(default_factory=dict)

    def choose(self, lists: CandidateLists, *, n_threads: int = 1) -> list[str]:
        """The texts of least risk; empty where there is no candidate."""
        chosen = squares(lists, self.recipe.metric, n_threads=n_threads).choose(probabilities(lists, self.opinions))
        return ["" if place < 0 else lists.texts[place] for place in chosen.tolist()]

    def _write(self, folder: Path) -> None:
        content = {"opinions": {name: asdict(each) for name, each in self.opinions.items()}, "values": self.values}
        (folder / _FILE).write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        content = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        opinions = {name: Opinion(**finite_numbers(each)) for name, each in content["opinions"].items()}
        values = tuple(map(finite_number, content["values"]))
        return cls(RiskRecipe.from_dict(manifest.recipe), opinions, values, manifest.data)


def probabilities(lists: CandidateLists, opinions: Mapping[str, Opinion]) -> Floats:
    """Of each candidate among its source's: the mixture of the engines' lists.

    In merged lists the column of an engine's name says which candidates are its own, and its scores stand beside it;
    lists of one engine have a score alone, and their engine is called as its column, `score`.
    """
    total = sum(each.weight for each in opinions.values())
    if not total > 0 or any(each.weight < 0 for each in opinions.values()):
        raise DataError("Weights of engines must not be below 0, and one of them must be above.")
    mixture = np.zeros(len(lists.texts))
    for name, opinion in opinions.items():
        own, scores = _own_scores(lists, name)
        mixture += opinion.weight / total * _softmax(opinion.scale * scores, own, lists.offsets)
    return mixture


def _own_scores(lists: CandidateLists, name: str) -> tuple[NDArray[np.bool_], Floats]:
    if name == SCORE:
        return np.ones(len(lists.texts), dtype=bool), lists.column(SCORE)
    return lists.column(name) > 0, lists.column(f"{name}.{SCORE}")


def _softmax(scores: Floats, own: NDArray[np.bool_], offsets: NDArray[np.int64]) -> Floats:
    """Shares of exp(score) in each list, of its own candidates alone."""
    values = np.where(own, scores, -np.inf)
    result = np.zeros(len(values))
    for begin, end in pairwise(offsets.tolist()):
        part = values[begin:end]
        if own[begin:end].any():
            shares = np.exp(part - part.max())
            result[begin:end] = shares / shares.sum()
    return result
