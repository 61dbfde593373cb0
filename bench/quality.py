"""Quality features: 100,000 sentences through the 17 of the baseline, and the memory that takes.

Resources from Multi30k en-de; the sentences are its training set, again and again. Time is of the clock and of the
processors, without building and loading; memory is the peak of the process, which has not built the resources itself,
beyond its peak when they were loaded.

    python bench/quality.py [DATA] [THREADS]
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from needs import real_data

from dragoman.files import read_lines, write_lines
from dragoman.qe import extract_features
from dragoman.qe.recipes import FeatureRecipe
from dragoman.qe.resources import load_resources
from dragoman.text import TOKENISERS


def peak() -> float:
    """The peak of memory so far, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    data = real_data(sys.argv[1] if len(sys.argv) > 1 else None)
    n_threads = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    text = {
        lang: TOKENISERS.make(f"moses:lang={lang},escape=no").tokenise(
            read_lines(data / "multi30k" / f"train.{lang}.gz"), n_threads=n_threads
        )
        for lang in ("en", "de")
    }
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        for lang, lines in text.items():
            write_lines(Path(folder) / lang, lines)
        files = [str(Path(folder) / lang) for lang in ("en", "de")]
        run = "from dragoman.cli.main import main; main()"
        command = [sys.executable, "-c", run, "qe", "resources", *files, "-m", f"{folder}/built"]
        subprocess.run([*command, "--threads", str(n_threads), "-o", os.devnull], check=True)
        print(f"built from {len(text['en']):,} pairs in {time.perf_counter() - begin:.1f} s")
        resources = load_resources(f"{folder}/built")
        for n in (25_000, 50_000, 100_000):
            sources, outputs = ((text[lang] * (n // len(text[lang]) + 1))[:n] for lang in ("en", "de"))
            before, begin, cpu = peak(), time.perf_counter(), time.process_time()
            extract_features(
                sources, outputs, FeatureRecipe(features=("baseline17",)), resources=resources, n_threads=n_threads
            )
            clock, spent = time.perf_counter() - begin, time.process_time() - cpu
            print(f"{n:,} sentences: {clock:.1f} s ({spent:.1f} s of processors), peak +{peak() - before:.0f} MB")


if __name__ == "__main__":
    main()
