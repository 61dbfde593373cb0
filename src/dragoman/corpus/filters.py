"""Reasons to leave a pair out of a corpus, each a small class, and the table of those we have.

A filter of your own is a frozen dataclass that derives from `Filter`; name it in an entry point of the group
`dragoman.filter`, or hand it to `clean` as it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman._core import corpus as core
from dragoman.corpus.profiles import Profiles
from dragoman.corpus.scripts import foreign_share
from dragoman.errors import DataError
from dragoman.options import check_options, option, write_spec
from dragoman.registry import Registry

__all__ = ["FILTERS", "Filter", "PairBatch"]

Mask = NDArray[np.bool_]

_COUNTED = 65_535  # repetitions that the core tells apart
_UNITS = ("tokens", "characters")


class PairBatch:
    """A batch of pairs as filters see it; what several of them need is worked out once."""

    def __init__(
        self,
        srcs: Sequence[str],
        tgts: Sequence[str],
        *,
        source_lang: str | None = None,
        target_lang: str | None = None,
        n_threads: int = 1,
    ) -> None:
        self.srcs = srcs
        self.tgts = tgts
        self.source_lang = source_lang
        self.target_lang = target_lang
        self.n_threads = n_threads

    def __len__(self) -> int:
        return len(self.srcs)

    @cached_property
    def src_profiles(self) -> Profiles:
        """What one pass over the sources counts."""
        return Profiles.of(self.srcs, n_threads=self.n_threads)

    @cached_property
    def tgt_profiles(self) -> Profiles:
        """What one pass over the targets counts."""
        return Profiles.of(self.tgts, n_threads=self.n_threads)

    def take(self, places: NDArray[np.intp]) -> PairBatch:
        """The pairs at `places`, with what is already known of them."""
        taken = PairBatch(
            [self.srcs[place] for place in places],
            [self.tgts[place] for place in places],
            source_lang=self.source_lang,
            target_lang=self.target_lang,
            n_threads=self.n_threads,
        )
        for name in ("src_profiles", "tgt_profiles"):
            if name in self.__dict__:  # where cached_property keeps it
                taken.__dict__[name] = self.__dict__[name].take(places)
        return taken

    def both(self, field: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """A field of the profiles of both sides."""
        return self.src_profiles[field], self.tgt_profiles[field]


Judge = Callable[[PairBatch], Mask]  # True where a pair is to be left out


@dataclass(frozen=True)
class Filter(ABC):
    """A reason to leave pairs out. Options are the fields of the subclass, all with defaults."""

    name: ClassVar[str]
    remembers: ClassVar[bool] = False  # its judge compares pairs with those before: it must see them all

    def __post_init__(self) -> None:
        check_options(self)

    @abstractmethod
    def start(self, source_lang: str | None, target_lang: str | None) -> Judge:
        """A judge for one corpus, which is shown its pairs in order, batch by batch.

        It sees only the pairs that the filters before it let through. What is missing (a language, a package) is
        raised here, before work starts.
        """

    def signature(self) -> str:
        """The name, followed by the options that differ from their defaults, as `FILTERS.make` reads it."""
        return write_spec(self)


@dataclass(frozen=True)
class Empty(Filter):
    """A side has no character but white space."""

    name: ClassVar[str] = "empty"

    def start(self, source_lang: str | None, target_lang: str | None) -> Judge:  # noqa: ARG002
        """See `Filter`."""

        def judge(pairs: PairBatch) -> Mask:
            src, tgt = pairs.both("tokens")
            empty: Mask = (src == 0) | (tgt == 0)
            return empty

        return judge


@dataclass(frozen=True)
class Length(Filter):
    """A side is shorter than `low` or longer than `high`, in tokens or characters."""

    name: ClassVar[str] = "length"
    low: int = option(1, low=0, text="shortest that is kept")
    high: int = option(100, low=0, text="longest that is kept")
    unit: Literal["tokens", "characters"] = option("tokens", choices=_UNITS, text="what is counted")

    def start(self, source_lang: str | None, target_lang: str | None) -> Judge:  # noqa: ARG002
        """See `Filter`."""
        if self.low > self.high:
            raise DataError(f"The filter length:low={self.low},high={self.high} would leave nothing.")

        def judge(pairs: PairBatch) -> Mask:
            src, tgt = pairs.both(self.unit)
            return (src < self.low) | (src > self.high) | (tgt < self.low) | (tgt > self.high)

        return judge


@dataclass(frozen=True)
class Ratio(Filter):
    """One side is more than `high` times as long as the other. The default is that of Moses' clean-corpus-n."""

    name: ClassVar[str] = "ratio"
    high: float = option(9.0, low=1, text="longer side through shorter side")
    unit: Literal["tokens", "characters"] = option("tokens", choices=_UNITS, text="what is counted")

    def start(self, source_lang: str | None, target_lang: str | None) -> Judge:  # noqa: ARG002
        """See `Filter`."""

        def judge(pairs: PairBatch) -> Mask:
            src, tgt = pairs.both(self.unit)
            mask: Mask = np.maximum(src, tgt) > self.high * np.minimum(src, tgt)
            return mask

        return judge


