"""SPEDE: all edit sequences written out, its gradient, its scripts, and learning from judgements."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

from dragoman import _core
from dragoman.errors import DataError
from dragoman.files import read_lines
from dragoman.metrics.references import ScoredText
from dragoman.metrics.spede import EDITS, N_WEIGHTS, Spede, fit_spede

PAIRS = [("a b", "a c"), ("the cats .", "the cat ."), ("b a", "a b"), ("", "a b"), ("a", ""), ("a b c d", "b . d")]


def kernel(hyp: str, ref: str, weights: Any) -> tuple[float, np.ndarray[Any, Any]]:
    text = Spede().prepare(ScoredText.of_streams([[hyp]], [[ref]], None), 1)
    sums, counts = _core.metrics.spede(
        *text.systems[0], *text.streams[0], **text.lexicon, weights=weights, gradient=True
    )
    return float(sums[0]), counts[0]


def sequences(hyp: list[str], ref: list[str]) -> Iterator[list[int]]:
    """Every edit sequence, as numbers of edits; a lemma is a word without its s."""
    if not hyp and not ref:
        yield []
    if hyp:
        yield from ([0, *rest] for rest in sequences(hyp[1:], ref))
    if ref:
        yield from ([1, *rest] for rest in sequences(hyp, ref[1:]))
    if hyp and ref and hyp[0].rstrip("s") == ref[0].rstrip("s"):
        edit = "lemma" if hyp[0] != ref[0] else "word" if hyp[0].isalnum() else "punctuation"
        yield from ([EDITS.index(edit), *rest] for rest in sequences(hyp[1:], ref[1:]))


@pytest.mark.parametrize(("hyp", "ref"), PAIRS)
def test_it_is_the_sum_of_all_edit_sequences(hyp: str, ref: str) -> None:
    weights = np.random.default_rng(5).normal(size=N_WEIGHTS)
    totals = [
        weights[edits].sum() + sum(weights[6 * (a + 1) + b] for a, b in pairwise(edits))
        for edits in sequences(hyp.split(), ref.split())
    ]
    assert kernel(hyp, ref, weights)[0] == pytest.approx(np.logaddexp.reduce(totals), abs=1e-9)


@pytest.mark.parametrize(("hyp", "ref"), PAIRS)
def test_the_gradient_is_what_small_steps_say(hyp: str, ref: str) -> None:
    weights = np.random.default_rng(6).normal(size=N_WEIGHTS)
    gradient = kernel(hyp, ref, weights)[1]
    for number, step in enumerate(np.eye(N_WEIGHTS) * 1e-5):
        slope = (kernel(hyp, ref, weights + step)[0] - kernel(hyp, ref, weights - step)[0]) / 2e-5
        assert gradient[number] == pytest.approx(slope, abs=1e-6)


def test_scripts_say_what_was_edited() -> None:
    metric = Spede(weights=(-1.0, -1.0, 2.0, 1.0, 1.0, 1.0, *[0.0] * 36))
    assert metric.scripts(["The cats sat ."], ["the cat slept ."]) == [
        [
            ("word", "the", "the"),
            ("lemma", "cat", "cats"),
            ("delete", "slept", ""),
            ("insert", "", "sat"),
            ("punctuation", ".", "."),
        ]
    ]


def test_nothing_scores_more_than_the_reference_itself() -> None:
    refs = ["He bought two green apples .", "Silence ."]
    assert (Spede().segments(refs, [refs]) > Spede().segments(["He apples", "noise"], [refs])).all()


def test_synonyms_are_edits_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "classes.txt").write_text("A= car automobile\n", encoding="utf-8")
    weights = (-1.0, -1.0, 2.0, 1.0, 1.0, 1.0, *[0.0] * 36)
    metric = Spede(weights=weights, offset=4.0, synonyms=f"thesaurus+file={tmp_path / 'classes.txt'}")
    assert metric.scripts(["automobile"], ["car"]) == [[("synonym", "car", "automobile")]]


@pytest.mark.realdata
def test_it_learns_from_smteuroparl_as_section_3_says(data_folder: Path) -> None:
    def read(name: str) -> tuple[Any, list[str], list[str]]:
        rows = [line.split("\t") for line in read_lines(data_folder / "sts" / f"{name}.tsv.gz")]
        return np.array([float(row[0]) for row in rows]), [row[1] for row in rows], [row[2] for row in rows]

    for name, least in (("SMTeuroparl.test", 0.57), ("SMTnews.test", 0.42)):
        human, refs, hyps = read(name)
        assert spearmanr(human, Spede().segments(hyps, [refs])).statistic > least
    human, refs, hyps = (each[:150] for each in read("SMTeuroparl.train"))
    learnt = fit_spede(Spede(), ScoredText.of_streams([hyps], [refs], None), human, top=5.0)
    found = spearmanr(human, learnt.segments(hyps, [refs])).statistic
    assert found > 0.5
    assert len(learnt.weights) == N_WEIGHTS


def test_what_it_refuses() -> None:
    with pytest.raises(DataError, match="SPEDE has 42 weights, got 3"):
        Spede(weights=(1.0, 2.0, 3.0))
    with pytest.raises(DataError, match=r"SPEDE's lemma=snowball\+lang=de is of 'de', but the text is in 'en'"):
        Spede(lemma="snowball+lang=de")
    with pytest.raises(DataError, match=r"Segment 2: too long for SPEDE: 3000 words against 2000. Cut it"):
        Spede().segments(["a", "b " * 3000], [["a", "b " * 2000]])
