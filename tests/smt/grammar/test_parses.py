"""Parses beside a text, and trees as nested spans."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, FormatError, ModelError
from dragoman.smt.grammar.parses import parse_text, read_parses
from dragoman.smt.grammar.span_trees import (
    constituent_spans,
    dependency_spans,
    heads_of,
    projected_spans,
    reordered,
    subtree_spans,
)
from dragoman.text.conllu import Sentence, Word, iter_conllu, write_conllu
from dragoman.text.trees import parse_tree


def sentence(heads: str, forms: str = "") -> Sentence:
    """Heads in a row of digits; `_` for none."""
    names = forms.split() or ["w"] * len(heads)
    return Sentence(
        tuple(
            Word(i, form, upos="NOUN", head=None if head == "_" else int(head), deprel="dep")
            for i, (form, head) in enumerate(zip(names, heads, strict=True), 1)
        )
    )


class TestReading:
    def test_dependencies_with_lines_without_tokens_or_trees(self, tmp_path: Path) -> None:
        write_conllu(tmp_path / "a.conllu", [sentence("20"), sentence("__"), sentence("0")])
        parses = read_parses(tmp_path / "a.conllu", [2, 0, 2, 1, 0])
        assert [line is None for line in parses.lines] == [False, True, True, False, True]
        assert parses.n_missing == 3
        assert len(parses.take([0, 3])) == 2

    def test_words_of_one_token_are_one(self, tmp_path: Path) -> None:
        rows = ("1-2\tau" + "\t_" * 8, "1\tà\t_\tADP\t_\t_\t2\tcase\t_\t_", "2\tle\t_\tDET\t_\t_\t0\troot\t_\t_\n\n")
        (tmp_path / "a.conllu").write_text("\n".join(rows), encoding="utf-8")
        (merged,) = read_parses(tmp_path / "a.conllu", [1]).lines
        assert isinstance(merged, Sentence)
        assert merged.words[0].form == "au"
        (split,) = read_parses(tmp_path / "a.conllu", [2]).lines
        assert isinstance(split, Sentence)
        assert len(split.words) == 2

    def test_brackets_and_folders(self, tmp_path: Path) -> None:
        (tmp_path / "1.trees").write_text("(S (N a))\n\n", encoding="utf-8")
        write_conllu(tmp_path / "2.conllu", [sentence("20")])
        parses = read_parses(tmp_path, [1, 3, 2])
        assert parses.n_missing == 1
        (tmp_path / "none").mkdir()
        with pytest.raises(DataError, match="has no files"):
            read_parses(tmp_path / "none", [1])

    @pytest.mark.parametrize(
        ("text", "lengths", "message"),
        [
            ("(S (N a))\n(S (N a))\n", [1, 2], r"a\.trees:2: the parse of line 2 has 1 tokens, the line has 2"),
            ("(S (N a))\n(S (N a))\n", [1], r"a\.trees:2: a parse too many: the text has 1 lines"),
            ("(S (N a))\n", [1, 1, 1], r"a\.trees has no parse for line 2 of the text, which has 3"),
            ("(S (N a)\n", [1], r"a\.trees:1: 1 brackets are not closed"),
        ],
    )
    def test_what_does_not_fit_is_named(self, tmp_path: Path, text: str, lengths: list[int], message: str) -> None:
        (tmp_path / "a.trees").write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=message):
            read_parses(tmp_path / "a.trees", lengths)

    @pytest.mark.parametrize(
        ("heads", "message"), [("210", "circle"), ("00", "has 2 \\(1, 2\\)"), ("21", "has 0"), ("2_0", "has no head")]
    )
    def test_what_is_no_tree_is_named(self, tmp_path: Path, heads: str, message: str) -> None:
        write_conllu(tmp_path / "a.conllu", [sentence("0"), sentence(heads)])
        with pytest.raises(FormatError, match=rf"a\.conllu:3: sentence 2: .*{message}"):
            read_parses(tmp_path / "a.conllu", [1, len(heads)])

    def test_a_model_that_parses_nothing_is_named(self, tmp_path: Path) -> None:
        from dragoman.lm import KneserNey

        KneserNey(order=2).train(["a b", "b a"]).save(tmp_path / "lm")
        with pytest.raises(ModelError, match="which parses nothing"):
            parse_text(tmp_path / "lm", [["a"]])


class TestSpans:
    def test_constituents(self) -> None:
        tree = constituent_spans(parse_tree("(S (NP (D a) (N cat)) sleeps (. .))"))
        assert list(zip(tree.labels, tree.begins, tree.ends, tree.parents, strict=True)) == [
            ("S", 0, 4, -1),
            ("NP", 0, 2, 0),
            ("D", 0, 1, 1),
            ("N", 1, 2, 1),
            (".", 3, 4, 0),
        ]

    def test_dependencies(self) -> None:
        tree = dependency_spans(heads_of(sentence("2023")), "X")
        nodes = list(zip(tree.begins, tree.ends, tree.parents, strict=True))
        assert nodes == [(0, 4, -1), (0, 1, 0), (2, 4, 0), (3, 4, 2)]

    def test_constituents_made_from_dependencies(self) -> None:
        words = [
            ("that", "SCONJ", 5, "mark"),
            ("the", "DET", 3, "det"),
            ("man", "NOUN", 5, "nsubj"),
            ("has", "AUX", 5, "aux"),
            ("slept", "VERB", 0, "root"),
            ("in", "ADP", 7, "case"),
            ("Rome", "PROPN", 5, "obl"),
            (".", "PUNCT", 5, "punct"),
        ]
        rows = tuple(Word(i, form, upos=u, head=h, deprel=d) for i, (form, u, h, d) in enumerate(words, 1))
        tree = projected_spans(Sentence(rows))
        nodes = list(zip(tree.labels, tree.begins, tree.ends, strict=True))
        assert {("SBAR", 0, 7), ("S", 1, 7), ("VP", 3, 7), ("NP", 1, 3), ("PP", 5, 7), ("NP", 6, 7)} < set(nodes)
        assert ("DET", 1, 2) in nodes
        assert nodes[0] == ("SBAR", 0, 8)


@st.composite
def trees(draw: st.DrawFn) -> list[int]:
    """Heads of a tree, −1 for the root, in any order of the words."""
    size = draw(st.integers(1, 9))
    order = draw(st.permutations(range(size)))
    heads = [-1] * size
    for place in range(1, size):
        heads[order[place]] = order[draw(st.integers(0, place - 1))]
    return heads


def crosses(heads: list[int]) -> bool:
    """Whether a word between head and dependent hangs elsewhere."""
    above: list[set[int]] = []
    for start in range(len(heads)):
        chain, word = set(), start
        while word >= 0:
            chain.add(word)
            word = heads[word]
        above.append(chain)
    return any(
        head not in above[between]
        for word, head in enumerate(heads)
        if head >= 0
        for between in range(min(word, head) + 1, max(word, head))
    )


@given(trees())
def test_reordered_trees_cross_nowhere(heads: list[int]) -> None:
    order = reordered(heads)
    assert sorted(order) == list(range(len(heads)))
    if not crosses(heads):
        assert order == list(range(len(heads)))
    places = {old: new for new, old in enumerate(order)}
    moved = [places.get(heads[old], -1) for old in order]  # the same arcs between the words at their new places
    assert not crosses(moved)
    # Dependents stay on their side of the head, in their order.
    for word, head in enumerate(heads):
        if head >= 0:
            assert (word < head) == (places[word] < places[head])
    assert all(begin < end for begin, end in subtree_spans(moved))


def test_what_moves_when_the_tree_is_made_projective() -> None:
    """Graham 2013: in `When did the crisis begin ?`, when stands beside begin."""
    tokens = ["When", "did", "the", "crisis", "begin", "?"]
    heads = [4, -1, 3, 1, 1, 1]
    assert [tokens[place] for place in reordered(heads)] == ["did", "the", "crisis", "When", "begin", "?"]


@pytest.mark.realdata
def test_all_trees_of_a_german_treebank_become_projective(data_folder: Path) -> None:
    """Graham 2013 on UD German GSD: every tree is projective once reordered, and was already where its order stays."""
    n_moved = 0
    for sentence_ in iter_conllu(data_folder / "ud" / "de_gsd-ud-dev.conllu.gz"):
        heads = heads_of(sentence_)
        order = reordered(heads)
        places = {old: new for new, old in enumerate(order)}
        assert not crosses([places.get(heads[old], -1) for old in order])
        n_moved += order != list(range(len(heads)))
        assert (order != list(range(len(heads)))) == crosses(heads)
    assert n_moved > 10
