from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.judgements import (
    DIRECT_ASSESSMENT,
    Field,
    Judgements,
    Schema,
    ranking_schema,
    read_judgements,
    read_ranking,
)
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.samples import sample_path

SCHEMA = Schema(
    "demo",
    (
        Field("annotator"),
        Field("item"),
        Field("score", "number", required=False, low=0, high=100),
        Field("rank", "whole", required=False, low=1),
        Field("fluent", "truth", required=False),
    ),
)

rows = st.lists(
    st.fixed_dictionaries(
        {"annotator": st.sampled_from("ab"), "item": st.sampled_from("123")},
        optional={"score": st.none() | st.integers(0, 100) | st.floats(0, 100), "rank": st.none() | st.integers(1, 5)},
    ),
    max_size=12,
)


@given(rows, rows)
def test_rows_are_appended_and_the_old_table_stays(
    first: list[dict[str, object]], more: list[dict[str, object]]
) -> None:
    table = Judgements.of(SCHEMA, first)  # type: ignore[arg-type]
    longer = table.append(more)  # type: ignore[arg-type]
    assert len(table) == len(first)
    assert len(longer) == len(first) + len(more)
    assert list(longer.rows())[: len(first)] == list(table.rows())
    last: dict[tuple[object, object], dict[str, object]] = {}
    for row in longer.rows():
        last[row["annotator"], row["item"]] = row
    latest = longer.latest()
    assert len(latest) == len(last)
    assert all(last[row["annotator"], row["item"]] == row for row in latest.rows())


def test_what_is_missing_is_none_and_in_arrays_nan() -> None:
    table = Judgements.of(SCHEMA, [{"annotator": "a", "item": "1", "score": 7}, {"annotator": "a", "item": "2"}])
    assert table["score"] == (7.0, None)
    assert type(table["score"][0]) is float
    assert table.numbers("score")[0] == 7
    assert math.isnan(table.numbers("score")[1])
    assert np.isnan(table.numbers("rank")).all()
    assert next(table.rows()) == {"annotator": "a", "item": "1", "score": 7.0, "rank": None, "fluent": None}
    assert len(Judgements.of(SCHEMA)) == 0
    assert len(Judgements.of(SCHEMA).latest()) == 0


def test_a_correction_is_a_new_row_with_the_last_word() -> None:
    said = [("a", "1", 30), ("b", "1", 50), ("a", "1", 60), ("a", "2", 10)]
    table = Judgements.of(SCHEMA, [{"annotator": who, "item": item, "score": score} for who, item, score in said])
    assert table.latest()["score"] == (50.0, 60.0, 10.0)
    assert table.where(annotator="a", item="1")["score"] == (30.0, 60.0)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"item": "1"}, "annotator is missing"),
        ({"annotator": "a", "item": "1", "score": 101}, "score is 101.0; expected a number from 0 to 100"),
        ({"annotator": "a", "item": "1", "score": math.nan}, "score is nan; expected a number from 0 to 100"),
        ({"annotator": "a", "item": "1", "score": "7"}, "score is '7'; expected a number"),
        ({"annotator": "a", "item": "1", "rank": 0}, "rank is 0; expected a whole number from 1 on"),
        ({"annotator": "a", "item": "1", "rank": True}, "rank is True; expected a whole number"),
        ({"annotator": "a", "item": "1", "rank": 1.5}, "rank is 1.5; expected a whole number"),
        ({"annotator": "a", "item": "1", "fluent": 1}, "fluent is 1; expected true or false"),
        ({"annotator": "a", "item": "1", "colour": 1, "rank": -1}, "there is no field 'colour'; rank is -1; expected"),
    ],
)
def test_wrong_rows_are_named(row: dict[str, object], message: str) -> None:
    good = {"annotator": "a", "item": "1"}
    with pytest.raises(DataError, match=f"Row 2: A demo judgement is wrong: {message}"):
        Judgements.of(SCHEMA, [good, row])  # type: ignore[list-item]


def test_wrong_schemas_and_calls_are_named() -> None:
    with pytest.raises(DataError, match="The field 'x' holds text, whole, number, truth; got type='date'"):
        Field("x", "date")
    with pytest.raises(DataError, match="The schema 'k' has two fields of one name: a, a"):
        Schema("k", (Field("a"), Field("a")), key=())
    with pytest.raises(DataError, match="The schema 'k' needs the required field 'item': it is part of the key"):
        Schema("k", (Field("annotator"), Field("item", required=False)))
    table = Judgements.of(SCHEMA)
    with pytest.raises(UnknownName, match=r"Judgements of kind 'demo' have no field 'x'\. Known: annotator, item"):
        table["x"]
    with pytest.raises(DataError, match="The field 'item' holds text, not numbers"):
        table.numbers("item")
    with pytest.raises(DataError, match="The columns of demo judgements are not a, b"):
        Judgements(SCHEMA, {"a": (), "b": ()})
    assert Field("x", "number", high=3)._expected() == "a number up to 3"


