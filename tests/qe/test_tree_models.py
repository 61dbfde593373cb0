"""Support vectors over features and trees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, ModelError
from dragoman.qe.features import FeatureTable
from dragoman.qe.files import read_scores
from dragoman.qe.trees import TreeMakers, TreeModel, TreeRecipe, read_parses
from dragoman.samples import sample_path
from dragoman.syntax import GrammarRecipe, ParserRecipe, phrase_trees
from dragoman.text.conllu import Word, read_conllu
from dragoman.text.trees import Tree, dependency_tree, parse_tree

SMALL = TreeRecipe(c=(1.0, 4.0), degree=(2,), tree_weight=(0.0, 0.5), n_folds=3)


def problem(n: int = 60) -> tuple[FeatureTable, list[Tree], list[float]]:
    """Scores that depend on one feature and on whether the tree has a certain part."""
    chance = np.random.default_rng(4)
    x, has = chance.uniform(size=n), chance.integers(0, 2, n)
    trees = [
        parse_tree(f"(S (NP (D the) (N w{chance.integers(9)})) ({'VP (V goes) (PP home)' if part else 'VP (V is)'}))")
        for part in has
    ]
    return FeatureTable.of(["x"], x[:, np.newaxis]), trees, (0.3 * x + 0.4 * has + 0.1).tolist()


def error(model: TreeModel, features: FeatureTable | None, trees: list[Tree], scores: list[float]) -> float:
    found = model.predict(features, {"target": trees}).scores
    return float(np.abs(np.array(found) - scores).mean())


@pytest.mark.parametrize("kernel", ["partial", "subset"])
def test_trees_tell_what_features_do_not(kernel: str) -> None:
    features, trees, scores = problem()
    recipe = TreeRecipe(kernel=kernel, c=(4.0,), degree=(2,), tree_weight=(0.0, 0.5), n_folds=3)
    with_trees = recipe.train(features, {"target": trees}, scores)
    assert with_trees.training.chosen[2] == 0.5
    alone = TreeRecipe(c=(4.0,), n_folds=3).train(None, {"target": trees}, scores)
    assert error(with_trees, features, trees, scores) < error(alone, None, trees, scores) < 0.12


def test_a_model_is_the_same_after_saving_and_for_any_threads(tmp_path: Path) -> None:
    features, trees, scores = problem()
    model = SMALL.train(features, {"target": trees}, scores, n_threads=2)
    model.save(tmp_path / "model")
    loaded = TreeModel.load(tmp_path / "model")
    assert set(loaded.training.measures) >= {"mae", "rmse", "delta-avg"}
    assert loaded.training.measures["mae"][0] == pytest.approx(min(row[3] for row in loaded.training.tried))
    assert loaded.predict(features, {"target": trees}, n_threads=7) == model.predict(features, {"target": trees})
    assert loaded.training == model.training
    (tmp_path / "model" / "model.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ModelError):
        TreeModel.load(tmp_path / "model")


def test_brackets_in_the_text_are_no_brackets_of_a_saved_tree(tmp_path: Path) -> None:
    words = [
        [Word(1, "(", "_", "PUNCT", "_", "_", 2, "punct"), Word(2, f"a {n}", "_", "X", "_", "_", 0, "root")]
        for n in range(10)
    ]
    trees = [dependency_tree(each) for each in words]
    assert str(trees[3]) == "(root (punct (PUNCT -LRB-)) (X a_3))"
    model = TreeRecipe(c=(1.0,), n_folds=2).train(None, {"target": trees}, [n / 10 for n in range(10)])
    model.save(tmp_path / "model")
    assert TreeModel.load(tmp_path / "model").predict(None, {"target": trees}) == model.predict(None, {"target": trees})


def test_constant_features_and_sentences_without_a_tree_have_defined_results() -> None:
    _, trees, scores = problem(12)
    constant = FeatureTable.of(["x"], np.ones((12, 1)))
    trees[0] = parse_tree("")
    model = SMALL.train(constant, {"target": trees}, scores)
    assert all(0 <= score <= 1 for score in model.predict(constant, {"target": trees}).scores)


def test_other_trees_or_features_are_refused() -> None:
    features, trees, scores = problem(12)
    model = SMALL.train(features, {"target": trees}, scores)
    with pytest.raises(DataError, match="trained on the features x and the trees target; found none and target"):
        model.predict(None, {"target": trees})
    with pytest.raises(DataError, match="found x and source"):
        model.predict(features, {"source": trees})
    with pytest.raises(DataError, match="There are no trees to learn from"):
        SMALL.train(features, {}, scores)
    with pytest.raises(DataError):
        SMALL.train(features, {"target": trees[:-1]}, scores)


def test_phrases_are_counted_by_whole_productions_and_dependencies_are_not() -> None:
    _, trees, scores = problem(20)
    recipe = TreeRecipe(c=(1.0,), n_folds=2)
    both = {"source-phrases": trees, "target-dependencies": trees}
    alone = {
        kind: TreeRecipe(kernel=kind, c=(1.0,), n_folds=2).train(None, {"x": trees}, scores)
        for kind in ("subset", "partial")
    }
    by_name = {name: recipe.train(None, {name: trees}, scores) for name in both}
    for name, kind in (("source-phrases", "subset"), ("target-dependencies", "partial")):
        said = by_name[name].predict(None, {name: trees}).scores
        assert said == alone[kind].predict(None, {"x": trees}).scores
    assert by_name["source-phrases"].predict(None, {"source-phrases": trees}) != by_name["target-dependencies"].predict(
        None, {"target-dependencies": trees}
    )
    recipe.train(None, both, scores)


@pytest.fixture(scope="module")
def makers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A parser and a grammar, learnt from the samples."""
    folder = tmp_path_factory.mktemp("makers")
    bank = read_conllu(sample_path("testset/parsed.en.conllu"))
    ParserRecipe(epochs=1, tag_epochs=1).train(bank).save(folder / "parser")
    GrammarRecipe().train(phrase_trees(bank)).save(folder / "grammar")
    return {"parser": folder / "parser", "grammar": folder / "grammar"}


