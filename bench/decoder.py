"""Decoding Multi30k: source words a CPU second, mean model score and hypotheses at several pop limits, memory.

CPU seconds of one thread, so that other work on the machine does not count; for two threads, elapsed time as well. The
figures of moses2, the fastest phrase-based decoder we know, with models of the same size on two cores of the same kind:
12,200 source words a second at pop limit 100, 1,690 at 1000, 175 MB. It is in no registry, so it is not run here.

The engine is told to have what Moses has: links of the diagonal model, one language model. Settings given change that,
as `align.method=sampler classes.number=200`.

    python bench/decoder.py [--data DATA] [--pair en-de] [--pops 100,400,1000] [SECTION.OPTION=VALUE …]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

from needs import real_data

from dragoman.data.bitext import Bitext
from dragoman.files import read_lines
from dragoman.smt import Engine, SearchLimits
from dragoman.smt.recipe import EngineRecipe, changed
from dragoman.smt.training import train_engine


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("settings", nargs="*")
    options.add_argument("--data")
    options.add_argument("--pair", default="en-de")
    options.add_argument("--pops", default="100,400,1000")
    asked = options.parse_args()
    data = real_data(asked.data) / "multi30k"
    source, target = asked.pair.split("-")
    text = Bitext.from_files(data / f"train.{source}.gz", data / f"train.{target}.gz")
    settings = [f"source_lang={source}", f"target_lang={target}", "tune.method=none"]
    settings += ["align.method=diagonal", "classes.number=0", *asked.settings]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "engine"
        train_engine(text, changed(EngineRecipe(), settings), work=Path(folder) / "work", output=output, n_threads=2)
        measure(Engine.load(output), read_lines(data / f"test_2016_flickr.{source}.gz"), asked.pops)


def measure(engine: Engine, lines: list[str], pops: str) -> None:
    """Decode the lines at each pop limit and print what it took."""
    tokens = engine.source.prepare(lines)
    n_words = sum(len(line.split()) for line in tokens)
    print(f"{'pop limit':>9} {'words/CPU s':>11} {'mean score':>10} {'hypotheses':>12} {'LM queries':>12}")
    for pop in map(int, pops.split(",")):
        limits = SearchLimits(pop_limit=pop)
        start = time.process_time()
        found = engine.decode(tokens, limits=limits)
        speed = n_words / (time.process_time() - start)
        effort = found.effort
        row = f"{found.scores.mean():10.4f} {effort['hypotheses']:12,} {effort['lm_queries']:12,}"
        print(f"{pop:9} {speed:11,.0f} {row}")
    elapsed = []
    for n_threads in (1, 2):
        start = time.monotonic()
        engine.decode(tokens, limits=SearchLimits(pop_limit=400), n_threads=n_threads)
        elapsed.append(time.monotonic() - start)
    print(f"two threads: {elapsed[0] / elapsed[1]:.2f} times one, elapsed, at pop limit 400")
    print(f"peak memory with training: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
