"""The contract of aligners: a recipe learns both directions from tokenised sentence pairs and gives an `Aligner`."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.align.directions import DirectedLinks, Direction, Learnt, Round, both_directions, stream_key
from dragoman.align.glossary import Priors
from dragoman.align.lexicon import Lexicon
from dragoman.align.result import AlignmentResult
from dragoman.align.symmetrisation import Part, check_symmetrisation, join
from dragoman.align.text import Anchors, PairIds, encode
from dragoman.artifact import Artifact, Manifest
from dragoman.errors import ModelError
from dragoman.options import Recipe
from dragoman.registry import Registry
from dragoman.text.tokens import TokenIds, join_rows
from dragoman.text.vocabulary import Vocabulary

__all__ = ["ALIGNERS", "Aligner", "AlignmentRecipe"]

_BATCH = 20_000  # pairs aligned at a time
_TRAINING = "training.json"
_SIDES = ("source", "target")
_TABLE = ("rows", "targets", "p")


@dataclass(frozen=True)
class AlignmentRecipe(Recipe, ABC):
    """How to learn word alignment from a bitext. Subclasses are the methods of `ALIGNERS`."""

    name: ClassVar[str]

    @abstractmethod
    def learn(
        self, bitext: _core.align.Bitext, pairs: _core.align.Pairs, *, key: int, posteriors: bool, n_threads: int
    ) -> Learnt:
        """Learn one direction."""

    @abstractmethod
    def find(
        self, direction: Direction, bitext: _core.align.Bitext, *, key: int, posteriors: bool, n_threads: int
    ) -> DirectedLinks:
        """Align sentences in one direction with what was learnt."""

    def train(
        self,
        srcs: Sequence[str],
        tgts: Sequence[str],
        *,
        anchors: Anchors | None = None,
        priors: Priors | None = None,
        seed: int = 1,
        n_threads: int = 1,
    ) -> Aligner:
        """Learn both directions from tokenised sentence pairs, one a line.

        `anchors` are links known, by sentence pair; `priors` are pseudo-counts for pairs of words.
        """
        aligner, _, _ = self._train(srcs, tgts, anchors, priors, seed, n_threads, posteriors=False)
        return aligner

    def train_and_align(
        self,
        srcs: Sequence[str],
        tgts: Sequence[str],
        *,
        symmetrisation: str = "grow-diag-final-and",
        threshold: float = 0.4,
        anchors: Anchors | None = None,
        bounds: Anchors | None = None,
        priors: Priors | None = None,
        posteriors: bool = False,
        seed: int = 1,
        n_threads: int = 1,
    ) -> tuple[Aligner, AlignmentResult]:
        """Learn from sentence pairs and align the same: what the sampler saw while learning is its best answer.

        Links of the other methods are those that `Aligner.align` gives.
        """
        check_symmetrisation(symmetrisation, threshold)
        wanted = posteriors or symmetrisation == "posterior"
        aligner, pairs, both_ways = self._train(
            srcs, tgts, anchors, priors, seed, n_threads, posteriors=wanted, bounds=bounds
        )
        if both_ways is None:
            return aligner, aligner.align(
                srcs,
                tgts,
                symmetrisation=symmetrisation,
                threshold=threshold,
                anchors=anchors,
                bounds=bounds,
                posteriors=posteriors,
                n_threads=n_threads,
            )
        part = join(pairs, both_ways, symmetrisation, threshold, wanted, n_threads)
        return aligner, aligner.result([part], symmetrisation, threshold, posteriors)

    def _train(
        self,
        srcs: Sequence[str],
        tgts: Sequence[str],
        anchors: Anchors | None,
        priors: Priors | None,
        seed: int,
        n_threads: int,
        *,
        posteriors: bool,
        bounds: Anchors | None = None,
    ) -> tuple[Aligner, PairIds, tuple[DirectedLinks, DirectedLinks] | None]:
        self.check()
        vocabularies = Vocabulary(unk="<unk>"), Vocabulary(unk="<unk>")
        pairs = encode(srcs, tgts, vocabularies, anchors=anchors, bounds=bounds, n_threads=n_threads)
        for vocabulary in vocabularies:
            vocabulary.freeze()

        def learn(backward: bool, share: int) -> Learnt:
            weights = pair_weights(priors, vocabularies, backward=backward)
            return self.learn(
                pairs.core(backward=backward),
                weights,
                key=stream_key(seed, backward),
                posteriors=posteriors,
                n_threads=share,
            )

        forward, back = both_directions(learn, n_threads)
        data = {name: _digest(lines) for name, lines in (("source", srcs), ("target", tgts))}
        aligner = Aligner(self, vocabularies, forward.direction, back.direction, seed=seed, data=data)
        both = None if forward.links is None or back.links is None else (forward.links, back.links)
        return aligner, pairs, both

    def to_dict(self) -> dict[str, Any]:
        """The fields, and the name of the method."""
        return {"method": self.name, **super().to_dict()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The recipe that a manifest holds."""
        return super().from_dict({name: value for name, value in values.items() if name != "method"})


