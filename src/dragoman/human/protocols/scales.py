"""Adequacy and fluency on scales from 1 to 5, the way of WMT 2006 and 2007."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.judgements import Schema, Value
from dragoman.data.judgements.scales import ADEQUACY_FLUENCY
from dragoman.errors import DataError
from dragoman.human.answers import opened
from dragoman.human.draws import Draws
from dragoman.human.outputs import OutputProtocol
from dragoman.human.protocol import Assignment, Item
from dragoman.options import option

__all__ = ["AdequacyFluency", "five_steps", "labelled"]

# LDC's scales (2005), as WMT asked them.
_LABELS = {
    "adequacy": ("none of the meaning", "little", "much", "most", "all of the meaning"),
    "fluency": ("incomprehensible", "disfluent", "not native", "good", "flawless"),
}


def labelled(texts: tuple[str, ...], low: int = 1) -> list[dict[str, Any]]:
    """The steps of a scale with their names, the best first."""
    return [{"at": step, "text": text} for step, text in reversed(list(enumerate(texts, start=low)))]


def five_steps(quality: float) -> int:
    """A quality of 0–100 on a scale of five."""
    return min(5, 1 + int(quality / 20))


@dataclass(frozen=True)
class AdequacyFluency(OutputProtocol):
    """Adequacy and fluency: how much of the meaning an output keeps and how well it reads, from 1 to 5 each.

    Degraded copies and repeats stand among the outputs; they give no judgements of systems.
    """

    name: ClassVar[str] = "adequacy-fluency"
    screen: ClassVar[str] = "scales"
    schema: ClassVar[Schema] = ADEQUACY_FLUENCY
    scale: ClassVar[tuple[float, float] | None] = (1, 5)

    against: str = option("reference", text="what is shown beside: source, reference or both")
    scales: str = option("both", text="what is asked: adequacy, fluency or both")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scales not in ("adequacy", "fluency", "both"):
            raise DataError(f"scales is {self.scales!r}; expected adequacy, fluency or both.")

    @property
    def asked(self) -> tuple[str, ...]:
        """The scales that are asked for."""
        return ("adequacy", "fluency") if self.scales == "both" else (self.scales,)

    def ask(self) -> dict[str, Any]:
        """The scales with the names of their steps."""
        scales = [{"name": name, "low": 1, "high": 5, "labels": labelled(_LABELS[name])} for name in self.asked]
        return {"beside": self.against, "question": self.question, "scales": scales}

    def check(self, item: Item, answer: Mapping[str, Any]) -> None:
        """A whole number from 1 to 5 for every scale."""
        opening = opened(item, answer, *self.asked)
        for name in self.asked:
            opening.number(name, 1, 5, whole=True)

    def rows(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """One judgement with both scales."""
        values = {name: answer.get(name) for name in ("adequacy", "fluency")}
        return [self.place(assignment, item) | values | {"seconds": answer.get("seconds")}]

    def marks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, float]:  # noqa: ARG002 - the contract
        """The mean of the scales."""
        return {"text": sum(answer[name] for name in self.asked) / len(self.asked)}

    def invented(self, item: Item, quality: float, draws: Draws, careful: bool) -> dict[str, Any]:  # noqa: ARG002
        """The same on both scales, give or take a little."""
        return {name: five_steps(min(100.0, max(0.0, quality + 6 * draws.normal()))) for name in self.asked}
