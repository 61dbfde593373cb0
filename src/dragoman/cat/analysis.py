"""How much work documents are, given memories: words by the kind of help that there is, weighed by what it saves."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

from dragoman.cat.memory.codes import in_order
from dragoman.cat.memory.index import Match, MemoryIndex, MemoryUnit, Query
from dragoman.cat.memory.tokens import tokens
from dragoman.cat.segments import Segment, plain
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_text
from dragoman.notation import parse_toml
from dragoman.report import Column, Table
from dragoman.report.result import Result

__all__ = ["WEIGHTS", "VolumeAnalysis", "analyse", "count_words", "read_weights"]

# Per cent of a new word that a word of each kind is charged: MateCat's defaults.
WEIGHTS: Mapping[str, float] = {
    "context": 0,  # the same text between the same neighbours in a memory
    "100": 30,
    "repetition": 30,  # the same text earlier in the documents
    "95-99": 60,
    "85-94": 60,
    "75-84": 60,
    "internal": 60,  # 75 per cent or more like a text earlier in the documents
    "mt": 72,
    "50-74": 100,
    "new": 100,
}
_BANDS = ((101, "context"), (100, "100"), (95, "95-99"), (85, "85-94"), (75, "75-84"), (50, "50-74"))
_INTERNAL = 75

LookUp = Callable[[Sequence[Query]], Sequence[Sequence[Match]]]


@dataclass(frozen=True)
class VolumeAnalysis(Result):
    """Segments and words of each kind, and the words that they are worth."""

    kind: ClassVar[str] = "volume"

    kinds: tuple[tuple[str, str, int], ...]  # of each segment: its document, its kind, its words
    weights: Mapping[str, float] = field(default_factory=lambda: dict(WEIGHTS))

    @property
    def words(self) -> int:
        """All words."""
        return sum(words for *_, words in self.kinds)

    @property
    def weighted_words(self) -> float:
        """All words, each by the weight of its kind."""
        return sum(self.weights[kind] * words for _, kind, words in self.kinds) / 100

    def tables(self) -> list[Table]:
        """By kind, with a total; by document."""
        segments = Counter(kind for _, kind, _ in self.kinds)
        words: Counter[str] = Counter()
        documents: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0.0])
        for document, kind, n in self.kinds:
            words[kind] += n
            for place, value in enumerate((1, n, self.weights[kind] * n / 100)):
                documents[document][place] += value
        rows: list[tuple[Any, ...]] = [
            (kind, segments[kind], words[kind], self.weights[kind], self.weights[kind] * words[kind] / 100)
            for kind in self.weights
        ]
        rows.append(("total", len(self.kinds), self.words, None, self.weighted_words))
        numbers = [Column("segments"), Column("words"), Column("weight", digits=0), Column("weighted", digits=1)]
        by_document = [(name, int(n), int(all_words), weighted) for name, (n, all_words, weighted) in documents.items()]
        return [
            Table.of("Volume", [Column("kind"), *numbers], rows),
            Table.of("By document", [Column("document"), *numbers[:2], numbers[3]], by_document),
        ]

    def meta(self) -> dict[str, Any]:
        """The weights, and the sums."""
        return {"weights": dict(self.weights), "words": self.words, "weighted_words": self.weighted_words}


def analyse(
    documents: Mapping[str, Sequence[Segment | str]],
    look_up: LookUp | None = None,
    *,
    weights: Mapping[str, float] = WEIGHTS,
    has_engine: bool = False,
) -> VolumeAnalysis:
    """What each segment of some documents, in order, is to a translator who has these memories.

    `look_up` finds the matches of segments, such as `MemoryIndex.matches_of`. Of the kinds that a segment can be it is
    the one that is charged least; of equal ones, what a memory has comes before what the documents have.
    """
    _check_weights(weights)
    earlier = MemoryIndex()
    seen: set[str] = set()
    kinds: list[tuple[str, str, int]] = []
    for name, segments in documents.items():
        sources = [segment if isinstance(segment, str) else segment.source for segment in segments]
        around = ["", *sources, ""]
        queries = [Query(source, around[k], around[k + 2]) for k, source in enumerate(sources)]
        matches = look_up(queries) if look_up is not None else [[] for _ in queries]
        for query, found in zip(queries, matches, strict=True):
            possible = [_band(found[0].score)] if found else []
            if in_order(query.source) in seen:
                possible.append("repetition")
            elif earlier.matches(query.source, most=1, threshold=_INTERNAL):
                possible.append("internal")
            possible += ["mt", "new"] if has_engine else ["new"]
            kinds.append((name, min(possible, key=weights.__getitem__), count_words(query.source)))
            seen.add(in_order(query.source))
            earlier.add([MemoryUnit(len(kinds), query.source, str(len(kinds)))])
    return VolumeAnalysis(tuple(kinds), dict(weights))


def count_words(text: str) -> int:
    """The words of a text as they are charged: what stands between spaces and has a letter or digit; at least one.

    Where a script has no spaces, each character counts. Inline codes count nothing.
    """
    words = [token for token in tokens(plain(text, " ")) if token.kind == "word"]
    spaced = plain(text, " ")
    breaks = [any(c.isspace() for c in spaced[a.end : b.begin]) or a.end == b.begin for a, b in pairwise(words)]
    return 1 + sum(breaks)


def read_weights(path: StrPath) -> dict[str, float]:
    """Weights from a TOML file, `"75-84" = 50` a line; kinds that it does not name keep theirs."""
    own = parse_toml(read_text(path), path=path)
    weights = {**WEIGHTS, **own}
    try:
        _check_weights(weights)
    except DataError as error:
        raise FormatError(str(error), path=path) from None
    return weights


def _check_weights(weights: Mapping[str, float]) -> None:
    for kind, weight in weights.items():
        if kind not in WEIGHTS:
            raise DataError(f"There is no kind of segment {kind!r} to weigh. Known: {', '.join(WEIGHTS)}.")
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 100:
            raise DataError(f"The weight of {kind} is {weight!r}; it has 0 to 100 per cent.")


def _band(score: float) -> str:
    return next((name for least, name in _BANDS if score >= least - 1e-9), "new")
