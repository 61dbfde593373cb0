"""Files of judgements that metrics learn from, and the part of them that they may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.metrics.judgement_files import read_segment_judgements
from dragoman.metrics.meta.inputs import HumanRankings
from dragoman.metrics.meta.reading import read_rankings

__all__ = ["only_segments", "read_training_judgements"]


def read_training_judgements(
    path: StrPath, *, pair: str | None = None, segments: tuple[int, int] | None = None
) -> HumanRankings | Sequence[float | None]:
    """Rankings, or scores of segments, a number a line; of `segments` only, the first and the last, counted from 1."""
    rankings = read_rankings(path, pair=pair)
    if rankings is None:
        scores = read_segment_judgements(path)
        if segments is None:
            return scores
        return [value if segments[0] <= number <= segments[1] else None for number, value in enumerate(scores, start=1)]
    if len(rankings) != 1:
        raise DataError(f"{path} has rankings of {', '.join(rankings)}; say which by --pair.")
    (chosen,) = rankings.values()
    return chosen if segments is None else only_segments(chosen, *segments)


def only_segments(rankings: HumanRankings, first: int, last: int) -> HumanRankings:
    """The rankings of the segments from `first` to `last`, counted from 1."""
    kept = (rankings.segments >= first) & (rankings.segments <= last)
    if not kept.any():
        raise DataError(f"No segment from {first} to {last} was judged.")
    names = ("first", "second", "outcome", "screen", "segment", "annotator")
    comparisons = replace(rankings.comparisons, **{name: getattr(rankings.comparisons, name)[kept] for name in names})
    return HumanRankings(comparisons, rankings.segments[kept], {**rankings.provenance, "segments": f"{first}-{last}"})
