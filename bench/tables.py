"""Phrases looked up in an indexed text, against a phrase table: time, size on disk, quality; and pruning by use.

python bench/tables.py [--data DATA] [--pair en-de] [--threads 2] [--lines N] [--prune]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from needs import real_data

from dragoman.data.bitext import Bitext
from dragoman.files import read_lines
from dragoman.metrics import score
from dragoman.smt import Engine
from dragoman.smt.recipe import EngineRecipe, changed
from dragoman.smt.training import train_engine


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--data")
    options.add_argument("--pair", default="en-de")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--lines", type=int, help="train on the first so many pairs only")
    options.add_argument("--prune", action="store_true", help="prune the table by forced decoding, too")
    asked = options.parse_args()
    data = real_data(asked.data) / "multi30k"
    source, target = asked.pair.split("-")
    pairs = zip(*(read_lines(data / f"train.{lang}.gz")[: asked.lines] for lang in (source, target)), strict=True)
    text = Bitext.from_pairs(pairs)
    srcs, refs = (read_lines(data / f"test_2016_flickr.{lang}.gz") for lang in (source, target))
    base = changed(EngineRecipe(), [f"source_lang={source}", f"target_lang={target}", "tune.method=none"])
    kinds = {
        "table": [],
        "table, unsmoothed": ["phrases.smoothing=none"],
        "index": ["index.use=only"],
        "index, coherent": ["index.use=only", "index.coherent=true"],
        "index, 100 samples": ["index.use=only", "index.samples=100"],
        "index, all": ["index.use=only", "index.samples=0", "index.inverse_samples=0"],
    }
    if asked.prune:
        kinds["table, pruned"] = ["prune.method=prune"]
    with tempfile.TemporaryDirectory() as folder:
        for kind, settings in kinds.items():
            done = train_engine(text, changed(base, settings), work=Path(folder) / "work", n_threads=asked.threads)
            seconds = {name: taken for name, _, taken, _ in done.steps}
            outcome = {name: what for name, what, _, _ in done.steps}
            made = " + ".join(
                f"{name} {seconds[name]:.2f} s" for name in ("phrases", "prune", "index") if name in seconds
            )
            part = done.engine.models.known
            size = sum(path.stat().st_size for path in part.save(Path(folder) / "part").rglob("*")) / 1e6
            cpu, hyps = _timed(lambda engine=done.engine: engine.translate(srcs, n_threads=1))
            bleu = score({"x": hyps}, [refs], metrics=["bleu"]).score("x", "bleu").value
            one, _ = _timed(lambda engine=done.engine: [engine.translate([src]) for src in srcs[:100]])
            print(
                f"{kind:20} {made}; {size:.1f} MB; {cpu:.2f} s for {len(srcs)} sentences, {10 * one:.1f} ms for one "
                f"alone; BLEU {bleu:.2f}" + (f"; {outcome['prune']}" if "prune" in outcome else "")
            )
        _learning(text, changed(base, ["index.use=only"]), Path(folder), srcs, refs)


def _learning(text: Bitext, recipe: EngineRecipe, folder: Path, srcs: list[str], refs: list[str]) -> None:
    train_engine(text, recipe, work=folder / "work", output=folder / "engine", n_threads=2)
    engine = Engine.load(folder / "engine")
    wall = time.monotonic()
    for src, ref in zip(srcs[:200], refs[:200], strict=True):
        engine.learn(src, ref)
    wall = time.monotonic() - wall
    print(f"learning             {5 * wall:.1f} ms for one pair, on disk and searched")


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    value = work()
    return time.process_time() - start, value


if __name__ == "__main__":
    main()
