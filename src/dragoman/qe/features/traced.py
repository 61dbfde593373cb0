"""N-best lists of a batch as arrays, and what the kernels make of them, computed once for all features."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.data.traces import Trace
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.qe.features.batch import Batch, once
from dragoman.qe.resources import Resources, TraceIndex
from dragoman.qe.resources.quartiles import CRITERIA, WEIGHTINGS, ListQuartiles, QuartileRecipe
from dragoman.stats.arrays import Floats
from dragoman.text.vocabulary import Vocabulary

__all__ = [
    "CRITERIA",
    "WEIGHTINGS",
    "Lists",
    "add_quartiles",
    "list_confidences",
    "list_numbers",
    "over_lists",
    "traces_of",
]


T = TypeVar("T")
_Ids = NDArray[np.int32]
_Offsets = NDArray[np.int64]

_WORDS_AT_ONCE = 2000  # sentences whose words' agreement is in memory together
_AT_ONCE = 256  # lists that are words in memory together; a list may have a thousand entries


def traces_of(batch: Batch) -> list[Trace]:
    """The trace of each sentence of a batch."""
    index = batch.resources.ask("trace", TraceIndex)
    return batch.keep("traces", lambda: index.of(batch.texts["source"], batch.texts["target"]))


@dataclass(frozen=True)
class Lists:
    """Outputs and their lists as word ids of one vocabulary."""

    outputs: _Ids
    output_offsets: _Offsets
    entries: _Ids
    entry_offsets: _Offsets
    list_offsets: _Offsets
    scores: Floats

    @property
    def arrays(self) -> tuple[_Ids, _Offsets, _Ids, _Offsets, _Offsets]:
        """As kernels take them."""
        return self.outputs, self.output_offsets, self.entries, self.entry_offsets, self.list_offsets

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Entries of each list."""
        return np.diff(self.list_offsets)

    @property
    def list_of(self) -> NDArray[np.int64]:
        """The list of each entry."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def probabilities(self, scale: float) -> Floats:
        """The share of each entry when it is in proportion to exp(scale · score)."""
        if not len(self.scores):
            return np.zeros(0)
        scaled = self.scores * scale
        some = self.sizes > 0
        most = np.zeros(len(self.sizes))
        most[some] = np.maximum.reduceat(scaled, self.list_offsets[:-1][some])
        raised = np.exp(scaled - most[self.list_of])
        total = np.bincount(self.list_of, weights=raised, minlength=len(self.sizes))
        return np.asarray(raised / total[self.list_of])

    def weights(self, scale: float) -> Floats:
        """By entry, the three weightings: probability, rank (the first counts most), all alike."""
        rank = np.arange(len(self.scores)) - self.list_offsets[:-1][self.list_of]
        by_rank = (self.sizes[self.list_of] - rank).astype(np.float64)
        return np.column_stack([self.probabilities(scale), by_rank, np.ones(len(self.scores))])


def over_lists(batch: Batch, make: Callable[[Lists], T], *, case: bool = False, character: bool = False) -> Iterator[T]:
    """What `make` gives of the lists of a batch, a few sentences at a time; words in lower case unless `case`."""
    traces = traces_of(batch)
    lines = batch.tokens("target").lines
    spell = _characters if character else str
    for first in range(0, len(traces), _AT_ONCE):
        some = traces[first : first + _AT_ONCE]
        outputs = [spell(line if case else line.lower()) for line in lines[first : first + _AT_ONCE]]
        texts = [spell(text if case else text.lower()) for trace in some for text in trace.texts]
        vocabulary, whitespace = Vocabulary(), _core.text.surface_tokeniser("none")
        ids, offsets = vocabulary.core.encode(outputs, whitespace, n_threads=batch.n_threads)
        entries, entry_offsets = vocabulary.core.encode(texts, whitespace, n_threads=batch.n_threads)
        sizes = np.array([len(trace.texts) for trace in some], dtype=np.int64)
        scores = np.array([score for trace in some for score in trace.scores], dtype=np.float64)
        yield make(Lists(ids, offsets, entries, entry_offsets, np.concatenate([[0], np.cumsum(sizes)]), scores))


def _characters(line: str) -> str:
    """A token a character; blanks are characters, too."""
    return " ".join(line.replace(" ", "\u2423"))


@once
def list_confidences(batch: Batch, *, scale: float = 1.0, case: bool = False) -> tuple[Floats, Floats]:
    """Agreement of lists with the outputs' words: (tokens, criteria, weightings, 4); their networks: (tokens, 4)."""

    def measure(lists: Lists) -> tuple[Floats, Floats]:
        weights = np.ascontiguousarray(lists.weights(scale))
        return _core.nbest.confidences(*lists.arrays, weights, n_threads=batch.n_threads)

    empty = np.zeros((0, len(CRITERIA), len(WEIGHTINGS), 4)), np.zeros((0, 4))
    parts = [empty, *over_lists(batch, measure, case=case)]
    return np.concatenate([values for values, _ in parts]), np.concatenate([network for _, network in parts])


