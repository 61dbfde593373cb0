"""The contract of aligners: a recipe learns both directions from tokenised sentence pairs and gives an `Aligner`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.align.text import Anchors, PairIds, encode
from dragoman.options import Recipe
from dragoman.registry import Registry
from dragoman.rng import Stream
from dragoman.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from dragoman.align.aligner import Aligner
    from dragoman.align.glossary import Priors
    from dragoman.align.result import AlignmentResult

__all__ = [
    "ALIGNERS",
    "AlignmentRecipe",
    "Direction",
    "Found",
    "Learnt",
    "Round",
    "both_directions",
    "stream_key",
    "with_options",
]

T = TypeVar("T")


@dataclass(frozen=True)
class Round:
    """A round of EM: the log-likelihood (base e) that its model gives the text, and the tension of the diagonal."""

    log_p: float
    tension: float


@dataclass(frozen=True, eq=False)
class Direction:
    """What was learnt about one direction, p(target | source): a table of word pairs, and more by method.

    The pairs of source word w are [rows[w + 1], rows[w + 2]); row 0 is the empty word's.
    """

    rows: NDArray[np.int64]
    targets: NDArray[np.int32]
    p: NDArray[np.float32]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()

    def core(self) -> _core.align.Table:
        """The table, for kernels."""
        return _core.align.Table(self.rows, self.targets, self.p)


@dataclass(frozen=True, eq=False)
class Found:
    """What a direction says of sentences: links by target word (-1: none), log p by sentence, posteriors if wanted."""

    links: NDArray[np.int32]
    log_p: NDArray[np.float64]
    posteriors: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Learnt:
    """What training gives: a direction and, where training itself says more than it does, the training text aligned."""

    direction: Direction
    found: Found | None = None


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
    ) -> Found:
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
        from dragoman.align.aligner import check_symmetrisation, join

        check_symmetrisation(symmetrisation, threshold)
        wanted = posteriors or symmetrisation == "posterior"
        aligner, pairs, found = self._train(
            srcs, tgts, anchors, priors, seed, n_threads, posteriors=wanted, bounds=bounds
        )
        if found is None:
            return aligner, aligner.align(
                srcs, tgts, symmetrisation=symmetrisation, threshold=threshold, anchors=anchors,
                bounds=bounds, posteriors=posteriors, n_threads=n_threads,
            )  # fmt: skip
        part = join(pairs, found, symmetrisation, threshold, wanted, n_threads)
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
    ) -> tuple[Aligner, PairIds, tuple[Found, Found] | None]:
        from dragoman.align.aligner import Aligner

        self.check()
        vocabularies = Vocabulary(unk="<unk>"), Vocabulary(unk="<unk>")
        pairs = encode(srcs, tgts, vocabularies, anchors=anchors, bounds=bounds, n_threads=n_threads)
        for vocabulary in vocabularies:
            vocabulary.freeze()

        def learn(backward: bool, share: int) -> Learnt:
            known = pair_weights(priors, vocabularies, backward=backward)
            return self.learn(
                pairs.core(backward=backward), known, key=stream_key(seed, backward), posteriors=posteriors,
                n_threads=share,
            )  # fmt: skip

        forward, back = both_directions(learn, n_threads)
        data = {name: _digest(lines) for name, lines in (("source", srcs), ("target", tgts))}
        aligner = Aligner(self, vocabularies, forward.direction, back.direction, seed=seed, data=data)
        both = None if forward.found is None or back.found is None else (forward.found, back.found)
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


def both_directions(work: Callable[[bool, int], T], n_threads: int) -> tuple[T, T]:
    """`work(backward, n_threads)` for both directions, at once if there is more than one thread."""
    if n_threads < 2:
        return work(False, 1), work(True, 1)
    with ThreadPoolExecutor(2) as pool:
        forward = pool.submit(work, False, n_threads - n_threads // 2)
        back = pool.submit(work, True, n_threads // 2)
        return forward.result(), back.result()


def stream_key(seed: int, backward: bool) -> int:
    """The key of a direction's random stream."""
    return Stream(seed, f"align {'backward' if backward else 'forward'}").key


def pair_weights(
    priors: Priors | None, vocabularies: tuple[Vocabulary, Vocabulary], *, backward: bool
) -> _core.align.Pairs:
    """The pseudo-counts of word pairs that both vocabularies know."""
    known = []
    for source, target, weight in priors.word_pairs() if priors is not None else ():
        ids = vocabularies[0].get(source), vocabularies[1].get(target)
        if ids[0] is not None and ids[1] is not None:
            known.append((ids[1], ids[0], weight) if backward else (ids[0], ids[1], weight))
    columns = tuple(zip(*known, strict=True)) or ((), (), ())
    return _core.align.Pairs(
        np.array(columns[0], np.int32), np.array(columns[1], np.int32), np.array(columns[2], np.float32)
    )


def _digest(lines: Sequence[str]) -> str:
    digest = sha256()
    for line in lines:
        digest.update(line.encode())
        digest.update(b"\n")
    return digest.hexdigest()


def with_options(options: T, **values: Any) -> T:
    """A kernel's options with these values."""
    for name, value in values.items():
        setattr(options, name, value)
    return options
