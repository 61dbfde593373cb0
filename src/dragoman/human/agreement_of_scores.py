"""Agreement on scores: direct assessments of 0–100 and scales of a few whole numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.data.judgements import Field, Judgements
from dragoman.errors import DataError
from dragoman.human.agreement_lines import AgreementLine, Drawn
from dragoman.human.agreement_of_rankings import judgement_pairs
from dragoman.human.labelled import Ints
from dragoman.report import Sentence
from dragoman.stats.agreement import Coefficient, cohen_kappa, count_pairs, outcome_kappa, paired_r, score_bins
from dragoman.stats.alpha import krippendorff_alpha
from dragoman.stats.arrays import Floats
from dragoman.text.languages import pair_among

__all__ = ["Scored", "score_lines", "scored", "scored_pairs"]

# What names the thing judged, where the schema has it; `item` numbers showings and is not among them.
_IDENTITY = ("source_lang", "target_lang", "doc", "segment", "system", "attribute")
_SHOWN_AS_IS = (None, "TGT", "CHK", "REPEAT")  # an output, or the same output once more
_MOST_STEPS = 11  # whole numbers: above that a scale is treated as continuous
_LEAST_FOR_R = 3


@dataclass(frozen=True)
class Scored:
    """Scores with the number of the thing judged and of the annotator."""

    item: Ints
    annotator: Ints
    score: Floats
    annotators: tuple[str, ...]
    steps: tuple[int, ...]  # the scale, if it is one of few whole numbers
    bounds: tuple[float | None, float | None] = (None, None)  # of the scale

    def take(self, keep: NDArray[np.bool_]) -> Scored:
        """Those of a mask."""
        return Scored(self.item[keep], self.annotator[keep], self.score[keep], self.annotators, self.steps, self.bounds)


def scored(judgements: Judgements, *, pair: str | None = None, field: str = "score") -> Scored:
    """The scores that were given. An output shown again (CHK) is the same thing; a degraded one (BAD) another."""
    schema = judgements.schema
    names = [each.name for each in schema.fields]
    if field not in names or schema.field(field).type not in ("whole", "number"):
        raise DataError(
            Sentence(
                "Agreement is defined for relative rankings and for judgements with a number '{field}'; {kind} "
                "judgements have {names}.",
                field=field,
                kind=schema.kind,
                names=", ".join(names),
            )
        )
    identity = [name for name in _IDENTITY if name in names] or ["item"]
    item = np.zeros(len(judgements), dtype=np.int64)
    for name in identity:
        codes, values = judgements.coded(name)
        item = np.unique(item * len(values) + codes, return_inverse=True)[1].astype(np.int64)
    if "type" in names:
        codes, values = judgements.coded("type")
        types = ["TGT" if kind in _SHOWN_AS_IS else str(kind) for kind in values]
        number = {kind: n for n, kind in enumerate(dict.fromkeys(types))}
        item = item * len(number) + np.array([number[kind] for kind in types], dtype=np.int64)[codes]
        item = np.unique(item, return_inverse=True)[1].astype(np.int64)
    scores = judgements.numbers(field)
    keep = ~np.isnan(scores)
    if pair is not None:
        spoken = scored_pairs(judgements)
        judged = pair_among(pair, spoken)
        if judged is None:
            raise DataError(
                f"No judgement is of the language pair {pair!r}. "
                + (f"Judged: {', '.join(spoken)}." if spoken else "These judgements do not name their languages.")
            )
        keep &= np.array(_spoken(judgements)) == judged
    codes, values = judgements.coded("annotator")
    people = sorted(str(name) for name in values)
    annotator = np.array([people.index(str(name)) for name in values], dtype=np.int64)[codes]
    declared = schema.field(field)
    steps = _steps(declared, scores[keep])
    data = Scored(item, annotator, scores, tuple(people), steps, (declared.low, declared.high)).take(keep)
    if not len(data.item):
        raise DataError("None of the judgements has a score.")
    return data


def scored_pairs(judgements: Judgements) -> tuple[str, ...]:
    """The language pairs that the judgements name, in the order they come up."""
    return tuple(dict.fromkeys(pair for pair in _spoken(judgements) if pair is not None))


def _spoken(judgements: Judgements) -> list[str | None]:
    if not {"source_lang", "target_lang"} <= {each.name for each in judgements.schema.fields}:
        return [None] * len(judgements)
    spoken = zip(judgements["source_lang"], judgements["target_lang"], strict=True)
    return [None if source is None or target is None else f"{source}-{target}" for source, target in spoken]


def _steps(field: Field, values: Floats) -> tuple[int, ...]:
    if field.type != "whole" or field.low is None or field.high is None or field.high - field.low >= _MOST_STEPS:
        return ()
    return tuple(range(int(min(field.low, values.min())), int(field.high) + 1)) if len(values) else ()


def score_lines(
    judgements: Judgements, *, pair: str | None, by: str | None, bins: int | None, drawn: Drawn
) -> Iterator[AgreementLine]:
    """α, and r or weighted κ, between annotators and of each with themselves."""
    pairs: list[str | None] = [pair] if pair is not None else list(scored_pairs(judgements))
    for each in pairs if len(pairs) == 1 else [*pairs, None]:
        yield from _pair_lines(each or "all", scored(judgements, pair=each), by, bins, drawn)


def _pair_lines(label: str, data: Scored, by: str | None, bins: int | None, drawn: Drawn) -> Iterator[AgreementLine]:
    i, j = judgement_pairs(data.item)
    same = data.annotator[i] == data.annotator[j]
    if by is None:
        n = len(np.unique(data.annotator))
        yield from _lines(label, "inter", data, i[~same], j[~same], _means(data), drawn, n_annotators=n)
        repeated = len(np.unique(data.annotator[i[same]]))
        yield from _lines(label, "intra", data, i[same], j[same], _repeats(data), drawn, n_annotators=repeated)
        if bins is not None:
            yield from _binned_lines(label, data, bins, drawn)
        return
    for number, name in enumerate(data.annotators):
        own = data.annotator == number
        if by == "judge":
            chosen = (own[i] | own[j]) & ~same
            mine, theirs = np.where(own[i], i, j)[chosen], np.where(own[i], j, i)[chosen]
            agreement = _r(data, mine, theirs, drawn, symmetric=False)
            n_people = max(1, len(np.unique(data.annotator[np.concatenate([mine, theirs])])))
            yield _line(label, "inter", agreement, "pearson", int(own.sum()), n_people, annotator=name)
            chosen = own[i] & same
            agreement = _r(data, i[chosen], j[chosen], drawn, symmetric=True)
            yield _line(label, "intra", agreement, "pearson", int(own.sum()), 1, annotator=name)
            continue
        for other in range(number + 1, len(data.annotators)):
            theirs_too = data.annotator == other
            chosen = (own[i] & theirs_too[j]) | (own[j] & theirs_too[i])
            if not chosen.any():
                continue
            mine, theirs = np.where(own[i], i, j)[chosen], np.where(own[i], j, i)[chosen]
            n = int(own.sum() + theirs_too.sum())
            statistic = "kappa-quadratic" if data.steps else "pearson"
            agreement = (
                _weighted(data, mine, theirs, drawn) if data.steps else _r(data, mine, theirs, drawn, symmetric=False)
            )
            people = {"annotator": name, "other": data.annotators[other]}
            yield _line(label, "inter", agreement, statistic, n, 2, **people)


def _lines(
    pair: str, kind: str, data: Scored, i: Ints, j: Ints, paired: tuple[Ints, Floats], drawn: Drawn, n_annotators: int
) -> Iterator[AgreementLine]:
    level = "ordinal" if data.steps else "interval"
    alpha = None
    if len(i):
        alpha = krippendorff_alpha(
            *paired,
            level="ordinal" if data.steps else "interval",
            trials=drawn.trials,
            confidence=drawn.level,
            seed=drawn.seed,
        )
    n = len(data.item)
    yield _line(pair, kind, alpha, f"alpha-{level}", n, n_annotators)
    yield _line(pair, kind, _r(data, i, j, drawn, symmetric=True), "pearson", n, n_annotators)
    if data.steps:
        both = np.concatenate([i, j]), np.concatenate([j, i])  # neither judgement of a pair is the first
        yield _line(pair, kind, _weighted(data, *both, drawn), "kappa-quadratic", n, n_annotators)


def _binned_lines(pair: str, data: Scored, n_bins: int, drawn: Drawn) -> Iterator[AgreementLine]:
    """κ of scores cut into categories, P(E) = 1 / categories: Graham et al. (2013), whose 22 cells follow from it."""
    low, high = data.bounds
    label = score_bins(data.score, n_bins, low=low, high=high)
    for kind, same in (("inter", False), ("intra", True)):
        counts = count_pairs(data.item, label, annotators=data.annotator, same=same)
        kappa = None
        if counts.pairs.sum():
            kappa = outcome_kappa(counts, 1 / n_bins, trials=drawn.trials, level=drawn.level, seed=drawn.seed)
        people = len(np.unique(data.annotator))
        yield AgreementLine.of(
            pair, kind, kappa, statistic=f"kappa-{n_bins}", judgements=len(data.item), annotators=people
        )


def _line(
    pair: str,
    kind: str,
    found: Coefficient | None,
    statistic: str,
    judgements: int,
    annotators: int,
    annotator: str | None = None,
    other: str | None = None,
) -> AgreementLine:
    return AgreementLine.of(
        pair,
        kind,
        found,
        statistic=statistic,
        judgements=judgements,
        annotators=annotators,
        annotator=annotator,
        other=other,
        shares=False,
    )


def _means(data: Scored) -> tuple[Ints, Floats]:
    """One value for each annotator and item: the first, where the scale has steps; else the mean of repeats."""
    n = len(data.annotators)
    groups, first, group = np.unique(data.item * n + data.annotator, return_index=True, return_inverse=True)
    if data.steps:
        return groups // n, data.score[first]
    return groups // n, np.bincount(group, weights=data.score) / np.bincount(group)


def _repeats(data: Scored) -> tuple[Ints, Floats]:
    """Items as each annotator saw them, so that only an annotator's own repeats meet."""
    return data.item * len(data.annotators) + data.annotator, data.score


def _r(data: Scored, i: Ints, j: Ints, drawn: Drawn, *, symmetric: bool) -> Coefficient | None:
    if len(i) < _LEAST_FOR_R:
        return None
    return paired_r(
        data.score[i],
        data.score[j],
        clusters=data.item[i],
        symmetric=symmetric,
        trials=drawn.trials,
        level=drawn.level,
        seed=drawn.seed,
    )


def _weighted(data: Scored, i: Ints, j: Ints, drawn: Drawn) -> Coefficient | None:
    if not len(i):
        return None
    a, b = data.score[i].astype(np.int64), data.score[j].astype(np.int64)
    return cohen_kappa(
        a, b, weights="quadratic", labels=data.steps, trials=drawn.trials, level=drawn.level, seed=drawn.seed
    )
