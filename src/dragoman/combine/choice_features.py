"""What speaks for one of several outputs of a segment, without a reference and without a word from inside the systems.

The features of DFKI's selection (WMT 2012): other systems' outputs are pseudo-references, never a system's own. With
sources there are the scores of a lexical model in both directions, with a language model its probability; and how far
an output looks like good and bad examples (Soricut & Narsale, WMT 2012).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dragoman.align.base import ALIGNERS
from dragoman.lm.model import KneserNey, LanguageModel
from dragoman.metrics.bleu import Bleu
from dragoman.metrics.chrf import ChrfPlusPlus
from dragoman.metrics.classer import CLASSES, WordReader, class_rates, classify
from dragoman.qe.selection.examples import Examples
from dragoman.stats.arrays import Floats
from dragoman.text.base import TOKENISERS

__all__ = ["Examples", "candidate_features"]

_ORDERS = 4
_INPUTS_ORDER = 3
_BLEU = Bleu(tokeniser="none")
_SENTENCE = Bleu(tokeniser="none", smoothing="add-k", effective_order=False)  # Lin & Och, COLING 2004


def candidate_features(
    systems: Mapping[str, Sequence[str]],
    *,
    srcs: Sequence[str] | None = None,
    lm: LanguageModel | None = None,
    examples: Examples | None = None,
    n_threads: int = 1,
) -> tuple[tuple[str, ...], Floats]:
    """Names, and an array (segments, systems, features) of tokenised outputs."""
    outputs = [list(lines) for lines in systems.values()]
    columns: dict[str, Floats] = {}  # each (systems, segments)
    columns |= _agreement(outputs, n_threads)
    columns |= _error_classes(outputs, n_threads)
    columns["words"] = np.array([[len(line.split()) for line in lines] for lines in outputs], dtype=np.float64)
    inputs = KneserNey(order=_INPUTS_ORDER).train([line for lines in outputs for line in lines], n_threads=n_threads)
    columns["inputs-lm"] = _log_p(inputs, outputs, n_threads)
    if lm is not None:
        columns["lm"] = _log_p(lm, outputs, n_threads)
    if srcs is not None:
        columns |= _lexical(srcs, outputs, n_threads)
    if examples is not None and examples.good:
        both = [examples.likeness(lines) for lines in outputs]
        columns["like-good"], columns["like-bad"] = (np.array([each[:, k] for each in both]) for k in (0, 1))
    return tuple(columns), np.stack(list(columns.values()), axis=-1).transpose(1, 0, 2)


def _agreement(outputs: Sequence[list[str]], n_threads: int) -> dict[str, Floats]:
    """BLEU of all of a system's outputs, and smoothed BLEU and chrF++ of each, against the others'."""
    whole, several, single, letters = [], [], [], []
    for s, lines in enumerate(outputs):
        others = [other for o, other in enumerate(outputs) if o != s]
        rows = _BLEU.stats(lines, others, n_threads=n_threads)
        whole.append(np.full(len(lines), _BLEU.value(rows.sum(axis=0)) / 100))
        several.append(_SENTENCE.values(rows) / 100)
        pairs = [_SENTENCE.values(_BLEU.stats(lines, [other], n_threads=n_threads)) / 100 for other in others]
        single.append(np.mean(pairs, axis=0))
        marks = [ChrfPlusPlus().segments(lines, [other], n_threads=n_threads) / 100 for other in others]
        letters.append(np.mean(marks, axis=0))
    names = ("cross-bleu", "bleu-several", "bleu-mean", "chrf-mean")
    return dict(zip(names, map(np.array, (whole, several, single, letters)), strict=True))


def _error_classes(outputs: Sequence[list[str]], n_threads: int) -> dict[str, Floats]:
    """Word error rate and the rates of Hjerson's classes, against the nearest of the others' outputs."""
    reader = WordReader(tokeniser="none")
    words = [reader.read(lines, n_threads=n_threads) for lines in outputs]
    table = []
    for s, hyp in enumerate(words):
        compared = [classify(hyp, other, n_threads=n_threads) for o, other in enumerate(words) if o != s]
        wer = np.stack([np.minimum(each.error_rates(), 10.0) for each in compared])
        nearest = wer.argmin(axis=0)
        rates = np.stack([class_rates(each.rows())[:, : len(CLASSES)] / 100 for each in compared])
        chosen = rates[nearest, np.arange(len(nearest))]
        table.append(np.column_stack([wer.mean(axis=0), chosen]))
    names = ("wer", *(f"errors-{name}" for name in CLASSES))
    return {name: np.array([each[:, k] for each in table]) for k, name in enumerate(names)}


def _log_p(lm: LanguageModel, outputs: Sequence[list[str]], n_threads: int) -> Floats:
    """log10 of the probability of each output."""
    return np.array([lm.score(lines, n_threads=n_threads) for lines in outputs])


def _lexical(srcs: Sequence[str], outputs: Sequence[list[str]], n_threads: int) -> dict[str, Floats]:
    """Log-probabilities of outputs given sources and the other way round by IBM model 1, for each word."""
    cut = TOKENISERS.make("13a").tokenise([line.lower() for line in srcs], n_threads=n_threads)
    _, aligned = ALIGNERS.make("ibm1").train_and_align(
        cut * len(outputs), [line for lines in outputs for line in lines], n_threads=n_threads
    )
    shape = len(outputs), len(srcs)
    lengths = [np.maximum(1, np.diff(side.offsets)).reshape(shape) for side in (aligned.target, aligned.source)]
    sides = (aligned.log_p_forward, aligned.log_p_backward)
    names = ("ibm1", "ibm1-back")
    return {name: side.reshape(shape) / n for name, side, n in zip(names, sides, lengths, strict=True)}
