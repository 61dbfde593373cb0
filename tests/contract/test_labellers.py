"""Every labeller of the registry keeps the contract of labellers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dragoman.smt.grammar.labels import LABELLERS, Labeller
from dragoman.testing.labellers import LABELLER


@pytest.mark.parametrize("name", LABELLERS.names())
@pytest.mark.parametrize("rule", LABELLER.rules)
def test_it_keeps_the_contract(name: str, rule: Callable[[Labeller], None]) -> None:
    rule(LABELLERS.make(name))
