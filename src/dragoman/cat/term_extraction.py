"""Terms out of a bitext: phrases that keep together, are translated alike, and are more frequent than elsewhere."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.cat.memory.tokens import Token, tokens
from dragoman.cat.phrase_pairs import aligned_pairs, phrase_pairs, stop_words
from dragoman.cat.terms import Glossary, Term
from dragoman.data.alignments import Link
from dragoman.report import Column, Table
from dragoman.report.result import Result

__all__ = ["ExtractedTerms", "TermCandidate", "extract_terms"]

Forms = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TermCandidate:
    """A phrase and its most frequent translation."""

    source: str
    target: str
    count: int  # of the phrase with this translation
    share: float  # of the phrase's uses that are so translated
    keyness: float  # log-likelihood ratio of its frequency here and in the background; larger is more peculiar


@dataclass(frozen=True)
class ExtractedTerms(Result):
    """Candidates for a glossary, the most peculiar first."""

    kind: ClassVar[str] = "terms"

    candidates: tuple[TermCandidate, ...]
    source_lang: str = ""
    target_lang: str = ""
    seed: int = 1

    def tables(self) -> list[Table]:
        """One row per candidate."""
        columns = [Column("source", is_text=True), Column("target", is_text=True), Column("count")]
        columns += [Column("share", digits=2), Column("keyness", digits=1)]
        rows = [(each.source, each.target, each.count, each.share, each.keyness) for each in self.candidates]
        return [Table.of("Terms", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """Languages and seed."""
        return {"source_lang": self.source_lang, "target_lang": self.target_lang, "seed": self.seed}

    def glossary(self) -> Glossary:
        """The candidates as a glossary."""
        terms = tuple(Term(each.source, each.target) for each in self.candidates)
        return Glossary(terms, self.source_lang, self.target_lang)


def extract_terms(
    srcs: Sequence[str],
    tgts: Sequence[str],
    background: Iterable[str] = (),
    *,
    source_lang: str = "",
    target_lang: str = "",
    links: Sequence[Sequence[Link]] | None = None,
    least_count: int = 2,
    least_share: float = 0.5,
    longest: int = 4,
    most: int = 200,
    seed: int = 1,
    n_threads: int = 1,
) -> ExtractedTerms:
    """Phrases of a bitext's sources with their translations, compared with sentences of the `background`.

    A term neither begins nor ends with a function word or a mark, on either side. Without a background, a phrase is
    compared with how often its words would meet by chance. What stands in a longer term just as often is left out.
    """
    stops = stop_words(source_lang), stop_words(target_lang)
    uses: dict[Forms, Counter[str]] = defaultdict(Counter)
    written: dict[Forms, Counter[str]] = defaultdict(Counter)
    pairs = aligned_pairs(srcs, tgts, links, seed=seed, n_threads=n_threads)
    for number, pair in enumerate(pairs):
        for phrase in phrase_pairs(pair, longest):
            sides = pair.source[slice(*phrase.source)], pair.target[slice(*phrase.target)]
            if all(_is_term(side, stop) for side, stop in zip(sides, stops, strict=True)):
                forms = tuple(token.form for token in sides[0])
                uses[forms][_spelling(tgts[number], sides[1])] += 1
                written[forms][_spelling(srcs[number], sides[0])] += 1
    here, there = _counts(srcs, longest), _counts(background, longest)
    candidates = []
    for forms, targets in uses.items():
        target, count = targets.most_common(1)[0]
        share = count / targets.total()
        if count >= least_count and share >= least_share:
            keyness = _keyness(forms, here, there)
            candidates.append(TermCandidate(written[forms].most_common(1)[0][0], target, count, share, keyness))
    best = sorted(_maximal(candidates), key=lambda each: (-each.keyness, -each.count, each.source))
    return ExtractedTerms(tuple(best[:most]), source_lang, target_lang, seed)


def _is_term(phrase: Sequence[Token], stops: frozenset[str]) -> bool:
    ends = (phrase[0], phrase[-1])
    return all(t.kind == "word" and t.form not in stops and not t.form.isdigit() for t in ends)


def _spelling(text: str, phrase: Sequence[Token]) -> str:
    return text[phrase[0].begin : phrase[-1].end]


def _counts(lines: Iterable[str], longest: int) -> Counter[Forms]:
    """How often each phrase occurs; under `()`, how many tokens there are."""
    counts: Counter[Forms] = Counter()
    for line in lines:
        forms = [token.form for token in tokens(line)]
        counts[()] += len(forms)
        for size in range(1, longest + 1):
            counts.update(tuple(forms[at : at + size]) for at in range(len(forms) - size + 1))
    return counts


def _keyness(forms: Forms, here: Counter[Forms], there: Counter[Forms]) -> float:
    """Dunning's log-likelihood ratio (1993), 0 where a phrase is no more frequent here than is to be expected."""
    n, n_all = here[forms], here[()]
    if there:
        m, m_all = there[forms], there[()]
        rate = (n + m) / (n_all + m_all)
        terms = [(n, n_all * rate), (m, m_all * rate)]
        ratio = 2 * sum(count * math.log(count / expected) for count, expected in terms if count)
        return ratio if n / n_all > rate else 0.0
    chance = n_all * math.prod(here[(form,)] / n_all for form in forms)
    return 2 * n * math.log(n / chance) if n > chance else 0.0


def _maximal(candidates: Sequence[TermCandidate]) -> list[TermCandidate]:
    """The candidates that stand in no longer one of the same count or more."""
    longer: dict[str, int] = {}
    for each in candidates:
        words = each.source.split()
        for size in range(1, len(words)):
            for at in range(len(words) - size + 1):
                part = " ".join(words[at : at + size])
                longer[part] = max(longer.get(part, 0), each.count)
    return [each for each in candidates if longer.get(each.source, 0) < each.count]
