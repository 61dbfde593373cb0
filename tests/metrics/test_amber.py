"""AMBER: the parts of its score, and tuning."""

from __future__ import annotations

import json
import math
import time

import numpy as np
import pytest
from hypothesis import given

from dragoman.errors import DataError, ModelError
from dragoman.metrics import as_test_set
from dragoman.metrics.amber import PENALTIES, Amber, Amber1, split_word, word_orders
from dragoman.metrics.amber_tuning import AmberTuning, TunedAmber
from tests.contract import naive
from tests.metrics.texts import corpora

REF = "the quick brown fox jumps over the lazy dog"


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("gangs", ("gang", "gs")),
        ("gang", ("gang",)),
        ("a", ("a",)),
        ("visits", ("visi", "ts")),
        ("visited", ("visi", "ed")),
        ("translation", ("tran", "on")),
        ("Überfälle", ("Über", "le")),
    ],
)
def test_long_words_are_split(word, pieces) -> None:
    assert split_word(word) == pieces


def naive_amber(metric: Amber, hyps: list[str], refs: list[str]) -> float:
    """AMBER from its definition, loop by loop, of texts that are tokenised and in lower case."""
    scores = []
    for form in metric.forms.split("+"):

        def cut(line: str, form: str = form) -> list[str]:
            return [part for word in line.split() for part in (split_word(word) if form == "split" else (word,))]

        pairs = [(cut(hyp), cut(ref)) for hyp, ref in zip(hyps, refs, strict=True)]
        rows = [naive.amber(hyp, ref, metric.max_order) for hyp, ref in pairs]
        orders = range(metric.max_order)
        m = [sum(row[n] for row in rows) for n in orders]
        h = [sum(max(len(hyp) - n, 0) for hyp, _ in pairs) for n in orders]
        r = [sum(max(len(ref) - n, 0) for _, ref in pairs) for n in orders]
        if not r[0] or not m[0]:
            scores.append(0.0)
            continue
        more = [metric.smooth and n > 0 for n in orders]
        p = [(m[n] + more[n]) / (h[n] + more[n]) if h[n] + more[n] else 0.0 for n in orders]
        rec = [m[n] / r[n] if r[n] else 0.0 for n in orders]

        def f(precision: float, recall: float) -> float:
            below = metric.alpha * precision + (1 - metric.alpha) * recall
            return precision * recall / below if below else 0.0

        avg_p = math.prod(p) ** (1 / metric.max_order)
        f_mean = f(np.mean(p), np.mean(rec[: metric.recall_order]))
        avg_f = np.mean([f(p[n], rec[n]) for n in orders if r[n]])
        score = metric.theta1 * avg_p + metric.theta2 * f_mean + (1 - metric.theta1 - metric.theta2) * avg_f
        chars = [(sum(map(len, hyp)), sum(map(len, ref))) for hyp, ref in pairs]
        shorts = [(sum(len(w) <= 3 for w in hyp), sum(len(w) <= 3 for w in ref)) for hyp, ref in pairs]
        lengths = [(len(hyp), len(ref)) for hyp, ref in pairs]
        a, b = map(sum, zip(*shorts, strict=True))
        shares = [
            min(m[n] / most, 1) if (most := m[n - 1] - sum(row[n - 1] > 0 for row in rows)) else 0.0
            for n in orders[1:]
            if r[n]
        ]
        aligned, chunks = (sum(row[metric.max_order + k] for row in rows) for k in (0, 1))

        aligned_rows = [(row[-4:], len(ref)) for row, (_, ref) in zip(rows, pairs, strict=True) if row[0]]

        def mean(measure, rows=aligned_rows, total=r[0]) -> float:
            return sum(measure(*row) * length for row, length in rows) / total

        penalties = {
            "sbp": math.exp(1 - sum(y for _, y in lengths) / sum(map(min, lengths))),
            "srp": math.exp(1 - sum(map(max, lengths)) / sum(y for _, y in lengths)),
            "csbp": math.exp(1 - sum(y for _, y in chars) / sum(map(min, chars))),
            "csrp": math.exp(1 - sum(map(max, chars)) / sum(y for _, y in chars)),
            "swdp": math.exp(-abs(a - b) / r[0]),
            "lwdp": math.exp(-abs((h[0] - a) - (r[0] - b)) / r[0]),
            "ckp": 1 - metric.gamma * (chunks / aligned) ** metric.beta if aligned else 1.0,
            "ctp": math.exp(np.mean(shares) - 1) if shares else 1.0,
            "nscp": mean(lambda rho, tau, v1, v2: (1 + rho) / 2),
            "nkcp": mean(lambda rho, tau, v1, v2: (1 + tau) / 2),
            "v": mean(lambda rho, tau, v1, v2: 2 / (1 / v1 + 1 / v2) if v1 > 0 and v2 > 0 else 0.0),
        }
        scores.append(score * math.prod(penalties[name] ** getattr(metric, name) for name in PENALTIES))
    return 100 * float(np.mean(scores))


