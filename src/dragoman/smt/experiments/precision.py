"""Which words go wrong: how often a source word's translation stands in the reference, by how often training met it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dragoman.data.testset import TestSet
from dragoman.smt.engine import Engine
from dragoman.smt.held_out import held_out_sides

__all__ = ["FrequencyBin", "WordCredit", "bin_of", "bins_of", "sentence_credit", "word_credit"]

WordCredit = Mapping[str, tuple[float, int]]  # by source word: credit of all its occurrences, and how many there are


@dataclass(frozen=True)
class FrequencyBin:
    """Source words that training text has about as often: mean precision over the different words."""

    low: int  # occurrences in training, from …
    high: int  # … to
    n_types: int
    n_tokens: int  # in the test set
    precision: float  # per cent


def bin_of(count: int) -> tuple[int, int]:
    """The bin of a frequency: 0 by itself, then 1, 2–3, 4–7 …, that is ⌊log2⌋."""
    if count < 1:
        return 0, 0
    low = 1 << (count.bit_length() - 1)
    return low, 2 * low - 1


def sentence_credit(
    tokens: Sequence[str], output: Sequence[str], links: Sequence[tuple[int, int]], refs: Sequence[Sequence[str]]
) -> list[float]:
    """What each source token earns, 0 to 1: the mean credit of the output words that it is linked to, 0 for none.

    A word that the output has k times and a reference r times earns r/k each time, at most 1 (Haddow & Koehn, WMT 2012;
    how links of several words share, they do not say: here by their mean).
    """
    times = Counter(output)
    wanted: Counter[str] = Counter()
    for ref in refs:
        wanted |= Counter(ref)  # with several references, the largest count
    linked: dict[int, list[float]] = defaultdict(list)
    for source, target in links:
        word = output[target]
        linked[source].append(min(1.0, wanted[word] / times[word]))
    return [sum(linked[i]) / len(linked[i]) if i in linked else 0.0 for i in range(len(tokens))]


def word_credit(engine: Engine, test: TestSet, *, n_threads: int = 1) -> WordCredit:
    """The credit of every source word of a test set, whatever its case; unknown words are read as they are."""
    srcs, refs = held_out_sides(test)
    tokens = replace(engine.source, related=None).prepare(srcs, n_threads=n_threads)
    streams = [engine.target.cased(refs.lines(r), n_threads=n_threads) for r in range(len(refs.streams))]
    decoded = engine.decode(tokens, n_threads=n_threads)
    credit: dict[str, tuple[float, int]] = {}
    for sentence, line in enumerate(tokens):
        path = decoded.paths(sentence)[0]
        words = line.lower().split()
        links = [(int(s), int(t)) for s, t in decoded.links_of(path)]
        wanted = [stream[sentence].lower().split() for stream in streams]
        earned = sentence_credit(words, decoded.texts[path].lower().split(), links, wanted)
        for word, share in zip(words, earned, strict=True):
            before, times = credit.get(word, (0.0, 0))
            credit[word] = before + share, times + 1
    return credit


def bins_of(credit: WordCredit, frequencies: Mapping[str, int]) -> list[FrequencyBin]:
    """Words by their frequency in training text, rare ones first."""
    rows: dict[tuple[int, int], list[tuple[float, int]]] = defaultdict(list)
    for word, (earned, times) in credit.items():
        rows[bin_of(frequencies.get(word, 0))].append((earned / times, times))
    return [
        FrequencyBin(*limits, len(row), sum(n for _, n in row), 100 * sum(share for share, _ in row) / len(row))
        for limits, row in sorted(rows.items())
    ]
