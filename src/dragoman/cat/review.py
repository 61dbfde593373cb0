"""Review: errors are those of MQM and scores those of ESA, checked as in a campaign: they are evaluation data, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.human.error_spans import penalty
from dragoman.human.protocol import Item
from dragoman.human.protocols.spans import Esa, Mqm
from dragoman.report import Column, Result, Table

__all__ = ["Review", "check_issue", "review_form", "review_of"]

_PROTOCOL = Mqm()


def review_form() -> dict[str, Any]:
    """What a reviewer is asked: severities with what they cost, categories, what may be marked, the scale of scores."""
    return {**_PROTOCOL.ask(), "score": Esa().score_scale()}


def check_issue(source: str, target: str, span: Mapping[str, Any]) -> None:
    """Raise if an error is none that MQM has, or lies outside of the texts."""
    item = Item("issue", "TGT", "", 1, None, {"source": source, "text": target})
    _PROTOCOL.check(item, {"spans": [dict(span)]})


@dataclass(frozen=True)
class Review(Result):
    """What was found wrong, by category and severity, and how good reviewers think the segments are."""

    kind: ClassVar[str] = "review"

    errors: tuple[tuple[str, str, int, float], ...]
    n_words: int
    scores: tuple[float, ...] = ()  # of texts as they are now

    @property
    def per_thousand_words(self) -> float | None:
        """What the errors cost for a thousand words of source; None of no words."""
        cost = sum(row[3] for row in self.errors)
        return 1000 * cost / self.n_words if self.n_words else None

    def tables(self) -> list[Table]:
        """A row for each kind of error."""
        columns = [Column("category"), Column("severity"), Column("errors"), Column("penalty", digits=1)]
        return [Table.of("Errors marked in review", columns, self.errors)]

    def meta(self) -> dict[str, Any]:
        """Penalty per thousand words of source, the mean of the scores and how many there are."""
        mean = sum(self.scores) / len(self.scores) if self.scores else None
        cost = {"words": self.n_words, "penalty_per_1000_words": self.per_thousand_words}
        return {**cost, "n_scores": len(self.scores), "mean_score": mean}


def review_of(issues: Sequence[Mapping[str, Any]], n_words: int, scores: Sequence[Mapping[str, Any]] = ()) -> Review:
    """The errors of a project, the costliest kinds first, and the scores of what has not changed since."""
    counts = Counter((str(each["category"]), str(each["severity"])) for each in issues)
    rows = [(*kind, n, n * penalty(kind[1], kind[0])) for kind, n in counts.items()]
    current = tuple(float(each["score"]) for each in scores if each["is_current"])
    return Review(tuple(sorted(rows, key=lambda row: (-row[3], row[0], row[1]))), n_words, current)
