"""Documents dealt to training, development and test sets, category by category (Post et al., WMT 2012, §3.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from dragoman.data.crowd import Document
from dragoman.errors import DataError, UnknownName
from dragoman.report import Result, Table
from dragoman.rng import Stream

__all__ = ["DocumentSplit", "split_documents"]

PARTS = {"training": 7, "dev": 1, "devtest": 1, "test": 1}


@dataclass(frozen=True)
class DocumentSplit(Result):
    """Which document goes where. A segment follows its document, so no document is in two parts."""

    kind: ClassVar[str] = "document-split"

    documents: tuple[Document, ...]
    parts: tuple[str, ...]  # of the documents
    shares: Mapping[str, int]
    seed: int | None

    def part_of(self, document: str) -> str:
        """The part that a document went to."""
        for each, part in zip(self.documents, self.parts, strict=True):
            if each.name == document:
                return part
        raise UnknownName(f"No document is called {document!r}.")

    def tables(self) -> list[Table]:
        """Documents, then counts by category."""
        rows = [(d.name, d.category, part, d.title) for d, part in zip(self.documents, self.parts, strict=True)]
        counts = Counter((d.category, part) for d, part in zip(self.documents, self.parts, strict=True))
        categories = dict.fromkeys(d.category for d in self.documents)
        by_category = [(c, *(counts[c, part] for part in self.shares)) for c in categories]
        return [
            Table.of("Documents", ["document", "category", "part", "title"], rows),
            Table.of("Documents by category", ["category", *self.shares], by_category),
        ]

    def meta(self) -> dict[str, Any]:
        """Shares, seed and counts."""
        return {"shares": dict(self.shares), "seed": self.seed, "n": dict(Counter(self.parts))}


def split_documents(
    documents: Sequence[Document], *, shares: Mapping[str, int] | None = None, seed: int | None = None
) -> DocumentSplit:
    """Deal the documents of every category in turn, each to the part that lags most behind its share.

    In every category every part is within one document of its share. Rows of one document stay together. Without a
    seed documents are dealt in their order, with one in a random order.
    """
    wanted = dict(PARTS if shares is None else shares)
    if not documents:
        raise DataError("There are no documents to deal.")
    if not wanted or any(share < 1 for share in wanted.values()):
        raise DataError(f"Every part needs a share from 1 on, got {wanted}.")
    categories: dict[str, str] = {}
    for document in documents:
        if categories.setdefault(document.name, document.category) != document.category:
            raise DataError(
                f"The document {document.name!r} is in the categories {categories[document.name]!r} and "
                f"{document.category!r}: it could go to two parts."
            )
    total = sum(wanted.values())
    given: dict[str, Counter[str]] = {}
    parts: dict[str, str] = {}
    order = range(len(documents)) if seed is None else Stream(seed, "documents").permutation(len(documents)).tolist()
    for document in (documents[n] for n in order):
        if document.name in parts:  # another page of it
            continue
        own = given.setdefault(document.category, Counter())
        dealt = own.total() + 1
        # Ties go to the larger share, then to the part named first.
        part = max(wanted, key=lambda p: (Fraction(wanted[p] * dealt, total) - own[p], wanted[p]))
        own[part] += 1
        parts[document.name] = part
    return DocumentSplit(tuple(documents), tuple(parts[d.name] for d in documents), wanted, seed)
