"""Terms and their translations, as glossaries have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dragoman.errors import DataError

__all__ = ["Status", "Term", "TermList"]

Status = Literal["preferred", "admitted", "forbidden"]


@dataclass(frozen=True, slots=True)
class Term:
    """A term and its translation; a forbidden one must not be used for the source term."""

    source: str
    target: str
    status: Status = "preferred"
    note: str = ""

    def __post_init__(self) -> None:
        if not self.source.strip() or not self.target.strip():
            raise DataError(f"A term has text in both languages, got {self.source!r} and {self.target!r}.")


@dataclass(frozen=True)
class TermList:
    """Terms of a language pair, in file order; a language may be unknown."""

    terms: tuple[Term, ...]
    source_lang: str = ""
    target_lang: str = ""
