"""Scores of others in comparisons: read from what other tools write, held to the segments, treated like ours."""

from __future__ import annotations

import gzip
import json
import math
import warnings
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, DoubtfulInput, DragomanError, FormatError, UnknownName
from dragoman.files import read_lines
from dragoman.metrics import GivenScores, collect, read_given_scores, score
from dragoman.metrics.beside_people import beside_people
from dragoman.metrics.given_files import joined_scores
from dragoman.metrics.references import as_test_set
from dragoman.samples import sample_path
from dragoman.site import write_site
from tests.metrics.comparisons import compare

NAMES = ("cobalt", "atlas")
SYSTEMS = {name: read_lines(sample_path(f"testset/systems/{name}.en")) for name in NAMES}
REFS = {"A": read_lines(sample_path("testset/reference-A.en"))}


@pytest.fixture(scope="module")
def by_segment() -> dict[str, list[float]]:
    """Scores by a metric of ours, as if somebody else had made them."""
    sheet = score(SYSTEMS, REFS, metrics=["wer"], level="segment")
    return {name: [float(value) for value in sheet.scores[s][0]] for s, name in enumerate(NAMES)}


def test_given_scores_are_tested_bucketed_and_shown_like_ours(by_segment: dict[str, list[float]]) -> None:
    given = GivenScores("theirs", by_segment, higher_is_better=False)
    made = compare(SYSTEMS, REFS, metrics=["bleu"], scores=[given], trials=100)
    assert made.metrics == ("bleu", "theirs")
    assert made.signatures[1].startswith("theirs|scores:given|")
    pair = made.pair("atlas", "cobalt", "theirs")
    assert pair.delta == pytest.approx(np.mean(by_segment["atlas"]) - np.mean(by_segment["cobalt"]))
    assert pair.better == "atlas"  # fewer errors
    assert [each.measure for each in made.breakdowns if each.by == "length"] == ["BLEU", "theirs"]
    np.testing.assert_allclose(made.segments.scores[1], [by_segment[name] for name in NAMES])
    assert "\u2068atlas\u2069 − \u2068cobalt\u2069 = −" in made.html()


def test_scores_alone_are_enough(by_segment: dict[str, list[float]]) -> None:
    made = compare(SYSTEMS, {**REFS, "B": REFS["A"]}, metrics=[], scores=[GivenScores("x", by_segment)], trials=50)
    assert made.metrics == ("x",)
    assert made.references == ()  # the scores do not say how it would be with each reference alone


@pytest.mark.parametrize(
    ("scores", "error", "message"),
    [
        ({"cobalt": [1.0] * 80}, UnknownName, "x has no scores of atlas. It has: cobalt."),
        ({"cobalt": [1.0] * 80, "atlas": [1.0] * 79}, DataError, "x has 79 scores of atlas for 80 segments."),
        ({"cobalt": [1.0] * 80, "atlas": [1.0] * 79 + [math.nan]}, DataError, "score of segment 80 of atlas is nan"),
        ({"cobalt": [1.0, None] + [1.0] * 78, "atlas": [1.0] * 80}, DataError, "segment 2 of cobalt is None"),
        ({"cobalt": ["1"] * 80, "atlas": [1.0] * 80}, DataError, "segment 1 of cobalt is '1'"),
    ],
)
def test_what_does_not_fit_is_named(scores: dict[str, list[float]], error: type[DragomanError], message: str) -> None:
    with pytest.raises(error, match=message.replace(".", r"\.")):
        compare(SYSTEMS, REFS, metrics=["bleu"], scores=[GivenScores("x", scores)], trials=20)


def test_names_are_taken_once(by_segment: dict[str, list[float]]) -> None:
    with pytest.raises(DataError, match="Two metrics are called bleu"):
        compare(SYSTEMS, REFS, metrics=["bleu"], scores=[GivenScores("bleu", by_segment)], trials=20)


def test_other_texts_cannot_be_scored_with_them(by_segment: dict[str, list[float]]) -> None:
    metric = GivenScores("x", by_segment).statistics(NAMES, 80).metric
    with pytest.raises(DataError, match="x was given as scores of segments"):
        collect(as_test_set(SYSTEMS, REFS), [metric])


