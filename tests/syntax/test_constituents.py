"""Grammars: what they learn, that parsing finds the best trees and all of them, and that nothing makes it raise."""

from __future__ import annotations

import math
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, ModelError
from dragoman.syntax import (
    Grammar,
    GrammarRecipe,
    evaluate_grammar,
    label_counts,
    read_treebank,
    tree_depth,
    tree_width,
)
from dragoman.syntax.bracketed import clean_tree
from dragoman.syntax.lexicon import word_classes
from dragoman.text.trees import Tree, parse_tree

BANK = [
    "(S (NP (D the) (N cat)) (VP (V sees) (NP (D the) (N dog))))",
    "(S (NP (D a) (N dog)) (VP (V sleeps)))",
    "(S (NP (N cats)) (VP (V see) (NP (NP (D a) (N dog)) (PP (P in) (NP (D the) (N house))))))",
    "(S (NP (N dogs)) (VP (V see) (NP (D the) (N cat)) (PP (P with) (NP (N eyes)))) (. .))",
    "(S (NP (D the) (J old) (J grey) (N cat)) (VP (V sleeps) (PP (P in) (NP (D a) (N house)))) (. .))",
    "(S (NP (PRP it)) (VP (V is) (NP (D a) (N house) (N cat))) (. .))",
    "(NP (D the) (N house))",
]


def bank() -> list[Tree]:
    return [parse_tree(text) for text in BANK]


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return GrammarRecipe().train(bank())


def words_of(tree: Tree) -> list[str]:
    children = tree.children()
    return [label for label, below in zip(tree.labels, children, strict=True) if not below]


def test_a_grammar_gives_back_the_trees_it_has_seen(grammar: Grammar) -> None:
    found = grammar.parse([words_of(tree) for tree in bank()])
    assert sum(str(parse.tree) == f"(ROOT {text})" for parse, text in zip(found, BANK, strict=True)) >= 6
    assert not any(parse.failed for parse in found)


def test_the_words_of_a_tree_are_the_words_given(grammar: Grammar) -> None:
    (parse,) = grammar.parse([["it", "sees", "(", "a", "unicorn", ")", "."]])
    assert words_of(parse.tree) == ["it", "sees", "-LRB-", "a", "unicorn", "-RRB-", "."]
    assert parse_tree(str(parse.tree)) == parse.tree


def test_an_ambiguous_sentence_has_several_trees_whose_confidences_are_a_share_of_all(grammar: Grammar) -> None:
    sentence = ["cats", "see", "a", "dog", "in", "the", "house", "with", "eyes", "."]
    (parse,) = grammar.parse([sentence], n_best=1000, least_share=0)
    trees = [str(tree) for tree in parse.trees()]
    assert len(set(trees)) == len(trees) == parse.n_trees > 4
    assert list(parse.scores) == sorted(parse.scores, reverse=True)
    assert parse.log_likelihood == parse.scores[0]
    assert sum(parse.confidences) == pytest.approx(1.0, abs=0.05)
    assert parse.mean_confidence == pytest.approx(sum(parse.confidences) / parse.n_trees)
    (some,) = grammar.parse([sentence], n_best=1000, least_share=0.1)
    assert some.scores == tuple(score for score in parse.scores if score >= parse.scores[0] + math.log(0.1))
    (two,) = grammar.parse([sentence], n_best=2)
    assert two.scores == parse.scores[:2]


