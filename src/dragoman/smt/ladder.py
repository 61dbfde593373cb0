"""The ladder: what each part of an engine adds, measured on held-out text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from dragoman.data import TestSet
from dragoman.metrics import ComparisonRecipe, compare, score
from dragoman.report import Column, Result, Table
from dragoman.smt.engine import Engine
from dragoman.smt.held_out import held_out_sides
from dragoman.text.languages import base_language

__all__ = [
    "Ladder",
    "Rung",
    "climb",
    "difference",
    "load_ladder",
    "measured_rungs",
    "metrics_for",
    "rungs_of",
    "save_ladder",
]

METRICS = ("bleu", "chrf", "ter")
# Where no spaces stand between words, characters are counted.
_UNSPACED = {"ja", "zh", "th", "lo", "km", "my", "bo"}
_OF_CHARACTERS = ("bleu:tokeniser=char", "chrf", "ter:normalised=yes,asian_support=yes")


def metrics_for(target_lang: str) -> tuple[str, ...]:
    """BLEU, chrF and TER as they suit a language."""
    return _OF_CHARACTERS if base_language(target_lang) in _UNSPACED else METRICS


@dataclass(frozen=True)
class Rung:
    """An engine with one part more than the rung below, or than its `base`, on one test set."""

    test: str
    rung: str
    bleu: float
    chrf: float
    ter: float
    delta: float | None  # BLEU above the rung below
    p: float | None  # of that difference or a larger one by chance
    base: str | None = None  # the rung that it is compared with, if that is not the one before


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
            Column("delta", "Δ BLEU", digits=2, figures=1),
            Column("p", alpha=0.05),
        ]
        rows = [tuple(asdict(rung).values()) for rung in self.rungs]
        if any(rung.base for rung in self.rungs):
            columns.append("base")
        else:
            rows = [row[:-1] for row in rows]
        note = (
            "Each rung has what the one above it (or its base) has, and one thing more. Output is detokenised and "
            "cased; p is two-sided, by paired approximate randomisation (seed 12345)."
        )
        if self.metrics == _OF_CHARACTERS:
            note += " BLEU and TER count characters."
        return [Table.of("Ladder", columns, rows, note=note)]

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
        rungs += measured_rungs(test, text, outputs, metrics, n_threads=n_threads)
    return Ladder(tuple(rungs), metrics)


def measured_rungs(
    test: str,
    text: TestSet,
    outputs: Mapping[str, Sequence[str]],
    metrics: tuple[str, ...],
    *,
    bases: Mapping[str, str] | None = None,
    n_threads: int = 1,
) -> list[Rung]:
    """The rungs with these translations of a test set, each compared with its base: the one before, unless told."""
    sheet = score(outputs, text.refs, metrics=metrics, n_threads=n_threads)
    rungs: list[Rung] = []
    before: str | None = None
    for name, output in outputs.items():
        base = (bases or {}).get(name)
        below = None if before is None else outputs[base or before]
        delta, p = difference(text, below, output, metrics[0], n_threads=n_threads)
        bleu, chrf, ter = (sheet.score(name, metric).value for metric in metrics)
        rungs.append(Rung(test, name, bleu, chrf, ter, delta, p, base))
        before = name
    return rungs


def difference(
    text: TestSet, base: Sequence[str] | None, output: Sequence[str], metric: str, *, n_threads: int = 1
) -> tuple[float | None, float | None]:
    """What a translation has above another one, and p; None of both where there is none, or one segment alone."""
    if base is None or len(output) < 2:
        return None, None
    two = TestSet(refs=text.refs, systems={"base": base, "output": output})
    recipe = ComparisonRecipe(metrics=(metric,), test="randomisation", breakdowns=False)
    pair = compare(two, recipe, n_threads=n_threads).pairs[0]
    return pair.delta, pair.p


def rungs_of(engine: Engine, tuned: Mapping[str, float] | None) -> dict[str, Engine]:
    """Engines from the barest to the whole: phrases in order, jumps, orientations, word classes, tuned weights.

    What a grammar knows of order is in its rules: there the first rung has it.
    """
    added = {"+ orientation": {"before", "behind"}, "+ word classes": {"class-lm"}}
    off = {name for name in engine.weights if any(name.partition(".")[0] in groups for groups in added.values())}

    def weights() -> dict[str, float]:
        return {name: 0.0 if name in off else weight for name, weight in engine.weights.items()}

    if engine.models.grammar is not None:
        steps = {"rules and language model": engine.with_weights(weights())}
    else:
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


def save_ladder(ladder: Ladder, folder: Path) -> None:
    """Write the rungs into a folder."""
    text = json.dumps([asdict(rung) for rung in ladder.rungs], ensure_ascii=False, indent=1) + "\n"
    (folder / "ladder.json").write_text(text, encoding="utf-8")


def load_ladder(target_lang: str, folder: Path) -> Ladder:
    """What `save_ladder` wrote."""
    rows = json.loads((folder / "ladder.json").read_text(encoding="utf-8"))
    return Ladder(tuple(Rung(**row) for row in rows), metrics_for(target_lang))
