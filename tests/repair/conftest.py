"""A parser of the few English sentences that tests repair translations of."""

from __future__ import annotations

import pytest

from dragoman.syntax import Parser, ParserRecipe
from tests.repair.language import ADJECTIVES, source

TREES = (
    "A/DET/2/det {n}/NOUN/7/nsubj/Number=Sing in/ADP/6/case a/DET/6/det {a}/ADJ/6/amod shirt/NOUN/2/nmod/Number=Sing "
)
TREES += "plays/VERB/0/root/VerbForm=Fin ./PUNCT/7/punct"


@pytest.fixture(scope="session")
def parser() -> Parser:
    trees = [source(TREES.format(n=n, a=a)) for n in ("man", "woman") for a in ADJECTIVES]
    clause = "A/DET/3/det {a}/ADJ/3/amod man/NOUN/4/nsubj/Number=Sing plays/VERB/0/root ./PUNCT/4/punct"
    trees += [source(clause.format(a=a)) for a in ADJECTIVES]
    return ParserRecipe(runs=1, epochs=3, tag_epochs=3, folds=2, xpos=False).train(trees * 10)
