"""Scores without references: how well the output answers the source, and how well it reads (Popović, WMT 2012)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.artifact import Artifact, Manifest, read_manifest
from dragoman.data import check_parallel
from dragoman.errors import DataError, ModelError
from dragoman.metrics.base import Metric, Rows, mean_rows, ratio
from dragoman.metrics.references import ScoredText, content_digest
from dragoman.metrics.units import UnitModels, UnitRecipe
from dragoman.metrics.words import make_tokeniser
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Table

__all__ = ["SCORES", "NoReference", "NorefModels", "NorefRecipe"]

SCORES = ("ibm1-source", "ibm1-target", "lm")  # of each unit: source given output, output given source, output alone
UNITS = ("word", "morpheme", "class", "tag")
_HELD = 10  # one line of so many is held out, to rank others among
_MOST_HELD = 2000
_RANKS = "ranks.npz"

Array = NDArray[np.float64]


@dataclass(frozen=True)
class NorefRecipe(Recipe):
    """How a bitext becomes models of words, morphemes and classes or parts of speech.

    A tenth of it, 2,000 lines at most, is held out: among the scores of these, other sentences are ranked.
    """

    tokeniser: str = option("13a", text="how lines are cut into words: a name, perhaps with options")
    order: int = option(6, low=1, high=9, text="order of the language models")
    n_classes: int = option(40, low=2, high=1000, text="word classes of a side, where there are no taggers")
    source_pos: str = option("", text="annotator of the source's parts of speech (hanta+lang=de); classes without")
    target_pos: str = option("", text="annotator of the target's parts of speech")

    def train(self, sources: Sequence[str], targets: Sequence[str], *, n_threads: int = 1) -> NorefModels:
        """Learn the models from lines that are translations."""
        self.check()
        check_parallel({"sources": sources, "targets": targets})
        sides = [self.cut(lines, n_threads) for lines in (sources, targets)]
        pairs = [(s, t) for s, t in zip(*sides, strict=True) if s and t]
        held, learnt = pairs[::_HELD][:_MOST_HELD], [pair for at, pair in enumerate(pairs) if at % _HELD]
        if len(held) < 2:
            raise DataError(
                f"{len(pairs)} pairs of lines with words are too few to learn from; give at least {_HELD + 1}."
            )
        columns = [[pair[side] for pair in learnt] for side in (0, 1)]
        models = {
            unit: UnitRecipe(
                unit=unit,
                order=self.order,
                n_classes=self.n_classes,
                source_pos=self.source_pos,
                target_pos=self.target_pos,
            ).train(*columns, n_threads=n_threads)
            for unit in ("word", "morpheme", "tag" if self.source_pos and self.target_pos else "class")
        }
        outcome = NorefModels(
            self, models, {}, data={"sources": content_digest(sources), "targets": content_digest(targets)}
        )
        lines = [pair[0] for pair in held], [pair[1] for pair in held]
        ranks = {unit: np.sort(outcome.scores(unit, *lines, n_threads=n_threads), axis=0) for unit in models}
        return NorefModels(self, models, ranks, data=outcome.data)

    def cut(self, lines: Sequence[str], n_threads: int = 1) -> list[str]:
        """Lines as words with blanks between them, in small letters."""
        return make_tokeniser(self.tokeniser).tokenise([line.lower().strip() for line in lines], n_threads=n_threads)


class NorefModels(Artifact):
    """Language models and IBM model 1 of several units, and the scores of sentences that they did not see."""

    kind: ClassVar[str] = "models for scores without references"
    format: ClassVar[int] = 1

    def __init__(
        self,
        recipe: NorefRecipe,
        models: Mapping[str, UnitModels],
        ranks: Mapping[str, Array],
        *,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.recipe: NorefRecipe = recipe
        self.models = dict(models)
        self.ranks = dict(ranks)  # by unit: array (sentences, 3), each column rising
        self.data = dict(data or {})

    def scores(
        self, unit: str, sources: Sequence[str], targets: Sequence[str], *, per_unit: bool = True, n_threads: int = 1
    ) -> Array:
        """Log-probabilities of cut lines, as a whole or per unit of the side that is scored: array (lines, 3)."""
        models = self.models[unit]
        spans = [models.spans(side, lines) for side, lines in (("source", sources), ("target", targets))]
        links = models.ibm1.align(*spans, n_threads=n_threads)
        units = models.units("target", targets)
        fluency = models.models["target"].score(units, n_threads=n_threads) * np.log(10.0)
        found = np.stack([links.log_p_backward, links.log_p_forward, fluency], axis=-1)
        if per_unit:
            lengths = np.array([[len(line.split()) for line in lines] for lines in (*spans, units)], dtype=np.float64)
            lengths[2] += 1  # the end of a line is a unit
            found /= np.maximum(lengths.T, 1)
        return np.where(np.isfinite(found), found, 0.0)

    def report(self) -> NorefReport:
        """What was learnt."""
        return NorefReport(self)

    def _write(self, folder: Path) -> None:
        for unit, models in self.models.items():
            models.save(folder / unit)
        np.savez_compressed(folder / _RANKS, allow_pickle=False, **self.ranks)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        with np.load(folder / _RANKS, allow_pickle=False) as stored:
            ranks = {name: stored[name] for name in stored.files}
        models = {unit: UnitModels.load(folder / unit) for unit in ranks}
        return cls(NorefRecipe.from_dict(manifest.recipe), models, ranks, data=manifest.data)


@dataclass(frozen=True, eq=False)
class NorefReport(Result):
    """The units of models for scores without references."""

    kind: ClassVar[str] = "models for scores without references"

    models: NorefModels

    def tables(self) -> list[Table]:
        """A row a unit: what sentences that the models did not see score in the middle."""
        columns = [Column("unit"), Column("n_ngrams", "n-grams"), *(Column(name, digits=2) for name in SCORES)]
        rows = [
            (unit, sum(self.models.models[unit].sizes), *np.median(ranks, axis=0).tolist())
            for unit, ranks in self.models.ranks.items()
        ]
        note = "Log-probabilities per unit, base e, the medians of sentences held out."
        return [Table.of("Models for scores without references", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """How many sentences were held out."""
        return {"n_held_out": len(next(iter(self.models.ranks.values())))}


@dataclass(frozen=True)
class NoReference(Metric):
    """The mean of the ranks that an output has by IBM model 1, both ways, and by a language model.

    Nothing is trained on judgements, and references are not looked at. Each score of a sentence, per unit, is ranked
    among those of sentences that the models did not see, from 0 to 100; the ranks by all scores of all chosen units are
    averaged. With `combine=raw` it is 100 / (1 + the mean negative log-probability). An empty output scores 0.
    """

    name: ClassVar[str] = "noref"
    label_pattern: ClassVar[str] = "NOREF"
    quick: ClassVar[bool] = False
    compares: ClassVar[bool] = False
    level: ClassVar[Any] = "segment"
    needs: ClassVar[frozenset[str]] = frozenset({"srcs"})

    models: str = option("", positional=True, text="folder that `dragoman metric noref` made from a bitext")
    units: tuple[str, ...] = option(
        ("morpheme", "class"), choices=UNITS, text="what scores are of; of tags or of classes"
    )
    scores: tuple[str, ...] = option(SCORES, choices=SCORES, text="the scores")
    combine: str = option("ranks", choices=("ranks", "raw"), text="the mean of ranks, or of log-probabilities")
    per: str = option("unit", choices=("unit", "sentence"), text="log-probabilities per unit, or of whole sentences")

    def check(self) -> Self:
        """The metric itself if its options are sound and its models are there."""
        super().check()
        if not self.models:
            raise DataError(
                "Scores without references need models of both languages: make them from a bitext with "
                "dragoman metric noref, and say noref:FOLDER."
            )
        if not self.units or not self.scores:
            raise DataError("Scores without references need a unit and a score at least.")
        if self.per == "sentence" and self.combine == "ranks":
            raise DataError("Ranks are of scores per unit; with per=sentence say combine=raw.")
        read_manifest(self.models)
        return self

    def resources(self) -> dict[str, str]:
        """The models, by what their manifest promises."""
        return dict(read_manifest(self.models).files)

    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:
        """A segment's score, and 1."""
        if text.srcs is None:
            raise DataError(f"The metric {self.spec()} needs the sources: name them with --src (in Python: srcs).")
        opened = open_models(self.models)
        sources = opened.recipe.cut(text.srcs, n_threads)
        scores = []
        for lines in text.systems:
            targets = opened.recipe.cut(lines, n_threads)
            values = np.concatenate(list(self._columns(opened, sources, targets, n_threads)), axis=1).mean(axis=1)
            values = values if self.combine == "ranks" else 100.0 / (1.0 + np.maximum(-values, 0.0))
            scores.append(np.where([bool(line) for line in targets], values, 0.0))
        return mean_rows(np.stack(scores))

    def _columns(
        self, opened: NorefModels, sources: Sequence[str], targets: Sequence[str], n_threads: int
    ) -> Iterator[Array]:
        chosen = [SCORES.index(name) for name in self.scores]
        for unit in self.units:
            own = "tag" if unit == "class" and "tag" in opened.models else unit
            if own not in opened.models:
                raise ModelError(f"{self.models} has no models of the unit {unit}, only of {', '.join(opened.models)}.")
            found = opened.scores(own, sources, targets, per_unit=self.per == "unit", n_threads=n_threads)[:, chosen]
            yield found if self.combine == "raw" else _ranked(found, opened.ranks[own][:, chosen])

    def values(self, totals: Rows) -> Array:
        """Means of segment scores."""
        totals = np.asarray(totals, dtype=np.float64)
        return ratio(totals[..., 0], totals[..., 1])


def _ranked(values: Array, rising: Array) -> Array:
    """The share of sentences, in percent, that score less, and half of those that score the same."""
    columns = [
        (np.searchsorted(known, own, side="left") + np.searchsorted(known, own, side="right")) * 50.0 / len(known)
        for own, known in zip(values.T, rising.T, strict=True)
    ]
    return np.stack(columns, axis=1)


def open_models(folder: str) -> NorefModels:
    """The models of a folder, opened once as long as it stays the same."""
    return _opened(folder, tuple(sorted(read_manifest(folder).files.items())))


@lru_cache(maxsize=4)
def _opened(folder: str, files: tuple[tuple[str, str], ...]) -> NorefModels:  # noqa: ARG001 - part of the key
    return NorefModels.load(folder)
