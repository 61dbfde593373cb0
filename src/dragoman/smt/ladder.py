"""The ladder: what each part of an engine adds, measured on held-out text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

from dragoman.data import TestSet
from dragoman.metrics import ComparisonRecipe, compare, score
from dragoman.report import Column, Result, Table
from dragoman.smt.engine import Engine
from dragoman.smt.held_out import held_out_sides
from dragoman.text.languages import base_language

__all__ = ["Ladder", "Rung", "climb", "metrics_for", "rungs_of"]

METRICS = ("bleu", "chrf", "ter")
# Where no spaces stand between words, characters are counted.
_UNSPACED = {"ja", "zh", "th", "lo", "km", "my", "bo"}
_OF_CHARACTERS = ("bleu:tokeniser=char", "chrf", "ter:normalised=yes,asian_support=yes")


def metrics_for(target_lang: str) -> tuple[str, ...]:
    """BLEU, chrF and TER as they suit a language."""
    return _OF_CHARACTERS if base_language(target_lang) in _UNSPACED else METRICS


@dataclass(frozen=True)
class Rung:
    """An engine with one part more than the rung below, on one test set."""

    test: str
    rung: str
    bleu: float
    chrf: float
    ter: float
    delta: float | None  # BLEU above the rung below
    p: float | None  # of that difference or a larger one by chance


@dataclass(frozen=True)
class Ladder(Result):
    """Scores of cumulative steps, with the significance of each."""

    kind: ClassVar[str] = "ladder"

    rungs: tuple[Rung, ...]
    metrics: tuple[str, ...] = METRICS

    def tables(self) -> list[Table]:
        """A row for each rung of each test set."""
        columns: list[str | Column] = [
            "test",
            "rung",
            Column("bleu", "BLEU", digits=2),
            Column("chrf", "chrF", digits=2),
            Column("ter", "TER", digits=2),
            Column("delta", "Δ BLEU", digits=2),
            Column("p", alpha=0.05),
        ]
        note = (
            "Each rung has what the one above it in the table has, and one thing more. Output is detokenised and "
            "cased; p is two-sided, by paired approximate randomisation (seed 12345)."
        )
        if self.metrics == _OF_CHARACTERS:
            note += " BLEU and TER count characters."
        return [Table.of("Ladder", columns, [tuple(asdict(rung).values()) for rung in self.rungs], note=note)]

    def meta(self) -> dict[str, Any]:
        """The test that gave p."""
        return {"test": "randomisation", "metrics": list(self.metrics), "seed": 12345}


def climb(engines: Mapping[str, Engine], tests: Mapping[str, TestSet], *, n_threads: int = 1) -> Ladder:
    """Translate test sets with one engine after the other and compare each with the one before."""
    rungs: list[Rung] = []
    metrics = metrics_for(next(iter(engines.values())).recipe.target_lang)
    for test, text in tests.items():
        srcs, _ = held_out_sides(text)
        outputs = {name: engine.translate(srcs, n_threads=n_threads) for name, engine in engines.items()}
        sheet = score(outputs, text.refs, metrics=metrics, n_threads=n_threads)
        below: str | None = None
        for name, output in outputs.items():
            delta = p = None
            if below is not None and len(srcs) > 1:
                two = TestSet(refs=text.refs, systems={below: outputs[below], name: output})
                recipe = ComparisonRecipe(metrics=metrics[:1], test="randomisation", breakdowns=False)
                pair = compare(two, recipe, n_threads=n_threads).pairs[0]
                delta, p = pair.delta, pair.p
            bleu, chrf, ter = (sheet.score(name, metric).value for metric in metrics)
            rungs.append(Rung(test, name, bleu, chrf, ter, delta, p))
            below = name
    return Ladder(tuple(rungs), metrics)


def rungs_of(engine: Engine, tuned: Mapping[str, float] | None) -> dict[str, Engine]:
    """Engines from the barest to the whole: phrases in order, jumps, orientations, word classes, tuned weights."""
    added = {"+ orientation": {"before", "behind"}, "+ word classes": {"class-lm"}}
    off = {name for name in engine.weights if any(name.partition(".")[0] in groups for groups in added.values())}

    def weights() -> dict[str, float]:
        return {name: 0.0 if name in off else weight for name, weight in engine.weights.items()}

    in_order = engine.with_weights(weights(), search=replace(engine.recipe.search, distortion_limit=0))
    steps = {"phrases and language model": in_order, "+ reordering": engine.with_weights(weights())}
    for rung, groups in added.items():
        on = {name for name in off if name.partition(".")[0] in groups}
        if on:
            off -= on
            steps[rung] = engine.with_weights(weights())
    if tuned is not None:
        steps["+ tuned weights"] = engine.with_weights(tuned)
    return steps
