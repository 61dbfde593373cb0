"""From sentences to columns of word features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dragoman.errors import DataError
from dragoman.qe.features.extract import Work
from dragoman.qe.resources import Resources
from dragoman.qe.words.encoding import Columns
from dragoman.qe.words.features import Symbols, make_word_features
from dragoman.stats.arrays import Floats
from dragoman.text import TOKENISERS

__all__ = ["extract_words"]


def extract_words(
    sources: Sequence[str],
    outputs: Sequence[str],
    features: Sequence[str],
    resources: Resources | None = None,
    tokenisers: tuple[str, str] = ("none", "none"),
    *,
    n_threads: int = 1,
) -> Columns:
    """The columns of word features of all outputs.

    Features whose resources are not there are left out, but at least one must be left. Words of sentences that the
    resources were built from are looked up in resources that have not seen them.
    """
    have = resources or Resources()
    specs = dict.fromkeys(features)
    chosen = {
        spec: feature
        for spec, feature in zip(specs, make_word_features(tuple(specs)), strict=True)
        if not have.missing(feature.needed())
    }
    if not chosen:
        raise DataError(
            "None of the word features can be computed without resources. Give some, or take word features."
        )
    lines = TOKENISERS.make(tokenisers[1]).tokenise(list(outputs), n_threads=n_threads)
    offsets = np.zeros(len(lines) + 1, dtype=np.int64)
    np.cumsum([len(line.split()) for line in lines], out=offsets[1:])
    columns: dict[str, Symbols | Floats] = {}
    work = Work(list(sources), list(outputs), have, tokenisers, n_threads)
    for rows, batch in work.batches():
        places = np.concatenate([np.arange(offsets[row], offsets[row + 1]) for row in rows]) if rows else np.zeros(0)
        for spec, feature in chosen.items():
            column = feature.column(batch)
            if isinstance(column, np.ndarray):
                whole = columns.setdefault(spec, np.full(int(offsets[-1]), np.nan))
                whole[places.astype(np.int64)] = column  # type: ignore[index]
            else:
                texts = columns.setdefault(spec, [""] * int(offsets[-1]))
                for place, symbol in zip(places.tolist(), column, strict=True):
                    texts[int(place)] = symbol  # type: ignore[index]
    return Columns(columns, offsets)