def test_a_schema_survives_its_dictionary() -> None:
    for schema in (SCHEMA, DIRECT_ASSESSMENT, ranking_schema(5)):
        assert Schema.from_dict(schema.to_dict()) == schema


def test_the_sample_judgements() -> None:
    ranking = read_ranking(sample_path("testset/judgements/ranking.csv"))
    assert len(ranking) == 180
    assert set(ranking["source_lang"]) == {"de"}
    assert next(ranking.rows())["system1"] == "dune"
    direct = read_judgements(sample_path("testset/judgements/da.csv"), DIRECT_ASSESSMENT)
    assert len(direct) == 400
    assert next(direct.rows())["score"] == 93.0


HEADER = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Id,system2Id,system1rank,system2rank\n"


def write(tmp_path: Path, *lines: str, header: str = HEADER, name: str = "x.csv") -> Path:
    path = tmp_path / name
    path.write_text(header + "".join(line + "\n" for line in lines))
    return path


def test_minus_one_and_blank_become_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "Czech,English,7,-1,7,anna,uedin,blank,2,-1", "Czech,English,8,d,1,anna,cmu,jhu,-1,1\r")
    table = read_ranking(path)
    first, second = table.rows()
    assert first == {
        "annotator": "anna",
        "item": "1",
        "source_lang": "cs",
        "target_lang": "en",
        "segment": 7,
        "doc": None,
        "doc_segment": 7,
        "system1": "uedin",
        "rank1": 2,
        "system2": None,
        "rank2": None,
    }
    assert (second["system1"], second["rank1"], second["rank2"]) == ("cmu", None, 1)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Czech,English,7,d,7,anna,a,b,x,2", "rank of system1 is 'x'; expected 1–5, or -1 for not judged"),
        ("Czech,English,7,d,7,anna,a,b,1,6", "rank of system2 is '6'; expected 1–5"),
        ("Czech,English,7,d,7,anna,a,blank,1,2", "system2 is blank, but its rank is '2'; expected -1"),
        ("Czech,English,first,d,7,anna,a,b,1,2", "segment is 'first'; expected a whole number"),
        ("Klingonese,English,1,d,7,anna,a,b,1,2", "'Klingonese' is no language tag"),
        ("Czech,English,1,d", "the line has 4 cells for 10 columns"),
    ],
)
def test_wrong_lines_are_named_and_counted(tmp_path: Path, line: str, message: str) -> None:
    good = "Czech,English,7,d,7,anna,a,b,1,2"
    with pytest.raises(FormatError, match=rf"x\.csv:3: {message}.* 2 further lines are wrong\.$"):
        read_ranking(write(tmp_path, good, line, good, line, line))
    with pytest.raises(FormatError, match=r" 1 further line is wrong\.$"):
        read_ranking(write(tmp_path, line, line))


def test_tables_of_another_shape_are_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"x\.csv: the file is empty; a header line was expected"):
        read_ranking(write(tmp_path, header=""))
    with pytest.raises(
        FormatError, match=r"x\.csv:1: this is no relative-ranking table of WMT's: it lacks srclang, .*rank"
    ):
        read_ranking(write(tmp_path, header="a,b\n"))
    with pytest.raises(FormatError, match=r"x\.csv:1: a table of demo has no field colour"):
        read_judgements(write(tmp_path, header="annotator,item,colour\n"), SCHEMA)
    with pytest.raises(FormatError, match=r"x\.tsv:1: a table of demo needs the field item"):
        read_judgements(write(tmp_path, header="annotator\n", name="x.tsv"), SCHEMA)


def test_any_table_with_its_own_word_for_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "a\t1\tNA\ttrue", "a\t2\t50\tfalse", header="annotator\titem\tscore\tfluent\n", name="x.tsv")
    table = read_judgements(path, SCHEMA, missing=("NA",))
    assert table["score"] == (None, 50.0)
    assert table["fluent"] == (True, False)
    assert table["rank"] == (None, None)
    path.write_text(path.read_text().replace("false", "perhaps"))
    with pytest.raises(FormatError, match=r"x\.tsv:3: fluent is 'perhaps'; expected true or false"):
        read_judgements(path, SCHEMA, missing=("NA",))


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("name", "n", "missing"),
    [
        ("data_RNK-public", 11_127, 553),
        ("wmt11-maneval-combosystems.RNK_results", 3_615, 2_496),
        ("wmt11-maneval-tunablemetrics.RNK_results", 633, 21),
        ("wmt12.RNK_results", 12_339, 355),
        ("wmt13.fr-en.train", 9_996, 0),
    ],
)
def test_the_judgements_of_wmt(data_folder: Path, name: str, n: int, missing: int) -> None:
    table = read_ranking(data_folder / "wmt-judgments" / f"{name}.csv.gz")
    assert len(table) == len(table.latest()) == n
    assert sum(rank is None for place in range(1, 6) for rank in table[f"rank{place}"]) == missing


@pytest.mark.parametrize("limit", [[1], "1", True, {}])
def test_a_limit_that_is_no_number_is_refused(limit: Any) -> None:
    with pytest.raises(DataError, match="expected a number"):
        Field("score", "number", low=limit)
