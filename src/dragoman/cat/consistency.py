"""Whether what is repeated in a document is translated alike (Carpuat & Simard 2012): segments, and phrases.

A phrase that a document has twice or more, with a content word, is consistent if its translations are the same but for
punctuation, function words and inflection. With the phrases of an engine, only those count, and of their translations
only what the engine might have said. With references, a translation counts as right if the reference has it, and
a wrong one as easily mended if another translation of the same phrase in the document would have been right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from dragoman.cat.memory.codes import in_order
from dragoman.cat.memory.tokens import Token, tokens
from dragoman.cat.phrase_pairs import AlignedPair, aligned_pairs, phrase_pairs, stop_words
from dragoman.cat.segments import plain
from dragoman.cat.terms import word_keys
from dragoman.data.alignments import Link
from dragoman.data.parallel import check_parallel
from dragoman.files import StrPath
from dragoman.report import Column, Section, Table, page
from dragoman.report.result import Result

__all__ = ["Consistency", "Repeated", "consistency", "consistency_page", "phrases_of_engine"]

Known = Callable[[str], Iterable[str]]  # translations of a phrase


class Use(NamedTuple):
    """One occurrence: where, and how it was translated."""

    segment: int  # from 0
    translation: str
    matches: bool | None = None  # the reference has this translation
    easy: bool = False  # it has another one of the same phrase


@dataclass(frozen=True, slots=True)
class Repeated:
    """A phrase or segment that a document has more than once."""

    kind: str  # phrase or segment
    document: str
    source: str
    uses: tuple[Use, ...]
    consistent: bool


@dataclass(frozen=True)
class Consistency(Result):
    """What is repeated in documents, and what is not translated alike."""

    kind: ClassVar[str] = "consistency"

    repeated: tuple[Repeated, ...]
    seed: int = 1

    def tables(self) -> list[Table]:
        """What is translated in several ways; then the counts."""
        columns = [Column("kind"), Column("document"), Column("source", is_text=True)]
        columns += [Column("translations", is_text=True), Column("segments")]
        rows = [
            (each.kind, each.document, each.source, _listed(each), " ".join(str(use.segment + 1) for use in each.uses))
            for each in self.repeated
            if not each.consistent
        ]
        summary = [(name, *self._values(name).values()) for name in ("segment", "phrase")]
        heads = [Column("kind"), *(Column(name, digits=2) for name in self._values("phrase"))]
        return [Table.of("Unlike translations", columns, rows), Table.of("Consistency", heads, summary)]

    def meta(self) -> dict[str, Any]:
        """The counts of segments and of phrases."""
        return {"segments": self._values("segment"), "phrases": self._values("phrase"), "seed": self.seed}

    def _values(self, kind: str) -> dict[str, Any]:
        """The columns of the paper's Table 2; shares in per cent, `None` where there is nothing to share."""
        every = [each for each in self.repeated if each.kind == kind]
        alike = [each for each in every if each.consistent]
        unlike = [each for each in every if not each.consistent]
        return {
            "repeated": len(every),
            "consistent": _share(len(alike), len(every)),
            "uses_of_unlike": _mean([len(each.uses) for each in unlike]),
            "uses": _mean([len(each.uses) for each in every]),
            "documents": len({each.document for each in every}),
            "alike_right": _right(alike),
            "unlike_right": _right(unlike),
            "easily_mended": _share(sum(u.easy for each in unlike for u in each.uses), sum(len(e.uses) for e in unlike))
            if any(use.matches is not None for each in unlike for use in each.uses)
            else None,
        }


def consistency(
    srcs: Sequence[str],
    tgts: Sequence[str],
    *,
    refs: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    source_lang: str = "",
    target_lang: str = "",
    links: Sequence[Sequence[Link]] | None = None,
    known: Known | None = None,
    longest: int = 4,
    seed: int = 1,
    n_threads: int = 1,
) -> Consistency:
    """Look for repeated segments and phrases, document by document, whose translations differ.

    `documents` names the document of each segment; without it, all are one. Words are aligned by what the pairs
    themselves teach, unless `links` of their tokens are given; phrases have up to `longest` tokens, nested ones too.
    `known` tells the translations that a phrase table has of a phrase (`phrases_of_engine`).
    """
    documents = documents if documents is not None else [""] * len(srcs)
    check_parallel({"srcs": srcs, "tgts": tgts, "documents": documents})
    if refs is not None:
        check_parallel({"srcs": srcs, "refs": refs})
    places: dict[str, list[int]] = defaultdict(list)
    for number, name in enumerate(documents):
        places[name].append(number)
    pairs = aligned_pairs(srcs, tgts, links, seed=seed, n_threads=n_threads)
    reader = _Reader(srcs, tgts, pairs, refs, source_lang, target_lang, longest, known)
    found = [each for name, numbers in places.items() for each in reader.document(name, numbers)]
    return Consistency(tuple(found), seed)


