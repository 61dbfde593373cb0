"""Every selector of the registry keeps the contract of selectors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dragoman.errors import DataError, NotAvailable, UnknownName
from dragoman.learn import LEARNERS, SELECTORS
from dragoman.qe import learn_scores
from dragoman.testing.learners import quality_data as made
from dragoman.testing.selectors import SELECTOR

QUICK = {"stability": "stability:draws=20"}


@pytest.mark.parametrize("name", SELECTORS.names())
def test_it_keeps_the_contract(name: str) -> None:
    SELECTOR.check(QUICK.get(name, name), name)


def test_a_wrong_selector_is_named_before_work(monkeypatch: pytest.MonkeyPatch) -> None:
    features, scores = made(20)
    ridge = LEARNERS.make("ridge")
    with pytest.raises(UnknownName, match="No selector of features is called 'best'"):
        learn_scores(replace(ridge, select=("best",)), features, scores, task="hter")
    with pytest.raises(DataError, match="The 'most' option of Exhaustive must be at least 1 and at most 24"):
        learn_scores(replace(ridge, select=("exhaustive:most=30",)), features, scores, task="hter")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(NotAvailable, match="selector stability needs the package scikit-learn"):
        learn_scores(replace(ridge, select=("stability",)), features, scores, task="hter")
