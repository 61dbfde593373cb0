"""Slow, obvious definitions that the kernels are compared with. Texts are lists of words; one reference unless said."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, islice
from typing import Any

Words = list[Any]


def n_grams(words: Words, n: int) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def bleu(hyp: Words, refs: list[Words], order: int) -> list[float]:
    """Papineni et al. 2002: closest length (the shorter of two), clipped matches, totals."""
    closest = min((abs(len(ref) - len(hyp)), len(ref)) for ref in refs)[1]
    matches, totals = [], []
    for n in range(1, order + 1):
        clip: Counter[tuple[Any, ...]] = Counter()
        for ref in refs:
            clip |= n_grams(ref, n)
        matches.append((n_grams(hyp, n) & clip).total())
        totals.append(n_grams(hyp, n).total())
    return [len(hyp), closest, *matches, *totals]


def nist(hyp: Words, refs: list[Words], corpus: list[Words], order: int) -> list[float]:
    """Doddington 2002: information of matching n-grams, taken from all references of the test set."""
    counts = [sum((n_grams(ref, n) for ref in corpus), Counter()) for n in range(1, order + 1)]
    n_words = sum(len(ref) for ref in corpus)
    sums, totals = [], []
    for n in range(1, order + 1):
        clip: Counter[tuple[Any, ...]] = Counter()
        for ref in refs:
            clip |= n_grams(ref, n)
        total = 0.0
        for gram, count in (n_grams(hyp, n) & clip).items():
            before = n_words if n == 1 else counts[n - 2][gram[:-1]]
            total += count * math.log2(before / counts[n - 1][gram])
        sums.append(total)
        totals.append(n_grams(hyp, n).total())
    return [*sums, *totals, sum(map(len, refs)) / len(refs)]


def overlap(hyp: Words, ref: Words, order: int) -> list[float]:
    ours, theirs = n_grams(hyp, order), n_grams(ref, order)
    return [(ours & theirs).total(), ours.total(), theirs.total()]


def lcs(hyp: Words, ref: Words) -> int:
    table = [[0] * (len(ref) + 1) for _ in range(len(hyp) + 1)]
    for i, h in enumerate(hyp):
        for j, r in enumerate(ref):
            table[i + 1][j + 1] = table[i][j] + 1 if h == r else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


def edits(hyp: Words, ref: Words) -> int:
    """Levenshtein's distance."""
    row = list(range(len(ref) + 1))
    for i, h in enumerate(hyp, start=1):
        row, above = [i], row
        for j, r in enumerate(ref, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (h != r)))
    return row[-1]


def per(hyp: Words, ref: Words) -> int:
    return max(len(hyp), len(ref)) - (Counter(hyp) & Counter(ref)).total()


def cder(hyp: Words, ref: Words) -> int:
    """Leusch et al. 2006, as shortest paths: one step per unit of cost through the grid of places."""
    distance = {(0, 0): 0}
    frontier = {(0, 0)}
    cost = 0
    while frontier:
        # Matches cost nothing: follow them first.
        stack = list(frontier)
        while stack:
            i, j = stack.pop()
            after = (i + 1, j + 1)
            if i < len(hyp) and j < len(ref) and hyp[i] == ref[j] and after not in distance:
                distance[after] = cost
                frontier.add(after)
                stack.append(after)
        cost += 1
        reached = set()
        for i, j in frontier:
            steps = [(k, j) for k in range(len(hyp) + 1)]  # long jumps, deletions among them
            steps += [(i, j + 1), (i + 1, j + 1)]
            reached |= {(k, m) for k, m in steps if k <= len(hyp) and m <= len(ref)}
        frontier = {place for place in reached if place not in distance}
        distance |= dict.fromkeys(frontier, cost)
    return distance[len(hyp), len(ref)]


def gtm(hyp: Words, ref: Words, exponent: float) -> float:
    """Turian et al. 2003, greedily: the longest run of words that neither side has used, again and again."""
    free_hyp, free_ref = [True] * len(hyp), [True] * len(ref)
    total = 0.0
    while True:
        best = (0, 0, 0)
        for i in range(len(hyp)):
            for j in range(len(ref)):
                length = 0
                while (
                    i + length < len(hyp)
                    and j + length < len(ref)
                    and hyp[i + length] == ref[j + length]
                    and free_hyp[i + length]
                    and free_ref[j + length]
                ):
                    length += 1
                if length > best[0]:
                    best = (length, i, j)
        length, i, j = best
        if not length:
            return total ** (1 / exponent)
        total += length**exponent
        free_hyp[i : i + length] = free_ref[j : j + length] = [False] * length


def ribes(hyp: Words, ref: Words, paper: bool) -> tuple[float, float, float]:
    """Isozaki et al. 2010, with the contexts of the paper or of RIBES.py 1.03: normalised τ, precision, penalty."""

    def places(gram: Words, text: Words) -> list[int]:
        return [i for i in range(len(text) - len(gram) + 1) if text[i : i + len(gram)] == gram]

    if not hyp:
        return 0.0, 0.0, 0.0
    order = []
    for i, word in enumerate(hyp):
        if hyp.count(word) == ref.count(word) == 1:
            order.append(ref.index(word))
            continue
        contexts = []
        for window in range(1, 2 if paper else len(hyp)):
            left = [(hyp[i - window : i + 1], window)] if window <= i else []
            right = [(hyp[i : i + window + 1], 0)] if i + window < len(hyp) else []
            contexts += right + left if paper else left + right
        unique = (
            places(gram, ref)[0] + offset
            for gram, offset in contexts
            if len(places(gram, hyp)) == len(places(gram, ref)) == 1
        )
        order += list(islice(unique, 1))
    penalty = min(1.0, math.exp(1 - len(ref) / len(hyp)))
    if len(order) == 1 and len(ref) == 1:
        return 1.0, 1 / len(hyp), penalty
    if len(order) < 2:
        return 0.0, 0.0, penalty
    pairs = list(combinations(order, 2))
    return sum(a < b for a, b in pairs) / len(pairs), len(order) / len(hyp), penalty


