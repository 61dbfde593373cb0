"""The order in which an engine reads its source: the section `reorder` of a recipe, and what it does to each line.

Text is put into the order of the target language before words are linked and phrases extracted; what is translated is
read in the best order that a reorderer gives it, or as a lattice of all orders it offers. Links that the engine gives
count source words as they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Self

import numpy as np

from dragoman.artifact import MANIFEST
from dragoman.errors import DataError
from dragoman.files import read_text
from dragoman.options import Recipe, option
from dragoman.reorder.model import Reorderer
from dragoman.reorder.orders import Order
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.constraints import Constraints, Lattice
from dragoman.smt.decoded import Decoded
from dragoman.smt.grammar.labels import LABELLERS
from dragoman.smt.work import fingerprint
from dragoman.text.tokens import TokenIds, join_rows

__all__ = ["OrderedInput", "ReorderSection", "reordered_lines", "with_own_order"]

BEST, LATTICE = "best", "lattice"


@dataclass(frozen=True)
class ReorderSection(Recipe):
    """In which order the source is read."""

    model: str = option("", text="a reorderer's folder, made by `dragoman reorder learn`; nothing: as it stands")
    use: str = option(
        BEST,
        choices=(BEST, LATTICE),
        text="read the best order, or a lattice of all that are offered; phrases are of that order, or of both",
    )

    labels: str = option(
        "",
        text="orientation of phrases also by what their target side is called (ccg, ccg-best, constituents, heads, "
        "samt), for which parse.target names a parser",
    )
    label_share: float = option(
        0.5, low=0, high=1, text="labels of a phrase pair that count have this share of its most frequent one, or more"
    )
    label_words: bool = option(
        False, choices=(False, True), text="a phrase is called by the labels of its words, not by its own"
    )

    def __bool__(self) -> bool:
        return bool(self.model)

    def check(self) -> Self:
        """The section, if the labeller is known."""
        super().check()
        if self.labels:
            LABELLERS.make(self.labels)
        return self

    def read(self) -> Reorderer:
        """The reorderer."""
        if not (Path(self.model) / MANIFEST).is_file():
            raise DataError(f"{self.model} is no reorderer. Learn one: dragoman reorder learn SOURCE TARGET -m FOLDER.")
        return Reorderer.load(self.model)

    def fingerprint(self) -> str:
        """What the reorderer is made of."""
        self.read()
        return fingerprint([read_text(Path(self.model) / MANIFEST)])


def reordered_lines(reorderer: Reorderer, lines: Sequence[str], *, n_threads: int = 1) -> tuple[list[str], list[Order]]:
    """Lines of tokens in their best orders, and these."""
    token_lines = [line.split() for line in lines]
    orders = reorderer.orders(token_lines, n_threads=n_threads)
    pairs = zip(token_lines, orders, strict=True)
    return [" ".join([tokens[place] for place in order]) for tokens, order in pairs], orders


def with_own_order(text: AlignedText, orders: Sequence[Order]) -> AlignedText:
    """A text that is in these orders, and behind it once more as it was before: phrases of both are extracted.

    (Niehues et al., WMT 2009, extract from the monotone and from reordered paths.)
    """
    ends, link_ends = text.source.offsets.tolist(), text.link_offsets.tolist()
    ids, links = text.source.ids.copy(), text.links.copy()
    for number, ((begin, end), (first, last)) in enumerate(zip(pairwise(ends), pairwise(link_ends), strict=True)):
        order = np.array(orders[number % len(orders)], dtype=np.int64)
        ids[begin + order] = text.source.ids[begin:end]
        links[first:last, 0] = order[text.links[first:last, 0]]
    source = TokenIds(*join_rows([(text.source.ids, text.source.offsets), (ids, text.source.offsets)]))
    target = TokenIds(*join_rows([(text.target.ids, text.target.offsets)] * 2))
    weights = None if text.weights is None else np.tile(text.weights, 2)
    both, offsets = join_rows([(text.links, text.link_offsets), (links, text.link_offsets)])
    return AlignedText(source, target, both, offsets, weights)


@dataclass(frozen=True, eq=False)
class OrderedInput:
    """Lines as the decoder reads them, and what leads back to the words as they stand."""

    token_lines: list[str]
    constraints: list[Constraints | None] | None
    places: list[Order] | None  # by line: the place of each word that is read; None: lattices know theirs

    @classmethod
    def of(
        cls,
        reorderer: Reorderer,
        use: str,
        token_lines: Sequence[str],
        constraints: Sequence[Constraints | None] | None,
        *,
        n_threads: int = 1,
    ) -> Self:
        """The lines in the orders of a reorderer; a line that is a lattice already is left alone."""
        split = [line.split() for line in token_lines]
        sentences = reorderer.annotate(split, n_threads=n_threads)
        asked = list(constraints) if constraints is not None else [None] * len(split)
        if use == LATTICE:
            lattices: list[Constraints | None] = []
            for tokens, sentence, each in zip(split, sentences, asked, strict=True):
                if not tokens or (each and (each.lattice or each.terms or each.walls)):
                    lattices.append(each)  # terms and walls are places of the text as it stands
                    continue
                arcs = reorderer.lattice(sentence).arcs
                words = tuple((a, b, tokens[place], score) for a, b, place, score in arcs)
                made = Lattice(words, tuple(place for _, _, place, _ in arcs))
                lattices.append(replace(each or Constraints(), lattice=made))
            return cls(list(token_lines), lattices, None)
        orders = [_fitting(reorderer.order(sentence), each) for sentence, each in zip(sentences, asked, strict=True)]
        lines = [" ".join([tokens[i] for i in order]) for tokens, order in zip(split, orders, strict=True)]
        moved = [_moved(each, order) for each, order in zip(asked, orders, strict=True)]
        return cls(lines, None if constraints is None else moved, orders)

    def restored(self, decoded: Decoded) -> Decoded:
        """Translations whose links count words as they stand."""
        if self.places is None or not len(decoded.links):
            return decoded
        links = decoded.links.copy()
        ends = decoded.link_offsets.tolist()
        for number, order in enumerate(self.places):
            paths = decoded.paths(number)
            begin, end = ends[paths.start], ends[paths.stop]
            if begin < end:
                links[begin:end, 0] = np.array(order, dtype=links.dtype)[links[begin:end, 0]]
        return replace(decoded, links=links)


def _fitting(order: Order, asked: Constraints | None) -> Order:
    """The order, unless something is asked of the line that goes with its own alone: a lattice, a term torn apart."""
    if asked is None or not (asked.lattice or asked.terms):
        return order
    now = {word: place for place, word in enumerate(order)}
    spans = [[now[word] for word in range(term.begin, term.end) if word in now] for term in asked.terms]
    torn = any(places and max(places) - min(places) >= len(places) for places in spans)
    return tuple(range(len(order))) if asked.lattice or torn else order


def _moved(asked: Constraints | None, order: Order) -> Constraints | None:
    """What is asked of a line, in its new order: terms, and walls that still part the same words."""
    if asked is None or asked.lattice or not (asked.terms or asked.walls):
        return asked
    now = {word: place for place, word in enumerate(order)}
    terms = []
    for term in asked.terms:
        places = [now[word] for word in range(term.begin, term.end) if word in now]
        # Words that are not there are named where all terms are checked.
        terms.append(
            replace(term, begin=min(places), end=max(places) + 1) if len(places) == term.end - term.begin else term
        )
    walls = tuple(wall for wall in asked.walls if set(order[:wall]) == set(range(wall)))
    return replace(asked, terms=tuple(terms), walls=walls)
