"""Score files in all their shapes, tasks of mt-metrics-eval, and what is wrong with them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from dragoman.data.formats.mtme_scores import Scores, write_scores
from dragoman.data.judgements import Field, Judgements, Schema
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.metrics.meta import (
    HumanRankings,
    MetaEvaluation,
    MetaEvaluations,
    MetaRecipe,
    meta_evaluate_files,
    read_rankings,
    read_score_file,
    read_task,
)
from dragoman.metrics.meta.reading import assessments_of, read_judged
from dragoman.metrics.meta.score_files import _add_judgements, read_people

HUMAN = "system\tscore\na\t1\nb\t2\nc\t3\nd\t4.5\n"


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


@pytest.mark.parametrize(
    "text",
    [
        "system\tmetric\tscore\nx\tBLEU\t1.5\ny\tBLEU\t2\nx\tchrF\t3\ny\tchrF\t\n",
        "metric,lp,system,score\nBLEU,,x,1.5\nBLEU,,y,2\nchrF,,x,3\nchrF,,y,n/a\n",
        "system BLEU chrF\nx 1.5 3\ny 2 None\n",
        "METRIC\tSYSTEM\tSCORE\tsignature\tlow\thigh\nBLEU\tx\t1.5\tv\t\t\nBLEU\ty\t2\tv\t\t\nchrF\tx\t3\t\t\t\nchrF\ty\tNaN\t\t\t\n",
    ],
    ids=["long", "csv", "wide", "score"],
)
def test_shapes_of_system_scores(tmp_path: Path, text: str) -> None:
    found = read_score_file(written(tmp_path, "scores.txt", text))
    assert found.level == "sys"
    assert found.scores == {"": {"BLEU": {"x": 1.5, "y": 2.0}, "chrF": {"x": 3.0, "y": None}}}
    assert found.n_scores == 3


def test_wmts_files_have_no_header(tmp_path: Path) -> None:
    found = read_score_file(written(tmp_path, "w.scr", "M\tde-en\tnt12\tx\t.5\nM\ten-de\tnt12\tx\t.7\n"))
    assert found.scores == {"de-en": {"M": {"x": 0.5}}, "en-de": {"M": {"x": 0.7}}}
    assert found.test_sets == ("nt12",)
    segments = read_score_file(written(tmp_path, "w.seg", "M\tde-en\tnt12\tx\t3\t.5\nM\tde-en\tnt12\tx\t1\t.7\n"))
    assert segments.level == "seg"
    values = segments.scores["de-en"]["M"]["x"]
    assert isinstance(values, list)
    assert (values[0], values[2]) == (0.7, 0.5)
    assert math.isnan(values[1])


def test_mt_metrics_evals_files_have_neither(tmp_path: Path) -> None:
    systems = read_score_file(written(tmp_path, "m.sys.score", "x\t.5\ny\tNone\n"))
    assert (systems.level, systems.scores) == ("sys", {"": {"m": {"x": 0.5, "y": None}}})
    segments = read_score_file(written(tmp_path, "m.seg.score", "x .5\nx 1\ny None\ny 2\n"))
    assert segments.level == "seg"
    assert str(segments.scores[""]["m"]) == "{'x': [0.5, 1.0], 'y': [nan, 2.0]}"
    with pytest.raises(FormatError, match=r"'y' has 1 scores, others have 2; every segment needs a line"):
        read_score_file(written(tmp_path, "m.seg.score", "x .5\nx 1\ny 2\n"))


def test_segments_count_from_one_and_sids_from_zero(tmp_path: Path) -> None:
    by_segment = read_score_file(written(tmp_path, "a.tsv", "system\tsegment\tscore\nx\t2\t.5\n"))
    by_sid = read_score_file(written(tmp_path, "b.csv", "LP SYSTEM SID HUMAN\nfr-en x 1 .5\n"))
    assert str(by_segment.scores[""]["a"]["x"]) == str(by_sid.scores["fr-en"]["b"]["x"]) == "[nan, 0.5]"


def test_the_name_of_a_metric(tmp_path: Path) -> None:
    path = written(tmp_path, "mine.v2.tsv", HUMAN)
    assert list(read_score_file(path).scores[""]) == ["mine.v2"]
    assert list(read_score_file(f"best={path}").scores[""]) == ["best"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("hello world\n", r":1: expected a header line with the column 'system'.*got 'hello world'"),
        ("system\tscore\nx\t1\t2\n", ":2: the line has 3 cells for 2 columns"),
        ("system\tscore\nx\t1\n\tx\n", ":3: the system has no name"),
        ("system\tscore\nx\tfive\n", ":2: the score is 'five'; expected a number, or nothing"),
        ("system\tscore\nx\tinf\n", ":2: the score is 'inf'"),
        ("system\tscore\nx\t1\nx\t2\n", r":3: \w+ has a second score of 'x'\."),
        ("system\tsegment\tscore\nx\t1\t1\nx\t1\t2\n", ":3: .* has a second score of 'x' for segment 1"),
        ("system\tsegment\tscore\nx\t" + "9" * 5000 + "\t1\n", ":2: the segment is '" + "9" * 40),
        ("system\tsegment\tscore\nx\t0\t1\n", ":2: the segment is '0'; expected a whole number from 1 on"),
        ("system\tSID\tscore\nx\t-1\t1\n", ":2: the segment is '-1'; expected a whole number from 0 on"),
        ("system\tscore\nx\tNone\n", "there is no score in the file"),
        ("system\tmetric\n", ":1: there is no column of scores"),
        ("system\tmetric\tBLEU\n", ":1: there is a column 'metric' but none 'score'"),
        ("system\tscore\thuman\n", ":1: two columns say the score"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_score_file(written(tmp_path, "scores.tsv", text))


def test_files_against_files(tmp_path: Path) -> None:
    human = written(tmp_path, "human.tsv", HUMAN)
    scores = written(tmp_path, "scores.tsv", "system\tBLEU\tTER\na\t10\t.9\nb\t20\t.8\nc\t30\t.6\nd\t40\t.7\n")
    mine = written(tmp_path, "mine.tsv", HUMAN)
    found = meta_evaluate_files([scores], [human], MetaRecipe(lower_is_better=["TER"]), own=[f"mine={mine}"])
    assert isinstance(found, MetaEvaluation)
    assert found.agreements[0].metric == "mine"
    assert found.agreements[0].own
    assert found.provenance["human"] == human
    assert found.provenance["metrics"] == sorted([scores, mine])
    with pytest.raises(DataError, match=r"Two metrics are called 'BLEU': in .*scores.tsv and in .*scores.tsv"):
        meta_evaluate_files([scores, scores], [human])
    turned = meta_evaluate_files([scores], [human], MetaRecipe(higher_is_better=["TER"]))
    assert isinstance(turned, MetaEvaluation)
    assert (turned.agreement("TER").values["pearson"] or 0) < 0
    with pytest.raises(UnknownName, match="lower_is_better names WER, but the metrics are BLEU, TER"):
        meta_evaluate_files([scores], [human], MetaRecipe(lower_is_better=["WER"]))
    with pytest.raises(DataError, match="TER cannot be better both ways"):
        meta_evaluate_files([scores], [human], MetaRecipe(higher_is_better=["TER"], lower_is_better=["TER"]))
    with pytest.raises(DataError, match="There are no scores of metrics"):
        meta_evaluate_files([], [human])
    with pytest.raises(DataError, match=r"has scores by BLEU, TER; people are one column"):
        meta_evaluate_files([scores], [scores])
    with pytest.raises(DataError, match="judgements of the systems in another file already"):
        meta_evaluate_files([scores], [human, human])
    with pytest.raises(DataError, match="No metric has scores by segment"):
        meta_evaluate_files([scores], [human], MetaRecipe(level="seg"))
    with pytest.raises(
        DataError, match=r"Metrics and people have no language pair in common. Metrics: none.*; people: "
    ):
        meta_evaluate_files(
            [written(tmp_path, "p.tsv", "lp\tsystem\tX\nde-en\ta\t1\n")],
            [written(tmp_path, "q.tsv", "lp\tsystem\tscore\nde-fr\ta\t1\n")],
            pair="de-fr",
        )


def test_several_language_pairs(tmp_path: Path) -> None:
    rows = [
        f"{pair}\t{system}\t{n * sign}"
        for pair, sign in (("de-en", 1), ("en-de", -1))
        for n, system in enumerate("abcd")
    ]
    human = written(tmp_path, "human.tsv", "\n".join(["LP\tsystem\tscore", *rows]) + "\n")
    scores = written(tmp_path, "M.tsv", "\n".join(["LP\tsystem\tM", *rows]) + "\n")
    found = meta_evaluate_files([scores], [human])
    assert isinstance(found, MetaEvaluations)
    assert list(found.evaluations) == ["de-en", "en-de"]
    assert found.rows[0].mean == pytest.approx(1)
    one = meta_evaluate_files([scores], [human], pair="en-de")
    assert isinstance(one, MetaEvaluation)
    assert one.provenance["pair"] == "en-de"
    with pytest.raises(DataError, match=r"No scores are of the language pair 'fr-en'. Known: de-en, en-de"):
        meta_evaluate_files([scores], [human], pair="fr-en")
    bare = written(tmp_path, "bare.tsv", HUMAN)
    with pytest.raises(DataError, match="A file names no language pair, others have de-en, en-de"):
        meta_evaluate_files([bare], [human])
    joined = meta_evaluate_files([bare], [human], pair="de-en")  # a file without a pair goes with the one named
    assert isinstance(joined, MetaEvaluation)
    assert {each.metric for each in joined.agreements} == {"bare"} | (
        {"M"} & {each.metric for each in joined.agreements}
    )


RANKING = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    + ",".join(f"system{n}Number,system{n}Id" for n in (1, 2, 3))
    + ","
    + ",".join(f"system{n}rank" for n in (1, 2, 3))
    + "\n"
    + "German,English,1,-1,1,x,-1,a,-1,b,-1,_ref,2,3,1\n"
    + "German,English,2,-1,2,x,-1,a,-1,b,-1,c,1,2,3\n"
    + "French,English,7,-1,7,x,-1,a,-1,b,-1,c,2,1,-1\n"
)


def test_rankings(tmp_path: Path) -> None:
    path = written(tmp_path, "rnk.csv", RANKING)
    found = read_rankings(path)
    assert found is not None
    assert list(found) == ["de-en", "fr-en"]
    german = found["de-en"]
    assert german.systems == ("a", "b", "c")
    assert german.provenance["left_out"] == ["_ref"]
    assert german.segments.tolist() == [1, 2, 2, 2]
    assert german.provenance["comparisons"] == 4
    assert read_rankings(written(tmp_path, "h.tsv", HUMAN)) is None
    with pytest.raises(DataError, match=r"has no judgement of 'cs-en'. Judged: de-en, fr-en"):
        read_rankings(path, pair="cs-en")
    ordered = "".join(f"{system}\t{segment}\t{3 - n}\n" for n, system in enumerate("abc") for segment in (1, 2))
    segments = written(tmp_path, "M.tsv", f"system\tsegment\tM\n{ordered}")
    evaluated = meta_evaluate_files([segments], [path], MetaRecipe(variant="wmt12", trials=20), pair="de-en")
    assert isinstance(evaluated, MetaEvaluation)
    assert evaluated.agreement("M").values["tau"] == 1
    assert evaluated.agreement("M").n == 4
    people = read_people(path, pair="fr-en")
    assert isinstance(people, HumanRankings)
    with pytest.raises(DataError, match="has judgements of de-en, fr-en; name one language pair"):
        read_people(path)


DA = """annotator,item,type,doc,segment,system,score,seconds
x,1,TGT,d,1,a,80,3
y,1,TGT,d,1,a,60,3
x,2,REF,d,1,reference,99,3
x,3,BAD,d,1,a,5,3
x,4,TGT,d,3,b,40,3
x,5,TGT,d,2,b,,3
"""


def test_direct_assessments(tmp_path: Path) -> None:
    path = written(tmp_path, "da.csv", DA)
    judgements = read_judged(path)
    assert judgements is not None
    found, told = assessments_of(judgements, path)[""]
    assert str(found) == "{'a': [70.0, nan, nan], 'b': [nan, nan, 40.0]}"
    assert told == {"assessments": 3, "annotators": 2, "standardised": False}
    assert read_judged(written(tmp_path, "h.tsv", HUMAN)) is None
    for name, row, message in (
        ("none.csv", "x,1,REF,d,1,r,5,3", "no output of a system has a score"),
        ("zero.csv", "x,1,TGT,d,0,r,5,3", "the segments go from 0 to 0; they are counted from 1"),
    ):
        with pytest.raises(FormatError, match=message):
            read_people(written(tmp_path, name, DA.splitlines()[0] + f"\n{row}\n"))
    scores = written(tmp_path, "M.tsv", "system\tM\na\t2\nb\t1\n")
    evaluated = meta_evaluate_files([scores], [path])
    assert isinstance(evaluated, MetaEvaluation)
    assert evaluated.provenance["human_score"] == "mean of segments"
    assert evaluated.agreement("M").values["pearson"] == pytest.approx(1)
    with pytest.raises(DataError, match="judgements of the segments in another file already"):
        meta_evaluate_files([scores], [path, path])


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A folder of mt-metrics-eval: four systems and a reference that was judged as one, two metrics, MQM and DA."""
    folder = tmp_path / "wmt99"
    for place, text in (("sources/en-de.txt", "s\nt\n"), ("references/en-de.refA.txt", "r\nq\n")):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text)
    systems = ["a", "b", "c", "d", "refA"]
    by_system = {name: [float(n)] for n, name in enumerate(systems)}
    segments = {name: [float(n), float(n + 1)] for n, name in enumerate(systems)}
    missing: dict[str, list[float | None]] = {**segments, "b": [None, 2.0]}
    write_scores(Scores("mqm", "sys", by_system), folder, "en-de")
    write_scores(Scores("mqm", "seg", missing), folder, "en-de")
    write_scores(Scores("wmt-z", "sys", by_system), folder, "en-de")
    write_scores(Scores("BLEU", "sys", by_system, refs="refA"), folder, "en-de")
    write_scores(Scores("BLEU", "seg", segments, refs="refA"), folder, "en-de")
    write_scores(Scores("COMET", "sys", {k: [v[0] ** 2] for k, v in by_system.items()}, refs="refA"), folder, "en-de")
    write_scores(Scores("COMET", "sys", by_system, refs="src"), folder, "en-de")
    return folder


