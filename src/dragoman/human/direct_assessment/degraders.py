"""Outputs made worse on purpose: whoever reads what they judge scores the copy lower than its original.

Words are what white space separates, characters in scripts that are written without spaces.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.errors import DataError
from dragoman.human.draws import Draws
from dragoman.registry import Registry

__all__ = ["DEGRADERS", "Degrader", "Delete", "Duplicate", "Replace", "Words", "degrade", "deleted_words"]

# Tool: what stands for a sentence of one word. A language without an entry has other items degraded instead.
_ARTICLES = {"en": "The", "es": "La", "fr": "La", "de": "Die"}
_NO_SPACES = frozenset({"zh", "yue", "ja", "th", "lo", "km", "my", "bo", "dz"})
_LONGEST_NGRAM = 6  # tool of 2016


@dataclass(frozen=True)
class Words:
    """A text cut for degrading, and how it is put together again."""

    words: tuple[str, ...]
    glue: str = " "

    @classmethod
    def of(cls, text: str, lang: str | None = None) -> Words:
        """The words of a text in this language."""
        if (lang or "").partition("-")[0] in _NO_SPACES:
            return cls(tuple("".join(text.split())), "")
        return cls(tuple(text.split()))

    def text(self) -> str:
        """The words as text."""
        return self.glue.join(self.words)


@dataclass(frozen=True)
class Degrader(ABC):
    """Makes a text worse in one attribute; `None` where the text gives no room for it."""

    name: ClassVar[str]
    needs_pool: ClassVar[bool] = False  # other references, to take words from

    @abstractmethod
    def degrade(
        self, words: Sequence[str], draws: Draws, *, lang: str | None, pool: Sequence[Sequence[str]] = ()
    ) -> list[str] | None:
        """The worse words, or `None`. `pool` holds the words of references of other segments."""


@dataclass(frozen=True)
class Duplicate(Degrader):
    """Worse fluency: two of the words stand a second time somewhere inside, not beside themselves (DA-SCALE §4)."""

    name: ClassVar[str] = "duplicate"

    def degrade(
        self,
        words: Sequence[str],
        draws: Draws,
        *,
        lang: str | None,  # noqa: ARG002
        pool: Sequence[Sequence[str]] = (),  # noqa: ARG002
    ) -> list[str] | None:
        """Two words more; the first and the last stay. Fewer than four words have no legal place for every word."""
        n = len(words)
        if n < 4:
            return None
        copies: dict[int, list[str]] = {}
        for place in draws.sample(range(n), 2):
            # Gap g lies before word g: gaps 1 … n−1 are inside, gaps place and place + 1 touch the original.
            gaps = [gap for gap in range(1, n) if gap not in (place, place + 1)]
            copies.setdefault(draws.one_of(gaps), []).append(words[place])
        return [word for gap, original in enumerate(words) for word in (*copies.get(gap, ()), original)]


def deleted_words(n: int) -> int:
    """How many of n words are taken out for worse adequacy (DA-TIME §4.2; the ceiling is the tool's)."""
    for longest, k in ((1, 0), (3, 1), (5, 2), (8, 3), (15, 4), (20, 5)):
        if n <= longest:
            return k
    return -(-n // 5)


@dataclass(frozen=True)
class Delete(Degrader):
    """Worse adequacy: a run of words is left out, one to five of up to 20, a fifth of longer texts (DA-TIME §4.2)."""

    name: ClassVar[str] = "delete"

    def degrade(
        self,
        words: Sequence[str],
        draws: Draws,
        *,
        lang: str | None,
        pool: Sequence[Sequence[str]] = (),  # noqa: ARG002
    ) -> list[str] | None:
        """The first word stays, from three words on the last one too. A single word becomes an article."""
        n = len(words)
        if n <= 1:
            article = _ARTICLES.get((lang or "").partition("-")[0])
            return [article] if n and article and [article.casefold()] != [words[0].casefold()] else None
        k = deleted_words(n)
        start = 1 + draws.below(max(1, n - k - 1))  # from 1 to n−k−1
        return [*words[:start], *words[start + k :]]


@dataclass(frozen=True)
class Replace(Degrader):
    """Worse adequacy: a run of words gives way to one from the reference of another segment (tool of 2016).

    The new words come from inside other references, never from their ends; a run longer than six gives way to six.
    """

    name: ClassVar[str] = "replace"
    needs_pool: ClassVar[bool] = True

    def degrade(
        self, words: Sequence[str], draws: Draws, *, lang: str | None, pool: Sequence[Sequence[str]] = ()
    ) -> list[str] | None:
        """The first word stays, unless it is the only one, and from three words on the last one too."""
        n = len(words)
        if n == 0:
            return None
        start, k = self._run(n, draws)
        old = list(words[start : start + k])
        for _ in range(20):  # a stranger's words may be the very same ones: draw again
            new = _ngram(min(k, _LONGEST_NGRAM), draws, pool)
            if new is None:
                return None
            if n == 1 and lang not in _NO_SPACES:
                new = [new[0].title()]
            if new != old:
                return [*words[:start], *new, *words[start + k :]]
        return None

    @staticmethod
    def _run(n: int, draws: Draws) -> tuple[int, int]:
        """Where the run begins and how long it is."""
        if n <= 4:
            return {1: (0, 1), 2: (1, 1), 3: (1, 1), 4: (1, 2)}[n]
        k = next((k for longest, k in ((5, 2), (7, 3), (14, 4), (19, 5)) if n <= longest), n // 4)
        return 1 + draws.below(n - k - 2), k  # from 1 to n−k−2


def _ngram(length: int, draws: Draws, pool: Sequence[Sequence[str]]) -> list[str] | None:
    """A run of `length` words from inside a reference of the pool; `None` if none is long enough."""
    if not pool:
        return None
    first = draws.below(len(pool))
    for step in range(len(pool)):  # from a random reference on to the next that is long enough
        words = pool[(first + step) % len(pool)]
        room = len(words) - 2 - length  # the first and the last word are not taken
        if room >= 0:
            start = 1 + draws.below(room + 1)
            return list(words[start : start + length])
    return None


DEGRADERS: Registry[Degrader] = Registry(
    "degrader",
    {
        "delete": "dragoman.human.direct_assessment.degraders:Delete",
        "duplicate": "dragoman.human.direct_assessment.degraders:Duplicate",
        "replace": "dragoman.human.direct_assessment.degraders:Replace",
    },
)


def degrade(
    text: str, *, degrader: str = "delete", lang: str | None = None, pool: Sequence[str] = (), seed: int = 1
) -> str | None:
    """The text made worse, or `None` where it is too short for that: `degrade("a b c d", degrader="duplicate")`."""
    method = DEGRADERS.get(degrader)()
    if method.needs_pool and not pool:
        raise DataError(f"The degrader {degrader!r} takes words from other references; give some as `pool`.")
    cut = Words.of(text, lang)
    worse = method.degrade(
        cut.words, Draws(seed, "degrade"), lang=lang, pool=[Words.of(line, lang).words for line in pool]
    )
    return None if worse is None else cut.glue.join(worse)
