"""Every recogniser of the registry keeps the contract of recognisers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dragoman.cat.pen import RECOGNISERS, Recogniser
from dragoman.testing.recognisers import RECOGNISER


@pytest.mark.parametrize("name", RECOGNISERS.names())
@pytest.mark.parametrize("rule", RECOGNISER.rules)
def test_it_keeps_the_contract(name: str, rule: Callable[[Recogniser], None]) -> None:
    rule(RECOGNISERS.make(name))
