"""AMBER: a score of n-grams times penalties of length, word length, continuity and order.

Chen & Kuhn, WMT 2011 ("AMBER: a modified BLEU, enhanced ranking metric") for the score and ten penalties; Chen, Kuhn &
Foster, WMT 2012 ("Improving AMBER"), for the order penalty v and the tuning (see `amber_tuning`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.metrics.base import Rows, check_threads, ratio
from dragoman.metrics.references import References, ScoredText
from dragoman.metrics.words import Ids, WordBestReference, encode_lines
from dragoman.options import option
from dragoman.text import Vocabulary

__all__ = ["PENALTIES", "Amber", "Amber1", "WordOrder", "shorter_rows", "split_word", "word_orders"]

Array = NDArray[np.float64]

# The penalties, each with the field that holds its exponent.
PENALTIES = ("sbp", "srp", "csbp", "csrp", "swdp", "lwdp", "ckp", "ctp", "nscp", "nkcp", "v")
_SHORT = 3  # letters of a short word (SWDP, LWDP)
_HEAD, _TAIL = 4, 2  # letters that word splitting keeps


def split_word(word: str) -> tuple[str, ...]:
    """A long word as its first four and its last two letters; a word of up to four letters as it is.

    >>> split_word("gangs"), split_word("gang"), split_word("translation")
    (('gang', 'gs'), ('gang',), ('tran', 'on'))
    """
    return (word,) if len(word) <= _HEAD else (word[:_HEAD], word[-_TAIL:])


@dataclass(frozen=True, eq=False)
class _Texts:
    """Lines in one form: their words as ids, and what the penalties measure of each line."""

    ids: Ids
    words: Array  # how many, per line
    chars: Array  # letters, per line
    shorts: Array  # short words, per line

    @classmethod
    def of(cls, ids: Ids, lengths: NDArray[np.int64]) -> _Texts:
        """Texts from ids and the length of each word in the vocabulary."""
        tokens, offsets = ids
        chars = lengths[tokens]
        sums = [np.concatenate([[0], np.cumsum(each)]).astype(np.float64) for each in (chars, chars <= _SHORT)]
        per_line = [total[offsets[1:]] - total[offsets[:-1]] for total in sums]
        return cls(ids, np.diff(offsets).astype(np.float64), *per_line)


@dataclass(frozen=True, eq=False)
class _Sums:
    """Summed statistics by name, arrays (…, forms) or (…, forms, orders)."""

    matches: Array
    hyp_grams: Array
    ref_grams: Array
    matched: Array  # segments with a match of that order
    min_words: Array
    hyp_chars: Array
    ref_chars: Array
    min_chars: Array
    hyp_shorts: Array
    ref_shorts: Array
    aligned: Array
    chunks: Array
    order: Array  # (…, forms, 3): NSCP, NKCP and v, each times the reference's length

    @classmethod
    def of(cls, totals: Rows, n: int, n_forms: int) -> _Sums:
        """The statistics that rows hold."""
        rows = np.asarray(totals, dtype=np.float64)
        rows = rows.reshape(*rows.shape[:-1], n_forms, rows.shape[-1] // n_forms)
        names = [f.name for f in fields(cls)]
        sums = {name: rows[..., k * n : (k + 1) * n] for k, name in enumerate(names[:4])}
        sums |= {name: rows[..., 4 * n + k] for k, name in enumerate(names[4:-1])}
        return cls(**sums, order=rows[..., 4 * n + len(names[4:-1]) :])


def shorter_rows(rows: Rows, n_forms: int, order: int, shorter: int) -> Rows:
    """The rows that a metric with a shorter longest n-gram would have."""
    split = rows.reshape(*rows.shape[:-1], n_forms, rows.shape[-1] // n_forms)
    columns = [split[..., k * order : k * order + shorter] for k in range(4)]
    short = np.concatenate([*columns, split[..., 4 * order :]], axis=-1)
    return short.reshape(*rows.shape[:-1], -1)


@dataclass(frozen=True)
class Amber(WordBestReference):
    """AMBER: (θ1·AvgP + θ2·Fmean + (1−θ1−θ2)·AvgF) · Π penalty^weight, averaged over whole and split words.

    The measures of order (NSCP, NKCP, v) are no functions of sums; a corpus has their mean, weighted by the length of
    the references (WMT 2012, equation 9). All else is computed from sums. Single segments are smoothed. Even a perfect
    translation scores a little below 100, because it still is one chunk.

    v takes the place of NSCP and NKCP, as the paper means it to; `Amber1` is the metric of 2011. The weights are those
    set by hand in 2011, and 0.5 for v. `AmberTuning` finds better ones for one's own judgements.
    """

    name: ClassVar[str] = "amber"
    label_pattern: ClassVar[str] = "AMBER"
    kernel: ClassVar[str] = "amber"

    lowercase: bool = option(True, text="ignore case")
    forms: str = option(
        "whole+split", choices=("whole", "split", "whole+split"), text="words as they are, cut into 4 + 2 letters, both"
    )
    max_order: int = option(4, low=1, high=16, text="longest n-gram (N)")
    recall_order: int = option(1, low=1, high=16, text="longest n-gram whose recall counts in Fmean (M)")
    alpha: float = option(0.9, low=0, high=1, text="weight of recall against precision in F-measures")
    theta1: float = option(0.3, low=0, high=1, text="share of AvgP in the score")
    theta2: float = option(0.5, low=0, high=1, text="share of Fmean in the score")
    gamma: float = option(0.1, low=0, high=1, text="the most that the chunk penalty takes away")
    beta: float = option(3.0, low=0, high=100, text="exponent of chunks per word in the chunk penalty")
    sbp: float = option(0.3, low=0, high=100, text="weight of the strict brevity penalty")
    srp: float = option(0.1, low=0, high=100, text="weight of the strict redundancy penalty")
    csbp: float = option(0.15, low=0, high=100, text="weight of the brevity penalty of letters")
    csrp: float = option(0.05, low=0, high=100, text="weight of the redundancy penalty of letters")
    swdp: float = option(0.1, low=0, high=100, text="weight of the short-word difference")
    lwdp: float = option(0.2, low=0, high=100, text="weight of the long-word difference")
    ckp: float = option(1.0, low=0, high=100, text="weight of the chunk penalty")
    ctp: float = option(0.8, low=0, high=100, text="weight of the continuity penalty")
    nscp: float = option(0.0, low=0, high=100, text="weight of Spearman's correlation of word order")
    nkcp: float = option(0.0, low=0, high=100, text="weight of Kendall's correlation of word order")
    v: float = option(0.5, low=0, high=100, text="weight of the order penalty v")
    smooth: bool = option(False, text="add one to matches and n-grams of precisions beyond words, as for segments")

    def check(self) -> Self:
        """The metric itself if its options are sound."""
        super().check()
        if self.recall_order > self.max_order:
            raise DataError(
                f"The 'recall_order' option of {type(self).__name__} must be at most max_order ({self.max_order}). "
                f"Got {self.recall_order} instead."
            )
        if self.theta1 + self.theta2 > 1 + 1e-12:
            raise DataError(
                f"The options theta1 and theta2 of {type(self).__name__} must add up to 1 at most. "
                f"Got {self.theta1} and {self.theta2}."
            )
        return self

    def for_segments(self) -> Self:
        """Single segments often have no longer n-gram in common, so their precisions are smoothed."""
        return replace(self, smooth=True)

    def kernel_options(self) -> dict[str, Any]:
        """What the kernel wants to know."""
        return {"order": self.max_order}

    def prepare(self, text: ScoredText, n_threads: int) -> Any:
        """Systems and references in each form, as ids."""
        streams = [text.refs.lines(number) for number in range(len(text.refs.streams))]
        n = len(text.systems)
        return [(form[:n], form[n:]) for form in self._read([*text.systems, *streams], n_threads)]

    def reference_rows(self, prepared: Any, refs: References, number: int, n_threads: int) -> Rows:
        """Statistics against one of the references: array (systems, segments, statistics)."""
        rows = []
        for hyps, streams in prepared:
            ref = streams[number]
            present = refs.present[number : number + 1]
            counts = _core.metrics.amber(
                [hyp.ids for hyp in hyps], [ref.ids], present, **self.kernel_options(), n_threads=n_threads
            )
            rows.append(np.stack([self._statistics(each, hyp, ref) for each, hyp in zip(counts, hyps, strict=True)]))
        return np.concatenate(rows, axis=-1)

    def pair_rows(self, hyps: Sequence[str], refs: Sequence[str], *, n_threads: int = 1) -> Rows:
        """Statistics of every hypothesis against every reference: array (hyps, refs, statistics)."""
        rows = []
        for hyp, ref in self._read([hyps, refs], n_threads):
            counts = _core.metrics.amber_pairs(hyp.ids, ref.ids, **self.kernel_options(), n_threads=n_threads)
            column = replace(hyp, words=hyp.words[:, None], chars=hyp.chars[:, None], shorts=hyp.shorts[:, None])
            rows.append(self._statistics(counts, column, ref))
        return np.concatenate(rows, axis=-1)

    def values(self, totals: Rows) -> Array:
        """Scores of summed statistics."""
        parts = self.parts(totals)
        score = parts["score"]
        for name in PENALTIES:
            if weight := getattr(self, name):
                score = score * parts[name] ** weight
        values: Array = 100.0 * score.mean(axis=-1)
        return values

    def verbose(self, totals: Rows) -> str:
        """Score and penalties, the mean of both forms."""
        used = ["score", *(name for name in PENALTIES if getattr(self, name))]
        parts = self.parts(totals)
        return " ".join(f"{name} = {float(parts[name].mean()):.3f}" for name in used)

    def parts(self, totals: Rows) -> dict[str, Array]:
        """The score and each penalty by name, before weighting: arrays (…, forms) from 0 to 1."""
        n = self.max_order
        sums = _Sums.of(totals, n, len(self.forms.split("+")))
        words, ref_words = sums.hyp_grams[..., 0], sums.ref_grams[..., 0]
        hyp_longs, ref_longs = words - sums.hyp_shorts, ref_words - sums.ref_shorts
        order = ratio(sums.order, ref_words[..., np.newaxis])
        return {
            "score": self._score(sums),
            "sbp": _shortfall(ref_words, sums.min_words),
            "srp": _shortfall(words + ref_words - sums.min_words, ref_words),
            "csbp": _shortfall(sums.ref_chars, sums.min_chars),
            "csrp": _shortfall(sums.hyp_chars + sums.ref_chars - sums.min_chars, sums.ref_chars),
            "swdp": _difference(sums.hyp_shorts, sums.ref_shorts, ref_words),
            "lwdp": _difference(hyp_longs, ref_longs, ref_words),
            "ckp": 1.0 - self.gamma * ratio(sums.chunks, sums.aligned) ** self.beta,
            "ctp": _continuity(sums),
            "nscp": order[..., 0],
            "nkcp": order[..., 1],
            "v": order[..., 2],
        }

    def signature_options(self) -> dict[str, Any]:
        """Case, tokeniser, forms of words, and the options that differ from the metric's own."""
        changed = {f.name: value for f in fields(self) if (value := getattr(self, f.name)) != f.default}
        own = {name: value for name, value in changed.items() if name not in {"tokeniser", "lowercase", "forms"}}
        shown = super().signature_options()
        return {"case": shown["case"], "tok": shown["tok"], "forms": self.forms, **own}

    def _read(self, streams: Sequence[Sequence[str]], n_threads: int) -> list[list[_Texts]]:
        """The streams in each form, numbered by one vocabulary per form."""
        vocabulary = Vocabulary()
        options: dict[str, Any] = {"lowercase": self.lowercase, "vocabulary": vocabulary, "n_threads": n_threads}
        ids = [encode_lines(lines, self.tokeniser, **options) for lines in streams]
        words = vocabulary.words()
        texts = []
        for form in self.forms.split("+"):
            if form == "whole":
                lengths = np.array([len(word) for word in words], dtype=np.int64)
                texts.append([_Texts.of(each, lengths) for each in ids])
            else:
                texts.append(_split(ids, words))
        return texts

    def _statistics(self, rows: Rows, hyp: _Texts, ref: _Texts) -> Rows:
        """The statistics of one form, from the kernel's rows and the lengths of both sides."""
        n = self.max_order
        shape = rows.shape[:-1]
        matches = rows[..., :n]
        aligned, chunks, rho, tau, v1, v2 = (rows[..., n + k] for k in range(6))
        orders = np.arange(n)
        hyp_grams, ref_grams = (
            np.broadcast_to(np.maximum(side.words[..., np.newaxis] - orders, 0.0), (*shape, n)) for side in (hyp, ref)
        )
        single = [
            np.minimum(hyp.words, ref.words),
            np.broadcast_to(hyp.chars, shape),
            np.broadcast_to(ref.chars, shape),
            np.minimum(hyp.chars, ref.chars),
            np.broadcast_to(hyp.shorts, shape),
            np.broadcast_to(ref.shorts, shape),
            aligned,
            chunks,
        ]
        # Where no word is in common there is no order to praise; one word, or none that can be told apart, is in order.
        weight = np.where(matches[..., 0] > 0, ref.words, 0.0)
        measures = [weight * each for each in ((1 + rho) / 2, (1 + tau) / 2, _harmonic_mean(v1, v2))]
        return np.concatenate(
            [matches, hyp_grams, ref_grams, matches > 0, np.stack([*single, *measures], axis=-1)], axis=-1
        )

    def _score(self, sums: _Sums) -> Array:
        """Equation 2: AvgP is a geometric mean, Fmean and AvgF are F-measures of means and means of F-measures."""
        more = np.where(np.arange(self.max_order) > 0, float(self.smooth), 0.0)
        precision = ratio(sums.matches + more, sums.hyp_grams + more)
        recall = ratio(sums.matches, sums.ref_grams)
        with np.errstate(divide="ignore"):
            avg_p = np.exp(np.log(precision).mean(axis=-1))
        f_mean = self._f(precision.mean(axis=-1), recall[..., : self.recall_order].mean(axis=-1))
        # Orders that are longer than the reference say nothing.
        there = sums.ref_grams > 0
        avg_f = ratio(np.where(there, self._f(precision, recall), 0.0).sum(axis=-1), there.sum(axis=-1))
        score: Array = self.theta1 * avg_p + self.theta2 * f_mean + (1 - self.theta1 - self.theta2) * avg_f
        return score

    def _f(self, precision: Array, recall: Array) -> Array:
        return ratio(precision * recall, self.alpha * precision + (1 - self.alpha) * recall)


