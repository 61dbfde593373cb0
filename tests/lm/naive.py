"""Modified Kneser–Ney by its definition, with dictionaries: slow and plain, to compare the kernel with."""

from __future__ import annotations

from collections import Counter, defaultdict

Gram = tuple[str, ...]


def adjusted(
    lines: list[str], order: int, fallback: tuple[float, float, float]
) -> tuple[list[dict[Gram, int]], list[list[float]]]:
    """Adjusted counts and discounts by order; those of order 0 are empty."""
    raw: list[Counter[Gram]] = [Counter() for _ in range(order + 1)]
    for line in lines:
        words = ["<s>", *line.split(), "</s>"]
        for k in range(1, order + 1):
            raw[k].update(tuple(words[i : i + k]) for i in range(len(words) - k + 1))
    found: list[dict[Gram, int]] = [{} for _ in range(order + 1)]
    for k in range(1, order + 1):
        before: defaultdict[Gram, set[str]] = defaultdict(set)
        if k < order:
            for gram in raw[k + 1]:
                before[gram[1:]].add(gram[0])
        for gram, count in raw[k].items():
            if gram == ("<s>",):
                continue
            found[k][gram] = count if k == order or gram[0] == "<s>" else len(before[gram])
    return found, [[], *(_discounts(Counter(found[k].values()), fallback) for k in range(1, order + 1))]


def estimate(lines: list[str], order: int, fallback: tuple[float, float, float]) -> dict[Gram, tuple[float, float]]:
    """Probability and back-off weight of every n-gram (plain, not logarithms)."""
    counts, all_discounts = adjusted(lines, order, fallback)
    vocabulary = {"<unk>", "</s>", *(gram[0] for gram in counts[1])}
    p: dict[Gram, float] = {}
    backoff: dict[Gram, float] = {}
    for k in range(1, order + 1):
        discounts = all_discounts[k]
        total: Counter[Gram] = Counter()
        held: defaultdict[Gram, float] = defaultdict(float)
        for gram, count in counts[k].items():
            total[gram[:-1]] += count
            held[gram[:-1]] += discounts[min(count, 3)]
        for context in total:
            backoff[context] = held[context] / total[context]
        if k == 1:
            for word in vocabulary:
                count = counts[1].get((word,), 0)
                p[(word,)] = (count - discounts[min(count, 3)]) / total[()] + backoff[()] / len(vocabulary)
        else:
            for gram, count in counts[k].items():
                own = (count - discounts[min(count, 3)]) / total[gram[:-1]]
                p[gram] = own + backoff[gram[:-1]] * p[gram[1:]]
    p[("<s>",)] = 1.0
    return {gram: (value, backoff.get(gram, 1.0)) for gram, value in p.items()}


def _discounts(counts: Counter[int], fallback: tuple[float, float, float]) -> list[float]:
    try:
        y = counts[1] / (counts[1] + 2 * counts[2])
        found = [k - (k + 1) * y * counts[k + 1] / counts[k] for k in (1, 2, 3)]
    except ZeroDivisionError:
        return [0.0, *fallback]
    return [0.0, *(found if all(0 < d <= k for k, d in enumerate(found, start=1)) else fallback)]
