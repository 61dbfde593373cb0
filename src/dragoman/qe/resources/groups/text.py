"""What the text of a side gives: language models, counts of n-grams, its lines, an index of good sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dragoman.lm import KneserNey
from dragoman.qe.resources.declared import Corpus, Group, Resource, language_model
from dragoman.qe.resources.material import Material
from dragoman.qe.resources.ngrams import NgramCounts, NgramRecipe
from dragoman.qe.resources.similarity import GoodText, GoodTextRecipe

__all__ = ["CORPORA", "GOOD_TEXT", "LONG_MODELS", "TEXT_MODELS"]


def _text_models(text: Material) -> dict[str, Any]:
    source, target, n_threads = text.text("source"), text.text("target"), text.n_threads
    return {
        "source_lm": KneserNey(order=3).train(source, n_threads=n_threads),
        "target_lm": KneserNey(order=5).train(target, n_threads=n_threads),
        "source_backward_lm": KneserNey(order=3).train(_backward(source), n_threads=n_threads),
        "target_backward_lm": KneserNey(order=3).train(_backward(target), n_threads=n_threads),
        "ngrams": NgramRecipe(order=5).train(source),
        "target_ngrams": NgramRecipe(order=5).train(target),
    }


def _corpora(text: Material) -> dict[str, Any]:
    return {f"{side}_corpus": tuple(dict.fromkeys(text.lines(side))) for side in ("source", "target")}


def _long_models(text: Material) -> dict[str, Any]:
    lines = {
        "source_5_lm": text.text("source"),
        "source_backward_5_lm": _backward(text.text("source")),
        "target_backward_5_lm": _backward(text.text("target")),
    }
    return {name: KneserNey(order=5).train(each, n_threads=text.n_threads) for name, each in lines.items()}


def _good_text(text: Material) -> dict[str, Any]:
    return {f"{side}_good_text": GoodTextRecipe().train(text.text(side)) for side in ("source", "target")}


def _backward(lines: Sequence[str]) -> list[str]:
    return [" ".join(reversed(line.split())) for line in lines]


TEXT_MODELS = Group(
    "text-models",
    (
        language_model("source_lm", "language model of the source side, of order 3"),
        language_model("target_lm", "language model of the target side, of order 5"),
        language_model("source_backward_lm", "language model of the source's words from right to left, of order 3"),
        language_model("target_backward_lm", "language model of the target's words from right to left, of order 3"),
        Resource("ngrams", "counts of the source side's n-grams", NgramCounts),
        Resource("target_ngrams", "counts of the target side's n-grams", NgramCounts),
    ),
    _text_models,
)
CORPORA = Group(
    "corpora",
    (
        Corpus("source_corpus", "the different lines of the source side"),
        Corpus("target_corpus", "the different lines of the target side"),
    ),
    _corpora,
)
LONG_MODELS = Group(
    "long-models",
    (
        language_model("source_5_lm", "language model of the source side, of order 5"),
        language_model("source_backward_5_lm", "language model of the source's words from right to left, of order 5"),
        language_model("target_backward_5_lm", "language model of the target's words from right to left, of order 5"),
    ),
    _long_models,
    extra=True,
)
GOOD_TEXT = Group(
    "good-text",
    (
        Resource("source_good_text", "index of the source side's n-grams and skip-grams", GoodText),
        Resource("target_good_text", "index of the target side's n-grams and skip-grams", GoodText),
    ),
    _good_text,
    extra=True,
)
