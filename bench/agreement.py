"""How far metrics agree with people: newstest2013 fr-en against the judgements of WMT 2013, as docs/metrics.md.

Trained metrics score the segments that they did not learn from: one model learns from each half.

    python bench/agreement.py DATA > docs/metrics.md
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from dragoman.data.testset import TestSet
from dragoman.files import read_lines
from dragoman.metrics import MetaEvaluation, MetaRecipe, MetricTraining, as_test_set, make_metric, meta_evaluate
from dragoman.metrics.meta import HumanRankings, read_rankings
from dragoman.metrics.references import ScoredText
from dragoman.metrics.training_data import only_segments

HALVES = ((1, 1500), (1501, 3000))

# Specification, what it measures, range, what it needs.
METRICS = [
    ("bleu", "n-grams of words, precision; segments smoothed", "nothing"),
    ("chrf", "n-grams of characters, F", "nothing"),
    ("ter", "edits and shifts of words", "nothing"),
    ("meteor", "words by form, stem, synonym, paraphrase; order", "a language's list of function words"),
    ("tesla-m", "n-grams of words by stem, synonym and part of speech, F", "a language's list of function words"),
    ("spede", "all edits from reference to hypothesis, weights learnt from SMTeuroparl", "nothing"),
    ("terrorcat", "inflection, order, missing, extra and lexical errors", "nothing"),
]
TRAINED = ["meteor", "tesla-m", "terrorcat"]
SYNONYMS = ["tesla-m"]

HEAD = """# Metrics and people

How far the metrics of this package agree with people, measured: newstest2013 French–English, 3,000 segments, the 13
systems that WMT 2013 judged, 80,741 pairs of translations of which people called one the better. τ is Kendall's as WMT
2013 counted it (pairs that a metric scores alike are left out), ρ Spearman's over the 13 systems' mean segment scores;
intervals hold 95 % and are by bootstrap. *Trained* metrics score each segment with weights learnt from the judgements
of the other half of the segments, never its own. `bench/agreement.py` writes this page.

| metric | what it compares | needs | τ of segments | interval | ρ of systems | segments/s |
| --- | --- | --- | --- | --- | --- | --- |
"""

TAIL = """
Segments a second are of one thread of a shared machine, tokenising and annotating included. Scores of all metrics here
go from 0 to 100, but for TER, whose errors have no limit.

TESLA-CELAB (`celab`) is for scripts without word boundaries, for which no judgements are at hand; it gives its authors'
ten published scores (`tests/published/test_celab.py`).
"""


def read(data: Path) -> tuple[TestSet, HumanRankings]:
    rankings = read_rankings(data / "wmt-judgments" / "wmt13.fr-en.train.csv.gz")
    assert rankings is not None
    people = rankings["fr-en"]
    files = sorted((data / "newstest2013" / "fr-en").glob("*.gz"))
    systems = {file.name.removesuffix(".gz"): read_lines(file) for file in files}
    judged = {name: lines for name, lines in systems.items() if name in people.systems}
    return as_test_set(judged, [read_lines(data / "newstest2013" / "references" / "newstest2013.en.gz")]), people


def segment_scores(spec: str, test_set: TestSet) -> np.ndarray:
    metric = make_metric(spec).for_segments()
    return metric.values(metric.batch_rows(ScoredText.of(test_set), 1))


def held_out_scores(spec: str, test_set: TestSet, people: HumanRankings) -> np.ndarray:
    """Scores of each half by the model that learnt from the other one."""
    text = ScoredText.of(test_set)
    whole = np.zeros((len(test_set.systems), len(test_set)))
    for seen, (first, last) in zip(HALVES, HALVES[::-1], strict=True):
        metric = MetricTraining().train(make_metric(spec), test_set, only_segments(people, *seen)).metric.for_segments()
        part = slice(first - 1, last)
        whole[:, part] = metric.values(metric.batch_rows(text.only(list(range(first - 1, last))), 1))
    return whole


def agreement(scores: dict[str, np.ndarray], test_set: TestSet, people: HumanRankings, level: str) -> MetaEvaluation:
    tables = {}
    for name, values in scores.items():
        rows = values if level == "seg" else values.mean(axis=1)
        tables[name] = dict(zip(test_set.systems, rows.tolist(), strict=True))
    recipe = MetaRecipe(level=level, trials=300, lower_is_better=tuple(n for n in scores if n == "ter"))
    return meta_evaluate(tables, people, replace(recipe, variant="wmt13") if level == "seg" else recipe)


def main() -> None:
    data = Path(sys.argv[1])
    test_set, people = read(data)
    rows: dict[str, tuple[str, str, str]] = {}
    scores: dict[str, np.ndarray] = {}
    n = len(test_set) * len(test_set.systems)
    for spec, what, needs in METRICS:
        start = time.process_time()
        scores[spec] = segment_scores(spec, test_set)
        rows[spec] = (what, needs, f"{n / (time.process_time() - start):,.0f}")
    for name in SYNONYMS:
        key = f"{name}, synonyms"
        scores[key] = segment_scores(f"{name}:synonyms=wordnet+place={data / 'meteor'}", test_set)
        rows[key] = ("the same with synonyms", "WordNet, here METEOR's files of it", "–")
    for name in TRAINED:
        key = f"{name}, trained"
        scores[key] = held_out_scores(name, test_set, people)
        rows[key] = ("the same, weights learnt from the other half", "judgements", "–")
    by_segment, by_system = (agreement(scores, test_set, people, level) for level in ("seg", "sys"))
    text = HEAD
    for name in sorted(scores, key=lambda name: -by_segment.agreement(name).values["tau"]):
        own, systems = by_segment.agreement(name), by_system.agreement(name)
        what, needs, speed = rows[name]
        text += (
            f"| {name} | {what} | {needs} | {own.values['tau']:.3f} | {own.low:.3f} to {own.high:.3f} | "
            f"{systems.values['spearman']:.3f} | {speed} |\n"
        )
    sys.stdout.write(text + TAIL)


if __name__ == "__main__":
    main()
