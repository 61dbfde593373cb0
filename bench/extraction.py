"""Phrase extraction on Multi30k: CPU seconds with word and with hierarchical orientations, and what corners save.

Hierarchical orientations ask whether a block of any size ends beside a phrase. Corner propagation (Cherry, Moore &
Quirk, WMT 2012, section 3) finds that in time that grows with the square of a sentence; the obvious way extracts the
phrases of all sizes first. The second half has sentences of 40 words or so: three captions made one.

    python bench/extraction.py [DATA]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from needs import real_data

from dragoman.files import read_lines
from dragoman.smt import PhraseExtraction
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.pairs import encode
from dragoman.smt.phrase_table import UNKNOWN
from dragoman.smt.word_alignment import WordAlignment
from dragoman.text import MosesTokeniser
from dragoman.text.vocabulary import Vocabulary


def best(work: Callable[[], object], rounds: int = 3) -> float:
    found = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def aligned(sides: list[list[str]]) -> tuple[AlignedText, Vocabulary, Vocabulary]:
    source, target = Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN)
    text = WordAlignment(method="hmm").align(encode(source, sides[0]), encode(target, sides[1]), n_threads=2)
    return text, source, target


def measure(label: str, sides: list[list[str]]) -> None:
    text, source, target = aligned(sides)
    print(f"{label}: {len(text)} pairs of {len(text.source.ids) / len(text):.1f} source words on average, CPU seconds")
    times = {}
    for name, recipe in {
        "no orientation": PhraseExtraction(orientation="none"),
        "word": PhraseExtraction(orientation="word"),
        "hierarchical": PhraseExtraction(orientation="hierarchical"),
        "phrases of all sizes": PhraseExtraction(orientation="none", longest=255),
    }.items():
        times[name] = best(lambda recipe=recipe: recipe.extract(text, source, target))  # type: ignore[misc]
        print(f"  {name:22} {times[name]:6.2f}")
    ratio = times["phrases of all sizes"] / times["hierarchical"]
    print(f"  extraction with hierarchical orientations is {ratio:.1f}x as fast as that of all phrases")


def main() -> None:
    named = sys.argv[1] if len(sys.argv) > 1 else None
    data = real_data(named) / "multi30k"
    sides = [
        MosesTokeniser(lang=lang, escape=False).tokenise(read_lines(data / f"train.{lang}.gz")) for lang in ("en", "de")
    ]
    measure("captions", sides)
    joined = [[" ".join(side[i : i + 3]) for i in range(0, 6000, 3)] for side in sides]
    measure("three captions as one", joined)


if __name__ == "__main__":
    main()
