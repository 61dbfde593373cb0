"""Modified Kneser–Ney from counts of n-grams, for what is no text: n-grams along the heads of trees.

The numbers are those of `kneser_ney`, which counts running text in the core by sorting. Here counts are given, of each
event once: the n-gram of the highest order that ends in it, or a shorter one that begins with `<s>`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from dragoman import _core
from dragoman.errors import DataError
from dragoman.lm.kneser_ney import Estimation

__all__ = ["model_from_counts"]

Gram = tuple[str, ...]
_NEVER = -99.0  # what ARPA files write for the probability of <s>, which nothing follows


def model_from_counts(counts: Mapping[Gram, int], recipe: Estimation) -> _core.lm.Model:
    """The model, in the core's own form."""
    if not counts:
        raise DataError("There are no n-grams to estimate a model from.")
    adjusted = _adjusted(counts, recipe.order)
    text = "".join(f"{line}\n" for line in _arpa(_probabilities(adjusted, recipe.fallback), recipe.order))
    return _core.lm.read_arpa(text.encode()).converted(**recipe.storage())


def _adjusted(counts: Mapping[Gram, int], order: int) -> list[Counter[Gram]]:
    """By order: the highest and what begins with <s> keep their counts, others count the different words before."""
    raw: list[Counter[Gram]] = [Counter() for _ in range(order + 1)]
    for gram, count in counts.items():
        for size in range(1, len(gram) + 1):
            raw[size][gram[-size:]] += count
    before: defaultdict[Gram, set[str]] = defaultdict(set)
    for size in range(2, order + 1):
        for gram in raw[size]:
            before[gram[1:]].add(gram[0])
    return [
        Counter({gram: n if size == order or gram[0] == "<s>" else len(before[gram]) for gram, n in raw[size].items()})
        for size in range(order + 1)
    ]


def _probabilities(adjusted: list[Counter[Gram]], fallback: tuple[float, ...]) -> list[dict[Gram, tuple[float, float]]]:
    """By order: probability and back-off weight of each n-gram, interpolated down to the uniform distribution."""
    words = {"<unk>", "</s>", *(gram[0] for gram in adjusted[1])}
    p: dict[Gram, float] = {}
    weight: dict[Gram, float] = {}
    for size in range(1, len(adjusted)):
        discounts = _discounts(adjusted[size], fallback)
        total: Counter[Gram] = Counter()
        held: defaultdict[Gram, float] = defaultdict(float)
        for gram, n in adjusted[size].items():
            total[gram[:-1]] += n
            held[gram[:-1]] += discounts[min(n, 3)]
        weight |= {context: held[context] / total[context] for context in total}
        for gram in [(word,) for word in words] if size == 1 else adjusted[size]:
            n = adjusted[size][gram]
            lower = 1 / len(words) if size == 1 else p[gram[1:]]
            p[gram] = (n - discounts[min(n, 3)]) / total[gram[:-1]] + weight[gram[:-1]] * lower
    orders: list[dict[Gram, tuple[float, float]]] = [{} for _ in adjusted]
    for gram, value in p.items():
        orders[len(gram)][gram] = (value, weight.get(gram, 1.0))
    orders[1]["<s>",] = (0.0, weight.get(("<s>",), 1.0))
    return orders


def _discounts(counts: Counter[Gram], fallback: tuple[float, ...]) -> list[float]:
    """What n-grams met 0, 1, 2 and more times give up (Chen & Goodman 1998)."""
    n = [sum(count == k for count in counts.values()) for k in range(5)]
    if not all(n[1:]):
        return [0.0, *fallback]
    y = n[1] / (n[1] + 2 * n[2])
    found = [k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3)]
    return [0.0, *(found if all(0 < d <= k for k, d in enumerate(found, start=1)) else fallback)]


def _arpa(orders: list[dict[Gram, tuple[float, float]]], order: int) -> Iterator[str]:
    yield "\\data\\"
    yield from (f"ngram {size}={len(orders[size])}" for size in range(1, order + 1))
    for size in range(1, order + 1):
        yield ""
        yield f"\\{size}-grams:"
        for gram, (p, weight) in sorted(orders[size].items()):
            log_p = math.log10(p) if p > 0 else _NEVER
            tail = f"\t{math.log10(weight) if weight > 0 else _NEVER:.7g}" if size < order else ""
            yield f"{log_p:.7g}\t{' '.join(gram)}{tail}"
    yield ""
    yield "\\end\\"
