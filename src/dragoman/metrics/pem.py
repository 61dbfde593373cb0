"""PEM: how good a paraphrase is, by its meaning in another language (Liu, Dahlmeier & Ng, EMNLP 2010)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.learn.base import Job
from dragoman.learn.predictors import Kernel
from dragoman.learn.svr import SupportVectors
from dragoman.lm import LanguageModel
from dragoman.metrics.base import BestReference, Rows, mean_rows, ratio
from dragoman.metrics.meteor import flat_ids
from dragoman.metrics.pivots import PivotTable, open_pivots, resource_digest
from dragoman.metrics.references import References, ScoredText
from dragoman.metrics.words import Ids
from dragoman.options import option
from dragoman.text.languages import base_language

__all__ = ["PARTS", "Pem", "fit_pem"]

PARTS = ("overall", "adequacy", "fluency", "dissimilarity")
_ORDER = 4
_LEAST_WEIGHT = 0.01  # n-grams of the pivot that are expected so seldom are left out
_WIDTH = 1.0  # γ of the kernel, SVMlight's default
_EPSILON = 0.1  # errors that cost nothing, in spreads of the judgements

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Text:
    """Lines as words, and as ids of the words of a table of pivots."""

    table: PivotTable
    lexicon: dict[str, Any]  # of the pivot's tokens
    systems: list[Ids]
    streams: list[Ids]
    fluency: Array  # log10 p of a word, by system and segment


@dataclass(frozen=True)
class Pem(BestReference):
    """PEM: a paraphrase is good if it means the same, reads well and uses other words.

    The reference is the original. Adequacy is the F of the n-grams of both sentences' translations into a pivot, by a
    table that `dragoman metric pivots` makes (with `--punctuation keep`); fluency the probability of a word by a
    language model; dissimilarity what n-grams of the sentences themselves do not share. Support vectors with a Gaussian
    kernel join the three to what people said (`dragoman metric train pem`): other words are good only where the meaning
    is kept. Until then the score is adequacy alone. `part` gives any of the three, from 0 to 100.
    """

    name: ClassVar[str] = "pem"
    label_pattern: ClassVar[str] = "PEM"
    quick: ClassVar[bool] = False

    lang: str = option("en", positional=True, text="language of the text")
    pivots: str = option("", text="folder of a table of pivots, as `dragoman metric pivots` makes it")
    lm: str = option("", text="language model for fluency: a folder, or an ARPA file, of words in small letters")
    part: str = option("overall", choices=PARTS, text="the score as a whole, or one part of it")
    support: tuple[float, ...] = option((), text="support vectors and their coefficients, as training finds them")
    offset: float = option(0.0, low=-1e6, high=1e6, text="of the judgements' scale; with support only")
    top: float = option(5.0, low=1e-6, high=1e6, text="the best judgement; with support only")
    trained: str | None = option(None, text="fingerprint of the judgements that it learnt from")

    def check(self) -> Self:
        """The metric itself if its options are sound and its resources are there."""
        super().check()
        if not self.pivots:
            raise DataError(
                "PEM looks meanings up in another language: make a table of pivots from a bitext with "
                "dragoman metric pivots, and say pem:pivots=FOLDER."
            )
        lang = open_pivots(self.pivots).recipe.lang
        if base_language(lang) != base_language(self.lang):
            raise DataError(f"PEM's pivots={self.pivots} are of {lang!r}, but the text is in {self.lang!r}.")
        if (self.support or self.part == "fluency") and not self.lm:
            raise DataError("PEM's fluency asks a language model: say lm=FOLDER, as dragoman lm build makes it.")
        if self.lm and not Path(self.lm).exists():
            raise DataError(f"There is no language model {self.lm}. Estimate one with dragoman lm build.")
        if len(self.support) % 4:
            raise DataError(
                f"PEM's support has three features and a coefficient a vector, got {len(self.support)} numbers."
            )
        return self

    def signature_options(self) -> dict[str, Any]:
        """The options without the support vectors, for which the fingerprint stands; and what the resources hold."""
        return super().signature_options() | {"support": None, "resources": list(self.resources().values())}

    def resources(self) -> dict[str, str]:
        """The table of pivots and the language model, by their digests."""
        return {name: resource_digest(path) for name in ("pivots", "lm") if (path := getattr(self, name))}

    def prepare(self, text: ScoredText, n_threads: int) -> _Text:
        """All lines as ids of the table's words, and how fluent the systems' are."""
        table = open_pivots(self.pivots)
        vocabulary = table.words.thawed()

        def cut(lines: Sequence[str]) -> list[list[str]]:
            _core.text.check_lines(list(lines))  # lone surrogates
            return table.recipe.words(lines, self.lang)

        words = [cut(lines) for lines in text.systems]
        systems = [flat_ids(lines, vocabulary) for lines in words]
        streams = [flat_ids(cut(text.refs.lines(number)), vocabulary) for number in range(len(text.refs.streams))]
        lexicon = _plain_lexicon(len(table.kinds) + len(vocabulary))
        return _Text(table, lexicon, systems, streams, self._fluency(words, n_threads))

    def reference_rows(self, prepared: _Text, refs: References, number: int, n_threads: int) -> Rows:  # noqa: ARG002
        """A segment's score against one of the originals, and 1."""
        return mean_rows(100.0 * self.combined(self.reference_features(prepared, number, n_threads)))

    def reference_features(self, prepared: _Text, number: int, n_threads: int) -> Array:
        """F in the pivot, log10 p of a word, F in the language itself: array (systems, segments, 3)."""
        ref, core = prepared.streams[number], prepared.table.core
        features = []
        for hyp, fluency in zip(prepared.systems, prepared.fluency, strict=True):
            adequacy = _f1(
                core.rows(*hyp, *ref, **prepared.lexicon, order=_ORDER, least=_LEAST_WEIGHT, n_threads=n_threads)
            )
            features.append(np.stack([adequacy, fluency, _likeness(hyp, ref)], axis=-1))
        return np.stack(features)

    def combined(self, features: Array) -> Array:
        """The score from 0 to 1 that the three features make."""
        adequacy, fluency, likeness = np.moveaxis(features, -1, 0)
        if self.part != "overall":
            parts: dict[str, Array] = {
                "adequacy": adequacy,
                "fluency": 10.0**fluency,
                "dissimilarity": 1.0 - likeness,
            }
            return parts[self.part]
        if not self.support:
            return np.asarray(adequacy)
        rows = np.array(self.support).reshape(-1, 4)
        kernel = Kernel(rows[:, :3].copy(), rows[:, 3].copy(), np.array(self.offset), np.array(_WIDTH))
        scores = kernel.predict(features.reshape(-1, 3)).reshape(features.shape[:-1])
        return np.clip(scores / self.top, 0.0, 1.0)

    def values(self, totals: Rows) -> Array:
        """Means of segment scores."""
        totals = np.asarray(totals, dtype=np.float64)
        return ratio(totals[..., 0], totals[..., 1])

    def _fluency(self, systems: Sequence[Sequence[Sequence[str]]], n_threads: int) -> Array:
        if not self.lm:
            return np.zeros((len(systems), len(systems[0]) if systems else 0))
        model = LanguageModel.open(self.lm)
        scores = []
        for lines in systems:
            lengths = np.array([1 + len(words) for words in lines], dtype=np.float64)  # with the sentence's end
            scores.append(model.score([" ".join(words) for words in lines], n_threads=n_threads) / lengths)
        return np.stack(scores)


