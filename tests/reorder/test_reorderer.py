"""Reorderers: learnt, saved, applied to lines, measured."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.artifact import read_manifest
from dragoman.data.alignments import Alignment
from dragoman.errors import DataError, FormatError, ModelError, UnknownName
from dragoman.reorder import Annotated, Reorderer, ReorderRecipe, evaluate_order, learn_order, read_annotated, reorder
from dragoman.reorder.application import lattice_json, lattice_lines, lattice_plf
from dragoman.reorder.lattice import OrderLattice
from dragoman.reorder.orders import is_order
from dragoman.reorder.precedence import PairScorer, best_arrangement, pair_features, ranked_arrangements
from dragoman.reorder.trees import families, subtree_places
from dragoman.smt.asked import parse_plf
from dragoman.smt.constraints import Lattice
from dragoman.syntax import Parser, ParserRecipe
from dragoman.text.conllu import write_conllu
from tests.reorder.toy import target_order, toy_pairs
from tests.syntax.toy import toy_treebank


@pytest.fixture(scope="module")
def parser() -> Parser:
    return ParserRecipe(epochs=5, tag_epochs=4, folds=3).train(toy_treebank(80))


@pytest.fixture(scope="module")
def learnt(parser: Parser) -> Reorderer:
    srcs, tgts, _, links = toy_pairs(80)
    return learn_order(srcs, tgts, parser=parser, links=links).reorderer


def test_a_tree_order_learns_verbs_behind_objects(learnt: Reorderer) -> None:
    srcs, tgts, _, links = toy_pairs(40, seed=9)
    evaluation = evaluate_order(learnt, srcs, tgts, links=links)
    assert evaluation.before.share is not None
    assert evaluation.before.share > 0.1
    assert evaluation.after.crossing == 0
    assert (evaluation.n_right, evaluation.n_covered, evaluation.n_sentences) == (40, 40, 40)
    assert reorder(learnt, ["the old dog sees a cat ."]).lines == ["the dog old a cat sees ."]


def test_what_is_saved_is_loaded(learnt: Reorderer, tmp_path: Path) -> None:
    loaded = Reorderer.load(learnt.save(tmp_path / "order"))
    lines = toy_pairs(20, seed=4)[0]
    assert reorder(loaded, lines) == reorder(learnt, lines)
    assert loaded.recipe == learnt.recipe
    with pytest.raises(ModelError, match="is a reorderer"):
        Parser.load(tmp_path / "order")


def test_remembered_weights_are_those_of_the_features() -> None:
    sentences = toy_pairs(30)[2]
    sizes = [[len(each) for each in subtree_places(sentence)] for sentence in sentences]
    asked = [(s, head, family, own) for s, own in zip(sentences, sizes, strict=True) for head, family in families(s)]
    names = sorted({name for each in asked for pair in pair_features(*each) for name in pair})
    weights = {name: (1 + place % 7) / 8 for place, name in enumerate(names) if place % 3}
    scorer = PairScorer(weights)
    for _ in range(2):  # what is not known yet, and what is
        for each in asked:
            expected = [sum(weights.get(name, 0.0) for name in pair) for pair in pair_features(*each)]
            assert scorer.scores(*each) == pytest.approx(expected)


def test_damaged_rules_are_named(tmp_path: Path) -> None:
    srcs, tgts, sentences, links = toy_pairs(30)
    recipe = ReorderRecipe(method="short")
    saved = learn_order(srcs, tgts, recipe=recipe, sentences=sentences, links=links).reorderer.save(tmp_path / "order")
    (saved / "rules.short.jsonl").write_text('[["ADJ","NOUN"],[1,1],9,0.9]\n')
    with pytest.raises(ModelError, match=r"rules\.short\.jsonl"):
        Reorderer.load(saved)
    with pytest.raises(ModelError, match="has a rule whose order is none"):  # as behind the checksum
        Reorderer._read(saved, read_manifest(saved))
    (saved / "rules.short.jsonl").write_text("[1, 2]\n")
    with pytest.raises(ModelError, match="has no rules of the method short"):
        Reorderer._read(saved, read_manifest(saved))


@pytest.mark.parametrize("method", ["tree", "short", "long", "short+long", "heads", "clauses"])
def test_every_method_gives_each_word_once(method: str) -> None:
    srcs, tgts, sentences, links = toy_pairs(60)
    result = learn_order(srcs, tgts, recipe=ReorderRecipe(method=method), sentences=sentences, links=links)
    for sentence in toy_pairs(30, seed=5)[2]:
        assert is_order(result.reorderer.order(sentence), len(sentence))
        lattice = result.reorderer.lattice(sentence)
        assert all(is_order(path, len(sentence)) for path in lattice.paths())
        assert lattice.reads(range(len(sentence)))
    if method not in ("heads", "clauses"):
        assert result.after.crossing < result.before.crossing
    assert "Crossings" in str(result)


def test_coverage_rises_from_short_to_long_to_tree_rules() -> None:
    srcs, tgts, sentences, links = toy_pairs(80)
    held_out = toy_pairs(40, seed=9)
    covered = []
    for method in ("short:longest=3", "short:longest=3+long", "short:longest=3+long+tree"):
        recipe = ReorderRecipe(method=method)
        reorderer = learn_order(srcs, tgts, recipe=recipe, sentences=sentences, links=links).reorderer
        evaluation = evaluate_order(reorderer, *held_out[:2], sentences=held_out[2], links=held_out[3])
        covered.append(evaluation.n_covered)
    assert covered == sorted(covered)
    assert covered[0] < covered[-1]


def test_a_lattice_has_the_most_probable_moves_that_it_has_room_for() -> None:
    srcs, tgts, sentences, links = toy_pairs(60)
    recipe = ReorderRecipe(method="short:least_p=0+long:least_p=0,least=1")
    wide = learn_order(srcs, tgts, recipe=recipe, sentences=sentences, links=links).reorderer
    narrow = Reorderer(replace(recipe, arcs=2), wide.rules)
    for sentence in sentences:
        assert len(narrow.lattice(sentence).arcs) <= 2 * len(sentence)
        assert set(narrow.lattice(sentence).paths()) <= set(wide.lattice(sentence).paths())


def test_lattices_are_written_for_engines(learnt: Reorderer) -> None:
    (sentence,) = learnt.annotate([["the", "dog", "sees", "a", "cat's", "."]])
    lattice = learnt.lattice(sentence)
    read = Lattice.parse(lattice_json(lattice, sentence.words))
    plf = parse_plf(lattice_plf(lattice, sentence.words))
    assert [arc[:3] for arc in read.arcs] == [arc[:3] for arc in plf.arcs]
    assert read.places == tuple(arc[2] for arc in lattice.arcs)
    assert lattice_lines(learnt, ["", "dog"]) == ["[]", '[[0, 1, "dog", 0.0, 0]]']


def test_empty_lines_and_long_lines_stay_as_they_are(learnt: Reorderer) -> None:
    long = " ".join(["dog"] * 10_000)
    result = reorder(learnt, ["", "dog", long])
    assert result.lines == ["", "dog", long]
    assert OrderLattice.of_moves(0, ()).arcs == ()


def test_text_without_anything_to_learn_from_is_refused(parser: Parser) -> None:
    with pytest.raises(DataError, match="all source lines are empty"):
        learn_order(["", ""], ["a", "b"], parser=parser)
    with pytest.raises(DataError, match="give a parser, or annotated sentences"):
        learn_order(["a b"], ["a b"])
    with pytest.raises(DataError, match="No two words of a family are linked to different words"):
        learn_order(["the dog"], ["DOG"], parser=parser, links=[Alignment()])
    with pytest.raises(DataError, match="one line"):
        learn_order(["the dog", "a"], ["DOG"], parser=parser)
    with pytest.raises(DataError, match="Line 1: The link 0-3 leads beyond the sentences"):
        learn_order(["the dog"], ["DOG"], parser=parser, links=[Alignment(((0, 3),))])


def test_wrong_methods_are_named() -> None:
    with pytest.raises(UnknownName, match=r"No reordering method is called 'tre'\. Did you mean 'tree'"):
        ReorderRecipe(method="tre").check()
    with pytest.raises(DataError, match=r"Each reordering method can be named once, got short\+short:least=3"):
        ReorderRecipe(method="short+short:least=3").check()


def test_a_reorderer_without_a_parser_says_what_it_needs() -> None:
    srcs, tgts, sentences, links = toy_pairs(10)
    reorderer = learn_order(srcs, tgts, sentences=sentences, links=links).reorderer
    with pytest.raises(DataError, match="This reorderer has no parser"):
        reorder(reorderer, srcs)
    flat = Annotated(("a", "b"), ("X", "X"))
    with pytest.raises(DataError, match="'a b' has no tree"):
        reorder(reorderer, ["a b"], sentences=[flat])


def test_tags_beside_the_wrong_tokens_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="1 tags stand beside 2 words: 'a b'"):
        Annotated(("a", "b"), ("X",))
    path = tmp_path / "a.conllu"
    write_conllu(path, toy_treebank(2))
    lines = [line.split() for line in toy_pairs(2)[0]]
    assert [each.words for each in read_annotated(path, [*lines, []])][:2] == [tuple(line) for line in lines]
    with pytest.raises(FormatError, match="expected the words of line 1 of the text, 'a dog', got"):
        read_annotated(path, [["a", "dog"], lines[1]])
    with pytest.raises(FormatError, match="the file ends before line 3"):
        read_annotated(path, [*lines, ["a"]])
    with pytest.raises(FormatError, match="more sentences than the text, which has 1 lines"):
        read_annotated(path, lines[:1])


def test_german_verbs_come_together() -> None:
    words = ["Gestern", "hat", "er", "das", "Buch", "gelesen"]
    tags = ["ADV", "AUX", "PRON", "DET", "NOUN", "VERB"]
    relations = ["advmod", "aux", "nsubj", "det", "obj", "root"]
    sentence = Annotated(tuple(words), tuple(tags), (5, 5, 5, 4, 5, -1), tuple(relations))
    recipe = ReorderRecipe(method="clauses")
    rules = {method.name: method.learn([], []) for method in recipe.methods()}
    german = Reorderer(recipe, rules)
    assert reorder(german, [" ".join(words)], sentences=[sentence]).lines == ["Gestern hat er gelesen das Buch"]
    words = ["weil", "er", "das", "Buch", "gelesen", "hat"]
    sentence = Annotated(
        tuple(words),
        ("SCONJ", "PRON", "DET", "NOUN", "VERB", "AUX"),
        (4, 4, 3, 4, -1, 4),
        ("mark", "nsubj", "det", "obj", "advcl", "aux"),
    )
    assert reorder(german, [" ".join(words)], sentences=[sentence]).lines == ["weil er hat gelesen das Buch"]


def test_japanese_has_heads_last() -> None:
    words = ["he", "reads", "books", "in", "the", "garden", "."]
    sentence = Annotated(
        tuple(words),
        ("PRON", "VERB", "NOUN", "ADP", "DET", "NOUN", "PUNCT"),
        (1, -1, 1, 5, 5, 1, 1),
        ("nsubj", "root", "obj", "case", "det", "obl", "punct"),
    )
    rules = {method.name: method.learn([], []) for method in ReorderRecipe(method="heads").methods()}
    japanese = Reorderer(ReorderRecipe(method="heads"), rules)
    assert reorder(japanese, [" ".join(words)], sentences=[sentence]).lines == ["he books the garden in reads ."]


@given(
    st.integers(2, 5).flatmap(
        lambda n: st.lists(st.floats(-5, 5), min_size=n * (n - 1) // 2, max_size=n * (n - 1) // 2)
    )
)
def test_the_best_order_of_a_family_is_the_best_of_all(scores: list[float]) -> None:
    n = next(n for n in range(2, 6) if n * (n - 1) // 2 == len(scores))
    gains = dict(zip([(i, j) for i in range(n) for j in range(i + 1, n)], scores, strict=True))

    def value(order: tuple[int, ...]) -> float:
        return sum(gain for (i, j), gain in gains.items() if order.index(j) < order.index(i))

    best = max(value(order) for order in permutations(range(n)))
    assert value(best_arrangement(n, scores)) == pytest.approx(best)
    ranked = ranked_arrangements(n, scores, 3)
    assert value(ranked[0][0]) == pytest.approx(best)
    assert sum(p for _, p in ranked) <= 1 + 1e-9


def test_the_toy_target_is_what_it_says() -> None:
    sentence = Annotated(("the", "old", "dog", "sees", "it", "."), ("DET", "ADJ", "NOUN", "VERB", "PRON", "PUNCT"))
    assert target_order(sentence) == [0, 2, 1, 4, 3, 5]
