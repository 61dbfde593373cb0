"""Rules cut out of trees: worked examples of the papers, and the definition written out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.grammar.extraction import GrammarExtraction
from dragoman.smt.grammar.parses import ParsedText
from dragoman.smt.grammar.span_trees import SpanTree, constituent_spans, span_tree
from dragoman.smt.grammar.tree_extraction import (
    DEPENDENCY_RULES,
    TreeExtraction,
    Trees,
    constituent_trees,
    dependency_trees,
)
from dragoman.smt.pairs import encode
from dragoman.text.conllu import Sentence, Word
from dragoman.text.trees import parse_tree
from dragoman.text.vocabulary import Vocabulary

Words = tuple[Vocabulary, Vocabulary]
WHOLE = GrammarExtraction(translations_per_source=0)


def bitext(source: str, target: str, links: str) -> tuple[AlignedText, Words]:
    """One sentence pair; links in Pharaoh's format."""
    words = Vocabulary(), Vocabulary()
    points = [[int(each) for each in link.split("-")] for link in links.split()]
    return (
        AlignedText(
            encode(words[0], [source]),
            encode(words[1], [target]),
            np.array(points, dtype=np.uint16).reshape(-1, 2),
            np.array([0, len(points)], dtype=np.int64),
        ),
        words,
    )


def rules(path: Path, text: AlignedText, words: Words, trees: Trees, recipe: TreeExtraction) -> set[tuple[str, str]]:
    recipe.extract(text, *words, trees, path, scoring=WHOLE)
    lines = [line.split(" ||| ")[:2] for line in path.read_text(encoding="utf-8").splitlines()]
    assert len({tuple(line) for line in lines}) == len(lines)
    return {(source, target) for source, target in lines}


NIKITIN = parse_tree(
    "(TOP (S-TOP (PDS das) (VAFIN ist) (NP-PD (ART der) (NN Fall)"
    " (PP-MNR (APPR von) (PN-NK (NE Alexander) (NE Nikitin))))) (PUNC .))"
)
IT_IS = bitext(
    "it is the case of Alexander Nikitin .",
    "das ist der Fall von Alexander Nikitin .",
    " ".join(f"{i}-{i}" for i in range(8)),
)


class TestWilliamsKoehn:
    """Williams & Koehn 2012, figures 1 and 2."""

    def rules(self, folder: Path, recipe: TreeExtraction) -> set[tuple[str, str]]:
        return rules(folder / "rules", *IT_IS, constituent_trees(ParsedText((NIKITIN,)), "target"), recipe)

    def test_the_five_rules(self, tmp_path: Path) -> None:
        every = self.rules(tmp_path, TreeExtraction())
        assert ("the case of Alexander Nikitin [X]", "der Fall von Alexander Nikitin [NP-PD]") in every
        assert ("the case [X][PP-MNR] [X]", "der Fall [X][PP-MNR] [NP-PD]") in every
        assert ("[X][ART] case [X][PP-MNR] [X]", "[X][ART] Fall [X][PP-MNR] [NP-PD]") in every
        assert ("of [X][PN-NK] [X]", "von [X][PN-NK] [PP-MNR]") in every
        assert ("of [X][NE] [X][NE] [X]", "von [X][NE] [X][NE] [PP-MNR]") in every

    def test_their_scopes(self, tmp_path: Path) -> None:
        """0, 1, 2, 1 and 2: each is there from its scope on."""
        scopes = [
            ("the case of Alexander Nikitin [X]", 0),
            ("the case [X][PP-MNR] [X]", 1),
            ("[X][ART] case [X][PP-MNR] [X]", 2),
            ("of [X][PN-NK] [X]", 1),
            ("of [X][NE] [X][NE] [X]", 2),
            ("[X][NE] [X][NE] [X]", 3),
        ]
        by_limit = {
            limit: {source for source, _ in self.rules(tmp_path, TreeExtraction(scope=limit))} for limit in (1, 2, 3)
        }
        for source, scope in scopes:
            assert [source in by_limit[limit] for limit in (1, 2, 3)] == [scope <= limit for limit in (1, 2, 3)]
        # Four gaps in a row have scope 5.
        assert "[X][PDS] [X][VAFIN] [X][NP-PD] [X]" not in by_limit[3]
        assert "[X][PDS] [X][VAFIN] [X][NP-PD] [X]" in {
            source for source, _ in self.rules(tmp_path, TreeExtraction(scope=4))
        }

    def test_how_deep_a_rule_may_be(self, tmp_path: Path) -> None:
        every = {source for source, _ in self.rules(tmp_path, TreeExtraction())}
        assert "it is the case of [X][PN-NK] [X]" in every
        assert "it is the case of [X][NE] Nikitin [X]" not in every
        assert "it is the case of [X][NE] Nikitin [X]" in {
            source for source, _ in self.rules(tmp_path, TreeExtraction(depth=4, size=4))
        }

    def test_its_nodes_are_thirteen(self) -> None:
        assert len(constituent_spans(NIKITIN)) == 13

    def test_both_directions(self, tmp_path: Path) -> None:
        """Trees over the source: the same rules with the labels on the other side."""
        text, words = IT_IS
        flipped = AlignedText(text.target, text.source, text.links[:, ::-1].copy(), text.link_offsets)
        trees = constituent_trees(ParsedText((NIKITIN,)), "source")
        every = rules(tmp_path / "rules", flipped, (words[1], words[0]), trees, TreeExtraction())
        assert ("der Fall [PP-MNR][X] [NP-PD]", "the case [PP-MNR][X] [X]") in every
        swapped = {(s.replace("][", "|"), t.replace("][", "|")) for s, t in self.rules(tmp_path, TreeExtraction())}
        assert len(swapped) == len(every)


