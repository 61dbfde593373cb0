"""Which of two words of a family comes first: a linear model of the pair, and the best order by all pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from dragoman.reorder.annotation import Annotated

__all__ = ["PairScorer", "best_arrangement", "pair_features", "ranked_arrangements"]

_MOST_EXACT = 8  # words of a family whose best order is searched for; larger ones are sorted by pairs won
_HEAD = "HEAD"
_FAR = 4  # distances beyond are one
_MOST_KNOWN = 200_000  # weights that are remembered before all are forgotten, some 40 MB


def pair_features(sentence: Annotated, head: int, family: Sequence[int], sizes: Sequence[int]) -> list[list[str]]:
    """What is looked at in each pair of a family, pairs as `combinations` gives them.

    Relations, parts of speech and words of both and of their head, how large they are, what stands between them, and
    who else belongs to the family: `sizes` has the number of words below each word.
    """
    words, tags, relations = sentence.words, sentence.tags, sentence.relations or sentence.tags
    roles = [_HEAD if place == head else relations[place] for place in family]
    forms = [words[place].lower() for place in family]
    above = f"{tags[head]}^{relations[head]}"
    top, base = forms[family.index(head)], {*roles}
    features = []
    for i, j in combinations(range(len(family)), 2):
        a, b = family[i], family[j]
        pair = f"{roles[i]} {roles[j]}"
        tagged = f"{pair} {tags[a]} {tags[b]}"
        between = roles[i + 1 : j]
        large = f"{min(_FAR, sizes[a])}{min(_FAR, sizes[b])}"
        own = [
            "",
            pair,
            f"h {pair} {above}",
            tagged,
            f"th {tagged} {above}",
            f"l {pair} {forms[i]}",
            f"r {pair} {forms[j]}",
            f"t {pair} {top}",
            f"s {pair} {large}",
            f"d {pair} {min(_FAR, j - i)}",
        ]
        own += [f"b {pair} {each}" for each in between]
        own += [f"o {pair} {each}" for each in base if each not in (roles[i], roles[j])]
        features.append(own)
    return features


@dataclass(slots=True)
class _PairWeights:
    """What was asked of a pair of roles, by what stood in the place of the rest of a feature's name."""

    own: float
    tags: dict[tuple[str, str, str], float] = field(default_factory=dict)  # with those of the head
    left: dict[str, float] = field(default_factory=dict)
    right: dict[str, float] = field(default_factory=dict)
    top: dict[str, float] = field(default_factory=dict)
    shape: dict[tuple[int, int, int], float] = field(default_factory=dict)
    between: dict[str, float] = field(default_factory=dict)
    others: dict[str, float] = field(default_factory=dict)


