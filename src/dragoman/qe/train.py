"""From sentences and their post-edits or scores to a model that is asked of sentences."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.learn.base import LEARNERS
from dragoman.metrics import hter
from dragoman.qe.features.base import feature_set
from dragoman.qe.files import QEData
from dragoman.qe.prediction_measures import length_line
from dragoman.qe.reading import Reading
from dragoman.qe.resources import TraceIndex, build_resources, extras_for, load_resources
from dragoman.qe.sentences.learning import learn_scores
from dragoman.qe.sentences.model import QEModel
from dragoman.text import TOKENISERS

__all__ = ["bitext_without", "build_training_resources", "default_features", "post_edit_scores", "train_model"]

_BLACK_BOX = "black-box"
_LONGEST_WORD = 10  # letters of a word that may stand alone in a line


def post_edit_scores(data: QEData, *, target_tokeniser: str = "none", n_threads: int = 1) -> tuple[float, ...]:
    """The HTER of each sentence: as the data say, or else from outputs and post-edits, cut by the tokeniser."""
    if data.scores is not None:
        return data.scores
    if data.outputs is None or data.post_edits is None:
        raise DataError(
            "There are neither scores nor post-edits to learn from. Add post-edits (.pe), or scores (.hter, or a file "
            "named with --scores-file)."
        )
    tokeniser = TOKENISERS.make(target_tokeniser)
    outputs, post_edits = (
        tokeniser.tokenise(list(lines), n_threads=n_threads) for lines in (data.outputs, data.post_edits)
    )
    return hter(outputs, post_edits, n_threads=n_threads).values


def train_model(
    data: QEData,
    *,
    learner: str | None = None,
    select: Sequence[str] = (),
    features: str | Sequence[str] | None = None,
    resources: StrPath | None = None,
    lexicon: StrPath | None = None,
    layers: Mapping[str, str] | None = None,
    trace: TraceIndex | None = None,
    task: str = "hter",
    nested: int | None = None,
    source_tokeniser: str = "none",
    target_tokeniser: str = "none",
    groups: Sequence[Any] | None = None,
    seed: int = 1,
    n_threads: int = 1,
) -> QEModel:
    """A model of sentences: `model.predict(sources, outputs)`.

    Scores are those of the data or, for HTER, made from the post-edits. Unless named, features are the set `black-box`
    where the resources (a folder that `build_training_resources` or `build_resources` made) know post-edits,
    `black-box+syntax` where they have parsers of both sides, too, the 17 of the WMT baselines where they are of a
    bitext, and those of the text alone where there are none; `ridge` learns from the many, `svr` from the few. Parses
    of the data (`layers`, see `having_layers`) take the place of parsers, and must then be given with all text that the
    model is asked of. `trace` has what an engine did with the sources; the model is then asked with traces of the same
    engine. `nested` are the folds of a nested cross-validation, for honest figures. The model carries tokenisers and
    resources with it when it is saved.
    """
    if data.sources is None or data.outputs is None:
        raise DataError("Sources and outputs are needed to train on text.")
    if data.scores is None and task != "hter":
        raise DataError(f"There are no scores of {task}; post-edits give hter alone.")
    scores = post_edit_scores(data, target_tokeniser=target_tokeniser, n_threads=n_threads)
    check_parallel({"sources": data.sources, "scores": scores})
    asked = features if features is not None else default_features(resources)
    names = [asked] if isinstance(asked, str) else list(asked)
    recipe = LEARNERS.make(learner or ("ridge" if any(name.startswith(_BLACK_BOX) for name in names) else "svr"))
    if select:
        recipe = replace(recipe, select=tuple(select))
    if nested is not None:
        recipe = replace(recipe, nested=nested)
    cut = {
        side: TOKENISERS.make(name).tokenise(list(lines), n_threads=n_threads)
        for side, name, lines in (
            ("source", source_tokeniser, data.sources),
            ("target", target_tokeniser, data.outputs),
        )
    }
    for side, lines in cut.items():
        _check_cut(side, lines)
    reading = Reading(
        source_tokeniser,
        target_tokeniser,
        None if resources is None else Path(resources),
        None if lexicon is None else Path(lexicon),
        length_line(cut["target"], scores) if scores else None,
    )
    table = reading.features(names, data.sources, data.outputs, layers=layers, trace=trace, n_threads=n_threads)
    return learn_scores(
        recipe, table, scores, task=task, seed=seed, groups=groups, n_threads=n_threads, reading=reading
    )


def build_training_resources(
    data: QEData,
    folder: StrPath,
    *,
    bitext: tuple[Sequence[str], Sequence[str]] | None = None,
    source_tokeniser: str = "none",
    target_tokeniser: str = "none",
    features: Sequence[str] = (),
    languages: str = "",
    n_threads: int = 1,
    **annotators: Any,
) -> int:
    """Build a model's resources: of a bitext and of the post-edits to learn from, each held out of its own features.

    All is cut by the tokenisers, and what the `features` ask for beyond the usual is built, too; `annotators` are the
    parsers, grammars, taggers and dictionaries of `build_resources`. The answer is how many pairs of the bitext were
    left out as sentences to learn from.
    """

    def cut(name: str, lines: Sequence[str] | None) -> tuple[str, ...]:
        return tuple(TOKENISERS.make(name).tokenise(list(lines or ()), n_threads=n_threads))

    sources, targets, left_out = bitext_without(*bitext, data.sources or ()) if bitext else ([], [], 0)
    post_edited = None
    if data.post_edits is not None:
        own = {"source": cut(source_tokeniser, data.sources), "target": cut(target_tokeniser, data.outputs)}
        for side, lines in own.items():
            _check_cut(side, lines)  # before minutes are spent on what training would refuse
        post_edited = replace(
            data,
            sources=own["source"],
            outputs=own["target"],
            post_edits=cut(target_tokeniser, data.post_edits),
            tags=None,
        )
    build_resources(
        cut(source_tokeniser, sources),
        cut(target_tokeniser, targets),
        folder,
        post_edited=post_edited,
        also=extras_for(need for feature in feature_set(features) for need in feature.needed()),
        languages=languages,
        n_threads=n_threads,
        **annotators,
    )
    return left_out


def _check_cut(side: str, lines: Sequence[str]) -> None:
    """Raise where the words of a script without spaces are not told apart: a sentence would be one word."""
    full = [line for line in lines if line.split()]
    whole = [line for line in full if len(line.split()) == 1 and sum(map(_caseless, line)) > _LONGEST_WORD]
    if 2 * len(whole) > len(full):
        raise DataError(
            f"{len(whole)} of {len(full)} lines of the {side} side are a single word, such as {whole[0][:20]!r}: there "
            f"are no spaces between words. Name a tokeniser (--{side}-tokeniser char, zh, ja-mecab, …)."
        )


def _caseless(char: str) -> bool:
    """A letter of a script without capitals; all that do without spaces are such."""
    return unicodedata.category(char) == "Lo"


def default_features(resources: StrPath | None) -> str:
    """The richest set that resources allow."""
    if resources is None:
        return "surface"
    have = load_resources(resources)
    if have.missing(("confidence",)):
        return "baseline17"
    return _BLACK_BOX if have.missing(("source_parser", "target_parser", "tag_ibm1")) else f"{_BLACK_BOX}+syntax"


def bitext_without(
    sources: Sequence[str], targets: Sequence[str], seen: Sequence[str]
) -> tuple[list[str], list[str], int]:
    """A bitext without the pairs whose source is among `seen`, and how many these were.

    Resources that have read the sentences to learn from, or their post-edits, make cross-validation look splendid and
    new sentences be scored at random.
    """
    check_parallel({"sources": sources, "targets": targets})
    known = {" ".join(line.split()) for line in seen}
    kept = [
        (source, target)
        for source, target in zip(sources, targets, strict=True)
        if " ".join(source.split()) not in known
    ]
    return [source for source, _ in kept], [target for _, target in kept], len(sources) - len(kept)
