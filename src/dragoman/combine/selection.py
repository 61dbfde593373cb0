"""Choosing whole outputs by a weighted sum of features, tuned like an engine (DFKI, WMT 2012): `Chooser`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.artifact import Artifact, Manifest
from dragoman.combine.choice_features import Examples, candidate_features
from dragoman.combine.model import check_tunable, cut_text, digest, in_order
from dragoman.data import TestSet
from dragoman.errors import DataError, ModelError
from dragoman.lm.model import LanguageModel
from dragoman.metrics.bleu import Bleu
from dragoman.notation import list_of_texts
from dragoman.options import Recipe, option
from dragoman.report import Column, Progress, Result, Table
from dragoman.smt.tune.base import TUNERS, Tuned
from dragoman.stats.arrays import Floats

__all__ = ["Choice", "ChoiceRecipe", "Chooser", "train_chooser"]

_FACTS, _TUNED, _LM = "choice.json", "tuned", "lm"
_SMOOTHED = Bleu(tokeniser="none", smoothing="add-k", effective_order=False)


@dataclass(frozen=True)
class ChoiceRecipe(Recipe):
    """How to learn which whole output to take."""

    lang: str = option("", text="language of the outputs, for tokens; none: they are tokenised already")
    tuner: str = option("mert:rounds=1,settle=0", of=TUNERS, text="how weights are tuned")
    metric: str = option("bleu:tokeniser=none", text="what is tuned for")
    examples: int = option(10, low=0, text="every so many segments are examples of good and bad; 0: none")


@dataclass(frozen=True)
class Choice(Result):
    """The system whose output is taken of each segment."""

    kind: ClassVar[str] = "output choice"

    systems: tuple[str, ...]
    chosen: tuple[int, ...]  # numbers of systems
    scores: tuple[tuple[float, ...], ...]  # (segments, systems)
    texts: tuple[str, ...]

    def tables(self) -> list[Table]:
        """A row a segment."""
        columns = [Column("segment"), Column("system"), *(Column(name, digits=3) for name in self.systems)]
        rows = [
            (place, self.systems[system], *scores)
            for place, (system, scores) in enumerate(zip(self.chosen, self.scores, strict=True), start=1)
        ]
        return [Table.of("Chosen outputs", columns, rows)]

    def shown_tables(self) -> list[Table]:
        """How often each system was chosen."""
        n = max(1, len(self.chosen))
        rows = [(name, self.chosen.count(s), 100 * self.chosen.count(s) / n) for s, name in enumerate(self.systems)]
        columns = [Column("system"), Column("segments"), Column("share", "%", digits=1)]
        return [Table.of(f"Chosen outputs, {len(self.chosen)} segments", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """Counts."""
        counts = {name: self.chosen.count(number) for number, name in enumerate(self.systems)}
        return {"n_segments": len(self.chosen), "chosen": counts}


@dataclass(frozen=True, eq=False)
class _Candidates:
    """The outputs of each segment, the best under the weights first, as tuners ask for them."""

    texts: list[str]
    offsets: NDArray[np.int64]
    features: Floats


class _Lists:
    """Fixed lists of candidates: the outputs of the systems."""

    def __init__(self, outputs: Sequence[Sequence[str]], values: Floats) -> None:
        self.texts = list(zip(*outputs, strict=True))
        self.values = values  # (segments, systems, features)

    def __call__(self, weights: NDArray[np.float64], segments: NDArray[np.int64] | None = None, /) -> _Candidates:
        wanted = range(len(self.texts)) if segments is None else segments.tolist()
        orders = [(i, np.argsort(-(self.values[i] @ weights), kind="stable").tolist()) for i in wanted]
        return _Candidates(
            [self.texts[i][s] for i, order in orders for s in order],
            np.cumsum([0] + [len(order) for _, order in orders]).astype(np.int64),
            np.concatenate([self.values[i][order] for i, order in orders]),
        )


class Chooser(Artifact):
    """Which of several systems' outputs to take of each segment."""

    kind: ClassVar[str] = "output chooser"
    format: ClassVar[int] = 1

    def __init__(
        self,
        recipe: ChoiceRecipe,
        systems: Sequence[str],
        tuned: Tuned,
        examples: Examples,
        lm: LanguageModel | None,
        *,
        data: Mapping[str, str],
    ) -> None:
        self.recipe: ChoiceRecipe = recipe
        self.systems = tuple(systems)
        self.tuned = tuned
        self.examples = examples
        self.lm = lm
        self.seed = tuned.seed
        self.data = dict(data)

    def __repr__(self) -> str:
        return f"<Chooser among {', '.join(self.systems)}>"

    def choose(self, text: TestSet, *, n_threads: int = 1) -> Choice:
        """Take an output of each segment; of equals the first system's."""
        text = in_order(text, self.systems)
        if ("ibm1" in self.tuned.names) != (text.srcs is not None):
            raise DataError(
                "The chooser was trained with sources; give them here, too (-s)."
                if text.srcs is None
                else "The chooser was trained without sources; leave them out here."
            )
        cut = cut_text(text, self.recipe.lang, n_threads)
        names, values = candidate_features(cut, srcs=text.srcs, lm=self.lm, examples=self.examples, n_threads=n_threads)
        if set(names) != set(self.tuned.names):
            raise ModelError("The chooser has weights of other features than its own. Train it again.")
        scores = values @ np.array([self.tuned.dense[name] for name in names])
        chosen = scores.argmax(axis=1).tolist()
        outputs = list(text.systems.values())
        texts = tuple(outputs[system][place] for place, system in enumerate(chosen))
        return Choice(self.systems, tuple(chosen), tuple(map(tuple, scores.tolist())), texts)

    def _write(self, folder: Path) -> None:
        facts = {"systems": self.systems, "good": self.examples.good, "bad": self.examples.bad}
        (folder / _FACTS).write_text(json.dumps(facts, ensure_ascii=False) + "\n", encoding="utf-8")
        self.tuned.save(folder / _TUNED)
        if self.lm is not None:
            self.lm.save(folder / _LM)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        facts = json.loads((folder / _FACTS).read_text(encoding="utf-8"))
        lm = LanguageModel.load(folder / _LM) if (folder / _LM).is_dir() else None
        examples = Examples(list_of_texts(facts["good"]), list_of_texts(facts["bad"]))
        tuned = Tuned.load(folder / _TUNED)
        recipe = ChoiceRecipe.from_dict(manifest.recipe)
        return cls(recipe, list_of_texts(facts["systems"]), tuned, examples, lm, data=manifest.data)