class PairScorer:
    """The log-odds that the second of two members comes first: the weights of `pair_features`, added up.

    Names are long to spell and come again and again: what they weigh is remembered by the few words that differ.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights
        self._known: dict[tuple[str, str], _PairWeights] = {}
        self._n_known = 0

    def scores(self, sentence: Annotated, head: int, family: Sequence[int], sizes: Sequence[int]) -> list[float]:
        """For each pair of a family, as `combinations` gives them."""
        words, tags, relations = sentence.words, sentence.tags, sentence.relations or sentence.tags
        if self._n_known > _MOST_KNOWN:
            self._known.clear()
            self._n_known = 0
        roles = [_HEAD if place == head else relations[place] for place in family]
        forms = [words[place].lower() for place in family]
        above = f"{tags[head]}^{relations[head]}"
        top, base = forms[family.index(head)], {*roles}
        scores = []
        for i, j in combinations(range(len(family)), 2):
            a, b = family[i], family[j]
            one, other = roles[i], roles[j]
            known = self._known.get((one, other)) or self._met(one, other)
            tagged, shape = (tags[a], tags[b], above), (min(_FAR, sizes[a]), min(_FAR, sizes[b]), min(_FAR, j - i))
            score = known.own
            found = known.tags.get(tagged)
            score += self._tags(known, one, other, tagged) if found is None else found
            found = known.left.get(forms[i])
            score += self._word(known.left, "l", one, other, forms[i]) if found is None else found
            found = known.right.get(forms[j])
            score += self._word(known.right, "r", one, other, forms[j]) if found is None else found
            found = known.top.get(top)
            score += self._word(known.top, "t", one, other, top) if found is None else found
            found = known.shape.get(shape)
            score += self._shape(known, one, other, shape) if found is None else found
            for role in roles[i + 1 : j]:
                found = known.between.get(role)
                score += self._word(known.between, "b", one, other, role) if found is None else found
            if len(base) > 2 or one == other:
                for role in base:
                    if role not in (one, other):
                        found = known.others.get(role)
                        score += self._word(known.others, "o", one, other, role) if found is None else found
            scores.append(score)
        return scores

    def _met(self, one: str, other: str) -> _PairWeights:
        get = self._weights.get
        known = self._known[one, other] = _PairWeights(get("", 0.0) + get(f"{one} {other}", 0.0))
        self._n_known += 1
        return known

    def _tags(self, known: _PairWeights, one: str, other: str, tagged: tuple[str, str, str]) -> float:
        get, above = self._weights.get, tagged[2]
        pair = f"{one} {other}"
        own = f"{pair} {tagged[0]} {tagged[1]}"
        value = get(f"h {pair} {above}", 0.0) + get(own, 0.0) + get(f"th {own} {above}", 0.0)
        known.tags[tagged] = value
        self._n_known += 1
        return value

    def _shape(self, known: _PairWeights, one: str, other: str, shape: tuple[int, int, int]) -> float:
        get, pair = self._weights.get, f"{one} {other}"
        value = get(f"s {pair} {shape[0]}{shape[1]}", 0.0) + get(f"d {pair} {shape[2]}", 0.0)
        known.shape[shape] = value
        self._n_known += 1
        return value

    def _word(self, known: dict[str, float], kind: str, one: str, other: str, word: str) -> float:
        value = known[word] = self._weights.get(f"{kind} {one} {other} {word}", 0.0)
        self._n_known += 1
        return value


def best_arrangement(n: int, scores: Sequence[float]) -> tuple[int, ...]:
    """The order of `n` things with the largest sum, `scores` being what each pair gains if it is swapped."""
    if n == 2:
        return (1, 0) if scores[0] > 0 else (0, 1)
    wins = [0] * n
    gains = {}
    for (i, j), score in zip(combinations(range(n), 2), scores, strict=True):
        gains[i, j] = score
        wins[j if score > 0 else i] += 1
    if n > _MOST_EXACT or len(set(wins)) == n:  # all pairs agree with one order: it is the best
        return tuple(sorted(range(n), key=lambda each: (-wins[each], each)))
    return _searched(n, gains)


def _searched(n: int, gains: Mapping[tuple[int, int], float]) -> tuple[int, ...]:
    """The best order by dynamic programming over sets of what stands in front."""
    # What each one gains by passing those before it that are not chosen yet, by their set.
    passing: list[list[float]] = []
    for each in range(n):
        own = [0.0] * (1 << each)
        for others in range(1, 1 << each):
            least = others & -others
            own[others] = own[others ^ least] + gains[least.bit_length() - 1, each]
        passing.append(own)
    best = [-math.inf] * (1 << n)
    best[0] = 0.0
    last = [0] * (1 << n)
    for chosen, total in enumerate(best):
        for each in range(n):
            if chosen >> each & 1:
                continue
            gain = total + passing[each][~chosen & (1 << each) - 1]
            if gain > best[chosen | 1 << each]:
                best[chosen | 1 << each] = gain
                last[chosen | 1 << each] = each
    order, left = [], (1 << n) - 1
    while left:
        order.append(last[left])
        left ^= 1 << last[left]
    return tuple(reversed(order))


def ranked_arrangements(
    n: int, scores: Sequence[float], most: int, first: tuple[int, ...] | None = None
) -> list[tuple[tuple[int, ...], float]]:
    """The best orders, at most so many, with how probable each is: the product of what its pairs say, made one.

    From the best one, `first` if it is known, by swaps of neighbours, which reach every order; those looked at share
    all probability.
    """
    gains = dict(zip(combinations(range(n), 2), scores, strict=True))
    first = best_arrangement(n, scores) if first is None else first
    looked_at = {first: sum(gains[b, a] for a, b in combinations(first, 2) if b < a)}
    edge = [first]
    for _ in range(most):
        found = {}
        for order in edge:
            value = looked_at[order]
            for k in range(n - 1):
                a, b = order[k], order[k + 1]
                other = (*order[:k], b, a, *order[k + 2 :])
                if other not in looked_at:
                    found[other] = value + gains[a, b] if a < b else value - gains[b, a]
        looked_at |= found
        edge = sorted(found, key=found.__getitem__, reverse=True)[:most]
    top = max(looked_at.values())
    total = sum(math.exp(each - top) for each in looked_at.values())
    ranked = sorted(looked_at.items(), key=lambda each: (-each[1], each[0]))[:most]
    return [(order, math.exp(each - top) / total) for order, each in ranked]