class Naive:
    """All trees of a sentence by the definition, from the arrays of a grammar."""

    def __init__(self, grammar: Grammar) -> None:
        arrays = grammar._arrays
        self.root = grammar._about["root"]
        self.lexicon = grammar._lexicon
        self.binary: dict[int, list[tuple[int, int, float]]] = {}
        for (parent, left, right), score in zip(
            arrays["binary"].tolist(), arrays["binary_scores"].tolist(), strict=True
        ):
            self.binary.setdefault(parent, []).append((left, right, score))
        steps: dict[tuple[int, int], float] = {
            (parent, child): score
            for (parent, child), score in zip(arrays["unary"].tolist(), arrays["unary_scores"].tolist(), strict=True)
        }
        best = dict(steps)
        for _ in range(3):
            for (parent, middle), score in list(best.items()):
                for (upper, child), below in steps.items():
                    if upper == middle and parent != child and score + below > best.get((parent, child), -math.inf):
                        best[parent, child] = score + below
        self.chains: dict[int, list[tuple[int, float]]] = {}
        for (parent, child), score in best.items():
            if score >= -23 and parent != child:
                self.chains.setdefault(parent, []).append((child, score))

    def scores(self, tokens: list[str]) -> list[float]:
        rows = self.lexicon.rows(tokens)
        entries: list[dict[int, float]] = []
        for row in rows:
            begin, end = self.lexicon.offsets[row], self.lexicon.offsets[row + 1]
            entries.append(
                dict(
                    zip(self.lexicon.symbols[begin:end].tolist(), self.lexicon.scores[begin:end].tolist(), strict=True)
                )
            )

        @cache
        def bottom(i: int, j: int, symbol: int) -> tuple[float, ...]:
            if j == i + 1:
                return (entries[i][symbol],) if symbol in entries[i] else ()
            return tuple(
                score + a + b
                for left, right, score in self.binary.get(symbol, [])
                for middle in range(i + 1, j)
                for a in top(i, middle, left)
                for b in top(middle, j, right)
            )

        @cache
        def top(i: int, j: int, symbol: int) -> tuple[float, ...]:
            chained = [score + a for child, score in self.chains.get(symbol, []) for a in bottom(i, j, child)]
            return (*bottom(i, j, symbol), *chained)

        return sorted(top(0, len(tokens), self.root), reverse=True)


WORDS = st.sampled_from(["the", "cat", "sees", "dog", "in", "house", "old", ".", "unicorns", "with", "it"])


@given(
    st.lists(WORDS, min_size=1, max_size=7),
    st.sampled_from([(1, 0), (1, 1), (2, 1), (2, 2), (3, 2)]),
    st.integers(0, 3),
)
def test_trees_are_those_of_the_definition(tokens: list[str], orders: tuple[int, int], n_left_out: int) -> None:
    grammar = GrammarRecipe(vertical=orders[0], horizontal=orders[1]).train(bank()[n_left_out:])
    expected = Naive(grammar).scores(tokens)
    row = grammar._lexicon.rows(tokens)
    found: dict[str, Any] = grammar._kernel.parse(
        np.array(row, dtype=np.int32), np.array([0, len(row)], dtype=np.int64), n_best=100_000, threshold=0.0, beam=1e6
    )
    if found["failed"][0]:
        assert not expected or expected[0] < -40
        return
    assert found["scores"].tolist() == pytest.approx(expected)
    assert len(found["scores"]) <= len(expected)
    total = math.log(sum(math.exp(score - expected[0]) for score in expected)) + expected[0]
    assert found["log_sentences"][0] == pytest.approx(total, abs=1e-4)


def test_threads_do_not_change_anything(grammar: Grammar) -> None:
    lines = [words_of(tree) for tree in bank()] + [[], ["zebra"] * 9]
    one, two, seven = (grammar.parse(lines, n_best=5, n_threads=n) for n in (1, 2, 7))
    for a, b, c in zip(one, two, seven, strict=True):
        assert a.scores == b.scores == c.scores
        assert a.trees() == b.trees() == c.trees()


@pytest.mark.parametrize(
    "tokens",
    [
        [],
        ["x"],
        [". "],
        ["(", ")", "(("],
        ["the"] * 30,
        ["\x00"],
        ["\ud800"],
        [""],
        ["🙂", "の"],
        [".", ".", "."],
        ["sees", "the", "in", "in", "the"],
        ["A" * 100_000],
    ],
)
def test_whatever_stands_in_a_sentence_has_a_tree(grammar: Grammar, tokens: list[str]) -> None:
    (parse,) = grammar.parse([tokens], n_best=3)
    assert len(words_of(parse.tree)) == len(tokens)
    assert math.isfinite(parse.log_likelihood)
    if parse.failed:
        assert parse.n_trees == 0
        assert parse.confidence == parse.mean_confidence == 0
        assert parse.tree.labels[0] == "ROOT"


