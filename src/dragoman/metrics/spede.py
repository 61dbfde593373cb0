"""SPEDE: the weight of all edits from reference to hypothesis, learnt from judgements (Wang & Manning, WMT 2012)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.cache import digest_of
from dragoman.errors import DataError
from dragoman.files import read_bytes
from dragoman.metrics.base import BestReference, Rows, mean_rows, ratio
from dragoman.metrics.meteor import STEMMED_LANGUAGES, runs
from dragoman.metrics.paraphrase_tables import read_paraphrases
from dragoman.metrics.references import References, ScoredText
from dragoman.metrics.spede_reasons import EditReasons
from dragoman.metrics.spede_weights import WITH_JUMPS, WITHOUT_JUMPS
from dragoman.metrics.words import Ids, encode_lines, make_tokeniser
from dragoman.options import option
from dragoman.text import Vocabulary
from dragoman.text.languages import base_language
from dragoman.text.layers import make_annotator

__all__ = ["EDITS", "N_WEIGHTS", "Spede", "fit_spede"]

EDITS = (
    *("insert", "delete", "word", "lemma", "punctuation", "synonym", "paraphrase"),
    *("jump ahead", "jump back", "jump on"),  # in the hypothesis
    *("reference ahead", "reference back", "reference on"),
)  # in the order of the kernel
N_WEIGHTS = len(EDITS) * (len(EDITS) + 1)  # of each edit, and of each behind each
_PENALTIES = (5.0, 1.0, 0.2)  # λ, from strong to weak, each fit beginning where the last one ended
_FOLDS = 5  # of the training data, by which λ is chosen
_ROUNDS = 200  # of L-BFGS
_TOP = 5.0  # of the judgements that the built-in weights were learnt from
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

    Words are inserted, deleted, or replaced by such that match: the same word, lemma, punctuation mark, a synonym or a
    paraphrase of up to two words. Each edit has a weight, and each edit behind another one (the paper's pFSM). With
    `jump` two parts of so many words may swap their places (its pPDA). The built-in weights were learnt from the 734
    pairs of SemEval 2012's SMTeuroparl, whose judgements go from 0 to 5; `dragoman metric train` learns others.
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
    paraphrases: str = option("none", text="none, or a file of them, as `dragoman paraphrases` writes it")
    jump: int = option(0, low=0, high=10, text="words that a jump, and each part that it swaps, may have; 0: none")
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
        rows, offset = WITH_JUMPS if self.jump else WITHOUT_JUMPS
        return _flat(rows), offset, _TOP

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
        return SpedeText(systems, streams, self._lexicon(vocabulary, [*systems, *streams]), vocabulary.words())

    def reference_rows(self, prepared: SpedeText, refs: References, number: int, n_threads: int) -> Rows:  # noqa: ARG002
        """A segment's score against one of the references, and 1."""
        weights, offset, top = self.parameters
        ref = prepared.streams[number]
        scores = []
        for hyp in prepared.systems:
            sums, _ = _core.metrics.spede(
                *hyp, *ref, **prepared.lexicon, weights=weights, jump=self.jump, n_threads=n_threads
            )
            scores.append(per_word(sums, hyp, ref) + offset)
        return mean_rows(100.0 * np.clip(np.stack(scores) / top, 0.0, 1.0))

    def values(self, totals: Rows) -> Array:
        """Means of segment scores."""
        totals = np.asarray(totals, dtype=np.float64)
        return ratio(totals[..., 0], totals[..., 1])

    def resources(self) -> dict[str, str]:
        """The paraphrases, by the digest of their file."""
        return {} if self.paraphrases == "none" else {"paraphrases": digest_of(read_bytes(self.paraphrases))}

    def scripts(
        self, hyps: Sequence[str], ref: Sequence[str], *, n_threads: int = 1
    ) -> list[list[tuple[str, str, str]]]:
        """The heaviest edit sequence of each segment: edits, each with the words of reference and hypothesis."""
        prepared = self.prepare(ScoredText.of_streams([hyps], [ref], None), n_threads)
        (hyp,), (reference,) = prepared.systems, prepared.streams
        steps, offsets = _core.metrics.spede_scripts(
            *hyp, *reference, **prepared.lexicon, weights=self.parameters[0], jump=self.jump, n_threads=n_threads
        )
        ours, theirs = (_lines(each, prepared.words) for each in (hyp, reference))
        return [
            [
                (EDITS[edit], " ".join(theirs[line][a:b]), " ".join(ours[line][c:d]))
                for edit, a, b, c, d in steps[begin:end].tolist()
            ]
            for line, (begin, end) in enumerate(pairwise(offsets.tolist()))
        ]

    def reasons(
        self, a: Sequence[str], b: Sequence[str], ref: Sequence[str], *, names: tuple[str, str] = ("A", "B")
    ) -> EditReasons:
        """Why one output scores more than another: the edits of each, and those of the segments that differ most."""
        scores = self.segments(a, [ref]), self.segments(b, [ref])
        return EditReasons(names, scores, (self.scripts(a, ref), self.scripts(b, ref)))

    def _lexicon(self, vocabulary: Vocabulary, texts: list[Ids]) -> dict[str, Any]:
        words = vocabulary.words()
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
            "blocks": self._blocks(texts, words),
        }

    def _blocks(self, texts: list[Ids], words: list[str]) -> NDArray[np.int32]:
        """Paraphrases of one or two words: array (paraphrases, 4), -1 where there is no second word."""
        if self.paraphrases == "none":
            return np.zeros((0, 4), dtype=np.int32)
        phrases = read_paraphrases(self.paraphrases).pairs_in(texts, words)
        pairs = [(one, other) for one, other in zip(phrases[::2], phrases[1::2], strict=True) if len(one + other) <= 4]
        rows = [[*one, -1][:2] + [*other, -1][:2] for one, other in pairs if len(one) <= 2 and len(other) <= 2]
        return np.array(rows, dtype=np.int32).reshape(-1, 4)


