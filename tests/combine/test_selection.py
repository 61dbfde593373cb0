"""Choosing whole outputs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dragoman.combine import ChoiceRecipe, Chooser, train_chooser
from dragoman.combine.choice_features import Examples, candidate_features
from dragoman.data import TestSet
from dragoman.errors import DataError, ModelError

GOOD = ["the cat sat on the mat", "we went home early", "he likes red wine", "it rains a lot here"] * 5
FAIR = ["the cat sat on mat", "we went to home", "he likes wine", "it rains much here"] * 5
POOR = ["cat the on sits", "go we house", "wine him pleases red", "rain much"] * 5
SRCS = ["die katze sass auf der matte", "wir gingen frueh heim", "er mag roten wein", "es regnet hier viel"] * 5
TEXT = TestSet(srcs=SRCS, refs={"r": GOOD}, systems={"poor": POOR, "fair": FAIR, "good": GOOD})
RECIPE = ChoiceRecipe(lang="en")


def test_pseudo_references_are_never_a_systems_own() -> None:
    names, values = candidate_features({"a": ["x y z w"], "b": ["p q r s"], "c": ["p q r s"]})
    column = names.index("bleu-several")
    assert values[0, 1, column] == values[0, 2, column] == pytest.approx(1)
    assert values[0, 0, column] < 0.2
    assert values[0, 0, names.index("wer")] == 1
    assert values[0, 1, names.index("wer")] == 0.5  # 0 from c, 1 from a


def test_a_weight_on_the_prior_alone_takes_one_system() -> None:
    chooser = train_chooser(TEXT, RECIPE)
    only = replace(
        chooser.tuned,
        rounds=(
            replace(chooser.tuned.rounds[0], weights=tuple(float(n == "cross-bleu") for n in chooser.tuned.names)),
        ),
        kept=0,
    )
    chooser.tuned = only
    assert set(chooser.choose(TEXT).chosen) == {1}  # the one most like the others


def test_identical_systems_give_the_first() -> None:
    text = replace(TEXT, systems={"a": FAIR, "b": FAIR, "c": FAIR})
    assert set(train_chooser(text, RECIPE).choose(text).chosen) == {0}


def test_the_better_system_is_learnt(tmp_path: Path) -> None:
    chooser = train_chooser(TEXT, RECIPE, seed=2)
    assert {"ibm1", "ibm1-back", "like-good", "like-bad", "errors-missing"} <= set(chooser.tuned.names)
    choice = chooser.choose(TEXT)
    assert choice.texts.count("we went home early") == 5
    loaded = Chooser.load(chooser.save(tmp_path / "chooser"))
    assert loaded.choose(TEXT) == choice
    loaded.tuned = replace(loaded.tuned, names=("x", *loaded.tuned.names[1:]))
    with pytest.raises(ModelError, match="weights of other features"):
        loaded.choose(TEXT)
    with pytest.raises(DataError, match=r"trained with sources; give them here, too \(-s\)"):
        loaded.choose(replace(TEXT, srcs=None))


def test_likeness_to_examples_is_a_mean_of_clipped_precisions() -> None:
    examples = Examples.of(["a b c d e", "x y"], np.array([1.0, 0.0]))
    assert (examples.good, examples.bad) == (("a b c d e",), ("x y",))
    # Of `a a b`, clipped: 2 of 3 words, 1 of 2 pairs, none of 1 triple, none of no quadruple; a half and one are added.
    expected = np.exp(np.mean(np.log([2.5 / 4, 1.5 / 3, 0.5 / 2, 0.5 / 1])))
    assert examples.likeness(["a a b"])[0, 0] == pytest.approx(expected)


def test_nothing_to_choose_from_is_named() -> None:
    with pytest.raises(DataError, match="at least two systems are needed, got fair"):
        train_chooser(replace(TEXT, systems={"fair": FAIR}))
    with pytest.raises(DataError, match="towards a reference"):
        train_chooser(replace(TEXT, refs={}))
