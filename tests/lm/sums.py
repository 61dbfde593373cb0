"""What probabilities add up to after a past: the proof that a model is a distribution."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from dragoman.lm import LanguageModel


def sums(model: LanguageModel, alphabet: str, longest: int) -> NDArray[np.float64]:
    """Σ p(word | past) over all words that can be predicted, for every past of up to `longest` letters."""
    words = ["unheard-of" if word == "<unk>" else word for word in model.words() if word != "<s>"]
    found = []
    for length in range(longest + 1):
        for past in product([*alphabet, "x"], repeat=length):
            scored = model.score_tokens([" ".join([*past, word]) for word in words], bos=False, eos=False)
            found.append((10.0 ** scored.log_p[scored.offsets[1:] - 1].astype(np.float64)).sum())
    return np.asarray(found)