def per_word(sums: Array, hyp: Ids, ref: Ids) -> Array:
    """Logarithms by the number of words on both sides; 0 where there are none."""
    return ratio_signed(sums, (np.diff(hyp[1]) + np.diff(ref[1])).astype(np.float64))


def ratio_signed(part: Array, whole: Array) -> Array:
    """The part by the whole, and 0 where the whole is nothing; the part may be negative."""
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), 0.0)


def fit_spede(
    start: Spede,
    text: ScoredText,
    judgements: Array,
    *,
    top: float,
    penalty: float | None = None,
    n_threads: int = 1,
) -> Spede:
    """SPEDE with the weights and the offset that come nearest to judgements of the first system (equation 3).

    The squares are not convex in the weights, against what the paper says: the offset begins at the judgements' mean,
    and the penalty on the weights is lowered step by step, to where folds of the judgements say if it is not told.
    """
    prepared = start.prepare(text, n_threads)

    def fit(rows: NDArray[np.int64], penalties: Sequence[float]) -> list[Array]:
        part = _part(prepared, rows)
        return list(_path(*part, judgements[rows], prepared.lexicon, start.jump, penalties, n_threads))

    def error(point: Array, rows: NDArray[np.int64]) -> float:
        hyp, ref = _part(prepared, rows)
        kernel = {**prepared.lexicon, "weights": point[:-1].copy(), "jump": start.jump, "n_threads": n_threads}
        sums, _ = _core.metrics.spede(*hyp, *ref, **kernel)
        return float(np.square(per_word(sums, hyp, ref) + point[-1] - judgements[rows]).sum())

    rows = np.arange(len(judgements))
    if penalty is None:
        errors = np.zeros(len(_PENALTIES))
        for fold in range(_FOLDS):
            held, rest = rows[rows % _FOLDS == fold], rows[rows % _FOLDS != fold]
            errors += [error(point, held) for point in fit(rest, _PENALTIES)]
        penalty = _PENALTIES[int(errors.argmin())]
    point = fit(rows, [each for each in _PENALTIES if each > penalty] + [penalty])[-1]
    weights = tuple(round(float(each), 6) for each in point[:-1])
    return replace(start, weights=weights, offset=round(float(point[-1]), 6), top=top)


def _path(
    hyp: Ids,
    ref: Ids,
    judgements: Array,
    lexicon: dict[str, Any],
    jump: int,
    penalties: Sequence[float],
    n_threads: int,
) -> Iterator[Array]:
    """Weights and offset by each penalty in turn; features that the data hardly have stay 0."""
    from scipy.optimize import minimize

    lengths = np.maximum(np.diff(hyp[1]) + np.diff(ref[1]), 1).astype(np.float64)

    def sums(weights: Array) -> tuple[Array, Array]:
        return _core.metrics.spede(
            *hyp, *ref, **lexicon, weights=weights, jump=jump, gradient=True, n_threads=n_threads
        )

    used = sums(np.zeros(N_WEIGHTS))[1].sum(axis=0) >= _RARE

    def loss(point: Array, penalty: float) -> tuple[float, Array]:
        weights = np.where(used, point[:-1], 0.0)
        values, slopes = sums(weights)
        error = values / lengths + point[-1] - judgements
        gradient = 2 * np.append(((error / lengths) @ slopes + penalty * weights) * used, error.sum())
        return float(error @ error + penalty * weights @ weights), gradient

    point = np.append(np.zeros(N_WEIGHTS), judgements.mean())
    for penalty in penalties:
        point = minimize(loss, point, args=(penalty,), jac=True, method="L-BFGS-B", options={"maxiter": _ROUNDS}).x
        yield np.append(np.where(used, point[:-1], 0.0), point[-1])


def _part(prepared: SpedeText, rows: NDArray[np.int64]) -> tuple[Ids, Ids]:
    """Some segments of the first system and of the first reference."""
    return _rows(prepared.systems[0], rows), _rows(prepared.streams[0], rows)


def _rows(text: Ids, rows: NDArray[np.int64]) -> Ids:
    ids, offsets = text
    parts = [ids[offsets[row] : offsets[row + 1]] for row in rows.tolist()]
    ends = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return np.concatenate([*parts, ids[:0]]), ends


def _lines(text: Ids, words: list[str]) -> list[list[str]]:
    ids, offsets = text
    return [[words[number] for number in ids[a:b].tolist()] for a, b in pairwise(offsets.tolist())]


def _flat(rows: dict[str, dict[str, float]]) -> Array:
    """Weights as the kernel takes them."""
    return np.array([rows.get(before, {}).get(edit, 0.0) for before in ("", *EDITS) for edit in EDITS])
