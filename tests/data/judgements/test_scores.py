"""Direct assessments and scales: Appraise, Mechanical Turk, MLQE-PE, effort of WMT 2012, votes of a crowd."""

from __future__ import annotations

import tarfile
from collections import Counter
from pathlib import Path

import pytest

from dragoman.data import FORMATS, Judgements, read_judgements
from dragoman.data.judgements import DIRECT_ASSESSMENT
from dragoman.data.judgements.appraise import AppraiseScores
from dragoman.data.judgements.crowd_scores import MlqeScores
from dragoman.errors import DataError, FormatError


def write(tmp_path: Path, text: str, name: str = "x.csv") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


PLAIN = "jo,sysA,12,TGT,eng,deu,77,1000.5,1012.0\n"
DOCUMENT = "jo,sysA+sysB,12,BAD,eng,deu,7,news-1,False,1000.5,1012.0\n"


def test_the_rows_of_appraise(tmp_path: Path) -> None:
    (row,) = read_judgements(write(tmp_path, PLAIN)).rows()
    assert {name: value for name, value in row.items() if value is not None} == {
        "annotator": "jo",
        "item": "1",
        "type": "TGT",
        "segment": 12,
        "system": "sysA",
        "score": 77.0,
        "seconds": 11.5,
        "source_lang": "en",
        "target_lang": "de",
        "start": 1000.5,
        "end": 1012.0,
    }
    table = read_judgements(write(tmp_path, DOCUMENT + DOCUMENT.replace("+sysB", "").replace("False", "True")))
    assert table["system"] == ("sysA", "sysB", "sysA")
    assert table["item"] == ("1.1", "1.2", "2")
    assert table["doc"] == ("news-1",) * 3
    assert table["is_document"] == (False, False, True)
    assert table["score"] == (7.0,) * 3
    whole = AppraiseScores(split_merged=False).read(tmp_path / "x.csv")
    assert whole["system"] == ("sysA+sysB", "sysA")
    batch = PLAIN.replace("\n", ",3,815\n")
    assert len(read_judgements(write(tmp_path, batch))) == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("jo,sysA,12,TGT,eng,deu,101,1,2\n", "score is '101'; expected a number from 0 to 100"),
        ("jo,sysA,12,ODD,eng,deu,1,1,2\n", "type is 'ODD'; expected TGT, REF, BAD, CHK"),
        ("jo,sysA,x,TGT,eng,deu,1,1,2\n", "segment is 'x'; expected a whole number"),
        ("jo,sysA,12,TGT,eng,deu,1,1\n", "the line has 8 cells for 9 columns"),
    ],
)
def test_wrong_rows_of_appraise(tmp_path: Path, row: str, message: str) -> None:
    path = write(tmp_path, PLAIN + row + PLAIN)
    with pytest.raises(FormatError, match=rf"x\.csv:2: {message}"):
        read_judgements(path)
    assert read_judgements(path, on_bad="drop").files[0].dropped == 1
    joint = write(tmp_path, PLAIN.replace("sysA", "a+b") + row)
    with pytest.raises(FormatError, match=rf"x\.csv:2: {message}"):
        read_judgements(joint)


def test_what_appraise_cannot_hold(tmp_path: Path) -> None:
    row = {"annotator": "a", "item": "1", "segment": 1, "system": "s", "task": "t", "type": "TGT", "seconds": 3.0}
    table = Judgements.of(DIRECT_ASSESSMENT, [row])
    assert AppraiseScores().loses(table) == ["task", "seconds"]
    with pytest.raises(DataError, match="Row 1 has the type None; Appraise has TGT, REF, BAD, CHK"):
        AppraiseScores().write(Judgements.of(DIRECT_ASSESSMENT, [row | {"type": None}]), tmp_path / "x.csv")
    with pytest.raises(DataError, match=r"Row 1: the system 'a\+b' has a \+"):
        AppraiseScores().write(Judgements.of(DIRECT_ASSESSMENT, [row | {"system": "a+b"}]), tmp_path / "x.csv")
    with pytest.raises(FormatError, match=r"x\.csv:1: this is no export of Appraise's: expected annotator, system"):
        AppraiseScores().read(write(tmp_path, "a,b\n"))


HIT = '"HITId","WorkerId","AssignmentStatus","AcceptTime","SubmitTime","Input.src","Input.trg","Input.item",'
HIT += ",".join(f'"Input.{what}_{n}"' for n in range(3) for what in ("sys_id", "sid", "tst", "rid"))
HIT += ',"Answer.Q1","Answer.comments","Approve","Reject"\n'
ANSWERED = (
    "H1,W1,Approved,Fri May 29 09:55:29 PDT 2015,Fri May 29 10:18:25 PDT 2015,cs,en,ad,"
    "a,10,system,r0,a,10,cal,r1,b,11,repeat,r2,0_r0_80|1_r1_7,fine\n"
)


