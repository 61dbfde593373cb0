from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import dragoman.samples
from dragoman.data import Records, TestSet, convert, guess_formats, read_test_set, write_test_set
from dragoman.data.formats.tables import JsonlFormat, TsvFormat
from dragoman.errors import DataError, UnknownName

SAMPLE = Path(dragoman.samples.__file__).parent / "testset"


def refused(source: Path, target: Path, **formats: str) -> str:
    with pytest.raises(DataError) as caught:
        convert(source, target, **formats)
    return str(caught.value)


def test_a_test_set_through_all_formats(tmp_path: Path) -> None:
    steps = ["a.tsv.gz", "b.jsonl", "c.xml", "d.sgm", "e", "f.sgml", "g.ndjson.xz", "h.tsv"]
    source = SAMPLE
    for step in steps:
        assert convert(source, tmp_path / step).n_items == 80
        source = tmp_path / step
    # From step "e" on the set is called after that folder.
    assert read_test_set(source) == replace(read_test_set(SAMPLE), name="e")


def test_what_a_reader_passes_over_is_said(tmp_path: Path) -> None:
    sgm = tmp_path / "a.sgm"
    sgm.write_text(
        '<srcset setid="s" srclang="de"><doc docid="d"><hl><seg id="1"> a</seg></hl><p><seg id="2">b</seg></p>'
        '<p><seg id="3">c</seg></p></doc></srcset>'
    )
    done = convert(sgm, tmp_path / "a.tsv")
    assert done.lost == ("white space around segments", "paragraphs", "headlines")
    assert done.tables()[0].note == "Passed over in the sgm: white space around segments, paragraphs, headlines."
    sgm.write_text('<srcset setid="s" srclang="de"><doc docid="d"><p><seg id="2">b</seg></p></doc></srcset>')
    assert convert(sgm, tmp_path / "b.tsv").lost == ()
    xml = tmp_path / "a.xml"
    body = '<src lang="de"><p><seg id="1">a</seg></p>{}<p><seg id="2">b</seg></p></src>'
    xml.write_text(
        '<dataset id="s"><collection id="c"><doc id="d"><supplemental>x</supplemental>'
        f"{body.format('')}</doc></collection></dataset>"
    )
    done = convert(xml, tmp_path / "c.sgm")
    assert done.lost == ("collections", "supplemental texts", "paragraphs")
    convert(tmp_path / "c.sgm", tmp_path / "d.xml")
    assert convert(tmp_path / "d.xml", tmp_path / "e.sgm").lost == ()


def test_the_result_says_what_was_done(tmp_path: Path) -> None:
    done = convert(SAMPLE, tmp_path / "wmt", to_format="mtme")
    assert (done.from_format, done.to_format, done.holds, done.n_items) == ("testset-lines", "mtme", "TestSet", 80)
    assert done.lost == ("origlangs",)
    assert done.to_dict()["kind"] == "conversion"
    assert done.to_dict()["rows"] == [
        {
            "input": str(SAMPLE),
            "output": f"{tmp_path}/wmt",
            "from": "testset-lines",
            "to": "mtme",
            "items": 80,
            "lost": "origlangs",
        }
    ]
    assert done.to_dict()["meta"]["holds"] == "TestSet"
    assert "mtme has no place for: origlangs." in done.render("text")
    assert "no place" not in convert(SAMPLE, tmp_path / "a.tsv").render("text")


def test_a_table_is_a_test_set_if_its_columns_say_so(tmp_path: Path) -> None:
    (tmp_path / "set.tsv").write_text("source\tref:A\na\t\\N\nb\tB\n")
    (tmp_path / "set.jsonl").write_text('{"source": "a", "ref:A": null}\n')
    (tmp_path / "table.tsv").write_text("name\tvalue\na\t\\N\n")
    (tmp_path / "table.jsonl").write_text('{"name": "a"}\n')
    assert convert(tmp_path / "set.tsv", tmp_path / "a.jsonl").to_format == "testset-jsonl"
    assert json.loads((tmp_path / "a.jsonl").read_text().splitlines()[0])["ref:A"] is None
    assert convert(tmp_path / "set.jsonl", tmp_path / "a.tsv").to_format == "testset-tsv"
    assert convert(tmp_path / "table.tsv", tmp_path / "b.jsonl").to_format == "jsonl"
    assert JsonlFormat().read(tmp_path / "b.jsonl").rows == (("a", "\\N"),)
    assert convert(tmp_path / "table.jsonl", tmp_path / "b.csv").to_format == "csv"
    assert convert(tmp_path / "set.tsv", tmp_path / "c.jsonl", from_format="tsv").to_format == "jsonl"


