"""A language model along heads: a word's past is the chain of its heads, not the words before it.

(Graham & van Genabith, SSST-4 2010.) `<s>` stands above the root and `</s>` below every leaf. A tree is read as its
paths from the root to the leaves; what two paths share is counted once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError
from dragoman.lm.from_counts import model_from_counts
from dragoman.lm.kneser_ney import Estimation
from dragoman.lm.model import KneserNey, LanguageModel
from dragoman.options import option
from dragoman.text.conllu import NOTHING, Sentence, Word

__all__ = ["HeadPath", "HeadsKneserNey", "HeadsModel", "depth_first_heads", "head_paths", "path_ngrams"]

_MODEL = "lm"


@dataclass(frozen=True)
class HeadPath:
    """The words from a root down to a leaf; the first `known` of them stand on an earlier path of the tree, too."""

    words: tuple[str, ...]
    known: int = 0


def depth_first_heads(n: int, arcs: Iterable[tuple[int, int]]) -> list[int]:
    """The head of each of `n` nodes, numbered from 1, in the depth-first tree of a graph; 0: it is a root.

    Arcs are (head, dependent), 0 above all. A node that several arcs lead to keeps the one by which it is reached
    first; loops and shared arguments go.
    """
    below: dict[int, list[int]] = {}
    for head, dependent in arcs:
        below.setdefault(head, []).append(dependent)
    heads: dict[int, int] = {}
    waiting = [(0, node) for node in reversed(below.get(0, []))]
    while waiting:
        head, node = waiting.pop()
        if node not in heads:
            heads[node] = head
            waiting += [(node, other) for other in reversed(below.get(node, []))]
    missing = [node for node in range(1, n + 1) if node not in heads]
    if missing:
        raise DataError(f"No arc leads from the root to node {missing[0]}.")
    return [heads[node] for node in range(1, n + 1)]


def head_paths(words: Sequence[str], heads: Sequence[int]) -> list[HeadPath]:
    """The paths of a tree, by the order of words; heads are numbers of words from 1, 0 above the roots."""
    below: dict[int, list[int]] = {}
    for node, head in enumerate(heads, start=1):
        below.setdefault(head, []).append(node)
    paths: list[HeadPath] = []
    last: tuple[int, ...] = ()
    waiting: list[tuple[int, ...]] = [(node,) for node in reversed(below.get(0, []))]
    while waiting:
        path = waiting.pop()
        if path[-1] in below:
            waiting += [(*path, node) for node in reversed(below[path[-1]])]
            continue
        known = next((i for i, (a, b) in enumerate(zip(path, last, strict=False)) if a != b), min(len(path), len(last)))
        paths.append(HeadPath(tuple(words[node - 1] for node in path), known))
        last = path
    return paths


def path_ngrams(paths: Iterable[HeadPath], order: int) -> Counter[tuple[str, ...]]:
    """The n-grams that paths are counted as: each word, and the end below a leaf, with the heads above it."""
    counts: Counter[tuple[str, ...]] = Counter()
    for path in paths:
        whole = ("<s>", *path.words, "</s>")
        for at in range(1 + path.known, len(whole)):
            counts[whole[max(0, at + 1 - order) : at + 1]] += 1
    return counts


@dataclass(frozen=True)
class HeadsKneserNey(Estimation):
    """How to estimate a model along heads from trees."""

    order: int = option(3, low=1, high=9, text="length of the longest n-grams: a word and the heads above it")
    words: str = option("form", choices=("form", "lemma"), text="what stands for a word")
    lowercase: bool = option(True, choices=(False, True), text="in lower case")
    drop: tuple[str, ...] = option(("punct",), text="relations whose words are left out")

    def paths(self, tree: Sentence) -> list[HeadPath]:
        """The paths of a tree in the words of the model; what hangs on a word that is left out goes to its head."""
        heads = {word.id: word.head for word in tree.words}
        if None in heads.values():
            raise DataError(f"A sentence has no tree: {' '.join(word.form for word in tree.words)[:60]!r}. Parse it.")
        dropped = {word.id for word in tree.words if word.deprel.partition(":")[0] in self.drop and word.head}
        kept = [word for word in tree.words if word.id not in dropped]
        numbers = {0: 0, **{word.id: place for place, word in enumerate(kept, start=1)}}

        def above(node: int | None) -> int:
            while node in dropped:
                node = heads[node]
            return numbers[node or 0]

        return head_paths([self._word(word) for word in kept], [above(word.head) for word in kept])

    def _word(self, word: Word) -> str:
        text = word.lemma if self.words == "lemma" and word.lemma != NOTHING else word.form
        text = "_".join((text.lower() if self.lowercase else text).split())
        return f"{text}_" if text in ("<s>", "</s>") else text

    def train(self, trees: Iterable[Sentence]) -> HeadsModel:
        """Count the paths of trees and estimate."""
        self.check()
        counts: Counter[tuple[str, ...]] = Counter()
        for tree in trees:
            counts.update(path_ngrams(self.paths(tree), self.order))
        if not counts:
            raise DataError("There are no trees to estimate a model along heads from.")
        core = model_from_counts(counts, self)
        text = sha256(repr(sorted(counts.items())).encode()).hexdigest()
        plain = KneserNey(**{each.name: getattr(self, each.name) for each in fields(KneserNey)})
        return HeadsModel(self, LanguageModel(core, plain, data={"n-grams": text}))


@dataclass(frozen=True, eq=False)
class HeadsModel(Artifact):
    """How probable words are below their heads: log10 probabilities of trees."""

    kind: ClassVar[str] = "language model along heads"
    format: ClassVar[int] = 1

    recipe: HeadsKneserNey
    model: LanguageModel

    @property
    def data(self) -> Mapping[str, str]:  # type: ignore[override]
        """What it was estimated from."""
        return self.model.data

    def score(self, trees: Sequence[Sentence | None], *, n_threads: int = 1) -> NDArray[np.float64]:
        """log10 of the probability of each tree; nothing is the end below the beginning."""
        by_tree = [[HeadPath(())] if tree is None else self.recipe.paths(tree) or [HeadPath(())] for tree in trees]
        flat = [path for paths in by_tree for path in paths]
        scored = self.model.score_tokens([" ".join(path.words) for path in flat], n_threads=n_threads)
        begins = scored.offsets[:-1] + np.array([path.known for path in flat], dtype=np.int64)
        sums = np.concatenate([[0.0], np.cumsum(scored.log_p, dtype=np.float64)])
        totals = sums[scored.offsets[1:]] - sums[begins]
        ends = np.cumsum([0, *map(len, by_tree)])
        return np.array([totals[a:b].sum() for a, b in pairwise(ends.tolist())])

    def _write(self, folder: Path) -> None:
        self.model.save(folder / _MODEL)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        return cls(HeadsKneserNey.from_dict(manifest.recipe), LanguageModel.load(folder / _MODEL))
