"""Combinations of eight systems of WMT 2013: BLEU of every aligner and of the choice of whole outputs, and their costs.

    python bench/combination.py [DATA [fr-en …]] [--align ihmm …]      # --align all takes five minutes a pair

DATA is the folder that holds `newstest2013`. Every other segment is for tuning, the rest is measured; the eight systems
are those with the highest BLEU on the tuning half. Times are of the processor, in one thread.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from needs import real_data

from dragoman.combine import (
    ChoiceRecipe,
    CombineRecipe,
    evaluate_outputs,
    interleaved,
    train_chooser,
    train_combiner,
)
from dragoman.combine.model import cut_text
from dragoman.combine.recipe import ALIGNMENTS
from dragoman.combine.words import Cutter
from dragoman.data import TestSet
from dragoman.files import read_lines
from dragoman.metrics.bleu import Bleu

N_SYSTEMS = 8


def read(folder: Path, pair: str) -> TestSet:
    """The test set with the best systems of its tuning half."""
    source, target = pair.split("-")
    refs = list(read_lines(folder / f"references/newstest2013.{target}.gz"))
    outputs = {path.name.split(".")[2]: list(read_lines(path)) for path in sorted((folder / pair).glob("*.gz"))}
    bleu = Bleu()
    rows = bleu.stats_many([lines[::2] for lines in outputs.values()], [refs[::2]])
    order = np.argsort([-bleu.value(each.sum(axis=0)) for each in rows])[:N_SYSTEMS]
    names = [list(outputs)[s] for s in order.tolist()]
    srcs = list(read_lines(folder / f"references/newstest2013.{source}.gz"))
    return TestSet(srcs=srcs, refs={target: refs}, systems={name: outputs[name] for name in names})


def main() -> None:
    """Print a row for each pair and way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path)
    parser.add_argument("pairs", nargs="*", default=["fr-en"])
    parser.add_argument("--align", nargs="*", default=["ihmm", "iter"], choices=[*ALIGNMENTS, "all"])
    parser.add_argument("--oracle", action="store_true", help="Also the path nearest to the reference.")
    chosen = parser.parse_args()
    print("pair   way                BLEU   gain  p      seconds")
    for pair in chosen.pairs:
        lang = pair.partition("-")[2]
        tuning, test = interleaved(read(real_data(chosen.data) / "newstest2013", pair))
        first = evaluate_outputs({}, test)
        print(f"{pair}  {first.best[:16]:16}  {first.scores[first.best]:5.2f}", flush=True)
        for align in ALIGNMENTS if "all" in chosen.align else chosen.align:
            began = time.process_time()
            combiner = train_combiner(tuning, CombineRecipe(align=align, lang=lang))
            texts = combiner.combine(test).texts
            show(pair, align, texts, test, time.process_time() - began)
            if chosen.oracle:
                refs = next(iter(cut_text(test, lang, 1, refs=True).values()))
                nearest = combiner.batch(test).oracle(refs, combiner.weights)
                show(pair, f"{align}, oracle", Cutter(lang).text(nearest), test, 0.0)
        began = time.process_time()
        texts = train_chooser(tuning, ChoiceRecipe(lang=lang)).choose(test).texts
        show(pair, "select", texts, test, time.process_time() - began)


def show(pair: str, way: str, texts: tuple[str, ...] | list[str], test: TestSet, seconds: float) -> None:
    """A row of the table."""
    found = evaluate_outputs({way: texts}, test)
    gain = found.scores[way] - found.scores[found.best]
    print(f"{pair}  {way:16}  {found.scores[way]:5.2f}  {gain:+5.2f}  {found.p[way]:.3f}  {seconds:7.1f}", flush=True)


if __name__ == "__main__":
    main()
