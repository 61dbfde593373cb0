"""How good a tagger of names is: precision, recall and F1 of whole names, as `conlleval` counts (CoNLL 2003)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.syntax.named import Name, NamedSentence
from dragoman.syntax.names import NameTagger

__all__ = ["FoundNames", "KindAccuracy", "NameAccuracy", "compare_names", "evaluate_names"]


@dataclass(frozen=True)
class KindAccuracy:
    """How many names of a kind were found. A share of nothing is None."""

    kind: str
    n_expected: int
    n_found: int
    n_right: int  # start, end and kind agree

    @property
    def precision(self) -> float | None:
        """Right ones of those found, in per cent."""
        return 100 * self.n_right / self.n_found if self.n_found else None

    @property
    def recall(self) -> float | None:
        """Right ones of those expected, in per cent."""
        return 100 * self.n_right / self.n_expected if self.n_expected else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both, in per cent."""
        total = self.n_found + self.n_expected
        return 200 * self.n_right / total if total else None


@dataclass(frozen=True)
class NameAccuracy(Result):
    """Names found and missed, by kind and in all."""

    kind: ClassVar[str] = "name accuracy"

    kinds: tuple[KindAccuracy, ...]
    n_sentences: int
    n_tokens: int

    @property
    def overall(self) -> KindAccuracy:
        """All kinds together."""
        sums = (sum(getattr(each, n) for each in self.kinds) for n in ("n_expected", "n_found", "n_right"))
        return KindAccuracy("all", *sums)

    def tables(self) -> list[Table]:
        """One row for each kind, and all together first."""
        columns = [
            Column("kind"),
            *(Column(name, f"{name} %", digits=1) for name in ("precision", "recall", "F1")),
            Column("expected"),
            Column("found"),
            Column("right"),
        ]
        rows = [
            (each.kind, each.precision, each.recall, each.f1, each.n_expected, each.n_found, each.n_right)
            for each in (self.overall, *self.kinds)
        ]
        return [Table.of("Names", columns, rows, note=f"{self.n_sentences} sentences, {self.n_tokens} tokens.")]

    def meta(self) -> dict[str, Any]:
        """How much was tagged."""
        return {"sentences": self.n_sentences, "tokens": self.n_tokens}


@dataclass(frozen=True)
class FoundNames(Result):
    """The names in lines of tokens."""

    kind: ClassVar[str] = "names"

    token_lines: tuple[tuple[str, ...], ...]
    names: tuple[tuple[Name, ...], ...]
    model: str

    def tables(self) -> list[Table]:
        """One row for each name; places count tokens from 1."""
        rows = [
            (number, name.start + 1, name.end, name.kind, " ".join(tokens[name.start : name.end]))
            for number, (tokens, names) in enumerate(zip(self.token_lines, self.names, strict=True), start=1)
            for name in names
        ]
        return [Table.of("Names", ["line", "first", "last", "kind", "name"], rows)]

    def meta(self) -> dict[str, Any]:
        """The tagger."""
        return {"model": self.model, "lines": len(self.token_lines)}


def evaluate_names(tagger: NameTagger, sentences: Iterable[NamedSentence], *, n_threads: int = 1) -> NameAccuracy:
    """Tag the tokens of annotated sentences, and compare."""
    expected = list(sentences)
    found = tagger.tag([sentence.tokens for sentence in expected], n_threads=n_threads)
    return compare_names(found, expected)


def compare_names(found: Sequence[Sequence[Name]], expected: Sequence[NamedSentence]) -> NameAccuracy:
    """Compare the names found in sentences with those that are marked; another number of them raises `DataError`."""
    if len(found) != len(expected):
        raise DataError(f"Names must be of the same sentences, got found={len(found)}, expected={len(expected)}.")
    if not expected:
        raise DataError("There is no sentence to compare.")
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("expected", "found", "right")}
    for mine, sentence in zip(found, expected, strict=True):
        counts["expected"].update(name.kind for name in sentence.names)
        counts["found"].update(name.kind for name in mine)
        counts["right"].update(name.kind for name in set(mine) & set(sentence.names))
    kinds = tuple(
        KindAccuracy(kind, counts["expected"][kind], counts["found"][kind], counts["right"][kind])
        for kind in sorted(counts["expected"].keys() | counts["found"].keys())
    )
    return NameAccuracy(kinds, len(expected), sum(len(sentence.tokens) for sentence in expected))
