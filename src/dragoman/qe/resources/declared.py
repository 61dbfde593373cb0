"""How a resource is declared: what it is, where it lies in a folder of resources, and what gives it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dragoman.align.base import Aligner
from dragoman.artifact import Artifact
from dragoman.files import read_lines, write_lines
from dragoman.lm import LanguageModel

if TYPE_CHECKING:
    from dragoman.qe.resources.material import Material

__all__ = ["Corpus", "Derived", "Group", "Resource", "aligner", "language_model"]

Sizes = Callable[[Any], tuple[int, ...]]


@dataclass(frozen=True)
class Resource:
    """Something that features look things up in; they need it by its name."""

    name: str
    text: str  # what it is
    kind: type[Artifact] | None = None  # what is saved; None if it lies in no folder
    sizes: Sizes | None = attrgetter("sizes")  # how many entries it has, as `dragoman qe resources` shows them
    options: tuple[str, ...] = ()  # of `dragoman qe resources`: without them it is not built
    impartial: bool = False  # has learnt nothing from the post-edited sentences, and serves those held out as it is

    @property
    def file(self) -> str:
        """What it is called in a folder of resources."""
        return self.name.replace("_", "-")

    def load(self, folder: Path) -> Any | None:
        """The resource in a folder; None if it is not there."""
        return self.kind.load(folder / self.file) if self.kind is not None and (folder / self.file).is_dir() else None

    def save(self, value: Any, folder: Path) -> None:
        """Write it into a folder of resources."""
        value.save(folder / self.file)

    def remove(self, folder: Path) -> None:
        """Take it out of a folder, where it may be from resources that were built there before."""
        if (folder / self.file).is_dir():
            shutil.rmtree(folder / self.file)


@dataclass(frozen=True)
class Corpus(Resource):
    """The different lines of a side, a text file."""

    sizes: Sizes | None = None

    @property
    def file(self) -> str:
        """`corpus.source`, `corpus.target`."""
        side, _, word = self.name.partition("_")
        return f"{word}.{side}"

    def load(self, folder: Path) -> Any | None:
        """The lines."""
        return tuple(read_lines(folder / self.file)) if (folder / self.file).is_file() else None

    def save(self, value: Any, folder: Path) -> None:
        """Write the lines."""
        write_lines(folder / self.file, value)

    def remove(self, folder: Path) -> None:
        """Delete the file."""
        (folder / self.file).unlink(missing_ok=True)


@dataclass(frozen=True)
class Derived(Resource):
    """What is made of another resource when a folder is opened, and not saved."""

    of: str = ""
    make: Callable[[Any], Any] = tuple


@dataclass(frozen=True)
class Group:
    """Resources of one idea that are built together."""

    name: str
    resources: tuple[Resource, ...]
    build: Callable[[Material], Mapping[str, Any]] | None = None  # what the material allows; None if they are given
    extra: bool = False  # built when it is asked for: it costs time or room, and not every feature needs it


def language_model(name: str, text: str, *options: str) -> Resource:
    """A resource that is a language model."""
    return Resource(name, text, LanguageModel, attrgetter("n_ngrams"), options)


def aligner(name: str, text: str, *options: str) -> Resource:
    """A resource that is an aligner; its sizes are those of its two tables."""
    return Resource(name, text, Aligner, lambda made: (len(made.forward.p), len(made.backward.p)), options)
