"""Accuracy on Universal Dependencies' treebanks; the floors are what a quick recipe reached, less a point for luck."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.syntax import Parser, ParserRecipe, evaluate_parser, merge_multiword_tokens
from dragoman.text.conllu import read_conllu

pytestmark = pytest.mark.realdata

QUICK = ParserRecipe(runs=1, epochs=3, tag_epochs=3, folds=2, xpos=False)


@pytest.fixture(scope="module")
def german(data_folder: Path) -> Parser:
    return QUICK.train(read_conllu(data_folder / "ud" / "de_gsd-ud-dev.conllu.gz"), n_threads=2)


def test_a_small_treebank_gives_a_usable_parser(german: Parser, data_folder: Path) -> None:
    accuracy = evaluate_parser(german, read_conllu(data_folder / "ud" / "de_gsd-ud-test.conllu.gz"))
    assert accuracy["UPOS"] > 90.0
    assert accuracy["UAS"] > 72.0
    assert accuracy["LAS"] > 64.5


def test_spanish_learnt_from_one_treebank(data_folder: Path) -> None:
    parser = QUICK.train(read_conllu(data_folder / "ud" / "es_gsd-ud-dev.conllu.gz"), n_threads=2)
    test = read_conllu(data_folder / "ud" / "es_gsd-ud-test.conllu.gz")
    accuracy = evaluate_parser(parser, test)
    assert accuracy["UPOS"] > 91.5
    assert accuracy["UAS"] > 77.5
    assert accuracy["LAS"] > 72.5
    # A probability of 0.9 means nine of ten.
    expected = [merge_multiword_tokens(sentence) for sentence in test]
    parses = parser.annotate([[word.form for word in sentence.words] for sentence in expected])
    assert parses.heads is not None
    assert parses.arc_confidences is not None
    right = parses.heads == np.array([word.head for sentence in expected for word in sentence.words])
    assert abs(parses.arc_confidences.mean() - right.mean()) < 0.05
    sure = parses.arc_confidences > 0.9
    assert right[sure].mean() > 0.85
    assert right[~sure].mean() < 0.8


def test_merged_treebanks_are_trees_with_one_word_a_token(data_folder: Path) -> None:
    for name in ("fr_sequoia-ud-dev", "en_ewt-ud-dev"):
        for sentence in read_conllu(data_folder / "ud" / f"{name}.conllu.gz"):
            merged = merge_multiword_tokens(sentence).check_tree()
            assert [word.form for word in merged.words] == [token.form for token in sentence.tokens]


@pytest.mark.slow
def test_the_whole_recipe_on_english(data_folder: Path) -> None:
    ud = data_folder / "ud"
    parser = ParserRecipe(xpos=False).train(read_conllu(ud / "en_lines-ud-train.conllu.gz"), n_threads=2)
    accuracy = evaluate_parser(parser, read_conllu(ud / "en_lines-ud-test.conllu.gz"))
    assert accuracy["UPOS"] >= 94.0
    assert accuracy["LAS"] >= 78.0
