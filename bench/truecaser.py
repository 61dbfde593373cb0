"""Training, applying and undoing a truecaser on multi30k's German captions: ours against sacremoses.

CPU seconds of one thread each. sacremoses gets tokens already split for training, and `use_known`, so that both do the
same work; its figures are from the first 10,000 lines, scaled.

    python bench/truecaser.py [DATA]
"""

from __future__ import annotations

import gzip
import sys
import time
from collections.abc import Callable

from needs import real_data
from sacremoses import MosesDetruecaser, MosesTruecaser

from dragoman.text import TruecaseRecipe

PEER_LINES = 10_000


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    named = sys.argv[1] if len(sys.argv) > 1 else None
    data = real_data(named)
    path = data / "multi30k" / "train.de.gz"
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        lines = [line.rstrip("\n") for line in stream] * 4
    few = lines[:PEER_LINES]
    tokens = [line.split() for line in few]
    scale = len(lines) / len(few)

    model = TruecaseRecipe().train(lines, lang="de")
    peer, undo = MosesTruecaser(), MosesDetruecaser()
    peer.train(tokens)
    rows = [
        ("train", lambda: TruecaseRecipe().train(lines, lang="de"), lambda: peer.train(tokens)),
        ("apply", lambda: model.apply(lines), lambda: [peer.truecase(x, return_str=True, use_known=True) for x in few]),
        ("undo", lambda: model.undo(lines), lambda: [undo.detruecase(x, return_str=True) for x in few]),
    ]
    print(f"{len(lines)} lines")
    print(f"{'':8}{'dragoman s':>12}{'sacremoses s':>14}{'ratio':>8}")
    for name, ours, theirs in rows:
        mine, other = min(seconds(ours) for _ in range(3)), scale * seconds(theirs)
        print(f"{name:8}{mine:12.3f}{other:14.3f}{other / mine:8.1f}")


if __name__ == "__main__":
    main()
