"""Head-to-head matrices as in the appendices of the WMT findings: who beats whom, how often, and is it chance."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np

from dragoman.data.comparisons import Comparisons
from dragoman.errors import DataError, UnknownName
from dragoman.options import Recipe, option
from dragoman.report import Column, Figure, Fragment, Result, Section, Sentence, Table, joined, page
from dragoman.report.table import MISSING
from dragoman.stats.arrays import check_level
from dragoman.stats.multiple import adjust
from dragoman.stats.segments import sign_test

__all__ = ["STYLES", "Duel", "DuelRecipe", "HeadToHead", "Standing", "Style", "head_to_head"]

Style = Literal["wmt12", "wmt13"]

# Which comparisons a cell is a share of, and the sides of the sign test. Found by recomputing the printed tables: the
# papers do not say. Findings 2012, Tables 14–21: all 1,298 cells; Findings 2013, Table 25: all 156 flags.
STYLES: Mapping[str, tuple[bool, int]] = {"wmt12": (True, 2), "wmt13": (False, 1)}

# As printed in the cells of Findings 2012; the legend there names them the other way round.
_MARKS = ((0.01, "⋆"), (0.05, "†"), (0.10, "‡"))


@dataclass(frozen=True)
class Duel:
    """Two systems compared: how often the first was better, worse, equal, and the sign test of that."""

    first: str
    second: str
    wins: int
    losses: int
    ties: int
    share_first: float | None  # of comparisons that the first won; None where they never met
    share_second: float | None
    p: float | None
    p_adjusted: float | None
    mark: str
    better: str | None  # who won more often, whether or not it could be chance


@dataclass(frozen=True)
class Standing:
    """A system over all its comparisons. A winner is significantly worse than nobody."""

    system: str
    score: float | None  # wins over wins and losses, the official score of WMT 2012
    wins: int
    losses: int
    ties: int
    beaten_by: int  # systems significantly better
    is_winner: bool
    is_constrained: bool | None
    is_constrained_winner: bool | None


@dataclass(frozen=True)
class HeadToHead(Result):
    """All pairs of systems, and who is beaten by nobody."""

    kind: ClassVar[str] = "head-to-head"

    standings: tuple[Standing, ...]
    duels: tuple[Duel, ...]
    style: str
    correction: str
    alpha: float
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems in the order of the matrix."""
        return tuple(each.system for each in self.standings)

    @cached_property
    def _duels(self) -> dict[tuple[str, str], Duel]:
        return {(each.first, each.second): each for each in self.duels}

    def duel(self, one: str, other: str) -> Duel:
        """The comparison of two systems, in whichever order it is kept."""
        duel = self._duels.get((one, other)) or self._duels.get((other, one))
        if duel is None:
            raise UnknownName(f"No comparison of {one!r} and {other!r}. Systems: {', '.join(self.systems)}.")
        return duel

    def cell(self, row: str, column: str) -> float | None:
        """How often the column's system beat the row's, as a share; None where they never met."""
        duel = self.duel(row, column)
        return duel.share_first if duel.first == column else duel.share_second

    def is_bold(self, row: str, column: str) -> bool:
        """Whether the column's system won the pair."""
        return self.duel(row, column).better == column

    def tables(self) -> list[Table]:
        """The pairs, the matrix, the standings."""
        return [self._pair_table(), self._matrix(), self._standing_table()]

    def shown_tables(self) -> list[Table]:
        """The matrix and the standings; rows of pairs are for programs."""
        return self.tables()[1:]

    def figures(self) -> list[Figure]:
        """The matrix as a heat map."""
        cells = [
            (row, column, None if row == column else self.cell(row, column))
            for row in self.systems
            for column in self.systems
        ]
        columns = [Column("row", "beaten system"), Column("column", "better system"), Column("share", digits=2)]
        table = Table.of("Share of comparisons that the column's system won", columns, cells)
        return [Figure("Head to head", "heatmap", table, x="column", y="share", series="row")]

    def meta(self) -> dict[str, Any]:
        """How cells and tests are made, and from which judgements."""
        with_ties, sides = STYLES[self.style]
        return {
            "style": self.style,
            "cells": "of all comparisons" if with_ties else "of decided comparisons",
            "test": "sign",
            "sides": sides,
            "correction": self.correction,
            "alpha": self.alpha,
            **self.provenance,
        }

    def html(self) -> str:
        """The matrix as one page, with the winner of each pair in bold."""
        matrix = Fragment(self._matrix_html())
        items: list[Table | Figure | Fragment] = [*self.figures(), matrix]
        items += [self._standing_table(), self._pair_table()]
        return page("Head to head", [Section("Head to head", self._note(), items)])

    def _pair_table(self) -> Table:
        columns = [
            Column("first"),
            Column("second"),
            Column("wins"),
            Column("losses"),
            Column("ties"),
            Column("share_first", "share of first", 2),
            Column("share_second", "share of second", 2),
            Column("p", alpha=self.alpha),
            Column("p_adjusted", "p adjusted", alpha=self.alpha),
            Column("mark"),
            Column("better"),
        ]
        return Table.of("Pairs", columns, (list(asdict(duel).values()) for duel in self.duels))

    def _shown(self, row: str, column: str) -> str:
        if row == column or self.cell(row, column) is None:
            return MISSING
        duel = self.duel(row, column)
        won = duel.wins if duel.first == column else duel.losses
        n = duel.wins + duel.losses + (duel.ties if STYLES[self.style][0] else 0)
        # Per cent are rounded, halves to even, as in print: 28 of 160 are .18 and 75 of 120 are .62.
        return f"{round(100 * won / n) / 100:.2f}".removeprefix("0") + duel.mark

    def _matrix(self) -> Table:
        rows = [[row, *(self._shown(row, column) for column in self.systems)] for row in self.systems]
        rows.append(["> others", *(MISSING if s.score is None else f"{s.score:.2f}" for s in self.standings)])
        columns = [Column("row\\column", " "), *(Column(name) for name in self.systems)]
        return Table.of("Head to head", columns, rows, note=self._note(), is_matrix=True)

    def _matrix_html(self) -> str:
        names = [html.escape(name) for name in self.systems]
        head = "".join(f'<th scope="col">{name}</th>' for name in names)
        body = []
        for row, name in zip(self.systems, names, strict=True):
            cells = []
            for column in self.systems:
                shown = self._shown(row, column)
                bold = row != column and self.is_bold(row, column)
                cells.append(f"<td>{f'<strong>{shown}</strong>' if bold else shown}</td>")
            body.append(f'<tr><th scope="row">{name}</th>{"".join(cells)}</tr>')
        caption = "<caption>How often the column's system beat the row's</caption>"
        return f"<table>{caption}<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"

    def _standing_table(self) -> Table:
        columns = [
            Column("system"),
            Column("score", "> others", 3),
            Column("wins"),
            Column("losses"),
            Column("ties"),
            Column("beaten_by", "beaten by"),
            Column("is_winner", "winner"),
            Column("is_constrained", "constrained"),
            Column("is_constrained_winner", "constrained winner"),
        ]
        note = Sentence(
            "A winner is worse than nobody at p ≤ {alpha:g}; that does not make it better than anybody.",
            alpha=self.alpha,
        )
        return Table.of("Standings", columns, (list(asdict(each).values()) for each in self.standings), note=note)

    def _note(self) -> str:
        with_ties, sides = STYLES[self.style]
        cells = Sentence(
            "Cells: share of comparisons, ties among them, that the column's system won against the row's."
            if with_ties
            else "Cells: share of decided comparisons that the column's system won against the row's."
        )
        side = Sentence("Two-sided") if sides == 2 else Sentence("One-sided")
        marks = ", ".join(f"{mark} p ≤ {bound:.2f}" for bound, mark in _MARKS)
        if self.correction == "none":
            tested = Sentence("{side} exact sign test without ties: {marks}.", side=side, marks=marks)
        else:
            adjusted = "{side} exact sign test without ties, p adjusted ({correction}): {marks}."
            tested = Sentence(adjusted, side=side, correction=self.correction, marks=marks)
        return joined((cells, tested))