@dataclass(frozen=True)
class LongToken(Filter):
    """A token has more than `high` characters: lost spaces, or data that is no text."""

    name: ClassVar[str] = "long-token"
    high: int = option(1000, low=1, text="characters of the longest token that is kept")

    def start(self, source_lang: str | None, target_lang: str | None) -> Judge:  # noqa: ARG002
        """See `Filter`."""

        def judge(pairs: PairBatch) -> Mask:
            src, tgt = pairs.both("longest_token")
            return (src > self.high) | (tgt > self.high)

        return judge


@dataclass(frozen=True)
class Copy(Filter):
    """The target is the source, whatever its case and spacing."""

    name: ClassVar[str] = "copy"

    def start(self, source_lang: str | None, target_lang: str | None) -> Judge:  # noqa: ARG002
        """See `Filter`."""

        def judge(pairs: PairBatch) -> Mask:
            sides = zip(pairs.srcs, pairs.tgts, strict=True)
            return np.fromiter((_plain(s) == _plain(t) for s, t in sides), dtype=np.bool_, count=len(pairs))

        return judge


@dataclass(frozen=True)
class Duplicate(Filter):
    """The same came before: the whole pair, or one side of it.

    With `near`, only letters and digits are compared, regardless of case and with all digits alike.
    """

    name: ClassVar[str] = "duplicate"
    remembers: ClassVar[bool] = True
    by: Literal["pair", "source", "target"] = option(
        "pair", choices=("pair", "source", "target"), text="what must be the same"
    )
    near: bool = option(False, text="compare letters and digits only")

    def start(self, source_lang: str | None, target_lang: str | None) -> Judge:  # noqa: ARG002
        """See `Filter`."""
        return _repeats(self.by, near=self.near, most=1)


@dataclass(frozen=True)
class Repetition(Filter):
    """The same pair came `most` times before (GTH-UPM at WMT 2012, who found 3 best among 1, 3 and 5)."""

    name: ClassVar[str] = "repetition"
    remembers: ClassVar[bool] = True
    most: int = option(3, low=1, high=_COUNTED - 1, text="copies of a pair that are kept")

    def start(self, source_lang: str | None, target_lang: str | None) -> Judge:  # noqa: ARG002
        """See `Filter`."""
        return _repeats("pair", near=False, most=self.most)


@dataclass(frozen=True)
class Script(Filter):
    """More than `high` of the letters of a side are of a script that its language is not written in."""

    name: ClassVar[str] = "script"
    high: float = option(0.5, low=0, high=1, text="share of foreign letters")

    def start(self, source_lang: str | None, target_lang: str | None) -> Judge:
        """See `Filter`."""
        src_lang, tgt_lang = _both_languages(self, source_lang, target_lang)

        def judge(pairs: PairBatch) -> Mask:
            src = foreign_share(pairs.srcs, src_lang, n_threads=pairs.n_threads)
            tgt = foreign_share(pairs.tgts, tgt_lang, n_threads=pairs.n_threads)
            return (src > self.high) | (tgt > self.high)

        return judge