def test_a_column_of_a_frame() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"system": ["b", "b", "a", "a"], "line": [2, 1, 1, 2], "comet": [4.0, 3.0, 1.0, 2.0]})
    given = GivenScores.of_frame(frame, "comet", segment="line")
    assert given.scores == {"b": [3.0, 4.0], "a": [1.0, 2.0]}
    assert GivenScores.of_frame(frame, "comet").scores["b"] == [4.0, 3.0]
    with pytest.raises(UnknownName, match="The frame has no column bleurt"):
        GivenScores.of_frame(frame, "bleurt")


def test_files_of_other_tools(tmp_path: Path) -> None:
    def read(name: str, text: str, argument: str = "{}") -> list[GivenScores]:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return read_given_scores(argument.format(tmp_path / name), lower_is_better=["MetricX"])

    comet = {"out/a.en": [{"src": "s", "mt": "m", "COMET": 0.5}, {"src": "t", "mt": "n", "COMET": 0.75}]}
    (given,) = read("comet.json", json.dumps(comet))
    assert (given.name, given.scores, given.higher_is_better) == ("comet", {"a": [0.5, 0.75]}, True)
    (given,) = read("x.json", '{"a": [1, null]}', "MetricX={}")
    assert (given.name, given.scores, given.higher_is_better) == ("MetricX", {"a": [1, None]}, False)
    (given,) = read("mme.seg.score", "a\t0.5\na\t0.25\nb\t1\nb\tNone\n", "BLEURT={}")
    assert given.name == "BLEURT"
    assert given.scores["a"] == [0.5, 0.25]
    wide = read("wide.tsv", "system\tsegment\tcomet\tMetricX\na\t1\t0.5\t3\na\t2\t0.25\t4\n")
    assert [(each.name, each.higher_is_better) for each in wide] == [("comet", True), ("MetricX", False)]
    for name, text, message in (
        ("sys.tsv", "system\tscore\na\t1\n", "there are scores of whole systems only"),
        ("two.tsv", "system\tsegment\tlp\tscore\na\t1\tde-en\t1\na\t1\ten-de\t1\n", "give one language pair"),
        ("bad.json", "{", "this is no JSON"),
        ("list.json", "[1]", "expected an object with a list of scores for each system"),
        ("text.json", '{"a": ["good"]}', "a score is 'good'"),
        ("many.json", '{"a": [{"p": 1, "q": 2}]}', r"an entry has 2 numbers \(p, q\); name one"),
    ):
        with pytest.raises(FormatError, match=message):
            read(name, text)


def test_a_file_of_scores_gives_the_metric_its_whole_name(tmp_path: Path) -> None:
    """Two models of one year stood in files that were both called `wmt22`."""
    names = ("wmt22.comet-da.json", "wmt22.xcomet.json", "wmt22.bleurt.seg.score", "wmt22.human.tsv.gz")
    for name in names[:2]:
        (tmp_path / name).write_text('{"a": [1.5, 2]}', encoding="utf-8")
    (tmp_path / names[2]).write_text("a\t1.5\na\t2\n", encoding="utf-8")
    (tmp_path / names[3]).write_bytes(gzip.compress(b"system\tsegment\tscore\na\t1\t1.5\na\t2\t2\n"))
    given = [each for name in names for each in read_given_scores(tmp_path / name)]
    assert [each.name for each in given] == ["wmt22.comet-da", "wmt22.xcomet", "wmt22.bleurt", "wmt22.human"]


@pytest.mark.parametrize(
    ("name", "scores", "lower", "warns"),
    [
        ("MetricX-24.json", [3.5, 0.0], (), True),
        ("metricx.json", [3.5, 0.0], ("metricx",), False),
        ("metricx-negated.json", [-3.5, 0.0], (), False),
        ("ter.json", [40.0, 0.0], (), True),
        ("comet.json", [0.5, 0.25], (), False),
    ],
)
def test_a_metric_whose_name_says_that_less_is_better(
    name: str, scores: list[float], lower: tuple[str, ...], warns: bool, tmp_path: Path
) -> None:
    """Read as if more were better, MetricX turns the verdict round."""
    (tmp_path / name).write_text(json.dumps({"a": scores}), encoding="utf-8")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        read_given_scores(tmp_path / name, lower_is_better=lower)
    assert [each.category for each in told] == [DoubtfulInput] * warns
    assert all(f"--lower-is-better {Path(name).stem}" in str(each.message) for each in told)


