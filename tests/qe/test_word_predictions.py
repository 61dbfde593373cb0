"""Features of sentences from predicted labels of words (FBK, WMT 2014)."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.qe import Resources
from dragoman.qe.features.word_predictions import held_out_word_features, word_prediction_features
from dragoman.qe.words.model import WordPredictions, WordRecipe
from tests.qe.parsed import given


def test_values_by_hand() -> None:
    labels = ("OK", "OK", "BAD", "OK", "BAD", "BAD", "OK")
    said = WordPredictions(
        "word",
        (labels, ()),
        ((0.1, 0.2, 0.9, 0.3, 0.8, 0.6, 0.1), ()),
        (("I", "like", "a", "house", "on", "by", "."), ()),
    )
    found = word_prediction_features(said)
    row = dict(zip(found.names, found.values[0].tolist(), strict=True))
    assert row["words-ok"] == pytest.approx(4 / 7)
    assert row["words-ok-short"] == pytest.approx(2 / 5)
    assert row["words-ok-long"] == 1
    assert row["words-longest-ok"] == pytest.approx(2 / 4)
    assert row["words-longest-bad"] == pytest.approx(2 / 3)
    assert row["words-ok-2-grams"] == pytest.approx(1 / 6)
    assert row["words-ok-3-grams"] == 0
    assert row["words-ok-first-half"] == pytest.approx(3 / 4)
    assert row["words-ok-second-half"] == pytest.approx(1 / 3)
    assert row["words-ok-first-quarter"] == 1
    assert row["words-ok-second-quarter"] == pytest.approx(1 / 2)
    assert row["words-p-mean"] == pytest.approx(3 / 7)
    assert row["words-p-worst"] == 0.9
    assert np.isfinite(found.values[1]).all()
    parse = (
        "I/PRON/2/nsubj like/VERB/0/root a/DET/4/det house/NOUN/2/obj on/ADP/4/advmod by/ADP/4/advmod ./PUNCT/2/punct"
    )
    tagged = word_prediction_features(said, given(parse))
    assert tagged.names[: len(found.names)] == found.names
    row = dict(zip(tagged.names, tagged.values[0].tolist(), strict=True))
    assert row["words-ok-function"] == pytest.approx(1 / 4)  # I, a, on, by
    assert (row["words-ok-content"], row["words-ok-noun"], row["words-ok-adjective"]) == (1, 1, 1)
    assert row["words-ok-pronoun"] == 1
    assert tagged.values[1, -7:].tolist() == [1] * 7
    with pytest.raises(DataError, match="labels of words, got those of gaps"):
        word_prediction_features(WordPredictions("gap", (), (), ()))


def test_no_sentence_is_labelled_by_a_model_that_has_seen_it() -> None:
    # Labels at random: a model that had seen the sentence would know them, one that has not cannot.
    draw = np.random.default_rng(1)
    outputs = [f"w{n} x{n} y{n} z{n}" for n in range(80)] * 2
    labels = [["OK" if draw.random() < 0.5 else "BAD" for _ in range(4)] for _ in outputs]
    sources = [f"s{n}" for n in range(160)]
    recipe = WordRecipe(features=("word",), least=1, n_folds=2, criterion="none")
    found = held_out_word_features(sources, outputs, labels, recipe=recipe, n_parts=4)
    truth = np.array([np.mean([label == "OK" for label in each]) for each in labels])
    assert abs(np.corrcoef(found.column("words-p-mean") + 1e-9 * draw.random(160), truth)[0, 1]) < 0.3
    resources = Resources.of(
        target_parser=given(*(" ".join(f"{word}/X/0/root" for word in line.split()) for line in outputs))
    )
    tagged = held_out_word_features(sources, outputs, labels, resources, recipe=recipe, n_parts=4)
    assert len(tagged.names) == len(found.names) + 7
    assert (tagged.values[:, : len(found.names)] == found.values).all()
    with pytest.raises(DataError, match="dealt into"):
        held_out_word_features(sources[:1], outputs[:1], labels[:1])
