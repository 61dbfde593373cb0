"""The contract of paired tests, what they answer, and the table of those we have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.registry import Registry
from dragoman.report.table import shown_number
from dragoman.stats.arrays import Floats, Values, run_scores, systems_of
from dragoman.stats.interval import Interval

__all__ = [
    "PAIRED_TESTS",
    "Comparison",
    "Joint",
    "PairedTest",
    "SampledTest",
    "mean_scores",
    "outcomes",
    "paired_test",
    "slack",
]


@dataclass(frozen=True)
class Comparison:
    """Two systems compared: `delta` is a's score minus b's. With one side, the question is whether a is better.

    Wins, losses and ties of a add up to `trials`: resamples, or segments for the tests on segment scores.
    """

    test: str
    score_a: float
    score_b: float
    delta: float
    p: float
    sides: int
    wins: int
    losses: int
    ties: int
    trials: int
    seed: int | None
    n: int
    runs: tuple[int, int] = (1, 1)
    statistic: float | None = None  # of the test, where it has one besides delta
    interval: Interval | None = None  # of delta
    interval_a: Interval | None = None
    interval_b: Interval | None = None
    note: str = ""
    sidedness: str = ""  # in words, where `sides` alone would say the wrong thing

    def sentence(self, a: str = "A", b: str = "B", *, unit: str = "", alpha: float = 0.05) -> str:
        """What the test says, and no more than that."""
        how = [self.sidedness or f"{'two' if self.sides == 2 else 'one'}-sided", self.test]
        if self.seed is not None:
            how += [f"{self.trials:,} trials", f"seed {self.seed}"]
        if self.delta == 0:
            says = f"{a} and {b} score the same"
        elif self.p > alpha:
            says = f"this test set does not separate {a} and {b}"
        else:
            better, worse = (a, b) if self.delta >= 0 else (b, a)
            says = f"{better} is better than {worse} at α = {alpha:g}"
        gap = shown_number(self.delta, 2, sign="+").replace("-", "−") + (f" {unit}" if unit else "")
        return f"{a} − {b} = {gap}, p = {self.p:.2g} ({', '.join(how)}): {says}."


@dataclass(frozen=True)
class Joint:
    """Several pairs tested on the same draws: what max-T needs."""

    comparisons: list[Comparison]
    null: Floats  # (trials, pairs): the differences as they would be if neither system were better


@dataclass(frozen=True)
class PairedTest(Recipe, ABC):
    """Asks whether one system is better than another on the same segments. Options are the fields."""

    name: ClassVar[str]
    two_sided_only: ClassVar[bool] = False
    takes_runs: ClassVar[bool] = True
    quirk: ClassVar[str] = ""  # what a reader of its p-values must know; empty for sound tests
    leaves_out_a_tail: ClassVar[bool] = False  # called two-sided by the tool it follows, with p of about one side

    sides: int = option(2, choices=(1, 2), text="2: are they different; 1: is the first better")

    def __post_init__(self) -> None:
        self.check()
        if self.two_sided_only and self.sides != 2:
            raise DataError(f"The test {self.name!r} has two sides only, as the tool it follows; use another for one.")

    @property
    def sidedness(self) -> str:
        """Which differences its p is for, in words: `two-sided`, `one-sided`, `nearly one-sided`."""
        if self.leaves_out_a_tail:
            return "nearly one-sided"
        return "two-sided" if self.sides == 2 else "one-sided"

    def compare(self, a: ArrayLike, b: ArrayLike, values: Values, *, n_threads: int = 1) -> Comparison:
        """Compare two systems given by their statistics per segment, (n, k) or (runs, n, k)."""
        return self.compare_pairs([a, b], values, [(0, 1)], n_threads=n_threads)[0]

    def compare_pairs(
        self,
        systems: Sequence[ArrayLike],
        values: Values,
        pairs: Sequence[tuple[int, int]],
        *,
        names: Sequence[str] | None = None,
        n_threads: int = 1,
    ) -> list[Comparison]:
        """Compare the named pairs of systems, all on the same draws."""
        return self._compare(self._checked(systems, names), values, pairs, n_threads)

    def joint(
        self,
        systems: Sequence[ArrayLike],
        values: Values,
        pairs: Sequence[tuple[int, int]],
        *,
        names: Sequence[str] | None = None,
        n_threads: int = 1,
    ) -> Joint:
        """Compare the named pairs and keep the differences that chance gave, for corrections such as max-T."""
        return self._joint(self._checked(systems, names), values, pairs, n_threads)

    def _joint(
        self,
        systems: list[Floats],  # noqa: ARG002
        values: Values,  # noqa: ARG002
        pairs: Sequence[tuple[int, int]],  # noqa: ARG002
        n_threads: int,  # noqa: ARG002
    ) -> Joint:
        raise DataError(
            f"The test {self.name!r} does not simulate chance for all pairs together, which max-T needs; "
            "use bootstrap or randomisation, or the correction holm."
        )

    def _checked(self, systems: Sequence[ArrayLike], names: Sequence[str] | None) -> list[Floats]:
        checked = systems_of(systems, names=names)
        if not self.takes_runs and any(len(system) > 1 for system in checked):
            raise DataError(
                f"The test {self.name!r} takes one run per system; for several use bootstrap or randomisation."
            )
        return checked

    @abstractmethod
    def _compare(
        self, systems: list[Floats], values: Values, pairs: Sequence[tuple[int, int]], n_threads: int
    ) -> list[Comparison]:
        """The work, on checked systems."""

    def _comparison(
        self, systems: Sequence[Floats], pair: tuple[int, int], scores: Sequence[float], **found: Any
    ) -> Comparison:
        a, b = pair
        return Comparison(
            test=self.name,
            score_a=scores[a],
            score_b=scores[b],
            delta=scores[a] - scores[b],
            sides=self.sides,
            n=systems[a].shape[1],
            runs=(len(systems[a]), len(systems[b])),
            note=self.quirk,
            sidedness=self.sidedness,
            **found,
        )


@dataclass(frozen=True)
class SampledTest(PairedTest):
    """A test that draws: the number of trials and the seed are part of its answer."""

    trials: int = option(10_000, low=1, text="how many times to draw")
    seed: int = option(12345, low=0, text="the same seed gives the same draws")


def mean_scores(systems: Sequence[Floats], values: Values) -> list[float]:
    """The score of every system: the mean of its runs' scores."""
    return [float(run_scores(system, values).mean()) for system in systems]


