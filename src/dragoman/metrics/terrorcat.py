"""TerrorCat: errors by class and part of speech, weighed as people's rankings taught it (Fishel et al., WMT 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.metrics.addicter import ADDICTER_CLASSES, label_errors
from dragoman.metrics.base import BestReference, Rows, mean_rows, ratio
from dragoman.metrics.classer import BASE_LAYERS, CLASSES, PREFIX, WordReader, Words, classify
from dragoman.metrics.references import References, ScoredText
from dragoman.metrics.words import make_tokeniser
from dragoman.options import option
from dragoman.report import Column, Result, Table
from dragoman.text.layers import annotate_once, make_annotator

__all__ = ["TAGS", "ErrorReasons", "TerrorCat"]

# The universal parts of speech, those of like function together; the last one is for what is none of them.
TAGS = ("NOUN", "PROPN", "VERB", "AUX", "ADJ", "ADV", "PRON", "DET", "ADP", "NUM", "CONJ", "PUNCT", "OTHER")
_LIKE = {"CCONJ": "CONJ", "SCONJ": "CONJ", "SYM": "PUNCT"}

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Side:
    """One text: its words, and of each the number of its part of speech."""

    words: Words
    tags: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Text:
    systems: list[_Side]
    streams: list[_Side]
    marks: set[int]  # ids of punctuation marks
    foreign: set[int]  # ids of words that the sources have


@dataclass(frozen=True, eq=False)
class ErrorReasons(Result):
    """Why one output is better than another: what the errors of each kind contribute to the difference."""

    kind: ClassVar[str] = "reasons"

    names: tuple[str, str]
    rows: tuple[tuple[str, str, float, float, float], ...]  # class, part of speech, rates of both, points for the first
    points: float  # of a hundred, that the first is ahead

    def tables(self) -> list[Table]:
        """One row per kind of error, the weightiest first."""
        a, b = self.names
        columns = [
            Column("class"),
            Column("pos", "part of speech"),
            Column("rate_a", f"{a}, % of words", digits=2),
            Column("rate_b", f"{b}, % of words", digits=2),
            Column("points", f"points for {a}", digits=3),
        ]
        where = "ahead of" if self.points >= 0 else "behind"
        note = f"{a} is {abs(self.points):.3f} points {where} {b}; the rows add up to it."
        return [Table.of(f"Why {a} and {b} differ", columns, self.rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """The difference."""
        return {"a": self.names[0], "b": self.names[1], "points": self.points}


@dataclass(frozen=True)
class TerrorCat(BestReference):
    """TerrorCat: the words of each error class, perhaps by part of speech, weighed by a linear ranking machine.

    A pair of translations is decided by the weighted difference of their rates, so that the weighted rates themselves
    are a score of which the higher wins every comparison that the machine decides. Without training every error weighs
    the same. Missing words are counted by the reference's length, all others by the hypothesis's. Errors are Hjerson's,
    found by edit distance, Addicter's, found by alignment (`dragoman.metrics.addicter`), or both side by side, as in
    the paper; Addicter calls words untranslated that the source has, where there is one.
    """

    name: ClassVar[str] = "terrorcat"
    label_pattern: ClassVar[str] = "TERRORCAT"
    quick: ClassVar[bool] = False

    tokeniser: str = option("13a", text="how lines are cut into words: a name, perhaps with options (moses+lang=de)")
    lowercase: bool = option(False, text="ignore case")
    base: str = option(
        PREFIX,
        layers=BASE_LAYERS,
        text="base forms: prefix (the first four letters), the layer lemma or stem, or an annotator (snowball+lang=de)",
    )
    pos: str = option(
        "none", layers=("pos",), text="none, the layer pos (universal tags), or an annotator (hanta+lang=en)"
    )
    errors: str = option("hjerson", choices=("hjerson", "addicter", "both"), text="whose classes of errors")
    weights: tuple[float, ...] = option(
        (), text="of the classes, with pos of each part of speech in each class, as training finds them"
    )
    trained: str | None = option(None, text="fingerprint of the judgements that weights were learnt from")

    def check(self) -> Self:
        """The metric itself if its options are sound."""
        super().check()
        make_tokeniser(self.tokeniser)
        for name, own, layers in (("base", PREFIX, BASE_LAYERS), ("pos", "none", ("pos",))):
            if getattr(self, name) not in {own, *layers}:
                make_annotator(getattr(self, name), layers)
        if self.weights and (len(self.weights) != self.n_features or not any(self.weights)):
            raise DataError(
                f"TerrorCat has {self.n_features} weights, not all of them 0; got {len(self.weights)}. "
                "With a part of speech there are more than without."
            )
        return self

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of errors."""
        both = {"hjerson": CLASSES, "addicter": ADDICTER_CLASSES}
        if self.errors != "both":
            return both[self.errors]
        return tuple(f"{name}, {each}" for each, names in both.items() for name in names)

    @property
    def n_features(self) -> int:
        """Classes, times parts of speech if these are told apart."""
        return len(self.classes) * (1 if self.pos == "none" else len(TAGS))

    @property
    def feature_weights(self) -> Array:
        """Those that were learnt, or −1 for each error."""
        return np.array(self.weights or [-1.0] * self.n_features)

    def signature_options(self) -> dict[str, Any]:
        """The options; weights only where they were learnt."""
        return super().signature_options() | {"weights": self.weights or None}

    def prepare(self, text: ScoredText, n_threads: int) -> _Text:
        """All lines as words, base forms and parts of speech."""
        reader = WordReader(tokeniser=self.tokeniser, lowercase=self.lowercase, base=self.base)

        def side(lines: Sequence[str]) -> _Side:
            words = reader.read(lines, n_threads=n_threads)
            return _Side(words, self._tags(reader, words))

        systems = [side(lines) for lines in text.systems]
        streams = [side(text.refs.lines(number)) for number in range(len(text.refs.streams))]
        if self.errors == "hjerson":
            return _Text(systems, streams, set(), set())
        foreign = set() if text.srcs is None else set(reader.read(text.srcs, n_threads=n_threads).full.tolist())
        seen = sorted({number for each in (*systems, *streams) for number in each.words.full.tolist()})
        words = zip(seen, reader.words(np.array(seen, dtype=np.int32)), strict=True)
        return _Text(systems, streams, {number for number, word in words if not any(map(str.isalnum, word))}, foreign)

    def reference_rows(self, prepared: _Text, refs: References, number: int, n_threads: int) -> Rows:  # noqa: ARG002
        """A segment's score against one of the references, and 1."""
        return mean_rows(100.0 * self.combined(self.reference_features(prepared, number, n_threads)))

    def reference_features(self, prepared: _Text, number: int, n_threads: int) -> Array:
        """Rates of errors against one of the references: array (systems, segments, features)."""
        ref = prepared.streams[number]
        return np.stack([self._rates(hyp, ref, prepared, n_threads) for hyp in prepared.systems])

    def combined(self, features: Array) -> Array:
        """The weighted sum of rates, brought to what lies between its least and its most."""
        weights = self.feature_weights
        least, most = np.minimum(weights, 0.0).sum(), np.maximum(weights, 0.0).sum()
        scaled: Array = (features @ weights - least) / (most - least)
        return scaled

    def values(self, totals: Rows) -> Array:
        """Means of segment scores."""
        totals = np.asarray(totals, dtype=np.float64)
        return ratio(totals[..., 0], totals[..., 1])

    def reasons(
        self, a: Sequence[str], b: Sequence[str], ref: Sequence[str], *, names: tuple[str, str] = ("A", "B")
    ) -> ErrorReasons:
        """Why one output scores more than another: each kind of error's weight times the difference of its rates."""
        text = ScoredText.of_streams([a, b], [ref], None)
        rates = self.reference_features(self.prepare(text, 1), 0, 1).mean(axis=1)
        weights = self.feature_weights
        points = 100.0 * weights * (rates[0] - rates[1]) / np.abs(weights).sum()
        tags = ("",) if self.pos == "none" else TAGS
        kinds = [(each, tag) for each in self.classes for tag in tags]
        rows = [
            (*kinds[k], 100.0 * float(rates[0, k]), 100.0 * float(rates[1, k]), float(points[k]))
            for k in np.argsort(-np.abs(points), kind="stable").tolist()
            if rates[:, k].any()
        ]
        return ErrorReasons(names, tuple(rows), float(points.sum()))

    def _tags(self, reader: WordReader, words: Words) -> NDArray[np.int64]:
        if self.pos == "none":
            return np.zeros(len(words.full), dtype=np.int64)
        forms = reader.words(words.full)
        lines = annotate_once(
            make_annotator(self.pos, ("pos",)), [forms[a:b] for a, b in pairwise(words.offsets.tolist())]
        )
        numbers = {tag: number for number, tag in enumerate(TAGS)}
        other = numbers["OTHER"]
        return np.array([numbers.get(_LIKE.get(tag, tag), other) for line in lines for tag in line], dtype=np.int64)

    def _rates(self, hyp: _Side, ref: _Side, text: _Text, n_threads: int) -> Array:
        """Words of each kind of error by the length: array (segments, features)."""
        parts = []
        if self.errors != "addicter":
            found = classify(hyp.words, ref.words, n_threads=n_threads)
            # Hjerson labels words on both sides; of the reference's only those are errors that are missing.
            missing = np.where(found.ref_labels == CLASSES.index("missing") + 1, found.ref_labels, 0)
            parts.append(self._counted(hyp, ref, found.hyp_labels, missing, CLASSES))
        if self.errors != "hjerson":
            labels = label_errors(hyp.words, ref.words, hyp.tags, ref.tags, text.marks, text.foreign)
            parts.append(self._counted(hyp, ref, *labels, ADDICTER_CLASSES))
        return np.concatenate(parts, axis=1)

    def _counted(
        self,
        hyp: _Side,
        ref: _Side,
        hyp_labels: NDArray[np.uint8],
        ref_labels: NDArray[Any],
        classes: tuple[str, ...],
    ) -> Array:
        missing = classes.index("missing")
        counts = np.zeros((len(hyp.words.lengths), len(classes), 1 if self.pos == "none" else len(TAGS)))
        for side, labels in ((hyp, hyp_labels), (ref, ref_labels)):
            line = np.repeat(np.arange(len(side.words.lengths)), side.words.lengths)
            wrong = labels > 0
            np.add.at(counts, (line[wrong], labels[wrong].astype(np.int64) - 1, side.tags[wrong]), 1.0)
        lengths = np.where(
            np.arange(len(classes)) == missing, ref.words.lengths[:, np.newaxis], hyp.words.lengths[:, np.newaxis]
        )
        rates = ratio(counts, np.broadcast_to(lengths[..., np.newaxis].astype(np.float64), counts.shape))
        flat: Array = rates.reshape(len(rates), rates.shape[1] * rates.shape[2])
        return flat
