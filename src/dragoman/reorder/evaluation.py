"""How well an order fits held-out text: crossing links, and how many orders of the target a lattice has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.data.alignments import Alignment
from dragoman.data.parallel import check_parallel
from dragoman.reorder.annotation import Annotated
from dragoman.reorder.crossings import Crossings, count_crossings
from dragoman.reorder.learning import checked_links, link_words
from dragoman.reorder.model import Reorderer
from dragoman.reorder.orders import target_spans
from dragoman.report import Column, Result, Table

__all__ = ["OrderEvaluation", "evaluate_order"]


@dataclass(frozen=True)
class OrderEvaluation(Result):
    """Crossings before and after, sentences whose order is the target's, and those whose lattice has it."""

    kind: ClassVar[str] = "order evaluation"

    before: Crossings
    after: Crossings
    n_sentences: int
    n_moved: int
    n_monotone: int  # sentences without a crossing as they stand
    n_right: int  # in the order given
    n_covered: int  # with such an order in the lattice
    n_arcs: int
    n_words: int

    def tables(self) -> list[Table]:
        """Crossings, and sentences by order."""
        total = self.n_sentences
        rows = [
            ("as they stand", self.before.share, self.n_monotone, _share(self.n_monotone, total)),
            ("in the best order", self.after.share, self.n_right, _share(self.n_right, total)),
            ("in the lattice", None, self.n_covered, _share(self.n_covered, total)),
        ]
        columns: list[Column | str] = [
            "words",
            Column("crossing links", digits=4),
            "sentences in the target's order",
            Column("share", digits=4),
        ]
        moved = f"{self.n_moved} of {total} sentences are moved."
        arcs = f"Lattices have {self.n_arcs} arcs for {self.n_words} words."
        return [Table.of("Order", columns, rows, note=f"{moved} {arcs}")]


def evaluate_order(
    reorderer: Reorderer,
    srcs: Sequence[str],
    tgts: Sequence[str],
    *,
    sentences: Sequence[Annotated] | None = None,
    links: Sequence[Alignment] | None = None,
    more: Iterable[tuple[str, str]] = (),
    seed: int = 1,
    n_threads: int = 1,
) -> OrderEvaluation:
    """Compare the orders of tokenised source lines with those of their translations.

    Without `links` words are aligned, together with `more` pairs of text, without which a few lines say little. A
    sentence has the target's order if no links cross.
    """
    check_parallel({"srcs": srcs, "tgts": tgts, "sentences": sentences, "links": links})
    if sentences is None:
        sentences = reorderer.annotate([line.split() for line in srcs], n_threads=n_threads)
    if links is not None:
        linked = checked_links(links, srcs, tgts)
    else:
        pairs = list(more)
        beside = [src for src, _ in pairs], [tgt for _, tgt in pairs]
        linked = link_words([*srcs, *beside[0]], [*tgts, *beside[1]], seed=seed, n_threads=n_threads)[: len(srcs)]
    before = after = Crossings()
    n_moved = n_monotone = n_right = n_covered = n_arcs = 0
    for sentence, own in zip(sentences, linked, strict=True):
        order, lattice = reorderer.order(sentence), reorderer.lattice(sentence)
        one, other = count_crossings(own), count_crossings(own, order)
        before, after = before + one, after + other
        n_moved += order != tuple(range(len(order)))
        n_monotone += not one.crossing
        n_right += not other.crossing
        n_covered += lattice.has_order(target_spans(own, len(sentence)))
        n_arcs += len(lattice.arcs)
    n_words = sum(map(len, sentences))
    return OrderEvaluation(before, after, len(sentences), n_moved, n_monotone, n_right, n_covered, n_arcs, n_words)


def _share(count: int, total: int) -> float | None:
    return count / total if total else None