MOECHTE = Sentence(
    tuple(
        Word(i, form, upos="X", head=head, deprel="root" if head == 0 else "dep")
        for i, (form, head) in enumerate(
            [("ich", 2), ("möchte", 0), ("nur", 4), ("wenige", 5), ("anmerkungen", 6), ("machen", 2), (".", 2)], 1
        )
    )
)


class TestGraham:
    """Graham 2013, figures 3 and 4: the rules of a sentence whose gaps are complete dependency subtrees."""

    def rules(self, folder: Path) -> set[tuple[str, str]]:
        text, words = bitext(
            "ich möchte nur wenige anmerkungen machen .",
            "i should like to make just a few comments .",
            "0-0 1-1 1-2 1-3 2-5 3-6 3-7 4-8 5-4 6-9",
        )
        twice, trees = dependency_trees(text, ParsedText((MOECHTE,)), "source")
        recipe = TreeExtraction(**{**DEPENDENCY_RULES.to_dict(), "phrases": 0})
        return rules(folder / "rules", twice, words, trees, recipe)

    def test_the_25_rules(self, tmp_path: Path) -> None:
        subtree = [
            ("nur wenige anmerkungen machen", "make just a few comments"),
            ("[X][X]", "[X][X]"),
            ("[X][X] machen", "make [X][X]"),
            ("[X][X] anmerkungen machen", "make [X][X] comments"),
            ("[X][X] wenige anmerkungen machen", "make [X][X] a few comments"),
        ]
        whole = {
            (f"{i} möchte {s} {dot} [X]", f"{e} should like to {t} {dot} [X]")
            for (i, e), (s, t), dot in product([("ich", "i"), ("[X][X]", "[X][X]")], subtree, [".", "[X][X]"])
        } - {("ich möchte nur wenige anmerkungen machen . [X]", "i should like to make just a few comments . [X]")}
        assert len(whole) == 19
        below = {(f"{source} [X]", f"{target} [X]") for source, target in subtree[2:]} | {
            ("[X][X] anmerkungen [X]", "[X][X] comments [X]"),
            ("[X][X] wenige anmerkungen [X]", "[X][X] a few comments [X]"),
            ("[X][X] wenige [X]", "[X][X] a few [X]"),
        }
        assert self.rules(tmp_path) == whole | below
        assert len(whole | below) == 25

    def test_heads_stay_in_the_rule(self, tmp_path: Path) -> None:
        """White house: the dependent may be a gap beside its head, and not the head beside its dependent."""
        text, words = bitext("white house", "casa blanca", "0-1 1-0")
        house = Sentence((Word(1, "white", head=2, deprel="amod"), Word(2, "house", head=0, deprel="root")))
        twice, trees = dependency_trees(text, ParsedText((house,)), "source")
        assert rules(tmp_path / "rules", twice, words, trees, DEPENDENCY_RULES) == {
            ("[X][X] house [X]", "casa [X][X] [X]"),
            ("house [X]", "casa [X]"),
            ("white [X]", "blanca [X]"),
            ("white house [X]", "casa blanca [X]"),
        }

    def test_words_move_where_arcs_cross(self, tmp_path: Path) -> None:
        text, words = bitext("when did it begin", "a b c d", "0-0 1-1 2-2 3-3")
        crossing = Sentence(
            tuple(
                Word(i, form, head=h)
                for i, (form, h) in enumerate([("when", 4), ("did", 0), ("it", 2), ("begin", 2)], 1)
            )
        )
        twice, trees = dependency_trees(text, ParsedText((crossing,)), "source")
        assert [words[0].words()[i] for i in twice.source[1]] == ["did", "it", "when", "begin"]
        every = rules(tmp_path / "rules", twice, words, trees, DEPENDENCY_RULES)
        assert ("[X][X] begin [X]", "[X][X] d [X]") not in every  # `a` and `d` have other words between them
        assert ("when did [X]", "a b [X]") in every  # phrases are those of the text as it is

    def test_lines_without_a_parse_have_phrases_alone(self, tmp_path: Path) -> None:
        text, words = bitext("white house", "casa blanca", "0-1 1-0")
        twice, trees = dependency_trees(text, ParsedText((None,)), "source")
        assert len(twice) == 1
        assert len(rules(tmp_path / "rules", twice, words, trees, DEPENDENCY_RULES)) == 3


