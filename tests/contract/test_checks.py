"""Every check of the registry keeps the contract of checks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dragoman.cat.checks import CHECKS, Check
from dragoman.testing.checks import CHECK


@pytest.mark.parametrize("name", CHECKS.names())
@pytest.mark.parametrize("rule", CHECK.rules)
def test_it_keeps_the_contract(name: str, rule: Callable[[Check], None]) -> None:
    rule(CHECKS.make(name))
