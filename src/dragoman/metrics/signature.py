"""Signatures: a line that says how a score was made, and the way back from it to the metric."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dragoman.errors import DataError
from dragoman.options import write_value

if TYPE_CHECKING:
    from dragoman.metrics.base import Metric

__all__ = ["metric_of_signature", "short_number"]


def metric_of_signature(signature: str) -> Metric:
    """The metric that a signature with its label in front describes: `BLEU|nrefs:1|case:mixed|…`.

    sacreBLEU's signatures are understood too, in their long form.
    """
    from dragoman.metrics.base import METRICS

    label, *rest = signature.strip().split("|")
    parts = dict(part.split(":", 1) for part in rest if ":" in part)
    if not parts or label.startswith("nrefs:"):
        raise DataError(f"{signature!r} is no signature; it should read like BLEU|nrefs:1|case:mixed|…|version:….")
    candidates: list[Metric] = []
    for name in METRICS.names():
        cls = METRICS.get(name)
        if re.fullmatch(cls.label_pattern, label):
            try:
                options = cls.options_of_signature(label, parts)
                settings = [f"{key}={write_value(value)}" for key, value in options.items() if value is not None]
                candidates.append(METRICS.make(f"{name}:{','.join(settings)}"))
            except (KeyError, ValueError) as error:
                raise DataError(f"The signature {signature!r} lacks or garbles an option: {error}.") from None
    if not candidates:
        raise DataError(f"No metric is labelled {label!r} (signature {signature!r}).")
    # chrF2++ is both chrf++ and chrf with word_order=2: the shorter name is meant.
    return min(candidates, key=lambda metric: len(metric.spec()))


def short_number(value: float, form: str = "g") -> str:
    """A number in the given form where that is exact, in full otherwise."""
    shown = format(value, form)
    return shown if float(shown) == value else repr(value)