def test_what_does_not_parse_is_glued_from_phrases() -> None:
    # Seen so often, the words have no other tags.
    sure = GrammarRecipe().train([parse_tree("(S (NP (D the) (N cat)) (VP (V sleeps)) (. .))")] * 20)
    (parse,) = sure.parse([["sleeps", ".", "the", "cat", "."]], n_best=5)
    assert parse.failed
    assert str(parse.tree) == "(ROOT (VP (V sleeps)) (. .) (NP (D the) (N cat)) (. .))"
    assert math.isfinite(parse.log_likelihood)
    assert parse.confidences == ()


def test_long_sentences_are_parsed_in_pieces(grammar: Grammar) -> None:
    sentence = words_of(bank()[4]) * 3
    (parse,) = grammar.parse([sentence], longest=10)
    assert parse.failed
    assert words_of(parse.tree) == sentence
    (short,) = grammar.parse([sentence[:9]], longest=10)
    assert not short.failed


def test_a_saved_grammar_says_the_same(grammar: Grammar, tmp_path: Path) -> None:
    grammar.save(tmp_path / "grammar")
    loaded = Grammar.load(tmp_path / "grammar")
    lines = [words_of(tree) for tree in bank()]
    assert [p.tree for p in loaded.parse(lines)] == [p.tree for p in grammar.parse(lines)]
    assert loaded.recipe == grammar.recipe
    assert loaded.n_rules == grammar.n_rules > 30
    manifest = tmp_path / "grammar" / "grammar.json"
    manifest.write_text("{}", encoding="utf-8")
    with pytest.raises(ModelError):
        Grammar.load(tmp_path / "grammar")


def test_errors_say_what_is_wrong(grammar: Grammar) -> None:
    with pytest.raises(DataError, match="no trees to learn a grammar from"):
        GrammarRecipe().train([])
    with pytest.raises(DataError, match="no trees to learn a grammar from"):
        GrammarRecipe().train([parse_tree("(S (-NONE- *))"), parse_tree("")])
    with pytest.raises(DataError, match="Tree 2: the word 'cat' stands beside others below NP; each word needs a part"):
        GrammarRecipe().train([parse_tree("(S (A a))"), parse_tree("(S (NP (D the) cat))")])
    with pytest.raises(DataError, match="Expected sentences as lists of tokens, found a str"):
        grammar.parse(["the cat"])
    with pytest.raises(DataError, match=r"at least 1, least_share is from 0 to 1; found 0, 100, 0\.001"):
        grammar.parse([["the"]], n_best=0)
    with pytest.raises(DataError, match=r"'vertical' option of GrammarRecipe must be at least 1 and at most 3\. Got 9"):
        GrammarRecipe(vertical=9).train(bank())


def test_classes_of_words() -> None:
    assert list(word_classes("Walking", is_first=False)) == ["Aa ing", "Aa ng", "Aa g", "Aa", ""]
    assert list(word_classes("Is", is_first=True)) == ["^Aa s", "^Aa", ""]
    assert list(word_classes("EU", is_first=False)) == ["A u", "A", ""]
    assert list(word_classes("3,5", is_first=False))[-2:] == ["0", ""]
    assert next(word_classes("late-night", is_first=False)) == "a- ght"
    assert list(word_classes("", is_first=False)) == [".", ""]


def test_shape_of_trees() -> None:
    tree = clean_tree(parse_tree(BANK[0]))
    assert (tree_depth(tree), tree_width(tree)) == (5, 5)
    assert label_counts(tree)["NP"] == 2
    empty = parse_tree("")
    assert (tree_depth(empty), tree_width(empty), sum(label_counts(empty).values())) == (0, 0, 0)


@pytest.mark.realdata
def test_the_penn_treebank_sample(data_folder: Path, tmp_path: Path) -> None:
    trees: list[Tree] = []
    with zipfile.ZipFile(data_folder / "treebank-sample" / "treebank.zip") as archive:
        for name in sorted(archive.namelist()):
            if name.startswith("treebank/combined/") and name.endswith(".mrg"):
                trees += read_treebank(archive.extract(name, tmp_path))
    assert len(trees) == 3914
    cut = len(trees) * 9 // 10
    short = [tree for tree in trees[cut:] if len(words_of(clean_tree(tree))) <= 20][:40]
    score = evaluate_grammar(GrammarRecipe().train(trees[:cut]), short)
    assert score.f1 > 0.75
    assert score.n_failed == 0
    assert score.n_tags_right / score.n_words > 0.92
