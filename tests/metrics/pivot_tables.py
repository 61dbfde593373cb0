"""Tables of pivots by hand, and a language model, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from dragoman.lm import KneserNey
from dragoman.metrics.meteor import runs
from dragoman.metrics.pivots import PivotSettings, PivotTable
from dragoman.text import Vocabulary

__all__ = ["SMALL", "Phrases", "saved_resources", "table_of"]

Phrases = Mapping[str, tuple[float, Mapping[str, float]]]  # phrase: count, translations with their probabilities

SMALL: Phrases = {
    "the": (9, {"le": 0.6, "la": 0.4}),
    "cat": (3, {"chat": 1.0}),
    "the cat": (2, {"le chat": 0.8, "la chatte": 0.2}),
    "good morning": (4, {"bonjour": 0.9, "salut": 0.1}),
    "apples": (2, {"pommes": 1.0}),
}


def table_of(
    phrases: Phrases, *, function_words: tuple[str, ...] = (), settings: PivotSettings | None = None
) -> PivotTable:
    """The table; a token's lemma is what stands before a `/`, its tag what stands behind it, or itself."""
    words, kinds = Vocabulary(unk=" "), Vocabulary(unk=" ")
    ids = {tuple(words.ids(phrase.split()).tolist()): entry for phrase, entry in phrases.items()}
    rising = sorted(ids)
    choices = [[(kinds.ids(target.split()).tolist(), p) for target, p in ids[each][1].items()] for each in rising]
    flat = [each for several in choices for each in several]
    arrays = {
        **runs("phrase", rising, "phrases"),
        **runs("translation", [target for target, _ in flat], "translations"),
        "counts": np.array([ids[each][0] for each in rising], dtype=np.float64),
        "choices": np.cumsum([0, *map(len, choices)], dtype=np.int64),
        "p": np.array([p for _, p in flat], dtype=np.float64),
    }
    names = [(each, each.partition("/")[0], each.partition("/")[2] or each) for each in kinds.words()]
    flags = [(*name, name[0] in function_words) for name in names]
    return PivotTable(words, flags, arrays, settings or PivotSettings())


def saved_resources(folder: Path) -> dict[str, str]:
    """Metrics that need something, with a small one of it in the folder."""
    table = table_of(SMALL, function_words=("le", "la")).save(folder / "pivots")
    lm = (
        KneserNey(order=2)
        .train(["the cat sat on the mat .", "he bought two apples in the market ."])
        .save(folder / "lm")
    )
    return {"tesla-b": f"tesla-b:pivots={table}", "tesla-f": f"tesla-f:pivots={table},lms={lm}"}