def test_my_row_in_the_official_table(task: Path, tmp_path: Path) -> None:
    mine = written(tmp_path, "mine.tsv", "system\tscore\na\t4\nb\t3\nc\t2\nd\t1\n")
    found = meta_evaluate_files(task=f"{task}/en-de/sys", own=[f"mine={mine}"])
    assert isinstance(found, MetaEvaluation)
    assert found.systems == ("a", "b", "c", "d")
    assert found.provenance["left_out"] == ["refA"]
    assert {each.metric for each in found.agreements} == {"BLEU", "COMET-refA", "COMET-src", "mine"}
    assert found.agreements[-1].own
    assert found.agreements[-1].values["pearson"] == pytest.approx(-1)
    assert found.agreement("BLEU").values["soft_accuracy"] is not None
    assert found.provenance["human"].endswith("human-scores/en-de.mqm.sys.score")
    segments = meta_evaluate_files(recipe=MetaRecipe(trials=20), task=f"{task}/en-de/seg")
    assert isinstance(segments, MetaEvaluation)
    assert (segments.agreement("BLEU").n, segments.agreement("BLEU").n_of) == (7, 7)
    named = meta_evaluate_files(task=f"{task}/en-de/sys", human=["wmt-z"])
    assert isinstance(named, MetaEvaluation)
    assert ".wmt-z." in named.provenance["human"]
    assert "refA" in read_task(f"{task}/en-de/sys", with_references=True).human["sys"]


