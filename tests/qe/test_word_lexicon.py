"""The discriminative word lexicon against scikit-learn, and what it is for: telling pairs from other pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.qe import Resources, extract_features
from dragoman.qe.recipes import FeatureRecipe
from dragoman.qe.resources import WordLexicon, WordLexiconRecipe
from dragoman.qe.resources.words import fold_word
from dragoman.rng import Stream

WORDS = ["a", "b", "c", "d", "e", "f"]


def corpus(n: int, seed: int = 1) -> tuple[list[str], list[str]]:
    """Random sets of words; the translation of a word is its capital, sometimes forgotten."""
    draws = Stream(seed, "corpus").uniform(n * len(WORDS) * 2).reshape(n, len(WORDS), 2)
    there = draws[..., 0] < 0.4
    kept = there & (draws[..., 1] < 0.8)
    sources = [" ".join(w for w, on in zip(WORDS, row, strict=True) if on) for row in there]
    targets = [" ".join(w.upper() for w, on in zip(WORDS, row, strict=True) if on) for row in kept]
    return sources, targets


@pytest.mark.parametrize(("l1", "l2"), [(0.0, 0.5), (0.7, 0.0), (0.3, 0.4)])
def test_weights_are_those_of_scikit_learn(l1: float, l2: float) -> None:
    from sklearn.linear_model import LogisticRegression

    sources, targets = corpus(300)
    exact = WordLexiconRecipe(l1=l1, l2=l2, least=1, pairs=0, negatives=0, most=0, rounds=5000, tolerance=1e-9)
    found = exact.train(sources, targets)
    x = np.array([[word in line.split() for word in WORDS] for line in sources], dtype=float)
    for number, word in enumerate(WORDS):
        y = [word.upper() in line.split() for line in targets]
        total = l1 + l2
        peer = LogisticRegression(C=1 / total, l1_ratio=l1 / total, solver="saga", max_iter=100_000, tol=1e-9).fit(x, y)
        ours = [found.weight(other, word.upper()) for other in WORDS]
        assert ours == pytest.approx(peer.coef_[0].tolist(), abs=2e-3), word
        bias = found.rows[3][found.vocabularies[1].id(word.upper()) - 1]
        assert bias == pytest.approx(peer.intercept_[0], abs=2e-3)
        assert ours[number] == max(ours)


def test_drawn_sentences_stand_for_all() -> None:
    sources, targets = corpus(4000)
    settings = {"l1": 0.0, "l2": 0.5, "rounds": 500, "tolerance": 1e-6}
    exact = WordLexiconRecipe(**settings, pairs=0, negatives=0, most=0).train(sources, targets)
    drawn = WordLexiconRecipe(**settings, pairs=1, negatives=1.0, most=500).train(sources, targets)
    p = [np.array(lexicon.of_lines(sources[:20], ["A B"] * 20)) for lexicon in (exact, drawn)]
    assert np.abs(p[0] - p[1]).max() < 0.15
    assert exact.sizes == (6, 36)


def test_threads_and_files_change_nothing(tmp_path: Path) -> None:
    sources, targets = corpus(200)
    one, two, seven = (WordLexiconRecipe().train(sources, targets, n_threads=n) for n in (1, 2, 7))
    loaded = WordLexicon.load(one.save(tmp_path / "dwl"))
    for other in (two, seven, loaded):
        assert all((a == b).all() or np.isnan(a).any() for a, b in zip(one.rows, other.rows, strict=True))
    assert loaded.of_lines(sources[:5], targets[:5]) == one.of_lines(sources[:5], targets[:5])
    assert loaded.data == one.data
    assert "6 target words" in repr(one)


def test_pairs_are_told_from_other_pairs() -> None:
    sources, targets = corpus(500)
    resources = Resources.of(dwl=WordLexiconRecipe().train(sources[:400], targets[:400]))
    right, wrong = (
        extract_features(sources[400:], outputs, FeatureRecipe(features=("dwl",)), resources=resources).values[:, 0]
        for outputs in (targets[400:], targets[401:] + targets[400:401])
    )
    words = np.array([bool(line) for line in targets[400:]])
    assert (right[words][:, np.newaxis] > wrong[words]).mean() > 0.9


def test_the_features_by_hand() -> None:
    sources, targets = corpus(300)
    lexicon = WordLexiconRecipe().train(sources, targets)
    p = lexicon.of_lines(["a b"], ["A F F"])[0]
    resources = Resources.of(dwl=lexicon)

    def value(what: str, output: str) -> float:
        found = extract_features(["a b"], [output], FeatureRecipe(features=(f"dwl:value={what}",)), resources=resources)
        return float(found.values[0, 0])

    # A word without a model is passed over.
    assert value("geometric", "A F F new") == pytest.approx(np.prod(p) ** (1 / 3))
    assert value("mean", "A F F new") == pytest.approx(np.mean(p))
    assert value("least", "A F F new") == pytest.approx(min(p))
    assert [value(what, "new") for what in ("geometric", "mean", "least")] == [0, 0, 0]
    assert np.isnan(lexicon.of_lines(["a"], ["new"])[0]).all()
    assert lexicon.weight("a", "new") == lexicon.weight("new", "A") == 0
    assert lexicon.of_lines([], []) == []


def test_words_are_folded_as_in_the_paper() -> None:
    assert [fold_word(word) for word in ("1,234.5", "“", "”", "B2", "−", "2nd")] == [
        "$number",
        '"',
        '"',
        "B2",
        "−",
        "2nd",
    ]


def test_what_cannot_be_learnt_is_named() -> None:
    with pytest.raises(DataError, match="needs a penalty, l1 or l2"):
        WordLexiconRecipe(l1=0, l2=0).train(["a"], ["b"])
    with pytest.raises(DataError, match="sources"):
        WordLexiconRecipe().train(["a"], [])
    empty = WordLexiconRecipe().train([], [])
    assert empty.sizes == (0, 0)
    assert empty.of_lines(["a"], ["b"]) != []
    # A word that every sentence has needs no evidence.
    always = WordLexiconRecipe(least=1).train(["a"] * 5, ["X"] * 5)
    assert always.of_lines(["q"], ["X"])[0][0] > 0.8
