"""Every labeller of the registry keeps the contract of labellers."""

from __future__ import annotations

import pytest

from dragoman.smt.grammar.labels import LABELLERS
from dragoman.testing.labellers import LABELLER


@pytest.mark.parametrize("name", LABELLERS.names())
def test_it_keeps_the_contract(name: str) -> None:
    LABELLER.check(LABELLERS.make(name), name)
