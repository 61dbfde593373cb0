"""From sentences and their post-edits or scores to a model that is asked of sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dragoman.data import Bitext
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.metrics import hter
from dragoman.qe.features.base import feature_set
from dragoman.qe.features.traced import add_quartiles
from dragoman.qe.files import QEData
from dragoman.qe.prediction_measures import length_line
from dragoman.qe.reading import Reading
from dragoman.qe.recipes import AUTO, QERecipe, ResourceRecipe, TextRecipe
from dragoman.qe.resources import TraceIndex, build_resources, extras_for, load_resources
from dragoman.qe.sentences.learning import learn_scores
from dragoman.qe.sentences.model import QEModel
from dragoman.text import TOKENISERS

__all__ = [
    "bitext_without",
    "build_training_resources",
    "default_features",
    "having_tokenisers",
    "is_raw",
    "post_edit_scores",
    "train_model",
]

_LONGEST_WORD = 10  # letters of a word that may stand alone in a line
_CUTS_RAW = "13a"  # knows no language
_HANGING = re.compile(r"\w[,.;:!?](?!\S)")
_ALONE = re.compile(r"(?<!\S)[,.;:!?](?!\S)")


def post_edit_scores(data: QEData, *, target_tokeniser: str = "none", n_threads: int = 1) -> tuple[float, ...]:
    """The HTER of each sentence: as the data say, or else from outputs and post-edits, cut by the tokeniser."""
    if data.scores is not None:
        return data.scores
    if not data.has("mt", "pe"):
        raise DataError(
            "There are neither scores nor post-edits to learn from. Add post-edits (.pe), or scores (.hter, or a file "
            "named with --scores-file)."
        )
    outputs, post_edits = (_cut(target_tokeniser, lines, n_threads) for lines in (data.outputs, data.post_edits))
    return hter(outputs, post_edits, n_threads=n_threads).values


def train_model(
    data: QEData,
    recipe: QERecipe | None = None,
    *,
    resources: StrPath | None = None,
    lexicon: StrPath | None = None,
    layers: Mapping[str, str] | None = None,
    trace: TraceIndex | None = None,
    groups: Sequence[Any] | None = None,
    seed: int = 1,
    n_threads: int = 1,
    hold_out: bool = False,
) -> QEModel:
    """A model of sentences: `model.predict(sources, outputs)`.

    Scores are those of the data or, for HTER, made from the post-edits. Resources are a folder that
    `build_training_resources` or `build_resources` made; the model carries them with it when it is saved. Parses of the
    data (`layers`, see `having_layers`) take the place of parsers, and must then be given with all text that the model
    is asked of. `trace` has what an engine did with the sources; the model is then asked with traces of the same
    engine. `hold_out` is as for `learn_scores`.
    """
    asked = having_tokenisers((recipe or QERecipe()).check(), data)
    if not data.has("src", "mt"):
        raise DataError("Sources and outputs are needed to train on text.")
    if data.scores is None and asked.task != "hter":
        raise DataError(f"There are no scores of {asked.task}; post-edits give hter alone.")
    scores = post_edit_scores(data, target_tokeniser=asked.target_tokeniser, n_threads=n_threads)
    features = asked.features or (default_features(resources),)
    learner = asked.make_learner(features)
    _, outputs = cut_sides(data, asked, n_threads)
    reading = Reading(
        *asked.tokenisers,
        None if resources is None else Path(resources),
        None if lexicon is None else Path(lexicon),
        length_line(outputs, scores) if scores else None,
    )
    table = reading.features(features, data.sources, data.outputs, layers=layers, trace=trace, n_threads=n_threads)
    return learn_scores(
        learner,
        table,
        scores,
        task=asked.task,
        seed=seed,
        groups=groups,
        n_threads=n_threads,
        reading=reading,
        hold_out=hold_out,
    )


def build_training_resources(
    data: QEData,
    folder: StrPath,
    recipe: QERecipe | None = None,
    building: ResourceRecipe | None = None,
    *,
    bitext: Bitext | None = None,
    trace: TraceIndex | None = None,
    n_threads: int = 1,
) -> int:
    """Build a model's resources: of a bitext and of the post-edits to learn from, each held out of its own features.

    All is cut by the recipe's tokenisers, and what its features ask for beyond the usual is built, too. The answer is
    how many pairs of the bitext were left out as sentences to learn from.
    """
    asked, build = having_tokenisers(recipe or QERecipe(), data), building or ResourceRecipe()
    rest, left_out = bitext_without(bitext, data.sources) if bitext is not None else (None, 0)
    if rest is not None:
        pairs = list(rest)
        rest = Bitext.from_lines(
            *(_cut(name, [pair[side] for pair in pairs], n_threads) for side, name in enumerate(asked.tokenisers))
        )
    post_edited = None
    if data.has("pe"):
        sources, outputs = cut_sides(data, asked, n_threads)  # before minutes are spent on what training would refuse
        edits = _cut(asked.target_tokeniser, data.post_edits, n_threads)
        post_edited = QEData.of(sources, outputs, edits, data.scores)
    needs = {need for feature in feature_set(asked.features) for need in feature.needed()}
    build = replace(build, also=tuple(dict.fromkeys((*build.also, *extras_for(needs)))))
    build_resources(rest, folder, build, post_edited=post_edited, n_threads=n_threads)
    if trace is not None:
        add_quartiles(
            folder, data.sources, data.outputs, trace, target_tokeniser=asked.target_tokeniser, n_threads=n_threads
        )
    return left_out


def having_tokenisers(recipe: QERecipe, data: QEData) -> QERecipe:
    """The recipe with a tokeniser for each side: where it is left open, none for text that is in tokens, else 13a.

    The model keeps what was chosen, and cuts by it whatever it is asked of.
    """
    chosen = [
        name if name != AUTO else _CUTS_RAW if is_raw(lines) else "none"
        for name, lines in zip(recipe.tokenisers, (data.sources, data.outputs), strict=True)
    ]
    return replace(recipe, source_tokeniser=chosen[0], target_tokeniser=chosen[1])


def is_raw(lines: Sequence[str]) -> bool:
    """Whether text is not in tokens: more of its marks of punctuation hang on words than stand alone."""
    hanging = sum(len(_HANGING.findall(line)) for line in lines)
    return hanging > sum(len(_ALONE.findall(line)) for line in lines)


def cut_sides(data: QEData, recipe: TextRecipe, n_threads: int = 1) -> list[list[str]]:
    """Sources and outputs in tokens; text of a script without spaces that is not cut is refused."""
    sides = [
        _cut(name, lines, n_threads)
        for name, lines in zip(recipe.tokenisers, (data.sources, data.outputs), strict=True)
    ]
    for side, lines in zip(("source", "target"), sides, strict=True):
        _check_cut(side, lines)
    return sides


def _cut(tokeniser: str, lines: Sequence[str], n_threads: int) -> list[str]:
    return TOKENISERS.make(tokeniser).tokenise(list(lines), n_threads=n_threads)


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
    return "black-box" if have.missing(("source_parser", "target_parser", "tag_ibm1")) else "black-box+syntax"


def bitext_without(bitext: Bitext, seen: Sequence[str]) -> tuple[Bitext, int]:
    """A bitext without the pairs whose source is among `seen`, and how many these were.

    Resources that have read the sentences to learn from, or their post-edits, make cross-validation look splendid and
    new sentences be scored at random.
    """
    sentences = {" ".join(line.split()) for line in seen}
    keep = bytes(" ".join(source.split()) not in sentences for source, _ in bitext)
    return bitext.choose(keep), keep.count(0)
