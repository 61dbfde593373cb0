"""Every selection score of the registry keeps the contract of selection scores."""

from __future__ import annotations

import pytest

from dragoman.corpus.select import SELECTION_SCORES
from dragoman.testing.selection_scores import SELECTION_SCORE


@pytest.mark.parametrize("name", SELECTION_SCORES.names())
def test_it_keeps_the_contract(name: str) -> None:
    SELECTION_SCORE.check(SELECTION_SCORES.make(name), name)


@pytest.mark.parametrize("name", SELECTION_SCORES.names())
def test_its_signature_makes_it_again(name: str) -> None:
    score = SELECTION_SCORES.make(f"{name}:tokeniser=none")
    assert SELECTION_SCORES.make(score.signature()) == score
