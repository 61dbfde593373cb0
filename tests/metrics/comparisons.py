"""Systems compared in one call: the tests speak of texts and options, not of how they are carried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dragoman.metrics import Comparison, ComparisonRecipe, as_test_set
from dragoman.metrics import compare as run

_TEXTS = ("srcs", "docs", "origlangs", "domains", "layers", "source_lang", "target_lang")
_WORK = ("frequencies", "tags", "scores", "cache", "progress", "n_threads")


def compare(
    systems: Mapping[str, Sequence[str]], refs: Mapping[str, Sequence[str]] | Sequence[Sequence[str]], **rest: Any
) -> Comparison:
    """The comparison of systems by references with names or without; whatever else goes where it belongs."""
    texts = {name: rest.pop(name) for name in _TEXTS if name in rest}
    work = {name: rest.pop(name) for name in _WORK if name in rest}
    return run(as_test_set(systems, refs, **texts), ComparisonRecipe(**rest), **work)
