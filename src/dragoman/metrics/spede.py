"""SPEDE: the weight of all edits from reference to hypothesis, learnt from judgements (Wang & Manning, WMT 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.metrics.base import BestReference, Rows, mean_rows, ratio
from dragoman.metrics.meteor import STEMMED_LANGUAGES, runs
from dragoman.metrics.references import References, ScoredText
from dragoman.metrics.words import Ids, encode_lines, make_tokeniser
from dragoman.options import option
from dragoman.text import Vocabulary
from dragoman.text.languages import base_language
from dragoman.text.layers import make_annotator

__all__ = ["EDITS", "N_WEIGHTS", "Spede", "fit_spede"]

EDITS = ("insert", "delete", "word", "lemma", "punctuation", "synonym")  # in the order of the kernel
N_WEIGHTS = len(EDITS) * (len(EDITS) + 1)  # of each edit, and of each behind each
_PENALTIES = (5.0, 1.0)  # λ, from strong to weak, each fit beginning where the last one ended
_RARE = 5.0  # features expected less often than this in the training data are left out

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SpedeText:
    """Lines as ids of one vocabulary, and what the kernel wants to know of its words."""

    systems: list[Ids]
    streams: list[Ids]
    lexicon: dict[str, Any]
    words: list[str]


@dataclass(frozen=True)
class Spede(BestReference):
    """SPEDE: how heavy all ways to edit the reference into the hypothesis are, by weights learnt from judgements.

    Words are inserted, deleted, or replaced by one that matches: the same word, lemma, punctuation mark or a synonym.
    Each edit has a weight, and each edit behind another one (the paper's pFSM). The built-in weights were learnt from
    the 734 pairs of SemEval 2012's SMTeuroparl, whose judgements go from 0 to 5; `dragoman metric train` learns others.
    """

    name: ClassVar[str] = "spede"
    label_pattern: ClassVar[str] = "SPEDE"
    quick: ClassVar[bool] = False

    lang: str = option("en", positional=True, text="language of the text")
    tokeniser: str = option("13a", text="how lines are cut into words: a name, perhaps with options (moses+lang=de)")
    lemma: str = option(
        "own",
        layers=("lemma", "stem"),
        text="own (the stem), the layer lemma or stem, or an annotator (simplemma+lang=en)",
    )
    synonyms: str = option(
        "none", layers=("synsets",), text="none, the layer synsets, or an annotator (wordnet+place=FOLDER)"
    )
    weights: tuple[float, ...] = option((), text="of the edits, then of each behind each, as training finds them")
    offset: float = option(
        0.0, low=-1e6, high=1e6, text="of the judgements' scale, as training finds it; with weights only"
    )
    top: float = option(
        5.0, low=1e-6, high=1e6, text="the best judgement that weights were learnt from; with weights only"
    )
    trained: str | None = option(None, text="fingerprint of the judgements that weights were learnt from")

    def check(self) -> Self:
        """The metric itself if its options are sound."""
        super().check()
        make_tokeniser(self.tokeniser)
        if self.weights and len(self.weights) != N_WEIGHTS:
            raise DataError(f"SPEDE has {N_WEIGHTS} weights, got {len(self.weights)}.")
        for name, layers in (("lemma", ("lemma", "stem")), ("synonyms", ("synsets",))):
            value = getattr(self, name)
            if value in {"own", "none", *layers}:
                continue
            lang = getattr(make_annotator(value, layers), "lang", self.lang)
            if base_language(lang) != base_language(self.lang):
                raise DataError(f"SPEDE's {name}={value} is of {lang!r}, but the text is in {self.lang!r}.")
        return self

    @property
    def parameters(self) -> tuple[Array, float, float]:
        """Weights, offset and the best judgement."""
        if self.weights:
            return np.array(self.weights), self.offset, self.top
        return np.array(_WEIGHTS), _OFFSET, _TOP

    def signature_options(self) -> dict[str, Any]:
        """The options; weights only where they are not the metric's own."""
        return super().signature_options() | {"weights": self.weights or None}

    def prepare(self, text: ScoredText, n_threads: int) -> SpedeText:
        """All lines as ids of one vocabulary, with what is known of its words."""
        vocabulary = Vocabulary()

        def ids(lines: Sequence[str]) -> Ids:
            return encode_lines(lines, self.tokeniser, lowercase=True, vocabulary=vocabulary, n_threads=n_threads)

        systems = [ids(lines) for lines in text.systems]
        streams = [ids(text.refs.lines(number)) for number in range(len(text.refs.streams))]
        words = vocabulary.words()
        return SpedeText(systems, streams, self._lexicon(words), words)

    def reference_rows(self, prepared: SpedeText, refs: References, number: int, n_threads: int) -> Rows:  # noqa: ARG002
        """A segment's score against one of the references, and 1."""
        weights, offset, top = self.parameters
        ref = prepared.streams[number]
        scores = []
        for hyp in prepared.systems:
            sums, _ = _core.metrics.spede(*hyp, *ref, **prepared.lexicon, weights=weights, n_threads=n_threads)
            scores.append(per_word(sums, hyp, ref) + offset)
        return mean_rows(100.0 * np.clip(np.stack(scores) / top, 0.0, 1.0))

    def values(self, totals: Rows) -> Array:
        """Means of segment scores."""
        totals = np.asarray(totals, dtype=np.float64)
        return ratio(totals[..., 0], totals[..., 1])

    def scripts(
        self, hyps: Sequence[str], ref: Sequence[str], *, n_threads: int = 1
    ) -> list[list[tuple[str, str, str]]]:
        """The heaviest edit sequence of each segment: edits, each with the words of reference and hypothesis."""
        prepared = self.prepare(ScoredText.of_streams([hyps], [ref], None), n_threads)
        (hyp,), (reference,) = prepared.systems, prepared.streams
        codes, offsets = _core.metrics.spede_scripts(
            *hyp, *reference, **prepared.lexicon, weights=self.parameters[0], n_threads=n_threads
        )
        lines = zip(
            pairwise(offsets.tolist()), _lines(hyp, prepared.words), _lines(reference, prepared.words), strict=True
        )
        return [_script(codes[a:b].tolist(), iter(ours), iter(theirs)) for (a, b), ours, theirs in lines]

    def _lexicon(self, words: list[str]) -> dict[str, Any]:
        lemmas, synsets = words, [()] * len(words)
        if self.lemma != "own" or base_language(self.lang) in STEMMED_LANGUAGES:
            maker = f"snowball+lang={self.lang}" if self.lemma == "own" else self.lemma
            lemmas = make_annotator(maker, ("lemma", "stem")).annotate([words])[0]
        if self.synonyms != "none":
            synsets = make_annotator(self.synonyms, ("synsets",)).annotate([words])[0]
        numbers = Vocabulary()
        return {
            "lemmas": Vocabulary().ids(list(lemmas)),
            "punctuation": np.array([not any(map(str.isalnum, word)) for word in words], dtype=np.uint8),
            **runs("synset", [np.sort(numbers.ids(list(each))).tolist() for each in synsets], "synsets"),
        }


def per_word(sums: Array, hyp: Ids, ref: Ids) -> Array:
    """Logarithms by the number of words on both sides; 0 where there are none."""
    return ratio_signed(sums, (np.diff(hyp[1]) + np.diff(ref[1])).astype(np.float64))


def ratio_signed(part: Array, whole: Array) -> Array:
    """The part by the whole, and 0 where the whole is nothing; the part may be negative."""
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), 0.0)


