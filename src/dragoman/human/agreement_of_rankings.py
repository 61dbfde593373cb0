"""Agreement on relative rankings: WMT's κ, by language pair, by annotator, by pair of annotators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dragoman.data.judgements import Judgements
from dragoman.human.agreement_lines import AgreementLine, Drawn
from dragoman.human.labelled import Ints, Labelled, Mode, labelled, pooled
from dragoman.stats.agreement import Coefficient, PairCounts, count_pairs, outcome_kappa, tied_chance

__all__ = ["judgement_pairs", "ranking_lines"]

_UNIFORM = 1 / 3  # P(E) of campaigns until 2011


def ranking_lines(
    judgements: Judgements, pairs: Sequence[str], *, by: str | None, mode: Mode, chance: str, drawn: Drawn
) -> Iterator[AgreementLine]:
    """The lines of every language pair, and of all together where there are several."""
    parts = {pair: labelled(judgements, pair=pair, mode=mode) for pair in pairs}
    if len(parts) > 1:
        parts["all"] = pooled(list(parts.values()))
    for pair, data in parts.items():
        p_chance = tied_chance(data.ties() / len(data)) if chance == "empirical" and len(data) else _UNIFORM
        if by == "judge":
            yield from _judge_lines(pair, data, chance, drawn)
        elif by == "pair":
            yield from _annotator_pair_lines(pair, data, chance, drawn)
        else:
            yield from _whole_lines(pair, data, mode, chance, p_chance, drawn)


def _whole_lines(
    pair: str, data: Labelled, mode: Mode, chance: str, p_chance: float, drawn: Drawn
) -> Iterator[AgreementLine]:
    inter = count_pairs(data.item, data.label, annotators=data.annotator, same=False if mode == "clean" else None)
    n_annotators = len(np.unique(data.annotator))
    clusters = data.segment_of_item()
    yield AgreementLine.of(
        pair,
        "inter",
        _kappa(inter, p_chance, clusters, drawn),
        statistic="kappa",
        judgements=len(data),
        annotators=n_annotators,
        ties=data.ties(),
    )
    own = _repeating(data) if mode == "official" else data
    intra = count_pairs(own.item, own.label, annotators=own.annotator, same=True)
    if mode == "official" and chance == "empirical" and len(own):
        # The scripts estimate the ties of the intra line from the segments that an annotator saw twice, and only those.
        p_chance = tied_chance(own.ties() / len(own))
    yield AgreementLine.of(
        pair,
        "intra",
        _kappa(intra, p_chance, own.segment_of_item(), drawn),
        statistic="kappa",
        judgements=len(own),
        annotators=_n_repeating(own),
        ties=own.ties(),
    )


def _n_repeating(data: Labelled) -> int:
    """How many annotators judged some item twice."""
    n = max(1, len(data.annotators))
    shown, counts = np.unique(data.item * n + data.annotator, return_counts=True)
    return len(np.unique(shown[counts > 1] % n))


def _repeating(data: Labelled) -> Labelled:
    """The judgements of annotators on segments where they judged some item twice."""
    if not len(data):
        return data
    n = len(data.annotators)
    _, shown, counts = np.unique(data.item * n + data.annotator, return_inverse=True, return_counts=True)
    _, group = np.unique(data.segment * n + data.annotator, return_inverse=True)
    twice = np.zeros(int(group.max()) + 1, dtype=np.bool_)
    twice[group[counts[shown] > 1]] = True
    return data.take(twice[group])


def _kappa(counts: PairCounts, p_chance: float, clusters: Ints, drawn: Drawn) -> Coefficient | None:
    if not counts.pairs.sum():
        return None
    return outcome_kappa(counts, p_chance, clusters=clusters, trials=drawn.trials, level=drawn.level, seed=drawn.seed)


def judgement_pairs(item: Ints) -> tuple[Ints, Ints]:
    """All pairs of places that hold the same item, the earlier place first."""
    order = np.argsort(item, kind="stable")
    sizes = np.bincount(item[order]) if len(item) else np.zeros(0, dtype=np.int64)
    starts = np.cumsum(sizes) - sizes
    left, right = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for size in np.unique(sizes[sizes > 1]):
        i, j = np.triu_indices(int(size), k=1)
        base = starts[sizes == size][:, None]
        left.append((base + i).ravel())
        right.append((base + j).ravel())
    return order[np.concatenate(left)], order[np.concatenate(right)]


def _judge_lines(pair: str, data: Labelled, chance: str, drawn: Drawn) -> Iterator[AgreementLine]:
    """Each annotator against all others and against themselves."""
    i, j = judgement_pairs(data.item)
    same = data.annotator[i] == data.annotator[j]
    judged = np.bincount(data.annotator, minlength=len(data.annotators))
    # A pair of different annotators is listed under both, the annotator's own judgement first.
    apart = np.flatnonzero(~same)
    mine = np.concatenate([i[apart], j[apart]])
    theirs = np.concatenate([j[apart], i[apart]])
    inter = _by_group(data.annotator[mine], len(data.annotators))
    repeats = np.flatnonzero(same)
    intra = _by_group(data.annotator[i[repeats]], len(data.annotators))
    for number, name in enumerate(data.annotators):
        if not judged[number]:
            continue
        met, own = inter[number], repeats[intra[number]]
        for kind, left, right in (("inter", mine[met], theirs[met]), ("intra", i[own], j[own])):
            n_people = len(np.unique(data.annotator[right])) + 1 if kind == "inter" else 1
            yield AgreementLine.of(
                pair,
                kind,
                _listed_kappa(data, left, right, chance, drawn),
                statistic="kappa",
                judgements=int(judged[number]),
                annotators=n_people,
                annotator=name,
            )


def _annotator_pair_lines(pair: str, data: Labelled, chance: str, drawn: Drawn) -> Iterator[AgreementLine]:
    """Every two annotators with an item in common."""
    i, j = judgement_pairs(data.item)
    a, b = data.annotator[i], data.annotator[j]
    mine, theirs = np.where(a < b, i, j), np.where(a < b, j, i)
    n = len(data.annotators)
    keys, which = np.unique(data.annotator[mine] * n + data.annotator[theirs], return_inverse=True)
    judged = np.bincount(data.annotator, minlength=n)
    for key, chosen in zip(keys.tolist(), _by_group(which, len(keys)), strict=True):
        first, second = divmod(key, n)
        if first == second:
            continue
        yield AgreementLine.of(
            pair,
            "inter",
            _listed_kappa(data, mine[chosen], theirs[chosen], chance, drawn),
            statistic="kappa",
            judgements=int(judged[first] + judged[second]),
            annotators=2,
            annotator=data.annotators[first],
            other=data.annotators[second],
        )


def _by_group(group: Ints, n_groups: int) -> list[Ints]:
    """The places of each group's members."""
    order = np.argsort(group, kind="stable")
    bounds = np.searchsorted(group[order], np.arange(1, n_groups))
    return np.split(order, bounds)


def _listed_kappa(data: Labelled, mine: Ints, theirs: Ints, chance: str, drawn: Drawn) -> Coefficient | None:
    """κ of listed pairs of judgements; chance from the ties of either side."""
    if not len(mine):
        return None
    t, u = float(np.mean(data.label[mine] == 1)), float(np.mean(data.label[theirs] == 1))
    p_chance = t * u + (1 - t) * (1 - u) / 2 if chance == "empirical" else _UNIFORM
    _, first, item = np.unique(data.item[mine], return_index=True, return_inverse=True)
    agreeing = np.bincount(item, weights=data.label[mine] == data.label[theirs]).astype(np.int64)
    return _kappa(PairCounts(agreeing, np.bincount(item)), p_chance, data.segment[mine][first], drawn)
