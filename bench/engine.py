"""Training an engine on Multi30k: wall-clock and CPU seconds of each step, quality, memory.

The figures of Moses (fast_align, 5-gram, msd-bidirectional-fe, before tuning) on the same text, two cores of the same
kind: 34 s from raw text to an untuned engine; BLEU 34.09 for en-de.

    python bench/engine.py [--data DATA] [--pair en-de] [--threads 2] [--test test_2016_flickr|val] [--lines N]
                            [SECTION.OPTION=VALUE …]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

from needs import real_data

from dragoman.data.assemble import assemble
from dragoman.data.bitext import Bitext
from dragoman.files import read_lines
from dragoman.metrics import score
from dragoman.smt.recipe import EngineRecipe, changed
from dragoman.smt.training import train_engine


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("settings", nargs="*")
    options.add_argument("--data")
    options.add_argument("--pair", default="en-de")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--test", default="test_2016_flickr")
    options.add_argument("--lines", type=int, help="train on the first so many pairs only")
    asked = options.parse_args()
    data = real_data(asked.data) / "multi30k"
    source, target = asked.pair.split("-")
    pairs = zip(*(read_lines(data / f"train.{lang}.gz")[: asked.lines] for lang in (source, target)), strict=True)
    text = Bitext.from_pairs(pairs)
    recipe = changed(EngineRecipe(), [f"source_lang={source}", f"target_lang={target}", *asked.settings])
    dev = None
    if recipe.tune.method != "none":
        dev = assemble(srcs=data / f"val.{source}.gz", refs=[data / f"val.{target}.gz"])
    with tempfile.TemporaryDirectory() as folder:
        wall, cpu = time.monotonic(), time.process_time()
        done = train_engine(
            text, recipe, work=Path(folder) / "work", output=Path(folder) / "engine", dev=dev, n_threads=asked.threads
        )
        wall, cpu = time.monotonic() - wall, time.process_time() - cpu
    for name, outcome, seconds, _ in done.steps:
        print(f"{name:10} {seconds:7.2f} s  {outcome}")
    print(f"training   {wall:7.2f} s wall, {cpu:.2f} s CPU; peak memory {_peak():.0f} MB")
    srcs, refs = (read_lines(data / f"{asked.test}.{lang}.gz") for lang in (source, target))
    wall, cpu = time.monotonic(), time.process_time()
    hyps = done.engine.translate(srcs, n_threads=asked.threads)
    words = sum(len(line.split()) for line in done.engine.source.prepare(srcs))
    wall, cpu = time.monotonic() - wall, time.process_time() - cpu
    print(f"translating {wall:6.2f} s wall, {cpu:.2f} s CPU: {words / cpu:.0f} source words a CPU second")
    metrics = {"BLEU": "bleu", "BLEU lower-cased": "bleu:lowercase=yes", "chrF": "chrf", "TER": "ter"}
    sheet = score({"engine": hyps}, [refs], metrics=list(metrics.values()))
    shown = ", ".join(f"{label} {sheet.score('engine', name).value:.2f}" for label, name in metrics.items())
    print(f"{asked.pair} {asked.test}: {shown}")


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
