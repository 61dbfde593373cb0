"""How words of the source are translated by the systems: what the hidden Markov aligner knows of meaning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dragoman import _core
from dragoman.align.base import ALIGNERS
from dragoman.text.base import TOKENISERS
from dragoman.text.vocabulary import Vocabulary

__all__ = ["source_lexicon"]


def source_lexicon(
    srcs: Sequence[str], systems: Sequence[Sequence[str]], vocabulary: Vocabulary, *, n_threads: int = 1
) -> _core.combine.Sources:
    """Translations of source words by IBM model 1, learnt from the sources with every system's output."""
    cut = TOKENISERS.make("13a").tokenise([line.lower() for line in srcs], n_threads=n_threads)
    aligner, _ = ALIGNERS.make("ibm1").train_and_align(
        cut * len(systems), [line for lines in systems for line in lines], n_threads=n_threads
    )
    words = aligner.vocabularies[0]
    ids = TOKENISERS.make("none").encode(cut, words, n_threads=n_threads)
    numbers = np.array(vocabulary.find(aligner.vocabularies[1].words()), dtype=np.int32)
    forward, backward = aligner.lexicon("forward"), aligner.lexicon("backward")
    there = forward.sources >= 0
    rows, targets, p_target = forward.sources[there], numbers[forward.targets[there]], forward.p[there]
    back = {
        (source, target): p
        for target, source, p in zip(
            numbers[backward.sources[backward.sources >= 0]].tolist(),
            backward.targets[backward.sources >= 0].tolist(),
            backward.p[backward.sources >= 0].tolist(),
            strict=True,
        )
    }
    p_source = np.array([back.get(pair, 0.0) for pair in zip(rows.tolist(), targets.tolist(), strict=True)])
    offsets = np.searchsorted(rows, np.arange(len(words) + 1)).astype(np.int64)
    return _core.combine.Sources(
        ids.ids,
        ids.offsets,
        np.ascontiguousarray(targets, dtype=np.int32),
        offsets,
        np.ascontiguousarray(p_target, dtype=np.float32),
        p_source.astype(np.float32),
    )
