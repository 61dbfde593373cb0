"""Paired bootstrap over all systems of newstest2013 fr-en, 1,000 samples: our kernel against sacreBLEU's loop.

CPU seconds of one thread each, so that other work on the machine does not count. Both get the same statistics, made by
sacreBLEU beforehand and not timed, and compare every system with the first one. TER's statistics are those of the first
60 segments, repeated to 3,000: sacreBLEU would take the better part of an hour for all, and the time of resampling does
not depend on them.

    python bench/resampling.py [DATA]
"""

from __future__ import annotations

import gzip
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import sacrebleu.significance
from needs import real_data
from numpy.typing import NDArray
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.metrics.base import Metric

from dragoman.stats import paired_test

Floats = NDArray[np.float64]

TRIALS = 1000
TER_SEGMENTS = 60


def bleu(totals: Floats) -> Floats:
    precision = np.log(totals[:, 2:6] / totals[:, 6:10]).mean(axis=1)
    return 100 * np.exp(np.minimum(0, 1 - totals[:, 1] / totals[:, 0]) + precision)


def chrf(totals: Floats) -> Floats:
    hypothesis, reference, match = totals[:, 0::3], totals[:, 1::3], totals[:, 2::3]
    precision, recall = (match / hypothesis).mean(axis=1), (match / reference).mean(axis=1)
    return 100 * 5 * precision * recall / (4 * precision + recall)


def ter(totals: Floats) -> Floats:
    return -100 * totals[:, 0] / totals[:, 1]


def lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file]


def statistics(metric: Metric, hypotheses: list[str], references: list[str]) -> list[list[float]]:
    if isinstance(metric, TER):
        part = metric._extract_corpus_statistics(hypotheses[:TER_SEGMENTS], [references[:TER_SEGMENTS]])
        return (part * (len(references) // TER_SEGMENTS + 1))[: len(references)]
    return metric._extract_corpus_statistics(hypotheses, [references])


def theirs(metric: Metric, systems: list[list[list[float]]]) -> tuple[float, list[float]]:
    """Time and p-values of sacreBLEU's own function, handed the statistics in place of the text."""
    start = time.process_time()
    score = metric._aggregate_and_compute(systems[0])
    baseline = {"": (systems[0], sacrebleu.significance.Result(score.score))}
    p_values = []
    for system in systems[1:]:
        metric._extract_corpus_statistics = lambda *_, given=system: given  # type: ignore[method-assign]
        _, result = sacrebleu.significance._paired_bs_test(
            baseline, "", [""] * len(system), None, {"": metric}, TRIALS, seed=12345
        )
        p_values.append(result[""].p_value)
    return time.process_time() - start, p_values


def ours(name: str, systems: list[Floats], values: Callable[[Floats], Floats]) -> tuple[float, list[float]]:
    start = time.process_time()
    pairs = [(number, 0) for number in range(1, len(systems))]
    found = paired_test(name, trials=TRIALS).compare_pairs(systems, values, pairs)
    return time.process_time() - start, [comparison.p for comparison in found]


def main() -> None:
    named = sys.argv[1] if len(sys.argv) > 1 else None
    data = real_data(named)
    folder = data / "newstest2013"
    references = lines(folder / "references" / "newstest2013.en.gz")
    texts = [lines(path) for path in sorted((folder / "fr-en").glob("*.gz"))]
    print(f"paired bootstrap, {len(texts)} systems, {len(references)} segments, {TRIALS} samples, CPU seconds")
    warm = np.random.default_rng(0).integers(1, 9, size=(50, 2)).astype(np.float64)
    ours("sacrebleu-bs", [warm, warm], ter)
    print(f"{'':8}{'sacreBLEU':>12}{'sacrebleu-bs':>14}{'ratio':>8}{'bootstrap':>12}{'ratio':>8}  p-values")
    sums = np.zeros(3)
    metrics: list[tuple[str, Metric, Callable[[Floats], Floats]]] = [
        ("BLEU", BLEU(), bleu),
        ("chrF", CHRF(), chrf),
        ("TER", TER(), ter),
    ]
    for label, metric, values in metrics:
        made = [statistics(metric, text, references) for text in texts]
        arrays = [np.array(rows, dtype=np.float64) for rows in made]
        same_time, same_p = ours("sacrebleu-bs", arrays, values)
        own_time, _ = ours("bootstrap", arrays, values)
        their_time, their_p = theirs(metric, made)
        times = np.array([their_time, same_time, own_time])
        sums += times
        verdict = (
            "equal" if same_p == their_p else f"{sum(a != b for a, b in zip(same_p, their_p, strict=True))} differ"
        )
        show(label, times, verdict)
    show("all", sums, "")


def show(label: str, times: Floats, verdict: str) -> None:
    theirs_, same, own = times
    print(f"{label:8}{theirs_:11.2f}s{same:13.3f}s{theirs_ / same:7.0f}x{own:11.3f}s{theirs_ / own:7.0f}x  {verdict}")


if __name__ == "__main__":
    main()
