"""BLEU (Papineni et al., ACL 2002), with the options, scores and signatures of sacreBLEU 2.6 (Post, WMT 2018)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.metrics.base import Rows, mean_rows, ratio
from dragoman.metrics.signature import short_number
from dragoman.metrics.words import WordMetric
from dragoman.options import option

__all__ = ["Bleu", "BleuPlusOne", "SentenceBleu"]

# What `floor` and `add-k` put in if no value is given (Chen & Cherry, WMT 2014, methods 1 and 2).
_DEFAULT_VALUES = {"floor": 0.1, "add-k": 1.0}
_LOG_OF_ZERO = -9999999999.0  # sacreBLEU's, so that a vanished precision gives exactly 0


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
            value = np.nan
        if not 0 <= value < np.inf:
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
        precisions, orders, penalty, matched = self._parts(totals)
        with np.errstate(divide="ignore"):
            logs = np.where(precisions > 0, np.log(precisions), _LOG_OF_ZERO)
        used = np.arange(self.max_order) < orders[..., np.newaxis]
        mean = np.where(used, logs, 0.0).sum(axis=-1) / orders
        return np.where(matched, penalty * np.exp(mean), 0.0)

    def verbose(self, totals: Rows) -> str:
        """Precisions, brevity penalty and lengths, as sacreBLEU prints them."""
        precisions, _, penalty, matched = self._parts(totals)
        hyp, ref = int(totals[0]), int(totals[1])
        shown = "/".join(f"{p:.1f}" for p in (precisions if matched else np.zeros(self.max_order)))
        proportion = hyp / ref if ref else 0
        return f"{shown} (BP = {penalty:.3f} ratio = {proportion:.3f} hyp_len = {hyp} ref_len = {ref})"

    def _parts(self, totals: Rows) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Precisions in percent (…, orders), the number of orders used, the brevity penalty, and whether any match."""
        totals = np.asarray(totals, dtype=np.float64)
        hyp, ref = totals[..., 0], totals[..., 1]
        correct, count = totals[..., 2 : 2 + self.max_order], totals[..., 2 + self.max_order :]
        matched = np.asarray((correct > 0).any(axis=-1))
        # Papineni et al. 2002, §2.2.2: exp(1 − r/c) if the candidate is shorter.
        with np.errstate(over="ignore"):
            short = np.where(hyp > 0, np.exp(1 - ratio(ref, hyp)), 0.0)
        penalty = np.where(hyp < ref, short, 1.0)
        precisions = np.zeros_like(correct)
        orders = np.full(hyp.shape, 1 if self.effective_order else self.max_order)
        halving = np.ones(hyp.shape)
        alive = np.ones(hyp.shape, dtype=bool)  # no order below had no n-grams at all
        value = _DEFAULT_VALUES.get(self.smoothing, 0.0) if self.smoothing_value is None else self.smoothing_value
        for n in range(self.max_order):
            found, all_ = correct[..., n], count[..., n]
            if self.smoothing == "add-k" and n > 0:
                found, all_ = found + value, all_ + value
            alive = alive & (all_ > 0)
            if self.effective_order:
                orders = np.where(alive, n + 1, orders)
            empty = found == 0
            precision = 100.0 * ratio(found, all_)
            if self.smoothing == "exp":
                halving = np.where(alive & empty, 2 * halving, halving)
                precision = np.where(empty, 100.0 * ratio(np.ones_like(all_), halving * all_), precision)
            elif self.smoothing == "floor":
                precision = np.where(empty, 100.0 * ratio(np.full_like(all_, value), all_), precision)
            precisions[..., n] = np.where(alive, precision, 0.0)
        return precisions, orders, penalty, matched

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
