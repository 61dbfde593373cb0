"""Hierarchical rules of Multi30k, extracted and scored: CPU seconds, memory, and how many there are.

Moses' extract-rules and score took 62 and 104 s of processor time for the same text (de-en, initial phrases of 10
words, 5 source symbols, 2 gaps). The bar is 30 s and 3 GB, the writing of the table included.

    python bench/rules.py [DATA] [--memory 512]

With less memory, in megabytes, the same table comes through sorted runs on disk: the sum of its bytes is printed.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import tempfile
import time
from pathlib import Path

from needs import real_data

from dragoman.files import read_lines
from dragoman.smt.grammar import GrammarExtraction
from dragoman.smt.pairs import encode
from dragoman.smt.phrase_table import UNKNOWN
from dragoman.smt.word_alignment import WordAlignment
from dragoman.text import MosesTokeniser
from dragoman.text.vocabulary import Vocabulary


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", nargs="?")
    options.add_argument("--memory", type=int, default=512)
    asked = options.parse_args()
    named = asked.data
    data = real_data(named) / "multi30k"
    sides = [
        MosesTokeniser(lang=lang, escape=False).tokenise(read_lines(data / f"train.{lang}.gz")) for lang in ("de", "en")
    ]
    source, target = Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN)
    text = WordAlignment().align(encode(source, sides[0]), encode(target, sides[1]), n_threads=2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "rules"
        start = time.process_time()
        rules = GrammarExtraction(memory=asked.memory).extract(text, source, target, table)
        seconds = time.process_time() - start
        size = table.stat().st_size
        with table.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{len(text)} sentence pairs: {rules.n_instances} instances of {rules.n_rules} rules")
    print(
        f"{rules.n_written} written, {rules.n_lexical} of them lexical, {size / 1e6:.0f} MB of text, "
        f"sha256 {digest[:16]}"
    )
    print(f"{seconds:.1f} s of processor time, {memory / 1e6:.2f} GB at most ({before / 1e6:.2f} before)")


if __name__ == "__main__":
    main()
