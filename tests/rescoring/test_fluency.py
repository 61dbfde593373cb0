"""Rewards, penalties and missing n-grams (the syntax-aware system of WMT 2012)."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.files import write_lines
from dragoman.lm import KneserNey
from dragoman.rescoring import add_features
from dragoman.rescoring.fluency import missing_ngrams, ngram_cdf, rewards_and_penalties
from dragoman.samples import phrasebook
from tests.rescoring.test_nets import LISTS

TEXT = phrasebook()["en"][:200]


def test_published_cdf_wmt12_germann_section_4_can_you_are() -> None:
    assert ngram_cdf(0, 1000, 0.01) == pytest.approx(4.317e-5, abs=5e-9)
    assert ngram_cdf(1000, 1000, 0.01) == 1
    assert ngram_cdf(0, 0, 0.5) == 1
    with pytest.raises(DataError, match="p lies between 0 and 1; got 0, 10 and 2"):
        ngram_cdf(0, 10, 2)


def test_missing_ngrams_are_those_that_should_have_been_seen() -> None:
    text = ["can you go"] * 99 + ["you are"] * 1 + ["can you"] * 901
    values = missing_ngrams(text, ["can you are", "can you go", "can you"])
    # c(can you) = 1000, c(you) = 1001, c(you are) = 1, c(can you are) = 0
    assert values[0] == pytest.approx(1000 * math.log(1 - 1 / 1001))
    assert values[0] < values[1] < 0 == values[2]


def test_rewards_and_penalties_are_ratios_to_words_alone() -> None:
    model = KneserNey(order=3).train(TEXT)
    lines = [TEXT[0], " ".join(reversed(TEXT[0].split())), ""]
    values = rewards_and_penalties(model, lines)
    for line, (reward, penalty) in zip(lines, values.tolist(), strict=True):
        words = line.split()
        within = np.asarray(model.score_tokens([line], eos=False).log_p)
        ratios = [
            (within[i] - model.score([word], bos=False, eos=False)[0]) * math.log(10) for i, word in enumerate(words)
        ]
        assert reward == pytest.approx(sum(each for each in ratios if each > 0))
        assert penalty == pytest.approx(sum(each for each in ratios if each < 0))
    assert values[0, 0] > values[1, 0]
    assert values[0, 1] > values[1, 1]


def test_candidates_have_two_numbers_or_three(tmp_path: Path) -> None:
    folder = KneserNey(order=2).train(TEXT).save(tmp_path / "lm")
    write_lines(tmp_path / "text", TEXT)
    lists = add_features(LISTS, [f"fluency:{folder}", f"fluency:{folder},text={tmp_path / 'text'}"])
    own = [name for name in lists.names if name.startswith("fluency")]
    assert own == ["fluency.reward", "fluency.penalty", "fluency-2.reward", "fluency-2.penalty", "fluency-2.missing"]
    assert np.isfinite(lists.features).all()
