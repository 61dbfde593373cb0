"""Metrics of words: lines are tokenised and numbered in the core, references once for all systems."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from dragoman import _core
from dragoman.cache import ContentCache
from dragoman.metrics.base import BestReference, Metric, Rows
from dragoman.metrics.references import References, ScoredText, native
from dragoman.options import option
from dragoman.text import TOKENISERS, Tokeniser, Vocabulary
from dragoman.text.base import NativeTokeniser

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = tuple[NDArray[np.int32], NDArray[np.int64]]  # ids of all tokens, offsets of the segments
else:
    Ids = Any  # for annotations

__all__ = [
    "EncodedReferences",
    "WordBestReference",
    "WordMetric",
    "encode_lines",
    "encode_references",
    "forget_references",
    "make_tokeniser",
]

# Words of a hypothesis that no reference has share one id. No token is a space, so this one is never a reference's.
_UNKNOWN = " "


@dataclass(frozen=True, eq=False)
class EncodedReferences:
    """References as ids, and the vocabulary that numbers hypotheses the same way."""

    tokeniser: Tokeniser
    lowercase: bool
    vocabulary: Vocabulary  # frozen
    streams: tuple[Ids, ...]

    def encode(self, lines: Sequence[str], *, n_threads: int = 1) -> Ids:
        """Hypotheses as ids."""
        return _encode(_prepared(lines, self.lowercase), self.tokeniser, self.vocabulary, n_threads)

    @property
    def n_bytes(self) -> int:
        """About how much memory they take."""
        words = 64 * len(self.vocabulary)  # the word, its place in the table, its offset
        return words + sum(array.nbytes for stream in self.streams for array in stream)


# What is made of references, by their content and the way it is made: so that systems can come one by one.
_encoded: ContentCache[EncodedReferences] = ContentCache(256 << 20, lambda encoded: encoded.n_bytes)
_tokenised: ContentCache[list[str]] = ContentCache(256 << 20, lambda lines: sum(map(len, lines)) + 64 * len(lines))


def encode_references(refs: References, tokeniser: str, *, lowercase: bool, n_threads: int = 1) -> EncodedReferences:
    """The references as ids, from the cache if the same content was encoded the same way before."""

    def make() -> EncodedReferences:
        cut = make_tokeniser(tokeniser)
        vocabulary = Vocabulary(unk=_UNKNOWN)
        streams = [
            _encode(_prepared(refs.lines(r), lowercase), cut, vocabulary, n_threads) for r in range(len(refs.streams))
        ]
        return EncodedReferences(cut, lowercase, vocabulary.freeze(), tuple(streams))

    # The signature, not the name: a model behind the tokeniser may have changed.
    digests = tuple(refs.digest(number) for number in range(len(refs.streams)))
    return _encoded.get((digests, make_tokeniser(tokeniser).signature(), lowercase), make)


def forget_references() -> None:
    """Empty the caches of what was made of references."""
    _encoded.clear()
    _tokenised.clear()


def _prepared(lines: Sequence[str], lowercase: bool) -> Sequence[str]:
    # Case is folded before tokenisation, as Python folds it, so that scores equal sacreBLEU's.
    return [line.lower() for line in lines] if lowercase else lines


def _encode(lines: Sequence[str], tokeniser: Tokeniser, vocabulary: Vocabulary, n_threads: int) -> Ids:
    # White space at the end of a line is no part of it: `intl` sees the line's end.
    tokens = tokeniser.encode([line.rstrip() for line in lines], vocabulary, n_threads=n_threads)
    return tokens.ids, tokens.offsets


def encode_lines(
    lines: Sequence[str], tokeniser: str, *, lowercase: bool, vocabulary: Vocabulary, n_threads: int = 1
) -> Ids:
    """The words of lines as ids of a vocabulary, which takes in new ones if it is a growing one."""
    return _encode(_prepared(lines, lowercase), make_tokeniser(tokeniser), vocabulary, n_threads)


@lru_cache(maxsize=32)
def make_tokeniser(spec: str) -> Tokeniser:
    """A tokeniser from its name, with options if need be, as its signature writes them: `13a`, `moses+lang=de`."""
    name, *options = re.split(r"\+(?=[a-z_]+=)", spec)  # a plus may also join the items of an option
    return TOKENISERS.make(f"{name}:{','.join(options)}")


@dataclass(frozen=True)
class WordMetric(Metric):
    """A metric of words. A subclass names its kernel and says what its statistics and scores are."""

    kernel: ClassVar[str]

    tokeniser: str = option("13a", text="how lines are cut into words: a name, perhaps with options (moses+lang=de)")
    lowercase: bool = option(False, text="ignore case")

    def check(self) -> Self:
        """The metric itself if its options are sound."""
        super().check()
        make_tokeniser(self.tokeniser)
        return self

    def kernel_options(self) -> dict[str, Any]:
        """What the kernel wants to know."""
        return {}

    def statistics(self, rows: Rows) -> Rows:
        """The statistics, from the kernel's rows."""
        return rows

    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:
        """The statistics, from the kernel."""
        return self._rows(self._cut(text.systems, n_threads), text.refs, range(len(text.refs.streams)), n_threads)

    def pair_rows(self, hyps: Sequence[str], refs: Sequence[str], *, n_threads: int = 1) -> Rows:
        """Statistics of every hypothesis against every reference: array (hyps, refs, statistics)."""
        encoded = encode_references(
            References.of([refs]), self.tokeniser, lowercase=self.lowercase, n_threads=n_threads
        )
        kernel = getattr(_core.metrics, self.kernel + "_pairs")
        ids = encoded.encode(hyps, n_threads=n_threads)
        return self.statistics(kernel(ids, encoded.streams[0], **self.kernel_options(), n_threads=n_threads))

    def signature_options(self) -> dict[str, Any]:
        """Case and tokeniser as sacreBLEU shows them, then the metric's own options by name."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in {"tokeniser", "lowercase"}}
        return {"case": "lc" if self.lowercase else "mixed", "tok": make_tokeniser(self.tokeniser).signature(), **own}

    @classmethod
    def options_of_signature(cls, label: str, parts: Mapping[str, str]) -> dict[str, Any]:
        """The options that a signature tells."""
        options = super().options_of_signature(label, parts)
        return options | {"tokeniser": parts["tok"], "lowercase": parts["case"] == "lc"}

    def _cut(self, systems: Sequence[Sequence[str]], n_threads: int) -> list[Any]:
        """The systems' lines as the kernel takes them: a tokeniser that is not in the core cuts them before."""
        tokeniser = make_tokeniser(self.tokeniser)
        prepared = [_prepared(hyps, self.lowercase) for hyps in systems]
        if isinstance(tokeniser, NativeTokeniser):
            return [native(hyps) for hyps in prepared]
        return [tokeniser.tokenise([line.rstrip() for line in hyps], n_threads=n_threads) for hyps in prepared]

    def _cut_reference(self, refs: References, number: int, n_threads: int) -> Any:
        tokeniser = make_tokeniser(self.tokeniser)
        if isinstance(tokeniser, NativeTokeniser):
            return native(_prepared(refs.lines(number), self.lowercase))
        key = (refs.digest(number), tokeniser.signature(), self.lowercase)
        return _tokenised.get(key, lambda: list(self._cut([refs.lines(number)], n_threads)[0]))

    def _rows(self, systems: list[Any], refs: References, numbers: range, n_threads: int) -> Rows:
        tokeniser = make_tokeniser(self.tokeniser)
        core = tokeniser.core if isinstance(tokeniser, NativeTokeniser) else _core.text.surface_tokeniser("none")
        kernel = getattr(_core.metrics, self.kernel)
        lines = [self._cut_reference(refs, number, n_threads) for number in numbers]
        present = refs.present[numbers.start : numbers.stop]
        return self.statistics(kernel(systems, lines, present, core, **self.kernel_options(), n_threads=n_threads))


@dataclass(frozen=True)
class WordBestReference(BestReference, WordMetric):
    """A metric of words that compares with one reference, the best of several."""

    def prepare(self, text: ScoredText, n_threads: int) -> list[Sequence[str]]:
        """The systems' lines as the kernel takes them."""
        return self._cut(text.systems, n_threads)

    def reference_rows(self, prepared: list[Sequence[str]], refs: References, number: int, n_threads: int) -> Rows:
        """Statistics against one of the references: array (systems, segments, statistics)."""
        return self._rows(prepared, refs, range(number, number + 1), n_threads)
