"""Speed of the Moses family against sacremoses, in one run:  .venv/bin/python bench/moses.py

200,000 real sentences in six languages, Python strings in and out. sacremoses is timed on every fortieth of the same
sentences and scaled to all of them; ours is the best of five runs over all, on one thread and on two.
"""

from __future__ import annotations

import gzip
import resource
import sys
from collections.abc import Callable
from itertools import chain
from time import perf_counter

from needs import real_data
from sacremoses import MosesDetokenizer, MosesPunctNormalizer, MosesTokenizer

import dragoman
from dragoman.text.detokenise import MosesDetokeniser
from dragoman.text.moses import MosesTokeniser
from dragoman.text.punctuation import PunctuationNormaliser
from dragoman.text.quotes import normalise_quotes
from dragoman.text.sentences import SentenceSplitter

DATA = real_data()
N_SENTENCES = 200_000
EVERY = 40  # sacremoses gets one sentence in so many
BAR = 40

Batches = dict[str, list[str]]


def sentences() -> Batches:
    """News, captions and encyclopaedia, by language."""
    sources = [
        *((lang, f"newstest2013/references/newstest2013.{lang}.gz") for lang in ("cs", "de", "en", "es", "fr", "ru")),
        *((lang, f"multi30k/train.{lang}.gz") for lang in ("cs", "de", "en", "fr")),
        *(("en", f"indian/{lang}-en/training.{lang}-en.en.gz") for lang in ("hi", "ta")),
    ]
    batches: Batches = {}
    room = N_SENTENCES
    for lang, path in sources:
        with gzip.open(DATA / path, "rt", encoding="utf-8", newline="\n") as file:
            lines = file.read().split("\n")[:-1][:room]
        batches.setdefault(lang, []).extend(lines)
        room -= len(lines)
    return batches


def best(work: Callable[[str, list[str]], object], batches: Batches) -> float:
    """Seconds for all batches, the best of five."""
    times = []
    for _ in range(5):
        start = perf_counter()
        for lang, lines in batches.items():
            work(lang, lines)
        times.append(perf_counter() - start)
    return min(times)


def scaled(make: Callable[[str], Callable[[str], object]], batches: Batches) -> float:
    """Seconds that the peer would take for all batches, from a sample."""
    total = 0.0
    for lang, lines in batches.items():
        work, sample = make(lang), lines[::EVERY]
        work(sample[0])
        start = perf_counter()
        for line in sample:
            work(line)
        total += (perf_counter() - start) * len(lines) / len(sample)
    return total


def report(name: str, ours: float, two: float, n: int, theirs: float | None = None) -> float:
    """Print one line; the ratio to the peer on one thread."""
    ratio = theirs / ours if theirs is not None else float("nan")
    peer = f"sacremoses {theirs:7.2f} s (scaled), {ratio:5.0f} x" if theirs is not None else "no peer measured"
    print(f"{name:28} {ours:6.3f} s, {n / ours / 1e6:5.2f} M lines/s | two threads {ours / two:4.2f} x | {peer}")
    return ratio


def their_detokeniser(lang: str) -> Callable[[str], object]:
    """The peer wants a list of tokens."""
    peer = MosesDetokenizer(lang)
    return lambda line: peer.detokenize(line.split())


def main() -> int:
    """Measure, print, and fail below the bar."""
    batches = sentences()
    n = sum(map(len, batches.values()))
    print(f"dragoman {dragoman.__version__}: {n} sentences, {', '.join(f'{k} {len(v)}' for k, v in batches.items())}")

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tokens = {lang: MosesTokeniser(lang).tokenise(lines) for lang, lines in batches.items()}
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    size = sum(map(sys.getsizeof, chain.from_iterable(tokens.values()))) / 1e6

    ratio = report(
        "tokenise",
        best(lambda lang, lines: MosesTokeniser(lang).tokenise(lines), batches),
        best(lambda lang, lines: MosesTokeniser(lang).tokenise(lines, n_threads=2), batches),
        n,
        scaled(lambda lang: MosesTokenizer(lang).tokenize, batches),
    )
    print(f"{'':28} memory grew by {peak:.0f} MB at its peak, for {size:.0f} MB of tokenised strings")
    for lang, lines in batches.items():
        one = {lang: lines}
        ours = best(lambda lang, lines: MosesTokeniser(lang).tokenise(lines), one)
        theirs = scaled(lambda lang: MosesTokenizer(lang).tokenize, one)
        print(f"{'':28} {lang}: {theirs / ours:5.0f} x")
    report(
        "detokenise",
        best(lambda lang, lines: MosesDetokeniser(lang).detokenise(lines), tokens),
        best(lambda lang, lines: MosesDetokeniser(lang).detokenise(lines, n_threads=2), tokens),
        n,
        scaled(their_detokeniser, tokens),
    )
    report(
        "normalise punctuation",
        best(lambda lang, lines: PunctuationNormaliser(lang).normalise(lines), batches),
        best(lambda lang, lines: PunctuationNormaliser(lang).normalise(lines, n_threads=2), batches),
        n,
        scaled(lambda lang: MosesPunctNormalizer(lang).normalize, batches),
    )
    report(
        "normalise quotes",
        best(lambda lang, lines: normalise_quotes(lines, lang), batches),
        best(lambda lang, lines: normalise_quotes(lines, lang, n_threads=2), batches),
        n,
    )
    report(
        "split sentences",
        best(lambda lang, lines: SentenceSplitter(lang).split(lines), batches),
        best(lambda lang, lines: SentenceSplitter(lang).split(lines, n_threads=2), batches),
        n,
    )
    print(
        f"tokenise: {ratio:.0f} x sacremoses on one thread, the bar is {BAR}: {'passed' if ratio >= BAR else 'MISSED'}"
    )
    return 0 if ratio >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
