from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import ModelError
from dragoman.qe.resources import NgramCounts, NgramRecipe
from dragoman.qe.resources.ngrams import look_up
from tests.fuzz.sealing import reseal


def test_parts_are_read_from_the_folder_alone(tmp_path: Path) -> None:
    counts = NgramRecipe(order=2).train(["a b a", "b"])
    folder = counts.save(tmp_path / "counts")
    again = NgramCounts.load(folder)
    assert again.recipe == counts.recipe
    assert again.vocabulary.words() == counts.vocabulary.words()
    assert [[array.tolist() for array in table] for table in again.tables] == [
        [array.tolist() for array in table] for table in counts.tables
    ]
    parts = json.loads((folder / "parts.json").read_text())
    parts["../counts/vocabulary"] = parts.pop("vocabulary")
    (folder / "parts.json").write_text(json.dumps(parts))
    reseal(folder)
    with pytest.raises(ModelError, match=r"names \.\./counts/vocabulary\.vocabulary, which is none of its files"):
        NgramCounts.load(folder)


def test_what_a_table_has_not_is_missing() -> None:
    keys = np.array([3, 9, 4])
    assert look_up(keys, np.array([3, 4, 7]), np.array([1.0, 2.0, 5.0]), 0.5).tolist() == [1.0, 0.5, 2.0]
    assert look_up(keys, np.array([4]), np.array([[1, 2]]), 0).tolist() == [[0, 0], [0, 0], [1, 2]]
    assert look_up(keys, np.zeros(0), np.zeros((0, 2), dtype=np.int64), 0).tolist() == [[0, 0]] * 3
    assert look_up(keys[:0], np.array([3]), np.array([1]), 0).tolist() == []
