"""How often each kind of edit was made, overall and by class of words, as shares that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.analysis.post_editing.labels import CLASSES, LABELS, Edited, WordClass
from dragoman.report import Column, Result, Table

__all__ = ["CATEGORIES", "EditProfile", "profile_edits", "share_table", "shares"]

_ORDERS = ("order same", "group moved", "1 word moved", "distance 1", "distance ≥2")
CATEGORIES = (*LABELS, *_ORDERS)


def shares(edited: Sequence[Edited], only: WordClass | None = None) -> dict[str, float]:
    """The share of each category in a segment; NaN where there is nothing to share.

    Labels are shares of all words, output and inserted; orders are shares of the words that have a partner.
    """
    words = [word for word in edited if only is None or word.word_class == only]
    paired = [word for word in words if word.distance is not None]
    counts: dict[str, int] = dict.fromkeys(CATEGORIES, 0)
    for word in words:
        counts[word.label] += 1
    for word in paired:
        if not word.moved:
            counts["order same"] += 1
        else:
            counts["group moved" if word.in_group else "1 word moved"] += 1
            counts["distance 1" if word.distance == 1 else "distance ≥2"] += 1
    totals = [len(words)] * len(LABELS) + [len(paired)] * len(_ORDERS)
    return {
        name: counts[name] / total if total else float("nan") for name, total in zip(CATEGORIES, totals, strict=True)
    }


@dataclass(frozen=True)
class EditProfile(Result):
    """What post-editors did with a set of segments."""

    kind: ClassVar[str] = "edit profile"

    n_segments: int
    n_tokens: int  # words of the outputs and inserted words
    overall: dict[str, float]
    by_class: dict[str, dict[str, float]]  # empty without parts of speech
    sizes: dict[str, int]  # words of each class

    @property
    def edited(self) -> float:
        """The share of words that were not left as they are, wherever they stand."""
        return 1.0 - self.overall["word match"]

    @property
    def reordered(self) -> float:
        """The share of matched words that moved."""
        return 1.0 - self.overall["order same"]

    def tables(self) -> list[Table]:
        """A row for each category: its share among all words, then among those of each class."""
        classes = list(self.by_class)
        columns = [Column("category"), Column("all", digits=3), *(Column(name, digits=3) for name in classes)]
        rows = [
            (name, *(_or_none(profile[name]) for profile in (self.overall, *self.by_class.values())))
            for name in CATEGORIES
        ]
        sizes = "".join(f"; {name} {size}" for name, size in self.sizes.items())
        note = (
            f"{self.n_segments} segments, {self.n_tokens} words{sizes}. Orders are shares of the words with a partner."
        )
        return [Table.of("Edits", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Counts, and the two figures of the paper's first table."""
        return {
            "n_segments": self.n_segments,
            "n_tokens": self.n_tokens,
            "edited": _or_none(self.edited),
            "reordered": _or_none(self.reordered),
        }


def profile_edits(labelled: Sequence[Sequence[Edited]]) -> EditProfile:
    """The profile of segments labelled by `label_words`: shares of all their words together."""
    words = [word for segment in labelled for word in segment]
    present = [name for name in CLASSES if any(word.word_class == name for word in words)]
    return EditProfile(
        n_segments=len(labelled),
        n_tokens=len(words),
        overall=shares(words),
        by_class={name: shares(words, name) for name in present},
        sizes={name: sum(word.word_class == name for word in words) for name in present},
    )


def share_table(labelled: Sequence[Sequence[Edited]], only: WordClass | None = None) -> NDArray[np.float64]:
    """(segments, categories): the shares of each segment."""
    return np.array([list(shares(segment, only).values()) for segment in labelled]).reshape(-1, len(CATEGORIES))


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else value
