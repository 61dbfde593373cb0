"""Further scores of rules, each against its definition."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import exp, log, prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.smt.grammar import GrammarExtraction, SpanLabels, TreeExtraction
from dragoman.smt.grammar.parses import ParsedText
from dragoman.smt.grammar.tree_extraction import constituent_trees
from dragoman.text.trees import parse_tree
from tests.smt.test_extraction import Sentence, aligned, sentence_pairs

from .test_extraction import table

PROBABILITIES = ["source-of-label", "target-of-label", "source-in-label", "target-in-label"]
LEAST = 1e-7  # what a word of probability 0 counts as


@given(st.lists(sentence_pairs(), min_size=1, max_size=4), st.sampled_from(["source", "target"]))
def test_probabilities_among_rules_of_one_label(
    tmp_path_factory: pytest.TempPathFactory, sentences: list[Sentence], side: str
) -> None:
    """Weese et al. 2012, section 4: p(f|A), p(e|A), p(f|e,A), p(e|f,A)."""
    column = ("source", "target").index(side)
    spans = [
        [(b, e, f"L{e % 2}") for b in range(len(s[column])) for e in range(b + 1, len(s[column]) + 1)]
        for s in sentences
    ]
    labels = {f"{side}_labels": SpanLabels.of(spans)}
    path = tmp_path_factory.getbasetemp() / "labels.txt"
    lines = table(sentences, path, labels=labels, features=PROBABILITIES)
    n_threads = table(sentences, path, labels=labels, features=PROBABILITIES, n_threads=7)
    assert lines == n_threads
    wholes, sources, targets = Counter[Any](), Counter[Any](), Counter[Any]()
    for each in lines:
        label = each.source.split()[-1], each.target.split()[-1]
        wholes[label] += each.counts[2]  # type: ignore[assignment]
        sources[each.source, label] += each.counts[2]  # type: ignore[assignment]
        targets[each.target, label] += each.counts[2]  # type: ignore[assignment]
    for each in lines:
        label = each.source.split()[-1], each.target.split()[-1]
        of_source, of_target = sources[each.source, label], targets[each.target, label]
        assert each.scores[4:] == pytest.approx(
            (
                of_source / wholes[label],
                of_target / wholes[label],
                each.counts[2] / of_target,
                each.counts[2] / of_source,
            ),
            rel=1e-4,
        )


class NaiveLexicon:
    """Relative frequencies of words, the empty word among them."""

    def __init__(self, sentences: list[Sentence]) -> None:
        self.counts: dict[bool, defaultdict[str | None, Counter[str | None]]] = {
            of_target: defaultdict(Counter) for of_target in (False, True)
        }
        for source, target, links in sentences:
            pairs: list[tuple[str | None, str | None]] = [(source[s], target[t]) for s, t in links]
            pairs += [(word, None) for i, word in enumerate(source) if i not in {s for s, _ in links}]
            pairs += [(None, word) for i, word in enumerate(target) if i not in {t for _, t in links}]
            for s, t in pairs:
                self.counts[True][s][t] += 1
                self.counts[False][t][s] += 1

    def p(self, word: str, given: str | None, of_target: bool) -> float:
        counts = self.counts[of_target][given]
        return counts[word] / counts.total() if counts else 0.0

    def scores(self, words: list[str], given: list[str], of_target: bool) -> tuple[float, float, float]:
        none = [prod(1 - self.p(w, g, of_target) for g in given) for w in words]
        means = [sum(self.p(w, g, of_target) for g in [None, *given]) / (1 + len(given)) for w in words]
        inserted = [
            all(self.p(w, g, of_target) < 1 / len(+self.counts[of_target][g]) for g in given)  # below the mean
            for w in words
        ]
        return prod(max(1 - x, LEAST) for x in none), prod(max(x, LEAST) for x in means), exp(sum(inserted))


@given(st.lists(sentence_pairs(), min_size=1, max_size=4))
def test_scores_of_all_words_given_all_others(
    tmp_path_factory: pytest.TempPathFactory, sentences: list[Sentence]
) -> None:
    """Huck & Ney 2012, as in RWTH's system of WMT 2012: noisy-or, mean and insertion."""
    names = [f"{score}-{side}" for side in ("source", "target") for score in ("noisy-or", "mean", "inserted")]
    lexicon = NaiveLexicon(sentences)
    for each in table(sentences, tmp_path_factory.getbasetemp() / "words.txt", features=names):
        source, target = ([w for w in side.split()[:-1] if w != "[X][X]"] for side in (each.source, each.target))
        expected = (*lexicon.scores(source, target, False), *lexicon.scores(target, source, True))
        assert each.scores[4:] == pytest.approx(expected, rel=1e-4)


