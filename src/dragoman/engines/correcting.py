"""Engines that correct what another engine says: what a post-editor and a repairer have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from dragoman.engines.base import load_engine, need
from dragoman.engines.results import Candidate, Request, Translation
from dragoman.engines.roles import PLAIN, Role, Translates
from dragoman.errors import DataError

__all__ = ["Corrects"]


class Corrects(Translates):
    """Corrects outputs of any engine; where it names one, its `base`, it is an engine itself."""

    without_base: ClassVar[str]  # what is said, with the cure, where it should translate and names no engine

    @property
    @abstractmethod
    def base_spec(self) -> str:
        """The engine whose output it corrects, as `load_engine` reads it; empty if it knows none."""

    @abstractmethod
    def corrected(self, outputs: Sequence[str], sources: Sequence[str], *, n_threads: int = 1) -> Sequence[str]:
        """The outputs for sources after its corrections."""

    @cached_property
    def base(self) -> Translates:
        """The engine behind it."""
        if not self.base_spec:
            raise DataError(self.without_base)
        return need(load_engine(self.base_spec), Translates)

    def lacks(self, role: type[Role]) -> str | None:
        """Why it cannot translate, if it has no engine."""
        return self.without_base if role is Translates and not self.base_spec else None

    def translations(self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1) -> list[Translation]:  # noqa: ARG002
        """The translation of each line by its engine, corrected."""
        texts = self.corrected(self.base.translate(lines, n_threads=n_threads), lines, n_threads=n_threads)
        return [Translation(line, (Candidate(text),)) for line, text in zip(lines, texts, strict=True)]
