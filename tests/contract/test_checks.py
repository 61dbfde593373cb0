"""Every check of the registry keeps the contract of checks."""

from __future__ import annotations

import pytest

from dragoman.cat.checks import CHECKS
from dragoman.testing.checks import CHECK


@pytest.mark.parametrize("name", CHECKS.names())
def test_it_keeps_the_contract(name: str) -> None:
    CHECK.check(CHECKS.make(name), name)
