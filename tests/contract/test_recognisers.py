"""Every recogniser of the registry keeps the contract of recognisers."""

from __future__ import annotations

import pytest

from dragoman.cat.pen import RECOGNISERS
from dragoman.testing.recognisers import RECOGNISER


@pytest.mark.parametrize("name", RECOGNISERS.names())
def test_it_keeps_the_contract(name: str) -> None:
    RECOGNISER.check(RECOGNISERS.make(name), name)