def test_a_lexicon_of_two_words_by_hand(tmp_path: Path) -> None:
    """A: twice x, once y; b: y. p(x|a) = 2/3, p(y|a) = 1/3, p(y|b) = 1; p(a|x) = 1, p(a|y) = p(b|y) = 1/2."""
    single = [(["a"], ["x"], frozenset({(0, 0)}))] * 2 + [(["a"], ["y"], frozenset({(0, 0)}))]
    both: Sentence = (["b", "b"], ["y", "y"], frozenset({(0, 0), (1, 1)}))
    lines = table([*single, both], tmp_path / "rules", features=["noisy-or-target", "mean-target", "inserted-target"])
    found = {(each.source, each.target): each.scores[4:] for each in lines}
    # One of the two entries of `a` is 1/2 on average, which y does not reach.
    assert found["a [X]", "y [X]"] == pytest.approx((1 / 3, 1 / 6, exp(1)))
    assert found["a [X]", "x [X]"] == pytest.approx((2 / 3, 1 / 3, 1))
    assert found["b [X]", "y [X]"] == pytest.approx((1, 1 / 2, 1))


def test_words_linked_to_nothing_are_counted(tmp_path: Path) -> None:
    pair: Sentence = (["a", "b", "c", "d"], ["x", "y", "z"], frozenset({(0, 0), (3, 2)}))
    lines = table([pair], tmp_path / "rules", features=["unaligned-source", "unaligned-target"])
    found = {(each.source, each.target): each.scores[4:] for each in lines}
    assert found["a b c d [X]", "x y z [X]"] == pytest.approx((exp(2), exp(1)))
    assert found["a b [X]", "x [X]"] == pytest.approx((exp(1), 1))
    assert found["a b c [X][X] [X]", "x y [X][X] [X]"] == pytest.approx((exp(2), exp(1)))


class TestTrees:
    """Williams & Koehn 2012, section 3.3: p_pcfg, the probability of a rule's tree without its words."""

    TREES = ("(S (A a) (B (D b) (E c)))", "(S (A a) (B (D b) (E c)))", "(S (A a) (D b) (E c))", "(S (A a))")

    def scores(self, folder: Path, n_threads: int = 1) -> dict[tuple[str, str], float]:
        lines = [" ".join(f"x{w}" for w in "abc"[: 3 if "E" in tree else 1]) for tree in self.TREES]
        sentences: list[Sentence] = [
            (line.split(), [w[1:] for w in line.split()], frozenset((i, i) for i in range(len(line.split()))))
            for line in lines
        ]
        trees = constituent_trees(ParsedText(tuple(map(parse_tree, self.TREES))), "target")
        scoring = GrammarExtraction(features=("tree",), translations_per_source=0)
        text, source, target = aligned(sentences)
        TreeExtraction(scope=0).extract(
            text, source, target, trees, folder / "rules", scoring=scoring, n_threads=n_threads
        )
        table = [line.split(" ||| ") for line in (folder / "rules").read_text(encoding="utf-8").splitlines()]
        return {(cells[0], cells[1]): float(cells[2].split()[4]) for cells in table}

    def test_rules_of_constituents_are_multiplied(self, tmp_path: Path) -> None:
        scores = self.scores(tmp_path)
        # Of four S, two are A B, one is A D E and one is A; B is always D E.
        assert scores["xa [X][B] [X]", "a [X][B] [S]"] == pytest.approx(1 / 2)
        assert scores["xa [X][D] [X][E] [X]", "a [X][D] [X][E] [S]"] == pytest.approx(
            exp(log(1 / 2 * 1 / 2 * 1 / 4) / 3)
        )
        assert scores["xb [X][E] [X]", "b [X][E] [B]"] == pytest.approx(1)
        assert scores["xa [X]", "a [S]"] == pytest.approx(1 / 4)
        assert scores["xa [X]", "a [A]"] == pytest.approx(1)  # words cost nothing

    def test_threads_do_not_matter(self, tmp_path: Path) -> None:
        assert self.scores(tmp_path) == self.scores(tmp_path, 7)

    def test_hierarchical_rules_have_none(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match=r"no score 'tree'.*kind=ghkm"):
            table([(["a"], ["x"], frozenset({(0, 0)}))], tmp_path / "rules", features=["tree"])