def test_what_stands_in_the_target_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "set.tsv").write_text("source\na\n")
    (tmp_path / "old.jsonl").write_text("not even JSON")
    assert convert(tmp_path / "set.tsv", tmp_path / "old.jsonl").to_format == "testset-jsonl"


def test_lines_are_compressed(tmp_path: Path) -> None:
    (tmp_path / "a.en").write_text("x\ny\n")
    done = convert(tmp_path / "a.en", tmp_path / "a.en.gz")
    assert (done.from_format, done.holds, done.n_items) == ("lines", "tuple", 2)


def test_tables(tmp_path: Path) -> None:
    TsvFormat().write(Records(["a", "b"], [("1", "x")]), tmp_path / "t.tsv")
    for step in ("t.csv", "t.parquet", "t.ndjson"):
        assert convert(tmp_path / "t.tsv", tmp_path / step).n_items == 1
    assert convert(tmp_path / "t.parquet", tmp_path / "u.tsv").lost == ()


def test_types_that_do_not_meet(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n")
    assert refused(tmp_path / "t.csv", tmp_path / "t.sgm") == (
        f"Cannot convert {tmp_path}/t.csv to sgm (a test set): csv holds a table and converts to csv, jsonl, "
        "parquet, tsv."
    )
    message = refused(SAMPLE, tmp_path / "t.csv")
    assert message.startswith(f"Cannot convert {SAMPLE} to csv (a table): testset-lines holds a test set and converts")
    assert message.endswith("mtme, pearmut-campaign, sgm, testset-jsonl, testset-lines, testset-tsv, wmt-xml.")
    assert "tmx" not in message
    with pytest.raises(UnknownName, match=r"No format is called 'smg'\. Did you mean 'sgm'\?"):
        convert(SAMPLE, tmp_path / "x", to_format="smg")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.csv"]


def test_a_format_may_come_with_options(tmp_path: Path) -> None:
    for pair in ("de-en", "de-fr"):
        write_test_set(replace(read_test_set(SAMPLE), target_lang=pair[-2:]), tmp_path / "wmt", format="mtme")
    assert "several language pairs: de-en, de-fr" in refused(tmp_path / "wmt", tmp_path / "a.xml")
    done = convert(tmp_path / "wmt", tmp_path / "a.xml", from_format="mtme:pair=de-fr")
    assert done.from_format == "mtme:pair=de-fr"
    assert read_test_set(tmp_path / "a.xml").target_lang == "fr"
    assert read_test_set(tmp_path / "wmt", format="mtme:pair=de-en").target_lang == "en"
    assert refused(tmp_path / "wmt", tmp_path / "a.xml", from_format="mtme:pear=x") == (
        "The format 'mtme' has no option 'pear'. Known: pair."
    )


def test_a_source_that_is_not_there(tmp_path: Path) -> None:
    assert refused(tmp_path / "a.tsv", tmp_path / "a.csv") == f"There is no file {tmp_path}/a.tsv."
    assert refused(tmp_path / "a.xml", tmp_path / "a.sgm") == f"There is no file {tmp_path}/a.xml."


def test_guessing(tmp_path: Path) -> None:
    assert guess_formats(SAMPLE, holds=TestSet) == ["testset-lines"]
    assert guess_formats("a.sgm.gz", holds=TestSet) == ["sgm"]
    assert guess_formats("A.XML", holds=TestSet) == ["wmt-xml"]
    assert guess_formats("a.tsv", holds=TestSet) == ["testset-tsv"]
    assert guess_formats("a.foo") == []
    assert guess_formats(tmp_path) == []


def test_doors_of_test_sets(tmp_path: Path) -> None:
    value = read_test_set(SAMPLE)
    write_test_set(value, tmp_path / "testset")
    assert read_test_set(tmp_path / "testset") == value
    write_test_set(value, tmp_path / "odd.name", format="wmt-xml")
    assert read_test_set(tmp_path / "odd.name", format="wmt-xml") == value
    known = "appraise-batches, mtme, pearmut-campaign, sgm, testset-jsonl, testset-lines, testset-tsv, wmt-xml"
    for work, message in [
        (
            lambda: read_test_set(tmp_path / "odd.name"),
            f"Cannot tell the format of {tmp_path}/odd.name by its name. Name one of: {known}.",
        ),
        (
            lambda: write_test_set(value, tmp_path / "x.foo"),
            f"Cannot tell the format of {tmp_path}/x.foo by its name. Name one of: {known}.",
        ),
        (lambda: read_test_set(tmp_path / "none"), f"There is no file or folder {tmp_path}/none."),
        (lambda: read_test_set(SAMPLE, format="csv"), f"The format csv holds a table, not a test set. Known: {known}."),
    ]:
        with pytest.raises(DataError) as caught:
            work()
        assert str(caught.value) == message