@dataclass(frozen=True)
class DuelRecipe(Recipe):
    """How the pairs of a matrix are counted and tested."""

    style: Style = option(
        "wmt12",
        choices=tuple(STYLES),
        text="wmt12: share of all comparisons, two-sided tests; wmt13: share of decided ones, one-sided",
    )
    correction: str = option(
        "none",
        choices=("none", "holm", "bh"),
        text="correction for the number of pairs; the findings have none",
    )
    alpha: float = option(0.10, text="level at which a winner must not be beaten")
    constrained: tuple[str, ...] = option((), text="a system of the constrained track")
    order: str = option("score", choices=("score", "name"), text="order of systems")


def head_to_head(comparisons: Comparisons, recipe: DuelRecipe | None = None) -> HeadToHead:
    """The matrix of all pairs with exact sign tests, the winners, and the winners among constrained systems.

    Winners follow the findings: no other system is significantly better at `alpha`, without correction for the number
    of pairs unless one is named (holm, bh).
    """
    recipe = (recipe or DuelRecipe()).check()
    alpha, constrained = recipe.alpha, recipe.constrained or None
    check_level(alpha, "alpha")
    names = comparisons.systems
    if len(names) < 2:
        raise DataError(f"Two systems are needed for a comparison, got {', '.join(names) or 'none'}.")
    strange = sorted(set(constrained or ()) - set(names))
    if strange:
        raise DataError(f"No judgement names the constrained system {', '.join(strange)}. Judged: {', '.join(names)}.")
    with_ties, sides = STYLES[recipe.style]
    wins, ties = comparisons.wins(), comparisons.ties()

    pairs = list(combinations(range(len(names)), 2))
    met = [(i, j) for i, j in pairs if wins[i, j] + wins[j, i] + ties[i, j]]
    raw = [sign_test(*sorted((int(wins[i, j]), int(wins[j, i])), reverse=True), sides=sides) for i, j in met]
    adjusted = adjust(np.minimum(1.0, raw), recipe.correction)
    p = dict(zip(met, zip(raw, adjusted.tolist(), strict=True), strict=True))
    duels = tuple(_duel(names, i, j, wins, ties, with_ties, p.get((i, j))) for i, j in pairs)

    beaten: dict[str, set[str]] = {name: set() for name in names}
    for duel in duels:
        if duel.better is not None and duel.p_adjusted is not None and duel.p_adjusted <= alpha:
            worse = duel.second if duel.better == duel.first else duel.first
            beaten[worse].add(duel.better)
    standings = [_standing(names, n, wins, ties, beaten, constrained) for n in range(len(names))]
    if recipe.order == "score":
        standings.sort(key=lambda each: (-(each.score if each.score is not None else -1.0), each.system))
    return HeadToHead(tuple(standings), duels, recipe.style, recipe.correction, alpha, dict(comparisons.provenance))


