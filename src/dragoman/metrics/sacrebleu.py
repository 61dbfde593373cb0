"""What sacreBLEU reports, in its shapes: scores, its intervals and its paired tests, as JSON, text or LaTeX.

Numbers and signatures are sacreBLEU 2.6's for the same seed, but for their version, which names this tool.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.metrics.base import Metric
from dragoman.metrics.compare import refuse_not_additive
from dragoman.metrics.score_cache import ScoreCache
from dragoman.metrics.scoring import Statistics, collect
from dragoman.metrics.specs import make_metric, make_metrics
from dragoman.report import Column, Progress, Result, Table, render
from dragoman.stats import PAIRED_TESTS, paired_test, sacrebleu_intervals

__all__ = ["PeerScore", "SacrebleuReport", "sacrebleu_report", "sacrebleu_segments"]

# Keys of short signatures.
_SHORT = {
    "version": "v",
    "nrefs": "#",
    "test": "t",
    "lang": "l",
    "seed": "rs",
    "case": "c",
    "eff": "e",
    "smooth": "s",
    "space": "s",
    "norm": "nr",
    "punct": "pn",
    "asian": "as",
}
_TRIALS = {"sacrebleu-bs": 1000, "sacrebleu-ar": 10_000}
_ALPHA = 0.05  # p-values up to it get a star


@dataclass(frozen=True)
class PeerScore:
    """One score with what stands beside it; `mean` and `ci` (half a 95 % interval) are of bootstrap samples."""

    name: str  # of the metric: `chrF2`
    signature: str  # without the name
    score: float
    verbose: str = ""  # what the score is made of
    mean: float | None = None
    ci: float | None = None
    p: float | None = None

    def line(self, *, width: int = 1, score_only: bool = False, short: bool = False) -> str:
        """`BLEU|nrefs:1|… = 30.2 …`, or the score alone."""
        shown = f"{self.score:.{width}f}" + (f" ({between})" if (between := self._between(width)) else "")
        if score_only:
            return shown
        text = f"{self.name}|{short_signature(self.signature) if short else self.signature} = {shown}"
        return f"{text} {self.verbose}" if self.verbose else text

    def to_object(self, width: int = 1) -> dict[str, Any]:
        """The score as an object, with each entry of the signature."""
        shown: dict[str, Any] = {
            "name": self.name,
            "score": float(f"{self.score:.{width}f}"),
            "signature": self.signature,
        }
        if between := self._between(width):
            shown["confidence_mean"] = float(f"{self.mean:.{width}f}")
            shown["confidence_var"] = float(f"{self.ci:.{width}f}")
            shown["confidence"] = between
        if self.verbose:
            shown["verbose_score"] = self.verbose
        return shown | dict(part.split(":", 1) for part in self.signature.split("|"))

    def cell(self, width: int) -> str:
        """The score in a table of several systems."""
        shown = f"{self.score:.{width}f}"
        if self.mean is not None:
            shown += f" ({self.mean:.{width}f} ± {self.ci:.{width}f})"
        if self.p is not None:
            shown += f" (p = {self.p:.4f})" + ("*" if self.p <= _ALPHA else "")
        return shown

    def _between(self, width: int) -> str:
        # sacreBLEU takes a mean of 0 for none.
        return f"μ = {self.mean:.{width}f} ± {self.ci:.{width}f}" if self.mean is not None and self.mean > 0 else ""


@dataclass(frozen=True, eq=False)
class SacrebleuReport(Result):
    """Scores of systems by metrics as sacreBLEU reports them; with a paired test, the first system is the baseline."""

    kind: ClassVar[str] = "sacrebleu report"

    systems: tuple[str, ...]
    metrics: tuple[str, ...]  # as asked for
    scores: tuple[tuple[PeerScore, ...], ...]  # by system, by metric
    test: str | None  # of PAIRED_TESTS
    trials: int | None  # of the test or the intervals
    seed: int

    def tables(self) -> list[Table]:
        """One row per score."""
        columns = ["system", "metric", "score", "mean", "ci", "p", "signature"]
        rows = [
            (system, metric, each.score, each.mean, each.ci, each.p, f"{each.name}|{each.signature}")
            for m, metric in enumerate(self.metrics)
            for system, scores in zip(self.systems, self.scores, strict=True)
            for each in (scores[m],)
        ]
        digits = {"score": 2, "mean": 2, "ci": 2, "p": 4}
        shown = [Column(name, digits=digits.get(name)) for name in columns]
        return [Table.of("Scores", shown, rows, note=self._note())]

    def meta(self) -> dict[str, Any]:
        """The test, its seed, and what a reader of its p-values must know."""
        return {"test": self.test, "trials": self.trials, "seed": self.seed, "note": self._note()}

    def _note(self) -> str:
        return "" if self.test is None else PAIRED_TESTS.get(self.test).quirk

    def as_sacrebleu(self, form: str = "json", *, width: int = 1, score_only: bool = False, short: bool = False) -> str:
        """The report as `sacrebleu -f json|text|latex` prints it; texts of several systems differ in layout."""
        if form not in {"json", "text", "latex"}:
            raise DataError(f"sacreBLEU's forms are json, text and latex; got {form!r}.")
        if len(self.systems) == 1:
            return self._single(form, width, score_only, short)
        if form == "json":
            return json.dumps(self._objects(width), indent=4) + "\n"
        names = self._names()
        rows = [
            (system, *(each.cell(width) for each in scores))
            for system, scores in zip(self._shown_systems(), self.scores, strict=True)
        ]
        how = "bootstrap resampling" if self.test == "sacrebleu-bs" else "approximate randomization"
        title = "" if self.test is None else f"Paired {how} test with {self.trials} trials against {self.systems[0]}"
        table = Table.of(title, [Column("System"), *map(Column, names)], rows)
        signatures = [short_signature(each.signature) if short else each.signature for each in self.scores[0]]
        lines = [f" - {name:<10} {text}\n" for name, text in zip(names, signatures, strict=True)]
        return render(table, form) + "\nMetric signatures\n" + "".join(lines)

    def _single(self, form: str, width: int, score_only: bool, short: bool) -> str:
        (scores,) = self.scores
        if form == "json" and not score_only:
            texts = [json.dumps(each.to_object(width), indent=1, ensure_ascii=False) for each in scores]
        else:
            texts = [each.line(width=width, score_only=score_only, short=short) for each in scores]
        if form == "json":
            return (texts[0] if len(texts) == 1 else "[\n" + ",\n".join(texts) + "\n]") + "\n"
        if not score_only and len(texts) > 1:  # the equals signs stand below each other
            place = max(text.index("=") for text in texts)
            texts = [f"{text[: text.index('=')]:>{place}}{text[text.index('=') :]}" for text in texts]
        return "\n".join(texts) + "\n"

    def _objects(self, width: int) -> list[dict[str, Any]]:
        def value(each: PeerScore) -> Any:
            if self.test is None:
                return each.cell(width)
            return {"score": each.score, "p_value": each.p, "mean": each.mean, "ci": each.ci}

        return [
            {"system": system, **{name: value(each) for name, each in zip(self._names(), scores, strict=True)}}
            for system, scores in zip(self._shown_systems(), self.scores, strict=True)
        ]

    def _names(self) -> list[str]:
        """The metrics' names; where two have one name, as they were asked for."""
        names = [each.name for each in self.scores[0]]
        return [name if names.count(name) == 1 else spec for name, spec in zip(names, self.metrics, strict=True)]

    def _shown_systems(self) -> list[str]:
        first, *others = self.systems
        is_marked = self.test is None or first == "Baseline"  # its name where the systems have none
        return [first if is_marked else f"Baseline: {first}", *others]


