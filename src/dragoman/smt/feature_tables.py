"""Tables that decoder features are made from, named in a recipe and saved with an engine: `tag-pairs:target=tags.tsv`.

A table has the class of each target word, a word, a tab and a class a line. What source words are annotated with has
the same names; a name that no table has says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.lm import WordClasses
from dragoman.options import parse_spec

__all__ = ["FeatureTables", "feature_name"]

_UNKNOWN = "<unk>"  # the class of a word that has none


def feature_name(spec: str) -> str:
    """What a feature is called, without its tables."""
    return parse_spec(spec)[0]


@dataclass(frozen=True)
class FeatureTables:
    """The tables of an engine's features, by feature and table: `tag-pairs.target`."""

    tables: Mapping[str, WordClasses] = field(default_factory=dict)

    def of(self, features: Sequence[str]) -> FeatureTables:
        """The tables that features name, read from their files unless they are here."""
        specs = [parse_spec(spec) for spec in features]
        files = {f"{name}.{table}": path for name, tables in specs for table, path in tables.items()}
        return FeatureTables({key: self.tables.get(key) or WordClasses.read(path) for key, path in files.items()})

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The classes in the order of their numbers."""
        return (*sorted({name for table in self.tables.values() for name in table.classes.values()}), _UNKNOWN)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def resources(self, spec: str, words: Iterable[str]) -> tuple[str, dict[str, list[int]]]:
        """A feature as the core takes it: its name, and its tables as a number for each target word."""
        name, tables = parse_spec(spec)
        classes = {table: self.tables[f"{name}.{table}"].classes for table in tables}
        numbers = self._numbers
        return name, {key: [numbers[of.get(word, _UNKNOWN)] for word in words] for key, of in classes.items()}

    def layer(self, annotation: Sequence[Sequence[str]], lengths: Sequence[int]) -> NDArray[np.int32]:
        """What the tokens of lines are annotated with, as numbers; -1 for what no table knows."""
        if [len(line) for line in annotation] != list(lengths):
            place = next((i for i, (a, n) in enumerate(zip(annotation, lengths, strict=False)) if len(a) != n), 0)
            raise DataError(
                f"A layer has a value for each token of each line: there are {len(lengths)} lines and "
                f"{len(annotation)} annotated ones, and line {place + 1} differs in its number of tokens."
            )
        return np.array([self._numbers.get(name, -1) for line in annotation for name in line], dtype=np.int32)

    def write(self, folder: Path) -> None:
        """Save each table as `feature.NAME.tsv`."""
        for key, table in self.tables.items():
            table.write(folder / f"feature.{key}.tsv")

    @classmethod
    def read(cls, folder: Path) -> FeatureTables:
        """What `write` wrote."""
        files = sorted(folder.glob("feature.*.tsv"))
        return cls({file.name.removeprefix("feature.").removesuffix(".tsv"): WordClasses.read(file) for file in files})
