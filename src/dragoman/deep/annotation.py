"""Annotated deep trees as a result, and how many nodes have a formeme that says something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from dragoman.deep.formemes import formemes_of
from dragoman.report import Result, Table
from dragoman.text.conllu import NOTHING, Sentence, Word

__all__ = ["DeepAnnotation", "annotate", "annotated"]

_KEY = "Formeme"


@dataclass(frozen=True)
class DeepAnnotation(Result):
    """The nodes of deep trees with their formemes."""

    kind: ClassVar[str] = "deep annotation"

    rows: tuple[tuple[int, int, str, str, int, str], ...]
    language: str

    @property
    def coverage(self) -> float | None:
        """The share of nodes with a formeme other than `x`, in per cent; None without nodes."""
        if not self.rows:
            return None
        return 100 * sum(row[-1] != "x" for row in self.rows) / len(self.rows)

    def tables(self) -> list[Table]:
        """The nodes; how often each formeme is there."""
        counts = Counter(row[-1] for row in self.rows)
        share = self.coverage
        note = "" if share is None else f"{share:.2f} % of {len(self.rows)} content words have a formeme other than x."
        nodes = Table.of("Nodes", ["sentence", "id", "form", "lemma", "parent", "formeme"], self.rows, note=note)
        return [nodes, Table.of("Formemes", ["formeme", "nodes"], counts.most_common())]

    def shown_tables(self) -> list[Table]:
        """People see the formemes; the nodes are for programs and in the file."""
        nodes, formemes = self.tables()
        return [replace(formemes, note=nodes.note)]

    def meta(self) -> dict[str, Any]:
        """How many nodes, and the share with a formeme."""
        return {"language": self.language, "nodes": len(self.rows), "coverage": self.coverage}


def annotate(sentences: Iterable[Sentence], language: str) -> DeepAnnotation:
    """The formemes of all content words."""
    rows = []
    for number, sentence in enumerate(sentences, start=1):
        tree, formemes = formemes_of(sentence, language)
        for node, formeme in zip(tree.nodes, formemes, strict=True):
            rows.append((number, node.word.id, node.word.form, node.word.lemma, node.parent, formeme))
    return DeepAnnotation(tuple(rows), language)


def annotated(sentences: Iterable[Sentence], language: str) -> Iterator[Sentence]:
    """The sentences with `Formeme=` in the last column of their content words."""
    for sentence in sentences:
        tree, formemes = formemes_of(sentence, language)
        labels = {node.word.id: formeme for node, formeme in zip(tree.nodes, formemes, strict=True)}
        rows = tuple(
            replace(row, misc=_misc(row.misc, labels[row.id])) if isinstance(row, Word) and row.id in labels else row
            for row in sentence.rows
        )
        yield replace(sentence, rows=rows)


def _misc(misc: str, formeme: str) -> str:
    pairs = [] if misc == NOTHING else [pair for pair in misc.split("|") if not pair.startswith(f"{_KEY}=")]
    return "|".join([*pairs, f"{_KEY}={formeme}"])
