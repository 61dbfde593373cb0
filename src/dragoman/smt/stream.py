"""Text flows by, block by block: translate a block, be shown its translation, learn (Bertoldi et al., WMT 2012).

Four systems see the same stream. *static* is the engine as it is. *adaptive* has models of all earlier blocks beside
its own. *foreground* has models of earlier blocks and no others; its first block is static's. *unfair* is the same, but
knows a block before it translates it: what it gets wrong, no foreground can know. Nothing else looks ahead, and what
was translated stays as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar

from dragoman.data.parallel import check_parallel
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.metrics import METRICS, LearningCurves, SlopeRecipe, collect, cut_blocks, learning_curves
from dragoman.metrics.slope import FEWEST_BLOCKS
from dragoman.options import Recipe, option
from dragoman.report import Column, Progress, Result, Table
from dragoman.smt.engine import Engine
from dragoman.smt.stream_models import Shares, StreamModels

__all__ = ["SYSTEMS", "StreamRecipe", "StreamReport", "stream_blocks", "translate_stream"]

SYSTEMS = ("static", "adaptive", "foreground", "unfair")


@dataclass(frozen=True)
class StreamRecipe(Recipe):
    """How a stream is cut, what the foreground weighs, and how the systems are measured."""

    words: int = option(1000, low=1, text="a new block after so many words of the reference")
    phrases: float = option(1.0, low=0, text="weight of the foreground's phrases, as a multiple of the table's")
    lm: float = option(1.0, low=0, text="weight of the foreground's language model, as a multiple of the engine's")
    left: float = option(0.5, low=0, text="what is left of the weights of the engine's own language models")
    order: int = option(3, low=1, high=6, text="order of the foreground's language model")
    metrics: tuple[str, ...] = option(("bleu", "ter"), of=METRICS, text="metric; the last one's errors give the slopes")
    trials: int = option(1000, low=0, text="resamples of the intervals")
    seed: int = option(1, low=0, text="seed of the resampling")


@dataclass(frozen=True)
class StreamReport(Result):
    """Scores of the whole stream and slopes, block by block and of all blocks so far."""

    kind: ClassVar[str] = "stream"

    scores: Mapping[str, Mapping[str, float]]  # by system and metric
    blockwise: LearningCurves
    incremental: LearningCurves
    outputs: TestSet

    def tables(self) -> list[Table]:
        """Scores with both slopes by system; errors by block."""
        metrics = list(next(iter(self.scores.values())))
        columns = [Column("system"), *(Column(name, digits=2) for name in metrics)]
        columns += [Column(name, digits=1) for name in ("slope", "low", "high", "so_far")]
        rows = []
        for i, name in enumerate(self.blockwise.systems):
            slope, so_far = self.blockwise.slopes[i], self.incremental.slopes[i].slope
            rows.append((name, *self.scores[name].values(), slope.slope, slope.low, slope.high, so_far))
        note = (
            "slope: percentage slope of each block's errors, with a 95 % interval by resampling blocks; so_far: of the "
            "errors up to each block. 100: no learning, less: learning. unfair knows a block before it translates it."
        )
        return [Table.of("Stream", columns, rows, note=note), *self.blockwise.tables()[1:]]

    def meta(self) -> dict[str, Any]:
        """Scores and slopes for programs."""
        curves = {"slopes": self.blockwise, "slopes_so_far": self.incremental}
        return {
            "scores": {name: dict(row) for name, row in self.scores.items()},
            **{key: {n: s.slope for n, s in zip(c.systems, c.slopes, strict=True)} for key, c in curves.items()},
            "n_blocks": len(self.blockwise.blocks),
            "seed": self.blockwise.seed,
        }


def translate_stream(
    engine: Engine,
    sources: Sequence[str],
    targets: Sequence[str],
    blocks: Sequence[int],
    recipe: StreamRecipe | None = None,
    *,
    systems: Sequence[str] = SYSTEMS,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> dict[str, list[str]]:
    """What the systems make of a stream whose segments are in these blocks; the engine stays as it is."""
    recipe = (recipe or StreamRecipe()).check()
    check_parallel({"sources": sources, "targets": targets, "blocks": blocks})
    unknown = sorted(set(systems) - set(SYSTEMS))
    if unknown:
        raise DataError(f"No system of a stream is called {', '.join(unknown)}. Known: {', '.join(SYSTEMS)}.")
    models = StreamModels(engine, order=recipe.order, n_threads=n_threads)
    shares = Shares(recipe.phrases, recipe.lm, recipe.left)
    outputs: dict[str, list[str]] = {name: [] for name in systems}
    for _, group in groupby(range(len(blocks)), key=blocks.__getitem__):
        places = list(group)
        block = [sources[i] for i in places]
        made = {"static": engine, "adaptive": engine, "foreground": engine}
        if len(models):
            made |= {"adaptive": models.beside(shares)} if "adaptive" in systems else {}
            made |= {"foreground": models.alone()} if "foreground" in systems else {}
        for name in systems:
            if name in made:
                outputs[name] += made[name].translate(block, n_threads=n_threads)
        models.learn(block, [targets[i] for i in places])
        if "unfair" in systems:
            outputs["unfair"] += models.alone().translate(block, n_threads=n_threads)
        if progress:
            progress(places[-1] + 1, len(blocks), "stream")
    return outputs


def stream_blocks(
    engine: Engine,
    stream: TestSet,
    recipe: StreamRecipe | None = None,
    *,
    blocks: Sequence[int] | None = None,
    systems: Sequence[str] = SYSTEMS,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> StreamReport:
    """Let the systems translate a stream and measure how their errors change; blocks are cut by words unless given."""
    recipe = (recipe or StreamRecipe()).check()
    if stream.srcs is None or not stream.refs:
        raise DataError("A stream needs sources and a reference, which is learnt block by block.")
    sources, targets = list(map(str, stream.srcs)), [str(line or "") for line in next(iter(stream.refs.values()))]
    empty = next((i for i, pair in enumerate(zip(sources, targets, strict=True), start=1) if not all(pair)), None)
    if empty:
        raise DataError(f"Segment {empty} of the stream has an empty side. Leave it out: there is nothing to learn.")
    cut = list(cut_blocks(targets, words=recipe.words) if blocks is None else blocks)
    if len(set(cut)) < FEWEST_BLOCKS:
        raise DataError(
            f"The stream has {len(set(cut))} blocks; a slope needs {FEWEST_BLOCKS}. Take more text, or fewer words a "
            f"block than {recipe.words}."
        )
    outputs = translate_stream(
        engine, sources, targets, cut, recipe, systems=systems, n_threads=n_threads, progress=progress
    )
    whole = TestSet(srcs=sources, refs={"reference": targets}, systems=outputs)
    names = [number + 1 for number in cut]
    curves = [
        learning_curves(
            whole, names, SlopeRecipe(recipe.metrics[-1], incremental=so_far, trials=recipe.trials, seed=recipe.seed)
        )
        for so_far in (False, True)
    ]
    collected = collect(whole, recipe.metrics, n_threads=n_threads)
    values = {name: list(map(float, each.scores())) for name, each in zip(recipe.metrics, collected, strict=True)}
    scores = {system: {name: row[i] for name, row in values.items()} for i, system in enumerate(outputs)}
    return StreamReport(scores, curves[0], curves[1], whole)
