"""Nets over tuples, with the aligner that cuts pairs into them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.align import Aligner
from dragoman.artifact import Artifact, Manifest
from dragoman.lm.nets import OutputWords, read_net
from dragoman.lm.nets.examples import log_p_of
from dragoman.smt.nets.factors import FACTORS, EncodedStreams
from dragoman.smt.nets.recipe import TupleNetRecipe
from dragoman.smt.nets.streams import Streams, unfolded

__all__ = ["TupleNet"]

_SIDES = ("source", "target")


class TupleNet(Artifact):
    """How probable a translation is of its source, and the other way round, by one net for each factor."""

    kind: ClassVar[str] = "translation net"
    format: ClassVar[int] = 1

    recipe: TupleNetRecipe

    def __init__(
        self,
        nets: Mapping[str, _core.net.Net],
        words: tuple[OutputWords, OutputWords],
        aligner: Aligner,
        recipe: TupleNetRecipe,
        *,
        seed: int,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.nets = dict(nets)
        self.output_words = words
        self.aligner = aligner
        self.recipe = recipe
        self.seed: int = seed
        self.data = dict(data or {})

    def __repr__(self) -> str:
        return f"<TupleNet of order {self.recipe.order}: {', '.join(self.nets)}>"

    @staticmethod
    def shape(recipe: TupleNetRecipe, factor: str, words: tuple[OutputWords, OutputWords]) -> _core.net.Shape:
        """The sizes of the net of a factor over these words."""
        return _core.net.Shape.make(
            n_inputs=sum(len(each) + 1 for each in words),
            n_slots=recipe.n_slots,
            projection=recipe.projection,
            hidden=recipe.hidden,
            hidden2=recipe.hidden2,
            class_offsets=words[FACTORS[factor].side].offsets,
        )

    def token_scores(self, streams: Streams, *, n_threads: int = 1) -> dict[str, list[NDArray[np.float64]]]:
        """By factor and pair, log10 p of each token of the predicted side, its end included."""
        encoded = EncodedStreams.of(streams, self.output_words, n_threads=n_threads)
        sizes = len(self.output_words[0]), len(self.output_words[1])
        scores = {}
        for name, net in self.nets.items():
            examples = FACTORS[name].examples(encoded, sizes, self.recipe.order - 1, self.recipe.ahead)
            log_p = log_p_of(net, examples, n_threads=n_threads) / math.log(10)
            scores[name] = np.split(log_p, encoded.texts[FACTORS[name].side].offsets[1:-1]) if len(streams) else []
        return scores

    def score(self, srcs: Sequence[str], tgts: Sequence[str], *, n_threads: int = 1) -> NDArray[np.float64]:
        """log10 of the probability of each tokenised pair by each factor: a row a pair, a column a factor."""
        streams = unfolded(srcs, tgts, self.aligner, self.recipe.units, n_threads=n_threads)
        scores = self.token_scores(streams, n_threads=n_threads)
        columns = [[float(tokens.sum()) for tokens in scores[name]] for name in self.nets]
        return np.array(columns, dtype=np.float64).reshape(len(columns), len(streams)).T

    def _write(self, folder: Path) -> None:
        for name, net in self.nets.items():
            (folder / f"{name}.bin").write_bytes(net.serialised())
        for side, words in zip(_SIDES, self.output_words, strict=True):
            words.write(folder / f"{side}.txt")
        self.aligner.save(folder / "aligner")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        recipe = TupleNetRecipe.from_dict(manifest.recipe).check()
        words = OutputWords.read(folder / "source.txt"), OutputWords.read(folder / "target.txt")
        nets = {
            name: read_net(
                folder / f"{name}.bin",
                n_inputs=sum(len(each) + 1 for each in words),
                n_slots=recipe.n_slots,
                class_offsets=words[FACTORS[name].side].offsets.tolist(),
            )
            for name in recipe.factors
        }
        aligner = Aligner.load(folder / "aligner")
        return cls(nets, words, aligner, recipe, seed=manifest.seed or 0, data=manifest.data)
