"""TER on all systems of newstest2013 fr-en: our kernel against sacreBLEU, from the files to the statistics.

CPU seconds of one thread each, so that other work on the machine does not count; for two threads, elapsed time. By
default both score every tenth segment, as sacreBLEU takes minutes for all of them; `--full` scores all. Edits are
compared segment by segment. Memory is the peak of a process of its own that scores three systems.

    python bench/ter.py [--full] [DATA]
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from needs import real_data

from dragoman.files import read_lines

if TYPE_CHECKING:
    from dragoman.metrics.ter import Ter

Statistics = list[list[list[float]]]  # systems, segments, edits and length


def folder() -> Path:
    named = next((argument for argument in sys.argv[1:] if not argument.startswith("-")), None)
    return real_data(named) / "newstest2013"


def paths() -> list[Path]:
    """The files of the reference and of the systems."""
    return [folder() / "references" / "newstest2013.en.gz", *sorted((folder() / "fr-en").glob("*.gz"))]


def ter() -> Ter:
    from dragoman.metrics.ter import Ter  # here: the peer's process should not pay for it

    return Ter()


def ours(every: int, n_systems: int | None = None) -> Statistics:
    from dragoman.text import read_text_streams

    ref, *systems = read_text_streams(paths()[: n_systems and n_systems + 1])
    if every == 1:
        return ter().stats_many(systems, [ref]).tolist()
    return ter().stats_many([hyps[::every] for hyps in systems], [ref[::every]]).tolist()


def theirs(every: int, n_systems: int | None = None) -> Statistics:
    from sacrebleu.metrics import TER

    ref, *systems = (read_lines(path)[::every] for path in paths()[: n_systems and n_systems + 1])
    metric = TER(references=[ref])
    return [metric._extract_corpus_statistics(hyps, None) for hyps in systems]


def timed(score: Callable[[int], Statistics], every: int) -> tuple[float, Statistics]:
    start = time.process_time()
    found = score(every)
    return time.process_time() - start, found


def peak(which: str) -> float:
    """Megabytes that a process of its own holds at most."""
    command = [sys.executable, __file__, f"--peak={which}", str(folder().parent)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def report_peak(which: str) -> None:
    {"ours": ours, "theirs": theirs}[which](10, 3)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def long_segment(n_words: int) -> float:
    """Milliseconds for one segment of so many words with twenty moved blocks."""
    chance = random.Random(1)
    ref = [f"w{int(chance.paretovariate(0.7)) % 5000}" for _ in range(n_words)]
    hyp = list(ref)
    for _ in range(20):
        start = chance.randrange(len(hyp))
        block, hyp[start : start + 4] = hyp[start : start + 4], []
        place = max(0, start - chance.randrange(40))
        hyp[place:place] = block
    began = time.process_time()
    ter().stats([" ".join(hyp)], [[" ".join(ref)]])
    return 1000 * (time.process_time() - began)


def main() -> None:
    for argument in sys.argv[1:]:
        if argument.startswith("--peak="):
            report_peak(argument.partition("=")[2])
            return
    every = 1 if "--full" in sys.argv else 10
    # First of all: a child's peak counts from the size of its parent.
    their_peak, own_peak = peak("theirs"), peak("ours")
    long_segment(10)  # loads NumPy and the Unicode tables
    own_time, found = timed(ours, every)
    their_time, expected = timed(theirs, every)
    wrong = sum(a != b for x, y in zip(found, expected, strict=True) for a, b in zip(x, y, strict=True))
    print(f"TER, {len(found)} systems, {len(found[0])} segments, from files, CPU seconds of one thread")
    print(
        f"  sacreBLEU {their_time:.2f} s, ours {own_time:.3f} s: {their_time / own_time:.0f}x; {wrong} segments differ"
    )
    from dragoman.text import read_text_streams

    elapsed = []
    for n_threads in (1, 2):
        began = time.perf_counter()
        ref, *systems = read_text_streams(paths(), n_threads=n_threads)
        ter().stats_many(systems, [ref], n_threads=n_threads)
        elapsed.append(time.perf_counter() - began)
    print(
        f"  all {len(ref)} segments, from files: one thread {elapsed[0]:.2f} s, two {elapsed[1]:.2f} s elapsed:"
        f" {elapsed[0] / elapsed[1]:.2f}x"
    )
    print(f"  one segment of 300 words: {long_segment(300):.1f} ms; of 10,000 words: {long_segment(10_000):.0f} ms")
    print(f"  peak memory: sacreBLEU {their_peak:.0f} MB, ours {own_peak:.0f} MB")


if __name__ == "__main__":
    main()
