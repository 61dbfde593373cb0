"""From post-edits to a model that is asked of sentences, and its report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dragoman.data import Bitext
from dragoman.errors import DataError
from dragoman.qe import QEData, QEModel, evaluate, extract_features, length_scores, report_model, train_model
from dragoman.qe.recipes import DecisionRecipe, FeatureRecipe, QERecipe, ReportRecipe
from dragoman.qe.resources import build_resources, load_resources
from dragoman.qe.train import bitext_without, build_training_resources
from tests.cli.test_qe import OUTPUTS, POST_EDITS, SOURCES

DATA = QEData.of(tuple(SOURCES), tuple(OUTPUTS), tuple(POST_EDITS))
RIDGE = "ridge:alpha=0.01"


def test_a_model_of_text_carries_what_it_needs(tmp_path: Path) -> None:
    build_resources(Bitext.from_lines(SOURCES[:20], POST_EDITS[:20]), tmp_path / "resources")
    model = train_model(
        DATA, QERecipe(learner=RIDGE, select=("correlation:least=0.3",)), resources=tmp_path / "resources"
    )
    said = model.predict(SOURCES, OUTPUTS)
    model.save(tmp_path / "model")
    (tmp_path / "resources").rename(tmp_path / "gone")
    again = QEModel.load(tmp_path / "model")
    assert again.predict(SOURCES, OUTPUTS) == said
    assert 0 < len(again.needed) < 17
    assert again.reading is not None
    assert again.reading.length == model.reading.length  # type: ignore[union-attr]
    again.save(tmp_path / "copy")
    assert QEModel.load(tmp_path / "copy").predict(SOURCES, OUTPUTS) == said
    with pytest.raises(DataError, match="The resources of the model are no longer in"):
        model.save(tmp_path / "other")


def test_resources_to_learn_from_are_cut_and_leave_out_what_is_learnt(tmp_path: Path) -> None:
    bitext = Bitext.from_lines([*SOURCES[:3], "ein Dach ,"], [*POST_EDITS[:3], "a roof"])
    left_out = build_training_resources(DATA, tmp_path / "own", QERecipe(target_tokeniser="char"), bitext=bitext)
    assert left_out == 3
    cut = [" ".join(line.replace(" ", "")) for line in ("a roof", *OUTPUTS, *POST_EDITS)]
    edited = QEData.of(DATA.sources, cut[1:41], cut[41:])
    build_resources(Bitext.from_lines(["ein Dach ,"], cut[:1]), tmp_path / "by-hand", post_edited=edited)
    asked = (["ein Haus , das 99 Zimmer hat"], ["a h o u s e"])
    own, by_hand = (load_resources(tmp_path / name) for name in ("own", "by-hand"))
    values = extract_features(*asked, FeatureRecipe(features=("black-box",)), resources=own).values
    assert np.array_equal(
        values, extract_features(*asked, FeatureRecipe(features=("black-box",)), resources=by_hand).values
    )


def test_what_a_model_says_of_sentences_it_has_read_is_marked(tmp_path: Path) -> None:
    build_resources(None, tmp_path / "resources", post_edited=DATA)
    model = train_model(DATA, QERecipe(learner=RIDGE, features=("baseline17",)), resources=tmp_path / "resources")
    assert model.predict(SOURCES[:3], OUTPUTS[:3]).read_before == ()  # each is looked up where it was not read
    model.save(tmp_path / "model")
    QEModel.load(tmp_path / "model").save(tmp_path / "copy")
    for folder in ("model", "copy"):
        kept = QEModel.load(tmp_path / folder)
        asked = [SOURCES[0], "etwas ganz anderes", SOURCES[2]]
        said = kept.predict(asked, OUTPUTS[:3], level=0.8)
        assert said.read_before == (1, 3)
        assert said.meta()["read_before"] == [1, 3]
        note = said.tables()[0].note
        assert note.endswith(
            "The model has read post-edits of the sources of 1, 3: what it says of them means nothing."
        )
        decided = kept.decide(asked, OUTPUTS[:3], recipe=DecisionRecipe(good=0.99, bad=1.0, risk=0.9, confidence=0.1))
        assert (decided.decisions[0], decided.decisions[2]) == ("post-edit", "post-edit")
        assert decided.decisions[1] == "publish"
        assert "of 1, 3" in str(decided.tables()[1].note)
        explained = kept.explain(asked, OUTPUTS[:3], segments=(3, 2))
        assert explained.segments == (3, 2)
        assert explained.read_before == (3,)
        assert explained.meta()["read_before"] == [3]
        assert [row[0] for row in explained.tables()[1].rows] == [3, 2]
        assert [row["segment"] for row in explained.meta()["sums"]] == [3, 2]
        assert explained.scores == (said.scores[2], said.scores[1])
        assert "post-edits of the sources of 3: what" in str(explained.tables()[0].note)
        assert kept.explain(asked, OUTPUTS[:3]).read_before == (1, 3)
        with pytest.raises(DataError, match="There is no segment 4; there are 3"):
            kept.explain(asked, OUTPUTS[:3], segments=[4])


def test_sentences_that_a_model_has_read_are_not_measured(tmp_path: Path) -> None:
    build_resources(None, tmp_path / "resources", post_edited=DATA)
    train_model(DATA, QERecipe(learner=RIDGE, features=("baseline17",)), resources=tmp_path / "resources").save(
        tmp_path / "model"
    )
    models = {"lsp": QEModel.load(tmp_path / "model")}
    asked, outputs, gold = [SOURCES[0], "ganz anders", "neu", SOURCES[2]], OUTPUTS[:4], [0.1, 0.2, 0.3, 0.4]
    with pytest.raises(DataError, match=r"lsp: The model has read .* of 1, 4: .* \(--leave-out-read\)"):
        report_model(models, QEData.of(asked, outputs, scores=gold))
    report = report_model(models, QEData.of(asked, outputs, scores=gold), ReportRecipe(leave_out_read=True, trials=10))
    alone = report_model(models, QEData.of(asked[1:3], outputs[1:3], scores=gold[1:3]), ReportRecipe(trials=10))
    assert report.evaluation.value("mae", "lsp") == alone.evaluation.value("mae", "lsp")
    assert report.left_out == (1, 4)
    assert report.meta()["left_out"] == [1, 4]
    assert "read in training: 1, 4." in report.errors.note
    assert {(row[0], row[1], row[3]) for row in report.worst.rows} == {(2, 0.2, "ganz anders"), (3, 0.3, "neu")}
    with pytest.raises(DataError, match=r"of 1, 2: what it says .* No sentence is left to measure"):
        report_model(models, QEData.of(SOURCES[:2], outputs[:2], scores=gold[:2]), ReportRecipe(leave_out_read=True))


def test_a_sentence_without_a_translation_has_the_worst_score() -> None:
    model = train_model(DATA, QERecipe(learner=RIDGE))
    asked, outputs = [SOURCES[0], SOURCES[1], "", SOURCES[2]], [OUTPUTS[0], " ", "", ""]
    said = model.predict(asked, outputs, level=0.5)
    assert said.empty == (2, 4)  # nothing said of nothing is right
    assert (said.scores[1], said.scores[3]) == (1.0, 1.0)
    assert said.scores[0] == model.predict(SOURCES[:1], OUTPUTS[:1]).scores[0]
    assert "There is no translation of 2, 4: the score is the worst there is." in str(said.tables()[0].note)
    decided = model.decide(asked, outputs, recipe=DecisionRecipe(good=0.99, bad=1.0, risk=0.9, confidence=0.1))
    assert decided.decisions[:2] == ("publish", "retranslate")
    assert "of 2, 4: the score is the worst there is. They are translated anew." in str(decided.tables()[1].note)
    explained = model.explain(asked, outputs, segments=[4])
    assert explained.empty == (4,)
    assert explained.base + sum(explained.contributions[0]) + explained.clipped[0] == pytest.approx(1.0)
    timed = train_model(
        replace(DATA, scores=tuple(map(float, range(len(SOURCES))))), QERecipe(learner=RIDGE, task="time")
    )
    assert timed.predict(asked, outputs).empty == (2, 4)
    assert np.isfinite(timed.predict(asked, outputs).scores).all()  # the scale has no end


def test_text_without_spaces_between_words_must_be_cut() -> None:
    lines = tuple(f"誰が一番に着くか私には分かりません{n}。" for n in range(20))
    scores = tuple(n / 20 for n in range(20))
    with pytest.raises(DataError, match=r"20 of 20 lines of the target side are a single word, .*--target-"):
        train_model(QEData.of(tuple(f"who is first {n}" for n in range(20)), lines, scores=scores))
    with pytest.raises(DataError, match="of the source side are a single word"):
        train_model(QEData.of(lines, tuple(f"who is first {n}" for n in range(20)), scores=scores))
    model = train_model(
        QEData.of(lines, lines, scores=scores), QERecipe(source_tokeniser="char", target_tokeniser="char")
    )
    assert model.reading is not None
    report = report_model({"m": model}, QEData.of(lines, lines, scores=scores), ReportRecipe(trials=10))
    assert report.lengths is not None
    assert [row[0] for row in report.lengths.rows] == ["11–20"]  # characters, not lines
    words = tuple(f"Geschwindigkeitsbegrenzung{n}" for n in range(20))  # one long word is a sentence
    train_model(QEData.of(words, words, scores=scores), QERecipe(features=("word-length",)))


def test_text_without_resources_has_the_features_of_the_text() -> None:
    model = train_model(DATA, QERecipe(learner=RIDGE))
    assert len(model.names) == 6
    table = extract_features(SOURCES, OUTPUTS)
    assert model.predict(SOURCES, OUTPUTS) == model.predict(table)
    cut = train_model(DATA, QERecipe(learner=RIDGE, source_tokeniser="moses:lang=de", target_tokeniser="moses:lang=en"))
    assert cut.reading is not None
    assert cut.predict(["Das Haus."], ["The house."]).scores == cut.predict(["Das Haus ."], ["The house ."]).scores


def test_what_is_missing_is_named() -> None:
    with pytest.raises(DataError, match="Sources and outputs are needed"):
        train_model(QEData.of(outputs=("a",), scores=(0.5,)))
    with pytest.raises(DataError, match=r"neither scores nor post-edits to learn from\. Add post-edits"):
        train_model(QEData.of(("a",), ("b",)))
    with pytest.raises(DataError, match="There are no scores of effort; post-edits give hter alone"):
        train_model(DATA, QERecipe(task="effort"))
    with pytest.raises(DataError, match="need source_lm"):
        train_model(DATA, QERecipe(features=("source-lm",)))


def test_a_bitext_loses_the_sentences_to_learn_from() -> None:
    rest, left_out = bitext_without(Bitext.from_lines(["a  b", "c"], ["x", "y"]), ["a b "])
    assert (list(rest), left_out) == ([("c", "y")], 1)


def test_length_is_a_line() -> None:
    said = length_scores(["a", "a b c"], [0.1, 0.3], ["a b", "", "a " * 30], "hter")
    assert said.tolist() == pytest.approx([0.2, 0.0, 1.0])
    assert length_scores(["a", "b"], [0.1, 0.3], ["a b"], "hter").tolist() == pytest.approx([0.2])
    found = evaluate([0.1, 0.5], {"p": [0.1, 0.4]}, task="hter", trivial={"length": [0.2, 0.3]}, trials=5)
    assert found.value("mae", "length") == pytest.approx(0.15)
    assert {test.other for test in found.against if test.measure == "mae"} == {"length"}


def test_the_report_of_two_models() -> None:
    models = {
        "ridge": train_model(DATA, QERecipe(learner=RIDGE)),
        "pls": train_model(DATA, QERecipe(learner="pls:components=1")),
    }
    gold = [0.5 + 0.01 * n for n in range(40)]
    found = report_model(models, QEData.of(SOURCES, OUTPUTS, scores=gold), ReportRecipe(trials=20, n_worst=3))
    assert {row["prediction"] for row in found.to_dict()["rows"]} == {"ridge", "pls", "length", "mean", "oracle"}
    said = np.array(models["ridge"].predict(SOURCES, OUTPUTS).scores)
    worst = found.worst.records()
    assert worst[0]["segment"] == int(np.abs(said - gold).argmax()) + 1
    assert len(worst) == 3
    by_length = found.lengths.records()  # type: ignore[union-attr]
    total = sum(row["sentences"] * row["mae"] for row in by_length)  # type: ignore[operator]
    assert total / 40 == pytest.approx(np.abs(said - gold).mean())
    bands = found.calibration.records()
    assert sum(row["sentences"] for row in bands) == 40  # type: ignore[misc]
    page = found.html()
    assert "Worst cases" in page
    assert "<svg" in page
    moved = report_model(
        models, QEData.of([f"{line} " * 9 for line in SOURCES], OUTPUTS, scores=gold), ReportRecipe(trials=5)
    )
    assert "source-length" in dict(moved.moved)
    assert "Were these features made in the same way?" in moved.html()
    with pytest.raises(DataError, match="There is no model to report on"):
        report_model({}, QEData.of(SOURCES, OUTPUTS, scores=gold))
    other = train_model(
        QEData.of(tuple(SOURCES), tuple(OUTPUTS), scores=tuple(gold)), QERecipe(learner=RIDGE, task="time")
    )
    with pytest.raises(DataError, match="The models score different things: hter and time"):
        report_model({**models, "time": other}, QEData.of(SOURCES, OUTPUTS, scores=gold))