def naive_rules(
    tree: SpanTree, n_tree: int, n_other: int, links: Sequence[tuple[int, int]], recipe: TreeExtraction
) -> Iterator[tuple[list[int | str], list[int | str]]]:
    """The definition: every set of frontier nodes below a frontier node, none below another, that limits allow.

    Sides are lists of places and, for gaps, of names of nodes; links are of the tree's side and the other.
    """
    spans = list(zip(tree.begins, tree.ends, strict=True))
    n = len(tree)

    def is_below(node: int, top: int) -> bool:
        while node > top:
            node = tree.parents[node]
        return node == top

    def closure(node: int) -> tuple[int, int]:
        inside = [o for t, o in links if spans[node][0] <= t < spans[node][1]]
        return (min(inside), max(inside) + 1) if inside else (0, 0)

    def is_frontier(node: int) -> bool:
        low, high = closure(node)
        outside = {o for t, o in links if not spans[node][0] <= t < spans[node][1]}
        return high > 0 and not outside & set(range(low, high))

    children = [[c for c in range(n) if tree.parents[c] == node] for node in range(n)]
    bare = [set(range(*spans[i])) - {w for c in children[i] for w in range(*spans[c])} for i in range(n)]
    for top in filter(is_frontier, range(n)):
        below = [node for node in range(n) if node != top and is_below(node, top)]
        frontier = [node for node in below if is_frontier(node)]
        minimal = {g for g in frontier if not any(is_below(g, o) and g != o for o in frontier)}
        for chosen in product((False, True), repeat=len(frontier)):
            gaps = {node for node, take in zip(frontier, chosen, strict=True) if take}
            if any(a != b and is_below(a, b) for a in gaps for b in gaps):
                continue
            inner = [i for i in [top, *below] if not any(is_below(i, gap) for gap in gaps)]
            expanded = [node for node in inner if children[node]]
            depths = []
            for node in [*inner, *gaps]:
                depth = 0
                while node != top:
                    depth, node = depth + 1, tree.parents[node]
                depths.append(depth)
            words = {w for node in inner for w in bare[node]}
            too_big = max(depths) > recipe.depth or len(inner) + len(gaps) > recipe.nodes or len(expanded) > recipe.size
            if gaps != minimal and too_big:
                continue
            low, high = (0, n_other) if tree.parents[top] < 0 else closure(top)
            tree_side = sorted([*((w, w) for w in words), *((spans[g][0], f"n{g}") for g in gaps)], key=lambda x: x[0])
            taken = {p: g for g in gaps for p in range(*closure(g))}
            other = [f"n{taken[p]}" if p in taken else p for p in range(low, high)]
            other = [x for i, x in enumerate(other) if i == 0 or other[i - 1] != x or isinstance(x, int)]
            yield [x for _, x in tree_side], other


@st.composite
def parsed_pairs(draw: st.DrawFn) -> tuple[SpanTree, int, int, list[tuple[int, int]]]:
    n_tree, n_other = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    nodes = {(0, n_tree)}
    for _ in range(draw(st.integers(0, 4))):
        begin = draw(st.integers(0, n_tree - 1))
        end = draw(st.integers(begin + 1, n_tree))
        if all(e <= begin or end <= b or (b <= begin and end <= e) or (begin <= b and e <= end) for b, e in nodes):
            nodes.add((begin, end))
    links = draw(st.lists(st.tuples(st.integers(0, n_tree - 1), st.integers(0, n_other - 1)), max_size=6, unique=True))
    return span_tree((f"L{b}{e}", b, e) for b, e in nodes), n_tree, n_other, links


