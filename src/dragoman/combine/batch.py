"""The networks of a set of segments, and paths through them under some weights: what tuners call a decoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.combine.network import Network
from dragoman.combine.pairwise import pairwise_links
from dragoman.combine.recipe import CombineRecipe
from dragoman.combine.sources import source_lexicon
from dragoman.combine.words import cut_systems, word_facts
from dragoman.lm.model import KneserNey, LanguageModel
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = ["Batch", "Paths", "feature_names", "start_weights"]

SUPPORT = ("support-2", "support-3", "support-4")


def feature_names(systems: Sequence[str], *, has_inputs: bool, has_lm: bool) -> tuple[str, ...]:
    """What a path is scored by, in the kernel's order."""
    own = [f"vote {name}" for name in systems] + [f"skeleton {name}" for name in systems]
    return (*own, "consensus", "words", "nulls", *SUPPORT, *["inputs-lm"] * has_inputs, *["lm"] * has_lm)


def start_weights(names: Sequence[str]) -> dict[str, float]:
    """Weights to start from: all systems alike, agreement good."""
    n = sum(name.startswith("vote ") for name in names)
    start = {"consensus": 0.1, "support-2": 0.3, "support-3": 0.3, "support-4": 0.3, "inputs-lm": 0.05, "lm": 0.1}
    return {name: 1 / n if name.startswith("vote ") else start.get(name, 0.0) for name in names}


@dataclass(frozen=True, eq=False)
class Paths:
    """Paths through the networks of segments, best first; those of segment i are [offsets[i], offsets[i + 1])."""

    texts: list[str]  # tokens joined by spaces
    offsets: NDArray[np.int64]
    features: NDArray[np.float64]
    scores: NDArray[np.float64]
    networks: NDArray[np.uint32]  # the skeleton of each path's network
    arcs: TokenIds  # the word that each path takes in each link, -1: none


class Batch:
    """Outputs of several systems, tokenised, and their networks."""

    def __init__(
        self,
        systems: Mapping[str, Sequence[str]],
        recipe: CombineRecipe,
        *,
        srcs: Sequence[str] | None = None,
        lm: LanguageModel | None = None,
        n_threads: int = 1,
    ) -> None:
        self.systems = tuple(systems)
        self.recipe = recipe
        self.n_threads = n_threads
        self.vocabulary = Vocabulary()
        lines = list(systems.values())
        self.hyps = cut_systems(lines, self.vocabulary, n_threads=n_threads)
        self.words = self.vocabulary.words()
        self.core = _core.combine.Batch(self.hyps.ids, self.hyps.offsets, len(systems))
        self._build(lines, srcs)
        models = [] if lm is None else [lm]
        if recipe.inputs_order:
            whole = [line for each in lines for line in each]
            models.insert(0, KneserNey(order=recipe.inputs_order).train(whole, n_threads=n_threads))
        numbers = [np.array(model.core.find_words(self.words), dtype=np.int32) for model in models]
        self._kept = models, numbers
        self.core.set_models([model.core for model in models], numbers)
        self.names = feature_names(self.systems, has_inputs=recipe.inputs_order > 0, has_lm=lm is not None)

    def _build(self, lines: Sequence[Sequence[str]], srcs: Sequence[str] | None) -> None:
        recipe = self.recipe
        facts = word_facts(self.words, recipe.lang, with_kin=recipe.has_kin, synonyms=recipe.synonyms)
        sources = links = None
        if recipe.align == "hmm":
            links = pairwise_links(self.hyps, len(lines), n_threads=self.n_threads)
        if recipe.align == "ihmm" and srcs is not None:
            sources = source_lexicon(srcs, lines, self.vocabulary, n_threads=self.n_threads)
        self.core.build(facts, recipe.core(), sources, links, n_threads=self.n_threads)

    def __len__(self) -> int:
        return len(self.hyps) // len(self.systems)

    @cached_property
    def networks(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The word of each system in each link, -1: none; where network `segment · systems + skeleton` begins."""
        return self.core.networks()

    def network(self, segment: int, skeleton: int) -> Network:
        """One network in words."""
        words, offsets = self.networks
        number = segment * len(self.systems) + skeleton
        links = words[offsets[number] : offsets[number + 1]].tolist()
        return Network(
            tuple(tuple(None if word < 0 else self.words[word] for word in link) for link in links), len(self.systems)
        )

    def oracle(self, refs: Sequence[str], weights: NDArray[np.float64]) -> list[str]:
        """The paths, of those that the search keeps, with the fewest word edits from tokenised references."""
        texts = []
        for segment, line in enumerate(refs):
            lattice = self.core.lattice(segment, np.asarray(weights, dtype=np.float32), self.recipe.beam)
            ids = [-1 if number < 0 else number for number in self.vocabulary.find(line.split())]
            arcs = lattice.closest(ids)[1]
            texts.append(" ".join(self.words[word] for word in lattice.words_of(arcs)))
        return texts

    def paths(
        self, weights: NDArray[np.float64], segments: NDArray[np.int64] | None = None, *, n_best: int = 1
    ) -> Paths:
        """The best paths of segments, of all unless some are named."""
        wanted = np.arange(len(self)) if segments is None else segments
        arcs, arc_offsets, offsets, networks, scores, features = self.core.best_paths(
            np.ascontiguousarray(wanted, dtype=np.int64),
            np.asarray(weights, dtype=np.float32),
            beam=self.recipe.beam,
            n_best=n_best,
            n_threads=self.n_threads,
        )
        taken = arcs >= 0
        ends = np.concatenate([[0], np.cumsum(taken)])[arc_offsets]
        texts = self.vocabulary.decode(TokenIds(arcs[taken], ends))
        return Paths(texts, offsets, features, scores, networks, TokenIds(arcs, arc_offsets))

    def __call__(self, weights: NDArray[np.float64], segments: NDArray[np.int64] | None = None, /) -> Paths:
        """Candidates of the tuning set, as tuners ask for them."""
        return self.paths(weights, segments, n_best=self.recipe.n_best)