def test_the_items_of_a_hit(tmp_path: Path) -> None:
    table = read_judgements(write(tmp_path, HIT + ANSWERED))
    assert table["item"] == ("H1/0", "H1/1", "H1/2")
    assert table["type"] == ("TGT", "BAD", "CHK")
    assert table["score"] == (80.0, 7.0, None)  # no answer is no score
    assert set(table["attribute"]) == {"adequacy"}
    assert set(table["task"]) == {"H1"}
    assert table["segment"] == (10, 10, 11)
    start, end = table["start"][0], table["end"][0]
    assert start == 1432918529.0  # 16:55:29 UTC
    assert float(end or 0) - float(start or 0) == 1376


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1_r1_7", "1_r9_7", "the answer to item 1 is for 'r9', which was not shown there"),
        ("1_r1_7", "0_r0_7", "item 0 has two answers"),
        ("1_r1_7", "junk", "the answer has 'junk'; expected place_id_score"),
        ("_80|", "_180|", "score is '180'; expected a number from 0 to 100"),
        ("cal", "odd", "item 1 is of type 'odd'; expected system, repeat, ref, cal"),
        ("PDT", "XYZ", "is no time; expected the form"),
        ("May 29", "Mai 29", "is no time; expected the form"),
        (",fine", "", "the line has 21 cells for 24 columns"),
    ],
)
def test_wrong_hits_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = write(tmp_path, HIT + ANSWERED.replace(old, new) + ANSWERED.replace("H1", "H2"))
    with pytest.raises(FormatError, match=rf"x\.csv:2: .*{message}"):
        read_judgements(path)
    table = read_judgements(path, on_bad="drop")
    assert (len(table), table.n_dropped) == (3, 1)


def test_a_batch_of_something_else_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, HIT.replace('"WorkerId",', ""))
    with pytest.raises(FormatError, match=r"this is no batch of direct assessments: it lacks WorkerId"):
        FORMATS.make("mturk-da").read(path)
    for lost in ("Input.tst_1", "Input.sid_0", "Input.sys_id_2", "Input.rid_0"):
        with pytest.raises(FormatError, match=rf"x\.csv:1: .* it lacks {lost}"):
            FORMATS.make("mturk-da").read(write(tmp_path, HIT.replace(f'"{lost}"', '"other"') + ANSWERED))
    with pytest.raises(FormatError, match=r"it lacks one column Answer"):
        FORMATS.make("mturk-da").read(write(tmp_path, HIT.replace("Answer.Q1", "Q1")))
    with pytest.raises(DataError, match="The format mturk-da can be read but not written"):
        FORMATS.make("mturk-da").write(read_judgements(write(tmp_path, HIT + ANSWERED)), tmp_path / "y.csv")


def test_lists_of_scores(tmp_path: Path) -> None:
    head = "index\toriginal\ttranslation\tscores\tmean\n"
    path = write(tmp_path, f"{head}0\tHi\tHallo\t[70, 85.5]\t77\n", "x.tsv")
    table = read_judgements(path)
    assert (table["annotator"], table["score"], table["segment"]) == (("1", "2"), (70.0, 85.5), (0, 0))
    assert MlqeScores(system="nmt").read(path)["system"] == ("nmt", "nmt")
    for wrong, message in (
        ("0\tHi\tHallo\t70\t70\n", r"scores is '70'; expected a list of numbers"),
        ("0\tHi\tHallo\t[x]\t70\n", r"scores is '\[x\]'; expected a list of numbers"),
        ("0\tHi\t[1]\t70\n", "the line has 4 cells for 5 columns"),
        ("0\tHi\tHallo\t[170]\t70\n", "score is 170.0; expected a number from 0 to 100"),
    ):
        with pytest.raises(FormatError, match=rf"x\.tsv:2: .*{message}"):
            read_judgements(write(tmp_path, head + wrong, "x.tsv"))
    with pytest.raises(FormatError, match="this is no table of MLQE-PE's: it lacks index, scores"):
        MlqeScores().read(write(tmp_path, "a\n", "x.tsv"))


