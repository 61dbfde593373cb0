"""Are resources of the languages of the text?"""

from __future__ import annotations

import numpy as np

from dragoman.errors import DataError
from dragoman.qe.features.batch import Batch
from dragoman.qe.resources.ngrams import NgramCounts

__all__ = ["check_pair"]

_LEAST_WORDS = 200  # fewer say too little
_LEAST_KNOWN = 0.3  # of the words with letters; 7,000 English sentences know 20 % of Romanian text, names and all


def check_pair(batch: Batch) -> None:
    """Raise if the corpus behind the resources knows too few words of the text, or knows them on the other side."""
    corpora = {"source": batch.resources.get("ngrams"), "target": batch.resources.get("target_ngrams")}
    for side, other in (("source", "target"), ("target", "source")):
        own, across = corpora[side], corpora[other]
        if own is None:
            continue
        share, n_words = _share_known(batch, side, own)
        if n_words < _LEAST_WORDS:
            continue
        name = "sources" if side == "source" else "outputs"
        built = f" The resources are of {batch.resources.languages}." if batch.resources.languages else ""
        if across is not None and (swapped := _share_known(batch, side, across)[0]) > share + 0.1:
            raise DataError(
                f"The resources know {share:.0%} of the words of the {name} on the {side} side and {swapped:.0%} on "
                f"the {other} side: they are of another pair, or the sides are swapped.{built}"
            )
        if share < _LEAST_KNOWN:
            raise DataError(
                f"The resources know {share:.0%} of the words of the {name}: they are of another pair, or the text is "
                f"cut in another way.{built} Build resources of this pair, or compute features without "
                "this check (--no-check)."
            )


def _share_known(batch: Batch, side: str, counts: NgramCounts) -> tuple[float, int]:
    """The share of the tokens with letters that a corpus has, and their number."""
    tokens = batch.tokens(side)
    letters = tokens.by_word(lambda word: any(char.isalpha() for char in word))
    there = tokens.by_word(lambda word: word in counts.vocabulary)
    times = np.bincount(tokens.ids, minlength=len(tokens.words))
    total = float((times * letters).sum())
    return (float((times * letters * there).sum()) / total if total else 1.0), int(total)