ALL_WEIGHTS = {name: 0.3 + 0.1 * k for k, name in enumerate(PENALTIES)}


@given(corpora(max_refs=1))
def test_the_score_is_what_the_papers_define(corpus) -> None:
    hyps, refs = ([" ".join(line.lower().split()) for line in lines] for lines in (corpus[0], corpus[1][0]))
    for metric in (Amber(tokeniser="none", **ALL_WEIGHTS), Amber1(tokeniser="none", recall_order=2, max_order=3)):
        assert metric.corpus_value(hyps, [refs]) == pytest.approx(naive_amber(metric, hyps, refs), abs=1e-9)
        one = metric.for_segments()
        expected = [naive_amber(one, [hyp], [ref]) for hyp, ref in zip(hyps, refs, strict=True)]
        np.testing.assert_allclose(metric.segments(hyps, [refs]), expected, atol=1e-9)


def test_a_perfect_translation_loses_only_to_the_chunk_penalty() -> None:
    for line, n_whole, n_split in ((REF, 9, 12), ("yes .", 2, 2)):
        expected = 50 * sum(1 - 0.1 * (1 / n) ** 3 for n in (n_whole, n_split))
        assert Amber().segments([line], [[line]])[0] == pytest.approx(expected)
        assert Amber().segments([line], [[line]])[0] > Amber().segments([line + " x"], [[line]])[0]


@pytest.mark.parametrize(
    ("hyp", "part", "others"),
    [
        ("the quick brown fox jumps", "sbp", ["srp", "csrp"]),
        (REF + " and the brown hen", "srp", ["sbp", "csbp"]),
        ("over the lazy dog the quick brown fox jumps", "v", ["sbp", "srp", "csbp", "csrp", "swdp", "lwdp"]),
        ("the quick a fox jumps over the lazy dog", "swdp", ["v", "nkcp", "nscp", "srp"]),
        ("the brown quick jumps fox over the lazy dog", "ctp", ["sbp", "srp", "swdp", "lwdp"]),
    ],
)
def test_each_penalty_sees_its_fault(hyp, part, others) -> None:
    metric = Amber(tokeniser="none")
    parts = metric.parts(metric.stats([hyp], [[REF]])[0])
    assert (parts[part] < 1).any()
    for name in others:
        assert parts[name].tolist() == [1.0, 1.0], name


def test_words_that_no_context_tells_apart_are_in_order() -> None:
    assert word_orders(["la la"], ["la la la la"])[0].n_aligned == 0
    metric = Amber(tokeniser="none")
    parts = metric.parts(metric.stats(["la la", "x"], [["la la la la", "y"]]))
    assert parts["v"].tolist() == [[1.0, 1.0], [0.0, 0.0]]


def test_of_two_words_that_claim_one_the_first_has_it() -> None:
    order = word_orders(["a c x a"], ["x a c"])[0]
    assert (order.n_aligned, order.n_chunks) == (3, 2)


def test_verbose_names_the_parts() -> None:
    shown = Amber().verbose(Amber().stats([REF], [[REF]])[0])
    assert shown.startswith("score = 1.000 sbp = 1.000 srp = 1.000")
    assert shown.endswith("v = 1.000")
    assert "nscp" not in shown


def test_options_that_do_not_fit_each_other_are_named() -> None:
    with pytest.raises(DataError, match=r"'recall_order' option of Amber must be at most max_order \(2\). Got 3"):
        Amber(max_order=2, recall_order=3)
    with pytest.raises(DataError, match=r"theta1 and theta2 of Amber1 must add up to 1 at most. Got 0.7 and 0.5"):
        Amber1(theta1=0.7)
    with pytest.raises(DataError, match="'forms' option of Amber must be one of 'whole'"):
        Amber(forms="halved")


def test_three_thousand_segments_take_less_than_two_seconds() -> None:
    words = REF.split()
    lines = [" ".join(words[(i * k) % 9] + str((i + k) % 50) for k in range(25)) for i in range(3000)]
    begin = time.process_time()
    Amber().stats(lines, [lines[1:] + lines[:1]])
    assert time.process_time() - begin < 2


