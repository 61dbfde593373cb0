"""Metrics of words: lines are tokenised and numbered in the core, references once for all systems."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import option
from dragoman.metrics.base import BestReference, Metric, Rows, checked_inputs
from dragoman.metrics.cache import ContentCache
from dragoman.metrics.references import References, RefsInput
from dragoman.text import TOKENISERS, Tokeniser, Vocabulary

__all__ = ["EncodedReferences", "WordBestReference", "WordMetric", "encode_references", "make_tokeniser"]

# Words of a hypothesis that no reference has share one id. No token is a space, so this one is never a reference's.
_UNKNOWN = " "

Ids = tuple[NDArray[np.int32], NDArray[np.int64]]  # ids of all tokens, offsets of the segments


@dataclass(frozen=True, eq=False)
class EncodedReferences:
    """References as ids, and the vocabulary that numbers hypotheses the same way."""

    tokeniser: Tokeniser
    lowercase: bool
    vocabulary: Vocabulary  # frozen
    streams: tuple[Ids, ...]

    def encode(self, lines: Sequence[str], *, n_threads: int = 1) -> Ids:
        """Hypotheses as ids."""
        return _encode(lines, self.tokeniser, self.lowercase, self.vocabulary, n_threads)

    @property
    def n_bytes(self) -> int:
        """About how much memory they take."""
        words = 64 * len(self.vocabulary)  # the word, its place in the table, its offset
        return words + sum(array.nbytes for stream in self.streams for array in stream)


_encoded: ContentCache[EncodedReferences] = ContentCache(256 << 20, lambda encoded: encoded.n_bytes)


def encode_references(refs: References, tokeniser: str, *, lowercase: bool, n_threads: int = 1) -> EncodedReferences:
    """The references as ids, from the cache if the same content was encoded the same way before."""

    def make() -> EncodedReferences:
        cut = make_tokeniser(tokeniser)
        vocabulary = Vocabulary(unk=_UNKNOWN)
        streams = [
            _encode(refs.lines(number), cut, lowercase, vocabulary, n_threads) for number in range(len(refs.streams))
        ]
        return EncodedReferences(cut, lowercase, vocabulary.freeze(), tuple(streams))

    digests = tuple(refs.digest(number) for number in range(len(refs.streams)))
    return _encoded.get((digests, tokeniser, lowercase), make)


def _encode(lines: Sequence[str], tokeniser: Tokeniser, lowercase: bool, vocabulary: Vocabulary, n_threads: int) -> Ids:
    # White space at the end of a line is no part of it: `intl` sees the line's end. Case is folded before, as Python
    # folds it, so that scores equal sacreBLEU's.
    lines = [line.lower().rstrip() for line in lines] if lowercase else [line.rstrip() for line in lines]
    tokens = tokeniser.encode(lines, vocabulary, n_threads=n_threads)
    return tokens.ids, tokens.offsets


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

    def stats(
        self, hyps: Sequence[str], refs: RefsInput, srcs: Sequence[str] | None = None, *, n_threads: int = 1
    ) -> Rows:
        """Additive statistics, one row per segment: float64 array (segments, statistics)."""
        rows: Rows = self.stats_many([hyps], refs, srcs, n_threads=n_threads)[0]
        return rows

    def stats_many(
        self,
        systems: Sequence[Sequence[str]],
        refs: RefsInput,
        srcs: Sequence[str] | None = None,
        *,
        n_threads: int = 1,
    ) -> Rows:
        """The statistics of several systems at once: array (systems, segments, statistics)."""
        references = checked_inputs(systems, refs, srcs, n_threads)
        encoded = self._encoded(references, n_threads)
        hyps = [encoded.encode(lines, n_threads=n_threads) for lines in systems]
        return self._rows(hyps, encoded.streams, references.present, n_threads)

    def pair_rows(self, hyps: Sequence[str], refs: Sequence[str], *, n_threads: int = 1) -> Rows:
        """Statistics of every hypothesis against every reference: array (hyps, refs, statistics)."""
        encoded = self._encoded(References.of([refs]), n_threads)
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

    def _encoded(self, refs: References, n_threads: int) -> EncodedReferences:
        return encode_references(refs, self.tokeniser, lowercase=self.lowercase, n_threads=n_threads)

    def _rows(self, hyps: list[Ids], streams: Sequence[Ids], present: NDArray[np.uint8], n_threads: int) -> Rows:
        kernel = getattr(_core.metrics, self.kernel)
        return self.statistics(kernel(hyps, list(streams), present, **self.kernel_options(), n_threads=n_threads))


@dataclass(frozen=True)
class WordBestReference(BestReference, WordMetric):
    """A metric of words that compares with one reference, the best of several."""

    def prepare(
        self,
        systems: Sequence[Sequence[str]],
        refs: References,
        srcs: Sequence[str] | None,  # noqa: ARG002 - words are compared with references alone
        n_threads: int,
    ) -> tuple[list[Ids], EncodedReferences]:
        """The systems' output and the references as ids."""
        encoded = self._encoded(refs, n_threads)
        return [encoded.encode(lines, n_threads=n_threads) for lines in systems], encoded

    def reference_rows(
        self, prepared: tuple[list[Ids], EncodedReferences], refs: References, number: int, n_threads: int
    ) -> Rows:
        """Statistics against one of the references: array (systems, segments, statistics)."""
        hyps, encoded = prepared
        return self._rows(hyps, [encoded.streams[number]], refs.present[number : number + 1], n_threads)
