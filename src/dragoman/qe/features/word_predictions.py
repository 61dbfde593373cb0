"""Features of sentences from labels that a word model predicts (FBK, WMT 2014: wpred)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.qe.confusion import OK
from dragoman.qe.features.agreement import join_features
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.resources import Parsed, Resources
from dragoman.qe.resources.parses import SentenceParser
from dragoman.qe.words.model import WordModel, WordPredictions, WordRecipe
from dragoman.stats.arrays import Floats

__all__ = ["held_out_word_features", "predicted_word_features", "word_prediction_features"]

_LENGTHS = (2, 3, 4, 5)
_SHORT = 3  # letters: what stands in for function words where no list of them is at hand
NAMES = (
    "words-ok",
    "words-ok-short",
    "words-ok-long",
    "words-longest-ok",
    "words-longest-bad",
    *(f"words-ok-{n}-grams" for n in _LENGTHS),
    "words-ok-first-half",
    "words-ok-second-half",
    "words-ok-first-quarter",
    "words-ok-second-quarter",
    "words-p-mean",
    "words-p-worst",
    "words-p-log",
)


# With a parser of the target language: of function and content words and of five parts of speech.
_TAGS = {
    "function": "ADP+AUX+CCONJ+DET+PART+PRON+SCONJ",
    "content": "NOUN+PROPN+VERB+ADJ+ADV+NUM",
    "noun": "NOUN",
    "verb": "VERB",
    "name": "PROPN",
    "adjective": "ADJ",
    "pronoun": "PRON",
}


def word_prediction_features(predictions: WordPredictions, parser: SentenceParser | None = None) -> FeatureTable:
    """What predicted labels of words say of each sentence.

    Shares of OK among all words, words of up to three letters (for function words) and longer ones, the longest run of
    OK and of errors in its kind, n-grams of 2 to 5 words that are OK throughout, OK in the halves and the first two
    quarters; then mean and highest probability of an error, and the mean of ln P(OK). With a parser of the target
    language, shares of OK among function and content words, nouns, verbs, proper names, adjectives and pronouns, too.
    A share of nothing is 1.
    """
    if predictions.unit != "word":
        raise DataError(f"Features of sentences are made of labels of words, got those of {predictions.unit}s.")
    rows = [
        _row(np.array([label == OK for label in labels], dtype=bool), words, np.array(p_error))
        for labels, words, p_error in zip(predictions.labels, predictions.words, predictions.p_error, strict=True)
    ]
    table = FeatureTable.of(NAMES, np.array(rows).reshape(len(rows), len(NAMES)))
    return table if parser is None else join_features(table, _by_tag(predictions, Parsed.of(parser, predictions.words)))


def _by_tag(predictions: WordPredictions, parsed: Parsed) -> FeatureTable:
    ok = np.array([label == OK for labels in predictions.labels for label in labels], dtype=bool)
    columns = []
    for tags in _TAGS.values():
        chosen = parsed.tagged(tags)
        n = parsed.count(chosen)
        columns.append(np.where(n > 0, parsed.count(chosen & ok) / np.maximum(n, 1.0), 1.0))
    return FeatureTable.of([f"words-ok-{name}" for name in _TAGS], np.column_stack(columns))


def _row(ok: np.ndarray[tuple[int], np.dtype[np.bool_]], words: Sequence[str], p_error: Floats) -> list[float]:
    n = len(ok)
    short = np.array([len(word) <= _SHORT for word in words], dtype=bool)
    row = [_share(ok), _share(ok[short]), _share(ok[~short])]
    row += [_longest(ok) / max(1, int(ok.sum())), _longest(~ok) / max(1, int((~ok).sum()))]
    for length in _LENGTHS:
        row.append(_share(np.array([ok[at : at + length].all() for at in range(n - length + 1)], dtype=bool)))
    half, quarter = (n + 1) // 2, (n + 3) // 4
    row += [_share(ok[:half]), _share(ok[half:]), _share(ok[:quarter]), _share(ok[quarter:half])]
    if not n:
        return [*row, 0.0, 0.0, 0.0]
    return [*row, float(p_error.mean()), float(p_error.max()), float(np.log(np.maximum(1 - p_error, 1e-6)).mean())]


def _share(ok: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
    return float(ok.mean()) if len(ok) else 1.0


def _longest(flags: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
    best = run = 0
    for flag in flags.tolist():
        run = run + 1 if flag else 0
        best = max(best, run)
    return best


def predicted_word_features(
    model: WordModel,
    sources: Sequence[str],
    outputs: Sequence[str],
    resources: Resources | None = None,
    *,
    n_threads: int = 1,
) -> FeatureTable:
    """The features of sentences that the word model was not trained on."""
    predictions = model.predict(sources, outputs, resources, n_threads=n_threads)
    return word_prediction_features(predictions, resources.get("target_parser") if resources is not None else None)


def held_out_word_features(
    sources: Sequence[str],
    outputs: Sequence[str],
    labels: Sequence[Sequence[str]],
    resources: Resources | None = None,
    *,
    recipe: WordRecipe | None = None,
    n_parts: int = 5,
    seed: int = 1,
    n_threads: int = 1,
) -> FeatureTable:
    """The features of the sentences that word models are trained on, each part by a model that has not seen it.

    Predictions of a model's own training sentences are far too good, and a sentence model would trust them on new ones
    (FBK's stacked runs of WMT 2014 show it). Parts are runs of the file; sentences of one source stay together.
    """
    check_parallel({"sources": sources, "outputs": outputs, "labels": labels})
    names = list(dict.fromkeys(sources))
    if not 2 <= n_parts <= len(names):
        raise DataError(f"{len(names)} different sources are dealt into 2 to {len(names)} parts, got {n_parts}.")
    part_of = {name: place * n_parts // len(names) for place, name in enumerate(names)}
    parts = np.array([part_of[source] for source in sources])
    tables: list[tuple[list[int], FeatureTable]] = []
    for part in range(n_parts):
        inside, outside = (np.flatnonzero(where).tolist() for where in (parts != part, parts == part))
        model = (recipe or WordRecipe()).train(
            [sources[row] for row in inside],
            [outputs[row] for row in inside],
            [labels[row] for row in inside],
            resources,
            seed=seed,
            n_threads=n_threads,
        )
        rest, their_outputs = ([lines[row] for row in outside] for lines in (sources, outputs))
        tables.append((outside, predicted_word_features(model, rest, their_outputs, resources, n_threads=n_threads)))
    values = np.zeros((len(parts), len(tables[0][1].names)))
    for rows, table in tables:
        values[rows] = table.values
    return FeatureTable.of(tables[0][1].names, values)
