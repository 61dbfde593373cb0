"""Retrieval beside bm25s, with the same lines, words, weighting and k: how fast each is, and whether they agree.

Lines are captions (Multi30k), short sentences (small-enja) and news in English; queries are held-out captions and news.
Each tool gets lines cut into words already. Times are of the processor, one thread. bm25s uses NumPy, or numba where it
is installed.

    python bench/retrieval.py [DATA]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

import bm25s
import numpy as np
from needs import real_data

from dragoman.corpus.retrieval import LineIndex, Retrieval
from dragoman.files import read_lines

T = TypeVar("T")
K1, B = 1.2, 0.75


def data() -> Path:
    return real_data(sys.argv[1] if len(sys.argv) > 1 else None)


def timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.process_time()
    value = work()
    return value, time.process_time() - start


def theirs(lines: list[str]) -> bm25s.BM25:
    index = bm25s.BM25(method="lucene", k1=K1, b=B)
    index.index([line.split() for line in lines], show_progress=False)
    return index


def main() -> None:
    folder = data()
    captions = read_lines(folder / "multi30k" / "train.en.gz")
    short = read_lines(folder / "small-enja" / "train.en.gz")
    news = read_lines(folder / "news-commentary-sample" / "nc-5k.en.gz")
    lines = [" ".join(line.lower().split()) for line in (*captions, *short, *news[:4000])]
    held_out = [*read_lines(folder / "multi30k" / "val.en.gz"), *news[4000:]]
    queries = [" ".join(line.lower().split()) for line in held_out]
    own, own_seconds = timed(lambda: LineIndex.of(lines, Retrieval(tokeniser="none", lowercase=False, k1=K1, b=B)))
    peer, peer_seconds = timed(lambda: theirs(lines))
    backend = "numba" if find_spec("numba") else "numpy"
    print(f"{len(lines):,} lines, {own.core.n_postings:,} postings, {len(queries):,} queries")
    print(f"bm25s {bm25s.__version__}, {backend}")
    print(f"index: {own_seconds:.2f} s, bm25s {peer_seconds:.2f} s, {peer_seconds / own_seconds:.1f} times")
    words = [query.split() for query in queries]
    for k in (1, 10, 100):
        hits, own_seconds = timed(lambda k=k: own.best(queries, k))
        (_, scores), peer_seconds = timed(
            lambda k=k: peer.retrieve(words, k=k, show_progress=False, n_threads=0, backend_selection=backend)
        )
        apart = np.abs(hits.scores - scores).max()
        print(
            f"best {k:>3}: {1e6 * own_seconds / len(queries):.1f} µs a query, "
            f"bm25s {1e6 * peer_seconds / len(queries):.1f}, {peer_seconds / own_seconds:.1f} times; "
            f"scores differ by at most {apart:.1e}"
        )


if __name__ == "__main__":
    main()
