"""Metrics from what people write: a name with options, or a weighted sum of such."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dragoman.metrics.base import METRICS, Metric
from dragoman.options import options_of

__all__ = ["make_metric", "make_metrics"]


def make_metric(metric: Metric | str) -> Metric:
    """A metric from its name, with options if need be: `bleu`, `bleu:tokeniser=zh,lowercase=yes`.

    A weighted sum of metrics is one, too: `bleu+-1*ter`. `trained:FOLDER` is what `dragoman metric train` saved there.
    """
    if isinstance(metric, Metric):
        return metric
    if metric.startswith("trained:"):
        from dragoman.metrics.training import load_trained

        return load_trained(metric.removeprefix("trained:"))
    if "*" in metric:
        from dragoman.metrics.mixture import Mixture  # which needs NumPy; a first score does not

        return Mixture.of(metric)
    return METRICS.make(metric)


def make_metrics(
    metrics: Sequence[Metric | str] | Metric | str, layers: Mapping[str, str] | None = None
) -> list[Metric]:
    """Metrics from their names, with the annotators of the `layers` that they ask for; what nobody makes is named."""
    chosen = [make_metric(each) for each in ([metrics] if isinstance(metrics, str | Metric) else metrics)]
    if not any(each.layers for metric in chosen for each in options_of(type(metric)).values()):
        return chosen
    from dragoman.text.layers import with_layers

    return with_layers(chosen, layers or {})
