"""Features of constituency parses: how likely and how sure they are, their shape, their nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, once
from dragoman.qe.features.sides import ON, ON_TEXT, between, needs_of
from dragoman.stats.arrays import Floats
from dragoman.syntax import ConstituentParse, Grammar, label_counts, tree_depth, tree_width

__all__ = ["Constituents", "NodeCount"]

_AVRAMIDIS = "Avramidis, WMT 2012, §3"
_N_BEST = 20


@once
def _parses(batch: Batch, side: str) -> list[ConstituentParse]:
    grammar = batch.resources.ask(f"{side}_grammar", Grammar)
    return grammar.parse(batch.tokens(side).token_lines(), n_best=_N_BEST, n_threads=batch.n_threads)


@dataclass(frozen=True)
class _OfGrammar(Feature):
    """Base of features that ask a grammar."""

    needs: ClassVar[tuple[str, ...]] = ("target_grammar",)

    on: str = option("target", choices=ON, text=ON_TEXT)

    def needed(self) -> tuple[str, ...]:
        """The grammars of the sides."""
        return needs_of(self.on, "grammar")


@dataclass(frozen=True)
class Constituents(_OfGrammar):
    """What a grammar says of a side, and the shape of the best tree.

    `likelihood` is the natural logarithm of the best tree's probability, `mean` the same per word; `trees` how many
    there are, up to 20; `confidence` the best tree's share of the sentence's probability, `mean-confidence` the mean
    over those trees; `failed` 1 if the grammar has no tree of the whole sentence; `depth` the nodes above the deepest
    word, `width` the nodes of the widest level.
    """

    name: ClassVar[str] = "constituents"
    paper: ClassVar[str] = f"{_AVRAMIDIS} (parsing); Felice & Specia, WMT 2012, §3 (depth, width)"

    value: str = option(
        "likelihood",
        choices=("likelihood", "mean", "trees", "confidence", "mean-confidence", "failed", "depth", "width"),
        text="what of the parse",
    )

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence; 0 for an empty one."""
        return between(self.on, lambda side: np.array([self._of(parse) for parse in _parses(batch, side)], np.float64))

    def _of(self, parse: ConstituentParse) -> float:
        if not parse.tokens:
            return 0.0
        if self.value in ("likelihood", "mean"):
            # Glued parts of a failed parse may have no probability at all.
            likely = parse.log_likelihood if np.isfinite(parse.log_likelihood) else -100.0 * len(parse.tokens)
            return likely if self.value == "likelihood" else likely / len(parse.tokens)
        if self.value == "depth":
            return tree_depth(parse.tree)
        if self.value == "width":
            return tree_width(parse.tree)
        name = {"trees": "n_trees"}.get(self.value, self.value.replace("-", "_"))
        return float(getattr(parse, name))


@dataclass(frozen=True)
class NodeCount(_OfGrammar):
    """Number of nodes with a label in the best tree of a grammar: S, NP, VP, PP, or parts of speech of its treebank."""

    name: ClassVar[str] = "node-count"
    paper: ClassVar[str] = f"{_AVRAMIDIS} (shallow grammatical match); Felice & Specia, WMT 2012, §3"

    label: str = option("NP", text="which nodes")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""

        def of(side: str) -> Floats:
            counts = batch.keep(("nodes", side), lambda: [label_counts(parse.tree) for parse in _parses(batch, side)])
            return np.array([each[self.label] for each in counts], dtype=np.float64)

        return between(self.on, of)