def judged() -> tuple[list[str], list[str], list[float]]:
    """Translations with more and more words wrong, and judgements that say so."""
    words = REF.split()
    hyps = [" ".join([*words[: 9 - i % 10], *["wrong"] * (i % 10 // 2)]) for i in range(40)]
    return hyps, [REF] * 40, [10.0 - i % 10 + i % 3 for i in range(40)]


QUICK = AmberTuning(max_evaluations=60, restarts=1)


def test_tuning_never_loses_and_tells_its_way() -> None:
    hyps, refs, judgements = judged()
    tuned = QUICK.train(as_test_set({"x": hyps}, [refs]), judgements, seed=3)
    values = [value for _, value in tuned.history]
    assert values == sorted(set(values))
    assert values[0] == tuned.before <= values[-1] == tuned.after
    assert not tuned.metric.smooth
    assert tuned.n_items == 40
    assert tuned.n_evaluations <= 10 + 1 + 2 * (60 + 17)
    from scipy.stats import spearmanr

    assert spearmanr(tuned.metric.segments(hyps, [refs]), judgements)[0] == pytest.approx(tuned.after, abs=1e-12)


def test_the_same_seed_gives_the_same_parameters() -> None:
    hyps, refs, judgements = judged()
    first, again = (QUICK.train(as_test_set({"x": hyps}, [refs]), judgements, seed=3) for _ in range(2))
    assert first.metric == again.metric
    assert first.history == again.history


@pytest.mark.parametrize("correlation", ["pearson", "kendall"])
def test_other_correlations_can_be_raised(correlation) -> None:
    hyps, refs, judgements = judged()
    recipe = AmberTuning(correlation=correlation, max_evaluations=30, restarts=0, orders=False)
    tuned = recipe.train(as_test_set({"x": hyps}, [refs]), judgements, metric=Amber1(), seed=0)
    assert tuned.after >= tuned.before > 0.5
    assert isinstance(tuned.metric, Amber1)
    assert tuned.metric.max_order == 4


def test_systems_are_tuned_on_their_corpus_scores() -> None:
    _, refs, _ = judged()
    systems = {
        str(k): [line.replace("quick", "slow") if i < 8 * k else line for i, line in enumerate(refs)] for k in range(5)
    }
    human = {name: -float(name) for name in systems} | {"4": None}
    tuned = QUICK.train(as_test_set(systems, [refs]), human, seed=0)
    assert tuned.after == pytest.approx(1.0)
    assert (tuned.n_items, tuned.n_unjudged) == (4, 1)
    with pytest.raises(DataError, match="must have the same names; only one side has 4, x"):
        QUICK.train(as_test_set(systems, [refs]), {**dict.fromkeys("0123", 1.0), "x": 2.0}, seed=0)


def test_unjudged_segments_are_left_out_and_too_few_refused() -> None:
    hyps, refs, judgements = judged()
    some = [None if i < 10 else value for i, value in enumerate(judgements)]
    tuned = QUICK.train(as_test_set({"x": hyps}, [refs]), some, seed=0)
    assert (tuned.n_items, tuned.n_unjudged) == (30, 10)
    assert tuned.metric == QUICK.train(as_test_set({"x": hyps[10:]}, [refs[10:]]), judgements[10:], seed=0).metric
    with pytest.raises(DataError, match=r"needs at least 3 judged items .*; 2 of 40 are judged"):
        QUICK.train(as_test_set({"x": hyps}, [refs]), [1.0, 2.0] + [None] * 38, seed=0)
    with pytest.raises(DataError, match="do not all have the same judgement; 40 of 40"):
        QUICK.train(as_test_set({"x": hyps}, [refs]), [1.0] * 40, seed=0)
    with pytest.raises(DataError, match="got hyps=40, judgements=39"):
        QUICK.train(as_test_set({"x": hyps}, [refs]), judgements[1:], seed=0)


def test_parameters_are_saved_and_read(tmp_path) -> None:
    hyps, refs, judgements = judged()
    tuned = QUICK.train(as_test_set({"x": hyps}, [refs]), judgements, seed=3)
    back = TunedAmber.load(tuned.save(tmp_path / "amber"))
    for name in ("recipe", "metric", "before", "after", "history", "n_evaluations", "n_items", "seed", "data"):
        assert getattr(back, name) == getattr(tuned, name), name
    file = tmp_path / "amber" / "parameters.json"
    values = json.loads(file.read_text())
    file.write_text(json.dumps(values))
    with pytest.raises(ModelError, match=r"parameters.json is damaged or was edited"):
        TunedAmber.load(tmp_path / "amber")
