"""What is known beforehand: a glossary whose terms anchor links, and pseudo-counts for pairs of words.

Both are prior model I of Okita et al. (2010) in two strengths: an anchor decides, a pseudo-count pulls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman.data.alignments import Link
from dragoman.data.parallel import check_parallel
from dragoman.data.term_files import read_terms
from dragoman.data.terms import Term
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines

__all__ = ["Glossary", "Priors", "Span"]

Span = range  # places of consecutive words


def _fields(path: StrPath) -> Iterator[tuple[int, list[str]]]:
    """The lines of a file with two or three fields, between tabs or `|||`; empty lines and # comments are skipped."""
    for number, line in enumerate(iter_lines(path), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|||" if "|||" in line else "\t")]
        if len(parts) not in (2, 3) or not parts[0] or not parts[1]:
            raise FormatError(
                f"expected a source term and a target term, between a tab or |||, got {line[:60]!r}.",
                path=path,
                line=number,
            )
        yield number, parts


def _is_allowed(term: Term) -> bool:
    return term.status != "forbidden"


@dataclass(frozen=True)
class Glossary:
    """Terms and their translations, tokenised as the text is; wherever both stand in a pair, they go together."""

    terms: tuple[tuple[str, str], ...]

    @classmethod
    def read(cls, path: StrPath, source_lang: str = "", target_lang: str = "") -> Glossary:
        """A file with one pair of terms a line, between a tab or `|||`, a third field not looked at; or .tbx or .csv.

        Of these, terms that are forbidden are left out; a .tbx of more than two languages asks which are meant.
        """
        if Path(path).suffix.lower() not in {".tbx", ".xml", ".csv"}:
            return cls(tuple((parts[0], parts[1]) for _, parts in _fields(path)))
        terms = read_terms(path, source_lang, target_lang).terms
        pairs = ((" ".join(term.source.split()), " ".join(term.target.split())) for term in terms if _is_allowed(term))
        return cls(tuple(dict.fromkeys(pairs)))

    def anchors(self, srcs: Sequence[str], tgts: Sequence[str]) -> list[list[Link]]:
        """By sentence pair, the links that the glossary knows, sorted: all words of a term with all of the other's.

        Longer terms come first and a word belongs to one term. A term that stands on one side n times and on the other
        m times anchors the first min(n, m), in order; where n and m differ, order is a guess and nothing is anchored.
        """
        return [
            sorted((i, j) for source, target in terms for i in source for j in target)
            for terms in self.spans(srcs, tgts)
        ]

    def spans(self, srcs: Sequence[str], tgts: Sequence[str]) -> list[list[tuple[Span, Span]]]:
        """By sentence pair, where terms stand on both sides."""
        check_parallel({"srcs": srcs, "tgts": tgts})
        by_first: dict[str, list[tuple[list[str], list[str]]]] = {}
        ordered = sorted(self.terms, key=lambda term: (-len(term[0].split()), -len(term[1].split()), term))
        for term, translation in ordered:
            if not term.split() or not translation.split():
                raise DataError(f"A glossary's terms must have words, got {term!r} and {translation!r}.")
            by_first.setdefault(term.split()[0], []).append((term.split(), translation.split()))
        rank = {id(entry): n for n, entry in enumerate(e for entries in by_first.values() for e in entries)}
        lines = []
        for src, tgt in zip(srcs, tgts, strict=True):
            source, target = src.split(), tgt.split()
            candidates = [entry for word in dict.fromkeys(source) for entry in by_first.get(word, ())]
            candidates.sort(key=lambda entry: (-len(entry[0]), -len(entry[1]), rank[id(entry)]))
            lines.append(_matches(source, target, candidates))
        return lines


def _matches(
    source: list[str], target: list[str], terms: Iterable[tuple[list[str], list[str]]]
) -> list[tuple[Span, Span]]:
    taken: tuple[set[int], set[int]] = (set(), set())
    spans: list[tuple[Span, Span]] = []
    for source_term, target_term in terms:
        places = [
            _places(words, term, used)
            for words, term, used in ((source, source_term, taken[0]), (target, target_term, taken[1]))
        ]
        if len(places[0]) != len(places[1]):
            continue
        for s, t in zip(*places, strict=True):
            source_places, target_places = range(s, s + len(source_term)), range(t, t + len(target_term))
            spans.append((source_places, target_places))
            taken[0].update(source_places)
            taken[1].update(target_places)
    return sorted(spans, key=lambda span: span[0].start)


def _places(words: list[str], term: list[str], taken: set[int]) -> list[int]:
    """Where a term begins, without overlaps, on words that no other term has."""
    places: list[int] = []
    at = 0
    while at + len(term) <= len(words):
        span = range(at, at + len(term))
        if words[at : at + len(term)] == term and taken.isdisjoint(span):
            places.append(at)
            at += len(term)
        else:
            at += 1
    return places


@dataclass(frozen=True)
class Priors:
    """Pseudo-counts of pairs of words: as if each pair had been seen linked so often."""

    pairs: tuple[tuple[str, str, float], ...]

    def __post_init__(self) -> None:
        for source, target, weight in self.pairs:
            if not source.split() or not target.split() or not 0 < weight < 1e9:
                raise DataError(
                    f"A prior needs words on both sides and a weight above 0, got {source!r}, {target!r}, {weight!r}."
                )

    @classmethod
    def read(cls, path: StrPath) -> Priors:
        """A file with source, target and weight, between tabs or `|||`; without a weight it is 1."""
        pairs = []
        for line, parts in _fields(path):
            try:
                weight = float(parts[2]) if len(parts) == 3 else 1.0
                if not 0 < weight < 1e9:
                    raise ValueError
            except ValueError:
                raise FormatError(
                    f"the weight is {parts[2]!r}; expected a number above 0.", path=path, line=line
                ) from None
            pairs.append((parts[0], parts[1], weight))
        return cls(tuple(pairs))

    def word_pairs(self) -> Iterator[tuple[str, str, float]]:
        """The pairs word by word: the weight of a term of several words is spread over all pairs of its words."""
        for source, target, weight in self.pairs:
            sources, targets = source.split(), target.split()
            share = weight / (len(sources) * len(targets))
            yield from ((s, t, share) for s in sources for t in targets)
