"""Judgements as records: what was a table of text before is read like the table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.data.convert import convert
from dragoman.data.crowd import TRANSLATIONS, VOTES
from dragoman.data.judgements import Schema, read_judgements
from dragoman.data.judgements.blind_edits import REVIEWS
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


@pytest.mark.parametrize(
    ("table", "schema"),
    [
        ("understandability/reviews.tsv", REVIEWS),
        ("crowd/translations.tsv", TRANSLATIONS),
        ("crowd/votes.tsv", VOTES),
    ],
)
@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_a_command_that_asks_for_a_kind_reads_records_too(
    tmp_path: Path, suffix: str, table: str, schema: Schema
) -> None:
    """`study crowd` and `study understandability` took tables of text alone, and no other export of a campaign."""
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    path = sample_path(f"studies/{table}")
    convert(path, tmp_path / f"x.{suffix}")
    read, made = read_judgements(tmp_path / f"x.{suffix}", schema), read_judgements(path, schema)
    assert read.kind == made.kind
    assert list(read.rows()) == list(made.rows())


def test_records_of_another_kind_are_named(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"annotator": "v1", "colour": "red"}\n', encoding="utf-8")
    with pytest.raises(FormatError, match=r"x\.jsonl:1: .*colour"):
        read_judgements(tmp_path / "x.jsonl", VOTES)


def test_text_that_spells_no_number_is_named(tmp_path: Path) -> None:
    row = {"annotator": "ann-1", "item": "1", "type": "TGT", "doc": "d", "segment": "4", "system": "s", "score": "good"}
    path = tmp_path / "da.jsonl"
    path.write_text(json.dumps(row) + "\n")
    with pytest.raises(FormatError, match="score is 'good'; expected a number"):
        read_judgements([path])
    path.write_text(json.dumps({**row, "score": "7.5", "seconds": ""}) + "\n")
    (only,) = read_judgements([path]).rows()
    assert (only["score"], only["segment"], only["seconds"]) == (7.5, 4, None)
