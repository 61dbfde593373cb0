"""Experiments in files: TOML that names tables of features, scores, and the grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.errors import FormatError
from dragoman.files import StrPath, read_text
from dragoman.notation import parse_toml
from dragoman.qe.features import FEATURE_SETS
from dragoman.qe.features.table import read_features
from dragoman.qe.files import read_scores
from dragoman.qe.studies.experiment import ExperimentRecipe, ScoredFeatures

__all__ = ["ExperimentFile", "read_experiment"]

_PLAIN = ("task", "measure", "nested")
_GRID = ("features", "selectors", "learners")
_DATA = ("train", "train_scores", "test", "test_scores", "columns")


@dataclass(frozen=True)
class ExperimentFile:
    """What a file asks for."""

    recipe: ExperimentRecipe
    train: ScoredFeatures
    test: ScoredFeatures | None


def read_experiment(path: StrPath) -> ExperimentFile:
    """Read a grid and its data; names of files are those beside the file."""
    values = parse_toml(read_text(path), path=path)
    _known(values, (*_PLAIN, *_GRID, "data"), path, "")
    data = values.get("data", {})
    if not isinstance(data, Mapping) or not {"train", "train_scores"} <= data.keys():
        raise FormatError("expected a table [data] with train (features) and train_scores.", path=path)
    _known(data, _DATA, path, "data.")
    if not all(isinstance(each, str) for each in data.values()):
        raise FormatError("expected names of files in [data].", path=path)
    if ("test" in data) != ("test_scores" in data):
        raise FormatError("test and test_scores go together in [data].", path=path)
    plain = {name: values[name] for name in _PLAIN if name in values}
    grid: dict[str, Any] = {name: _table(name, values[name], path) for name in _GRID if name in values}
    recipe = ExperimentRecipe(**plain, **grid).check()
    parts = [
        ScoredFeatures.of(_features(data, part, path), read_scores(_beside(path, data[f"{part}_scores"])), recipe.task)
        for part in ("train", "test")
        if part in data
    ]
    return ExperimentFile(recipe, parts[0], parts[1] if len(parts) > 1 else None)


def _features(data: Mapping[str, str], part: str, path: StrPath) -> Any:
    columns = data.get("columns")
    if columns is not None and columns not in FEATURE_SETS:
        raise FormatError(f"no set of features is called {columns!r}. Known: {', '.join(FEATURE_SETS)}.", path=path)
    return read_features(_beside(path, data[part]), names=FEATURE_SETS[columns] if columns else None)


def _beside(path: StrPath, name: str) -> Path:
    return Path(path).parent / name


def _known(values: Mapping[str, Any], known: tuple[str, ...], path: StrPath, prefix: str) -> None:
    strange = [name for name in values if name not in known]
    if strange:
        raise FormatError(f"{prefix}{strange[0]} is no part of an experiment. Known: {', '.join(known)}.", path=path)


def _table(name: str, value: Any, path: StrPath) -> dict[str, Any]:
    """A table of the grid: lists of text, or text alone for learners."""
    if not isinstance(value, Mapping) or not value:
        raise FormatError(f"expected a table [{name}] with at least one entry.", path=path)
    if name == "learners":
        if not all(isinstance(each, str) for each in value.values()):
            raise FormatError("expected text in [learners], such as ridge or svr:c=1.", path=path)
        return dict(value)
    for key, each in value.items():
        if not isinstance(each, list) or not all(isinstance(item, str) for item in each):
            raise FormatError(f"expected a list of text for {key} in [{name}].", path=path)
    return {key: tuple(each) for key, each in value.items()}
