"""EM for word alignment as the papers write it: dictionaries, loops, double precision."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence

NULL = None
Table = dict[tuple[str | None, str], float]
Pairs = Sequence[tuple[list[str], list[str]]]
LEAST = 1e-9  # of a pair in a table


def _start(pairs: Pairs) -> Table:
    return {(s, t): 1e-5 for source, target in pairs for s in (NULL, *source) for t in target}


def _maximise(table: Table, counts: dict[tuple[str | None, str], float]) -> Table:
    totals: dict[str | None, float] = defaultdict(float)
    for (s, _), count in counts.items():
        totals[s] += count
    return {(s, t): max(counts[s, t] / totals[s] if totals[s] else 0.0, LEAST) for s, t in table}


def place_priors(tension: float, p_null: float | None) -> Callable[[int, int, int], list[float]]:
    """p(place) of target word t (from 1 on) of `n_target`, for the empty word and each source word."""

    def priors(n_source: int, t: int, n_target: int) -> list[float]:
        if n_source == 0:
            return [1.0]
        null = 1 / (n_source + 1) if p_null is None else p_null
        weights = [math.exp(-tension * abs(s / n_source - t / n_target)) for s in range(1, n_source + 1)]
        return [null, *((1 - null) * weight / sum(weights) for weight in weights)]

    return priors


def ibm(
    pairs: Pairs, rounds: int, priors: Callable[[int, int, int], list[float]], table: Table | None = None
) -> tuple[Table, list[float]]:
    """IBM model 1 or 2 with fixed place probabilities: the table, and the log-likelihood in each round."""
    table = table or _start(pairs)
    likelihoods = []
    for _ in range(rounds):
        counts: dict[tuple[str | None, str], float] = defaultdict(float)
        likelihood = 0.0
        for source, target in pairs:
            words: list[str | None] = [NULL, *source]
            for number, t in enumerate(target, start=1):
                joint = [p * table[s, t] for p, s in zip(priors(len(source), number, len(target)), words, strict=True)]
                total = sum(joint)
                likelihood += math.log(total)
                for s, p in zip(words, joint, strict=True):
                    counts[s, t] += p / total
        likelihoods.append(likelihood)
        table = _maximise(table, counts)
    return table, likelihoods


class Hmm:
    """The HMM by enumerating states: (last place, whether the word is the empty word's)."""

    def __init__(self, pairs: Pairs, *, p_null: float, max_jump: int) -> None:
        self.pairs, self.p_null, self.max_jump = pairs, p_null, max_jump
        self.weights = dict.fromkeys(range(-max_jump - 1, max_jump + 2), 1.0)
        self.table = _start(pairs)
        self.likelihoods: list[float] = []

    def width(self, before: int, place: int) -> int:
        """The class of a jump; before the first word one stands at -1."""
        limit = self.max_jump + 1
        return max(-limit, min(limit, place - before))

    def jump(self, before: int, place: int, n: int) -> float:
        """p(place | place before)."""
        total = sum(self.weights[self.width(before, other)] for other in range(n))
        return self.weights[self.width(before, place)] / total

    def round(self) -> list[list[list[float]]]:
        """One round; the posteriors of each pair, [source word or empty word][target word]."""
        counts: dict[tuple[str | None, str], float] = defaultdict(float)
        uses: dict[int, float] = defaultdict(float)
        chances: dict[int, float] = defaultdict(float)
        likelihood = 0.0
        answers = []
        for source, target in self.pairs:
            n = len(source)
            p_null = self.p_null if n else 1.0
            steps: list[dict[tuple[int, bool], float]] = [{(-1, False): 1.0}]
            for t in target:
                now: dict[tuple[int, bool], float] = defaultdict(float)
                for (place, _), p in steps[-1].items():
                    now[place, True] += p * p_null * self.table[NULL, t]
                    for i in range(n):
                        now[i, False] += p * (1 - p_null) * self.jump(place, i, n) * self.table[source[i], t]
                steps.append(now)
            total = sum(steps[-1].values())
            likelihood += math.log(total)
            after = dict.fromkeys([(place, null) for place in range(-1, n) for null in (False, True)], 1.0)
            posteriors = [[0.0] * len(target) for _ in range(n + 1)]
            for j in reversed(range(len(target))):
                t = target[j]
                before: dict[tuple[int, bool], float] = defaultdict(float)
                for (place, null), p in steps[j].items():
                    stay = p_null * self.table[NULL, t] * after[place, True]
                    before[place, null] += stay
                    posteriors[0][j] += p * stay / total
                    used = 0.0
                    for i in range(n):
                        go = (1 - p_null) * self.jump(place, i, n) * self.table[source[i], t] * after[i, False]
                        before[place, null] += go
                        posteriors[i + 1][j] += p * go / total
                        uses[self.width(place, i)] += p * go / total
                        used += p * go / total
                    norm = sum(self.weights[self.width(place, other)] for other in range(n))
                    for i in range(n):
                        chances[self.width(place, i)] += used / norm
                after = before
            for i, s in enumerate((NULL, *source)):
                for j, t in enumerate(target):
                    counts[s, t] += posteriors[i][j]
            answers.append(posteriors)
        self.likelihoods.append(likelihood)
        self.table = _maximise(self.table, counts)
        new = {k: uses[k] / chances[k] if chances[k] > 0 else 0.0 for k in self.weights}
        norm = sum(new.values())
        self.weights = {k: max(value / norm, 1e-7) if norm else 1.0 for k, value in new.items()}
        return answers


def symmetrise(forward: set[tuple[int, int]], backward: set[tuple[int, int]], method: str) -> set[tuple[int, int]]:
    """Koehn et al. (2005): the intersection, grown along the union, then what is left over."""
    union = forward | backward
    links = set(forward & backward)
    if method == "union":
        return union
    if method == "intersection":
        return links

    def free(s: int, t: int) -> tuple[bool, bool]:
        return all(x != s for x, _ in links), all(y != t for _, y in links)

    grown = True
    while grown:
        grown = False
        places = sorted({t for _, t in union}), sorted({s for s, _ in union})
        for t in places[0]:
            for s in places[1]:
                if (s, t) not in links:
                    continue
                for ds, dt in ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)):
                    near = s + ds, t + dt
                    if near in union and near not in links and any(free(*near)):
                        links.add(near)
                        grown = True
    if method == "grow-diag":
        return links
    for direction in (forward, backward):
        for link in sorted(direction):
            wanted = all(free(*link)) if method == "grow-diag-final-and" else any(free(*link))
            if link not in links and wanted:
                links.add(link)
    return links
