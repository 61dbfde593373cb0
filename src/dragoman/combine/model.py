"""Training a combination of systems, and combining their outputs: `Combiner`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.artifact import Artifact, Manifest
from dragoman.combine.batch import Batch, feature_names, start_weights
from dragoman.combine.recipe import CombineRecipe
from dragoman.combine.result import Combination, contributions, taken_paths
from dragoman.combine.words import Cutter
from dragoman.data import TestSet
from dragoman.errors import DataError, ModelError
from dragoman.lm.model import LanguageModel
from dragoman.notation import list_of_texts
from dragoman.report import Progress
from dragoman.smt.tune.base import TUNERS, Tuned

__all__ = ["Combiner", "check_systems", "check_tunable", "cut_text", "digest", "in_order", "train_combiner"]

_FACTS, _TUNED, _LM = "combination.json", "tuned", "lm"


class Combiner(Artifact):
    """Which systems are combined, how, and with which weights."""

    kind: ClassVar[str] = "system combination"
    format: ClassVar[int] = 1

    def __init__(
        self,
        recipe: CombineRecipe,
        systems: Sequence[str],
        tuned: Tuned,
        lm: LanguageModel | None,
        *,
        data: Mapping[str, str],
    ) -> None:
        self.recipe: CombineRecipe = recipe
        self.systems = tuple(systems)
        self.tuned = tuned
        self.lm = lm
        self.seed = tuned.seed
        self.data = dict(data)
        names = feature_names(self.systems, has_inputs=recipe.inputs_order > 0, has_lm=lm is not None)
        if tuned.names != names:
            raise ModelError(f"The combination has weights of {len(tuned.names)} other features. Train it again.")

    def __repr__(self) -> str:
        return f"<Combiner of {', '.join(self.systems)} by {self.recipe.align}>"

    @property
    def weights(self) -> NDArray[np.float64]:
        """The tuned weights in the order of the features."""
        return np.array(list(self.tuned.dense.values()))

    def batch(self, text: TestSet, *, n_threads: int = 1) -> Batch:
        """The networks of a test set, whose systems are those of training."""
        return _batch(in_order(text, self.systems), self.recipe, self.lm, n_threads)

    def combine(
        self, text: TestSet, *, with_networks: bool = False, n_threads: int = 1, progress: Progress | None = None
    ) -> Combination:
        """One output of all; with the networks, for a page."""
        batch = self.batch(text, n_threads=n_threads)
        if progress:
            progress(1, 2, "networks")
        paths = batch.paths(self.weights)
        cutter = Cutter(self.recipe.lang)
        texts = tuple(cutter.text(paths.texts, n_threads=n_threads))
        if progress:
            progress(2, 2, "paths")
        return Combination(
            texts=texts,
            contributions=contributions(batch, paths, self.tuned.dense),
            align=self.recipe.align,
            n_empty={name: sum(not line.strip() for line in text.systems[name]) for name in self.systems},
            n_given_up=batch.core.n_given_up,
            paths=taken_paths(batch, paths) if with_networks else (),
        )

    def _write(self, folder: Path) -> None:
        facts = json.dumps({"systems": list(self.systems)}, ensure_ascii=False) + "\n"
        (folder / _FACTS).write_text(facts, encoding="utf-8")
        self.tuned.save(folder / _TUNED)
        if self.lm is not None:
            self.lm.save(folder / _LM)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        facts = json.loads((folder / _FACTS).read_text(encoding="utf-8"))
        lm = LanguageModel.load(folder / _LM) if (folder / _LM).is_dir() else None
        recipe = CombineRecipe.from_dict(manifest.recipe)
        return cls(recipe, list_of_texts(facts["systems"]), Tuned.load(folder / _TUNED), lm, data=manifest.data)


def train_combiner(
    text: TestSet,
    recipe: CombineRecipe | None = None,
    *,
    lm: LanguageModel | None = None,
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> Combiner:
    """Tune a combination on outputs of two or more systems and their references."""
    recipe = (recipe or CombineRecipe()).check()
    check_tunable(text)
    batch = _batch(text, recipe, lm, n_threads)
    tuned = TUNERS.make(recipe.tuner).tune(
        batch,
        _references(text, recipe.lang, n_threads),
        start=start_weights(batch.names),
        metric=recipe.metric,
        seed=seed,
        n_threads=n_threads,
        progress=progress,
    )
    data = {name: digest(lines) for name, lines in (*text.refs.items(), *text.systems.items())}
    return Combiner(recipe, batch.systems, tuned, lm, data=data)


def check_tunable(text: TestSet) -> None:
    """Systems, and a reference to tune towards."""
    check_systems(text)
    if not text.refs:
        raise DataError("Weights are tuned towards a reference; give one.")


def check_systems(text: TestSet) -> None:
    """Two systems at least, and something in each."""
    if len(text.systems) < 2:
        names = ", ".join(text.systems) or "none"
        raise DataError(f"There is nothing to combine: at least two systems are needed, got {names}.")
    empty = [name for name, lines in text.systems.items() if not any(line.strip() for line in lines)]
    if empty:
        raise DataError(f"The output of {', '.join(empty)} has no words at all. Leave it out, or name another file.")


def in_order(text: TestSet, systems: Sequence[str]) -> TestSet:
    """The test set with its systems as they stood in training."""
    check_systems(text)
    if set(text.systems) != set(systems):
        raise DataError(
            f"The model knows the systems {', '.join(systems)}; got {', '.join(text.systems)}. "
            "Name the outputs as in training: NAME=FILE."
        )
    return replace(text, systems={name: text.systems[name] for name in systems})


def cut_text(text: TestSet, lang: str, n_threads: int, *, refs: bool = False) -> dict[str, list[str]]:
    """The tokens of the systems' outputs, or of the references; a missing reference is an empty one."""
    cutter = Cutter(lang)
    streams = text.refs if refs else text.systems
    return {name: cutter.tokens([line or "" for line in lines], n_threads=n_threads) for name, lines in streams.items()}


def digest(lines: Sequence[str | None]) -> str:
    """SHA-256 of lines."""
    return sha256("".join(f"{line or ''}\n" for line in lines).encode()).hexdigest()


def _batch(text: TestSet, recipe: CombineRecipe, lm: LanguageModel | None, n_threads: int) -> Batch:
    return Batch(cut_text(text, recipe.lang, n_threads), recipe, srcs=text.srcs, lm=lm, n_threads=n_threads)


def _references(text: TestSet, lang: str, n_threads: int) -> list[list[str | None]]:
    cut = cut_text(text, lang, n_threads, refs=True)
    return [
        [None if line is None else tokens for line, tokens in zip(lines, cut[name], strict=True)]
        for name, lines in text.refs.items()
    ]
