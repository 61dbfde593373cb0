"""Ladders that users write: a recipe, and rungs that each change it (as QCRI at WMT 2012 built its systems)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, DragomanError, FormatError
from dragoman.files import StrPath, read_text
from dragoman.notation import parse_toml
from dragoman.report import Progress
from dragoman.smt.corpora import Corpora, Corpus, corpora_of, read_corpora, read_corpus_tables
from dragoman.smt.experiments.trials import ExperimentPlan, Trial, Trials, plan_trials
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.ladder import Ladder, measured_rungs, metrics_for
from dragoman.smt.recipe import EngineRecipe, with_tables

__all__ = ["LadderRung", "climb_ladder", "plan_ladder", "read_rungs"]

FIRST = "baseline"  # the name of the recipe without any rung
_OWN = ("name", "base", "corpus")  # keys of a rung that are no part of a recipe


@dataclass(frozen=True)
class LadderRung:
    """An engine of a ladder, and the rung that it is compared with, if that is not the one before."""

    trial: Trial
    base: str | None = None


def read_rungs(
    path: StrPath,
    *,
    recipe: EngineRecipe | None = None,
    bitexts: Sequence[Bitext] = (),
    dev: TestSet | None = None,
) -> list[LadderRung]:
    """The ladder of a recipe in TOML: the recipe itself, then a rung for each table `[[rung]]`.

    A rung has a `name`, sections of the recipe with the options that it changes, and perhaps further texts
    (`[[rung.corpus]]`). It changes the rung above it, or the one that `base` names. Text that the recipe does not name
    is given as `bitexts` and `dev`.
    """
    tables = parse_toml(read_text(path), path=path).get("rung", [])
    if not isinstance(tables, list) or not all(isinstance(table, Mapping) for table in tables):
        raise FormatError("a rung is a table of its own: write [[rung]], with two brackets.", path=path)
    if not tables:
        raise FormatError("a ladder needs rungs: tables [[rung]] with a name and what they change.", path=path)
    first = _Rung(recipe or EngineRecipe.read(path), read_corpus_tables(path))
    rungs = {FIRST: first}
    ladder = [LadderRung(Trial(FIRST, _corpora(first, bitexts, dev), first.recipe))]
    for number, table in enumerate(tables, start=1):
        try:
            name, base = _names(table, number, rungs)
            rung = _changed(rungs[base or ladder[-1].trial.name], table, path)
            rungs[name] = rung
            ladder.append(LadderRung(Trial(name, _corpora(rung, bitexts, dev), rung.recipe), base))
        except DragomanError as error:
            raise FormatError(f"[[rung]] {number}: {error}", path=path) from None
    return ladder


@dataclass(frozen=True)
class _Rung:
    recipe: EngineRecipe
    corpora: tuple[Corpus, ...]


def _names(table: Mapping[str, Any], number: int, rungs: Mapping[str, _Rung]) -> tuple[str, str | None]:
    name, base = table.get("name"), table.get("base")
    if not isinstance(name, str) or not name:
        raise DataError(f'a rung needs a name: name = "+ what it adds" (rung {number} has none).')
    if name in rungs:
        raise DataError(f"{name!r} is the name of a rung above; give this one another.")
    if base is not None and base not in rungs:
        raise DataError(f"no rung above is called {base!r}. Known: {', '.join(rungs)}.")
    return name, base


def _changed(rung: _Rung, table: Mapping[str, Any], path: StrPath) -> _Rung:
    changes = {name: value for name, value in table.items() if name not in _OWN}
    more = read_corpora(table.get("corpus", []), path)
    if not changes and not more:
        raise DataError("nothing is changed: name an option in its section, as [rung.phrases] longest = 5.")
    return _Rung(with_tables(rung.recipe, changes), (*rung.corpora, *more))


def _corpora(rung: _Rung, bitexts: Sequence[Bitext], dev: TestSet | None) -> Corpora:
    return corpora_of(rung.corpora, list(bitexts), dev)


def plan_ladder(ladder: Sequence[LadderRung], test: TestSet, *, work: StrPath) -> ExperimentPlan:
    """What climbing would take; does nothing."""
    return plan_trials([rung.trial for rung in ladder], test, work)


def climb_ladder(
    ladder: Sequence[LadderRung],
    tests: Mapping[str, TestSet],
    *,
    work: StrPath,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> Ladder:
    """Train the engine of each rung, steps that rungs share once, and measure what each adds on test sets by name."""
    desk = Trials(work, n_threads=n_threads, progress=progress)
    metrics = metrics_for(ladder[0].trial.recipe.target_lang)
    bases = {rung.trial.name: rung.base for rung in ladder if rung.base}
    rungs = []
    for name, test in tests.items():
        srcs, _ = held_out_sides(test)
        outputs = {rung.trial.name: desk.translate(rung.trial, srcs) for rung in ladder}
        rungs += measured_rungs(name, test, outputs, metrics, bases=bases, n_threads=n_threads)
    return Ladder(tuple(rungs), metrics)
