"""Learning an order from parallel text whose words are linked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import ClassVar

from dragoman.align import align
from dragoman.data.alignments import Alignment, Link
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.reorder.annotation import Annotated, annotate
from dragoman.reorder.crossings import Crossings, count_crossings
from dragoman.reorder.model import Reorderer, ReorderRecipe
from dragoman.report import Column, Result, Table
from dragoman.syntax import Parser

__all__ = ["Learnt", "checked_links", "learn_order", "link_words"]

_SHOWN = 20  # rules of each method in a table


@dataclass(frozen=True)
class Learnt(Result):
    """A reorderer, and what it does to the text that it was learnt from."""

    kind: ClassVar[str] = "learnt order"

    reorderer: Reorderer
    before: Crossings
    after: Crossings
    n_pairs: int
    n_moved: int
    model: str | None = None

    def tables(self) -> list[Table]:
        """Crossings and the most frequent rules."""
        share = Column("crossing links", digits=4)
        rows = [("as they stand", self.before.share), ("in the order learnt", self.after.share)]
        note = f"{self.n_moved} of {self.n_pairs} sentences are moved. Shares of all pairs of links of the text."
        crossings = Table.of("Crossings", ["words", share], rows, note=note)
        sizes = [(name, len(rules)) for name, rules in self.reorderer.rules.items()]
        counted = Table.of("Rules", ["method", "rules"], sizes)
        shown = [
            Table.of(f"Frequent rules: {name}", ["rule", "count", Column("p", digits=3)], top)
            for name, rules in self.reorderer.rules.items()
            if (top := rules.shown(_SHOWN))
        ]
        return [crossings, counted, *shown]


def learn_order(
    srcs: Sequence[str],
    tgts: Sequence[str],
    *,
    recipe: ReorderRecipe | None = None,
    parser: Parser | None = None,
    sentences: Sequence[Annotated] | None = None,
    links: Sequence[Alignment] | None = None,
    save: StrPath | None = None,
    seed: int = 1,
    n_threads: int = 1,
) -> Learnt:
    """Learn from tokenised sentence pairs how their source words would stand in the order of the target.

    Source sentences are annotated by a `parser`, which the reorderer keeps, or come annotated (`sentences`). Without
    `links` the words are aligned first.
    """
    recipe = (recipe or ReorderRecipe()).check()
    check_parallel({"srcs": srcs, "tgts": tgts, "sentences": sentences, "links": links})
    token_lines = [line.split() for line in srcs]
    if not any(token_lines):
        raise DataError("There is no text to learn an order from: all source lines are empty.")
    if sentences is None:
        if parser is None:
            raise DataError("An order is learnt from parts of speech or trees: give a parser, or annotated sentences.")
        xpos = recipe.tags == "xpos"
        sentences = annotate(parser, token_lines, trees=recipe.needs_trees, xpos=xpos, n_threads=n_threads)
    if links is not None:
        linked = checked_links(links, srcs, tgts)
    else:
        linked = link_words(srcs, tgts, symmetrisation=recipe.links, seed=seed, n_threads=n_threads)
    used = [i for i, tokens in enumerate(token_lines) if 1 < len(tokens) <= recipe.longest]
    own, own_links = [sentences[i] for i in used], [linked[i] for i in used]
    rules = {method.name: method.learn(own, own_links) for method in recipe.methods()}
    text = "\n".join(f"{src}\t{tgt}" for src, tgt in zip(srcs, tgts, strict=True))
    reorderer = Reorderer(recipe, rules, parser, data={"text": sha256(text.encode()).hexdigest()})
    if save is not None:
        reorderer.save(save)
    before = after = Crossings()
    n_moved = 0
    for sentence, each in zip(own, own_links, strict=True):
        order = reorderer.order(sentence)
        n_moved += order != tuple(range(len(order)))
        before += count_crossings(each)
        after += count_crossings(each, order)
    return Learnt(reorderer, before, after, len(srcs), n_moved, None if save is None else str(save))


def link_words(
    srcs: Sequence[str],
    tgts: Sequence[str],
    *,
    symmetrisation: str = "grow-diag-final-and",
    seed: int = 1,
    n_threads: int = 1,
) -> list[list[Link]]:
    """The links of tokenised sentence pairs, learnt from them."""
    result = align(srcs, tgts, symmetrisation=symmetrisation, seed=seed, n_threads=n_threads)
    pairs = result.links.tolist()
    return [[(s, t) for s, t in pairs[a:b]] for a, b in pairwise(result.offsets.tolist())]


def checked_links(links: Sequence[Alignment], srcs: Sequence[str], tgts: Sequence[str]) -> list[list[Link]]:
    """Links that are given, if they lead to words of their sentences."""
    for number, (each, src, tgt) in enumerate(zip(links, srcs, tgts, strict=True), start=1):
        try:
            each.check_within(len(src.split()), len(tgt.split()))
        except DataError as error:
            raise DataError(f"Line {number}: {error}") from None
    return [list(each.links) for each in links]
