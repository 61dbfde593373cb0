"""HMEANT of systems: means with intervals, by annotator, and the agreement that says how far to trust them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman.data.frame_tables import study_of
from dragoman.data.frames import FrameStudy
from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.human.analysing import Analysis
from dragoman.human.frames.agreement import FrameAgreement, frame_agreement
from dragoman.human.frames.sentence import Definition, checked_weights, sentence_hmeant
from dragoman.human.parts import PartsAnalysis
from dragoman.report import Column, Figure, Result, Sentence, Table, joined
from dragoman.stats.interval import bootstrap_intervals

__all__ = ["AnnotatorScore", "Hmeant", "SystemHmeant", "analyse_frames", "hmeant", "sentence_bleu"]


@dataclass(frozen=True)
class SystemHmeant:
    """The mean of a system's sentence scores over sentences and annotators, with its bootstrap interval."""

    lang: str
    system: str
    score: float
    low: float | None  # None with fewer than two segments
    high: float | None
    rank_low: int | None  # places it can have, given that overlapping intervals are not ranked
    rank_high: int | None
    n_annotations: int
    n_segments: int
    bleu: float | None  # the mean of smoothed sentence BLEU over the same annotations; None without texts


@dataclass(frozen=True)
class AnnotatorScore:
    """A system's mean by one annotator, on the sentences that the pair of annotators share."""

    lang: str
    pair: str
    annotator: str
    system: str
    score: float
    rank: int  # among the systems, by this annotator's means alone
    n: int
    bleu: float | None


@dataclass(frozen=True)
class Hmeant(Result):
    """HMEANT of systems, by annotator, and the agreement that says how far to trust it."""

    kind: ClassVar[str] = "hmeant"

    systems: tuple[SystemHmeant, ...]
    annotators: tuple[AnnotatorScore, ...]
    agreement: FrameAgreement
    definition: str
    weights: Mapping[str, float]
    partial: float
    level: float
    trials: int
    seed: int
    provenance: Mapping[str, Any]

    def system(self, lang: str, system: str) -> SystemHmeant:
        """One system's row."""
        for each in self.systems:
            if (each.lang, each.system) == (lang, system):
                return each
        raise DataError(f"There is no system {system!r} in {lang!r}.")

    def tables(self) -> list[Table]:
        """Systems, annotators, agreement."""
        score, bleu = Column("hmeant", digits=3), Column("bleu", digits=3)
        plain = ["rank_low", "rank_high", "n_annotations", "n_segments"]
        columns: list[Column | str] = [
            "lang",
            "system",
            score,
            Column("low", digits=3),
            Column("high", digits=3),
            *plain,
            bleu,
        ]
        rows = [
            (s.lang, s.system, s.score, s.low, s.high, s.rank_low, s.rank_high, s.n_annotations, s.n_segments, s.bleu)
            for s in self.systems
        ]
        by_annotator = [(a.lang, a.pair, a.annotator, a.system, a.score, a.rank, a.n, a.bleu) for a in self.annotators]
        heads: list[Column | str] = ["lang", "pair", "annotator", "system", score, "rank", "n", bleu]
        return [
            Table.of(f"HMEANT ({self.definition})", columns, rows, note=self._note()),
            Table.of("HMEANT by annotator", heads, by_annotator, note=self._consistency()),
            *self.agreement.tables(),
        ]

    def _note(self) -> str:
        groups = [[s for s in self.systems if s.lang == lang] for lang in dict.fromkeys(s.lang for s in self.systems)]
        open_ = [f"{s.system} ({s.lang})" for g in groups for s in g if s.rank_low is None or s.rank_low != s.rank_high]
        drawn = Sentence(
            "Intervals: {level:.0%} bootstrap over segments, {trials:,} samples, seed {seed}. Systems whose intervals "
            "overlap are not ranked.",
            level=self.level,
            trials=self.trials,
            seed=self.seed,
        )
        if open_:
            return joined((drawn, Sentence("Without a place of their own: {names}.", names=", ".join(open_))))
        return joined((drawn, Sentence("Every system has a place of its own.")))

    def _consistency(self) -> str:
        orders: dict[tuple[str, str], dict[str, list[str]]] = {}
        for a in sorted(self.annotators, key=lambda a: a.rank):
            orders.setdefault((a.lang, a.pair), {}).setdefault(a.annotator, []).append(a.system)
        alike = sum(len({tuple(order) for order in by.values()}) == 1 for by in orders.values())
        same = "Pairs of annotators that put the systems in the same order: {alike} of {n}."
        return Sentence(same, alike=alike, n=len(orders))

    def figures(self) -> list[Figure]:
        """Means with their intervals, where there are any; agreement by stage."""
        table, shown = self.tables()[0], {"x": "system", "y": "hmeant", "series": "lang"}
        if any(each.low is None for each in self.systems):
            return [Figure("HMEANT", "bar", table, **shown), *self.agreement.figures()]
        return [Figure("HMEANT", "interval", table, low="low", high="high", **shown), *self.agreement.figures()]

    def meta(self) -> dict[str, Any]:
        """Definition, weights, resampling, and which annotations."""
        return {
            **self.provenance,
            "definition": self.definition,
            "weights": dict(self.weights),
            "partial": self.partial,
            "level": self.level,
            "trials": self.trials,
            "seed": self.seed,
            "resampled": "segments",
            "agreement": self.agreement.tables()[0].records(),
            "compat": self.agreement.compat,
        }


