"""Counts of error classes on texts with given base forms (Popović, WMT 2012; Popović & Ney, CL 2011)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman._core import classer
from dragoman.files import read_lines

# words, then blocks: inflection, reordering, missing, extra, lexical; word error rate in per cent.
COUNTS = {
    "ar-en-1": ([26, 72, 60, 102, 133], [26, 52, 48, 67, 100], 30.27),
    "ar-en-2": ([19, 41, 84, 64, 110], [19, 33, 72, 45, 90], 18.87),
    "cn-en": ([39, 174, 213, 96, 192], [38, 117, 140, 65, 141], 35.05),
}


def blocks(labels: np.ndarray, offsets: np.ndarray, label: int) -> int:
    """Runs of a label, sentence by sentence."""
    starts = (labels == label) & np.concatenate([[True], labels[1:] != labels[:-1]])
    starts[offsets[:-1][offsets[:-1] < len(labels)]] = labels[offsets[:-1][offsets[:-1] < len(labels)]] == label
    return int(starts.sum())


@pytest.mark.realdata
@pytest.mark.parametrize("name", COUNTS)
def test_counts_with_the_given_base_forms(name: str, data_folder: Path) -> None:
    ids: dict[str, int] = {}

    def encode(file: str) -> tuple[np.ndarray, np.ndarray]:
        lines = [line.split() for line in read_lines(data_folder / "error-labels" / name / f"{file}.gz")]
        words = [ids.setdefault(word, len(ids)) for line in lines for word in line]
        return np.array(words, dtype=np.int32), np.cumsum([0, *map(len, lines)]).astype(np.int64)

    (hyp, hyp_offsets), (hyp_base, _) = encode("hyp.full"), encode("hyp.base")
    (ref, ref_offsets), (ref_base, _) = encode("ref.full"), encode("ref.base")
    hyp_labels, ref_labels, edits = classer.classify(hyp, hyp_base, hyp_offsets, ref, ref_base, ref_offsets)
    sides = [(hyp_labels, hyp_offsets)] * 2 + [(ref_labels, ref_offsets)] + [(hyp_labels, hyp_offsets)] * 2
    words = [int((labels == label).sum()) for label, (labels, _) in enumerate(sides, start=1)]
    runs = [blocks(labels, offsets, label) for label, (labels, offsets) in enumerate(sides, start=1)]
    assert (words, runs, round(100 * edits.sum() / len(ref), 2)) == COUNTS[name]
