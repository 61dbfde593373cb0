r"""Categories of combinatory categorial grammar and how they combine (Steedman 2000).

A category is written as always: `NP`, `(S\NP)/NP`, `S[dcl]`; slashes without brackets belong to the left. Results are
kept, so that combining the same two again is looking them up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import inf

from dragoman.errors import DataError

__all__ = ["CONJUNCTION", "PUNCTUATION", "categories_of_chart", "combine", "functor", "raised"]

CONJUNCTION = "conj"
PUNCTUATION = "punct"  # joins whatever stands beside it

# What a step costs beside the application of a functor: the simplest reading of a span is preferred.
_COMPOSED = -0.1
_RAISED = -0.5

Chart = dict[tuple[int, int], dict[str, float]]  # scores of categories by first word and the word behind the last


def functor(result: str, slash: str, argument: str) -> str:
    """`result` for who finds `argument` at its right (/) or left."""
    return f"{_bracketed(result)}{slash}{_bracketed(argument)}"


def _bracketed(category: str) -> str:
    return category if split(category) is None else f"({category})"


@cache
def split(category: str) -> tuple[str, str, str] | None:
    """Result, slash and argument of a category; None for one without slashes."""
    depth = 0
    for place in range(len(category) - 1, -1, -1):
        character = category[place]
        depth += (character == ")") - (character == "(")
        if depth < 0:
            break
        if depth == 0 and character in "/\\":
            result, argument = _plain(category[:place]), _plain(category[place + 1 :])
            split(result), split(argument)  # they are categories, too
            return result, character, argument
    if depth or not category or set(category) & set("()/\\"):
        raise DataError(f"{category!r} is no category; expected one like NP, S\\NP or (S\\NP)/NP.")
    return None


def _plain(category: str) -> str:
    """A category without brackets around the whole."""
    if not (category.startswith("(") and category.endswith(")")):
        return category
    depth = 0
    for place, character in enumerate(category):
        depth += (character == "(") - (character == ")")
        if depth == 0 and place < len(category) - 1:
            return category
    return category[1:-1]


@cache
def combine(left: str, right: str) -> tuple[tuple[str, float], ...]:
    """What two neighbours become, with what the step costs: by application, composition, coordination."""
    if right == PUNCTUATION:
        return ((left, 0.0),)
    if left == PUNCTUATION:
        return ((right, 0.0),)
    if left == CONJUNCTION:
        return () if right == CONJUNCTION else ((functor(right, "\\", right), 0.0),)
    results: dict[str, float] = {}
    ahead, back = split(left), split(right)
    if ahead and ahead[1] == "/":
        if ahead[2] == right:
            results[ahead[0]] = 0.0
        for composed in _compositions(ahead[0], ahead[2], right):
            results.setdefault(composed, _COMPOSED)
    if back and back[1] == "\\":
        if back[2] == left:
            results.setdefault(back[0], 0.0)
        for composed in _compositions(back[0], back[2], left):
            results.setdefault(composed, _COMPOSED)
    return tuple(results.items())


def _compositions(result: str, argument: str, other: str, depth: int = 2) -> list[str]:
    """`result` for who lacks what `other` lacks to be `argument`: Y|Z becomes X|Z, (Y|Z)|W becomes (X|Z)|W."""
    parts = split(other)
    if parts is None or depth == 0:
        return []
    if parts[0] == argument:
        return [functor(result, parts[1], parts[2])]
    return [functor(inner, parts[1], parts[2]) for inner in _compositions(result, argument, parts[0], depth - 1)]


@cache
def raised(category: str, functors: frozenset[str]) -> tuple[str, ...]:
    r"""The category as one that takes what would take it: X as Y/(Y\X), for every Y\X of `functors`, or Y\(Y/X)."""
    found = []
    for each in sorted(functors):
        parts = split(each)
        if parts and parts[2] == category:
            found.append(functor(parts[0], "/" if parts[1] == "\\" else "\\", each))
    return tuple(found)


def parts_of(category: str) -> Iterable[str]:
    """The category and all categories in it."""
    yield category
    parts = split(category)
    if parts:
        yield from parts_of(parts[0])
        yield from parts_of(parts[2])


def categories_of_chart(
    words: Sequence[Mapping[str, float]], *, longest: int, beam: int = 0, raising: bool = True
) -> Chart:
    """What every span of at most `longest` words can be, with the score of its best reading.

    `words` has the categories of each word with their log-probabilities; `beam` is how many a span keeps at most, 0 for
    all. With `raising`, a category may be raised over functors that stand somewhere in the sentence.
    """
    lexical = {category for word in words for category in word} if raising else set()
    functors = frozenset(part for category in lexical for part in parts_of(category))
    chart: Chart = {}
    for length in range(1, min(longest, len(words)) + 1):
        for begin in range(len(words) - length + 1):
            end = begin + length
            cell = dict(words[begin]) if length == 1 else _joined(chart, begin, end)
            if functors:
                for category, score in list(cell.items()):
                    for wider in raised(category, functors):
                        cell[wider] = max(cell.get(wider, -inf), score + _RAISED)
            if beam and len(cell) > beam:
                cell = dict(sorted(cell.items(), key=lambda entry: (-entry[1], entry[0]))[:beam])
            chart[begin, end] = cell
    return chart


def _joined(chart: Chart, begin: int, end: int) -> dict[str, float]:
    cell: dict[str, float] = {}
    for cut in range(begin + 1, end):
        right = chart[cut, end]
        for first, first_score in chart[begin, cut].items():
            for second, second_score in right.items():
                for category, cost in combine(first, second):
                    score = first_score + second_score + cost
                    if score > cell.get(category, -inf):
                        cell[category] = score
    return cell
