"""Selection among systems (Soricut & Narsale, WMT 2012): measures, components, methods, command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.main import group
from dragoman.data import TestSet
from dragoman.errors import DataError
from dragoman.metrics import METRICS
from dragoman.qe.selection import (
    METHODS,
    Components,
    Selector,
    SelectorRecipe,
    choice_divergence,
    choice_shares,
    delta_set,
    document_bleu,
    evaluate_selection,
    gold_components,
    rank_accuracy,
    sentence_bleu,
)
from dragoman.qe.selection.examples import EXAMPLE_NAMES, SystemExamples
from dragoman.stats.delta_avg import delta_avg_of

WORDS = "abcdefgh"
lines = st.lists(st.text(WORDS, min_size=1, max_size=9).map(" ".join), min_size=1, max_size=8)


@pytest.mark.parametrize(("shares", "printed"), [((32.3, 67.7), 0.11), ((47.0, 53.0), 3.31), ((63.9, 36.1), 17.88)])
def test_the_divergences_that_the_paper_prints_of_hitech_en_fr(shares: tuple[float, float], printed: float) -> None:
    assert choice_divergence(shares, (34.5, 65.5)) == pytest.approx(printed, abs=0.01)


def test_divergence_of_the_same_and_of_the_impossible() -> None:
    assert choice_divergence((0.5, 0.5), (0.5, 0.5)) == 0
    assert choice_divergence((0.5, 0.5), (1.0, 0.0)) == float("inf")
    assert choice_divergence((0.0, 1.0), (0.5, 0.5)) == pytest.approx(100 * np.log(2))
    with pytest.raises(DataError, match="the same systems"):
        choice_divergence((1.0,), (0.5, 0.5))
    assert choice_shares([0, 2, 2, 2], 3).tolist() == [0.25, 0, 0.75]
    with pytest.raises(DataError, match="no sentences"):
        choice_shares([], 2)


def test_rank_accuracy_puts_the_rest_into_the_last_quantile() -> None:
    gold = [5.0, 4, 3, 2, 1]
    assert rank_accuracy(gold, gold, 2) == 1
    assert rank_accuracy(gold, [4.0, 3, 5, 2, 1], 2) == pytest.approx(3 / 5)  # halves of 2 and 3; two places swapped
    assert rank_accuracy(gold, gold[::-1], 2) == pytest.approx(1 / 5)
    with pytest.raises(DataError, match=r"rAcc\[2\]"):
        rank_accuracy([1.0], [1.0])


def test_delta_of_sets_is_delta_avg_where_the_value_is_a_mean() -> None:
    gold, said = np.array([3.0, 1, 4, 1, 5, 9, 2]), np.array([2.0, 7, 1, 8, 2.5, 8.5, 3])
    for n in (2, 3, 7):
        assert delta_set(lambda items: float(gold[items].mean()), said, n) == pytest.approx(delta_avg_of(gold, said, n))
    with pytest.raises(DataError, match="quantiles"):
        delta_set(lambda items: 0.0, [1.0], 2)


@given(lines, st.data())
def test_gold_components_make_corpus_bleu_again(hyps: list[str], data: st.DataObject) -> None:
    # With references no shorter than the outputs every penalty tells the reference's length.
    refs = [f"{hyp} {' '.join(data.draw(st.text(WORDS, max_size=4)))}".strip() for hyp in hyps]
    metric = METRICS.make("bleu:tokeniser=none,smoothing=none")
    found = gold_components(hyps, refs)
    assert document_bleu(found)[0] == pytest.approx(metric.corpus_value(hyps, [refs]), abs=1e-9)
    alone = document_bleu(found, list(range(len(hyps))))
    for place, (hyp, ref) in enumerate(zip(hyps, refs, strict=True)):
        assert alone[place] == pytest.approx(metric.corpus_value([hyp], [[ref]]), abs=1e-9)


def test_sentences_shorter_than_four_words_and_empty_ones() -> None:
    found = gold_components(["a b", "", "a b c d e"], ["a b", "a", "a b c d e f"])
    assert sentence_bleu(found) == pytest.approx([100, 0, 100 * np.exp(1 - 6 / 5)])
    assert found.penalties[1] == 0
    clipped = Components.of([[2.0, -1, 0.5, 0.5, 9]], [5])
    assert clipped.precisions[0].tolist() == [1, 1e-4, 0.5, 0.5]
    assert clipped.penalties[0] == 1
    with pytest.raises(DataError, match="components"):
        Components.of([[1.0]], [5])
    with pytest.raises(DataError, match="Every sentence has a document"):
        document_bleu(clipped, [1, 2])


def planted(n: int, seed: int) -> TestSet:
    """Three systems; the second agrees with the reference where the source is long, the others where it is short."""
    draw = np.random.default_rng(seed)
    sources, refs = [], []
    systems: dict[str, list[str]] = {"x": [], "y": [], "z": []}
    for number in range(n):
        length = 12 if number % 2 else 5
        words = [WORDS[k] for k in draw.integers(len(WORDS), size=length)]
        sources.append(" ".join("s" * length))
        refs.append(" ".join(words))
        for name in systems:
            good = (name == "y") == bool(number % 2)
            said = [f"q{name}" if not good and draw.random() < 0.5 else word for word in words]
            systems[name].append(" ".join(said))
    return TestSet(srcs=sources, systems=systems, refs={"A": refs})


@pytest.mark.parametrize("method", METHODS)
def test_selection_lies_between_the_best_system_and_the_oracle(method: str, tmp_path: Path) -> None:
    train, test = planted(120, 1), planted(80, 2)
    recipe = SelectorRecipe(method=method, learner="ridge")
    selector = recipe.train(train)
    chosen = selector.select(test)
    found = evaluate_selection({method: chosen}, test, tokeniser="none", trials=200)
    assert found.bleu["oracle"] >= found.bleu[method] > found.bleu[found.best]
    assert found.p[method] < 0.05
    selector.save(tmp_path / "selector")
    again = Selector.load(tmp_path / "selector")
    assert again.select(test) == chosen
    assert selector.select(replace(test, systems=dict(reversed(test.systems.items())))) == chosen
    assert selector.select(test, n_threads=7) == chosen
    assert selector.select(TestSet(srcs=[], systems={"x": [], "y": [], "z": []})).chosen == ()


def by_source(n: int, seed: int) -> TestSet:
    """Two systems, each good at sources with words of its own; nothing else tells which."""
    draw = np.random.default_rng(seed)
    sources, refs = [], []
    systems: dict[str, list[str]] = {"x": [], "y": []}
    for _ in range(n):
        kind = int(draw.integers(2))
        sources.append(" ".join(f"{'st'[kind]}{k}" for k in draw.integers(6, size=8)))
        words = [WORDS[k] for k in draw.integers(len(WORDS), size=8)]
        refs.append(" ".join(words))
        for number, name in enumerate(systems):
            wrong = draw.permutation(8)[: 0 if number == kind else 4].tolist()
            systems[name].append(" ".join(WORDS[draw.integers(8)] if k in wrong else w for k, w in enumerate(words)))
    return TestSet(srcs=sources, systems=systems, refs={"A": refs})


def test_examples_tell_which_sources_a_system_is_good_at(tmp_path: Path) -> None:
    train, test = by_source(200, 1), by_source(100, 2)
    bleu = {}
    for every in (0, 4):
        selector = SelectorRecipe(learner="ridge", examples=every).train(train)
        found = evaluate_selection({"s": selector.select(test)}, test, tokeniser="none", trials=10).bleu
        bleu[every] = found["s"] / found["oracle"]
    assert bleu[4] > 0.95 > bleu[0]
    assert selector.names[-4:] == EXAMPLE_NAMES
    selector.save(tmp_path / "selector")
    assert Selector.load(tmp_path / "selector").select(test) == selector.select(test)
    assert selector.select(TestSet(srcs=[], systems={"x": [], "y": []})).chosen == ()
    with pytest.raises(DataError, match="Every 300 of 200 sentences as examples are 1, and leave 199"):
        SelectorRecipe(learner="ridge", examples=300).train(train)


def test_likeness_to_examples_is_the_geometric_mean_of_clipped_precisions() -> None:
    examples = SystemExamples.of(["a b a", "c"], ["A A", "B"], np.array([2.0, 1.0]))
    assert (examples.sources.good, examples.sources.bad) == (("a b a",), ("c",))
    found = examples.features(["a a a b"], ["A A A"])
    # Of the source's words three are in the good example, where a stands twice; of its pairs one, a b; a half is added.
    by_hand = [(3 + 0.5) / 5, (1 + 0.5) / 4, 0.5 / 3, 0.5 / 2]
    assert found.column("example-good-source")[0] == pytest.approx(np.prod(by_hand) ** 0.25)
    by_hand = [(2 + 0.5) / 4, (1 + 0.5) / 3, 0.5 / 2, 0.5 / 1]
    assert found.column("example-good-target")[0] == pytest.approx(np.prod(by_hand) ** 0.25)
    by_hand = [0.5 / 5, 0.5 / 4, 0.5 / 3, 0.5 / 2]
    assert found.column("example-bad-source")[0] == pytest.approx(np.prod(by_hand) ** 0.25)
    assert SystemExamples.from_json(examples.to_json()) == examples


def test_predicted_components_rank_documents() -> None:
    train, test = planted(120, 1), planted(80, 2)
    selector = SelectorRecipe(learner="ridge").train(train)
    documents = [(place // 10, place % 2) for place in range(80)]  # long and short sentences apart
    said = document_bleu(selector.components(test)["y"], documents)
    right = document_bleu(gold_components(test.system("y"), test.ref("A")), documents)  # type: ignore[arg-type]
    assert rank_accuracy(right, said, 2) == 1
    with pytest.raises(DataError, match="predicts no components"):
        SelectorRecipe(method="rank").train(train).components(test)


def test_wrong_input_is_named() -> None:
    text = planted(30, 1)
    one, two = (replace(text, systems={name: text.systems[name] for name in names}) for names in ("x", "xy"))
    recipe = SelectorRecipe(method="rank")
    with pytest.raises(DataError, match="nothing to choose from: 1 systems"):
        recipe.train(one)
    with pytest.raises(DataError, match="One reference is needed, got 0"):
        recipe.train(replace(text, refs={}))
    with pytest.raises(DataError, match="The reference has no translation of segment 2; 1 are missing"):
        recipe.train(replace(text, refs={"A": [None if n == 1 else line for n, line in enumerate(text.ref("A"))]}))
    selector = recipe.train(text)
    with pytest.raises(DataError, match="The selector knows the systems x, y, z; got x, y"):
        selector.select(two)
    with pytest.raises(DataError, match="no selection to evaluate"):
        evaluate_selection({}, text)
    with pytest.raises(DataError, match="cannot be called 'x'"):
        evaluate_selection({"x": [0] * 30}, text)
    with pytest.raises(DataError, match="chose among x, y, z, not x, y"):
        evaluate_selection({"s": selector.select(text)}, two)


def test_the_command(tmp_path: Path) -> None:
    def write(name: str, content: Sequence[str | None] | None) -> str:
        (tmp_path / name).write_text("".join(f"{line}\n" for line in content or ()))
        return str(tmp_path / name)

    train, test = planted(60, 1), planted(40, 2)
    learn = ["--train", write("train.src", train.srcs), write("train.ref", train.ref("A"))]
    for name, lines in train.systems.items():
        learn += ["--output-of", write(f"train.{name}", lines)]
    ask = ["qe", "select", write("src", test.srcs), *(write(name, lines) for name, lines in test.systems.items())]
    model = ["-m", str(tmp_path / "selector")]
    measured = CliRunner().invoke(
        group, [*ask, *learn, *model, "--learner", "ridge", "--reference", write("ref", test.ref("A"))]
    )
    assert measured.exit_code == 0, measured.output
    assert "oracle" in measured.output
    best = tmp_path / "best"
    chosen = CliRunner().invoke(group, [*ask, *model, "--text", str(best)])
    assert chosen.exit_code == 0, chosen.output
    assert len(best.read_text().splitlines()) == 40
    nothing = CliRunner().invoke(group, ask)
    assert "Name a selector's folder" in nothing.output
    few = CliRunner().invoke(group, [*ask, *learn[:-2]])
    assert "3 systems need as many --output-of; got 2" in str(few.exception)
    wrong = CliRunner().invoke(group, [*ask[:-1], *model])
    assert "chooses among 3 systems" in str(wrong.exception)
    double = CliRunner().invoke(group, [*ask[:-1], ask[-2], *model])
    assert "Two outputs have one name" in str(double.exception)