def hmeant(
    study: FrameStudy,
    *,
    definition: Definition = "birch13",
    weights: Mapping[str, float] | None = None,
    partial: float = 0.5,
    compat: Literal["wmt13"] | None = None,
    level: float = 0.95,
    trials: int = 1000,
    seed: int = 12345,
) -> Hmeant:
    """HMEANT of all systems of a study, with intervals, by annotator, and with agreement at all five stages.

    `compat="wmt13"` concerns the agreement alone (see `frame_agreement`).
    """
    if not study.annotations:
        raise DataError("The study has no annotated output; there is nothing to score.")
    weight = checked_weights(definition, weights, partial)
    scores = [
        sentence_hmeant(each, definition=definition, weights=weights, partial=partial).score
        for each in study.annotations
    ]
    bleu = _bleu(study)
    systems: list[SystemHmeant] = []
    annotators: list[AnnotatorScore] = []
    for lang in study.langs:
        systems += _systems(study, lang, scores, bleu, level=level, trials=trials, seed=seed)
        annotators += _by_annotator(study, lang, scores, bleu)
    return Hmeant(
        systems=tuple(systems),
        annotators=tuple(annotators),
        agreement=frame_agreement(study, compat=compat),
        definition=definition,
        weights=weight,
        partial=partial,
        level=level,
        trials=trials,
        seed=seed,
        provenance=study.provenance,
    )


def _systems(
    study: FrameStudy,
    lang: str,
    scores: Sequence[float],
    bleu: Sequence[float | None],
    *,
    level: float,
    trials: int,
    seed: int,
) -> list[SystemHmeant]:
    names = study.systems(lang)
    segments = {each.segment: None for each in study.annotations if each.lang == lang}
    place = {segment: number for number, segment in enumerate(segments)}
    rows = np.zeros((len(names), len(place), 2))
    for each, score in zip(study.annotations, scores, strict=True):
        if each.lang == lang:
            rows[names.index(each.system), place[each.segment]] += score, 1.0
    bounds: list[tuple[float, float] | None] = [None] * len(names)
    if len(place) > 1:
        intervals = bootstrap_intervals(list(rows), _means, level=level, trials=trials, seed=seed)
        bounds = [(interval.low, interval.high) for interval in intervals]
    total = rows.sum(axis=1)
    systems = []
    for number, name in enumerate(names):
        mine = [b for each, b in zip(study.annotations, bleu, strict=True) if (each.lang, each.system) == (lang, name)]
        low_high = bounds[number]
        systems.append(
            SystemHmeant(
                lang=lang,
                system=name,
                score=float(_means(total[[number]])[0]),
                low=None if low_high is None else low_high[0],
                high=None if low_high is None else low_high[1],
                rank_low=_rank(number, bounds, above=True),
                rank_high=_rank(number, bounds, above=False),
                n_annotations=int(total[number, 1]),
                n_segments=int(np.count_nonzero(rows[number, :, 1])),
                bleu=_mean(mine),
            )
        )
    return sorted(systems, key=lambda s: -s.score)