def test_effort_with_weights(tmp_path: Path) -> None:
    path = write(tmp_path, "5\t4\n\t2\n", "x.effort3scores")
    table = read_judgements(path)
    assert table["effort"] == (5, 4, None, 2)
    assert table["annotator"] == ("judge1", "judge2") * 2
    write(tmp_path, "0.25\t0.75\n0.5\t0.5\n", "x.effort3weights")
    weighted = read_judgements(path)
    assert weighted["weight"] == (0.25, 0.75, 0.5, 0.5)
    with pytest.raises(DataError, match=r"x\.effort3weights has weights of other scores; remove it first"):
        FORMATS.make("effort-scores").write(table, path)
    write(tmp_path, "0.25\t0.75\n", "x.effort3weights")
    with pytest.raises(FormatError, match="2 lines of scores, but 1 of weights in"):
        read_judgements(path)
    (tmp_path / "x.effort3weights").unlink()
    with pytest.raises(FormatError, match=r"x\.effort3scores:2: effort is '6'; expected a whole number from 1 to 5"):
        FORMATS.make("effort-scores").read(write(tmp_path, "5\t4\n6\t2\n", "x.effort3scores"))
    with pytest.raises(FormatError, match=r"x\.effort3scores:2: the line has 1 scores and 1 weights; expected 2"):
        FORMATS.make("effort-scores").read(write(tmp_path, "5\t4\n5\n", "x.effort3scores"))
    some = table.where(annotator="judge2")
    with pytest.raises(DataError, match="The format effort-scores has judges judge1, judge2 … and one system, 'mt'"):
        FORMATS.make("effort-scores").write(some, tmp_path / "y.effort3scores")
    gap = Judgements.of(table.schema, list(table.rows())[:3])
    with pytest.raises(DataError, match="needs segments from 1 on without gaps, each by all judges"):
        FORMATS.make("effort-scores").write(gap, tmp_path / "y.effort3scores")


def test_votes(tmp_path: Path) -> None:
    table = read_judgements(write(tmp_path, "17_3\t5\tfirst\t4\tsecond\t1\n", "votes.xx"))
    assert table["votes"] == (4, 1)
    assert set(table["doc"]) == {"17"}
    assert table["item"] == ("17_3/1", "17_3/2")
    for wrong, message in (
        ("17_3\t5\tfirst\t6\n", "votes is 6, but only 5 were asked"),
        ("17_3\t5\tfirst\tx\n", "votes is 'x'; expected a whole number from 0 on"),
        ("17_3\t5\tfirst\n", "the line has 3 cells; expected segment, votes, then text and votes in turn"),
        ("1_1\t5\tfirst\t4\n", "the segment '1_1' is there a second time, first on line 1"),
    ):
        with pytest.raises(FormatError, match=rf"votes\.xx:2: .*{message}"):
            read_judgements(write(tmp_path, f"1_1\t5\tfirst\t4\n{wrong}", "votes.xx"))
    rows = list(table.rows())
    for change, message in (({"votes": None}, "are not all known"), ({"candidate": 7}, "are not numbered from 1 on")):
        with pytest.raises(DataError, match=message):
            FORMATS.make("crowd-votes").write(Judgements.of(table.schema, [rows[0] | change]), tmp_path / "y.votes")


@pytest.mark.realdata
def test_released_hits(data_folder: Path) -> None:
    table = read_judgements(data_folder / "mturk-da" / "Batch_1959533_batch_results.csv.gz")
    assert len(table) == 200
    worker = table.where(annotator="A2E3SM3T01ENIR")
    assert Counter(worker["type"]) == {"TGT": 70, "CHK": 10, "REF": 10, "BAD": 10}
    # DA-TIME's worked example: means of the four types, and of all 100.
    means = {kind: worker.where(type=kind).numbers("score").mean() for kind in ("TGT", "CHK", "BAD", "REF")}
    assert means == pytest.approx({"TGT": 48.47, "CHK": 45.7, "BAD": 21.2, "REF": 99.8}, abs=0.005)
    assert worker.numbers("score").mean() == pytest.approx(50.6)
    old = read_judgements(data_folder / "mturk-da" / "Batch_1234_batch_results.csv.gz")
    assert len(old) == 2900
    assert len(set(old["annotator"])) == 29


@pytest.mark.realdata
def test_released_effort(data_folder: Path, tmp_path: Path) -> None:
    for name, n in (("test_set", 422), ("training_set", 1832)):
        with tarfile.open(data_folder / "wmt12-qe" / f"{name}_annotations.tar.gz") as archive:
            archive.extractall(tmp_path, filter="data")
        folder = tmp_path / f"{name}_annotations"
        table = read_judgements(folder / "target_system.effort3scores")
        assert len(table) == 3 * n
        # The released mean is the weighted one.
        efforts, weights = table.numbers("effort").reshape(n, 3), table.numbers("weight").reshape(n, 3)
        means = [float(line) for line in (folder / "target_system.effort").read_text().split()]
        assert (efforts * weights).sum(axis=1) / weights.sum(axis=1) == pytest.approx(
            means, abs=0.05
        )  # one decimal is printed


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("lang", "segments"), [("bn", 6646), ("hi", 10068), ("ta", 10315), ("te", 11256), ("ur", 8250)]
)
def test_released_votes(data_folder: Path, lang: str, segments: int) -> None:
    table = read_judgements(data_folder / "indian" / f"{lang}-en" / f"votes.{lang}.gz")
    assert table.kind == "crowd-votes"
    assert len(set(table["segment"])) == segments
