"""Lines of agreement: a coefficient, between whom, from how much, and how its interval is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.stats.agreement import Coefficient

__all__ = ["AgreementLine", "Drawn"]


@dataclass(frozen=True)
class Drawn:
    """How intervals are drawn."""

    trials: int = 1000
    level: float = 0.95
    seed: int = 12345


@dataclass(frozen=True)
class AgreementLine:
    """One coefficient: of which language pair, between whom, from how much. `value` is None where it is undefined."""

    pair: str  # language pair, or "all"
    kind: str  # inter: between annotators; intra: of an annotator with themselves
    annotator: str | None
    other: str | None
    statistic: str
    value: float | None
    low: float | None
    high: float | None
    p_agree: float | None
    p_chance: float | None
    pairs: int  # pairs of judgements compared
    items: int  # items that have such a pair
    ties: int | None
    judgements: int
    annotators: int
    reading: str = ""

    @classmethod
    def of(
        cls,
        pair: str,
        kind: str,
        found: Coefficient | None,
        *,
        statistic: str,
        judgements: int,
        annotators: int,
        ties: int | None = None,
        annotator: str | None = None,
        other: str | None = None,
        shares: bool = True,
    ) -> AgreementLine:
        """The line of a coefficient; without one, a line that says there was nothing to compare."""
        interval = None if found is None else found.interval
        return cls(
            pair=pair,
            kind=kind,
            annotator=annotator,
            other=other,
            statistic=statistic,
            value=None if found is None else found.value,
            low=None if interval is None else interval.low,
            high=None if interval is None else interval.high,
            p_agree=found.p_agree if shares and found is not None else None,
            p_chance=found.p_chance if shares and found is not None else None,
            pairs=0 if found is None else found.n_pairs,
            items=0 if found is None else found.n_items,
            ties=ties,
            judgements=judgements,
            annotators=annotators,
            reading="" if found is None else found.reading,
        )
