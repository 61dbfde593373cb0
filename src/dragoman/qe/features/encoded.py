"""What an encoder that a user brings says of a source and its translation, for a regression to learn from.

`-f encoder:FOLDER` is not one feature but a set: the cosine of both sentences, and of each number of their vectors the
product and the difference (as RUSE, Shimanaka et al., WMT 2018, and COMET, Rei et al., EMNLP 2020, give them to a
regression), so that `qe train` learns one's own post-edits from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.errors import DataError
from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch
from dragoman.stats.arrays import Floats
from dragoman.text.encoders import make_encoder

__all__ = ["EncoderValue"]


@dataclass(frozen=True)
class EncoderValue(Feature):
    """The cosine of the vectors of a source and its translation, or of their `number`-th numbers product or distance.

    A sentence without tokens has a vector of zeros, and the cosine 0.
    """

    name: ClassVar[str] = "encoder-value"
    paper: ClassVar[str] = "Shimanaka, Kajiwara & Komachi, WMT 2018, §3 (RUSE)"

    encoder: str = option("spelling", positional=True, text="encoder: a folder of transformers', or NAME:OPTIONS")
    value: str = option(
        "cosine", choices=("cosine", "product", "distance"), text="of the whole vectors, or of a number"
    )
    number: int = option(0, low=0, text="which number of the vectors, from 0; not of the cosine")

    def values(self, batch: Batch) -> Floats:
        """The value of each pair."""
        vectors = batch.keep(("encoder", self.encoder), lambda: self._vectors(batch))
        source, target = vectors
        if self.value == "cosine":
            cosines: Floats = (source * target).sum(axis=1)
            return cosines
        if self.number >= source.shape[1]:
            raise DataError(f"The encoder {self.encoder} gives {source.shape[1]} numbers; there is no {self.number}.")
        one, other = source[:, self.number], target[:, self.number]
        values: Floats = one * other if self.value == "product" else np.abs(one - other)
        return values

    def _vectors(self, batch: Batch) -> tuple[Floats, Floats]:
        encoder = make_encoder(self.encoder)
        source, target = (encoder.sentences(batch.texts[side]).astype(np.float64) for side in ("source", "target"))
        return source, target