def train_chooser(
    text: TestSet,
    recipe: ChoiceRecipe | None = None,
    *,
    lm: LanguageModel | None = None,
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> Chooser:
    """Tune the weights of features on outputs of two or more systems and their references."""
    recipe = (recipe or ChoiceRecipe()).check()
    check_tunable(text)
    cut = cut_text(text, recipe.lang, n_threads)
    refs = list(cut_text(text, recipe.lang, n_threads, refs=True).values())
    # Examples are held out of tuning: they would be like themselves.
    held = np.arange(len(text)) % recipe.examples == 0 if recipe.examples else np.zeros(len(text), dtype=bool)
    if held.all():
        held[:] = False
    examples = _examples(cut, refs, np.flatnonzero(held), n_threads)
    names, values = candidate_features(cut, srcs=text.srcs, lm=lm, examples=examples, n_threads=n_threads)
    rest = np.flatnonzero(~held).tolist()
    lists = _Lists([[lines[i] for i in rest] for lines in cut.values()], values[rest])
    start = {name: 1.0 if name in ("bleu-mean", "chrf-mean") else 0.0 for name in names}
    tuned = TUNERS.make(recipe.tuner).tune(
        lists,
        [[lines[i] for i in rest] for lines in refs],
        start=start,
        metric=recipe.metric,
        seed=seed,
        n_threads=n_threads,
        progress=progress,
    )
    data = {name: digest(lines) for name, lines in (*text.refs.items(), *text.systems.items())}
    return Chooser(recipe, tuple(text.systems), tuned, examples, lm, data=data)


def _examples(
    cut: Mapping[str, Sequence[str]], refs: Sequence[Sequence[str]], places: NDArray[np.int64], n_threads: int
) -> Examples:
    wanted = places.tolist()
    if not wanted:
        return Examples()
    outputs = [[lines[i] for i in wanted] for lines in cut.values()]
    rows = _SMOOTHED.stats_many(outputs, [[lines[i] for i in wanted] for lines in refs], n_threads=n_threads)
    return Examples.of([line for lines in outputs for line in lines], _SMOOTHED.values(rows).ravel())
