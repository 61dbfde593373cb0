"""Every pair scorer of the registry keeps the contract of pair scorers."""

from __future__ import annotations

import pytest

from dragoman.corpus import PAIR_SCORERS
from dragoman.testing.pair_scorers import PAIR_SCORER


@pytest.mark.parametrize("name", PAIR_SCORERS.names())
def test_it_keeps_the_contract(name: str) -> None:
    PAIR_SCORER.check(PAIR_SCORERS.make(name), name)
