"""What features look things up in: language models, n-gram counts, lexical tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.lm import KneserNey, LanguageModel
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.resources.ngrams import NgramCounts, NgramRecipe
from dragoman.report import Column, Result, Table

__all__ = [
    "BuiltResources",
    "LexicalTable",
    "NgramCounts",
    "NgramRecipe",
    "Resources",
    "build_resources",
    "load_resources",
    "present",
]

T = TypeVar("T")
_LEXICON = "lexicon.tsv"


@dataclass(frozen=True, eq=False)
class Resources:
    """The resources at hand. A feature names those it needs by the names of these fields."""

    source_lm: LanguageModel | None = None
    target_lm: LanguageModel | None = None
    ngrams: NgramCounts | None = None  # of the source side of the training corpus
    lexicon: LexicalTable | None = None  # p(target word | source word)

    def missing(self, needs: tuple[str, ...]) -> list[str]:
        """Which of the needed ones are not there."""
        known = [field.name for field in fields(self)]
        unknown = sorted(set(needs) - set(known))
        if unknown:
            raise DataError(f"No resource is called {unknown[0]!r}. Known: {', '.join(known)}.")
        return [name for name in needs if getattr(self, name) is None]


def present(resource: T | None, name: str) -> T:
    """The resource, which must be there."""
    if resource is None:
        raise DataError(f"A feature needs the resource {name}, which is not there.")
    return resource


@dataclass(frozen=True)
class BuiltResources(Result):
    """What was built, and of how many entries."""

    kind: ClassVar[str] = "qe resources"

    folder: str
    n_entries: Mapping[str, tuple[int, ...]]  # resource → entries by length of the n-grams

    def tables(self) -> list[Table]:
        """A row a resource and length of n-grams."""
        rows = [(name, length, n) for name, sizes in self.n_entries.items() for length, n in enumerate(sizes, start=1)]
        return [Table.of(f"Resources in {self.folder}", ["resource", Column("length"), Column("entries")], rows)]

    def meta(self) -> dict[str, Any]:
        """The folder."""
        return {"folder": self.folder}


def build_resources(
    sources: Sequence[str], targets: Sequence[str], folder: StrPath, *, n_threads: int = 1
) -> BuiltResources:
    """Build what a tokenised bitext gives into a folder.

    A trigram model of the source, a 5-gram model of the target, counts of the source's n-grams up to 3, and a lexical
    table from our word alignment.
    """
    check_parallel({"sources": sources, "targets": targets})
    final = Path(folder)
    lexicon = LexicalTable.of_bitext(sources, targets, n_threads=n_threads)
    source_lm = KneserNey(order=3).train(sources, n_threads=n_threads)
    target_lm = KneserNey(order=5).train(targets, n_threads=n_threads)
    ngrams = NgramRecipe().train(sources)
    for name, artifact in (("source-lm", source_lm), ("target-lm", target_lm), ("ngrams", ngrams)):
        artifact.save(final / name)
    lexicon.write(final / _LEXICON)
    sizes = {
        "source-lm": source_lm.n_ngrams,
        "target-lm": target_lm.n_ngrams,
        "ngrams": tuple(len(keys) for keys, _ in ngrams.tables),
        "lexicon": (len(lexicon),),
    }
    return BuiltResources(str(final), sizes)


def load_resources(folder: StrPath | None, *, lexicon: StrPath | None = None) -> Resources:
    """The resources in a folder that `build_resources` made; a lexical table from a file takes the place of its own."""
    if folder is None:
        return Resources(lexicon=LexicalTable.read(lexicon) if lexicon is not None else None)
    path = Path(folder)
    table = LexicalTable.read(path / _LEXICON if lexicon is None else lexicon)
    return Resources(
        LanguageModel.load(path / "source-lm"),
        LanguageModel.load(path / "target-lm"),
        NgramCounts.load(path / "ngrams"),
        table,
    )
