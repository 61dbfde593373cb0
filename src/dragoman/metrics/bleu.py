"""BLEU (Papineni et al., ACL 2002), with the options, scores and signatures of sacreBLEU 2.6 (Post, WMT 2018)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, nan
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from dragoman import _core
from dragoman.errors import DataError
from dragoman.lazy import later
from dragoman.metrics.base import Rows, mean_rows, ratio
from dragoman.metrics.references import ScoredText
from dragoman.metrics.signature import short_number
from dragoman.metrics.words import WordMetric, make_tokeniser
from dragoman.options import option
from dragoman.text.base import NativeTokeniser

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = later("numpy")

__all__ = ["Bleu", "BleuPlusOne", "SentenceBleu"]

# What `floor` and `add-k` put in if no value is given (Chen & Cherry, WMT 2014, methods 1 and 2).
_DEFAULT_VALUES = {"floor": 0.1, "add-k": 1.0}


@dataclass(frozen=True)
class Bleu(WordMetric):
    """BLEU. Statistics: length, closest reference's length, matches of each order, n-grams of each order."""

    name: ClassVar[str] = "bleu"
    label_pattern: ClassVar[str] = "BLEU"
    kernel: ClassVar[str] = "bleu"

    smoothing: str = option(
        "exp", choices=("none", "floor", "add-k", "exp"), text="what is done about orders without a match"
    )
    smoothing_value: float | None = option(None, text="what `floor` puts in (0.1) or `add-k` adds (1)")
    effective_order: bool = option(False, text="leave out orders longer than the text")
    max_order: int = option(4, low=1, high=100, text="longest n-gram")

    def check(self) -> Self:
        """The metric itself if its options are sound."""
        super().check()
        if self.smoothing_value is None:
            return self
        name = f"The 'smoothing_value' option of {type(self).__name__}"
        default = _DEFAULT_VALUES.get(self.smoothing)
        if default is None:
            raise DataError(f"{name} belongs to floor and add-k; {self.smoothing} takes none.")
        try:
            value = float(self.smoothing_value)  # text where it comes from a specification: None has no type to tell
        except (TypeError, ValueError):
            value = nan
        if not 0 <= value < inf:
            raise DataError(f"{name} must be a number from 0 on. Got {self.smoothing_value!r} instead.")
        # One metric, one form: the method's own value is not written out.
        object.__setattr__(self, "smoothing_value", None if value == default else value)
        return self

    def kernel_options(self) -> dict[str, Any]:
        """What the kernel wants to know."""
        return {"order": self.max_order}

    def for_segments(self) -> Self:
        """Single segments are often shorter than the longest n-gram, so their order is the effective one."""
        return replace(self, effective_order=True)

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Scores of summed statistics."""
        totals = np.ascontiguousarray(totals, dtype=np.float64)
        rows = totals.reshape(-1, totals.shape[-1])
        return _core.metrics.bleu_scores(rows, **self._rule()).reshape(totals.shape[:-1])

    def value(self, totals: Sequence[float] | Rows) -> float:
        """The score of one row of summed statistics."""
        return _core.metrics.bleu_score(list(totals), **self._rule())

    def totals(self, text: ScoredText, n_threads: int) -> list[list[float]] | None:
        """Each system's statistics summed over all segments, where all of these have all references."""
        tokeniser, refs = make_tokeniser(self.tokeniser), text.refs
        if not isinstance(tokeniser, NativeTokeniser) or refs.nrefs != len(refs.streams):
            return None
        lines = [self._cut_reference(refs, number, n_threads) for number in range(len(refs.streams))]
        hyps = self._cut(text.systems, n_threads)
        return _core.metrics.bleu_totals(hyps, lines, tokeniser.core, order=self.max_order, n_threads=n_threads)

    def verbose(self, totals: Rows) -> str:
        """Precisions, brevity penalty and lengths, as sacreBLEU prints them."""
        precisions, penalty, matched = _core.metrics.bleu_parts(list(totals), **self._rule())
        hyp, ref = int(totals[0]), int(totals[1])
        shown = "/".join(f"{p if matched else 0.0:.1f}" for p in precisions)
        proportion = hyp / ref if ref else 0
        return f"{shown} (BP = {penalty:.3f} ratio = {proportion:.3f} hyp_len = {hyp} ref_len = {ref})"

    def _rule(self) -> dict[str, Any]:
        value = _DEFAULT_VALUES.get(self.smoothing, 0.0) if self.smoothing_value is None else self.smoothing_value
        return {
            "order": self.max_order,
            "smoothing": self.smoothing,
            "value": value,
            "effective_order": self.effective_order,
        }

    def signature_options(self) -> dict[str, Any]:
        """Keys and values as sacreBLEU shows them, and the longest order where it is not 4."""
        shown = self.smoothing
        if shown in _DEFAULT_VALUES:
            value = _DEFAULT_VALUES[shown] if self.smoothing_value is None else self.smoothing_value
            shown += f"[{short_number(value, '.2f')}]"
        options = super().signature_options()
        return {
            "case": options["case"],
            "eff": self.effective_order,
            "tok": options["tok"],
            "smooth": shown,
            "order": None if self.max_order == 4 else self.max_order,
        }

    @classmethod
    def options_of_signature(cls, label: str, parts: Mapping[str, str]) -> dict[str, Any]:
        """The options that a signature tells."""
        smooth = re.fullmatch(r"([a-z-]+)(?:\[(.*)\])?", parts["smooth"])
        if smooth is None:
            raise ValueError(f"smooth:{parts['smooth']}")
        return super().options_of_signature(label, parts) | {
            "smoothing": smooth[1],
            "smoothing_value": smooth[2],
            "effective_order": parts["eff"] == "yes",
            "max_order": parts.get("order", 4),
        }


@dataclass(frozen=True)
class SentenceBleu(Bleu):
    """The mean of the segments' BLEU scores, each with its effective order."""

    name: ClassVar[str] = "sentbleu"
    label_pattern: ClassVar[str] = "sentBLEU"
    level: ClassVar[Literal["corpus", "segment"]] = "segment"

    effective_order: bool = option(True, text="leave out orders longer than the text")

    def for_segments(self) -> Self:
        """The metric itself: it scores segments anyway."""
        return self

    def statistics(self, rows: Rows) -> Rows:
        """A segment's score, and 1."""
        return mean_rows(super().values(rows))

    def value(self, totals: Sequence[float] | Rows) -> float:
        """The mean of segment scores."""
        return float(self.values(np.asarray(totals)))

    def totals(self, text: ScoredText, n_threads: int) -> list[list[float]] | None:  # noqa: ARG002
        """None: a mean needs every segment's score."""
        return None

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Means of segment scores."""
        totals = np.asarray(totals, dtype=np.float64)
        return ratio(totals[..., 0], totals[..., 1])

    def verbose(self, totals: Rows) -> str:  # noqa: ARG002 - a mean has no precisions
        """Nothing."""
        return ""


@dataclass(frozen=True)
class BleuPlusOne(SentenceBleu):
    """BLEU+1 (Lin & Och, COLING 2004): the mean of segment scores with one more match and n-gram for each n > 1."""

    name: ClassVar[str] = "bleu+1"
    label_pattern: ClassVar[str] = r"BLEU\+1"

    smoothing: str = option(
        "add-k", choices=("none", "floor", "add-k", "exp"), text="what is done about orders without a match"
    )
    effective_order: bool = option(False, text="leave out orders longer than the text")

    @property
    def label(self) -> str:
        """The metric's name."""
        return "BLEU+1"
