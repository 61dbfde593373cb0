"""How fast a chart translates: words per processor second, memory and mean model score at several pop limits.

    python bench/chart.py [RULES LM LINES] [--lines 100] [--pop 10 30 100 400] [--runs 1] [--grow]
        [--save ROWS] [--against ROWS]

RULES and LM are folders of a packed rule table and of a language model, as an engine has them (grammar and lm), LINES
is tokenised source text; without them, an engine of 10,000 captions with Hiero's rules and test captions. The quickest
of the runs counts. `--save` keeps the figures; `--against` tells how many times as fast this is as what was kept, at
the same mean model score: time is taken between the two pop limits around it.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from needs import caption_engine, real_data

from dragoman.files import read_lines
from dragoman.lm import LanguageModel
from dragoman.smt import Engine
from dragoman.smt.feature_tables import FeatureTables
from dragoman.smt.grammar import RuleTable
from dragoman.smt.grammar.kernel import ChartKernel
from dragoman.smt.search import SearchLimits

WEIGHTS = {"word-penalty": -0.3, "phrase-penalty": 0.1, "glue": 0.1, "unknown": 1.0, "lm": 0.5}  # others 0.2


Row = dict[str, float]  # pop, words (a second), score


def seconds_at(score: float, rows: Sequence[Row]) -> float | None:
    """Processor seconds per word for a mean score, between two measured ones; none outside of them."""
    rows = sorted(rows, key=lambda row: row["score"])
    for low, high in pairwise(rows):
        if low["score"] <= score <= high["score"]:
            share = (score - low["score"]) / ((high["score"] - low["score"]) or 1)
            logs = [math.log(1 / row["words"]) for row in (low, high)]
            return math.exp(logs[0] + share * (logs[1] - logs[0]))
    return None


def captions() -> tuple[Path, Path, list[str]]:
    """Return rules, language model and tokenised test text of an engine of captions."""
    engine = caption_engine(settings=("grammar.kind=hiero",), pairs=10_000)
    lines = read_lines(real_data() / "multi30k" / "test_2016_flickr.de.gz")
    return engine / "grammar", engine / "lm", Engine.load(engine).source.prepare(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="?")
    parser.add_argument("lm", nargs="?")
    parser.add_argument("text", nargs="?")
    parser.add_argument("--lines", type=int, default=100)
    parser.add_argument("--pop", type=int, nargs="+", default=[10, 30, 100, 400])
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--grow", action="store_true", help="cube growing")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    asked = parser.parse_args()
    if asked.rules and not asked.text:
        parser.error("name the rules, the language model and the text, or none of them")
    rules, model, lines = (asked.rules, asked.lm, read_lines(asked.text)) if asked.rules else captions()
    table, lm = RuleTable.load(rules), LanguageModel.load(model)
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
    kernel = ChartKernel(models, features=(), given=())
    lines = lines[: asked.lines]
    weights = np.array([WEIGHTS.get(name, 0.2) for name in kernel.names], dtype=np.float32)
    task = kernel.task(lines, None, None, n_threads=1)
    n_words = len(task.ids)
    print(f"{len(table):,} rules, {len(lines)} lines, {n_words} words")
    before = json.loads(asked.against.read_text(encoding="utf-8")) if asked.against else []
    print("pop limit  words/s  mean score  items scored  peak MB" + ("  times as fast" if before else ""))
    rows: list[Row] = []
    for pop_limit in asked.pop:
        limits = kernel.limits(SearchLimits(pop_limit=pop_limit, grow=asked.grow), weights)
        spent = math.inf
        for _ in range(asked.runs):
            begin = time.process_time()
            found = task.decode(weights, limits, n_best=1, distinct=True, features=False, n_threads=1)
            spent = min(spent, time.process_time() - begin)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        row = {"pop": pop_limit, "words": n_words / spent, "score": float(np.mean(found.scores))}
        rows.append(row)
        slower = seconds_at(row["score"], before)
        ratio = f"  {slower * row['words']:13.2f}" if slower else ""
        print(f"{pop_limit:9}  {row['words']:7.0f}  {row['score']:10.4f}  {found.hypotheses:12,}  {peak:7.0f}{ratio}")
    if asked.save:
        asked.save.write_text(json.dumps(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
