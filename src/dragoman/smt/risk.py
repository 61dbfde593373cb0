"""Minimum Bayes risk among the translations of a decoder."""

from __future__ import annotations

from dragoman.engines.risk import least_risk
from dragoman.smt.decoded import Decoded

__all__ = ["minimum_risk"]


def minimum_risk(decoded: Decoded, *, scale: float = 1.0, document: bool = False, n_threads: int = 1) -> list[str]:
    """The translation of each sentence that has the highest expected BLEU under the n-best list (see `least_risk`).

    Decode with `n_best` of 100 or so. A sentence without a translation stays empty.
    """
    chosen = least_risk(
        decoded.texts, decoded.scores, decoded.offsets, scale=scale, document=document, n_threads=n_threads
    )
    return ["" if path is None else decoded.texts[path] for path in chosen]