def fit_pem(start: Pem, features: Array, judgements: Array, *, top: float, c: float) -> Pem:
    """PEM with the support vectors that join its features to judgements."""
    learner = SupportVectors()
    learner.ready()
    mean, spread = float(judgements.mean()), float(judgements.std())
    setting = {"c": c, "epsilon": _EPSILON, "gamma": _WIDTH}
    found: Any = learner.fit(features, (judgements - mean) / spread, setting, Job(("adequacy", "fluency", "likeness")))
    rows = np.column_stack([found.vectors, found.coefficients * spread])
    support = tuple(round(float(each), 5) for each in rows.ravel())
    return replace(start, support=support, offset=round(float(found.intercept) * spread + mean, 6), top=top)


def _likeness(hyp: Ids, ref: Ids) -> Array:
    """F of the n-grams of sentences as they stand."""
    values = []
    for ours, theirs in zip(_bags(hyp), _bags(ref), strict=True):
        whole = ours.total() + theirs.total()
        values.append(2.0 * (ours & theirs).total() / whole if whole else 1.0)
    return np.array(values, dtype=np.float64)


def _bags(text: Ids) -> Iterator[Counter[tuple[int, ...]]]:
    ids, offsets = text
    for a, b in pairwise(offsets.tolist()):
        words = ids[a:b].tolist()
        yield Counter(tuple(words[at : at + n]) for n in range(1, _ORDER + 1) for at in range(len(words) - n + 1))


def _plain_lexicon(n: int) -> dict[str, Any]:
    """Tokens that are alike if they are the same, and all of one weight."""
    ids = np.arange(n, dtype=np.int32)
    return {"lemmas": ids, "tags": ids, "function_words": np.zeros(n, dtype=np.uint8)}


def _f1(rows: Array) -> Array:
    """F of n-grams of all orders together; two sentences without words are the same."""
    matched, _, ours, theirs = np.moveaxis(rows.reshape(len(rows), _ORDER, 4).sum(axis=1), -1, 0)
    return ratio(2.0 * matched, ours + theirs, otherwise=1.0)
