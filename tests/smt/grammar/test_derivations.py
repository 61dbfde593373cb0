"""The chart against the definition: every derivation of sentences of up to eight words by random grammars."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from dragoman.lm import KneserNey, LanguageModel
from dragoman.smt.decoded import Decoded
from dragoman.smt.feature_tables import FeatureTables
from dragoman.smt.grammar import Gap, MosesRules, Rule, RuleTable
from dragoman.smt.grammar.kernel import ChartKernel
from dragoman.smt.grammar.labels import DEFAULT
from dragoman.smt.search import SearchLimits
from tests.smt.grammar.naive import Derivation, best, derivations, posteriors

X, Y = (DEFAULT, DEFAULT), (DEFAULT, "Y")
WEIGHTS = {"table.1": 0.7, "word-penalty": -0.3, "phrase-penalty": 0.1, "glue": 0.4, "unknown": 2.0, "lm": 0.5}
WIDE = SearchLimits(pop_limit=100_000, options_per_phrase=1000)
MOST = 20_000  # derivations that are listed
TEXT = ["x y", "y z x", "x x", "z y y", "y x z"]


def a_rule(chance: random.Random) -> Rule:
    """A rule with up to two gaps, one source word at least, and any target words."""
    n_gaps = chance.randrange(0, 3)
    labels = [(X, Y)[chance.randrange(0, 2)] for _ in range(n_gaps)]
    gaps = [Gap(number, label) for number, label in enumerate(labels)]
    source: list[str | Gap] = [*gaps]
    for _ in range(chance.randrange(1, 3)):
        source.insert(chance.randrange(0, len(source) + 1), "abc"[chance.randrange(0, 3)])
    if any(isinstance(one, Gap) and isinstance(other, Gap) for one, other in pairwise(source)):
        source.insert(1, "a")
    target: list[str | Gap] = [*gaps]
    if chance.randrange(0, 2):
        target.reverse()
    for _ in range(chance.randrange(1, 3)):
        target.insert(chance.randrange(0, len(target) + 1), "xyz"[chance.randrange(0, 3)])
    whole = (X, Y)[chance.randrange(0, 2)]
    return Rule(tuple(source), tuple(target), whole, (round(0.05 + 0.9 * chance.random(), 3),))


def a_case(number: int) -> tuple[list[Rule], list[str], int, list[Derivation]]:
    """Rules, a sentence, how far rules with gaps reach, and all derivations, of which there are not too many."""
    for attempt in range(1000):
        chance = random.Random(1000 * number + attempt)
        drawn = [a_rule(chance) for _ in range(7)]
        rules = list({(each.source, each.target, each.labels): each for each in drawn}.values())
        words = ["abcd"[chance.randrange(0, 4)] for _ in range(chance.randrange(4, 9))]
        span = (0, 4)[chance.randrange(0, 2)]
        found = derivations(words, rules, span=span, unknown=(X, Y))
        if 1 < len(found) <= MOST:
            return rules, words, span, found
    raise AssertionError("no grammar is small enough")


def a_kernel(folder: Path, rules: list[Rule], span: int, lm: LanguageModel) -> ChartKernel:
    # A rule that matches nothing, so that both labels are known to every grammar.
    unused = [Rule(("q",), ("q",), label, (1.0,)) for label in (X, Y)]
    path = folder / "rules"
    MosesRules().write([*rules, *unused], path)
    table = RuleTable.read_rules(path)
    models = SimpleNamespace(
        grammar=table,
        phrases=table,
        source=table.source,
        target=table.target,
        index=None,
        paths=None,
        table=None,
        feature_tables=FeatureTables(),
        language_models={"lm": lm},
    )
    return ChartKernel(models, features=(), given=(), span=span, unknown_labels=(X, Y))


@pytest.mark.parametrize("grow", [False, True], ids=["pruning", "growing"])
@pytest.mark.parametrize("number", range(40))
def test_scores_lists_and_shares_are_those_of_all_derivations(number: int, grow: bool, tmp_path: Path) -> None:
    rules, words, span, found = a_case(number)
    lm = KneserNey(order=3).train(TEXT)
    kernel = a_kernel(tmp_path, rules, span, lm)

    def log_p(said: tuple[str, ...]) -> float:
        return float(lm.score([" ".join(said)])[0]) * math.log(10)

    task = kernel.task([" ".join(words)], None, None, n_threads=1)
    weights = np.array([WEIGHTS[name] for name in kernel.names], dtype=np.float32)
    limits = kernel.limits(replace(WIDE, grow=grow), weights)

    expected = [score for score, _ in best(found, WEIGHTS, log_p)]
    paths = task.decode(weights, limits, n_best=50, distinct=False, features=True, n_threads=1)
    listed = Decoded.of(paths, task.texts(paths), kernel.names)
    np.testing.assert_allclose(listed.scores, expected[:50], atol=1e-4)
    np.testing.assert_allclose(listed.features @ weights, listed.scores, atol=1e-4)

    texts = {" ".join(each.words): score for score, each in best(found, WEIGHTS, log_p, distinct=True)}
    paths = task.decode(weights, limits, n_best=50, distinct=True, features=False, n_threads=1)
    distinct = Decoded.of(paths, task.texts(paths), kernel.names)
    assert max(Counter(distinct.texts).values()) == 1
    assert len(distinct.texts) == min(50, len(texts))
    np.testing.assert_allclose(distinct.scores, [texts[text] for text in distinct.texts], atol=1e-4)
    np.testing.assert_allclose(distinct.scores, sorted(texts.values(), reverse=True)[:50], atol=1e-4)

    # The arcs to the end say nothing but which translations there are: their shares add up by what they lead to.
    [graph] = task.graphs(weights, limits, features=False, n_threads=1)
    shares = posteriors(found, WEIGHTS, log_p)
    listed_all = graph.n_best(len(found) + 1, False)
    assert len(listed_all) == len(found)
    total = np.logaddexp.reduce([score for score, _ in listed_all])
    sums: Counter[tuple[str, ...]] = Counter()
    for score, arcs in listed_all:
        text = " ".join(task.spelt(0, [each])[each] for each in graph.words_of(arcs))
        sums[tuple(text.split())] += math.exp(score - total)
    assert sums.keys() == shares.keys()
    for said, share in shares.items():
        assert sums[said] == pytest.approx(share, abs=1e-4)