def _duel(
    names: tuple[str, ...], i: int, j: int, wins: Any, ties: Any, with_ties: bool, p: tuple[float, float] | None
) -> Duel:
    won, lost, tied = int(wins[i, j]), int(wins[j, i]), int(ties[i, j])
    n = won + lost + (tied if with_ties else 0)
    raw, adjusted = p if p is not None else (None, None)
    mark = "" if adjusted is None else next((mark for bound, mark in _MARKS if adjusted <= bound), "")
    return Duel(
        first=names[i],
        second=names[j],
        wins=won,
        losses=lost,
        ties=tied,
        share_first=won / n if n else None,
        share_second=lost / n if n else None,
        p=raw,
        p_adjusted=adjusted,
        mark=mark,
        better=None if won == lost else names[i] if won > lost else names[j],
    )


def _standing(
    names: tuple[str, ...], n: int, wins: Any, ties: Any, beaten: dict[str, set[str]], constrained: Any
) -> Standing:
    name, won, lost = names[n], int(wins[n].sum()), int(wins[:, n].sum())
    inside = None if constrained is None else name in constrained
    return Standing(
        system=name,
        score=won / (won + lost) if won + lost else None,
        wins=won,
        losses=lost,
        ties=int(ties[n].sum()),
        beaten_by=len(beaten[name]),
        is_winner=not beaten[name],
        is_constrained=inside,
        is_constrained_winner=None if inside is None else inside and not beaten[name] & set(constrained),
    )
