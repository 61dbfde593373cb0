"""Minimum Bayes risk: of many translations the one most like the others, not the likeliest one."""

from __future__ import annotations

from dragoman import _core
from dragoman.errors import DataError
from dragoman.smt.decoded import Decoded
from dragoman.text.vocabulary import Vocabulary

__all__ = ["minimum_risk"]


def minimum_risk(decoded: Decoded, *, scale: float = 1.0, document: bool = False, n_threads: int = 1) -> list[str]:
    """The translation of each sentence that has the highest expected BLEU under the n-best list (Kumar & Byrne 2004).

    A translation's probability is in proportion to exp(scale · score). With `document`, choices are made for the BLEU
    of all sentences together; else for sentence BLEU. Decode with `n_best` of 100 or so. A sentence without a
    translation stays empty.
    """
    if not scale > 0:
        raise DataError(f"The scale of scores must be above 0, got {scale}.")
    ids, offsets = Vocabulary().core.encode(
        decoded.texts, _core.text.surface_tokeniser("none"), n_threads=n_threads
    )  # fmt: skip
    chosen = _core.phrase.minimum_risk(
        ids, offsets, decoded.scores, decoded.offsets, scale=scale, document=document, n_threads=n_threads
    )
    paths = zip(decoded.offsets[:-1].tolist(), chosen.tolist(), strict=True)
    return [decoded.texts[first + number] if number >= 0 else "" for first, number in paths]
