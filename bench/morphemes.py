"""Morphemes of word lists: ours against Morfessor 2.0, by the description length reached and by time.

CPU seconds of one thread each. Both learn from the same words with the same counts and corpus weight and are measured
by the same description length, the one that Morfessor reports; below 100 % ours is the shorter. `cut` is the time for
all words by Viterbi's search. Words are lower-cased and tokenised, from multi30k (cs, de, en), the Spanish side of
wmt12-qe, and news-commentary (fr), drawn by chance where there are more.

    python bench/morphemes.py [DATA] [--words N]
"""

from __future__ import annotations

import argparse
import gzip
import random
import tarfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
from needs import real_data, skip

from dragoman.text import TOKENISERS, MorphemeModel, MorphemeRecipe

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


def texts(data: Path) -> Iterator[tuple[str, list[str]]]:
    for language in ("cs", "de", "en"):
        yield language, _lines(data / "multi30k" / f"train.{language}.gz")
    with tarfile.open(data / "wmt12-qe" / "training_set.tar.gz") as archive:
        member = next(m for m in archive.getmembers() if m.name.endswith("target_system.spa"))
        content = archive.extractfile(member)
        assert content is not None
        yield "es", content.read().decode("utf-8").splitlines()
    yield "fr", _lines(data / "news-commentary-sample" / "nc-5k.fr.gz")


def _lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [line.rstrip("\n") for line in stream]


def words_of(language: str, lines: list[str], n: int) -> dict[str, int]:
    tokenised = TOKENISERS.make(f"moses:lang={language},escape=no").tokenise([line.lower() for line in lines])
    met = Counter(word for line in tokenised for word in line.split())
    chosen = sorted(met)
    return {word: met[word] for word in sorted(random.Random(7).sample(chosen, min(n, len(chosen))))}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", nargs="?")
    parser.add_argument("--words", type=int, default=5000)
    options = parser.parse_args()
    data = real_data(options.data)
    try:
        import morfessor
    except ImportError:
        skip("Morfessor is not installed; pip install morfessor")
    morfessor.utils.show_progress_bar = False

    print(
        f"{'':10}{'words':>7}{'morphs':>8}{'theirs':>8}{'length %':>10}{'train s':>9}{'theirs':>9}{'×':>6}"
        f"{'cut s':>8}{'theirs':>8}{'×':>6}"
    )
    for language, lines in texts(data):
        met = words_of(language, lines, options.words)
        for counting, weight in (("types", 1.0), ("tokens", 1.0)):
            recipe = MorphemeRecipe(counting=counting, corpus_weight=weight)
            mine, mine_s = timed(lambda: recipe.train_words(met))  # noqa: B023 - called at once
            peer = morfessor.BaselineModel(corpusweight=weight)
            peer.load_data([(count if counting == "tokens" else 1, word) for word, count in met.items()])
            _, peer_s = timed(peer.train_batch)
            found: Counter[str] = Counter()
            for count, _, parts in peer.get_segmentations():
                for part in parts:
                    found[part] += count
            theirs = MorphemeModel(recipe, list(found), np.array(list(found.values())), n_words=mine.n_words)
            _, mine_cut = timed(lambda: mine.cut(list(met)))  # noqa: B023
            _, peer_cut = timed(lambda: [peer.viterbi_segment(word) for word in met])  # noqa: B023
            length = 100 * mine.description_length / theirs.description_length
            print(
                f"{language} {counting:7}{len(met):7}{len(mine):8}{len(theirs):8}{length:10.2f}{mine_s:9.2f}"
                f"{peer_s:9.1f}{peer_s / mine_s:6.0f}{mine_cut:8.3f}{peer_cut:8.2f}{peer_cut / mine_cut:6.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