@pytest.mark.parametrize(
    ("keys", "names"),
    [
        (("out/wmt24.online-A.en", "out/wmt24.online-B.en"), ("wmt24.online-A", "wmt24.online-B")),
        (("sys1.txt", "sys2.txt"), ("sys1", "sys2")),
        (("a.en", "a.de"), ("a.en", "a.de")),
        (("runs/one/out.en", "runs/two/out.en"), ("one", "two")),
        (("one/out.en", "two/out.en", "two/new.en"), ("one-out", "two-out", "two-new")),
        (("mt=0.5.en",), ("mt=0.5",)),
    ],
)
def test_no_two_systems_of_a_file_fall_together(keys: tuple[str, ...], names: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "comet.json"
    path.write_text(json.dumps({key: [{"COMET": float(n)}] for n, key in enumerate(keys)}), encoding="utf-8")
    (given,) = read_given_scores(path)
    assert given.scores == {name: [float(n)] for n, name in enumerate(names)}


def test_what_metricx_writes_is_a_system_a_file(by_segment: dict[str, list[float]], tmp_path: Path) -> None:
    """It was refused, and the help names it."""
    words = ["compare", *(str(sample_path(f"testset/systems/{name}.en")) for name in NAMES), "--trials", "50", "--json"]
    words += ["-r", str(sample_path("testset/reference-A.en")), "-m", "bleu", "--lower-is-better", "MetricX"]
    for name in NAMES:
        rows = zip(SYSTEMS[name], by_segment[name], strict=True)
        lines = [json.dumps({"hypothesis": text, "reference": "r", "prediction": score}) for text, score in rows]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        words += ["--scores", str(tmp_path / f"{name}.jsonl")]
    done = CliRunner().invoke(group, words)
    assert done.exit_code == 0, done.output
    row = json.loads(done.stdout)["rows"][1]
    assert (row["metric"], row["better"]) == ("MetricX", "atlas")
    assert json.loads(done.stdout)["meta"]["signatures"]["MetricX"].startswith(
        "MetricX|scores:cobalt.jsonl, atlas.jsonl|"
    )
    given = [*read_given_scores(f"x={tmp_path / 'atlas.jsonl'}"), *read_given_scores(f"x={tmp_path / 'atlas.jsonl'}")]
    assert len(joined_scores(given)) == 2  # which the comparison refuses
    (tmp_path / "cobalt.jsonl").write_bytes((tmp_path / "atlas.jsonl").read_bytes())
    assert "are of another text" in str(CliRunner().invoke(group, words).exception)
    (tmp_path / "atlas.jsonl").write_text('{"prediction": 1}\n{"prediction"', encoding="utf-8")
    with pytest.raises(FormatError, match=r"atlas\.jsonl:2: this line is no JSON"):
        read_given_scores(tmp_path / "atlas.jsonl", lower_is_better=["MetricX"])


def test_entries_may_name_their_systems(tmp_path: Path) -> None:
    """All lines of a file counted for one system, called as the file; what `score --json` writes was refused."""
    rows = [{"system_id": s, "segment_id": n, "hypothesis": f"{s}{n}", "prediction": n + k / 2}
            for k, s in enumerate(("a.v1", "a.v2")) for n in (0, 1)]  # fmt: skip
    path = tmp_path / "metricx.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (given,) = read_given_scores(path, lower_is_better=["MetricX"])
    assert (given.name, given.higher_is_better) == ("MetricX", False)
    assert given.scores == {"a.v1": [0, 1], "a.v2": [0.5, 1.5]}
    assert given.texts == {"a.v1": ["a.v10", "a.v11"], "a.v2": ["a.v20", "a.v21"]}
    path = tmp_path / "list.json"
    path.write_text(json.dumps([{"system": row["system_id"], "bleurt": row["prediction"]} for row in rows]), "utf-8")
    assert read_given_scores(f"BLEURT={path}")[0].scores == given.scores
    sheet = score(SYSTEMS, REFS, metrics=["chrf", "chrf++"], level="segment")
    (tmp_path / "own.json").write_text(sheet.render("json"), encoding="utf-8")
    for each, own in zip(read_given_scores(tmp_path / "own.json"), ("chrf", "chrf++"), strict=True):
        assert each.name == own
        assert each.scores["atlas"] == list(sheet.scores[NAMES.index("atlas")][sheet.metrics.index(own)])
    for broken, message in (
        ([rows[0], rows[0]], "entry 2 is not of the segment behind the last one of a.v1"),
        ([rows[0], {"prediction": 1}], "entry 2 names no system"),
        ([rows[0], {"system": 1}], "entry 2 names no system"),
    ):
        path.write_text(json.dumps(broken), encoding="utf-8")
        with pytest.raises(FormatError, match=message):
            read_given_scores(path)


def compared(*names: str) -> dict[str, object]:
    """What `comet-compare --to_json` writes."""
    own = [{"name": name, "mt": ["m", "n"], "scores": [n, 0.5]} for n, name in enumerate(names)]
    return {"model": "x", "statistical_results": [], "source": ["s", "t"], "translations": own, "reference": ["r", "u"]}


def test_what_comet_compare_writes(tmp_path: Path) -> None:
    path = tmp_path / "comet.json"
    path.write_text(json.dumps(compared("out/wmt24.online-A.en", "out/wmt24.online-B.en")), encoding="utf-8")
    (given,) = read_given_scores(path)
    assert given.name == "comet"
    assert given.scores == {"wmt24.online-A": [0, 0.5], "wmt24.online-B": [1, 0.5]}
    assert given.texts["wmt24.online-B"] == ["m", "n"]
    path.write_text(json.dumps(compared("one/out.en", "two/out.en")), encoding="utf-8")
    assert list(read_given_scores(path)[0].scores) == ["one", "two"]
    path.write_text('{"translations": [0.5, 0.25], "b": [1, 2]}', encoding="utf-8")  # systems, one of that name
    assert read_given_scores(path)[0].scores == {"translations": [0.5, 0.25], "b": [1, 2]}
    for broken, message in (
        (compared("a", "a"), "translations has two entries called 'a'"),
        ({"translations": [{"name": "a", "mt": ["m"], "scores": [1, 2]}]}, "a has 1 translations and 2 scores"),
        ({"translations": [{"name": 1, "mt": [], "scores": []}]}, "entry 1 of translations needs a name"),
    ):
        path.write_text(json.dumps(broken), encoding="utf-8")
        with pytest.raises(FormatError, match=message):
            read_given_scores(path)


def test_what_comet_score_prints(tmp_path: Path) -> None:
    path = tmp_path / "comet.txt"
    rows = [f"{name}\tSegment {n}\tscore: 0.{n}{k}" for n in range(3) for k, name in enumerate(("o/a.v1", "o/a.v2"))]
    path.write_text("\n".join([*rows, "o/a.v1\tscore: 0.1", "o/a.v2\tscore: 0.2"]) + "\n", encoding="utf-8")
    (given,) = read_given_scores(path)
    assert (given.name, given.scores) == ("COMET", {"a.v1": [0.0, 0.1, 0.2], "a.v2": [0.01, 0.11, 0.21]})
    path.write_text("a\tSegment 0\tscore: 0.5\tvariance: 0.1\nPredictions saved in: x.json.\n", encoding="utf-8")
    assert read_given_scores(f"other={path}")[0].name == "other"
    for text, message in (
        ("a\tscore: 0.5\n", "run comet-score without --quiet"),
        ("a\tSegment 1\tscore: 0.5\n", "segment 1 of a follows 0 others"),
        ("a\tSegment 0\tscore: x\n", "a score is 'x'"),
        ("a\tSegment 0\tscore: 1\nb\n", "this is no line of comet-score: 'b'"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(FormatError, match=message):
            read_given_scores(path)


def test_dropout_writes_a_variance_beside_comet(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"a.en": [{"mt": "m", "COMET": 0.5, "variance": 0.1}]}', encoding="utf-8")
    assert read_given_scores(tmp_path / "run.json")[0].scores == {"a": [0.5]}


def test_a_key_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"a.en": [1], "b.en": [2], "a.en": [3]}', encoding="utf-8")
    with pytest.raises(FormatError, match=r"the key 'a\.en' is there twice"):
        read_given_scores(tmp_path / "x.json")


def test_scores_of_another_systems_text_are_refused(tmp_path: Path) -> None:
    """COMET writes what it scored beside the scores: names that are swapped do not turn the verdict round."""
    whole = {f"run/{name}.en": [{"mt": f"{line} ", "COMET": 0.5} for line in lines] for name, lines in SYSTEMS.items()}
    (tmp_path / "right.json").write_text(json.dumps(whole), encoding="utf-8")
    made = compare(SYSTEMS, REFS, metrics=[], scores=read_given_scores(tmp_path / "right.json"), trials=20)
    assert made.pair("atlas", "cobalt", "right").delta == 0
    swapped = {"cobalt.en": whole["run/atlas.en"], "atlas.en": whole["run/cobalt.en"]}
    (tmp_path / "comet.json").write_text(json.dumps(swapped), encoding="utf-8")
    with pytest.raises(
        DataError, match=r"comet\.json.*of another text\. Segment \d+ there: .* They are of the output of "
    ):
        compare(SYSTEMS, REFS, metrics=[], scores=read_given_scores(tmp_path / "comet.json"))


@pytest.mark.realdata
def test_what_comet_writes_is_read(data_folder: Path) -> None:
    folder = data_folder / "peers-2026/metrics"
    (given,) = read_given_scores(folder / "comet-score.layout.json")
    assert {name: round(float(np.mean(scores)), 4) for name, scores in given.scores.items()} == {  # type: ignore[arg-type]
        "sys1": 0.9711,
        "sys2": 1.0,
    }
    (compared,) = read_given_scores(folder / "comet-compare.layout.json")
    assert compared.scores == given.scores
    assert compared.texts == given.texts
    (printed,) = read_given_scores(folder / "comet-score.layout.stdout.txt")
    assert printed.scores == {name: [round(each or 0, 4) for each in own] for name, own in given.scores.items()}
    (given,) = read_given_scores(folder / "comet-score.xcomet.layout.json")
    assert list(given.scores) == list(given.texts) == ["hyp"]


def test_the_commands_take_them(by_segment: dict[str, list[float]], tmp_path: Path) -> None:
    path = tmp_path / "theirs.json"
    folder = sample_path("testset/README.md").parent
    path.write_text(json.dumps({**by_segment, "borealis": [0.0] * 80}), encoding="utf-8")
    words = [
        "compare",
        *(f"{folder}/systems/{name}.en" for name in NAMES),
        "-r",
        f"{folder}/reference-A.en",
        "-m",
        "bleu",
    ]
    words += ["--trials", "50", "--json", "--scores", f"wer-of-ours={path}"]
    done = CliRunner().invoke(group, [*words, "--lower-is-better", "wer-of-ours"])
    assert done.exit_code == 0, done.output
    row = json.loads(done.stdout)["rows"][1]
    assert (row["metric"], row["better"]) == ("wer-of-ours", "atlas")
    done = CliRunner().invoke(group, [*words, "--lower-is-better", "ours"])
    assert done.exit_code != 0
    assert "--lower-is-better names ours, but the given scores are: wer-of-ours." in str(done.exception)


def test_a_site_shows_them(tmp_path: Path) -> None:
    folder = sample_path("testset/README.md").parent
    names = [path.stem for path in sorted((folder / "systems").glob("*.en"))]
    given = GivenScores("theirs", {name: [float(k)] * 79 + [k + 1.0] for k, name in enumerate(names)})
    write_site(tmp_path / "site", test_set=folder, metrics=["bleu"], scores=[given])
    assert "Who beats whom, theirs" in (tmp_path / "site/comparison.html").read_text(encoding="utf-8")


def test_a_ranking_by_people_shows_given_scores_beside_it(tmp_path: Path) -> None:
    judgements = str(sample_path("testset/judgements/ranking.csv"))
    means = {"atlas": 0.9, "borealis": 0.8, "cobalt": 0.7, "nobody": 0.1}
    (tmp_path / "comet.json").write_text(json.dumps({name: [score, score] for name, score in means.items()}))
    words = ["rank", judgements, "--json", "--scores", str(tmp_path / "comet.json")]
    done = CliRunner().invoke(group, [*words, "--html", str(tmp_path / "ranking.html")])
    assert done.exit_code == 0, done.output
    page = (tmp_path / "ranking.html").read_text(encoding="utf-8")
    assert "comet beside people" in page
    assert "3 of 5 ranked systems have scores. Pearson r = " in page
    done = CliRunner().invoke(group, words)
    assert "--scores are drawn on the page; name it with --html." in done.output
    with pytest.raises(UnknownName, match="x has no scores of the systems that people ranked"):
        beside_people([GivenScores("x", {"a": [1.0]})], {"b": 1.0})
