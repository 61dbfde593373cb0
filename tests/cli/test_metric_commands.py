"""`dragoman metric matrix|edits|tune`, `errors` and `slope`, beside the functions that they call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.data import assemble
from dragoman.errors import DataError, FormatError
from dragoman.metrics import (
    SlopeRecipe,
    TunedAmber,
    as_test_set,
    best_reference,
    cut_blocks,
    error_profile,
    hter,
    label_words,
    learning_curves,
    matrix,
    score,
    ter_trace,
)
from dragoman.samples import copy_samples

A, B = "testset/reference-A.en", "testset/reference-B.en"
ATLAS, EMBER = "testset/systems/atlas.en", "testset/systems/ember.en"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("commands")
    copy_samples(folder)
    return folder


@pytest.fixture(autouse=True)
def _here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


@pytest.fixture(scope="module")
def test_set(folder: Path):
    paths = [str(path) for path in sorted((folder / "testset" / "systems").glob("*.en"))]
    return assemble(refs=[str(folder / A), str(folder / B)], systems=paths)


def run(*words: str) -> Result:
    return CliRunner().invoke(group, words)


def answer(*words: str) -> dict[str, object]:
    done = run(*words, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_matrix_of_all_pairs(test_set) -> None:
    Path("few.en").write_text("".join(f"{line}\n" for line in test_set.systems["atlas"][:4]), encoding="utf-8")
    found = answer("metric", "matrix", "few.en", A, "-m", "ter")
    expected = matrix(test_set.systems["atlas"][:4], test_set.refs["reference-A"], "ter")
    assert [row["score"] for row in found["rows"]] == expected.values.ravel().tolist()
    assert found["meta"]["best"] == expected.best() + 1
    alone = answer("metric", "matrix", "few.en", "--expected")
    assert (len(alone["rows"]), [row["hyp"] for row in alone["rows"] if row["best"]]) == (4, [alone["meta"]["best"]])
    assert "has no score for a single pair" in str(run("metric", "matrix", "few.en", A, "-m", "nist").exception)


def test_error_classes(test_set) -> None:
    found = answer("errors", ATLAS, EMBER, "-r", A, "-r", B, "--layer", "stem=snowball:en", "--lowercase")
    refs = {name: test_set.refs[name] for name in ("reference-A", "reference-B")}
    systems = {name: test_set.systems[name] for name in ("atlas", "ember")}
    expected = error_profile(as_test_set(systems, refs, layers={"stem": "snowball"}), lowercase=True)
    assert found["rows"] == expected.to_dict()["rows"]


def test_labelled_words_and_their_page(test_set) -> None:
    found = answer("errors", EMBER, "-r", A, "--words", "--html", "errors.html")
    expected = label_words(test_set.systems["ember"], [test_set.refs["reference-A"]], system="ember")
    assert found["rows"] == expected.to_dict()["rows"]
    assert Path("errors.html").read_text(encoding="utf-8") == expected.html()
    assert "<ruby" in expected.html()  # of the legend
    profile = answer("errors", EMBER, "-r", A, "--html", "errors.html")
    assert profile["kind"] == "error profile"
    two = run("errors", ATLAS, EMBER, "-r", A, "--html", "two.html")
    assert "--words, --pos and --html label the words of one system; name one." in two.output


def test_edits_are_those_of_ter(test_set) -> None:
    found = answer("metric", "edits", EMBER, "-r", A, "-r", B)
    refs = [test_set.refs["reference-A"], test_set.refs["reference-B"]]
    traces = ter_trace(test_set.systems["ember"], refs)
    assert [row["edits"] for row in found["rows"]] == [trace.edits for trace in traces]
    assert found["rows"][0]["trace"].startswith("our train to vienna +leaves tomorrow at 7.15→7:15 from +the +main")
    sheet = score({"ember": test_set.systems["ember"]}, refs, metrics=["ter"])
    assert found["meta"]["signature"] == sheet.signatures[0]
    steps = answer("metric", "edits", EMBER, "-r", A, "-r", B, "--steps")
    wrong = [row for row in steps["rows"] if row["operation"] != "match"]
    shifts = sum(row["shifts"] for row in found["rows"])
    assert len(wrong) + shifts == found["meta"]["edits"] == sum(trace.edits for trace in traces)
    still = answer("metric", "edits", EMBER, "-r", A, "--no-shifts", "--case-sensitive", "--normalised")
    assert not any(row["shifts"] for row in still["rows"])
    assert "|shifts:no|case:mixed|" in still["meta"]["signature"]


def test_shifted_words_are_shown_in_brackets() -> None:
    (trace,) = ter_trace(["b c d a x"], [["a b c d y z"]])
    assert str(trace) == "⟨a⟩ b c d +y x→z"


def test_hter_and_its_tags(test_set) -> None:
    found = answer("metric", "edits", EMBER, "-r", A, "--hter", "--tags", "ember.tags")
    expected = hter(test_set.systems["ember"], test_set.refs["reference-A"])
    assert found["rows"] == expected.to_dict()["rows"]
    tags = Path("ember.tags").read_text(encoding="utf-8").splitlines()
    assert tags == [" ".join(each.interleaved()) for each in expected.tags]
    assert "--tags goes with --hter." in run("metric", "edits", EMBER, "-r", A, "--tags", "x").output
    assert "--hter takes one post-edit" in run("metric", "edits", EMBER, "-r", A, "-r", B, "--hter").output


def test_the_slope_of_learning_curves(test_set) -> None:
    found = answer("slope", ATLAS, EMBER, "-r", A, "--words", "80", "--trials", "50", "-m", "ter")
    systems = {name: test_set.systems[name] for name in ("atlas", "ember")}
    blocks = [number + 1 for number in cut_blocks(test_set.refs["reference-A"], words=80)]
    expected = learning_curves(
        as_test_set(systems, [test_set.refs["reference-A"]]), blocks, SlopeRecipe(metric="ter", trials=50, seed=1)
    )
    assert found["rows"] == expected.to_dict()["rows"]
    Path("blocks.txt").write_text("".join(f"day{number // 10}\n" for number in range(80)), encoding="utf-8")
    named = answer("slope", EMBER, "-r", A, "--blocks", "blocks.txt", "--incremental")
    assert (named["rows"][0]["blocks"], named["meta"]["mode"]) == (8, "incremental")
    assert "needs at least 5 blocks, got 1" in str(run("slope", EMBER, "-r", A, "--words", "100000").exception)


def test_tuning_a_metric(test_set, tmp_path: Path) -> None:
    human = tmp_path / "human.txt"
    lengths = [None if i == 3 else len(line) for i, line in enumerate(test_set.systems["ember"])]
    human.write_text("".join(f"{value}\n" for value in lengths))
    words = ["--restarts", "0", "--evaluations", "20", "--human", str(human), "--to", str(tmp_path / "tuned")]
    found = answer("metric", "tune", EMBER, "-r", A, *words)
    meta = found["meta"]
    assert meta["after"] >= meta["before"]
    assert (meta["n_items"], meta["n_unjudged"]) == (79, 1)
    saved = TunedAmber.load(tmp_path / "tuned")
    assert saved.metric.spec() == meta["metric"]
    assert {row["parameter"]: row["tuned"] for row in found["rows"]}["alpha"] == str(saved.metric.alpha)
    scored = run("score", EMBER, "-r", A, "-m", meta["metric"])
    assert scored.exit_code == 0


def test_tuning_to_judgements_of_systems(tmp_path: Path) -> None:
    systems = [f"testset/systems/{name}.en" for name in ("atlas", "cobalt", "ember")]
    human = tmp_path / "systems.tsv"
    human.write_text("atlas\t3\ncobalt\t1\nember\t2\n")
    words = ["metric", "tune", *systems, "-r", A, "--restarts", "0", "--evaluations", "5", "--human", str(human)]
    assert answer(*words)["meta"]["n_items"] == 3
    for text, message in (
        ("atlas 3\n", f"{human}:1: expected system<TAB>number, got 'atlas 3'."),
        ("atlas\t3\natlas\t2\n", f"{human}:2: the system 'atlas' was judged before."),
        ("atlas\thigh\n", f"{human}:1: the judgement is 'high'; expected a number, or None."),
        ("atlas\tnan\n", f"{human}:1: the judgement is 'nan'; expected a number, or None."),
    ):
        human.write_text(text)
        done = run(*words)
        assert isinstance(done.exception, FormatError)
        assert str(done.exception) == message
    human.write_text("atlas\t3\n")
    assert isinstance(run(*words).exception, DataError)


def test_scores_by_reference(test_set) -> None:
    found = answer("score", ATLAS, EMBER, "-r", A, "-r", B, "--by-reference", "-m", "chrf")
    systems = {name: test_set.systems[name] for name in ("atlas", "ember")}
    refs = {name: test_set.refs[name] for name in ("reference-A", "reference-B")}
    assert found["rows"] == best_reference(as_test_set(systems, refs), "chrf").to_dict()["rows"]
    two = run("score", ATLAS, "-r", A, "--by-reference", "-m", "bleu", "-m", "chrf")
    assert "--by-reference takes one metric at a time." in two.output
    both = run("score", ATLAS, "-r", A, "--by-reference", "--segments")
    assert "--segments and --by-reference do not go together." in both.output


@pytest.mark.parametrize(
    "words",
    [
        ["metric", "matrix", "few.en", A],
        ["slope", ATLAS, "-r", A, "--words", "80", "--trials", "20"],
        ["meta", "significance", ATLAS, EMBER, "-r", A, "--human", "testset/judgements/ranking.csv", "--trials", "20"],
    ],
    ids=lambda words: words[0],
)
def test_layers_are_made_for_whoever_asks(words: list[str], test_set) -> None:
    Path("few.en").write_text("".join(f"{line}\n" for line in test_set.systems["atlas"][:4]), encoding="utf-8")
    asking = [*words, "-m", "worderrcats:base=stem"]
    assert "worderrcats asks for the layer stem, which nobody makes" in str(run(*asking).exception)
    found = answer(*asking, "--layer", "stem=snowball:lang=en")
    assert "base=snowball+lang=en" in json.dumps(found) or "base:snowball+lang=en" in json.dumps(found)
