"""Does an engine learn from a translator, and at what price? A stream of segments, each learnt once it is translated.

Three streams are compared (Bertoldi et al., WMT 2012): *static*, by the engine as it was; *adaptive*, each segment
translated before it is learnt; and *unfair*, after, which shows what learning could give at most and must not be
mistaken for it. The check backward translates a background test before and after: what was forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from dragoman.data import TestSet
from dragoman.engines import Learns, Role, Translates, need
from dragoman.errors import DataError
from dragoman.metrics import (
    METRICS,
    ComparisonRecipe,
    LearningCurves,
    SlopeRecipe,
    collect,
    compare,
    cut_blocks,
    learning_curves,
)
from dragoman.options import Recipe, option
from dragoman.report import Column, Progress, Result, Table

__all__ = ["LearningRecipe", "LearningReport", "learn_stream"]

STREAMS = ("static", "adaptive", "unfair")
_MAY_BE_LOST = 0.5  # points of a background test


@dataclass(frozen=True)
class LearningRecipe(Recipe):
    """How what was learnt is measured."""

    metrics: tuple[str, ...] = option(("bleu", "ter"), of=METRICS, text="metric; the last one's errors give the slope")
    words: int = option(500, low=1, text="a new block after so many words of the reference")
    trials: int = option(1000, low=1, text="resamples of tests and intervals")
    seed: int = option(12345, low=0, text="seed of the resampling")


@dataclass(frozen=True)
class LearningReport(Result):
    """Scores and slopes of the streams, what learning costs, and what is left of what the engine could do before."""

    kind: ClassVar[str] = "learning report"

    rows: tuple[tuple[Any, ...], ...]  # stream, metric, score, p against static
    curves: LearningCurves
    milliseconds: tuple[float, ...]  # of each update
    background: tuple[tuple[Any, ...], ...]  # metric, before, after, whether more was lost than may be
    outputs: TestSet  # the stream with the three outputs

    def tables(self) -> list[Table]:
        """Scores, slopes, updates and the check backward."""
        scores = Table.of(
            "Streams",
            [Column("stream"), Column("metric"), Column("score", digits=2), Column("p", alpha=0.05)],
            self.rows,
            note="p: against the static stream. The unfair stream has seen each segment before it translates it.",
        )
        half, most = (float(np.percentile(self.milliseconds, q)) for q in (50, 95))
        updates = Table.of(
            "Updates",
            [Column("segments"), Column("p50_ms", digits=1), Column("p95_ms", digits=1), Column("most_ms", digits=1)],
            [(len(self.milliseconds), half, most, max(self.milliseconds))],
        )
        tables = [scores, *self.curves.tables(), updates]
        if self.background:
            columns = [Column("metric"), *(Column(name, digits=2, figures=1) for name in ("before", "after", "change"))]
            rows = [
                (name, before, after, after - before, "forgotten" if is_lost else "kept")
                for name, before, after, is_lost in self.background
            ]
            note = f"forgotten: worse than before by more than {_MAY_BE_LOST} points."
            columns.append(Column("reading"))
            tables.append(Table.of("Background test, before and after", columns, rows, note=note))
        return tables

    def meta(self) -> dict[str, Any]:
        """Slopes and costs for programs."""
        slopes = {name: slope.slope for name, slope in zip(self.curves.systems, self.curves.slopes, strict=True)}
        background = {
            name: {"before": before, "after": after, "forgotten": is_lost}
            for name, before, after, is_lost in self.background
        }
        return {
            "slopes": slopes,
            "update_p95_ms": float(np.percentile(self.milliseconds, 95)),
            "background": background,
            "seed": self.curves.seed,
        }


def learn_stream(
    engine: Role,
    stream: TestSet,
    recipe: LearningRecipe | None = None,
    *,
    background: TestSet | None = None,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> LearningReport:
    """Translate a stream three ways while an engine learns its reference. The engine forgets it again at the end.

    `background` is a test of what the engine was made for.
    """
    recipe = (recipe or LearningRecipe()).check()
    learner, translator = need(engine, Learns), need(engine, Translates)
    sources, references = _texts(stream)
    known = learner.n_pairs
    before = _outputs(translator, background, n_threads)
    static = translator.translate(sources, n_threads=n_threads)
    adaptive, unfair, milliseconds = [], [], []
    try:
        for number, (source, reference) in enumerate(zip(sources, references, strict=True), start=1):
            adaptive += translator.translate([source])
            start = perf_counter()
            learner.learn(source, reference)
            milliseconds.append(1000 * (perf_counter() - start))
            unfair += translator.translate([source])
            if progress:
                progress(number, len(sources), "learning")
        after = _outputs(translator, background, n_threads)
    finally:
        learner.rollback(known)
    systems = dict(zip(STREAMS, (static, adaptive, unfair), strict=True))
    outputs = TestSet(srcs=sources, refs={"reference": references}, systems=systems)
    blocks = [number + 1 for number in cut_blocks(references, words=recipe.words)]
    slopes = SlopeRecipe(recipe.metrics[-1], trials=recipe.trials, seed=recipe.seed)
    curves = learning_curves(_with_errors(outputs, references, blocks), blocks, slopes, n_threads=n_threads)
    rows = _compared(outputs, recipe, n_threads)
    return LearningReport(rows, curves, tuple(milliseconds), _changes(background, before, after, recipe), outputs)


def _texts(stream: TestSet) -> tuple[list[str], list[str]]:
    if stream.srcs is None or not stream.refs:
        raise DataError("A stream needs sources and a reference, which is learnt segment by segment.")
    references = [str(line or "") for line in next(iter(stream.refs.values()))]
    pairs = [(str(source), line) for source, line in zip(stream.srcs, references, strict=True) if line and str(source)]
    if len(pairs) < 2:
        raise DataError("A stream needs two segments or more with a source and a reference.")
    return [source for source, _ in pairs], [line for _, line in pairs]


def _with_errors(outputs: TestSet, references: Sequence[str], blocks: Sequence[int]) -> TestSet:
    """The streams that have a slope: one without errors in two blocks, as the unfair one may be, has none."""

    def wrong(lines: Sequence[str]) -> int:
        pairs = zip(blocks, lines, references, strict=True)
        return len({block for block, line, reference in pairs if line.split() != reference.split()})

    systems = {name: lines for name, lines in outputs.systems.items() if wrong(list(map(str, lines))) > 1}
    return TestSet(srcs=outputs.srcs, refs=outputs.refs, systems=systems or outputs.systems)


def _outputs(engine: Translates, background: TestSet | None, n_threads: int) -> list[str]:
    if background is None:
        return []
    if background.srcs is None or not background.refs:
        raise DataError("The background test needs sources and a reference.")
    return engine.translate(list(map(str, background.srcs)), n_threads=n_threads)


def _compared(outputs: TestSet, recipe: LearningRecipe, n_threads: int) -> tuple[tuple[Any, ...], ...]:
    asked = ComparisonRecipe(
        metrics=recipe.metrics, trials=recipe.trials, seed=recipe.seed, correction="none", breakdowns=False
    )
    comparison = compare(outputs, asked, n_threads=n_threads)
    p = {(pair.system, pair.metric): pair.p for pair in comparison.pairs}
    return tuple(
        (each.system, each.metric, each.score, p.get((each.system, each.metric))) for each in comparison.scores
    )


def _changes(
    background: TestSet | None, before: Sequence[str], after: Sequence[str], recipe: LearningRecipe
) -> tuple[tuple[Any, ...], ...]:
    if background is None:
        return ()
    test = TestSet(refs=background.refs, systems={"before": before, "after": after})
    changes = []
    for name, each in zip(recipe.metrics, collect(test, recipe.metrics), strict=True):
        first, last = map(float, each.scores())
        loss = first - last if each.metric.higher_is_better else last - first
        changes.append((name, first, last, loss > _MAY_BE_LOST))
    return tuple(changes)
