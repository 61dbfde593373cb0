from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dragoman.errors import ModelError
from dragoman.qe.resources import NgramCounts, NgramRecipe
from dragoman.qe.resources.ngrams import look_up
from dragoman.qe.resources.tags import TagLexicon, TagLexiconRecipe
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


@pytest.mark.parametrize(
    ("file", "change", "complaint"),
    [
        ("tables.1.1.npy", lambda counts: counts[:1], r"holds int64 of the shape \(1,\), not int64 of \(2\)"),
        ("tables.0.1.npy", lambda counts: counts.astype(np.float32), r"tables\.0\.1\.npy holds float32"),
        ("tables.0.0.npy", lambda keys: keys.reshape(1, -1), r"of the shape \(1, 2\), not uint64 of \(n\)"),
    ],
)
def test_arrays_of_another_type_or_shape_are_refused_when_they_are_opened(
    file: str, change: Callable[[NDArray[Any]], NDArray[Any]], complaint: str, tmp_path: Path
) -> None:
    folder = NgramRecipe(order=2).train(["a b a", "b"]).save(tmp_path / "counts")
    np.save(folder / file, change(np.load(folder / file)))
    reseal(folder)
    with pytest.raises(ModelError, match=complaint):
        NgramCounts.load(folder)


def test_values_of_another_type_are_refused_when_they_are_opened(tmp_path: Path) -> None:
    folder = TagLexiconRecipe().train(["a b"], ["X Y"]).save(tmp_path / "tags")
    for value, complaint in (([], r"n_tags is '\[\]', not a dict"), ({"a": "x"}, "expected a whole number from 0 on")):
        (folder / "parts.json").write_text(json.dumps({"n_tags": {"value": value}}))
        reseal(folder)
        with pytest.raises(ModelError, match=complaint):
            TagLexicon.load(folder)


def test_what_a_table_has_not_is_missing() -> None:
    keys = np.array([3, 9, 4])
    assert look_up(keys, np.array([3, 4, 7]), np.array([1.0, 2.0, 5.0]), 0.5).tolist() == [1.0, 0.5, 2.0]
    assert look_up(keys, np.array([4]), np.array([[1, 2]]), 0).tolist() == [[0, 0], [0, 0], [1, 2]]
    assert look_up(keys, np.zeros(0), np.zeros((0, 2), dtype=np.int64), 0).tolist() == [[0, 0]] * 3
    assert look_up(keys[:0], np.array([3]), np.array([1]), 0).tolist() == []
