"""Opening files of judgements without being told what they are: detection, several files, kinds, logs, summaries."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data import FORMATS, JUDGEMENT_KINDS, JudgementLog, Judgements, read_judgements
from dragoman.data.judgement_log import read_log
from dragoman.data.judgements import DIRECT_ASSESSMENT, Schema, ranking_schema
from dragoman.data.judgements.kinds import JudgementKind, schema_shown_by
from dragoman.data.judgements.reading import is_judgement_file, judgement_formats
from dragoman.data.judgements.summary import find_oddities, summarise_judgements
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.samples import sample_path
from tests.contract.test_formats import example

RANKING = sample_path("testset/judgements/ranking.csv")
SCORES = sample_path("testset/judgements/da.csv")
WRITABLE = [name for name in judgement_formats() if FORMATS.get(name).writable]


@pytest.mark.parametrize("name", judgement_formats())
def test_every_format_names_a_kind(name: str) -> None:
    kind = FORMATS.get(name).kind  # type: ignore[attr-defined]
    assert kind == "" or kind in JUDGEMENT_KINDS


@pytest.mark.parametrize("name", JUDGEMENT_KINDS.names())
def test_every_kind_has_a_schema_that_its_columns_show(name: str, tmp_path: Path) -> None:
    kind: type[JudgementKind] = JUDGEMENT_KINDS.get(name)
    assert (kind.name, kind.schema.kind) == (name, name)
    names = [field.name for field in kind.schema.fields]
    assert kind.shown_by <= set(names)
    needed = [field.name for field in kind.schema.fields if field.required or field.name in kind.shown_by]
    shown = schema_shown_by(names)
    least = schema_shown_by(needed)
    assert shown is not None
    assert least is not None
    assert shown.kind == least.kind == name
    assert Schema.from_dict(kind.schema.to_dict()) == kind.schema
    # Every kind can be kept in a log, appended to, and opened again without being told what it is.
    log = JudgementLog(tmp_path / "x.log", kind.schema)
    assert len(log.judgements()) == 0
    table = read_judgements(log.path)
    assert table.schema == kind.schema
    assert kind.systems(table) == set()
    assert kind.blanks(table) == 0
    assert summarise_judgements(table).rows[0][1] == 0


@pytest.mark.parametrize("name", WRITABLE)
def test_what_is_written_is_opened_without_being_told_what_it_is(name: str, tmp_path: Path) -> None:
    form = FORMATS.make(name)
    path = tmp_path / f"value{next(iter(form.suffixes), '')}"
    value = example(name)
    form.write(value, path)
    found = read_judgements(path, kind=value.kind)
    assert found == value
    assert found.files[0].format == name


def test_several_files_become_one_table(tmp_path: Path) -> None:
    one = read_judgements(RANKING)
    both = read_judgements([RANKING, RANKING])
    assert len(both) == 2 * len(one)
    assert both["item"][0] == "1:1"
    assert both["item"][180] == "2:1"
    assert len(both.latest()) == len(both)
    assert [file.rows for file in both.files] == [180, 180]
    with pytest.raises(
        DataError, match=r"Judgements of different kinds do not go together: .*ranking\.csv \(relative-"
    ):
        read_judgements([RANKING, SCORES])
    with pytest.raises(DataError, match="There is no file of judgements to read; name at least one"):
        read_judgements([])
    narrow = tmp_path / "x.judgements.csv"
    narrow.write_text(
        "annotator,item,source_lang,target_lang,segment,system1,rank1,system2,rank2\na,x,de,en,1,s,1,t,2\n"
    )
    wide = read_judgements([narrow, RANKING])
    assert wide.schema == ranking_schema(5)
    assert wide["item"][:2] == ("x", "1")  # no two are the same: names stay
    assert wide["system5"][0] is None


def test_a_table_of_its_own_with_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    head = "annotator,item,source_lang,target_lang,segment,system1,rank1,system2,rank2\n"
    path.write_text(head + "a,1,de,en,1,s,1,s,2\na,2,de,en,1,s,9,t,2\na,3,de,en,,s,1,t,2\na,4,de,en,1,,1,t,2\n")
    with pytest.raises(
        FormatError, match=r"x\.csv:2: the system 's' is ranked twice on one screen\. 3 further lines are wrong\.$"
    ):
        read_judgements(path)
    table = read_judgements(path, on_bad="drop")
    assert (len(table), table.n_dropped) == (0, 4)
    path.write_text("annotator,colour\na,red\n")
    with pytest.raises(
        FormatError, match=r"x\.csv: this is no file of judgements that is known here\. Name one of: app"
    ):
        read_judgements(path)
    with pytest.raises(FormatError, match=r"x\.csv:1: the columns annotator, colour are of no kind of judgement"):
        read_judgements(path, format="judgement-table")
    empty = Judgements.of(DIRECT_ASSESSMENT, [{"annotator": "", "item": "1", "segment": 1, "system": "s"}])
    with pytest.raises(DataError, match="A field holds empty text, which a judgement table cannot tell"):
        FORMATS.make("judgement-table").write(empty, tmp_path / "y.judgements.tsv")
    tab = Judgements.of(DIRECT_ASSESSMENT, [{"annotator": "a\tb", "item": "1", "segment": 1, "system": "s"}])
    with pytest.raises(
        DataError, match=r"Row 1 has a tab or line break inside, which .*y\.judgements\.tsv cannot hold"
    ):
        FORMATS.make("judgement-table").write(tab, tmp_path / "y.judgements.tsv")


def test_formats_and_kinds_can_be_asked_for(tmp_path: Path) -> None:
    assert read_judgements(RANKING, format="wmt-ranking") == read_judgements(RANKING)
    assert len(read_judgements(RANKING, kind="relative-ranking")) == 180
    with pytest.raises(FormatError, match=r"these are relative-ranking judgements \(wmt-ranking\), not error-spans"):
        read_judgements(RANKING, kind="error-spans")
    with pytest.raises(FormatError, match="these are direct-assessment judgements, not error-spans"):
        read_judgements(SCORES, kind="error-spans")
    with pytest.raises(DataError, match=r"The format csv holds no judgements\. Known: appraise-da"):
        read_judgements(RANKING, format="csv")
    with pytest.raises(UnknownName, match="No format is called 'wmt'"):
        read_judgements(RANKING, format="wmt")
    with pytest.raises(DataError, match="The 'on_bad' option of WmtRanking must be one of 'error', 'drop'"):
        read_judgements(RANKING, on_bad="ignore")
    with pytest.raises(DataError, match=r"There is no file .*nothing"):
        read_judgements(tmp_path / "nothing.csv")
    assert is_judgement_file(RANKING)
    assert not is_judgement_file(tmp_path / "nothing.rnk.csv")
    assert not is_judgement_file(tmp_path)
    (tmp_path / "x.csv.gz").write_bytes(b"\x1f\x8bnot really gzip")
    with pytest.raises(FormatError, match="the compressed data is damaged"):
        read_judgements(tmp_path / "x.csv.gz")


def test_logs_are_read_without_being_touched(tmp_path: Path) -> None:
    schema = ranking_schema(2)
    log = JudgementLog(tmp_path / "x.log", schema)
    row = {"annotator": "a", "source_lang": "de", "target_lang": "en", "segment": 1, "system1": "s", "rank1": 1}
    log.append([row | {"item": str(n)} for n in range(1200)])
    table = read_judgements(log.path)
    assert table == log.judgements()
    whole = log.path.read_bytes()
    log.path.write_bytes(whole + b'{"seq": 1201, "torn')
    assert len(read_log(log.path)) == 1200
    assert log.path.read_bytes() == whole + b'{"seq": 1201, "torn'
    lines = whole.decode().splitlines(keepends=True)
    for place, new, message in (
        (1000, "{\n", r"x\.log:1001: this is no event of a log"),
        (1000, "[]\n", r"x\.log:1001: this is no event of a log \('row'\)"),
        (1000, lines[1000].replace('"rank1": 1', '"rank1": 9'), r"x\.log:1001: A relative-ranking .* rank1 is 9"),
        (1000, lines[1000].replace('"system1"', '"sistem1"'), r"x\.log:1001: .*there is no field 'sistem1'"),
    ):
        log.path.write_text("".join([*lines[:place], new, *lines[place + 1 :]]))
        with pytest.raises(FormatError, match=message):
            read_log(log.path)
        assert read_log(log.path, on_bad="drop").n_dropped == 1
    for head, message in (
        ("", "the file is empty; the head of a log was expected"),
        ("{}\n", "this is no log of judgements"),
        ('{"log": "judgements", "format": 1}\n', "the head of the log declares no schema"),
        ('{"log": "judgements", "format": 7}\n', "the log has format 7; this version reads format 1"),
    ):
        log.path.write_text(head)
        with pytest.raises(FormatError, match=message):
            read_log(log.path)


def test_rules_hold_in_a_log_too(tmp_path: Path) -> None:
    log = JudgementLog(tmp_path / "x.log", ranking_schema(2))
    row = {"annotator": "a", "item": "1", "source_lang": "de", "target_lang": "en", "segment": 1}
    with pytest.raises(DataError, match="the system 's' is ranked twice on one screen"):
        log.append([row | {"system1": "s", "rank1": 1, "system2": "s", "rank2": 2}])
    assert log.events() == ()


def test_summaries() -> None:
    summary = summarise_judgements(read_judgements(RANKING))
    assert summary.rows == (("de-en", 180, 4, 5, 80, 3),)
    assert summary.to_dict()["rows"][0] == {
        "kind": "relative-ranking",
        "pair": "de-en",
        "judgements": 180,
        "annotators": 4,
        "systems": 5,
        "segments": 80,
        "blanks": 3,
    }
    assert summary.meta()["files"][0]["format"] == "wmt-ranking"
    assert summarise_judgements(read_judgements(SCORES)).rows == ((None, 400, 4, 6, 78, 0),)
    own = Schema("mine", DIRECT_ASSESSMENT.fields)
    assert summarise_judgements(Judgements.of(own)).judgement_kind == "mine"


def test_oddities(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    lines = SCORES.read_text().splitlines()
    path.write_text("\n".join([*lines, lines[-1], "solo,1,TGT,d,1,atlas,50,3", "solo,2,TGT,d,1,atlas,500,3", ""]))
    table, found = find_oddities([path])
    assert len(table) == 402
    texts = {check: (severity, text) for check, severity, text in found}
    assert texts["wrong-rows"][0] == "error"
    assert "1 rows are wrong; the first: " in texts["wrong-rows"][1]
    assert "x.csv:404: score is '500'" in texts["wrong-rows"][1]
    assert texts["repeated-keys"] == ("warning", "1 rows are replaced by later ones of the same annotator and item.")
    assert texts["single-judgement"][1] == "1 annotators have one judgement only: solo"
    assert texts["content"][1].startswith(
        "direct-assessment: 402 judgements by 5 annotators of 6 systems on 78 segments"
    )
    path.write_text("a,b\n")
    with pytest.raises(FormatError, match="this is no file of judgements"):
        find_oddities([path])
