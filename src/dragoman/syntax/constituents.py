"""Constituency parsing with a probabilistic grammar learnt from a treebank.

The grammar has split symbols (see `rules`) and is searched from coarse to fine (Charniak et al. 2006): the labels of
the treebank alone say, by inside and outside probabilities, what may stand over which words; only that is tried with
split symbols. The best trees come by lazy enumeration (Huang & Chiang 2005).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from math import exp
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from dragoman import _core
from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, ModelError
from dragoman.options import Recipe, option
from dragoman.syntax.bracketed import clean_tree
from dragoman.syntax.lexicon import Lexicon, check_classes, learn_lexicon
from dragoman.syntax.rules import CountedTrees, root_of
from dragoman.text.trees import Tree, escape_token

__all__ = ["ConstituentParse", "Grammar", "GrammarRecipe"]

_ARRAYS = (
    "binary",
    "binary_scores",
    "unary",
    "unary_scores",
    "coarse_binary",
    "coarse_binary_scores",
    "coarse_unary",
    "coarse_unary_scores",
    "coarse_of",
    "share",
    "log_prior",
    "coarse_prior",
    "labels",
    "offsets",
    "symbols",
    "scores",
)


@dataclass(frozen=True, eq=False)
class ConstituentParse:
    """The trees of a sentence, best first.

    `failed`: the grammar has no tree over the whole sentence, or it was too long; then there is one tree, of the parts
    that could be parsed, glued below its root, no tree is counted and there is no confidence in it.
    """

    tokens: tuple[str, ...]
    log_likelihood: float  # natural logarithm: of the best tree, or of the glued parts
    log_sentence: float  # of all trees together
    scores: tuple[float, ...]  # log-likelihoods of the trees listed
    failed: bool
    _flat: tuple[tuple[list[int], list[int]], ...]  # labels (−1 − t is the word t) and parents of each tree
    _names: tuple[str, ...]

    @cached_property
    def tree(self) -> Tree:
        """The best tree; without nodes for an empty sentence."""
        return self._tree(0) if self._flat else Tree((), ())

    def trees(self) -> list[Tree]:
        """All trees listed."""
        return [self._tree(number) for number in range(len(self._flat))]

    @property
    def n_trees(self) -> int:
        """How many trees were found, up to the number asked for; 0 if the sentence could not be parsed."""
        return 0 if self.failed else len(self.scores)

    @property
    def confidences(self) -> tuple[float, ...]:
        """P(tree | sentence) of the trees listed."""
        return () if self.failed else tuple(min(1.0, exp(score - self.log_sentence)) for score in self.scores)

    @property
    def confidence(self) -> float:
        """P(best tree | sentence); 0 if there is none."""
        return self.confidences[0] if self.n_trees else 0.0

    @property
    def mean_confidence(self) -> float:
        """The mean over the trees listed; 0 if there is none."""
        return sum(self.confidences) / self.n_trees if self.n_trees else 0.0

    def _tree(self, number: int) -> Tree:
        labels, parents = self._flat[number]
        names = self._names
        return Tree(
            tuple(names[label] if label >= 0 else escape_token(self.tokens[-1 - label]) for label in labels),
            tuple(parents),
        )


@dataclass(frozen=True)
class GrammarRecipe(Recipe):
    """How to learn a grammar from trees."""

    vertical: int = option(2, low=1, high=3, text="labels a symbol knows: its own, its parent's, …")
    horizontal: int = option(1, low=0, high=3, text="children a phrase remembers while it is written")
    smoothing: float = option(0.5, low=0.0, text="weight of wider contexts, for each kind of rule seen in a context")
    least: float = option(
        1e-5, low=0.0, high=1.0, text="rules less likely and never seen in their context are left out"
    )

    def train(self, trees: Iterable[Tree]) -> Grammar:
        """Learn from trees in brackets; functions and traces are taken out of them first."""
        self.check()
        digest = sha256()
        cleaned = []
        for number, tree in enumerate(trees, start=1):
            digest.update(f"{tree}\n".encode())
            plain = clean_tree(tree)
            if len(plain):
                cleaned.append(_checked(plain, number))
        if not cleaned:
            raise DataError("There are no trees to learn a grammar from.")
        counted = CountedTrees(cleaned, vertical=self.vertical, horizontal=self.horizontal)
        fine = counted.fine(smoothing=self.smoothing, least=self.least)
        coarse_names, coarse = counted.coarse()
        numbers = {state: number for number, state in enumerate(fine.states)}
        coarse_numbers = {name: number for number, name in enumerate(coarse_names)}
        lexicon = learn_lexicon(counted.words, numbers)
        of_coarse: Counter[str] = Counter()
        for state, count in counted.n_states.items():
            of_coarse[state.coarse] += count
        total = counted.n_states.total()
        names = list(dict.fromkeys(state.label for state in fine.states if state.past is None))
        arrays = {
            "binary": fine.binary,
            "binary_scores": fine.binary_scores,
            "unary": fine.unary,
            "unary_scores": fine.unary_scores,
            "coarse_binary": coarse.binary,
            "coarse_binary_scores": coarse.binary_scores,
            "coarse_unary": coarse.unary,
            "coarse_unary_scores": coarse.unary_scores,
            "coarse_of": np.array([coarse_numbers[state.coarse] for state in fine.states], dtype=np.int32),
            "share": np.array([counted.n_states[state] / of_coarse[state.coarse] for state in fine.states]),
            "log_prior": np.log([counted.n_states[state] / total for state in fine.states]),
            "coarse_prior": np.array([of_coarse[name] / total for name in coarse_names]),
            "labels": np.array(
                [names.index(state.label) if state.past is None else -1 for state in fine.states], dtype=np.int32
            ),
            "offsets": lexicon.offsets,
            "symbols": lexicon.symbols,
            "scores": lexicon.scores,
        }
        about = {
            "names": names,
            "symbols": [str(state) for state in fine.states],
            "root": root_of(fine.states),
            "words": list(lexicon.words),
            "classes": dict(lexicon.classes),
            "n_trees": len(cleaned),
        }
        return Grammar(self, arrays, about, data={"trees": digest.hexdigest()})


class Grammar(Artifact):
    """Parses tokenised sentences into constituents."""

    kind: ClassVar[str] = "constituency grammar"
    format: ClassVar[int] = 1

    def __init__(
        self, recipe: GrammarRecipe, arrays: dict[str, Any], about: dict[str, Any], *, data: dict[str, str]
    ) -> None:
        self.recipe: GrammarRecipe = recipe
        self.data = dict(data)
        self._arrays, self._about = arrays, about
        self.labels: tuple[str, ...] = tuple(about["names"])
        self.n_trees: int = about["n_trees"]
        words = {word: row for row, word in enumerate(about["words"])}
        self._lexicon = check_classes(
            Lexicon(words, about["classes"], arrays["offsets"], arrays["symbols"], arrays["scores"])
        )
        self._kernel = _core.syntax.Grammar(root=about["root"], **arrays)

    @property
    def n_rules(self) -> int:
        """How many rules of split symbols it has."""
        return len(self._arrays["binary"]) + len(self._arrays["unary"])

    def parse(
        self,
        token_lines: Sequence[Sequence[str]],
        *,
        n_best: int = 1,
        least_share: float = 0.001,
        longest: int = 100,
        n_threads: int = 1,
    ) -> list[ConstituentParse]:
        """The trees of each sentence, given as its tokens.

        At most `n_best`, and none that is less likely than `least_share` of the best. Sentences of more than `longest`
        tokens are parsed in pieces, and marked `failed`. Anything may stand in a sentence; nothing makes it raise.
        """
        if n_best < 1 or longest < 1 or not 0 <= least_share <= 1:
            raise DataError(
                f"n_best and longest are at least 1, least_share is from 0 to 1; found {n_best}, {longest}, "
                f"{least_share:g}."
            )
        if isinstance(token_lines, str) or any(isinstance(tokens, str) for tokens in token_lines):
            raise DataError("Expected sentences as lists of tokens, found a str. Split the lines first.")
        rows = [self._lexicon.rows(tokens) for tokens in token_lines]
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(each) for each in rows], out=offsets[1:])
        flat = np.array([row for each in rows for row in each], dtype=np.int32)
        found = self._kernel.parse(
            flat, offsets, n_best=n_best, least_share=least_share, longest=longest, n_threads=n_threads
        )
        return [self._parsed(tokens, number, found) for number, tokens in enumerate(token_lines)]

    def _parsed(self, tokens: Sequence[str], number: int, found: dict[str, Any]) -> ConstituentParse:
        first, end = (int(found["tree_offsets"][place]) for place in (number, number + 1))
        bounds = found["node_offsets"][first : end + 1].tolist()
        scores = tuple(found["scores"][first:end].tolist())
        flat = tuple(
            (found["labels"][low:high].tolist(), found["parents"][low:high].tolist()) for low, high in pairwise(bounds)
        )
        return ConstituentParse(
            tuple(tokens),
            scores[0] if scores else 0.0,
            float(found["log_sentences"][number]),
            scores,
            bool(found["failed"][number]),
            flat,
            self.labels,
        )

    def _write(self, folder: Path) -> None:
        np.savez_compressed(folder / "grammar.npz", **self._arrays)
        (folder / "grammar.json").write_text(json.dumps(self._about, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        try:
            about = json.loads((folder / "grammar.json").read_text(encoding="utf-8"))
            with np.load(folder / "grammar.npz", allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in _ARRAYS}
            return cls(GrammarRecipe.from_dict(manifest.recipe), arrays, about, data=dict(manifest.data))
        except (KeyError, ValueError, TypeError, OSError) as error:
            raise ModelError(f"{folder}: the grammar is damaged: {error}. Train it again.") from None


def _checked(tree: Tree, number: int) -> Tree:
    """The tree, if every word stands alone below its part of speech."""
    for node, below in enumerate(tree.children()):
        if len(below) > 1:
            bare = next((child for child in below if not _has_children(tree, child)), None)
            if bare is not None:
                raise DataError(
                    f"Tree {number}: the word {tree.labels[bare]!r} stands beside others below {tree.labels[node]}; "
                    "each word needs a part of speech of its own."
                )
    return tree


def _has_children(tree: Tree, node: int) -> bool:
    # Pre-order: a node's first child, if it has any, is the next node.
    return node + 1 < len(tree) and tree.parents[node + 1] == node
