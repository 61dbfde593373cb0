"""Minimum Bayes risk: of many translations the one most like the others, not the likeliest one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.text.vocabulary import Vocabulary

__all__ = ["least_risk"]


def least_risk(
    texts: Sequence[str],
    scores: NDArray[np.float64],
    offsets: NDArray[np.int64],
    *,
    scale: float = 1.0,
    document: bool = False,
    n_threads: int = 1,
) -> list[int | None]:
    """The place in `texts` of each sentence's translation of the highest expected BLEU under its list.

    (Kumar & Byrne 2004.) Texts are tokens; those of sentence `i` are `[offsets[i], offsets[i + 1])`. A translation's
    probability is in proportion to exp(scale · score). With `document`, choices are made for the BLEU of all sentences
    together; else for sentence BLEU. `None` for a sentence without translations.

    Lists and not graphs: BLEU of one translation against another clips counts, multiplies precisions and compares
    lengths, all of whole sentences, so that its expectation is no sum over the arcs of a graph. The linear stand-in
    that is one (Tromble et al., EMNLP 2008) is another measure, and not every engine has graphs.
    """
    if not scale > 0:
        raise DataError(f"The scale of scores must be above 0, got {scale}.")
    ids, ends = Vocabulary().core.encode(texts, _core.text.surface_tokeniser("none"), n_threads=n_threads)
    chosen = _core.phrase.minimum_risk(ids, ends, scores, offsets, scale=scale, document=document, n_threads=n_threads)
    places = zip(offsets[:-1].tolist(), chosen.tolist(), strict=True)
    return [first + number if number >= 0 else None for first, number in places]
