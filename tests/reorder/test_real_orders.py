"""Reorderers on real text: every order is one, lattices have what they promise, and links cross less."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from dragoman.files import read_lines
from dragoman.reorder import METHODS, Reorderer, ReorderRecipe, evaluate_order, learn_order
from dragoman.reorder.orders import is_order
from dragoman.smt.preparation import TextSide
from dragoman.smt.recipe import EngineRecipe
from dragoman.syntax import Parser, ParserRecipe
from dragoman.text.conllu import iter_conllu

pytestmark = pytest.mark.realdata

TREEBANKS = {"en": "en_partut-ud-train", "de": "de_pud-ud-test"}
TEXTS = {"en-ja": ("small-enja/train", "small-enja/test"), "de-en": ("multi30k/train", "multi30k/test_2016_flickr")}


@pytest.fixture(scope="module")
def parsers(data_folder: Path) -> dict[str, Parser]:
    """Small ones, of one treebank each."""
    recipe = ParserRecipe(epochs=2, tag_epochs=2, folds=2)
    banks = {lang: iter_conllu(data_folder / "ud" / f"{name}.conllu.gz") for lang, name in TREEBANKS.items()}
    return {
        lang: recipe.train([each for _, each in zip(range(800), bank, strict=False)]) for lang, bank in banks.items()
    }


def text(data_folder: Path, pair: str, part: int, n: int) -> tuple[list[str], list[str]]:
    """Tokenised lines of both sides."""
    sides = [
        TextSide(lang, EngineRecipe().text).tokenise(read_lines(data_folder / f"{TEXTS[pair][part]}.{lang}.gz")[:n])
        for lang in pair.split("-")
    ]
    return sides[0], sides[1]


@pytest.mark.parametrize(("pair", "method"), [*(("en-ja", name) for name in METHODS.names()), ("de-en", "short+long")])
def test_every_order_is_a_permutation(
    data_folder: Path, parsers: dict[str, Parser], pair: str, method: str, tmp_path: Path
) -> None:
    parser = parsers[pair.split("-")[0]]
    learnt = learn_order(*text(data_folder, pair, 0, 600), recipe=ReorderRecipe(method=method), parser=parser)
    reorderer = Reorderer.load(learnt.reorderer.save(tmp_path / "order"))
    token_lines = [line.split() for line in text(data_folder, pair, 1, 100)[0]]
    for tokens, sentence in zip(token_lines, reorderer.annotate(token_lines), strict=True):
        best = reorderer.order(sentence)
        lattice = reorderer.lattice(sentence)
        assert is_order(best, len(tokens))
        assert lattice.reads(best)
        assert lattice.reads(range(len(tokens)))
        assert len(lattice.arcs) <= max(reorderer.recipe.arcs, 2) * max(1, len(tokens))
        for path in islice(lattice.paths(), 50):
            assert is_order(path, len(tokens))


@pytest.mark.slow  # words are aligned
def test_fewer_links_cross_in_japanese_order(data_folder: Path, parsers: dict[str, Parser]) -> None:
    """Of English as it stands some .30 of all pairs of links cross."""
    train = text(data_folder, "en-ja", 0, 2000)
    learnt = learn_order(*train, recipe=ReorderRecipe(method="tree"), parser=parsers["en"]).reorderer
    evaluation = evaluate_order(learnt, *text(data_folder, "en-ja", 1, 200), more=zip(*train, strict=True))
    assert evaluation.before.share is not None
    assert evaluation.after.share is not None
    assert evaluation.after.share < 0.8 * evaluation.before.share
    assert evaluation.n_covered >= max(evaluation.n_right, evaluation.n_monotone)  # a lattice has both orders
