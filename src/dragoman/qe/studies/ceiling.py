"""What post-edits would say of people's scores: oracles by HTER and HBLEU (Findings of WMT 2012, §6.5).

A sentence is ranked by how little its post-edit changed. For absolute scores the measure is mapped onto the scale in a
line: its values without the lowest and highest 5% reach from one end to the other, and those beyond are put there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.learn.criteria import mae, rmse
from dragoman.metrics import METRICS
from dragoman.qe.prediction_measures import untied_spearman
from dragoman.qe.tasks import check_scores, score_task
from dragoman.report import Column, Result, Table
from dragoman.stats import delta_avg
from dragoman.stats.arrays import Floats
from dragoman.text import TOKENISERS

__all__ = ["WMT12_ENDS", "Ceiling", "CeilingLine", "on_scale", "post_edit_ceiling"]

WMT12_ENDS = (1.5, 5.0)  # of efforts from 1 to 5
_OUTLIERS = 0.05  # at each end


@dataclass(frozen=True)
class CeilingLine:
    """What one oracle reaches."""

    oracle: str
    delta_avg: float
    spearman: float
    mae: float
    rmse: float


@dataclass(frozen=True)
class Ceiling(Result):
    """The oracles by the scores themselves, by HTER and by HBLEU."""

    kind: ClassVar[str] = "qe ceiling"

    lines: tuple[CeilingLine, ...]
    task: str
    ends: tuple[float, float]
    n_sentences: int

    def tables(self) -> list[Table]:
        """A row an oracle."""
        columns = [Column("oracle"), *(Column(name, name.replace("_", "-"), 4) for name in _MEASURES)]
        rows = [(each.oracle, *(getattr(each, name) for name in _MEASURES)) for each in self.lines]
        note = (
            f"{self.n_sentences} sentences. spearman: equal scores in the order of the file, as in the task of 2012. "
            f"mae, rmse: mapped in a line into {self.ends[0]:g} to {self.ends[1]:g}, the outer 5% at the ends."
        )
        return [Table.of(f"What post-edits say: {self.task}", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Task, ends of the scale, sentences."""
        return {"task": self.task, "ends": list(self.ends), "n_sentences": self.n_sentences}

    def __getitem__(self, oracle: str) -> CeilingLine:
        """The line of an oracle."""
        return {each.oracle: each for each in self.lines}[oracle]


_MEASURES = ("delta_avg", "spearman", "mae", "rmse")


def on_scale(values: Floats, ends: tuple[float, float], *, higher_is_better: bool) -> Floats:
    """Values in a line onto a scale, of which the second end is good; the outer 5% of them at its ends."""
    bad, good = np.quantile(values, [_OUTLIERS, 1 - _OUTLIERS])
    if bad == good:
        raise DataError(f"Nine tenths of the values are {bad:g}; they say nothing of a scale.")
    bad, good = (bad, good) if higher_is_better else (good, bad)
    share = np.clip((values - bad) / (good - bad), 0.0, 1.0)
    scores: Floats = ends[0] + (ends[1] - ends[0]) * share
    return scores


def post_edit_ceiling(
    outputs: Sequence[str],
    post_edits: Sequence[str],
    scores: ArrayLike | Sequence[float],
    *,
    task: str = "effort",
    tokeniser: str = "none",
    ends: tuple[float, float] | None = None,
    n_threads: int = 1,
) -> Ceiling:
    """Rank and score sentences by TER and by smoothed BLEU of their outputs against their post-edits.

    `ends` are what the worst and the best are mapped to: 1.5 and 5 of efforts, else the gold scores without their outer
    5%.
    """
    asked = score_task(task)
    gold = check_scores("scores", scores, asked)
    check_parallel({"outputs": outputs, "post_edits": post_edits, "scores": gold})
    if len(gold) < 4:
        raise DataError(f"{len(gold)} sentences cannot be ranked by quantiles; at least 4 are needed.")
    sign = 1.0 if asked.higher_is_better else -1.0
    if ends is None:
        low, high = (float(value) for value in np.quantile(gold, [_OUTLIERS, 1 - _OUTLIERS]))
        ends = WMT12_ENDS if task == "effort" else (low, high) if asked.higher_is_better else (high, low)
    cut = TOKENISERS.make(tokeniser)
    sides = [cut.tokenise(list(lines), n_threads=n_threads) for lines in (outputs, post_edits)]
    edits = METRICS.make("ter").segments(sides[0], [sides[1]], n_threads=n_threads)
    overlap = METRICS.make("sentbleu:tokeniser=none").segments(sides[0], [sides[1]], n_threads=n_threads)
    lines = [CeilingLine("scores", delta_avg(sign * gold, sign * gold), untied_spearman(gold, gold), 0.0, 0.0)]
    for name, values, more_is_better in (("hter", edits, False), ("hbleu", overlap, True)):
        goodness = values if more_is_better else -values
        said = on_scale(values, ends, higher_is_better=more_is_better)
        lines.append(
            CeilingLine(
                name,
                delta_avg(sign * gold, goodness),
                untied_spearman(sign * gold, goodness),
                mae(gold, said),
                rmse(gold, said),
            )
        )
    return Ceiling(tuple(lines), task, ends, len(gold))
