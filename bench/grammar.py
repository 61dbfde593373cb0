"""Constituency parsing: brackets and speed on the Penn Treebank's sample, nine tenths to learn from, one to test on.

    python bench/grammar.py [TREEBANK.zip] [THREADS]

Time is of the processors.
"""

from __future__ import annotations

import sys
import tempfile
import time
import zipfile
from pathlib import Path

from needs import real_data

from dragoman.syntax import GrammarRecipe, evaluate_grammar, read_treebank
from dragoman.text.trees import Tree


def main() -> None:
    """Measure and print."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else real_data() / "treebank-sample" / "treebank.zip"
    n_threads = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    trees: list[Tree] = []
    with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory() as folder:
        for name in sorted(name for name in archive.namelist() if name.endswith(".mrg")):
            trees += read_treebank(archive.extract(name, folder))
    cut = len(trees) * 9 // 10
    begin = time.process_time()
    grammar = GrammarRecipe().train(trees[:cut])
    print(f"learnt {grammar.n_rules:,} rules from {cut:,} trees in {time.process_time() - begin:.1f} s")
    begin = time.process_time()
    score = evaluate_grammar(grammar, trees[cut:], n_threads=n_threads)
    spent = time.process_time() - begin
    print(f"F1 {score.f1:.4f}, precision {score.precision:.4f}, recall {score.recall:.4f}, {score.meta()}")
    print(f"{score.n_words / spent:,.0f} tokens a second and processor")


if __name__ == "__main__":
    main()