def test_a_task_that_is_not_there(task: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match=r"A task is FOLDER/PAIR/LEVEL, such as wmt22/en-de/sys; got 'en-de'"):
        read_task("en-de")
    with pytest.raises(DataError, match="The level of a task is sys or seg, got 'doc'"):
        read_task(f"{task}/en-de/doc")
    with pytest.raises(DataError, match=r"There is no folder nowhere, nor .*mt-metrics-eval-v2/nowhere"):
        read_task("nowhere/en-de/sys")
    with pytest.raises(DataError, match=r"has no language pair 'de-en'. Known: en-de"):
        read_task(f"{task}/de-en/sys")
    with pytest.raises(UnknownName, match=r"no human scores called 'esa'. Known: mqm, wmt-z"):
        read_task(f"{task}/en-de/sys", human="esa")
    (task / "human-scores" / "en-de.mqm.sys.score").rename(task / "human-scores" / "en-de.esa.sys.score")
    with pytest.raises(DataError, match=r"name the human scores to use. Known: esa, wmt-z"):
        read_task(f"{task}/en-de/sys")
    with pytest.raises(DataError, match="one set of human scores; name one"):
        meta_evaluate_files(task=f"{task}/en-de/sys", human=["esa", "wmt-z"])
    with pytest.raises(DataError, match="says pair and level already"):
        meta_evaluate_files(task=f"{task}/en-de/sys", human=["esa"], pair="de-en")
    monkeypatch.setattr("dragoman.metrics.meta.task.HOME", task.parent)
    assert read_task("wmt99/en-de/sys", human="esa").pair == "en-de"


def test_other_kinds_of_judgement_are_refused() -> None:
    spans = Judgements.of(Schema("error-spans", (Field("annotator"), Field("system")), ("annotator",)))
    with pytest.raises(DataError, match=r"x\.tsv has error-spans judgements; metrics are held"):
        _add_judgements({}, spans, "x.tsv", None, ())
