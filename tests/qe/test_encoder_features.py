"""Vectors of an encoder as quality features, and a regression on them that learns one's own post-edits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.qe import extract_features
from dragoman.qe.features import feature_set
from dragoman.qe.recipes import FeatureRecipe
from dragoman.text.encoders import Spelling

SOURCES = ["der Hund bellt", "Information und Organisation", "", "Wir gehen"]
OUTPUTS = ["a dog barks", "information and organisation", "x", "Wir gehen"]


def test_a_set_has_the_cosine_and_two_values_of_every_number() -> None:
    recipe = FeatureRecipe(features=("encoder:spelling:dimensions=16",), check_languages=False)
    table = extract_features(SOURCES, OUTPUTS, recipe)
    s, t = (Spelling(dimensions=16).sentences(lines).astype(float) for lines in (SOURCES, OUTPUTS))
    expected = np.column_stack([(s * t).sum(axis=1), s * t, abs(s - t)])
    np.testing.assert_allclose(table.values, expected, atol=1e-9)
    assert table.values[3, 0] == pytest.approx(1)
    assert table.values[2, 0] == 0


def test_what_cannot_be_had_is_named() -> None:
    with pytest.raises(DataError, match="gives 128 numbers; there is no 500"):
        extract_features(
            SOURCES, OUTPUTS, FeatureRecipe(features=("encoder-value:value=product,number=500",), check_languages=False)
        )
    assert [each.spec() for each in feature_set("encoder-value")] == ["encoder-value"]


def test_a_head_learns_and_predicts(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    words = [f"wort{number}" for number in range(30)]
    sources, outputs, edits = [], [], []
    for _ in range(60):
        line = list(rng.choice(words, 6))
        cut = int(rng.integers(7))
        sources.append(" ".join(line))
        outputs.append(" ".join(line[:cut] + ["zzz"] * (6 - cut)))
        edits.append(" ".join(line))
    for name, lines in (("src", sources), ("mt", outputs), ("pe", edits)):
        (tmp_path / f"data.{name}").write_text("\n".join(lines) + "\n")
    pairs = [zip(o.split(), e.split(), strict=True) for o, e in zip(outputs, edits, strict=True)]
    effort = [sum(a != b for a, b in pair) / 6 for pair in pairs]

    def run(*words: str) -> str:
        done = CliRunner().invoke(group, list(words))
        assert done.exit_code == 0, done.output + str(done.exception)
        return done.output

    data = ["--data", str(tmp_path / "data"), "-m", str(tmp_path / "model")]
    run("qe", "train", *data, "-f", "encoder:spelling:dimensions=16", "--learner", "ridge", "--json")
    rows = json.loads(run("qe", "predict", *data, "--json"))["rows"]
    predictions = [row["score"] for row in rows]
    assert len(predictions) == 60
    assert np.corrcoef(predictions, effort)[0, 1] > 0.8