def _means(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Means of sums and counts; a resample without any annotation of the system has the mean 0."""
    return np.divide(totals[..., 0], totals[..., 1], out=np.zeros(totals.shape[:-1]), where=totals[..., 1] > 0)


def _rank(number: int, bounds: Sequence[tuple[float, float] | None], *, above: bool) -> int | None:
    """The best or worst place of a system if only intervals that do not touch are ranked."""
    mine = bounds[number]
    numbers = [each for each in bounds if each is not None]
    if mine is None or len(numbers) < len(bounds):
        return None
    if above:
        return 1 + sum(other[0] > mine[1] for other in numbers)
    return len(numbers) - sum(other[1] < mine[0] for other in numbers)


def _by_annotator(
    study: FrameStudy, lang: str, scores: Sequence[float], bleu: Sequence[float | None]
) -> list[AnnotatorScore]:
    """Means of each annotator of each pair over the outputs that both annotated (Birch et al. 2013, Table 10)."""
    by_output: dict[tuple[str, str], dict[str, tuple[float, float | None]]] = {}
    for each, score, other in zip(study.annotations, scores, bleu, strict=True):
        if each.lang == lang:
            by_output.setdefault((each.segment, each.system), {})[each.annotator] = score, other
    pairs: dict[tuple[str, str], dict[tuple[str, str], list[tuple[float, float | None]]]] = {}
    for (_, system), by in by_output.items():
        for first in sorted(by):
            for second in sorted(by):
                if first < second:
                    cells = pairs.setdefault((first, second), {})
                    cells.setdefault((first, system), []).append(by[first])
                    cells.setdefault((second, system), []).append(by[second])
    lines = []
    for pair, cells in sorted(pairs.items()):
        means = {key: float(np.mean([score for score, _ in values])) for key, values in cells.items()}
        for (annotator, system), values in sorted(cells.items()):
            better = sum(m > means[annotator, system] for (who, _), m in means.items() if who == annotator)
            other = _mean([each for _, each in values])
            lines.append(
                AnnotatorScore(
                    lang, ", ".join(pair), annotator, system, means[annotator, system], 1 + better, len(values), other
                )
            )
    return lines


def _mean(values: Sequence[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return float(np.mean(numbers)) if numbers and len(numbers) == len(values) else None


def _bleu(study: FrameStudy) -> list[float | None]:
    """Sentence BLEU of every annotated output that has its text and its reference's."""
    texts = [
        (study.texts.get((a.lang, a.segment, a.system)), study.texts.get((a.lang, a.segment, None)))
        for a in study.annotations
    ]
    pairs = [(" ".join(hyp), " ".join(ref)) for hyp, ref in texts if hyp is not None and ref is not None]
    scores = iter(sentence_bleu([hyp for hyp, _ in pairs], [ref for _, ref in pairs]))
    return [None if hyp is None or ref is None else next(scores) for hyp, ref in texts]


def sentence_bleu(hyps: Sequence[str], refs: Sequence[str]) -> list[float]:
    """Cased BLEU of each sentence on its own tokens, from 0 to 1, with 1 added to matches and n-grams of *every* order.

    Birch et al. (2013) smooth the unigrams too, unlike BLEU+1 of Lin & Och (2004), which the metric `bleu+1` follows.
    """
    from dragoman.metrics.bleu import Bleu

    if not hyps:
        return []
    rows = Bleu(tokeniser="none").stats(hyps, [refs])
    hyp, ref = rows[:, 0], rows[:, 1]
    precisions = (rows[:, 2:6] + 1) / (rows[:, 6:10] + 1)
    penalty = np.exp(np.minimum(0.0, 1 - ref / np.maximum(hyp, 1e-300)))
    scores: list[float] = (penalty * np.exp(np.log(precisions).mean(axis=1))).tolist()
    return scores


def analyse_frames(judgements: Judgements, *, level: float = 0.95, trials: int = 1000, seed: int = 1) -> Analysis:
    """HMEANT of the systems whose frames were marked, by rows of the kind `semantic-frames`."""
    scores = hmeant(study_of(judgements), level=level, trials=trials, seed=seed)
    return PartsAnalysis("semantic-frames", {"HMEANT": scores})
