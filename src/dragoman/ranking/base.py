"""The contract of ranking methods: judgements in, one score per system out, and scores of resampled judgements.

A method that needs only the counts of wins and ties says how scores come from them (`CountMethod`); rank ranges,
clusters, held-out accuracy and the command line follow.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.comparisons import Comparisons
from dragoman.errors import DataError
from dragoman.options import Recipe, options_of, write_value
from dragoman.ranking.assessments import Assessments
from dragoman.ranking.resampling import Unit, resampled_counts
from dragoman.registry import Registry

__all__ = [
    "OTHER_NAMES",
    "RANKINGS",
    "AssessmentMethod",
    "ComparisonMethod",
    "CountMethod",
    "Floats",
    "Interval",
    "Progress",
    "RankingMethod",
    "Scores",
    "make_ranking",
]

Floats = NDArray[np.float64]
Interval = Literal["shortest", "equal"]
Progress = Callable[[int, int], None]  # (done, in all)

J = TypeVar("J", Comparisons, Assessments)


@dataclass(frozen=True)
class Scores:
    """One score per system, in the order of the judgements' systems; NaN where a system has none."""

    values: Floats
    notes: tuple[str, ...] = ()  # what a reader of these scores must know
    details: Mapping[str, Any] = field(default_factory=dict)  # what else the method found


@dataclass(frozen=True)
class RankingMethod(Recipe, ABC, Generic[J]):
    """Turns judgements into scores. Options are the fields of the subclass, checked when it is made."""

    name: ClassVar[str]  # in the registry, on the command line
    label: ClassVar[str]  # as the literature writes it
    takes: ClassVar[str]  # the kind of judgement
    higher_is_better: ClassVar[bool] = True
    counts_reference: ClassVar[bool] = False  # a human reference among the systems is an opponent like any other
    counts_ties: ClassVar[bool] = True  # a tie says that two systems are near; False: it says nothing
    interval: ClassVar[Interval] = "shortest"  # the rank ranges that go with the method, unless told otherwise
    decision_unit: ClassVar[float] = 1.0  # scores this far apart are as far apart as 1 in Expected Wins or TrueSkill
    replays: ClassVar[bool] = False  # resamples by a procedure of its own, not by units of judgements

    def __post_init__(self) -> None:
        self.check()

    @abstractmethod
    def scores(self, judgements: J, *, seed: int = 1, n_threads: int = 1) -> Scores:
        """The scores of all systems."""

    @abstractmethod
    def replicates(
        self, judgements: J, *, n: int, unit: Unit, seed: int = 1, n_threads: int = 1, progress: Progress | None = None
    ) -> Floats:
        """Scores of `n` resamples of the judgements: (n, systems)."""

    def signature(self) -> str:
        """The name and all options: what it takes to score again."""
        options = ",".join(f"{name}={write_value(getattr(self, name))}" for name in options_of(type(self)))
        return f"{self.name}:{options}" if options else self.name


@dataclass(frozen=True)
class ComparisonMethod(RankingMethod[Comparisons]):
    """A method that ranks by pairwise outcomes."""

    takes: ClassVar[str] = "comparisons"


@dataclass(frozen=True)
class AssessmentMethod(RankingMethod[Assessments]):
    """A method that ranks by scores that people gave."""

    takes: ClassVar[str] = "assessments"


@dataclass(frozen=True)
class CountMethod(ComparisonMethod):
    """A method that looks only at how often each system beat and tied with each other."""

    @abstractmethod
    def from_counts(self, wins: Floats, ties: Floats, *, seed: int = 1, n_threads: int = 1) -> Floats:
        """Scores of stacks of counts: (…, n, n) twice in, (…, n) out. Pure."""

    def scores(self, judgements: Comparisons, *, seed: int = 1, n_threads: int = 1) -> Scores:
        """The scores of the counts."""
        wins, ties = judgements.wins().astype(np.float64), judgements.ties().astype(np.float64)
        return Scores(self.from_counts(wins, ties, seed=seed, n_threads=n_threads))

    def replicates(
        self,
        judgements: Comparisons,
        *,
        n: int,
        unit: Unit,
        seed: int = 1,
        n_threads: int = 1,
        progress: Progress | None = None,
    ) -> Floats:
        """Scores of bootstrap samples: units drawn with replacement, as many as there are."""
        parts = []
        done = 0
        for wins, ties in resampled_counts(judgements, n=n, unit=unit, seed=seed, n_threads=n_threads):
            parts.append(self.from_counts(wins, ties, seed=seed, n_threads=n_threads))
            done += len(wins)
            if progress is not None:
                progress(done, n)
        return np.concatenate(parts)


RANKINGS: Registry[RankingMethod[Any]] = Registry(
    "ranking method",
    {
        "bojar": "dragoman.ranking.win_ratios:Bojar",
        "bradley-terry": "dragoman.ranking.bradley_terry:BradleyTerry",
        "da-mean": "dragoman.ranking.direct_assessment:MeanAssessment",
        "da-z": "dragoman.ranking.direct_assessment:StandardisedAssessment",
        "elo": "dragoman.ranking.elo:Elo",
        "expected-wins": "dragoman.ranking.expected_wins:ExpectedWins",
        "gaussian-skill": "dragoman.ranking.gaussian_skill:GaussianSkill",
        "gaussian-skill-online": "dragoman.ranking.gaussian_skill:OnlineGaussianSkill",
        "hopkins-may": "dragoman.ranking.hopkins_may:HopkinsMay",
        "lopez": "dragoman.ranking.lopez:Lopez",
        "most-probable": "dragoman.ranking.most_probable:MostProbable",
        "plackett-luce": "dragoman.ranking.plackett_luce:PlackettLuce",
        "playoffs": "dragoman.ranking.playoffs:Playoffs",
        "win-ratio": "dragoman.ranking.win_ratios:WinRatio",
        "wins-and-ties": "dragoman.ranking.win_ratios:WinsAndTies",
    },
)

# Other names of methods: the problem that Lopez' ranking solves, and a trademark that papers use.
OTHER_NAMES = {"mfas": "lopez", "trueskill": "gaussian-skill", "trueskill-online": "gaussian-skill-online"}


def make_ranking(method: RankingMethod[Any] | str) -> RankingMethod[Any]:
    """The method itself, or the one that a name with options stands for: `gaussian-skill:sigma=1`."""
    if isinstance(method, RankingMethod):
        return method
    if not isinstance(method, str):
        raise DataError(f"A ranking method is given by its name, got {type(method).__name__}.")
    name, colon, options = method.partition(":")
    return RANKINGS.make(OTHER_NAMES.get(name, name) + colon + options)
