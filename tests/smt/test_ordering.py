"""Engines that read their source in another order."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.engines import Request
from dragoman.errors import DataError, DoubtfulInput
from dragoman.reorder import learn_order
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.constraints import Constraints, Term
from dragoman.smt.ordering import OrderedInput, ReorderSection, with_own_order
from dragoman.smt.phrase_table import PhraseExtraction
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from dragoman.smt.training_plan import plan_training
from dragoman.syntax import ParserRecipe
from dragoman.text.tokens import TokenIds
from tests.reorder.toy import toy_pairs
from tests.smt.test_extraction import aligned
from tests.syntax.toy import toy_treebank

LINE = "the old dog sees a cat ."


@pytest.fixture(scope="module")
def order(tmp_path_factory: pytest.TempPathFactory) -> Path:
    srcs, tgts, _, links = toy_pairs(80)
    folder = tmp_path_factory.mktemp("order") / "order"
    parser = ParserRecipe(epochs=5, tag_epochs=4, folds=3).train(toy_treebank(80))
    learn_order(srcs, tgts, parser=parser, links=links, save=folder)
    return folder


def trained(order: Path, folder: Path, use: str) -> Engine:
    srcs, tgts = toy_pairs(80)[:2]
    recipe = changed(EngineRecipe(), [f"reorder.model={order}", f"reorder.use={use}", "text.truecase=no"])
    text = Bitext.from_lines(srcs, tgts, source_lang="en", target_lang="de")
    return train_engine(text, recipe, work=folder / "work", output=folder / "engine").engine


@pytest.fixture(scope="module")
def engine(order: Path, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return trained(order, tmp_path_factory.mktemp("best"), "best")


def test_an_engine_reads_the_order_of_its_target(engine: Engine) -> None:
    (translation,) = engine.translations([LINE], Request(alignment=True))
    best = translation.candidates[0]
    assert best.target_tokens == "THE DOG OLD A CAT SEES ."
    assert best.source_tokens == LINE
    # Links count the words of the line as it stands: `sees`, the fourth, is said behind its object.
    assert best.alignment is not None
    assert {(0, 0), (2, 1), (1, 2), (3, 5), (6, 6)} <= set(best.alignment)


def test_confidence_and_graphs_keep_the_places_of_words(engine: Engine, tmp_path: Path) -> None:
    many = engine.translations([LINE, LINE], Request(alignment=True, confidence=True))[0].candidates[0]
    one = engine.translations([LINE], Request(alignment=True, confidence=True))[0].candidates[0]
    assert (one.target_tokens, one.alignment) == (many.target_tokens, many.alignment)
    assert one.word_confidence == pytest.approx(many.word_confidence, abs=1e-5)
    graph = engine.graph(LINE)
    graph.save(tmp_path / "graph")
    loaded = type(graph).load(tmp_path / "graph")
    (path,) = graph.n_best(1)
    assert loaded.links(loaded.n_best(1)[0]) == graph.links(path)


def test_a_saved_engine_reads_the_same_order(engine: Engine, tmp_path: Path) -> None:
    loaded = Engine.load(engine.save(tmp_path / "engine"))
    assert loaded.translate([LINE, "", "zebra ."]) == engine.translate([LINE, "", "zebra ."])


def test_terms_and_walls_move_with_their_words(engine: Engine) -> None:
    decoded = engine.decode([LINE], constraints=[Constraints(terms=(Term(3, 4, "WATCHES"),))])
    assert decoded.best() == ["THE DOG OLD A CAT WATCHES ."]
    # Words that reordering would put apart are read as they stand.
    torn = engine.decode([LINE], constraints=[Constraints(terms=(Term(2, 4, "X"),))])
    assert "X" in torn.best()[0].split()
    assert engine.models.reorderer is not None
    moved = OrderedInput.of(engine.models.reorderer, "best", [LINE], [Constraints(walls=(1, 4))])
    assert moved.constraints is not None
    assert moved.constraints[0] == Constraints(walls=(1,))


def test_an_engine_reads_a_lattice_of_orders(order: Path, tmp_path: Path) -> None:
    engine = trained(order, tmp_path, "lattice")
    assert "lattice" in engine.feature_names
    assert engine.translate([LINE, ""]) == ["THE DOG OLD A CAT SEES.", ""]
    (translation,) = engine.translations([LINE], Request(alignment=True, confidence=True))
    best = translation.candidates[0]
    assert best.target_tokens == "THE DOG OLD A CAT SEES ."
    assert best.alignment is not None
    assert {(0, 0), (2, 1), (1, 2), (3, 5), (6, 6)} <= set(best.alignment)
    assert best.word_confidence is not None
    assert all(0 <= each <= 1 for each in best.word_confidence)


def test_phrases_of_both_orders_are_extracted() -> None:
    """KIT at WMT 2009: `hat … gelesen` is one phrase where verbs stand together, and none as they stand."""
    links = frozenset({(0, 0), (1, 1), (2, 1), (3, 2), (4, 3)})
    text, source, target = aligned([(["er", "hat", "gelesen", "das", "Buch"], ["he", "read", "the", "book"], links)])
    both = with_own_order(text, [(0, 1, 4, 2, 3)])
    words = [source.words()[i] for i in both.source.ids.tolist()[5:]]
    assert words == ["er", "hat", "das", "Buch", "gelesen"]
    assert sorted(both.links.tolist()[5:]) == [[0, 0], [1, 1], [2, 2], [3, 3], [4, 1]]
    table = PhraseExtraction().extract(both, source, target)
    assert [pair.target for pair in table.translations("hat gelesen")] == ["read"]
    assert [pair.target for pair in table.translations("hat das Buch gelesen")] == ["read the book"]
    own = AlignedText(
        TokenIds(both.source.ids[5:], text.source.offsets), text.target, both.links[5:], text.link_offsets
    )
    monotone = PhraseExtraction().extract(own, source, target)
    assert not monotone.translations("hat gelesen")
    assert [pair.target for pair in monotone.translations("hat das Buch gelesen")] == ["read the book"]


def test_what_does_not_go_with_another_order_is_named(order: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"is no reorderer\. Learn one: dragoman reorder learn"):
        ReorderSection(model=str(tmp_path / "none")).read()
    with pytest.raises(DataError, match=r"reads it as it stands: set index\.use=none"):
        changed(EngineRecipe(), [f"reorder.model={order}", "index.use=only"])
    with pytest.raises(DataError, match="none reads it as a lattice of orders"):
        changed(EngineRecipe(), [f"reorder.model={order}", "reorder.use=lattice", "grammar.kind=hiero"])


def test_a_training_without_a_reorderer_has_the_steps_it_had(order: Path, tmp_path: Path) -> None:
    text = Bitext.from_lines(*toy_pairs(10)[:2], source_lang="en", target_lang="de")
    plain = plan_training(text, EngineRecipe(), work=tmp_path)
    ordered = plan_training(text, changed(EngineRecipe(), [f"reorder.model={order}"]), work=tmp_path)
    assert [step.name for step in ordered.steps if step.name not in {each.name for each in plain.steps}] == ["order"]
    assert plain.step("clean").key == ordered.step("clean").key
    assert plain.step("align").key != ordered.step("align").key


def test_lattices_without_a_reorderer_are_warned_of_and_the_source_is_read_as_it_stands(tmp_path: Path) -> None:
    """Training went on until words were linked, and then divided by the number of orders."""
    text = Bitext.from_lines(*toy_pairs(10)[:2], source_lang="en", target_lang="de")
    recipe = changed(EngineRecipe(), ["reorder.use=lattice", "classes.number=0", "tune.method=none"])
    with pytest.warns(DoubtfulInput, match=r"Without effect: reorder\.use \(reorder\.model names none\)"):
        train_engine(text, recipe, output=tmp_path / "engine", work=tmp_path / "work", report=False)
    assert len(Engine.load(tmp_path / "engine").translate(toy_pairs(2)[0])) == 2
