"""Mining: mates of known lines among many others, beside bm25s with the same lines, words and lexicon.

- captions: 1,000 test captions of Multi30k looked up among the 14,500 of its training captions that the lexicon has not
  seen and their own mates; the lexicon is learnt from the other 14,500 pairs.
- newstest2013: 1,000 of its sentences among all 3,000 and 12,500 captions; the lexicon is learnt from the same captions
  and 5,000 pairs of news commentary (French) or from captions alone (German), which is not their domain.

bm25s is asked with what a lexicon makes of a query: the best translation of each word, or the word itself where there
is none. P@1 is the share of queries whose first hit is their mate, or a line that is written as the mate is.

    python bench/mining.py [DATA]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import bm25s
import numpy as np
from needs import real_data

from dragoman.align import Lexicon
from dragoman.corpus.learnt import Model1
from dragoman.data.bitext import Bitext
from dragoman.files import read_lines
from dragoman.mining import LexicalMiner, mine
from dragoman.mining.lexical import TranslatedIndex

T = TypeVar("T")
N_QUERIES, N_SEEN = 1000, 14_500


@dataclass(frozen=True)
class Task:
    """Queries, the lines that they are looked up in, their mates first, and what the lexicon is learnt from."""

    name: str
    queries: list[str]
    lines: list[str]
    seed: tuple[list[str], list[str]]


def data() -> Path:
    return real_data(sys.argv[1] if len(sys.argv) > 1 else None)


def timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.process_time()
    value = work()
    return value, time.process_time() - start


def tasks(folder: Path, lang: str) -> list[Task]:
    train, test = (
        [read_lines(folder / "multi30k" / f"{name}.{side}.gz") for side in (lang, "en")]
        for name in ("train", "test_2016_flickr")
    )
    news = [read_lines(folder / "newstest2013" / "references" / f"newstest2013.{side}.gz") for side in (lang, "en")]
    seed = [side[:N_SEEN] for side in train]
    extra = [
        read_lines(folder / "news-commentary-sample" / f"nc-5k.{side}.gz") if lang == "fr" else []
        for side in (lang, "en")
    ]
    return [
        Task(f"captions, {lang}-en", test[0][:N_QUERIES], test[1][:N_QUERIES] + train[1][N_SEEN:], (seed[0], seed[1])),
        Task(
            f"newstest2013, {lang}-en",
            news[0][:N_QUERIES],
            news[1] + train[1][N_SEEN : N_SEEN + 15_500 - len(news[1])],
            (seed[0] + extra[0], seed[1] + extra[1]),
        ),
    ]


def gloss(queries: Sequence[str], lexicon: Lexicon) -> list[list[str]]:
    """The best translation of each word of the queries, by p(translation | word)."""
    best: dict[str, tuple[float, str]] = {}
    for word, other, p in zip(lexicon.sources, lexicon.targets, lexicon.p, strict=True):
        if word >= 0:
            source = lexicon.source_vocabulary.word(int(word))
            best[source] = max(best.get(source, (0.0, "")), (float(p), lexicon.target_vocabulary.word(int(other))))
    return [[best.get(word, (0.0, word))[1] for word in line.split()] for line in queries]


def first_of(task: Task, places: np.ndarray[tuple[int, ...], np.dtype[np.integer]]) -> float:
    """P@1; the mate of a query has its number."""
    found = [int(place) for place in places]
    return float(np.mean([at >= 0 and task.lines[at] == task.lines[n] for n, at in enumerate(found)]))


def look_up(task: Task) -> None:
    scorer = Model1().train(Bitext.from_lines(*task.seed))
    miner = LexicalMiner(scorer)
    lines, queries = miner.cut(task.lines), miner.cut(task.queries)
    index, own_index = timed(lambda: TranslatedIndex(lines, queries, miner.aligner.lexicon("backward")))
    (places, _), own_search = timed(lambda: index.search(10))
    peer = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    _, peer_index = timed(lambda: peer.index([line.split() for line in lines], show_progress=False))
    asked = gloss(queries, miner.aligner.lexicon("forward"))
    (hits, _), peer_search = timed(lambda: peer.retrieve(asked, k=10, show_progress=False, n_threads=0))
    (raw, _) = peer.retrieve([query.split() for query in queries], k=10, show_progress=False, n_threads=0)
    n_queries = len(queries)
    print(f"{task.name}: {n_queries:,} queries, {len(lines):,} lines, a lexicon of {len(task.seed[0]):,} pairs")
    print(
        f"  P@1 {first_of(task, places[:, 0]):.3f}; bm25s with translated words {first_of(task, hits[:, 0]):.3f}, "
        f"with the words as they are {first_of(task, raw[:, 0]):.3f}"
    )
    print(
        f"  index {own_index:.2f} s, bm25s {peer_index:.2f}; a query {1e3 * own_search / n_queries:.2f} ms, "
        f"bm25s {1e3 * peer_search / n_queries:.2f} (NumPy; processor time)",
        flush=True,
    )
    thresholds(task, miner)


def thresholds(task: Task, miner: LexicalMiner) -> None:
    """What planted pairs promise, and what is true: every other query is without its mate."""
    half = N_QUERIES // 2
    planted = Bitext.from_lines(task.queries[half:], task.lines[half:N_QUERIES])
    targets = [*task.lines[:half:2], *task.lines[N_QUERIES:]]
    for precision in (0.9, 0.95):
        result = mine(task.queries[:half], targets, miner, planted=planted, precision=precision)
        right = sum(task.lines[pair.source_line - 1] == pair.target for pair in result.pairs)
        assert result.estimate is not None
        print(
            f"  threshold for {precision}: planted pairs promise precision {result.estimate.precision:.3f}, recall "
            f"{result.estimate.recall:.3f}; true {right / max(1, len(result.pairs)):.3f}, {2 * right / half:.3f}",
            flush=True,
        )


def main() -> None:
    folder = data()
    print(f"bm25s {bm25s.__version__}")
    for lang in ("fr", "de"):
        for task in tasks(folder, lang):
            look_up(task)


if __name__ == "__main__":
    main()
