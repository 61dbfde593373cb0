"""Do the annotators agree with each other, and with themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal

from dragoman.data.comparisons import judged_pairs
from dragoman.data.judgements import Judgements
from dragoman.data.judgements.spans import ERROR_SPANS, looks
from dragoman.errors import DataError
from dragoman.human.agreement_lines import AgreementLine, Drawn
from dragoman.human.labelled import MODES, Mode, sources
from dragoman.options import Recipe, option
from dragoman.report import Column, Figure, Result, Sentence, Table, joined

__all__ = ["Agreement", "AgreementRecipe", "agree"]

By = Literal["judge", "pair"]

_MODES = {
    "clean": "inter: different annotators, the two systems in any order",
    "official": "as the scripts of WMT 2013–2015: systems in the order shown, inter counts an annotator's own repeats",
    "all": "inter: every pair of judgements, an annotator's own repeats too; systems in any order",
}


@dataclass(frozen=True)
class Agreement(Result):
    """Inter- and intra-annotator agreement, line by line."""

    kind: ClassVar[str] = "agreement"

    lines: tuple[AgreementLine, ...]
    judged: str  # kind of judgement
    n: int  # judgements
    mode: str
    chance: str
    by: str | None
    drawn: Drawn
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def line(self, pair: str, kind: str, statistic: str | None = None) -> AgreementLine:
        """The line of a language pair (or "all") and kind."""
        for each in self.lines:
            if (each.pair, each.kind) == (pair, kind) and statistic in (None, each.statistic):
                return each
        pairs = ", ".join(dict.fromkeys(each.pair for each in self.lines))
        raise DataError(f"There is no {kind} agreement of {pair!r}. Known: {pairs}.")

    def tables(self) -> list[Table]:
        """One row for each coefficient."""
        columns = [
            Column("pair"),
            Column("kind"),
            Column("annotator"),
            Column("other"),
            Column("statistic"),
            Column("value", digits=3),
            Column("low", digits=3),
            Column("high", digits=3),
            Column("p_agree", "P(A)", 3),
            Column("p_chance", "P(E)", 3),
            Column("pairs"),
            Column("items"),
            Column("ties"),
            Column("judgements"),
            Column("annotators"),
            Column("reading"),
        ]
        # A column that no line fills says nothing.
        rows = [asdict(line) for line in self.lines]
        lines = [
            column
            for column in columns
            if column.name not in ("annotator", "other", "ties", "p_agree", "p_chance")
            or any(row[column.name] is not None for row in rows)
        ]
        return [Table.of("Agreement", lines, ([row[c.name] for c in lines] for row in rows), note=self._note())]

    def figures(self) -> list[Figure]:
        """The coefficients as bars."""
        if self.by is not None:
            return []
        statistics = list(dict.fromkeys(line.statistic for line in self.lines))
        return [
            Figure(f"Agreement: {name}", "bar", self._drawn_table(name), x="pair", y="value", series="kind")
            for name in statistics
        ]

    def _drawn_table(self, statistic: str) -> Table:
        rows = [
            (line.pair, line.kind, line.value, line.low, line.high)
            for line in self.lines
            if line.statistic == statistic
        ]
        columns = [
            Column("pair"),
            Column("kind"),
            Column("value", statistic, 3),
            Column("low", digits=3),
            Column("high", digits=3),
        ]
        return Table.of(statistic, columns, rows)

    def _note(self) -> str:
        how = [Sentence("{n:,} {kind} judgements", n=self.n, kind=self.judged)]
        if self.judged == "relative-ranking":
            how.append(Sentence("counting {mode} ({what})", mode=self.mode, what=Sentence(_MODES[self.mode])))
            how.append(Sentence("P(E) {chance}", chance=self.chance))
        if self.drawn.trials:
            drawn = self.drawn
            resampled = (
                "{level:.0%} intervals from {trials:,} resamples of segments, seed {seed}"
                if self.judged == "relative-ranking"
                else "{level:.0%} intervals from {trials:,} resamples of items, seed {seed}"
            )
            how.append(Sentence(resampled, level=drawn.level, trials=drawn.trials, seed=drawn.seed))
        return Sentence("{said}.", said=joined(how, "{first}; {rest}"))

    def meta(self) -> dict[str, Any]:
        """What was judged, how it was counted, how intervals were drawn."""
        return {
            "judged": self.judged,
            "judgements": self.n,
            "mode": self.mode,
            "chance": self.chance,
            "by": self.by,
            **asdict(self.drawn),
            **self.provenance,
        }

    def html(self) -> str:
        """The agreement as one page."""
        from dragoman.report import Section, page

        return page("Agreement of annotators", [Section.of("Agreement", self)])


@dataclass(frozen=True)
class AgreementRecipe(Recipe):
    """Which judgements are held against each other, and how chance is counted."""

    by: By | None = option(None, choices=("judge", "pair"), text="a line for each annotator, or for every two of them")
    mode: Mode = option(
        "clean",
        choices=MODES,
        text="which pairs of judgements count: clean, different annotators and systems in any order; official, as the "
        "scripts of WMT 2013–2015; all, an annotator's own repeats too",
    )
    chance: Literal["empirical", "uniform"] = option(
        "empirical",
        choices=("empirical", "uniform"),
        text="P(E) of rankings: from the share of ties, or 1/3 as until 2011",
    )
    bins: int | None = option(None, low=2, text="scores: also the κ of that many categories, P(E) = 1/bins")
    trials: int = option(1000, low=0, text="bootstrap samples; 0: no intervals")
    level: float = option(0.95, text="coverage of intervals")
    seed: int = option(12345, low=0, text="seed of the samples")


def agree(judgements: Judgements, recipe: AgreementRecipe | None = None, *, pair: str | None = None) -> Agreement:
    """How far annotators agree with each other (inter) and with themselves (intra).

    Relative rankings: WMT's κ on better, equal, worse, for each language pair and all together. Scores: Krippendorff's
    α and Pearson's r for continuous ones, α and quadratically weighted κ for scales of whole numbers. `by="judge"`
    gives a line for each annotator against all others, `by="pair"` one for every two annotators. With `bins`, there is
    also the κ of scores cut into that many categories.
    """
    recipe = (recipe or AgreementRecipe()).check()
    by, mode, chance = recipe.by, recipe.mode, recipe.chance
    if not len(judgements):
        raise DataError("There are no judgements to compare.")
    if judgements.kind == ERROR_SPANS.kind:
        judgements = looks(judgements)
    drawn = Drawn(recipe.trials, recipe.level, recipe.seed)
    lines: Iterator[AgreementLine]
    if judgements.schema.kind == "relative-ranking":
        from dragoman.human.agreement_of_rankings import ranking_lines

        pairs = judged_pairs(judgements) if pair is None else (pair,)
        lines = ranking_lines(judgements, pairs, by=by, mode=mode, chance=chance, drawn=drawn)
    else:
        from dragoman.human.agreement_of_scores import score_lines

        lines = score_lines(judgements, pair=pair, by=by, bins=recipe.bins, drawn=drawn)
    return Agreement(
        tuple(lines), judgements.schema.kind, len(judgements), mode, chance, by, drawn, sources(judgements)
    )
