"""Does an engine learn from text that flows by? A software manual after an engine made of captions, English to German.

The engine is trained on Multi30k and not tuned; the stream is the manual's sources with people's post-edits, 16,000
segments without order, of which the first are taken, 3,800 in the guide. Blocks have 1,000 words of the reference.

    python bench/stream.py [--data DATA] [--first 0] [--lines 500] [--set phrases=1] [--set lm=1] [--system NAME …]
"""

from __future__ import annotations

import argparse
import tempfile
import time

from needs import real_data

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.files import read_lines
from dragoman.smt.recipe import EngineRecipe, changed
from dragoman.smt.stream import SYSTEMS, StreamRecipe, stream_blocks
from dragoman.smt.training import train_engine
from dragoman.text import MosesDetokeniser

LANGS = ("en", "de")


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--data")
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--lines", type=int, default=500)
    options.add_argument("--set", action="append", default=[], help="an option of the stream, as lm=0.3")
    options.add_argument("--system", action="append", choices=SYSTEMS)
    options.add_argument("--work", help="where steps of the training are kept")
    asked = options.parse_args()
    data = real_data(asked.data)
    captions = (read_lines(data / "multi30k" / f"train.{lang}.gz") for lang in LANGS)
    recipe = changed(EngineRecipe(source_lang="en", target_lang="de"), ["tune.method=none"])
    with tempfile.TemporaryDirectory() as folder:
        engine = train_engine(Bitext.from_lines(*captions), recipe, work=asked.work or folder).engine
        srcs, refs = (
            MosesDetokeniser(lang=lang).detokenise(
                read_lines(data / "keystrokes-ape" / f"train.{kind}.gz")[asked.first : asked.first + asked.lines]
            )
            for lang, kind in zip(LANGS, ("src", "pe"), strict=True)
        )
        told = StreamRecipe.from_dict({name: float(value) for name, value in (each.split("=") for each in asked.set)})
        start = time.process_time()
        report = stream_blocks(
            engine, TestSet(srcs=srcs, refs={"post-edit": refs}), told, systems=asked.system or SYSTEMS
        )
        seconds = time.process_time() - start
    table = report.tables()[0]
    print(" ".join(f"{column.name:>10}" for column in table.columns))
    for row in table.rows:
        print(" ".join(f"{cell:>10}" if isinstance(cell, str) else f"{cell:10.2f}" for cell in row))
    print(f"{report.meta()['n_blocks']} blocks, {seconds:.0f} s of processor time")


if __name__ == "__main__":
    main()
