"""How fast a chart translates: words per processor second, memory and mean model score at several pop limits.

    python bench/chart.py RULES LM LINES [--lines 100] [--pop 10 30 100 400]

RULES and LM are folders of a packed rule table and of a language model, LINES is tokenised source text.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from dragoman.lm import LanguageModel
from dragoman.smt.feature_tables import FeatureTables
from dragoman.smt.grammar import RuleTable
from dragoman.smt.grammar.kernel import ChartKernel
from dragoman.smt.search import SearchLimits

WEIGHTS = {"word-penalty": -0.3, "phrase-penalty": 0.1, "glue": 0.1, "unknown": 1.0, "lm": 0.5}  # others 0.2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules")
    parser.add_argument("lm")
    parser.add_argument("text")
    parser.add_argument("--lines", type=int, default=100)
    parser.add_argument("--pop", type=int, nargs="+", default=[10, 30, 100, 400])
    asked = parser.parse_args()
    table, lm = RuleTable.load(asked.rules), LanguageModel.load(asked.lm)
    models = SimpleNamespace(
        grammar=table,
        phrases=table,
        source=table.source,
        target=table.target,
        index=None,
        table=None,
        feature_tables=FeatureTables(),
        language_models={"lm": lm},
    )
    kernel = ChartKernel(models, features=(), given=())
    lines = Path(asked.text).read_text(encoding="utf-8").splitlines()[: asked.lines]
    weights = np.array([WEIGHTS.get(name, 0.2) for name in kernel.names], dtype=np.float32)
    task = kernel.task(lines, None, None, n_threads=1)
    n_words = len(task.ids)
    print(f"{len(table):,} rules, {len(lines)} lines, {n_words} words")
    print("pop limit  words/s  mean score  items scored  peak MB")
    for pop_limit in asked.pop:
        limits = kernel.limits(SearchLimits(pop_limit=pop_limit), weights)
        begin = time.process_time()
        found = task.decode(weights, limits, n_best=1, distinct=True, features=False, n_threads=1)
        spent = time.process_time() - begin
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        mean = float(np.mean(found.scores))
        print(f"{pop_limit:9}  {n_words / spent:7.0f}  {mean:10.4f}  {found.hypotheses:12,}  {peak:7.0f}")


if __name__ == "__main__":
    main()
