"""How far listeners agree, and who deviates: Fleiss' κ for all, Cohen's κ for pairs (Hamon et al. 2009, §6.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from dragoman.data.questionnaires import Questionnaire
from dragoman.stats.agreement import cohen_kappa, fleiss_kappa, landis_koch

__all__ = ["Listener", "QuestionAgreement", "agreements", "listeners"]


@dataclass(frozen=True)
class QuestionAgreement:
    """Agreement on the answers of one condition, or on its quality. κ is None where everybody always said the same."""

    condition: str
    judged: str  # answers or quality
    statistic: str
    value: float | None
    reading: str
    n_items: int  # items of `n_judges` judgements; others are left out
    n_judges: int
    n_right_by_all: int | None  # questions, for answers
    n_wrong_by_all: int | None


@dataclass(frozen=True)
class Listener:
    """One annotator in one condition."""

    annotator: str
    condition: str
    n: int  # answers
    correct: float  # per cent
    kappa: float | None  # the mean over peers; None without peers or where no κ is defined
    n_peers: int  # with whom κ is defined


def agreements(questionnaire: Questionnaire) -> list[QuestionAgreement]:
    """Fleiss' κ of answers and of ratings, condition by condition.

    It needs equally many judges everywhere: items with another number than the most frequent one are left out.
    """
    agreements = []
    for condition in questionnaire.conditions:
        answers = questionnaire.answers.where(condition=condition)
        items = zip(answers["passage"], answers["question"], strict=True)
        agreements.append(_fleiss(condition, "answers", items, answers["correct"], (True, False)))
        ratings = questionnaire.ratings.where(condition=condition)
        if len(ratings):
            agreements.append(_fleiss(condition, "quality", ratings["passage"], ratings["quality"], (1, 2, 3, 4, 5)))
    return [each for each in agreements if each is not None]


def _fleiss(
    condition: str, judged: str, items: Iterable[Hashable], labels: Sequence[Any], scale: Sequence[Any]
) -> QuestionAgreement | None:
    by_item: dict[Hashable, list[int]] = {}
    for item, label in zip(items, labels, strict=True):
        by_item.setdefault(item, [0] * len(scale))[scale.index(label)] += 1
    sizes = Counter(sum(counts) for counts in by_item.values())
    n_judges = max(sizes, key=lambda size: (sizes[size], size))
    table = np.array([counts for counts in by_item.values() if sum(counts) == n_judges])
    if n_judges < 2:
        return None
    value = fleiss_kappa(table).value
    unanimous = (
        [int(np.count_nonzero(table[:, k] == n_judges)) for k in range(2)] if judged == "answers" else [None] * 2
    )
    return QuestionAgreement(
        condition=condition,
        judged=judged,
        statistic="fleiss",
        value=value,
        reading="" if value is None else landis_koch(value),
        n_items=len(table),
        n_judges=n_judges,
        n_right_by_all=unanimous[0],
        n_wrong_by_all=unanimous[1],
    )


def listeners(questionnaire: Questionnaire) -> list[Listener]:
    """Every annotator's share of correct answers and mean κ with their peers, by condition, the lowest κ first."""
    listeners = []
    for condition in questionnaire.conditions:
        answers: dict[str, dict[tuple[Any, Any], bool]] = {}
        for row in questionnaire.answers.where(condition=condition).rows():
            own = answers.setdefault(str(row["annotator"]), {})
            own[row["passage"], row["question"]] = bool(row["correct"])
        kappas: dict[str, list[float]] = {annotator: [] for annotator in answers}
        for first, second in combinations(answers, 2):
            value = _kappa(answers[first], answers[second])
            if value is not None:
                kappas[first].append(value)
                kappas[second].append(value)
        for annotator, own in answers.items():
            mean = sum(kappas[annotator]) / len(kappas[annotator]) if kappas[annotator] else None
            correct = 100 * sum(own.values()) / len(own)
            listeners.append(Listener(annotator, condition, len(own), correct, mean, len(kappas[annotator])))
    return sorted(listeners, key=lambda each: (each.kappa is None, each.kappa or 0.0, each.annotator))


def _kappa(first: Mapping[tuple[Any, Any], bool], second: Mapping[tuple[Any, Any], bool]) -> float | None:
    shared = [question for question in first if question in second]
    if not shared:
        return None
    return cohen_kappa([first[q] for q in shared], [second[q] for q in shared], labels=(True, False)).value
