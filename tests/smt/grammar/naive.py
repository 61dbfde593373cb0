"""Translation by a grammar as it is defined: every derivation of a short sentence, one by one.

Nothing is shared with the search, which is measured by this: no trie, no chart of partial scores, no recombination. A
derivation fills each span of its rules' gaps by rules of the same label; parts that cover the sentence one behind the
other are glued, each counting one glue. A word that no rule translates alone stays as it is.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from dragoman.smt.grammar import Gap, Rule

__all__ = ["Derivation", "best", "derivations", "posteriors", "score"]

Labels = tuple[str, str]
_FLOOR = -100.0  # of a logarithm


@dataclass(frozen=True)
class Derivation:
    """What a derivation says, and its features: logarithms of scores, and penalties as negative counts."""

    words: tuple[str, ...]
    features: tuple[tuple[str, float], ...]
    rules: tuple[tuple[Rule | None, int, int], ...]  # with the spans that they cover; None: a word as it is

    @property
    def sums(self) -> dict[str, float]:
        """The features by name."""
        return dict(self.features)


def derivations(
    source: Sequence[str],
    rules: Sequence[Rule],
    *,
    span: int = 10,
    unknown: Sequence[Labels] = (("X", "X"),),
    labelled: Mapping[tuple[int, int], set[str]] | None = None,
    any_source: str = "X",
) -> list[Derivation]:
    """All derivations of a sentence.

    `span`: the most words that a rule with gaps covers, 0 for any number. `labelled`: what spans are called in the
    source; then rules whose source label is another than `any_source` stand over spans of that name alone.
    """
    n = len(source)

    def may_stand(labels: Labels, begin: int, end: int) -> bool:
        return labelled is None or labels[0] == any_source or labels[0] in labelled.get((begin, end), set())

    @lru_cache(None)
    def of(begin: int, end: int, labels: Labels, above: frozenset[Labels]) -> tuple[Derivation, ...]:
        """All derivations of a span under a label; `above`: labels of the same span that are being made of this one."""
        found = []
        if may_stand(labels, begin, end):
            for rule in rules:
                if rule.labels != labels or (not rule.is_lexical and span and end - begin > span):
                    continue
                for cuts in _matches(rule, source, begin, end):
                    parts = [
                        of(b, e, gap, above | {labels} if (b, e) == (begin, end) else frozenset())
                        for (b, e), gap in cuts
                        if gap not in above | {labels} or (b, e) != (begin, end)
                    ]
                    if len(parts) == len(cuts):
                        found += [_joined(rule, each, begin, end) for each in product(*parts)]
        if end == begin + 1 and labels in unknown_labels(begin):
            found.append(_copied(source[begin], begin))
        return tuple(found)

    def unknown_labels(place: int) -> Sequence[Labels]:
        known = any(rule.source == (source[place],) and may_stand(rule.labels, place, place + 1) for rule in rules)
        if known:
            return ()
        return [each for each in unknown if may_stand(each, place, place + 1)] or unknown[:1]

    every = dict.fromkeys([*(rule.labels for rule in rules), *unknown])

    @lru_cache(None)
    def glued(end: int) -> tuple[Derivation, ...]:
        if end == 0:
            return (Derivation((), (), ()),)
        return tuple(
            _glued(before, part)
            for middle in range(end)
            for labels in every
            for part in of(middle, end, labels, frozenset())
            for before in glued(middle)
        )

    return list(glued(n))


def score(
    derivation: Derivation, weights: Mapping[str, float], lm: Callable[[Sequence[str]], float] | None = None
) -> float:
    """The weighted sum of a derivation's features; `lm`: the natural logarithm of a sentence's probability."""
    total = sum(weights.get(name, 0.0) * value for name, value in derivation.features)
    return total + (weights.get("lm", 0.0) * lm(derivation.words) if lm is not None else 0.0)


def best(
    all_of_them: Sequence[Derivation],
    weights: Mapping[str, float],
    lm: Callable[[Sequence[str]], float] | None = None,
    *,
    distinct: bool = False,
) -> list[tuple[float, Derivation]]:
    """Derivations with their scores, the best first; if `distinct`, the best of each translation."""
    scored = sorted(((score(each, weights, lm), each) for each in all_of_them), key=lambda pair: -pair[0])
    if not distinct:
        return scored
    first: dict[tuple[str, ...], tuple[float, Derivation]] = {}
    for value, each in scored:
        first.setdefault(each.words, (value, each))
    return list(first.values())


def posteriors(
    all_of_them: Sequence[Derivation],
    weights: Mapping[str, float],
    lm: Callable[[Sequence[str]], float] | None = None,
    *,
    scale: float = 1.0,
) -> dict[tuple[str, ...], float]:
    """The probability of each translation: of all its derivations together, by softmax of their scaled scores."""
    scores = [scale * score(each, weights, lm) for each in all_of_them]
    most = max(scores)
    sums: dict[tuple[str, ...], float] = defaultdict(float)
    for value, each in zip(scores, all_of_them, strict=True):
        sums[each.words] += math.exp(value - most)
    total = sum(sums.values())
    return {words: value / total for words, value in sums.items()}


def _matches(rule: Rule, source: Sequence[str], begin: int, end: int) -> Iterator[list[tuple[tuple[int, int], Labels]]]:
    """The ways in which a rule's source side covers a span: what each of its gaps covers, and must be called."""

    def go(place: int, symbol: int) -> Iterator[list[tuple[tuple[int, int], Labels]]]:
        if symbol == len(rule.source):
            if place == end:
                yield []
            return
        here = rule.source[symbol]
        if isinstance(here, Gap):
            for stop in range(place + 1, end + 1):
                for rest in go(stop, symbol + 1):
                    yield [((place, stop), here.labels), *rest]
        elif place < end and source[place] == here:
            yield from go(place + 1, symbol + 1)

    return go(begin, 0)


def _joined(rule: Rule, parts: Sequence[Derivation], begin: int, end: int) -> Derivation:
    words: list[str] = []
    for symbol in rule.target:
        words += parts[symbol.number].words if isinstance(symbol, Gap) else [symbol]
    own = {f"table.{i + 1}": _log(value) for i, value in enumerate(rule.scores)}
    n_words = sum(not isinstance(each, Gap) for each in rule.target)
    features = _sum(own | {"word-penalty": -n_words, "phrase-penalty": -1.0}, *(part.sums for part in parts))
    inner = tuple(each for part in parts for each in part.rules)
    return Derivation(tuple(words), features, ((rule, begin, end), *inner))


def _copied(word: str, place: int) -> Derivation:
    features = {"word-penalty": -1.0, "phrase-penalty": -1.0, "unknown": -1.0}
    return Derivation((word,), _sum(features), ((None, place, place + 1),))


def _glued(before: Derivation, part: Derivation) -> Derivation:
    features = _sum(before.sums, part.sums, {"glue": -1.0})
    return Derivation((*before.words, *part.words), features, (*before.rules, *part.rules))


def _sum(*features: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    sums: dict[str, float] = defaultdict(float)
    for each in features:
        for name, value in each.items():
            sums[name] += value
    return tuple(sorted(sums.items()))


def _log(value: float) -> float:
    return max(_FLOOR, math.log(value)) if value > 0 else _FLOOR
