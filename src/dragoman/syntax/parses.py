"""What a parser says of lines of tokens, as arrays and as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.syntax.treebank import LabelIds, Labels
from dragoman.text.conllu import NOTHING, Sentence, Word

__all__ = ["Parses"]


@dataclass(frozen=True, eq=False)
class Parses:
    """Tags and trees of lines: line i has the tokens [offsets[i], offsets[i + 1]); numbers are places in `labels`."""

    token_lines: Sequence[Sequence[str]]
    labels: Labels
    offsets: NDArray[np.int64]
    upos: LabelIds
    feats: LabelIds
    xpos: LabelIds
    tag_confidences: NDArray[np.float32]  # of parts of speech: the probability that each is right
    heads: NDArray[np.int32] | None = None  # 0 is the root; None: tagged only
    relations: LabelIds | None = None
    arc_confidences: NDArray[np.float32] | None = None  # that each token has its right head
    lemmas: Sequence[str] | None = None  # of all tokens, where the parser knows them

    def __len__(self) -> int:
        return len(self.token_lines)

    def sentences(self, *, confidences: bool = False) -> list[Sentence | None]:
        """One sentence a line; None for a line without tokens, which CoNLL-U has no sentence for.

        With `confidences`, the column MISC has `PTag=` and `PHead=`: the probabilities that the part of speech and the
        head are right.
        """
        columns: list[Sequence[Any]] = [
            [NOTHING] * len(self.upos) if self.lemmas is None else self.lemmas,
            _names(self.labels.upos, self.upos),
            _names(self.labels.xpos, self.xpos),
            _names(self.labels.feats, self.feats),
            [None] * len(self.upos) if self.heads is None else self.heads.tolist(),
            [NOTHING] * len(self.upos) if self.relations is None else _names(self.labels.deprel, self.relations),
            self._misc() if confidences else [NOTHING] * len(self.upos),
        ]
        bounds = self.offsets.tolist()
        found: list[Sentence | None] = []
        for tokens, begin, end in zip(self.token_lines, bounds[:-1], bounds[1:], strict=True):
            if begin == end:
                found.append(None)
                continue
            cells = [column[begin:end] for column in columns]
            rows = tuple(
                Word(number, form, lemma, upos, xpos, feats, head, deprel, NOTHING, misc)
                for number, (form, lemma, upos, xpos, feats, head, deprel, misc) in enumerate(
                    zip(tokens, *cells, strict=True), start=1
                )
            )
            found.append(Sentence(rows))
        return found

    def line_confidences(self) -> NDArray[np.float64]:
        """A line's mean log-probability, as a probability: of its heads, or of its tags without trees; NaN for none."""
        p = self.tag_confidences if self.arc_confidences is None else self.arc_confidences
        sums = np.concatenate([[0.0], np.cumsum(np.log(p.astype(np.float64)))])
        lengths = np.diff(self.offsets)
        totals = sums[self.offsets[1:]] - sums[self.offsets[:-1]]
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float64] = totals / np.where(lengths > 0, lengths, np.nan)
        return np.exp(means)

    def _misc(self) -> list[str]:
        tags = self.tag_confidences.tolist()
        if self.arc_confidences is None:
            return [f"PTag={p:.3f}" for p in tags]
        return [f"PHead={arc:.3f}|PTag={tag:.3f}" for tag, arc in zip(tags, self.arc_confidences.tolist(), strict=True)]


def _names(labels: tuple[str, ...], ids: LabelIds) -> list[str]:
    return [labels[i] for i in ids.tolist()]
