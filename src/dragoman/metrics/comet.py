"""COMET (Rei et al., EMNLP 2020) by its own package, with a checkpoint that a user brings; nothing is downloaded."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import checksum
from dragoman.errors import DataError, ModelError, NotAvailable
from dragoman.metrics.base import Metric, Rows, mean_rows, ratio
from dragoman.metrics.references import ScoredText
from dragoman.options import option

__all__ = ["Comet"]


@dataclass(frozen=True)
class Comet(Metric):
    """COMET: a net trained on judgements, asked through the package `unbabel-comet`, which must be installed.

    Scores are the package's times 100. Of several references the first is shown.
    """

    name: ClassVar[str] = "comet"
    label_pattern: ClassVar[str] = "COMET"
    level: ClassVar[Literal["corpus", "segment"]] = "segment"
    bounds: ClassVar[tuple[float, float]] = (-1000.0, 1000.0)  # some checkpoints know none
    quick: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset({"srcs"})

    checkpoint: str = option("", positional=True, text="checkpoint file: FOLDER/checkpoints/model.ckpt")
    batch: int = option(8, low=1, text="segments at a time")
    gpus: int = option(0, low=0, text="graphics cards; 0: the processor")

    def check(self) -> Self:
        """The metric, if its checkpoint is there."""
        super().check()
        if not self.checkpoint:
            raise DataError("The metric comet needs a checkpoint: comet:FOLDER/checkpoints/model.ckpt.")
        if not Path(self.checkpoint).is_file():
            raise ModelError(f"There is no checkpoint {self.checkpoint}. Nothing is downloaded here.")
        return self

    def signature_options(self) -> dict[str, Any]:
        """The options, and a digest of the checkpoint: the same model, the same score."""
        return {**super().signature_options(), "content": checksum(self.checkpoint)[:12]}

    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:  # noqa: ARG002, torch has its own
        """A segment's score, and 1."""
        if text.srcs is None:
            raise DataError("The metric comet needs the sources.")
        for lines in text.systems:
            _core.text.check_lines(list(lines))  # lone surrogates
        refs = [next((ref for ref in each if ref is not None), "") for each in zip(*text.refs.streams, strict=True)]
        samples = [
            {"src": src, "mt": hyp, "ref": ref}
            for hyps in text.systems
            for src, hyp, ref in zip(text.srcs, hyps, refs, strict=True)
        ]
        scores = list(_model(self.checkpoint).predict(samples, batch_size=self.batch, gpus=self.gpus).scores)
        if len(scores) != len(samples):
            raise ModelError(f"COMET gave {len(scores)} scores for {len(samples)} segments.")
        return mean_rows(100 * np.array(scores, dtype=np.float64).reshape(len(text.systems), len(refs)))

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Means of segment scores."""
        totals = np.asarray(totals, dtype=np.float64)
        return ratio(totals[..., 0], totals[..., 1])


@lru_cache(maxsize=2)
def _model(checkpoint: str) -> Any:
    try:
        package = import_module("comet")
    except ImportError:
        raise NotAvailable(
            "COMET needs the package unbabel-comet, which is in no extra. Install it with: pip install unbabel-comet"
        ) from None
    return package.load_from_checkpoint(checkpoint)
