"""Rules with a gap (Niehues & Kolss, WMT 2009): words move over whatever stands between, as German verbs do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from dragoman.data.alignments import Link
from dragoman.options import option
from dragoman.reorder.annotation import Annotated
from dragoman.reorder.base import Move, OrderMethod, OrderRules
from dragoman.reorder.orders import Order, target_spans

__all__ = ["GapOrders", "GapRule", "LongRules", "extract_gap_rules"]

KINDS = ("left-all", "left-part", "right-all", "right-part")
BEGIN, END = "<s>", "</s>"  # where a sentence has no word before the words that move, or none behind

Tags = tuple[str, ...]


class GapRule(NamedTuple):
    """Tags, one or more arbitrary ones, tags. Of `left` and `right` the kind says what moves and what stays."""

    kind: str
    left: Tags
    right: Tags

    def __str__(self) -> str:
        left, right = list(self.left), list(self.right)
        if self.kind == "left-all":
            after = [*left, *right, "*"]
        elif self.kind == "left-part":
            after = [left[0], *right, left[1], "*"]
        elif self.kind == "right-all":
            after = ["*", *left, *right]
        else:
            after = ["*", right[0], *left, *right[1:]]
        return f"{' '.join([*left, '*', *right])} → {' '.join(after)}"

    def is_whole(self) -> bool:
        """Whether its parts are as long as its kind has them, and borders of a sentence are not moved."""
        stays, moves = (self.left, self.right) if self.kind.startswith("left") else (self.right, self.left)
        n_fixed = 2 if self.kind.endswith("part") else 1
        inner = (*self.left[1:], *self.right) if stays is self.left else (*self.left, *self.right[:-1])
        return self.kind in KINDS and len(stays) == n_fixed and bool(moves) and not {BEGIN, END} & set(inner)


@dataclass(frozen=True)
class LongRules(OrderMethod):
    """Tags * tags → another order: the right part in front of the left one, or the left one behind the right."""

    name: ClassVar[str] = "long"

    kinds: tuple[str, ...] = option(("left-all", "left-part"), text=f"which rules: {', '.join(KINDS)}")
    longest: int = option(5, low=1, high=20, text="tags that move")
    least: int = option(6, low=1, text="how often a rule must be seen")
    least_p: float = option(0.05, low=0, high=1, text="the least probability of a rule that is used (θ_long)")
    matches: int = option(5, low=1, text="a rule that fits a sentence more often is not used there")

    def check(self) -> LongRules:
        """Return the method if its options keep their rules and its kinds are known."""
        from dragoman.errors import DataError

        unknown = [kind for kind in self.kinds if kind not in KINDS]
        if unknown or not self.kinds:
            raise DataError(
                f"Rules with a gap are of the kinds {', '.join(KINDS)}; got {', '.join(unknown) or 'none'}."
            )
        return super().check()

    def learn(self, sentences: Sequence[Annotated], links: Sequence[Sequence[Link]]) -> GapOrders:
        """Count rules, then how often their parts stand in one sentence."""
        seen: Counter[GapRule] = Counter()
        for sentence, own in zip(sentences, links, strict=True):
            rules = extract_gap_rules(sentence.tags, own)
            seen.update(rule for rule in rules if rule.kind in self.kinds and self._is_short(rule))
        frequent = [rule for rule, count in seen.items() if count >= self.least]
        patterns = _Patterns(frequent)
        met: Counter[tuple[Tags, Tags]] = Counter()
        for sentence in sentences:
            met.update((rule.left, rule.right) for rule, _, _ in patterns.matches(sentence.tags, each_pattern=True))
        # A rule may be extracted where its gap has no tag that is counted; it is not surer than always.
        scored = {rule: (seen[rule], min(1.0, seen[rule] / max(1, met[rule.left, rule.right]))) for rule in frequent}
        kept = {rule: each for rule, each in scored.items() if each[1] >= self.least_p}
        return GapOrders(kept, self.matches)

    def _is_short(self, rule: GapRule) -> bool:
        return len(rule.left) <= self.longest + 1 and len(rule.right) <= self.longest + 1

    def of_rows(self, rows: Iterable[Sequence[Any]]) -> GapOrders:
        """Rules from rows: kind, left, right, count, probability."""
        return GapOrders(
            {
                GapRule(str(kind), tuple(map(str, left)), tuple(map(str, right))): (int(n), float(p))
                for kind, left, right, n, p in rows
            },
            self.matches,
        )


def extract_gap_rules(tags: Sequence[str], links: Sequence[Link]) -> Iterator[GapRule]:
    """The rules of one sentence: for every two neighbours whose targets are in the opposite order.

    Of a word with several targets the nearest counts against a reordering and the farthest against a border. The paper
    prints argmax for the first word behind a reordering; the first one is meant.
    """
    n = len(tags)
    spans = target_spans(links, n)
    for i in range(n - 1):
        here, there = spans[i], spans[i + 1]
        if here is None or there is None or here[0] <= there[1]:
            continue
        j = max((place for place in range(i) if (span := spans[place]) and span[1] <= there[0]), default=-1)
        k = min((place for place in range(i + 2, n) if (span := spans[place]) and span[0] >= here[1]), default=n)
        first = next(place for place in range(j + 1, i + 1) if spans[place])
        last = next(place for place in range(k - 1, i, -1) if spans[place])
        before = tags[j] if j >= 0 else BEGIN
        behind = tags[k] if k < n else END
        left, right = tuple(tags[first : i + 1]), tuple(tags[i + 1 : last + 1])
        yield GapRule("left-all", (before,), right)
        if i > j + 1:  # the left part has two words or more
            yield GapRule("left-part", (before, tags[j + 1]), right)
        yield GapRule("right-all", left, (behind,))
        if k - 1 > i + 1:
            yield GapRule("right-part", left, (tags[k - 1], behind))


class _Patterns:
    """Rules by their parts, looked for in sentences."""

    def __init__(self, rules: Iterable[GapRule]) -> None:
        self._rules: dict[Tags, dict[Tags, list[GapRule]]] = {}
        for rule in rules:
            self._rules.setdefault(rule.left, {}).setdefault(rule.right, []).append(rule)
        self._left = sorted({len(left) for left in self._rules})
        self._right = sorted({len(right) for own in self._rules.values() for right in own})

    def matches(self, tags: Sequence[str], *, each_pattern: bool = False) -> Iterator[tuple[GapRule, int, int]]:
        """Rules that fit, with the place behind their left part and that of their right part, borders counted.

        With `each_pattern`, of rules with the same parts the first alone.
        """
        whole = (BEGIN, *tags, END)
        for begin in range(len(whole)):
            for size in self._left:
                by_right = self._rules.get(whole[begin : begin + size])
                if not by_right or begin + size > len(whole):
                    continue
                for start in range(begin + size + 1, len(whole)):  # the gap has one word or more
                    for length in self._right:
                        own = by_right.get(whole[start : start + length]) if start + length <= len(whole) else None
                        for rule in (own[:1] if each_pattern else own) if own else ():
                            yield rule, begin + size, start


class GapOrders(OrderRules):
    """Rules with a gap, with their counts and probabilities."""

    def __init__(self, rules: Mapping[GapRule, tuple[int, float]], matches: int) -> None:
        self.rules = dict(rules)
        self.most_matches = matches
        self._patterns = _Patterns(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    def rows(self) -> Iterable[Sequence[Any]]:
        """Kind, left, right, count, probability."""
        return [(*rule, n, round(p, 6)) for rule, (n, p) in sorted(self.rules.items())]

    def shown(self, most: int) -> list[tuple[str, int, float]]:
        """The most frequent ones: `VAFIN * VVPP → VAFIN VVPP *`."""
        ranked = sorted(self.rules.items(), key=lambda rule: (-rule[1][0], rule[0]))[:most]
        return [(str(rule), n, p) for rule, (n, p) in ranked]

    def moves(self, sentence: Annotated) -> list[Move]:
        """Every rule where it fits, unless it fits too often."""
        fits: dict[GapRule, list[tuple[int, int]]] = {}
        for rule, gap, right in self._patterns.matches(sentence.tags):
            fits.setdefault(rule, []).append((gap - 1, right - 1))  # without the border in front
        return [
            _moved(rule, gap, right, self.rules[rule][1])
            for rule, places in fits.items()
            if len(places) <= self.most_matches
            for gap, right in places
        ]


def _moved(rule: GapRule, gap: int, right: int, p: float) -> Move:
    """What a rule does where its gap begins at one place and its right part at another."""
    if rule.kind in ("left-all", "left-part"):
        begin, end = (gap if rule.kind == "left-all" else gap - 1), right + len(rule.right)
        order = [*range(right, end), *range(begin, right)]
    else:
        begin, end = gap - len(rule.left), (right if rule.kind == "right-all" else right + 1)
        order = [*range(gap, end), *range(begin, gap)]
    return Move(begin, _from(begin, order), p)


def _from(begin: int, order: Sequence[int]) -> Order:
    return tuple(place - begin for place in order)
