"""Gram matrices of tree kernels on dependency trees: time for as many sentences as WMT 2012's training set had.

    python bench/trees.py [--sentences 1832] [--threads 2]

Trees are those of a CoNLL-U file (the samples', repeated and cut at random, if none is given).
"""

from __future__ import annotations

import argparse
import time

from dragoman.learn.tree_kernels import TreeKernel, Trees
from dragoman.samples import sample_path
from dragoman.text.conllu import read_conllu
from dragoman.text.trees import dependency_tree


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("conllu", nargs="?", default=str(sample_path("testset/parsed.en.conllu")))
    parser.add_argument("--sentences", type=int, default=1832)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    sentences = read_conllu(options.conllu)
    trees = [dependency_tree(sentences[number % len(sentences)]) for number in range(options.sentences)]
    ready = Trees(trees)
    mean = sum(map(len, trees)) / len(trees)
    print(f"{len(trees)} trees of {mean:.0f} nodes on average")
    for kind in ("subset", "partial"):
        for n_threads in (1, options.threads):
            begin = time.perf_counter()
            TreeKernel(kind).gram(ready, n_threads=n_threads)
            print(f"{kind:8} {n_threads} threads {time.perf_counter() - begin:8.2f} s")


if __name__ == "__main__":
    main()
