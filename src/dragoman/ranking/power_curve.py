"""How many judgements it takes: the share of system pairs told apart with fewer and with more (WMT 2012, Fig. 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.comparisons import Comparisons
from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.ranking.checks import check_systems
from dragoman.ranking.ranker import comparisons_of
from dragoman.ranking.resampling import Unit, grouped, outcome_cells, unit_keys
from dragoman.report import Column, Figure, Result, Table
from dragoman.rng import Stream
from dragoman.stats.arrays import check_level, check_trials

__all__ = ["NeededPair", "PowerCurve", "PowerPoint", "power"]

Floats = NDArray[np.float64]

_ALPHAS = (0.01, 0.05, 0.10)
_FRACTIONS = tuple(step / 10 for step in range(1, 11))
_FURTHER = (1.5, 2.0, 3.0, 5.0, 10.0)
_POWER = 0.8  # the chance with which a further campaign is to tell a pair apart
_MOST = 1e6  # times the present judgements; beyond, the pair counts as one that cannot be told apart


@dataclass(frozen=True)
class PowerPoint:
    """The share of pairs significant at each level for a number of comparisons."""

    comparisons: int
    shares: Mapping[str, float]
    observed: bool  # by subsampling; otherwise foretold from the present shares of wins


@dataclass(frozen=True)
class NeededPair:
    """A pair that the judgements do not tell apart, and how many more comparisons in all it would take."""

    first: str
    second: str
    wins: int
    losses: int
    p: float
    more_comparisons: int | None  # of the whole campaign, dealt as now; None when no number would do


@dataclass(frozen=True)
class PowerCurve(Result):
    """What share of the pairs of systems a sign test tells apart, by the number of comparisons."""

    kind: ClassVar[str] = "power"

    points: tuple[PowerPoint, ...]
    needed: tuple[NeededPair, ...]
    alpha: float
    target: float
    more_comparisons: int | None  # until the target is to be expected; 0 when it is reached
    draws: int
    unit: str
    seed: int
    pair: str | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def tables(self) -> list[Table]:
        """The curve, then the pairs still to be told apart, the nearest first."""
        levels = list(self.points[0].shares)
        columns = [Column("comparisons"), *(Column(f"p{level}", f"p ≤ {level}", digits=2) for level in levels)]
        columns.append(Column("observed"))
        rows = [(p.comparisons, *p.shares.values(), p.observed) for p in self.points]
        wanted = (
            "is reached"
            if self.more_comparisons == 0
            else "is out of reach"
            if self.more_comparisons is None
            else f"takes some {self.more_comparisons:,} further comparisons"
        )
        note = (
            f"Share of system pairs with a significant sign test (two-sided); means over {self.draws} subsamples by "
            f"{self.unit}, seed {self.seed}. Beyond the judgements at hand the shares are foretold from the present "
            f"wins and losses, which flatters. {self.target:.0%} of pairs at p ≤ {self.alpha:g} {wanted}."
        )
        title = f"Pairs told apart, {self.pair}" if self.pair else "Pairs told apart"
        more = [(n.first, n.second, n.wins, n.losses, n.p, n.more_comparisons) for n in self.needed]
        named = [
            Column("first"),
            Column("second"),
            Column("wins"),
            Column("losses"),
            Column("p", alpha=0.05),
            Column("more_comparisons", "more comparisons"),
        ]
        return [
            Table.of(title, columns, rows, note=note),
            Table.of(
                f"Pairs not told apart at p ≤ {self.alpha:g}",
                named,
                more,
                note=f"More comparisons: of the whole campaign, dealt as now, to tell the pair apart with {_POWER:.0%} "
                "chance if the present shares hold.",
            ),
        ]

    def figures(self) -> list[Figure]:
        """The curve, one line a level."""
        rows = [(p.comparisons, share, f"p ≤ {level}") for p in self.points for level, share in p.shares.items()]
        table = Table.of("Pairs told apart", ["comparisons", "share", "level"], rows)
        return [Figure(self.tables()[0].title, "line", table, x="comparisons", y="share", series="level")]

    def meta(self) -> dict[str, Any]:
        """Settings, seed and judgements."""
        return {
            "alpha": self.alpha,
            "target": self.target,
            "more_comparisons": self.more_comparisons,
            "draws": self.draws,
            "unit": self.unit,
            "seed": self.seed,
            "pair": self.pair,
            "pairs_not_told_apart": len(self.needed),
            "judgements": dict(self.provenance),
        }


def power(
    judgements: Judgements | Comparisons,
    *,
    pair: str | None = None,
    alpha: float = 0.05,
    target: float = 0.8,
    draws: int = 20,
    unit: Unit = "screen",
    fractions: Sequence[float] = _FRACTIONS,
    seed: int = 1,
) -> PowerCurve:
    """Subsample the judgements of one language pair and count the pairs of systems that stay apart."""
    check_level(alpha, "alpha")
    check_level(target, "target")
    check_trials(draws)
    if not fractions or any(not 0 < share <= 1 for share in fractions):
        raise DataError(f"Fractions of the judgements lie above 0 and up to 1, got {list(fractions)}.")
    compared = comparisons_of(judgements, pair=pair)
    check_systems(compared.systems, len(compared))
    n = len(compared.systems)
    upper = np.triu_indices(n, k=1)
    order, starts = grouped(unit_keys(compared, unit), len(compared))
    cells = outcome_cells(compared)[order]
    member = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    alphas = sorted({*_ALPHAS, alpha})
    points = []
    for place, share in enumerate(sorted({*fractions})):
        found, sizes = [], []
        for draw in range(draws if share < 1 else 1):
            keep = _some(len(starts) - 1, share, Stream(seed, f"power {place} {draw}"))[member]
            wins = np.bincount(cells[keep], minlength=2 * n * n)[: n * n].reshape(n, n)
            p = sign_p(wins[upper], wins.T[upper])
            found.append([np.mean(p <= level) for level in alphas])
            sizes.append(np.count_nonzero(keep))
        shares = dict(zip((f"{level:g}" for level in alphas), map(float, np.mean(found, axis=0)), strict=True))
        points.append(PowerPoint(round(float(np.mean(sizes))), shares, observed=True))
    wins = compared.wins()
    won, lost = wins[upper].astype(np.float64), wins.T[upper].astype(np.float64)
    for times in _FURTHER:
        shares = {f"{level:g}": float(np.mean(_chance(won, lost, times, level))) for level in alphas}
        points.append(PowerPoint(round(len(compared) * times), shares, observed=False))
    p_values = sign_p(won, lost)
    needed = []
    for i, j, p in zip(*upper, p_values, strict=True):
        if p > alpha:
            more = _times_needed(float(wins[i, j]), float(wins[j, i]), alpha)
            further = None if more is None else int(np.ceil(len(compared) * max(0.0, more - 1)))
            names = compared.systems[i], compared.systems[j]
            needed.append(NeededPair(*names, int(wins[i, j]), int(wins[j, i]), float(p), further))
    needed.sort(key=lambda each: (each.more_comparisons is None, each.more_comparisons or 0))
    return PowerCurve(
        points=tuple(points),
        needed=tuple(needed),
        alpha=alpha,
        target=target,
        more_comparisons=_until(won, lost, alpha, target, len(compared), float(np.mean(p_values <= alpha))),
        draws=draws,
        unit=unit,
        seed=seed,
        pair=pair or (None if compared.provenance.get("pair") is None else str(compared.provenance["pair"])),
        provenance={**compared.provenance, "comparisons": len(compared)},
    )


def sign_p(wins: NDArray[Any], losses: NDArray[Any]) -> Floats:
    """Two-sided exact sign tests; 1 where nothing was decided."""
    from scipy.special import bdtr

    fewer = np.minimum(wins, losses).astype(np.float64)
    n = (wins + losses).astype(np.int64)  # SciPy wants the trials whole
    p: Floats = np.where(n > 0, np.minimum(1.0, 2 * bdtr(fewer, np.maximum(n, 1), 0.5)), 1.0)
    return p


def _some(n: int, share: float, stream: Stream) -> NDArray[np.bool_]:
    chosen = np.zeros(n, dtype=bool)
    chosen[stream.permutation(n)[: max(1, round(share * n))]] = True
    return chosen


def _chance(won: Floats, lost: Floats, times: float, alpha: float) -> Floats:
    """The chance that a sign test on `times` as many decided comparisons of these shares is significant."""
    from scipy.special import ndtr, ndtri

    n = (won + lost) * times
    share = np.where(won + lost > 0, won / np.maximum(won + lost, 1), 0.5)
    spread = np.sqrt(np.maximum(share * (1 - share), 1e-9))
    lead = np.abs(share - 0.5) * np.sqrt(n)
    limit = -ndtri(alpha / 2) * 0.5
    chance: Floats = ndtr((lead - limit) / spread) + ndtr((-lead - limit) / spread)
    return chance


def _times_needed(won: float, lost: float, alpha: float) -> float | None:
    """How many times the present comparisons give a chance of `_POWER`; None beyond any reason."""
    wins, losses = np.array([won]), np.array([lost])
    if won == lost or _chance(wins, losses, _MOST, alpha)[0] < _POWER:
        return None
    return _bisect(lambda times: float(_chance(wins, losses, times, alpha)[0]) >= _POWER)


def _until(won: Floats, lost: Floats, alpha: float, target: float, n: int, now: float) -> int | None:
    if now >= target:
        return 0
    if np.mean(_chance(won, lost, _MOST, alpha)) < target:
        return None
    times = _bisect(lambda times: float(np.mean(_chance(won, lost, times, alpha))) >= target)
    return int(np.ceil(n * max(0.0, times - 1)))


def _bisect(enough: Callable[[float], bool]) -> float:
    low, high = 0.0, _MOST
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
