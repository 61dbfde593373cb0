"""A kind of model to damage: how a small one is made, and what loads and uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.samples import phrasebook

__all__ = ["LINES", "SOURCE", "TARGET", "Seed", "seed_of"]

SOURCE, TARGET = (phrasebook()[lang][:30] for lang in ("en", "de"))
LINES = [*SOURCE, "", "zebra zebra"]


@dataclass(frozen=True)
class Seed:
    """A small model by its name; one that is costly to make or to use is damaged by night alone."""

    name: str
    make: Callable[[Path], object]  # saves it as the folder
    use: Callable[[Path], object]  # loads it and asks it for something
    nightly: bool = False

    @staticmethod
    def files(folder: Path) -> list[Path]:
        """Every file of a saved one, by its name inside the folder, the manifests too."""
        return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def seed_of(name: str, make: Callable[[], Any], use: Callable[[Path], object], *, nightly: bool = False) -> Seed:
    """The seed of a model that is made in memory."""
    return Seed(name, lambda folder: make().save(folder), use, nightly)


def named(seeds: Iterable[Seed]) -> dict[str, Seed]:
    """Seeds by their names, of which there is one each."""
    found: dict[str, Seed] = {}
    for seed in seeds:
        assert seed.name not in found, seed.name
        found[seed.name] = seed
    return found