@dataclass(frozen=True)
class Amber1(Amber):
    """AMBER as it was in 2011, with the weights set by hand: ten penalties, order by NSCP and NKCP."""

    name: ClassVar[str] = "amber1"
    label_pattern: ClassVar[str] = "AMBER1"

    nscp: float = option(0.5, low=0, high=100, text="weight of Spearman's correlation of word order")
    nkcp: float = option(2.0, low=0, high=100, text="weight of Kendall's correlation of word order")
    v: float = option(0.0, low=0, high=100, text="weight of the order penalty v")


@dataclass(frozen=True)
class WordOrder:
    """How alike the order of the words is that hypothesis and reference have in common."""

    n_aligned: int  # words aligned one to one
    n_chunks: int  # runs of them that are in one piece on both sides
    rho: float  # Spearman's
    tau: float  # Kendall's
    v1: float  # equation 5
    v2: float  # equation 7
    v: float  # equation 8: their harmonic mean


def word_orders(
    hyps: Sequence[str], refs: Sequence[str], *, tokeniser: str = "13a", lowercase: bool = True, n_threads: int = 1
) -> list[WordOrder]:
    """The order of words, line by line. Fewer than two aligned words are in order.

    >>> word_orders(["I visited Paris recently"], ["Recently , I visited Paris"])[0].v1
    0.4
    """
    check_threads(n_threads)
    present = ScoredText.of_streams([hyps], [refs], None).refs.present
    vocabulary = Vocabulary()
    streams = [
        encode_lines(lines, tokeniser, lowercase=lowercase, vocabulary=vocabulary, n_threads=n_threads)
        for lines in (hyps, refs)
    ]
    rows = _core.metrics.amber(streams[:1], streams[1:], present, order=1, n_threads=n_threads)[0]
    vs = _harmonic_mean(rows[:, 5], rows[:, 6])
    return [
        WordOrder(int(aligned), int(chunks), rho, tau, v1, v2, v)
        for (_, aligned, chunks, rho, tau, v1, v2), v in zip(rows.tolist(), vs.tolist(), strict=True)
    ]


