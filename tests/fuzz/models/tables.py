"""What engines look phrases and rules up in, and what cuts or orders their text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.align import ALIGNERS
from dragoman.align.base import Aligner
from dragoman.metrics.tesla_pivots import TeslaB
from dragoman.reorder import Reorderer, ReorderRecipe, learn_order
from dragoman.reorder.orders import is_order
from dragoman.smt import BitextIndex, PhraseExtraction, PhraseSampling
from dragoman.smt.alternatives import Alternatives, AlternativeSection
from dragoman.smt.factor_paths import FactoredPhrases
from dragoman.smt.factors import FactorSection
from dragoman.smt.grammar import MosesRules, RuleTable
from dragoman.smt.phrase_table import PhraseTable
from dragoman.smt.tune.base import TUNERS, Tuned
from dragoman.smt.tune.rounds import Round
from dragoman.text.compounds import CompoundModel, CompoundRecipe
from dragoman.text.vocabulary import Vocabulary
from tests.fuzz.models.base import LINES, SOURCE, TARGET, Seed, seed_of
from tests.metrics.pivot_tables import SMALL, table_of
from tests.reorder.toy import toy_pairs
from tests.smt.test_extraction import aligned

__all__ = ["compounds", "seeds"]

SENTENCES = [(("a", "b", "c"), ("x", "y", "z"), {(0, 0), (1, 2), (2, 1)}), (("b", "a"), ("y", "x"), {(0, 0), (1, 1)})]
RULES = [
    "a [X][X] b [X] ||| x [X][X] [X] ||| 0.5 0.25 ||| 0-0 1-1",
    "a [X][X] b [X] ||| [X][X] y [NP] ||| 0.25 0 ||| 1-0 2-1",
    "[X][X] b [X][NP] [X] ||| [X][NP] y [X][X] [X] ||| 1 1 ||| 0-2 1-1 2-0",
    "a [X] ||| x [X] ||| 0.125 1 ||| 0-0",
]


def seeds() -> Iterator[Seed]:
    """One of each table, aligner and method of ordering."""
    yield seed_of("phrase-table", _phrases, _look_up(PhraseTable))
    yield seed_of("factored-phrases", _two_paths, _look_up(FactoredPhrases))
    for quantised in (False, True):
        yield seed_of(f"rule-table-{quantised:d}", lambda quantised=quantised: _rules(quantised), _look_up_rules)  # type: ignore[misc]
    yield seed_of("pivot-table", lambda: table_of(SMALL), _compare_by_pivots)
    yield seed_of("bitext-index", lambda: PhraseSampling().index(*_text()), _look_up(BitextIndex))
    for name in ALIGNERS.names():
        yield seed_of(f"aligner-{name}", lambda name=name: ALIGNERS.get(name)().train(SOURCE, TARGET, seed=3), _align)  # type: ignore[misc]
    yield seed_of("compounds", compounds, lambda path: CompoundModel.load(path).merge(LINES))
    yield seed_of(
        "alternatives",
        lambda: Alternatives(AlternativeSection(layers="split"), "en", compounds()),
        lambda path: Alternatives.load(path).asked(LINES, None),
    )
    for method in ("tree", "short:least=1", "long:least=1"):
        name = f"reorderer-{method.partition(':')[0]}"
        yield seed_of(name, lambda method=method: _reorderer(method), _order)  # type: ignore[misc]
    yield seed_of("tuned", _tuned, lambda path: (each := Tuned.load(path), each.weights, each.render()))


def compounds() -> CompoundModel:
    """A model that knows one compound."""
    return CompoundRecipe(lang="en", least=1).train(
        ["rain coat raincoat"], targets=["x y x"], translations={"rain": {"x"}, "coat": {"y"}}
    )


def _text() -> Any:
    return aligned(SENTENCES)  # type: ignore[arg-type]


def _phrases() -> PhraseTable:
    return PhraseExtraction().extract(*_text())


def _two_paths() -> FactoredPhrases:
    table = _phrases()
    section = FactorSection(setup="tF-F:tF-FaT", target=("T=snowball:lang=en",))
    words = Vocabulary([f"{word}￨X" for word in table.target.words()])
    whole = PhraseTable(table.core, table.source, words, table.recipe)
    log_p = np.full(len(words), -0.5, dtype=np.float32)
    return FactoredPhrases(section, {"tF-F": table, "tF-FaT": whole}, {"gF-T": log_p}, words)


def _rules(quantised: bool) -> RuleTable:
    return RuleTable.of_rules(map(MosesRules().rule, RULES), quantised=quantised, counts={"a": 3, "b": 1})


def _look_up_rules(path: Path) -> object:
    table = RuleTable.load(path)
    return list(table), table.matching(["a", None, "b"]), [table.count(word) for word in "abz"]


def _look_up(kind: Any) -> Callable[[Path], object]:
    def use(path: Path) -> object:
        table = kind.load(path)
        return [table.translations(phrase) for phrase in ("a", "b", "c", "a b", "b c", "b a", "a b c")]

    return use


def _compare_by_pivots(path: Path) -> object:
    return TeslaB(pivots=(str(path),)).segments(["the cat", "good morning"], [["a cat", "morning"]])


def _align(path: Path) -> object:
    return Aligner.load(path).align(SOURCE[:4], TARGET[:4])


def _reorderer(method: str) -> Reorderer:
    """One that has learnt something; the parser's files have a model of their own."""
    srcs, tgts, sentences, links = toy_pairs(30)
    return learn_order(srcs, tgts, recipe=ReorderRecipe(method=method), sentences=sentences, links=links).reorderer


def _order(path: Path) -> object:
    sentences = toy_pairs(30)[2][:6]
    reorderer = Reorderer.load(path)
    orders = [reorderer.order(sentence) for sentence in sentences]
    if not all(is_order(order, len(each)) for order, each in zip(orders, sentences, strict=True)):
        raise AssertionError(f"{path} loses words: {orders}")  # damage may lead astray, but not out of the sentence
    return [reorderer.lattice(sentence) for sentence in sentences]


def _tuned() -> Tuned:
    rounds = tuple(Round(n, 1.0, None, None, 1.0, 1.0, 0, None, 0.0, 0.1, (0.5, 0.25)) for n in range(2))
    return Tuned("mira", TUNERS.make("mira"), "bleu", "BLEU", True, ("a", "b"), rounds, 0, 1)
