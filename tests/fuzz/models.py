"""A small model of every kind that has files of its own, saved, and how it is loaded and used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.align import ALIGNERS
from dragoman.align.base import Aligner
from dragoman.combine import ChoiceRecipe, Chooser, Combiner, CombineRecipe, train_chooser, train_combiner
from dragoman.data import TestSet
from dragoman.learn import LEARNERS
from dragoman.lm import (
    ClassKneserNey,
    ClassModel,
    KneserNey,
    LanguageModel,
    NetModel,
    NetRecipe,
    cluster_words,
    train_lm_net,
)
from dragoman.metrics.tesla_pivots import TeslaB
from dragoman.qe import QEModel, learn_scores
from dragoman.reorder import Reorderer, ReorderRecipe, learn_order
from dragoman.reorder.orders import is_order
from dragoman.samples import phrasebook, sample_path
from dragoman.smt import BitextIndex, PhraseExtraction, PhraseSampling
from dragoman.smt.alternatives import Alternatives, AlternativeSection
from dragoman.smt.factor_paths import FactoredPhrases
from dragoman.smt.factors import FactorSection
from dragoman.smt.grammar import MosesRules, RuleTable
from dragoman.smt.nets import TupleNet, TupleNetRecipe, train_tuple_net
from dragoman.smt.phrase_table import PhraseTable
from dragoman.syntax import FunctionLabeller, FunctionRecipe, Grammar, NameRecipe, NameTagger, Parser, read_named
from dragoman.syntax.inflection import InflectionRecipe, Inflector, Slot
from dragoman.testing.learners import quality_data as made_features
from dragoman.text.compounds import CompoundModel, CompoundRecipe
from dragoman.text.vocabulary import Vocabulary
from tests.contract.test_learners import small
from tests.metrics.pivot_tables import SMALL, table_of
from tests.qe.parsed import tiny_grammar, tiny_parser
from tests.reorder.toy import toy_pairs
from tests.smt.test_extraction import aligned
from tests.syntax.toy import toy_treebank

__all__ = ["SavedModel", "saved_models"]

SOURCE, TARGET = (phrasebook()[lang][:30] for lang in ("en", "de"))
LINES = [*SOURCE, "", "zebra zebra"]
SENTENCES = [(("a", "b", "c"), ("x", "y", "z"), {(0, 0), (1, 2), (2, 1)}), (("b", "a"), ("y", "x"), {(0, 0), (1, 1)})]
RULES = [
    "a [X][X] b [X] ||| x [X][X] [X] ||| 0.5 0.25 ||| 0-0 1-1",
    "a [X][X] b [X] ||| [X][X] y [NP] ||| 0.25 0 ||| 1-0 2-1",
    "[X][X] b [X][NP] [X] ||| [X][NP] y [X][X] [X] ||| 1 1 ||| 0-2 1-1 2-0",
    "a [X] ||| x [X] ||| 0.125 1 ||| 0-0",
]


@dataclass(frozen=True)
class SavedModel:
    """The folder of a model, and what loads and uses it."""

    name: str
    folder: Path
    use: Callable[[Path], object]

    def files(self) -> list[Path]:
        """Every file, the manifests too."""
        return sorted(path for path in self.folder.rglob("*") if path.is_file())


def saved_models(folder: Path) -> Iterator[SavedModel]:
    """All of them, made in the folder."""

    def saved(name: str, model: Any, use: Callable[[Path], object]) -> SavedModel:
        return SavedModel(name, model.save(folder / name), use)

    def score(path: Path) -> object:
        model = LanguageModel.load(path)
        model.write_arpa(folder / "out.arpa")
        return model.score(LINES)

    for structure, bits in (("hash", 0), ("trie", 0), ("trie", 4)):
        recipe = KneserNey(order=3, structure=structure, p_bits=bits, backoff_bits=bits)
        yield saved(f"lm-{structure}-{bits}", recipe.train(SOURCE), score)
    classes = ClassKneserNey(order=3).fit(SOURCE, cluster_words(SOURCE, 5))
    yield saved("class-model", classes, lambda path: ClassModel.load(path).score(LINES))
    tiny = NetRecipe(order=3, projection=16, hidden=16, min_count=1, epochs=1)
    net, _ = train_lm_net(SOURCE, tiny, dev=SOURCE[:3], model=folder / "net-trained", work=folder / "net-work")
    yield saved("net", net, lambda path: NetModel.load(path).score(LINES))
    by_tuples = TupleNetRecipe.from_dict({**tiny.to_dict(), "factors": ("translation",), "method": "ibm1"})
    first = SOURCE[:3], TARGET[:3]
    tuples, _ = train_tuple_net(
        (SOURCE, TARGET), by_tuples, dev=first, model=folder / "tuples-trained", work=folder / "tuples-work"
    )
    yield saved("tuple-net", tuples, lambda path: TupleNet.load(path).score(SOURCE[:4], TARGET[:4]))
    compounds = CompoundRecipe(lang="en", least=1).train(
        ["rain coat raincoat"], targets=["x y x"], translations={"rain": {"x"}, "coat": {"y"}}
    )
    yield saved("compounds", compounds, lambda path: CompoundModel.load(path).merge(LINES))
    layers = Alternatives(AlternativeSection(layers="split"), "en", compounds)
    yield saved("alternatives", layers, lambda path: Alternatives.load(path).asked(LINES, None))
    yield from _reorderers(folder)
    text = aligned(SENTENCES)  # type: ignore[arg-type]
    table_of_forms = PhraseExtraction().extract(*text)
    yield saved("phrase-table", table_of_forms, _look_up(PhraseTable))
    yield saved("factored-phrases", _two_paths(table_of_forms), _look_up(FactoredPhrases))
    counts = {"a": 3, "b": 1}
    for quantised in (False, True):
        table = RuleTable.of_rules(map(MosesRules().rule, RULES), quantised=quantised, counts=counts)
        yield saved(f"rule-table-{quantised:d}", table, _look_up_rules)
    pivots = table_of(SMALL)
    yield saved("pivot-table", pivots, _compare_by_pivots)
    yield saved("bitext-index", PhraseSampling().index(*text), _look_up(BitextIndex))
    for name in ALIGNERS.names():
        aligner = ALIGNERS.get(name)().train(SOURCE, TARGET, seed=3)
        yield saved(f"aligner-{name}", aligner, lambda path: Aligner.load(path).align(SOURCE[:4], TARGET[:4]))
    parser = tiny_parser(folder / "parser")
    yield SavedModel("parser", parser, lambda path: Parser.load(path).parse([["the", "cat", "sleeps"], ["zebra"]]))
    words = {Slot(stem + "a", "NOUN", "Case=Gen"): Counter([stem + "y"]) for stem in ("knih", "zen", "vod")}
    inflector = InflectionRecipe(epochs=1).train_forms(words)
    yield saved("inflection", inflector, lambda path: Inflector.load(path).inflect([Slot("ryba", "NOUN", "Case=Gen")]))
    grammar = tiny_grammar(folder / "grammar")
    yield SavedModel("grammar", grammar, lambda path: Grammar.load(path).parse([["the", "cat", "sleeps"]]))
    tagger = NameRecipe(epochs=2).train(read_named(sample_path("names.en.bio"))[:20])
    yield saved("names", tagger, lambda path: NameTagger.load(path).tag([["Mr", "Smith", "in", "Rome"], []]))
    functions = FunctionRecipe().train(toy_treebank(20))
    yield saved("functions", functions, _label_functions)
    outputs = TestSet(refs={"r": SOURCE[:8]}, systems={"a": SOURCE[:8], "b": SOURCE[1:9]})
    combiner = train_combiner(outputs, CombineRecipe(tuner="mira:rounds=1"), lm=KneserNey(order=2).train(SOURCE))
    yield saved("combination", combiner, lambda path: Combiner.load(path).combine(outputs))
    chooser = train_chooser(outputs, ChoiceRecipe(examples=2))
    yield saved("chooser", chooser, lambda path: Chooser.load(path).choose(outputs))
    features, scores = made_features(30)
    for name in ("ridge", "svr", "forest", "m5p", "mars", "glm", "gp", "multitask-gp", "knn"):
        if name in LEARNERS.names():
            model = learn_scores(small(name), features, scores, task="hter", seed=5)
            yield saved(f"quality-{name}", model, lambda path: QEModel.load(path).predict(features))


def _reorderers(folder: Path) -> Iterator[SavedModel]:
    """One of each method that has learnt something; the parser's files have a model of their own."""
    srcs, tgts, sentences, links = toy_pairs(30)

    def use(path: Path) -> object:
        reorderer = Reorderer.load(path)
        orders = [reorderer.order(sentence) for sentence in sentences[:6]]
        if not all(is_order(order, len(each)) for order, each in zip(orders, sentences, strict=False)):
            raise AssertionError(f"{path} loses words: {orders}")  # damage may lead astray, but not out of the sentence
        return [reorderer.lattice(sentence) for sentence in sentences[:6]]

    for method in ("tree", "short:least=1", "long:least=1"):
        made = learn_order(srcs, tgts, recipe=ReorderRecipe(method=method), sentences=sentences, links=links).reorderer
        name = f"reorderer-{method.partition(':')[0]}"
        yield SavedModel(name, made.save(folder / name), use)


def _label_functions(path: Path) -> object:
    return [FunctionLabeller.load(path).label(tree, everything=True) for tree in toy_treebank(3, seed=2)]


def _compare_by_pivots(path: Path) -> object:
    return TeslaB(pivots=(str(path),)).segments(["the cat", "good morning"], [["a cat", "morning"]])


def _two_paths(table: PhraseTable) -> FactoredPhrases:
    section = FactorSection(setup="tF-F:tF-FaT", target=("T=snowball:lang=en",))
    words = Vocabulary([f"{word}￨X" for word in table.target.words()])
    whole = PhraseTable(table.core, table.source, words, table.recipe)
    log_p = np.full(len(words), -0.5, dtype=np.float32)
    return FactoredPhrases(section, {"tF-F": table, "tF-FaT": whole}, {"gF-T": log_p}, words)


def _look_up_rules(path: Path) -> object:
    table = RuleTable.load(path)
    return list(table), table.matching(["a", None, "b"]), [table.count(word) for word in "abz"]


def _look_up(kind: Any) -> Callable[[Path], object]:
    def use(path: Path) -> object:
        table = kind.load(path)
        return [table.translations(phrase) for phrase in ("a", "b", "c", "a b", "b c", "b a", "a b c")]

    return use
