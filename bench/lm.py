"""Language models on multi30k's English captions: building (order 5), and scoring against KenLM's Python calls.

CPU seconds and wall clock, best of several. lmplz (KenLM's estimator) runs beside it if it is on the path; its Python
package is the peer of scoring. A text of TOKENS generated tokens (5,000,000 by default) is estimated in a process of
its own with 200 MB to sort in, and its peak memory printed.

    python bench/lm.py [DATA] [TOKENS...]
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from needs import real_data

from dragoman.lm import KneserNey, LanguageModel

# Words by Zipf's law, no two sentences alike: as many different n-grams as a text can have.
GENERATED = """
import json, sys, time
import numpy as np
from dragoman.lm import KneserNey
n_tokens, folder = int(sys.argv[1]), sys.argv[2]
sys.path.insert(0, sys.argv[3])
from needs import peak_memory
def lines():
    draw = np.random.default_rng(7)
    for _ in range(0, n_tokens, 100_000):
        words = np.minimum(draw.zipf(1.2, 100_000), 200_000).reshape(-1, 20)
        yield from (" ".join(map(str, row)) for row in words.tolist())
start = time.perf_counter()
n = sum(1 for _ in lines())
generating = time.perf_counter() - start
before = peak_memory()
start = time.perf_counter()
model = KneserNey(order=3, memory="200m", structure="trie", prune=(0, 0, 1)).train(lines(), folder=folder, n_threads=2)
spent = time.perf_counter() - start - generating
peak = peak_memory()
print(json.dumps([spent, before, peak, model.n_ngrams, len(model.core.serialised()) / 2**20]))
"""


def best(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """CPU and wall seconds, the least of each."""
    found = []
    for _ in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        found.append((time.process_time() - cpu, time.perf_counter() - wall))
    return min(cpu for cpu, _ in found), min(wall for _, wall in found)


def row(name: str, measured: tuple[float, float], base: tuple[float, float] | None = None) -> None:
    cpu, wall = measured
    ratio = f"{base[0] / cpu:8.1f}{base[1] / wall:8.1f}" if base else ""
    print(f"{name:34}{cpu:10.4f}{wall:10.4f}{ratio}")


def generated(n_tokens: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", GENERATED, str(n_tokens), folder, str(Path(__file__).parent)],
            check=True,
            capture_output=True,
            text=True,
        )
    spent, before, peak, n_ngrams, size = json.loads(done.stdout)
    print(
        f"{n_tokens:,} tokens: {spent:.1f} s, {n_ngrams} n-grams, model {size:.0f} MB, "
        f"peak memory {peak:.0f} MB ({before:.0f} MB before)"
    )


def main() -> None:
    named = sys.argv[1] if len(sys.argv) > 1 else None
    data = real_data(named)
    path = data / "multi30k" / "train.en.gz"
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        lines = [line.rstrip("\n").lower() for line in stream]
    print(f"{len(lines)} lines\n{'':34}{'CPU s':>10}{'wall s':>10}{'CPU x':>8}{'wall x':>8}")
    for n_threads in (1, 2):
        row(f"build, {n_threads} threads", best(lambda n=n_threads: KneserNey().train(lines, n_threads=n), 5))
    with tempfile.TemporaryDirectory() as folder:
        arpa = Path(folder) / "model.arpa"
        model = KneserNey().train(lines, arpa=arpa)
        if lmplz := shutil.which("lmplz"):
            text = Path(folder) / "text"
            text.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            call = [lmplz, "-o", "5", "-S", "1G", "--text", str(text), "--arpa", os.devnull]
            row("build, lmplz", best(lambda: subprocess.run(call, check=True, capture_output=True), 5))
        try:
            import kenlm
        except ImportError:
            print("scoring: the package kenlm is not installed; pip install kenlm")
        else:
            score(lines, model, kenlm.Model(str(arpa)))
    for number in sys.argv[2:] or ["5000000"]:
        generated(int(number))


def score(lines: list[str], model: LanguageModel, peer: object) -> None:
    full, whole = peer.full_scores, peer.score  # type: ignore[attr-defined]
    tokens = best(lambda: [list(full(line)) for line in lines], 7)
    totals = best(lambda: [whole(line) for line in lines], 7)
    row("tokens, kenlm full_scores", tokens)
    for n in (1, 2):
        row(f"tokens, {n} threads", best(lambda n=n: model.score_tokens(lines, n_threads=n), 20), tokens)
    row("sentences, kenlm score", totals)
    for n in (1, 2):
        row(f"sentences, {n} threads", best(lambda n=n: model.score(lines, n_threads=n), 20), totals)
    trie = model.converted("trie")
    row("sentences, trie, 2 threads", best(lambda: trie.score(lines, n_threads=2), 7), totals)


if __name__ == "__main__":
    main()
