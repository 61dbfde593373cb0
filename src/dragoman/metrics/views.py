"""Three views of one output: as it is, with punctuation made alike, and without case (Findings of WMT 2014, §5).

References that write punctuation in several ways, or a system without a truecaser, can cost a system many points; the
views tell how many. Error rates are turned round, 100 − TER, so that higher is better everywhere; they can be negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.parallel import check_parallel
from dragoman.metrics.specs import make_metric
from dragoman.report import Column, Result, Table
from dragoman.stats.interval import bootstrap_intervals
from dragoman.text.casing import lowercase
from dragoman.text.punctuation import PunctuationNormaliser

__all__ = ["VIEWS", "ViewScore", "Views", "score_views"]

VIEWS = ("original", "normalised", "lowercased")
_METRICS = ("bleu", "ter:case_sensitive=yes", "per", "cder")


@dataclass(frozen=True)
class ViewScore:
    """A score with its interval; error rates are turned round."""

    system: str
    view: str
    metric: str
    score: float
    half_width: float


@dataclass(frozen=True)
class Views(Result):
    """Systems under three views and four measures."""

    kind: ClassVar[str] = "views"

    scores: tuple[ViewScore, ...]
    lang: str
    trials: int
    seed: int

    def tables(self) -> list[Table]:
        """A row for each system, view and measure."""
        columns: list[str | Column] = [
            "system",
            "view",
            "metric",
            Column("score", digits=2),
            Column("half_width", "±", 2),
        ]
        rows = [(s.system, s.view, s.metric, s.score, s.half_width) for s in self.scores]
        note = f"±: half of a 95 % bootstrap interval, {self.trials} trials, seed {self.seed}."
        return [Table.of("Scores", columns, rows, note=note)]

    def shown_tables(self) -> list[Table]:
        """A row for each system and view, its measures side by side."""
        names = list(dict.fromkeys(s.metric for s in self.scores))
        by_row: dict[tuple[str, str], dict[str, str]] = {}
        for each in self.scores:
            by_row.setdefault((each.system, each.view), {})[each.metric] = f"{each.score:.2f} ±{each.half_width:.2f}"
        rows = [(*key, *(cells[name] for name in names)) for key, cells in by_row.items()]
        return [Table.of("Views", ["system", "view", *names], rows, note=self.tables()[0].note)]

    def meta(self) -> dict[str, Any]:
        """Language of the punctuation's rules, trials and seed."""
        return {"lang": self.lang, "trials": self.trials, "seed": self.seed}


def score_views(
    systems: Mapping[str, Sequence[str]],
    refs: Sequence[Sequence[str]],
    *,
    lang: str = "en",
    trials: int = 1000,
    seed: int = 12345,
    n_threads: int = 1,
) -> Views:
    """Score systems as they are, normalised, and normalised without case: BLEU and 100 − TER, PER, CDER."""
    check_parallel({**systems, **{f"refs[{n}]": ref for n, ref in enumerate(refs)}})
    scores = [
        score
        for view in VIEWS
        for score in _scores(view, systems, refs, PunctuationNormaliser(lang=lang), trials, seed, n_threads)
    ]
    order = {name: n for n, name in enumerate(systems)}
    return Views(tuple(sorted(scores, key=lambda score: order[score.system])), lang, trials, seed)


def _scores(
    view: str,
    systems: Mapping[str, Sequence[str]],
    refs: Sequence[Sequence[str]],
    normaliser: PunctuationNormaliser,
    trials: int,
    seed: int,
    n_threads: int,
) -> Iterator[ViewScore]:
    def seen(lines: Sequence[str]) -> Sequence[str]:
        if view == "original":
            return lines
        alike = normaliser.normalise(lines, n_threads=n_threads)
        return lowercase(alike, n_threads=n_threads) if view == "lowercased" else alike

    outputs, references = [seen(lines) for lines in systems.values()], [seen(lines) for lines in refs]
    for spec in _METRICS:
        metric = make_metric(spec)
        rows = [metric.stats(output, references, n_threads=n_threads) for output in outputs]
        intervals = bootstrap_intervals(rows, metric.values, trials=trials, seed=seed, n_threads=n_threads)
        for name, each in zip(systems, intervals, strict=True):
            if metric.higher_is_better:
                yield ViewScore(name, view, metric.label, each.score, each.half_width)
            else:
                yield ViewScore(name, view, f"100 − {metric.label}", 100 - each.score, each.half_width)