def slack(*scores: float) -> float:
    """Differences closer than this are ties: sums in another order differ in the last digits."""
    return 1e-11 * max(1.0, *(abs(score) for score in scores))


def outcomes(differences: Floats, tolerance: float) -> dict[str, int]:
    """How often the first system won, lost and tied."""
    sign = np.where(np.abs(differences) <= tolerance, 0, np.sign(differences)).astype(np.int64)
    losses, ties, wins = (int(count) for count in np.bincount(sign + 1, minlength=3))
    return {"wins": wins, "losses": losses, "ties": ties, "trials": len(differences)}


PAIRED_TESTS: Registry[PairedTest] = Registry(
    "paired test",
    {
        "bootstrap": "dragoman.stats.resampling:Bootstrap",
        "moses": "dragoman.stats.compat:Moses",
        "multeval": "dragoman.stats.compat:MultEval",
        "paired-bootstrap": "dragoman.stats.resampling:PairedBootstrap",
        "permutation": "dragoman.stats.resampling:Permutation",
        "randomisation": "dragoman.stats.resampling:Randomisation",
        "sacrebleu-ar": "dragoman.stats.compat:SacrebleuRandomisation",
        "sacrebleu-bs": "dragoman.stats.compat:SacrebleuBootstrap",
        "sign": "dragoman.stats.segments:Sign",
        "t": "dragoman.stats.segments:StudentT",
        "wilcoxon": "dragoman.stats.segments:Wilcoxon",
    },
)


def paired_test(spec: str, **options: Any) -> PairedTest:
    """The test that `spec` names (`sign`, `bootstrap:sides=1`), with those further options that are not None."""
    test = PAIRED_TESTS.make(spec)
    names = [option.name for option in fields(test)]
    chosen = {option: value for option, value in options.items() if value is not None}
    unknown = sorted(set(chosen) - set(names))
    if unknown:
        raise DataError(
            f"The test {test.name!r} has no option {', '.join(unknown)}; its options are {', '.join(names)}."
        )
    return replace(test, **chosen)