@given(parsed_pairs(), st.booleans(), st.sampled_from([(3, 15, 3), (1, 4, 1), (2, 15, 2)]), st.integers(1, 6))
def test_the_definition_written_out(
    tmp_path_factory: pytest.TempPathFactory,
    pair: tuple[SpanTree, int, int, list[tuple[int, int]]],
    of_source: bool,
    limits: tuple[int, int, int],
    scope: int,
) -> None:
    tree, n_tree, n_other, links = pair
    depth, nodes, size = limits
    recipe = TreeExtraction(depth=depth, nodes=nodes, size=size, gaps=0, symbols=0, scope=scope, phrases=0, unary=True)
    tree_words = [f"t{i}" for i in range(n_tree)]
    other_words = [f"o{i}" for i in range(n_other)]
    expected = set()
    for in_tree, other in naive_rules(tree, n_tree, n_other, links, recipe):
        source = in_tree if of_source else other
        is_gap = [isinstance(each, str) for each in source]
        open_ends = sum(a and b for a, b in pairwise(is_gap)) + is_gap[0] + is_gap[-1]
        if open_ends > scope:
            continue
        top = next(
            label
            for label, b, e in zip(tree.labels, tree.begins, tree.ends, strict=True)
            if (b, e) == _extent(in_tree, tree)
        )
        spelt = []
        for side, words, is_tree in ((in_tree, tree_words, True), (other, other_words, False)):
            symbols = [
                words[x]
                if isinstance(x, int)
                else (f"[{tree.labels[int(x[1:])]}][X]" if of_source else f"[X][{tree.labels[int(x[1:])]}]")
                for x in side
            ]
            spelt.append(" ".join([*symbols, f"[{top if is_tree else 'X'}]"]))
        expected.add((spelt[0], spelt[1]) if of_source else (spelt[1], spelt[0]))
    pairs = links if of_source else [(o, t) for t, o in links]
    lines = (" ".join(tree_words), " ".join(other_words))
    text, words = bitext(*(lines if of_source else lines[::-1]), " ".join(f"{s}-{t}" for s, t in pairs))
    trees = Trees.of([tree], "source" if of_source else "target")
    assert rules(tmp_path_factory.mktemp("rules") / "rules", text, words, trees, recipe) == expected


def _extent(side: Sequence[int | str], tree: SpanTree) -> tuple[int, int]:
    begins = [x if isinstance(x, int) else tree.begins[int(x[1:])] for x in side]
    ends = [x + 1 if isinstance(x, int) else tree.ends[int(x[1:])] for x in side]
    return min(begins), max(ends)


class TestUnary:
    TREE = parse_tree("(S (NP (NN dogs)) (VP (V run) (ADV fast)))")
    PAIR = bitext("hunde rennen", "dogs run fast", "0-0 1-1")

    def test_a_gap_alone_is_no_source_side(self, tmp_path: Path) -> None:
        trees = constituent_trees(ParsedText((self.TREE,)), "target")
        plain = rules(tmp_path / "rules", *self.PAIR, trees, TreeExtraction())
        assert ("[X][NN] [X]", "[X][NN] [NP]") not in plain
        assert ("[X][V] [X]", "[X][V] fast [VP]") not in plain  # only the target has a word
        assert {("hunde [X]", "dogs [NP]"), ("hunde [X]", "dogs [NN]")} < plain  # what it led to is there
        unary = rules(tmp_path / "rules", *self.PAIR, trees, TreeExtraction(unary=True))
        assert {("[X][NN] [X]", "[X][NN] [NP]"), ("[X][V] [X]", "[X][V] fast [VP]")} < unary

    def test_unaligned_words_outside_belong_to_the_root(self, tmp_path: Path) -> None:
        text, words = bitext("ja hunde rennen doch", "dogs run fast", "1-0 2-1")
        trees = constituent_trees(ParsedText((self.TREE,)), "target")
        sources = {source for source, _ in rules(tmp_path / "rules", text, words, trees, TreeExtraction())}
        assert "ja [X][NP] [X][VP] doch [X]" in sources
        assert not any("ja" in source and "doch" not in source for source in sources)


def test_threads_do_not_matter(tmp_path: Path) -> None:
    text, words = IT_IS
    trees = constituent_trees(ParsedText((NIKITIN,)), "target")
    tables = []
    for n_threads in (1, 2, 7):
        statistics = TreeExtraction().extract(
            text, *words, trees, tmp_path / "rules", scoring=WHOLE, n_threads=n_threads
        )
        assert (statistics.n_trees, statistics.n_nodes, statistics.n_frontier, statistics.n_cut) == (1, 13, 13, 0)
        tables.append((tmp_path / "rules").read_bytes())
    assert len(set(tables)) == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(0, -1, 0, 9)], "Sentence pair 1: Node 0 of a tree"),
        ([(0, -1, 0, 8), (0, 5, 0, 1)], "Node 1 of a tree has the parent 5"),
        ([(0, -1, 0, 8), (0, 0, 0, 2), (0, 0, 1, 3)], "covers words of the child before it"),
        ([(4, -1, 0, 8)], "the label 4; there are 1"),
    ],
)
def test_what_is_no_tree_is_refused(tmp_path: Path, rows: list[tuple[int, ...]], message: str) -> None:
    text, words = IT_IS
    trees = Trees("target", ("X",), np.array(rows, dtype=np.int32), np.array([0, len(rows)], dtype=np.int64))
    with pytest.raises(DataError, match=message):
        TreeExtraction().extract(text, *words, trees, tmp_path / "rules")
