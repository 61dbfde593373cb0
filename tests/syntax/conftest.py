from __future__ import annotations

import pytest

from dragoman.syntax import Parser, ParserRecipe
from tests.syntax.toy import toy_treebank


@pytest.fixture(scope="session")
def toy_parser() -> Parser:
    """A parser of the toy language."""
    return ParserRecipe(epochs=5, tag_epochs=4, folds=3).train(toy_treebank(80))