def amber(hyp: Words, ref: Words, order: int) -> list[float]:
    """Matches of each order, aligned words, chunks, ρ, τ, v1, v2 (Chen, Kuhn & Foster 2012, equations 4–7)."""

    def places(gram: Words, text: Words) -> list[int]:
        return [i for i in range(len(text) - len(gram) + 1) if text[i : i + len(gram)] == gram]

    links: dict[int, int] = {}
    for i in range(len(hyp)):
        contexts = [
            pair
            for length in range(1, len(hyp) + 1)
            for pair in ((hyp[i : i + length], 0), (hyp[max(i - length + 1, 0) : i + 1], length - 1))
            if len(pair[0]) == length
        ]
        unique = (
            places(gram, ref)[0] + offset
            for gram, offset in contexts
            if len(places(gram, hyp)) == len(places(gram, ref)) == 1
        )
        for place in islice(unique, 1):
            if place not in links.values():
                links[i] = place
    ranks = [sorted(links.values()).index(place) + 1 for place in links.values()]
    n = len(ranks)
    chunks = sum(i - 1 not in links or links[i - 1] + 1 != place for i, place in links.items())
    matches = [(n_grams(hyp, k) & n_grams(ref, k)).total() for k in range(1, order + 1)]
    if n < 2:
        return [*matches, n, chunks, 1.0, 1.0, 1.0, 1.0]
    rho = 1 - 6 * sum((i - rank) ** 2 for i, rank in enumerate(ranks, 1)) / (n * (n * n - 1))
    pairs = list(combinations(ranks, 2))
    tau = 2 * sum(a < b for a, b in pairs) / len(pairs) - 1
    dist1 = sum(abs(i - rank) for i, rank in enumerate(ranks, 1))
    dist2 = sum(abs(1 - (rank - before)) for before, rank in zip([0, *ranks[:-1]], ranks, strict=True))
    return [*matches, n, chunks, rho, tau, 1 - dist1 / (n * (n + 1) / 2), 1 - dist2 / (n * n - 1)]


def resegmentation_cost(stream: Words, refs: list[list[Words]]) -> int:
    """The fewest edits with which a stream can be cut into segments; `refs[i]` are the references of segment i."""
    if not refs:
        return 0 if not stream else 10**9
    return min(
        min(edits(stream[:cut], ref) for ref in refs[0]) + resegmentation_cost(stream[cut:], refs[1:])
        for cut in (range(len(stream) + 1) if len(refs) > 1 else [len(stream)])
    )


def found_words(words: Words, others: Words) -> list[bool]:
    """Of each word, in order, whether the other text still has one that was not used."""
    left = Counter(others)
    found = []
    for word in words:
        found.append(left[word] > 0)
        left[word] -= found[-1]
    return found


def f_by_bucket(output: list[Words], refs: list[Words], bucket: Any) -> dict[Any, float]:
    """F in per cent of the words of each bucket that the references have; `bucket(word)` says which one is a word's."""
    wanted = Counter(bucket(word) for words in refs for word in words)
    given = Counter(bucket(word) for words in output for word in words)
    found: Counter[Any] = Counter()
    for words, ref in zip(output, refs, strict=True):
        found.update(bucket(word) for word, there in zip(words, found_words(words, ref), strict=True) if there)
    return {each: 200.0 * found[each] / (given[each] + wanted[each]) for each in wanted}


def ngram_matches(output: list[Words], refs: list[list[Words]], order: int) -> Counter[tuple[Any, ...]]:
    """Clipped matches of each n-gram over all segments; `refs[i]` are the references of segment i."""
    matches: Counter[tuple[Any, ...]] = Counter()
    for words, group in zip(output, refs, strict=True):
        for n in range(1, order + 1):
            clip: Counter[tuple[Any, ...]] = Counter()
            for ref in group:
                clip |= n_grams(ref, n)
            matches += n_grams(words, n) & clip
    return matches


def contrast(
    left: Counter[tuple[Any, ...]], right: Counter[tuple[Any, ...]], most: int
) -> tuple[list[tuple[str, int, int]], list[tuple[str, int, int]]]:
    """The n-grams that the right wins and those that it loses: (text, left's matches, right's), strongest first."""
    found = [
        ((right[gram] + 1) / (left[gram] + right[gram] + 2), gram)
        for gram in left.keys() | right.keys()
        if left[gram] != right[gram]
    ]
    shown = {gram: (" ".join(gram), left[gram], right[gram]) for _, gram in found}
    wins = sorted((-score, -len(gram), " ".join(gram), gram) for score, gram in found if right[gram] > left[gram])
    losses = sorted((score, -len(gram), " ".join(gram), gram) for score, gram in found if right[gram] < left[gram])
    return [shown[key[-1]] for key in wins[:most]], [shown[key[-1]] for key in losses[:most]]