def _split(streams: Sequence[Ids], words: Sequence[str]) -> list[_Texts]:
    """Texts whose words are split, from texts whose words are whole: each word of the vocabulary is split once."""
    pieces = Vocabulary()
    cut = [split_word(word) for word in words]
    counts = np.array([len(each) for each in cut], dtype=np.int64)
    numbers = pieces.ids([piece for each in cut for piece in each])
    begins = np.concatenate([[0], np.cumsum(counts)])[:-1]
    lengths = np.array([len(piece) for piece in pieces.words()], dtype=np.int64)
    texts = []
    for tokens, offsets in streams:
        repeats = counts[tokens]
        ends = np.concatenate([[0], np.cumsum(repeats)])
        # The k-th piece of a word stands k places behind its first.
        within = np.arange(ends[-1]) - np.repeat(ends[:-1], repeats)
        ids = numbers[np.repeat(begins[tokens], repeats) + within]
        texts.append(_Texts.of((np.ascontiguousarray(ids, dtype=np.int32), ends[offsets].astype(np.int64)), lengths))
    return texts


def _shortfall(whole: Array, part: Array) -> Array:
    """exp(1 − whole/part): 1 where the part is the whole, 0 where it is nothing of something."""
    return np.where(whole > 0, np.where(part > 0, np.exp(1.0 - ratio(whole, part)), 0.0), 1.0)


def _difference(hyp: Array, ref: Array, ref_words: Array) -> Array:
    """exp(−|difference| / reference length)."""
    apart = np.abs(hyp - ref)
    return np.where(ref_words > 0, np.exp(-ratio(apart, ref_words)), np.where(apart > 0, 0.0, 1.0))


def _continuity(sums: _Sums) -> Array:
    """exp(mean over n = 2 … N of matches(n) / most matches(n) could be − 1), given the matches of n − 1.

    Matches of n − 1 that follow each other in one piece make one match of n less, per segment. Orders longer than the
    references are left out; where nothing could follow, nothing does.
    """
    most = sums.matches[..., :-1] - sums.matched[..., :-1]
    share = np.minimum(ratio(sums.matches[..., 1:], most), 1.0)
    there = sums.ref_grams[..., 1:] > 0
    mean = ratio(np.where(there, share, 0.0).sum(axis=-1), there.sum(axis=-1).astype(np.float64), otherwise=1.0)
    return np.exp(mean - 1.0)


def _harmonic_mean(a: Array, b: Array) -> Array:
    return np.where((a > 0) & (b > 0), 2.0 * ratio(a * b, a + b), 0.0)