def fit_spede(start: Spede, text: ScoredText, judgements: Array, *, top: float, n_threads: int = 1) -> Spede:
    """SPEDE with the weights and the offset that come nearest to judgements of the first system (equation 3).

    The squares are not convex in the weights, against what the paper says: the offset begins at the judgements' mean,
    and the penalty on the weights is lowered step by step.
    """
    from scipy.optimize import minimize

    prepared = start.prepare(text, n_threads)
    hyp, ref = prepared.systems[0], prepared.streams[0]

    def sums(weights: Array) -> tuple[Array, Array]:
        values, gradient = _core.metrics.spede(
            *hyp, *ref, **prepared.lexicon, weights=weights, gradient=True, n_threads=n_threads
        )
        return per_word(values, hyp, ref), gradient / np.maximum(np.diff(hyp[1]) + np.diff(ref[1]), 1)[:, np.newaxis]

    counts = _core.metrics.spede(
        *hyp, *ref, **prepared.lexicon, weights=np.zeros(N_WEIGHTS), gradient=True, n_threads=n_threads
    )[1].sum(axis=0)
    used = counts >= _RARE

    def loss(point: Array, penalty: float) -> tuple[float, Array]:
        weights = np.where(used, point[:-1], 0.0)
        predicted, slopes = sums(weights)
        error = predicted + point[-1] - judgements
        gradient = 2 * np.append((error @ slopes + penalty * weights) * used, error.sum())
        return float(error @ error + penalty * weights @ weights), gradient

    point = np.append(np.zeros(N_WEIGHTS), judgements.mean())
    for penalty in _PENALTIES:
        point = minimize(loss, point, args=(penalty,), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    weights = tuple(round(float(each), 6) for each in np.where(used, point[:-1], 0.0))
    return replace(start, weights=weights, offset=round(float(point[-1]), 6), top=top)


def _lines(text: Ids, words: list[str]) -> list[list[str]]:
    ids, offsets = text
    return [[words[number] for number in ids[a:b].tolist()] for a, b in pairwise(offsets.tolist())]


def _script(codes: list[int], hyp: Any, ref: Any) -> list[tuple[str, str, str]]:
    steps = []
    for code in codes:
        edit = EDITS[code]
        theirs = "" if edit == "insert" else next(ref)
        ours = "" if edit == "delete" else next(hyp)
        steps.append((edit, theirs, ours))
    return steps


# Learnt by `fit_spede` from the 734 pairs of SMTeuroparl.train (SemEval 2012, task 6), without synonyms.
_WEIGHTS = (
    *(-1.128369, -1.57014, 1.174259, 0.046425, 0.128929, 0.0),  # each
    *(-2.876014, 1.23664, 0.782982, 0.004713, -0.094957, 0.0),  # behind insert
    *(1.259056, -2.083424, -0.289167, -0.030507, -0.228884, 0.0),  # behind delete
    *(0.356751, -0.569392, 0.984118, 0.0, 0.386995, 0.0),  # behind word
    *(0.0208, -0.023409, 0.0, 0.0, 0.0, 0.0),  # behind lemma
    *(0.103945, -0.049984, -0.043997, 0.0, 0.0, 0.0),  # behind punctuation
    *(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),  # behind synonym
)
_OFFSET, _TOP = 4.134622, 5.0