@dataclass(frozen=True)
class Letters(Filter):
    """Less than `low` of the letters, digits and punctuation marks of a side are letters: tables, lists, codes."""

    name: ClassVar[str] = "letters"
    low: float = option(0.5, low=0, high=1, text="share of letters")

    def start(self, source_lang: str | None, target_lang: str | None) -> Judge:  # noqa: ARG002
        """See `Filter`."""

        def judge(pairs: PairBatch) -> Mask:
            bad = np.zeros(len(pairs), dtype=np.bool_)
            for profiles in (pairs.src_profiles, pairs.tgt_profiles):
                others = profiles["digits"] + profiles["punctuation"]
                bad |= profiles["letters"] < self.low * (profiles["letters"] + others)
            return bad

        return judge


@dataclass(frozen=True)
class Language(Filter):
    """A side of `shortest` characters is, with probability `sure` or more, in another language (extra `lid`)."""

    name: ClassVar[str] = "language"
    sure: float = option(0.8, low=0, high=1, text="probability of the other language")
    shortest: int = option(40, low=1, text="characters of a line that is looked at")

    def start(self, source_lang: str | None, target_lang: str | None) -> Judge:
        """See `Filter`."""
        from dragoman.corpus.language import LanguageGuesser

        guesser = LanguageGuesser()
        langs = _both_languages(self, source_lang, target_lang)
        for lang in langs:
            guesser.check_knows(lang)

        def judge(pairs: PairBatch) -> Mask:
            bad = np.zeros(len(pairs), dtype=np.bool_)
            for lines, lang in zip((pairs.srcs, pairs.tgts), langs, strict=True):
                for number, line in enumerate(lines):
                    if len(line) >= self.shortest and not bad[number]:
                        bad[number] = guesser.is_other(line, lang, sure=self.sure)
            return bad

        return judge


@dataclass(frozen=True)
class Learnt(Filter):
    """A scorer that `dragoman corpus filter train` made finds it worse than most pairs that it learnt from."""

    name: ClassVar[str] = "learnt"
    model: str = option("", text="the scorer's folder; required")
    deviations: float = option(1.0, low=0, text="standard deviations below their mean that a score may lie")

    def start(self, source_lang: str | None, target_lang: str | None) -> Judge:  # noqa: ARG002
        """See `Filter`."""
        from dragoman.corpus.scorers import PairScorer

        if not self.model:
            raise DataError("The filter learnt needs a scorer: learnt:model=FOLDER.")
        scorer = PairScorer.load(self.model)
        bar = scorer.bar(self.deviations)

        def judge(pairs: PairBatch) -> Mask:
            mask: Mask = scorer.score(pairs.srcs, pairs.tgts, n_threads=pairs.n_threads) < bar
            return mask

        return judge


FILTERS: Registry[Filter] = Registry(
    "filter",
    {
        "copy": "dragoman.corpus.filters:Copy",
        "duplicate": "dragoman.corpus.filters:Duplicate",
        "empty": "dragoman.corpus.filters:Empty",
        "language": "dragoman.corpus.filters:Language",
        "learnt": "dragoman.corpus.filters:Learnt",
        "length": "dragoman.corpus.filters:Length",
        "letters": "dragoman.corpus.filters:Letters",
        "long-token": "dragoman.corpus.filters:LongToken",
        "ratio": "dragoman.corpus.filters:Ratio",
        "repetition": "dragoman.corpus.filters:Repetition",
        "script": "dragoman.corpus.filters:Script",
    },
)


def _repeats(by: str, *, near: bool, most: int) -> Judge:
    counter = core.RepeatCounter()

    def keys(lines: Sequence[str], pairs: PairBatch) -> NDArray[np.uint64]:
        folded = [line.casefold() for line in lines] if near else lines
        return core.hash_lines(folded, skeleton=near, n_threads=pairs.n_threads)

    def judge(pairs: PairBatch) -> Mask:
        if by == "pair":
            hashes = core.hash_pairs(keys(pairs.srcs, pairs), keys(pairs.tgts, pairs))
        else:
            hashes = keys(pairs.srcs if by == "source" else pairs.tgts, pairs)
        mask: Mask = counter.add(hashes) > most
        return mask

    return judge


def _plain(line: str) -> str:
    return " ".join(line.casefold().split())


def _both_languages(chosen: Filter, source_lang: str | None, target_lang: str | None) -> tuple[str, str]:
    if not source_lang or not target_lang:
        raise DataError(f"The filter {chosen.name} must know the languages of both sides; name them.")
    return source_lang, target_lang
