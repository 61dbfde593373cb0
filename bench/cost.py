"""How training time grows with the corpus: seconds of each step on 5,000, 29,000 and 150,000 sentence pairs.

The pairs are all that the data folder has into English, shuffled: Multi30k from German, French and Czech,
small_parallel_enja from Japanese, a news sample from French, and the Indian languages' development sets with all their
references. That is no language pair, but text whose vocabulary and phrases grow as those of a text do.

    python bench/cost.py [--data DATA] [--threads 2] [--pairs 5000 29000 150000]
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from pathlib import Path

from needs import real_data

from dragoman.data.bitext import Bitext
from dragoman.files import read_lines
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.training import train_engine


def pairs_into_english(data: Path) -> list[tuple[str, str]]:
    """All sentence pairs, in an order that depends on nothing but themselves."""
    files = [
        (data / "multi30k" / f"{part}.{lang}.gz", data / "multi30k" / f"{part}.en.gz")
        for lang in ("de", "fr", "cs")
        for part in ("train", "val", "test_2016_flickr")
    ]
    files += [
        (data / "small-enja" / f"{part}.ja.gz", data / "small-enja" / f"{part}.en.gz")
        for part in ("train", "dev", "test")
    ]
    files.append((data / "news-commentary-sample" / "nc-5k.fr.gz", data / "news-commentary-sample" / "nc-5k.en.gz"))
    for folder in sorted((data / "indian").glob("*-en")):
        lang = folder.name.partition("-")[0]
        source = folder / f"dev.{folder.name}.{lang}.gz"
        files += [(source, folder / f"dev.{folder.name}.en.{i}.gz") for i in range(4)]
    pairs = [pair for source, target in files for pair in zip(read_lines(source), read_lines(target), strict=True)]
    random.Random(1).shuffle(pairs)
    return pairs


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--data")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--pairs", type=int, nargs="+", default=[5_000, 29_000, 150_000])
    asked = options.parse_args()
    data = real_data(asked.data)
    pairs = pairs_into_english(data)
    print(f"{len(pairs)} pairs at hand")
    for n_pairs in asked.pairs:
        text = Bitext.from_pairs(pairs[:n_pairs])
        n_words = sum(len(target.split()) for _, target in pairs[:n_pairs])
        with tempfile.TemporaryDirectory() as folder:
            wall, cpu = time.monotonic(), time.process_time()
            recipe = EngineRecipe(source_lang="de", target_lang="en")
            done = train_engine(
                text, recipe, work=Path(folder) / "work", output=Path(folder) / "engine", n_threads=asked.threads
            )
            wall, cpu = time.monotonic() - wall, time.process_time() - cpu
        steps = ", ".join(f"{name} {seconds:.2f}" for name, _, seconds, _ in done.steps)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        n = min(n_pairs, len(pairs))
        print(f"{n} pairs, {n_words} English words: {wall:.2f} s wall, {cpu:.2f} s CPU, peak {peak:.0f} MB ({steps})")
        print(f"  {1000 * cpu / n:.3f} s CPU for 1,000 pairs, {1e5 * cpu / n_words:.2f} for 100,000 words", flush=True)


if __name__ == "__main__":
    main()