class _Reader:
    def __init__(
        self,
        srcs: Sequence[str],
        tgts: Sequence[str],
        pairs: Sequence[AlignedPair],
        refs: Sequence[str] | None,
        source_lang: str,
        target_lang: str,
        longest: int,
        known: Known | None,
    ) -> None:
        self._srcs, self._tgts, self._pairs, self._longest = srcs, tgts, pairs, longest
        self._refs = None if refs is None else [_padded(tokens(ref)) for ref in refs]
        self._stops = stop_words(source_lang), stop_words(target_lang)
        self._keys = word_keys(target_lang)
        self._known = known

    def document(self, name: str, numbers: Sequence[int]) -> Iterator[Repeated]:
        """What a document has more than once: segments, then phrases."""
        yield from self._segments(name, numbers)
        yield from self._phrases(name, numbers)

    def _segments(self, name: str, numbers: Sequence[int]) -> Iterator[Repeated]:
        uses: dict[tuple[str, ...], list[Use]] = defaultdict(list)
        for number in numbers:
            form = tuple(token.form for token in tokens(self._srcs[number]))
            if form and self._tgts[number].strip():
                uses[form].append(Use(number, in_order(self._tgts[number].strip(), self._srcs[number])))
        for some in uses.values():
            if len(some) > 1:
                alike = len({use.translation for use in some}) == 1
                yield Repeated("segment", name, self._srcs[some[0].segment], tuple(some), alike)

    def _phrases(self, name: str, numbers: Sequence[int]) -> Iterator[Repeated]:
        uses: dict[tuple[str, ...], list[tuple[int, tuple[Token, ...]]]] = defaultdict(list)
        texts: dict[tuple[str, ...], str] = {}
        for number in numbers:
            pair = self._pairs[number]
            for phrase in phrase_pairs(pair, self._longest):
                source = pair.source[slice(*phrase.source)]
                if self._has_content(source):
                    forms = tuple(t.form for t in source)
                    uses[forms].append((number, pair.target[slice(*phrase.target)]))
                    texts.setdefault(forms, plain(self._srcs[number][source[0].begin : source[-1].end]))
        for forms, every in uses.items():
            some = every if len(every) < 2 else self._accepted(texts[forms], every)
            if len(some) > 1:
                alike = len({self._key(target) for _, target in some}) == 1
                yield Repeated("phrase", name, " ".join(forms), tuple(self._judged(some)), alike)

    def _accepted(self, phrase: str, some: list[tuple[int, tuple[Token, ...]]]) -> list[tuple[int, tuple[Token, ...]]]:
        """The uses of a phrase whose translation the phrase table has; all, if there is none."""
        if self._known is None:
            return some
        candidates = {_padded(tokens(text)) for text in self._known(phrase)}
        return [(number, target) for number, target in some if _padded(target) in candidates]

    def _has_content(self, phrase: Sequence[Token]) -> bool:
        return any(token.kind == "word" and token.form not in self._stops[0] for token in phrase)

    def _key(self, target: Sequence[Token]) -> tuple[str, ...]:
        """What of a translation is compared: its words, stemmed, without function words."""
        words = [t.form for t in target if t.kind == "word" and t.form not in self._stops[1]]
        return tuple(self._keys(words)) if words else ()

    def _judged(self, some: Sequence[tuple[int, tuple[Token, ...]]]) -> Iterator[Use]:
        forms = {_padded(target) for _, target in some}
        for number, target in some:
            text = _padded(target).strip()
            if self._refs is None:
                yield Use(number, text)
                continue
            ref = self._refs[number]
            matches = _padded(target) in ref
            yield Use(number, text, matches, not matches and any(form in ref for form in forms))


def phrases_of_engine(model: StrPath) -> Known:
    """The translations that an engine, or a phrase table, has of a phrase: what `consistency` takes as `known`."""
    from dragoman.smt.inspection import phrase_finder

    find = phrase_finder(model)
    return lambda phrase: [pair.target for pair in find(phrase)]


def consistency_page(result: Consistency, srcs: Sequence[str], tgts: Sequence[str]) -> str:
    """The result as a page of HTML: counts, what is unlike, and each place of it with its sentences."""
    texts = [Column(name, is_text=True) for name in ("source", "translation", "sentence", "its translation")]
    columns = [Column("document"), Column("segment"), *texts, Column("right")]
    rows = [
        (
            each.document,
            use.segment + 1,
            each.source,
            use.translation,
            srcs[use.segment],
            tgts[use.segment],
            use.matches,
        )
        for each in result.repeated
        if not each.consistent
        for use in each.uses
    ]
    unlike, counts = result.tables()
    return page(
        "Consistency",
        [
            Section("Counts", "Repeated segments and phrases, by document.", [counts]),
            Section("Unlike translations", "What is repeated and not translated alike.", [unlike]),
            Section("Places", "Where each of them stands.", [Table.of("Places", columns, rows)]),
        ],
    )


def _padded(cut: Sequence[Token]) -> str:
    """Tokens between spaces, so that a phrase is found by its whole words."""
    return f" {' '.join(token.form for token in cut if token.kind != 'code')} "


def _listed(repeated: Repeated) -> str:
    counts = Counter(use.translation for use in repeated.uses)
    return " | ".join(f"{text} ({n})" for text, n in counts.most_common())


def _share(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None


def _right(some: Sequence[Repeated]) -> float | None:
    judged = [use.matches for each in some for use in each.uses if use.matches is not None]
    return _share(sum(judged), len(judged))