def sacrebleu_report(
    test_set: TestSet,
    metrics: Sequence[Metric | str] = ("bleu",),
    *,
    test: Literal["sacrebleu-bs", "sacrebleu-ar"] | None = None,
    confidence: bool = False,
    trials: int | None = None,
    seed: int = 12345,
    cache: ScoreCache | None = None,
    progress: Progress | None = None,
    n_threads: int = 1,
) -> SacrebleuReport:
    """Score systems as sacreBLEU does, with its paired test against the first or, for one system, its interval.

    `trials` are the draws of the test or the samples of the interval; sacreBLEU's own number if it is not given.
    """
    if test is not None and len(test_set.systems) < 2:
        raise DataError(f"A paired test needs at least two systems, got {len(test_set.systems)}.")
    if confidence and len(test_set.systems) > 1:
        raise DataError("The interval of sacreBLEU is for one system; use a paired test for several.")
    chosen = make_metrics(metrics)
    if test is not None or confidence:
        refuse_not_additive(chosen)
    collected = collect(test_set, chosen, cache=cache, progress=progress, n_threads=n_threads)
    drawn = trials or _TRIALS.get(test or "", 1000)
    columns = []
    for number, each in enumerate(collected):
        if progress is not None and (test or confidence):
            progress(number, len(collected), "testing")
        if test is not None:
            columns.append(_tested(each, test, drawn, seed, n_threads))
        else:
            columns.append(_scored(each, drawn if confidence else None, seed, n_threads))
    return SacrebleuReport(
        systems=tuple(test_set.systems),
        metrics=tuple(each.metric.spec() for each in collected),
        scores=tuple(zip(*columns, strict=True)),
        test=test,
        trials=drawn if test or confidence else None,
        seed=seed,
    )