ALIGNERS: Registry[AlignmentRecipe] = Registry(
    "aligner",
    {
        "diagonal": "dragoman.align.ibm:Diagonal",
        "hmm": "dragoman.align.hmm:Hmm",
        "ibm1": "dragoman.align.ibm:Ibm1",
        "sampler": "dragoman.align.sampler:Sampler",
    },
)


class Aligner(Artifact):
    """Both directions of a trained alignment model with their vocabularies.

    Words that were not met in training are unknown: the places of their neighbours decide.
    """

    kind: ClassVar[str] = "word aligner"
    format: ClassVar[int] = 1

    recipe: AlignmentRecipe

    def __init__(
        self,
        recipe: AlignmentRecipe,
        vocabularies: tuple[Vocabulary, Vocabulary],
        forward: Direction,
        backward: Direction,
        *,
        seed: int,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.recipe = recipe
        self.vocabularies = vocabularies
        self.forward = forward
        self.backward = backward
        self.seed: int = seed
        self.data = dict(data or {})

    def __repr__(self) -> str:
        sizes = " and ".join(f"{len(vocabulary):,}" for vocabulary in self.vocabularies)
        return f"<Aligner {self.recipe.name}: {sizes} words>"

    def align(
        self,
        srcs: Sequence[str],
        tgts: Sequence[str],
        *,
        symmetrisation: str = "grow-diag-final-and",
        threshold: float = 0.4,
        anchors: Anchors | None = None,
        bounds: Anchors | None = None,
        posteriors: bool = False,
        n_threads: int = 1,
    ) -> AlignmentResult:
        """Align tokenised sentence pairs, of the training or new ones.

        `symmetrisation` is one of `SYMMETRISATIONS`; for "posterior", links are those whose posteriors of the two
        directions have a geometric mean of at least `threshold`. `anchors` are links known, by sentence pair: they are
        among the links, and no link contradicts them. `bounds` are pairs of words, by sentence pair, that go with each
        other alone, whether they are linked or not. `posteriors` keeps those means for all pairs of words.
        """
        check_symmetrisation(symmetrisation, threshold)
        wanted = posteriors or symmetrisation == "posterior"
        parts = []
        # At least once, for the checks and the empty arrays of no text at all.
        for first in range(0, max(1, len(srcs), len(tgts)), _BATCH):
            batch = slice(first, first + _BATCH)
            links = None if anchors is None else anchors[batch]
            limits = None if bounds is None else bounds[batch]
            pairs = encode(
                srcs[batch],
                tgts[batch],
                self.vocabularies,
                anchors=links,
                bounds=limits,
                first=first,
                n_threads=n_threads,
            )
            both_ways = self._find(pairs, wanted, n_threads)
            parts.append(join(pairs, both_ways, symmetrisation, threshold, wanted, n_threads))
        return self.result(parts, symmetrisation, threshold, posteriors)

    def _find(self, pairs: PairIds, posteriors: bool, n_threads: int) -> tuple[DirectedLinks, DirectedLinks]:
        def find(backward: bool, share: int) -> DirectedLinks:
            return self.recipe.find(
                self.backward if backward else self.forward,
                pairs.core(backward=backward),
                key=stream_key(self.seed, backward),
                posteriors=posteriors,
                n_threads=share,
            )

        return both_directions(find, n_threads)

    def result(self, parts: Sequence[Part], symmetrisation: str, threshold: float, posteriors: bool) -> AlignmentResult:
        """Consecutive parts of a text as one result."""
        links, offsets = join_rows([(part.links, part.offsets) for part in parts])
        source, target = (
            TokenIds(*join_rows([(side.ids, side.offsets) for side in sides]))
            for sides in zip(*((part.pairs.source, part.pairs.target) for part in parts), strict=True)
        )
        return AlignmentResult(
            links=links,
            offsets=offsets,
            source=source,
            target=target,
            forward=np.concatenate([part.both_ways[0].links for part in parts]),
            backward=np.concatenate([part.both_ways[1].links for part in parts]),
            log_p_forward=np.concatenate([part.both_ways[0].log_p for part in parts]),
            log_p_backward=np.concatenate([part.both_ways[1].log_p for part in parts]),
            posteriors=np.concatenate([part.joint for part in parts]) if posteriors else None,
            recipe=self.recipe.to_dict(),
            symmetrisation=symmetrisation,
            threshold=threshold if symmetrisation == "posterior" else None,
            seed=self.seed,
            rounds=(self.forward.rounds, self.backward.rounds),
        )

    def lexicon(self, direction: Literal["forward", "backward"] = "forward") -> Lexicon:
        """The lexical probabilities: forward p(target | source), backward p(source | target)."""
        forward = direction == "forward"
        table = self.forward if forward else self.backward
        sources = np.repeat(np.arange(-1, len(table.rows) - 2, dtype=np.int32), np.diff(table.rows))
        order = np.lexsort((table.targets, sources))
        first, second = self.vocabularies if forward else self.vocabularies[::-1]
        return Lexicon(sources[order], np.array(table.targets)[order], np.array(table.p)[order], first, second)

    def _write(self, folder: Path) -> None:
        for name, vocabulary in zip(_SIDES, self.vocabularies, strict=True):
            vocabulary.save(folder / f"{name}.vocabulary")
        training = {}
        for name, direction in (("forward", self.forward), ("backward", self.backward)):
            arrays = {key: getattr(direction, key) for key in _TABLE} | dict(direction.arrays)
            for key, array in arrays.items():
                np.save(folder / f"{name}.{key}.npy", np.asarray(array))
            training[name] = {
                "arrays": sorted(direction.arrays),
                "values": dict(direction.values),
                "rounds": [asdict(each) for each in direction.rounds],
            }
        (folder / _TRAINING).write_text(json.dumps(training, indent=2) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        recipe = ALIGNERS.get(str(manifest.recipe.get("method"))).from_dict(manifest.recipe)
        source, target = (Vocabulary.load(folder / f"{name}.vocabulary") for name in _SIDES)
        training = json.loads((folder / _TRAINING).read_text(encoding="utf-8"))
        directions = [_direction(folder, name, training[name]) for name in ("forward", "backward")]
        if manifest.seed is None:
            raise ModelError(f"{folder} is an aligner without a seed in its manifest. Build it again.")
        aligner = cls(recipe, (source, target), *directions, seed=manifest.seed, data=manifest.data)
        aligner.align((), ())  # a value that the method asks for and the files lack is missed now
        return aligner


def pair_weights(
    priors: Priors | None, vocabularies: tuple[Vocabulary, Vocabulary], *, backward: bool
) -> _core.align.Pairs:
    """The pseudo-counts of word pairs that both vocabularies know."""
    triples = list(priors.word_pairs()) if priors is not None else []
    source_ids = vocabularies[0].core.find_words([source for source, _, _ in triples])
    target_ids = vocabularies[1].core.find_words([target for _, target, _ in triples])
    weights = np.array([weight for _, _, weight in triples], np.float32)
    met = (source_ids >= 0) & (target_ids >= 0)
    sides = (target_ids, source_ids) if backward else (source_ids, target_ids)
    return _core.align.Pairs(sides[0][met], sides[1][met], weights[met])


def _digest(lines: Sequence[str]) -> str:
    digest = sha256()
    for line in lines:
        digest.update(line.encode())
        digest.update(b"\n")
    return digest.hexdigest()


def _are_jumps(values: NDArray[np.generic]) -> bool:
    """Weights of every width up to some, and of wider ones on each side."""
    return _are_weights(values, "float64") and len(values) % 2 == 1 and len(values) >= 3 and bool(values.any())


def _are_fertilities(values: NDArray[np.generic]) -> bool:
    return _are_weights(values, "float32") and len(values) % _FERTILITIES == 0 and bool(values.all())


def _are_weights(values: NDArray[np.generic], kind: str) -> bool:
    return values.ndim == 1 and values.dtype == kind and bool((np.isfinite(values) & (values >= 0)).all())  # type: ignore[operator]


# Kernels follow these arrays as they are.
_ARRAYS = {"jumps": _are_jumps, "fertilities": _are_fertilities}
_FERTILITIES = 8  # of each word: 0 … 6 target words, and more


def _direction(folder: Path, name: str, training: Mapping[str, Any]) -> Direction:
    def array(key: str) -> NDArray[np.generic]:
        path = folder / f"{name}.{key}.npy"
        # Mapped, so that processes share a large table; what fits a page is read.
        loaded: NDArray[np.generic] = np.load(path, mmap_mode="r" if path.stat().st_size > 4096 else None)
        return loaded

    table = {key: array(key) for key in _TABLE}
    rows, targets, p = (table[key] for key in _TABLE)
    # Kernels follow the rows as they are.
    if rows.ndim != 1 or len(rows) < 2 or rows[0] != 0 or rows[-1] != len(targets) or (np.diff(rows) < 0).any():
        raise ModelError(f"{folder}: {name}.rows.npy does not cut the table of words. Train the aligner again.")
    if targets.shape != p.shape:
        raise ModelError(f"{folder}: {name} has {targets.size} pairs, {p.size} probabilities. Train it again.")
    arrays = {key: array(key) for key in training["arrays"]}
    for key, values in arrays.items():
        if not _ARRAYS[key](values):
            raise ModelError(f"{folder}: {name}.{key}.npy is no array of {key}. Train the aligner again.")
    return Direction(
        **table,  # type: ignore[arg-type]  # kernels refuse other types
        arrays=arrays,
        values=dict(training["values"]),
        rounds=tuple(Round(**each) for each in training["rounds"]),
    )