def test_trees_of_text(makers: dict[str, Path]) -> None:
    made = TreeMakers.load(
        source_parser=makers["parser"], target_parser=makers["parser"], source_grammar=makers["grammar"]
    )
    found = made.trees(["the train leaves", "", "( ) ) zzz"], ["a", "b c .", ""])
    assert list(found) == ["source-dependencies", "source-phrases", "target-dependencies"]
    assert [len(trees) for trees in found.values()] == [3, 3, 3]
    assert len(found["source-phrases"][1]) == len(found["target-dependencies"][2]) == 0
    assert set(made.digests or {}) == {"source-parser", "target-parser", "source-grammar"}
    made.check_same(made.digests or {})
    with pytest.raises(DataError, match="trained on trees of another source-parser"):
        made.check_same({"source-parser": "0"})
    with pytest.raises(DataError, match="neither a parser nor a grammar"):
        TreeMakers().trees(["a"], ["b"])
    with pytest.raises(DataError):
        made.trees(["a"], [])


def test_the_commands_parse_text(tmp_path: Path, makers: dict[str, Path]) -> None:
    lines = sample_path("testset/reference-A.en").read_text("utf-8").splitlines()[:20]
    (tmp_path / "text").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (tmp_path / "scores").write_text("".join(f"{i % 4 / 4}\n" for i in range(len(lines))), encoding="utf-8")
    text = ["--source", str(tmp_path / "text"), "--target", str(tmp_path / "text")]
    model = ["--target-parser", str(makers["parser"]), "--source-grammar", str(makers["grammar"])]

    def run(*words: str) -> Any:
        return CliRunner().invoke(group, ["qe", "trees", *words])

    done = run("train", str(tmp_path / "scores"), *text, *model, "-m", str(tmp_path / "model"), "--json")
    assert done.exit_code == 0, done.output
    assert set(json.loads(done.stdout)["meta"]["measures"]) >= {"mae", "rmse"}
    assert TreeModel.load(tmp_path / "model").data.keys() == {"target-parser", "source-grammar"}
    done = run("predict", *text, *model, "-m", str(tmp_path / "model"), "--json")
    assert done.exit_code == 0, done.output
    assert len(json.loads(done.stdout)["rows"]) == len(lines)
    for words, message in (
        (["train", "x", "-m", "y"], "Give --trees, or --source and --target"),
        (["predict", *text, "-m", str(tmp_path / "model")], "need a parser or a grammar"),
        (["predict", *model, "-m", str(tmp_path / "model")], "give both --source and --target"),
    ):
        (tmp_path / "x").write_text("0\n", encoding="utf-8")
        done = run(*[str(tmp_path / "x") if word == "x" else word for word in words])
        assert done.exit_code == 2
        assert message in done.output


def test_the_commands(tmp_path: Path) -> None:
    parses = read_parses(sample_path("testset/parsed.en.conllu"))
    (tmp_path / "scores").write_text("".join(f"{i % 5 / 5}\n" for i in range(len(parses))), encoding="utf-8")
    (tmp_path / "trees").write_text("".join(f"{tree}\n" for tree in parses), encoding="utf-8")

    def run(*words: str) -> dict[str, object]:
        done = CliRunner(catch_exceptions=False).invoke(group, ["qe", "trees", *words, "--json"])
        assert done.exit_code == 0, done.output
        found: dict[str, object] = json.loads(done.stdout)
        return found

    model = str(tmp_path / "model")
    told = run(
        "train", str(tmp_path / "scores"), "--trees", f"target={sample_path('testset/parsed.en.conllu')}", "-m", model
    )
    assert told["kind"] == "qe tree training"
    bare = str(tmp_path / "bare.scores")
    found = run("predict", "--trees", f"target={tmp_path / 'trees'}", "-m", model, "--scores", bare)
    assert len(read_scores(bare)) == len(found["rows"])  # type: ignore[arg-type]
    assert len(found["rows"]) == len(parses)  # type: ignore[arg-type]
    done = CliRunner().invoke(group, ["qe", "trees", "predict", "--trees", "x", "-m", model])
    assert done.exit_code == 2
    assert "write NAME=FILE" in done.output
