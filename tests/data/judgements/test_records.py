"""Judgements as records: what was a table of text before is read like the table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.data.convert import convert
from dragoman.data.judgements import read_judgements
from dragoman.errors import FormatError
from dragoman.samples import sample_path


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_a_converted_table_is_read_like_the_table(tmp_path: Path, suffix: str) -> None:
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    table = sample_path("testset/judgements/da.csv")
    convert(table, tmp_path / f"da.{suffix}")
    read, made = read_judgements([tmp_path / f"da.{suffix}"]), read_judgements([table])
    assert list(read.rows()) == list(made.rows())


def test_text_that_spells_no_number_is_named(tmp_path: Path) -> None:
    row = {"annotator": "ann-1", "item": "1", "type": "TGT", "doc": "d", "segment": "4", "system": "s", "score": "good"}
    path = tmp_path / "da.jsonl"
    path.write_text(json.dumps(row) + "\n")
    with pytest.raises(FormatError, match="score is 'good'; expected a number"):
        read_judgements([path])
    path.write_text(json.dumps({**row, "score": "7.5", "seconds": ""}) + "\n")
    (only,) = read_judgements([path]).rows()
    assert (only["score"], only["segment"], only["seconds"]) == (7.5, 4, None)
