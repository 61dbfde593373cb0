"""Levels on levels: scores of sentences and labels of two classes as features of words; nets of words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, ModelError
from dragoman.qe import QEData, write_qe
from dragoman.qe.gold import post_edit_gold
from dragoman.qe.words import NET_SET, WordModel, WordRecipe
from dragoman.samples import sample_path
from dragoman.text import TOKENISERS

SMALL = WordRecipe(features=("word", "shape", "position"), epochs=5, n_folds=3)


def lines(name: str) -> list[str]:
    text = Path(sample_path(f"testset/{name}")).read_text(encoding="utf-8").splitlines()
    return TOKENISERS.make("13a").tokenise(text)


@pytest.fixture(scope="module")
def data() -> QEData:
    return post_edit_gold(QEData.of(lines("source.de"), lines("systems/dune.en"), lines("reference-A.en")))


def labels_of(data: QEData) -> list[list[str]]:
    return [list(tags.words) for tags in data.tags or ()]


def classes_by_length(data: QEData) -> list[list[str]]:
    return [
        [tag if tag == "OK" else "Short" if len(word) < 4 else "Long" for tag, word in zip(tags, words, strict=True)]
        for tags, words in zip(labels_of(data), (line.split() for line in data.outputs), strict=True)
    ]


def test_nets_are_given_nothing_of_neighbours() -> None:
    assert "word" in NET_SET
    assert not [spec for spec in NET_SET if "at=" in spec or "bigram" in spec]


def test_a_net_of_words_is_the_same_after_saving_and_tells_what_a_feature_does(data: QEData, tmp_path: Path) -> None:
    pytest.importorskip("jax", reason="training needs JAX")
    recipe = WordRecipe(learner="blstm", features=SMALL.features, epochs=1, n_folds=2, n_nets=2, units=4)
    # The first words alone: a step is compiled for each length of sentences.
    outputs = [" ".join(line.split()[:8]) for line in data.outputs]
    labels = [each[:8] for each in labels_of(data)]
    model = recipe.train(data.sources, outputs, labels)
    model.save(tmp_path / "model")
    loaded = WordModel.load(tmp_path / "model")
    assert loaded.predict(data.sources, data.outputs) == model.predict(data.sources, data.outputs)
    assert len(loaded.weights(3).rows) == 6
    np.save(tmp_path / "model" / "outputs.npy", np.zeros((2, 2), np.float32))
    with pytest.raises(ModelError):
        WordModel.load(tmp_path / "model")


def test_scores_of_sentences_are_features_of_their_words(data: QEData, tmp_path: Path) -> None:
    labels = labels_of(data)
    share = [sum(label != "OK" for label in each) / max(1, len(each)) for each in labels]
    told = SMALL.train(data.sources, data.outputs, labels, sentence_scores=share)
    alone = SMALL.train(data.sources, data.outputs, labels)
    assert told.report["held_out"]["mcc"] > alone.report["held_out"]["mcc"] + 0.1  # the truth itself was told here
    told.save(tmp_path / "told")
    loaded = WordModel.load(tmp_path / "told")
    good, bad = (loaded.predict(["s"], ["the house"], sentence_scores=[score]) for score in (0.0, 1.0))
    assert np.mean(bad.p_error[0]) > np.mean(good.p_error[0])
    with pytest.raises(DataError, match="trained with scores of sentences"):
        loaded.predict(["s"], ["the house"])
    with pytest.raises(DataError, match="trained without scores of sentences"):
        alone.predict(["s"], ["the house"], sentence_scores=[0.0])
    with pytest.raises(DataError, match="The score of sentence 2 is nan"):
        SMALL.train(data.sources, data.outputs, labels, sentence_scores=[0.0, float("nan"), *share[2:]])
    with pytest.raises(DataError, match="sentence scores=2"):
        SMALL.train(data.sources, data.outputs, labels, sentence_scores=[0.0, 1.0])


def test_classes_build_on_two_classes_of_models_that_have_not_seen_the_sentence(data: QEData, tmp_path: Path) -> None:
    recipe = WordRecipe(features=SMALL.features, epochs=5, n_folds=3, stacked=True)
    model = recipe.train(data.sources, data.outputs, classes_by_length(data))
    assert model.classes == ("OK", "Long", "Short")
    assert model.below is not None
    assert model.below.classes == ("OK", "BAD")
    assert model.below.held_out is not None
    seen = model.below.predict(data.sources, data.outputs)
    assert model.below.held_out.p_error != seen.p_error
    model.save(tmp_path / "model")
    loaded = WordModel.load(tmp_path / "model")
    assert loaded.predict(data.sources, data.outputs) == model.predict(data.sources, data.outputs)
    with pytest.raises(DataError, match="errors have classes besides OK; these are OK, BAD"):
        recipe.train(data.sources, data.outputs, labels_of(data))
    with pytest.raises(DataError, match="need a criterion"):
        WordRecipe(stacked=True, criterion="none").train(data.sources, data.outputs, classes_by_length(data))


def test_chance_is_not_learnt_by_stacking() -> None:
    # Labels at random: predictions of sentences that were seen would carry them up, held-out ones cannot.
    draw = np.random.default_rng(1)
    outputs = [f"w{n} x{n} y{n} z{n}" for n in range(120)]
    labels = [[("OK", "One", "Two")[draw.integers(3)] for _ in range(4)] for _ in outputs]
    recipe = WordRecipe(features=("word",), least=1, n_folds=4, stacked=True)
    model = recipe.train([f"s{n}" for n in range(120)], outputs, labels)
    assert abs(model.report["held_out"]["mcc"]) < 0.15


def test_the_commands_stack_both_ways(data: QEData, tmp_path: Path) -> None:
    stem = str(tmp_path / "gold")
    write_qe(data, stem)

    def run(*words: str) -> str:
        done = CliRunner(catch_exceptions=False).invoke(group, ["qe", *words])
        assert done.exit_code == 0, done.output
        return done.stdout

    held, folder = str(tmp_path / "held"), str(tmp_path / "sentences")
    run("train", "--data", stem, "-m", folder, "-f", "surface", "--learner", "ridge", "--held-out", held)
    scores = [float(line) for line in Path(held).read_text(encoding="utf-8").split()]
    run("predict", "--data", stem, "-m", folder, "--scores", str(tmp_path / "seen"), "--json")
    seen = [float(line) for line in Path(tmp_path / "seen").read_text(encoding="utf-8").split()]
    assert len(scores) == len(seen) == len(data.outputs)
    truth = np.array(data.scores)
    assert np.abs(truth - scores).mean() > np.abs(truth - seen).mean()  # what was seen is always told better

    run("words", "train", stem, "-m", str(tmp_path / "words"), "--sentence-scores", held)
    text = run(
        "words", "predict", f"{stem}.src", f"{stem}.mt", "-m", str(tmp_path / "words"), "--sentence-scores", held
    )
    assert "p_error" in text

    run("words", "train", stem, "-m", str(tmp_path / "plain"))
    own = json.loads(run("words", "features", stem, "--parts", "3", "--json"))
    other = json.loads(run("words", "features", stem, "-m", str(tmp_path / "plain"), "--json"))
    assert list(own["rows"][0]) == list(other["rows"][0])
    assert "words-ok" in own["rows"][0]
    wrong = CliRunner().invoke(group, ["qe", "words", "features", stem, "-m", str(tmp_path / "plain"), "--parts", "3"])
    assert wrong.exit_code == 2
    assert "give a model (-m), or --parts" in wrong.output
