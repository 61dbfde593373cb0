"""Translation with tuples: rules from crossings, lattices of orders, and search beside looking at everything."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from dragoman.engines import Request, load_engine
from dragoman.lm import KneserNey
from dragoman.smt.rewriting import learn_rules, order_lattice, rewritten_spans
from dragoman.smt.tuple_engine import TupleEngine, TupleEngineRecipe
from dragoman.smt.tuple_model import TupleModel, TupleRecipe, tuple_token
from dragoman.smt.tuple_search import TupleSearch, search_tuples
from dragoman.smt.unfolding import Tuple, unfold
from dragoman.testing.engines import check_engine
from tests.smt.test_tuple_model import SOURCES, TARGETS
from tests.smt.test_unfolding import LINKS, SOURCE, TARGET


def test_the_rule_of_the_nobel_prize() -> None:
    units = unfold(SOURCE, TARGET, LINKS)
    assert list(rewritten_spans(units)) == [(3, (1, 2, 3, 4, 0))]
    rules = learn_rules([(["P", "V", "D", "N", "A", "P", "D", "N"], units)])
    assert rules == {("N", "A", "P", "D", "N"): ((1, 2, 3, 4, 0),)}
    paths = set(order_lattice(["N", "A", "P", "D", "N", "V"], rules).paths())
    assert paths == {(0, 1, 2, 3, 4, 5), (1, 2, 3, 4, 0, 5)}


def test_rules_that_are_rare_for_their_tags_go() -> None:
    swapped = [Tuple(("b",), ("x",), (1,)), Tuple(("a",), ("y",), (0,))]
    straight = [Tuple(("a",), ("y",), (0,)), Tuple(("b",), ("x",), (1,))]
    text = [(["A", "B"], swapped), *[(["A", "B"], straight)] * 9]
    assert learn_rules(text, share=0.1) == {("A", "B"): ((1, 0),)}
    assert learn_rules(text, share=0.2) == {}
    assert learn_rules(text, least=2) == {}


def test_every_path_of_a_lattice_reads_every_word_once() -> None:
    rules = {("A", "B"): ((1, 0),), ("B", "A", "B"): ((2, 0, 1), (1, 0, 2))}
    for path in order_lattice(list("ABABB"), rules).paths():
        assert sorted(path) == [0, 1, 2, 3, 4]


def test_the_search_finds_what_looking_at_everything_finds() -> None:
    model = TupleRecipe(order=2).train(SOURCES, TARGETS)
    lm = KneserNey(order=2).train(TARGETS)
    inventory = {
        ("la",): [("the",), ()],
        ("casa",): [("house",)],
        ("verde",): [("green",), ("greens",)],
        ("casa", "verde"): [("green", "house")],
    }
    search = TupleSearch(beam=1000, word=0.2, unit=-0.1)
    source = ["la", "casa", "verde"]
    lattice = order_lattice(source, {("casa", "verde"): ((1, 0),)})
    found = search_tuples(source, lattice, inventory, model.model, lm, search)
    everything = []
    for path in lattice.paths():
        words = [source[place] for place in path]
        for cuts in product([False, True], repeat=len(words) - 1):
            parts, begin = [], 0
            for at, cut in enumerate([*cuts, True], start=1):
                if cut:
                    parts.append(tuple(words[begin:at]))
                    begin = at
            for said in product(*(inventory.get(part, []) for part in parts)):
                units = [Tuple(part, each) for part, each in zip(parts, said, strict=True)]
                line = " ".join(word for each in said for word in each)
                score = model.model.score([" ".join(map(tuple_token, units))])[0] + search.lm * lm.score([line])[0]
                everything.append((score + 0.2 * len(line.split()) - 0.1 * len(units), line))
    everything.sort(reverse=True)
    assert found[0].score == pytest.approx(everything[0][0], abs=1e-5)
    assert " ".join(found[0].words) == everything[0][1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    recipe = TupleEngineRecipe(src_lang="es", tgt_lang="en", order=2, lm_order=2, method="ibm1:rounds=20", least=1)
    return recipe.train(SOURCES, TARGETS).save(tmp_path_factory.mktemp("tuples") / "engine")


def test_it_translates_in_another_order_and_copies_what_it_does_not_know(folder: Path) -> None:
    engine = load_engine(str(folder))
    assert isinstance(engine, TupleEngine)
    assert engine.translate(["una casa verde", "la casa Zürich", ""]) == ["a green house", "the house Zürich", ""]
    [listed] = engine.translations(["la casa verde"], Request(n_best=5))
    scores = [each.score for each in listed.candidates]
    assert scores == sorted(scores, reverse=True)
    assert len({each.text for each in listed.candidates}) == len(listed.candidates) > 1


def test_it_keeps_the_contract_of_engines(folder: Path) -> None:
    check_engine(TupleEngine.load(folder), ["la casa verde", "una mesa"])


def test_the_model_inside_is_a_tuple_model(folder: Path) -> None:
    assert isinstance(TupleEngine.load(folder).model, TupleModel)
