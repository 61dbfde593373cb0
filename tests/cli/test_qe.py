"""`dragoman qe`, beside the functions that it calls."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.qe import QEModel, evaluate, extract_features, read_features
from dragoman.qe.recipes import DecisionRecipe

SOURCES = [f"{'ein ' * (n % 7)}Haus , das {n} Zimmer hat" for n in range(40)]
OUTPUTS = [f"{'a ' * (n % 7)}house that has {n} rooms" + " ." * (n % 3) for n in range(40)]
POST_EDITS = [f"{'a ' * (n % 7 // 2)}house that has {n} rooms ." for n in range(40)]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in (("a.src", SOURCES), ("a.mt", OUTPUTS), ("a.pe", POST_EDITS)):
        Path(name).write_text("".join(f"{line}\n" for line in lines))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(group, ["qe", *arguments], catch_exceptions=False)


def answer(*arguments: str) -> dict[str, object]:
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, object] = json.loads(done.output)
    return found


def test_from_post_edits_to_an_evaluated_model() -> None:
    found = answer("gold", "a.src", "a.mt", "a.pe", "--to", "gold")
    assert found["kind"] == "hter"
    assert len(Path("gold.hter").read_text().splitlines()) == 40
    run("features", "a.src", "a.mt", "--form", "tsv", "-o", "a.tsv")
    table = read_features("a.tsv")
    assert (table.values == extract_features(SOURCES, OUTPUTS).values).all()
    trained = answer("train", "a.tsv", "gold.hter", "-m", "model", "--learner", "ridge:alpha=0.01")
    assert trained["kind"] == "qe training"
    predicted = answer("predict", "a.tsv", "-m", "model", "--scores", "predicted")
    scores = QEModel.load("model").predict(table).scores
    assert [row["score"] for row in predicted["rows"]] == list(scores)  # type: ignore[attr-defined]
    said = [float(line) for line in Path("predicted").read_text().splitlines()]
    assert said == pytest.approx(scores, abs=1e-6)
    measured = answer("evaluate", "gold.hter", "predicted", "--train", "gold.hter", "--trials", "20", "--seed", "3")
    gold = [float(line) for line in Path("gold.hter").read_text().splitlines()]
    direct = evaluate(gold, {"predicted": said}, task="hter", train_mean=sum(gold) / len(gold), trials=20, seed=3)
    assert measured["rows"] == direct.to_dict()["rows"]


def test_resources_of_a_bitext_serve_the_baseline() -> None:
    built = answer("resources", "a.src", "a.pe", "-m", "resources")
    assert {row["resource"] for row in built["rows"]} >= {"source-lm", "target-lm", "ngrams", "ibm1"}  # type: ignore[attr-defined]
    found = answer("features", "a.src", "a.mt", "-f", "baseline17", "--resources", "resources")
    assert found["meta"]["n_features"] == 17  # type: ignore[index]
    Path("lex").write_text("Haus house 0.9\n")
    own = answer("features", "a.src", "a.mt", "-f", "translations", "--resources", "resources", "--lexicon", "lex")
    assert own["rows"][0]["translations"] == pytest.approx(1 / 6)  # type: ignore[index]
    assert own["rows"] == answer("features", "a.src", "a.mt", "-f", "translations", "--lexicon", "lex")["rows"]


def test_post_edits_alone_make_resources() -> None:
    built = answer("resources", "-m", "resources", "--post-edited", "a", "--languages", "de-en")
    assert built["meta"]["n_held_out"] == 40  # type: ignore[index]
    command = (
        "features",
        "a.src",
        "a.mt",
        "-f",
        "sjtu12",
        "-f",
        "unit-ibm1",
        "-f",
        "unit-lm",
        "--resources",
        "resources",
    )
    found = answer(*command, "--cache", "kept")
    assert found["rows"] == answer(*command, "--cache", "kept", "--threads", "2")["rows"]
    assert len(list(Path("kept").iterdir())) == found["meta"]["n_features"] == 21  # type: ignore[index]
    with pytest.raises(DataError, match="resources are of de-en, the text is en-de"):
        run(*command, "--languages", "en-de")
    with pytest.raises(
        DataError, match="unit=morph and 3 more need morph_ibm1, source_parser, tag_ibm1, target_morph_lm"
    ):
        run("features", "a.src", "a.mt", "-f", "dfki-p12", "-f", "tag-count", "--resources", "resources")
    with pytest.raises(DataError, match="A bitext has two files, source and target; got one"):
        run("resources", "a.src", "-m", "other")
    listed = answer("features", "--list")
    assert listed["kind"] == "qe feature catalogue"
    with pytest.raises(DataError, match="Features need two files, sources and translations"):
        run("features", "a.src")


def test_words_and_rankings_are_evaluated() -> None:
    run("gold", "a.src", "a.mt", "a.pe", "--to", "gold")
    words = answer("evaluate", "gold.tags", "gold.tags", "--task", "words", "--labels", "words", "--trials", "5")
    assert words["meta"]["n_words"] == sum(len(line.split()) for line in OUTPUTS)  # type: ignore[index]
    tags = [line.split() for line in Path("gold.tags").read_text().splitlines()]
    # Labels of words alone, as `words predict --tags` writes them, or of gaps alone.
    for unit, cut in (("words", slice(1, None, 2)), ("gaps", slice(0, None, 2))):
        Path("alone").write_text("".join(" ".join(line[cut]) + "\n" for line in tags))
        alone = answer("evaluate", "gold.tags", "alone", "--task", "words", "--labels", unit, "--trials", "5")
        assert alone["rows"][0]["value"] == 1  # type: ignore[index]
    with pytest.raises(FormatError, match=r"alone:\d+: .* gaps and words in turn are an odd number"):
        run("evaluate", "gold.tags", "alone", "--task", "words", "--labels", "words")
    gaps = answer("evaluate", "gold.tags", "gold.tags", "--task", "words", "--labels", "gaps", "--trials", "5")
    assert gaps["meta"]["n_words"] == sum(len(line.split()) + 1 for line in OUTPUTS)  # type: ignore[index]
    Path("g").write_text("OK BAD\nOK\n")
    assert answer("evaluate", "g", "g", "--task", "words", "--train", "g", "--trials", "5")["meta"]["notes"] == []  # type: ignore[index]
    Path("ranks").write_text("1\n2\n1\n2\n")
    Path("sources").write_text("a\na\nb\nb\n")
    ranked = answer("evaluate", "ranks", "ranks", "--task", "ranking", "--groups", "sources", "--trials", "5")
    assert ranked["meta"]["n_pairs"] == 2  # type: ignore[index]


def test_words_of_a_table_are_labelled_as_they_were_learnt() -> None:
    rows = [
        f"{n}.1\t{place}\t{word}\tOK\tOK\t{'BAD' if word == 'y' else 'OK'}\n"
        for n in range(12)
        for place, word in enumerate(["x", "y", "z"])
    ]
    Path("table").write_text("".join(rows))
    Path("sources").write_text("".join(f"{n}.1\ta b c{n}\n" for n in range(12)))
    run("words", "train", "--table", "table", "--sources", "sources", "-m", "words")
    found = answer("words", "predict", "--table", "table", "--sources", "sources", "-m", "words", "--tags", "tags")
    Path("t.src").write_text("".join(f"a b c{n}\n" for n in range(12)))
    Path("t.mt").write_text("x y z\n" * 12)
    assert found["rows"] == answer("words", "predict", "t.src", "t.mt", "-m", "words")["rows"]
    assert len(Path("tags").read_text().splitlines()) == 12
    done = CliRunner().invoke(group, ["qe", "words", "predict", "t.src", "--table", "table", "-m", "words"])
    assert done.exit_code == 2
    assert "give SOURCE and MT, or --table with --sources." in done.stderr


def test_tables_of_labels_are_matched_by_segment() -> None:
    first, second = "1.1\t0\tx\tOK\tOK\tOK\n", "1.2\t0\ty\tOmission\tAccuracy\tBAD\n"
    Path("gold").write_text(first + second)
    Path("said").write_text(second + first)
    found = answer(
        "evaluate", "gold", "said", "--task", "words", "--labels", "table", "--train", "gold", "--trials", "5"
    )
    assert found["rows"][0]["value"] == 1  # type: ignore[index]
    Path("said").write_text(first)
    with pytest.raises(DataError, match=r"said: segment 1.2 is missing"):
        run("evaluate", "gold", "said", "--task", "words", "--labels", "table")


def test_what_is_wrong_is_named() -> None:
    Path("numbers.tsv").write_text("1\t2\n3\t4\n")
    Path("scores").write_text("0.5\n")
    Path("empty").write_text("")
    with pytest.raises(UnknownName, match=r"No set of features is called 'x'. Known: baseline17, surface"):
        run("train", "numbers.tsv", "scores", "-m", "model", "--columns", "x")
    with pytest.raises(FormatError, match="first line with the names of the features, found numbers"):
        run("train", "numbers.tsv", "scores", "-m", "model")
    with pytest.raises(FormatError, match=r"numbers.tsv:1: expected 17 features, found 2"):
        run("train", "numbers.tsv", "scores", "-m", "model", "--columns", "baseline17")
    with pytest.raises(DataError, match="Two predictions have one name"):
        run("evaluate", "scores", "scores", "scores")
    with pytest.raises(DataError, match="empty has no scores"):
        run("evaluate", "scores", "scores", "--train", "empty")
    with pytest.raises(DataError, match=r"a.src has 40 lines, scores has 1"):
        run("resources", "a.src", "scores", "-m", "resources")
    assert "No learner is called 'wood'" in run("train", "a", "b", "-m", "m", "--learner", "wood").output


def test_text_goes_through_train_predict_decide_explain_and_report() -> None:
    Path("b.src").write_text("".join(f"{line} x\n" for line in SOURCES))
    Path("b.pe").write_text("".join(f"{line}\n" for line in POST_EDITS))
    ridge = ["--learner", "ridge:alpha=0.01"]
    done = run(
        "train", "--data", "a", "--bitext", "b.src", "b.pe", "-m", "m", *ridge, "--nested", "3", "-f", "baseline17"
    )
    assert "Nested cross-validation" in done.output
    trained = answer("train", "--data", "a", "-m", "small", *ridge, "--select", "correlation", "--select", "forward")
    assert trained["meta"]["left_out"]  # type: ignore[index]
    model = QEModel.load("m")
    assert len(model.names) == 17
    assert not list(Path("m").rglob("without-*"))  # what held training sentences out has done its work
    run("train", "--data", "a", "-m", "whole")
    assert len(QEModel.load("whole").names) > 100
    predicted = answer("predict", "--data", "a", "-m", "m", "--interval", "0.8")
    found = model.predict(SOURCES, OUTPUTS, level=0.8)
    assert [row["low"] for row in predicted["rows"]] == list(found.low or ())  # type: ignore[attr-defined]
    decided = answer("decide", "--data", "a", "-m", "m", "--good", "0.3", "--bad", "0.5", "--risk", "0.4")
    wanted = model.decide(SOURCES, OUTPUTS, recipe=DecisionRecipe(good=0.3, bad=0.5, risk=0.4))
    assert [row["decision"] for row in decided["rows"]] == list(wanted.decisions)  # type: ignore[attr-defined]
    explained = answer("explain", "--data", "a", "-m", "m", "--segment", "3", "--top", "2")
    assert [row["segment"] for row in explained["rows"]] == [3, 3]  # type: ignore[attr-defined]
    with pytest.raises(DataError, match="m: The model has read post-edits of the sources of 1, 2, "):
        run("report", "a", "-m", "m", "-m", "small")
    with pytest.raises(DataError, match="No sentence is left to measure"):
        run("report", "a", "-m", "m", "--leave-out-read")
    for suffix, lines in (("src", [f"{line} noch" for line in SOURCES]), ("mt", OUTPUTS), ("pe", POST_EDITS)):
        Path(f"new.{suffix}").write_text("".join(f"{line}\n" for line in lines))
    shown = answer("report", "new", "-m", "m", "-m", "small", "--html", "report.html", "--trials", "5")
    assert {row["prediction"] for row in shown["rows"]} >= {"m", "small", "length"}  # type: ignore[attr-defined]
    assert "Worst cases" in Path("report.html").read_text()
    run("gold", "a.src", "a.mt", "a.pe", "--to", "gold")
    run("predict", "--data", "a", "-m", "m", "--scores", "said")
    beside = answer(
        "evaluate", "gold.hter", "said", "--train", "gold.hter", "--length", "a.mt", "a.mt", "--trials", "5"
    )
    assert "length" in beside["meta"]["trivial"]  # type: ignore[index]


def test_calls_that_do_not_fit_are_named() -> None:
    Path("scores").write_text("0.5\n")
    for arguments, message in [
        (("train", "-m", "m"), "Give a table of features and its scores, or text with --data"),
        (("train", "a.tsv", "-m", "m"), "Give a table of features and its scores, or text with --data"),
        (("train", "a.tsv", "a.hter", "-m", "m", "-f", "surface"), "--feature goes with text (--data); a table has"),
        (("train", "--data", "a", "--bitext", "a", "b", "--resources", ".", "-m", "m"), "or resources, and not both"),
        (("evaluate", "scores", "scores", "--length", "a", "b"), "--length needs the training scores"),
    ]:
        assert message in run(*arguments).output
    run("train", "--data", "a", "-m", "m", "--learner", "ridge:alpha=0.1")
    assert "Give a table of features, or text with --data" in run("predict", "-m", "m").output
    with pytest.raises(DataError, match="There is no segment 41; there are 40"):
        run("explain", "--data", "a", "-m", "m", "--segment", "41")
    with pytest.raises(DataError, match="Two models have one name: m, m"):
        run("report", "a", "-m", "m", "-m", "m")
    Path("c.src").write_text("a\n")
    with pytest.raises(DataError, match=r"c\.src and c\.mt are needed"):
        run("predict", "--data", "c", "-m", "m")


def test_uncut_text_is_refused_before_resources_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragoman.qe.train.build_resources", lambda *_, **__: pytest.fail("built"))
    lines = "".join(f"誰が一番に着くか私には分かりません{n}。\n" for n in range(40))
    for name in ("a.mt", "a.pe"):
        Path(name).write_text(lines)
    with pytest.raises(DataError, match=r"40 of 40 lines of the target side are a single word, .*--target-tokeniser"):
        run("train", "--data", "a", "-m", "model")
