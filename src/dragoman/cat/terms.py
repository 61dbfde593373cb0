"""Terms: which stand in a segment, however inflected, and whether its translation has theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from dragoman.cat.memory.tokens import Token, tokens
from dragoman.data.terms import Status, Term
from dragoman.engines import Request, Translates
from dragoman.errors import DragomanError
from dragoman.text.annotate.stems import SnowballStems

__all__ = ["Glossary", "Status", "Term", "TermHit", "TermTranslation", "translate_with_terms", "word_keys"]

_PREFIX = 0.7  # of the longer of two words that they share at the beginning, where there is no stemmer
_SHORTEST = 4  # characters of such a beginning


@dataclass(frozen=True, slots=True)
class TermHit:
    """A term in a source: the characters `[begin, end)`, and its translations, preferred ones first."""

    begin: int
    end: int
    terms: tuple[Term, ...]


@dataclass(frozen=True)
class Glossary:
    """Terms of a language pair. Words are the same if their stems are, or, without a stemmer, most of their letters."""

    terms: tuple[Term, ...]
    source_lang: str = ""
    target_lang: str = ""
    _by_first: dict[str, list[tuple[list[str], Term]]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        keys = word_keys(self.source_lang)
        by_first: dict[str, list[tuple[list[str], Term]]] = {}
        for term in self.terms:
            words = keys(_forms(term.source))
            by_first.setdefault(_initial(words[0]), []).append((words, term))
        object.__setattr__(self, "_by_first", by_first)

    def look_up(self, source: str) -> list[TermHit]:
        """The terms of a source from left to right: the longest at each place, none within another."""
        cut = _words(source)
        keys = word_keys(self.source_lang)([token.form for token in cut])
        same = _same(self.source_lang)
        hits: list[TermHit] = []
        at = 0
        while at < len(cut):
            candidates = self._by_first.get(_initial(keys[at]), [])
            fitting = [
                (len(words), term)
                for words, term in candidates
                if len(words) <= len(cut) - at and all(map(same, words, keys[at : at + len(words)]))
            ]
            longest = max((n for n, _ in fitting), default=0)
            if longest:
                chosen = sorted((term for n, term in fitting if n == longest), key=_rank)
                hits.append(TermHit(cut[at].begin, cut[at + longest - 1].end, tuple(chosen)))
            at += longest or 1
        return hits

    def missing(self, source: str, target: str) -> list[TermHit]:
        """The terms of a source of which the target has no translation that is allowed."""
        hits = [(hit, self._allowed(hit)) for hit in self.look_up(source)]
        return [hit for hit, terms in hits if terms and not self._used(terms, target)]

    def forbidden(self, source: str, target: str) -> list[tuple[TermHit, Term, tuple[int, int]]]:
        """The translations of terms that must not be used and are, with where they stand in the target."""
        uses = []
        for hit in self.look_up(source):
            for term in hit.terms:
                span = self._place(term.target, target) if term.status == "forbidden" else None
                if span is not None:
                    uses.append((hit, term, span))
        return uses

    def _allowed(self, hit: TermHit) -> list[Term]:
        return [term for term in hit.terms if term.status != "forbidden"]

    def _used(self, terms: Iterable[Term], target: str) -> bool:
        return any(self._place(term.target, target) is not None for term in terms)

    def _place(self, term: str, target: str) -> tuple[int, int] | None:
        """The characters of a target in which a term stands, inflected or not."""
        cut = _words(target)
        make, same = word_keys(self.target_lang), _same(self.target_lang)
        keys, words = make([token.form for token in cut]), make(_forms(term))
        for at in range(len(cut) - len(words) + 1):
            if all(map(same, words, keys[at : at + len(words)])):
                return cut[at].begin, cut[at + len(words) - 1].end
        return None


@dataclass(frozen=True, slots=True)
class TermTranslation:
    """A translation that was asked to use terms, and the terms that it lacks."""

    text: str
    missing: tuple[TermHit, ...]


def translate_with_terms(
    engine: Translates, lines: Sequence[str], glossary: Glossary, *, hard: bool = True, n_threads: int = 1
) -> list[TermTranslation]:
    """Translate with a glossary. An engine that takes one must use it, or (`hard=False`) may; others are only checked.

    What stands in a line is given to the engine as it stands there, with the preferred translation.
    """
    texts: list[str] = []
    if "glossary" in engine.details:
        for line in lines:
            hits = glossary.look_up(line)
            asked = tuple((line[hit.begin : hit.end], hit.terms[0].target) for hit in hits if _is_allowed(hit))
            request = Request(glossary=asked, hard_glossary=hard)
            texts += [each.text for each in engine.translations([line], request, n_threads=n_threads)]
    else:
        texts = engine.translate(lines, n_threads=n_threads)
    return [TermTranslation(text, tuple(glossary.missing(line, text))) for line, text in zip(lines, texts, strict=True)]


def _is_allowed(hit: TermHit) -> bool:
    return hit.terms[0].status != "forbidden"


def _rank(term: Term) -> int:
    return ("preferred", "admitted", "forbidden").index(term.status)


def _words(text: str) -> list[Token]:
    return [token for token in tokens(text) if token.kind != "code"]


def _forms(text: str) -> list[str]:
    return [token.form for token in _words(text)]


def _initial(key: str) -> str:
    return key[:2]


@lru_cache(maxsize=32)
def _stemmer(lang: str) -> SnowballStems | None:
    """The stemmer of a language, if there is one."""
    try:
        stemmer = SnowballStems(lang=lang)
        stemmer.annotate([["a"]])
    except DragomanError:
        return None
    return stemmer


def word_keys(lang: str) -> Callable[[Sequence[str]], list[str]]:
    """What makes lower-case words into that by which they are compared: stems, where there is a stemmer."""
    stemmer = _stemmer(lang)
    return list if stemmer is None else lambda forms: list(stemmer.annotate([list(forms)])[0])


def _same(lang: str) -> Callable[[str, str], bool]:
    """Whether two words are the same term, by their keys."""
    return _same_beginning if _stemmer(lang) is None else str.__eq__


def _same_beginning(one: str, other: str) -> bool:
    if one == other:
        return True
    longer = max(len(one), len(other))
    common = next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return common >= max(_SHORTEST, _PREFIX * longer)
