"""What tuning to other metrics than BLEU costs: processor time on the same lists of candidates, as ratios of one run.

A small engine translates the tuning set with a few weights; the lists are then given to each tuner in place of a
decoder, round by round, so that all metrics see the same candidates. The time of decoding, which all need, stands in
the first line.

    python bench/tuning.py [--data DATA] [--lines 3000] [--dev 200] [--n-best 100] [METRIC …]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
from needs import real_data

from dragoman.data.assemble import assemble
from dragoman.data.bitext import Bitext
from dragoman.files import read_lines
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.recipe import EngineRecipe, changed
from dragoman.smt.training import train_engine
from dragoman.smt.tune import TUNERS, EngineDecode
from dragoman.smt.tune.engine import prepared_references

METRICS = ("bleu:tokeniser=none", "tesla-m:tokeniser=none", "meteor:norm=lower")
TUNERS_TRIED = ("mert:rounds=3", "mira:rounds=3", "pro:rounds=3")
ROUNDS = 4  # lists: one for the start, and one for each round


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("metrics", nargs="*", default=METRICS)
    options.add_argument("--data")
    options.add_argument("--lines", type=int, default=3000)
    options.add_argument("--dev", type=int, default=200)
    options.add_argument("--n-best", type=int, default=100)
    asked = options.parse_args()
    data = real_data(asked.data) / "multi30k"
    pairs = zip(*(read_lines(data / f"train.{lang}.gz")[: asked.lines] for lang in ("de", "en")), strict=True)
    recipe = changed(EngineRecipe(), ["source_lang=de", "target_lang=en", "tune.method=none"])
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        engine = train_engine(Bitext.from_pairs(pairs), recipe, work=place / "work", output=place / "engine").engine
        dev = assemble(srcs=data / "val.de.gz", refs=[data / "val.en.gz"])
        sources, references = held_out_sides(dev)
        lines = engine.source.prepare(sources[: asked.dev])
        refs = [stream[: asked.dev] for stream in prepared_references(engine, references)]
        decode = EngineDecode(engine, lines, n_best=asked.n_best, limits=engine.recipe.search, sparse=False)
        start = dict(engine.dense_weights)
        rng = np.random.default_rng(1)
        began = time.process_time()
        own = np.array(list(start.values()))
        lists = [decode(own * rng.uniform(0.5, 1.5, len(own))) for _ in range(ROUNDS)]
        print(
            f"decoding {len(lines)} sentences {ROUNDS} times, {asked.n_best} best: {time.process_time() - began:.2f} s"
        )
        for name in TUNERS_TRIED:
            base = 0.0
            for metric in asked.metrics:
                rounds = iter([*lists, *lists])
                began = time.process_time()
                tuned = TUNERS.make(name).tune(lambda *_: next(rounds), refs, start=start, metric=metric)  # noqa: B023
                seconds = time.process_time() - began
                base = base or seconds
                n_rounds = len(tuned.rounds) - 1
                print(f"{name:14} {metric:24} {seconds:7.2f} s  {seconds / base:5.2f} × the first; {n_rounds} rounds")


if __name__ == "__main__":
    main()
