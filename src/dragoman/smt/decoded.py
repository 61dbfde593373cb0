"""What a decoder gives for many sentences: translations with scores, features, alignments, phrases, as flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.smt.sparse import SparseRows

__all__ = ["Decoded"]


@dataclass(frozen=True, eq=False)
class Decoded:
    """Translations of sentences, tokenised. A *path* is one of them; those of a sentence stand together, best first.

    The paths of sentence `i` are `[offsets[i], offsets[i + 1])`. Scores are natural logarithms, weighted; with
    features, `features @ weights` is the score of each path, but for rounding to single precision and, where an engine
    has them, sparse features.
    """

    texts: list[str]  # by path: tokens joined by spaces
    offsets: NDArray[np.int64]  # by sentence, one more than there are
    scores: NDArray[np.float64]  # by path
    features: NDArray[np.float64]  # (paths, features); no rows unless asked for
    feature_names: tuple[str, ...]
    links: NDArray[np.uint16]  # (links of all paths, 2): place in the source, place in the target, from 0
    link_offsets: NDArray[np.int64]  # by path, one more than there are
    phrases: NDArray[np.uint16]  # (phrases of all paths, 3): source begin, source end, target words; in target order
    phrase_offsets: NDArray[np.int64]  # by path, one more than there are
    effort: dict[str, int]  # what the search cost: `hypotheses`, `lm_queries`
    # By word of all paths: how probable it is; none unless asked for. Those of path p begin at word_offsets[p].
    confidences: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, dtype=np.float32))
    word_offsets: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    sparse: SparseRows = field(default_factory=SparseRows)  # with features, those of engines that have sparse ones
    # By sentence, if asked for: nodes, arcs and options of the search; how features, the weighted score and the
    # estimate of what is still to come are spread over its arcs.
    summaries: Sequence[_core.phrase.SearchSummary] = ()

    @classmethod
    def of(cls, paths: _core.phrase.Translations, texts: list[str], feature_names: tuple[str, ...]) -> Decoded:
        """What the core's decoder gave, with its words spelt."""
        return cls(
            texts=texts,
            offsets=paths.path_offsets,
            scores=paths.scores,
            features=paths.features,
            feature_names=feature_names,
            links=paths.links,
            link_offsets=paths.link_offsets,
            phrases=paths.phrases,
            phrase_offsets=paths.phrase_offsets,
            effort={"hypotheses": paths.hypotheses, "lm_queries": paths.lm_queries},
            confidences=paths.confidences,
            word_offsets=paths.word_offsets,
            sparse=SparseRows(paths.sparse_offsets, paths.sparse_keys, paths.sparse_values),
            summaries=paths.summaries,
        )

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.offsets) - 1

    def paths(self, sentence: int) -> range:
        """The paths of a sentence, best first."""
        return range(int(self.offsets[sentence]), int(self.offsets[sentence + 1]))

    def best(self) -> list[str]:
        """The best translation of each sentence; empty if constraints left it none."""
        ends = pairwise(self.offsets.tolist())
        return [self.texts[first] if first < last else "" for first, last in ends]

    def confidence_of(self, path: int) -> NDArray[np.float32]:
        """How probable each word of a path is, from 0 to 1."""
        if not len(self.confidences) and self.word_offsets[-1]:
            raise DataError("These translations have no confidences. Decode with confidence=True.")
        return self.confidences[self.word_offsets[path] : self.word_offsets[path + 1]]

    def links_of(self, path: int) -> NDArray[np.uint16]:
        """The word alignment of a path: an array (links, 2), source and target places from 0."""
        return self.links[self.link_offsets[path] : self.link_offsets[path + 1]]

    def phrases_of(self, path: int) -> NDArray[np.uint16]:
        """The phrases of a path in the order of the target: source begin, source end, number of target words."""
        return self.phrases[self.phrase_offsets[path] : self.phrase_offsets[path + 1]]