def sacrebleu_segments(test_set: TestSet, metric: Metric | str = "bleu", *, n_threads: int = 1) -> list[PeerScore]:
    """The score of each segment of one system, as `sacrebleu -sl` gives it."""
    used = make_metric(metric).for_segments()
    (statistics,) = collect(test_set, [used], n_threads=n_threads)
    rows = statistics.rows[0]
    signature = used.signature(statistics.nrefs)
    scores = used.values(rows).tolist()
    return [PeerScore(used.label, signature, score, used.verbose(row)) for score, row in zip(scores, rows, strict=True)]


def short_signature(signature: str) -> str:
    """The signature with short keys: `#:1|c:mixed|e:no|tok:13a|s:exp|v:2.6`."""
    parts = [part.split(":", 1) for part in signature.split("|")]
    # TER's tokeniser has a shorter key than BLEU's.
    keys = {**_SHORT, "tok": "t"} if ["tok", "tercom"] in parts else _SHORT
    return "|".join(f"{keys.get(key, key)}:{value}" for key, value in parts)


def _scored(each: Statistics, samples: int | None, seed: int, n_threads: int) -> list[PeerScore]:
    run = {} if samples is None else {"bs": samples, "seed": seed}
    signature = each.metric.signature(each.nrefs, **{**each.run, **run})
    totals = each.rows.sum(axis=1)
    scores = [
        PeerScore(each.metric.label, signature, score, each.metric.verbose(total))
        for score, total in zip(each.scores().tolist(), totals, strict=True)
    ]
    if samples is None:
        return scores
    (one,) = scores
    (interval,) = sacrebleu_intervals(
        list(each.rows), each.metric.values, trials=samples, seed=seed, n_threads=n_threads
    )
    return [PeerScore(one.name, one.signature, one.score, one.verbose, interval.mean, interval.half_width)]


def _tested(each: Statistics, name: str, trials: int, seed: int, n_threads: int) -> list[PeerScore]:
    test = paired_test(name, trials=trials, seed=seed)
    label, run = each.metric.label, {"bs" if name == "sacrebleu-bs" else "ar": trials, "seed": seed}
    signature = each.metric.signature(each.nrefs, **{**run, **each.run})
    pairs = [(system, 0) for system in range(1, len(each.systems))]
    answers = test.compare_pairs(list(each.rows), each.metric.values, pairs, names=each.systems, n_threads=n_threads)
    own, *others = [
        (answers[0].score_b, None, answers[0].interval_b),
        *((f.score_a, f.p, f.interval_a) for f in answers),
    ]
    return [
        PeerScore(
            label,
            signature,
            score,
            mean=None if interval is None else interval.mean,
            ci=None if interval is None else interval.half_width,
            p=p,
        )
        for score, p, interval in (own, *others)
    ]