@once
def list_numbers(batch: Batch, *, scale: float = 1.0, case: bool = False) -> dict[str, Floats]:
    """Of each list: size, different entries, mean length, different words, entropy, gaps between scores."""
    parts = list(over_lists(batch, lambda lists: _numbers(lists, scale), case=case))
    names = ("size", "length", "vocabulary", "entropy", "top", "gap", "range")
    return {name: np.concatenate([np.zeros(0), *(part[name] for part in parts)]) for name in names}


def _numbers(lists: Lists, scale: float) -> dict[str, Floats]:
    n, sizes, list_of = len(lists.sizes), lists.sizes, lists.list_of
    some = sizes > 0
    lengths = np.diff(lists.entry_offsets)
    p = lists.probabilities(scale)
    entropy = -np.bincount(list_of, weights=p * np.log(np.maximum(p, 1e-300)), minlength=n)
    word_list = np.repeat(list_of, lengths)
    n_words = int(lists.entries.max()) + 1 if len(lists.entries) else 1
    kinds = np.unique(word_list * n_words + lists.entries) // n_words
    numbers = {
        "size": sizes.astype(np.float64),
        "length": np.bincount(list_of, weights=lengths, minlength=n) / np.maximum(sizes, 1),
        "vocabulary": np.bincount(kinds, minlength=n).astype(np.float64),
        "entropy": np.maximum(entropy, 0.0),
    }
    first, last = lists.list_offsets[:-1], lists.list_offsets[1:] - 1
    numbers |= {name: np.zeros(n) for name in ("top", "gap", "range")}
    numbers["top"][some] = p[first[some]]
    two = sizes > 1
    numbers["gap"][two] = lists.scores[first[two]] - lists.scores[first[two] + 1]
    numbers["range"][some] = lists.scores[first[some]] - lists.scores[last[some]]
    return numbers


def add_quartiles(
    folder: StrPath,
    sources: Sequence[str],
    outputs: Sequence[str],
    trace: TraceIndex,
    *,
    target_tokeniser: str = "none",
    n_threads: int = 1,
) -> ListQuartiles:
    """Cut the agreement of training outputs with their lists into quartiles, and keep the cuts with resources."""
    parts = []
    for first in range(0, len(sources), _WORDS_AT_ONCE):
        some = slice(first, first + _WORDS_AT_ONCE)
        batch = Batch(
            sources[some],
            outputs[some],
            Resources.of(trace=trace),
            target_tokeniser=target_tokeniser,
            n_threads=n_threads,
        )
        parts.append(list_confidences(batch)[0].astype(np.float32))
    if not parts:
        raise DataError("There are no outputs whose agreement with n-best lists could be cut into quartiles.")
    quartiles = QuartileRecipe().fit(np.concatenate(parts))
    quartiles.save(Path(folder) / "quartiles")
    return quartiles
