"""Every pair scorer of the registry keeps the contract of pair scorers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dragoman.corpus import PAIR_SCORERS
from dragoman.corpus.scorers import PairRecipe
from dragoman.testing.pair_scorers import PAIR_SCORER


@pytest.mark.parametrize("name", PAIR_SCORERS.names())
@pytest.mark.parametrize("rule", PAIR_SCORER.rules)
def test_it_keeps_the_contract(name: str, rule: Callable[[PairRecipe], None]) -> None:
    rule(PAIR_SCORERS.make(name))
