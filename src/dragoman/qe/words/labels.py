"""Labels of words from post-edits: Keep, Substitute or Delete, as word error rate aligns them (WMT 2013, task 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.parallel import check_parallel
from dragoman.files import StrPath, write_lines
from dragoman.report import Column, Result, Table

__all__ = ["EDIT_LABELS", "EditLabels", "edit_labels"]

EDIT_LABELS = ("Keep", "Substitute", "Delete")
_INSERT = 2  # of `edit.operations`: a word of the post-edit alone, which no word of the output is labelled by
_LABELS = {0: "Keep", 1: "Substitute", 3: "Delete"}


@dataclass(frozen=True)
class EditLabels(Result):
    """A label for every word of outputs that were post-edited."""

    kind: ClassVar[str] = "edit-labels"

    words: tuple[tuple[str, ...], ...]
    labels: tuple[tuple[str, ...], ...]
    n_inserted: int  # words of the post-edits that stand beside none of the outputs'

    def binary(self) -> tuple[tuple[str, ...], ...]:
        """Keep or Change."""
        return tuple(tuple("Keep" if label == "Keep" else "Change" for label in line) for line in self.labels)

    def tables(self) -> list[Table]:
        """How many words have each label."""
        counts = Counter(label for line in self.labels for label in line)
        total = sum(counts.values())
        rows = [(label, counts[label], 100 * counts[label] / total if total else None) for label in EDIT_LABELS]
        note = f"Words that were inserted, which no label says: {self.n_inserted}."
        return [Table.of("Labels of words", ["label", "words", Column("share", digits=1)], rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Counts."""
        return {"n": len(self.labels), "n_words": sum(map(len, self.labels)), "n_inserted": self.n_inserted}

    def write_table(self, path: StrPath) -> None:
        """Six columns, as `qe words train --table` reads: segment, number, word, label, Keep or Change, OK or BAD."""
        write_lines(path, self._table_lines())

    def _table_lines(self) -> Iterator[str]:
        for segment, (words, labels, halves) in enumerate(zip(self.words, self.labels, self.binary(), strict=True)):
            for number, (word, label, half) in enumerate(zip(words, labels, halves, strict=True)):
                yield f"{segment}\t{number}\t{word}\t{label}\t{half}\t{'OK' if half == 'Keep' else 'BAD'}"


def edit_labels(outputs: Sequence[str], post_edits: Sequence[str], *, n_threads: int = 1) -> EditLabels:
    """Label the words of tokenised outputs by what post-editing did to them, with the fewest edits and no shifts."""
    from dragoman._core import edit

    check_parallel({"outputs": outputs, "post_edits": post_edits})
    words = [line.split() for line in outputs]
    vocabulary: dict[str, int] = {}
    hyp, ref = _ids(words, vocabulary), _ids([line.split() for line in post_edits], vocabulary)
    operations, offsets = edit.operations(*hyp, *ref, n_threads=n_threads)
    labels = [
        tuple(_LABELS[code] for code in operations[start:end].tolist() if code != _INSERT)
        for start, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    ]
    return EditLabels(tuple(map(tuple, words)), tuple(labels), int((operations == _INSERT).sum()))


def _ids(lines: Sequence[Sequence[str]], vocabulary: dict[str, int]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    ids = [vocabulary.setdefault(word, len(vocabulary)) for line in lines for word in line]
    return np.array(ids, dtype=np.int32), np.cumsum([0, *map(len, lines)], dtype=np.int64)
