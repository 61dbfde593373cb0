"""Post-editing as a protocol: outputs corrected by people, and the effort from 1 to 5 (WMT 2012's gold for QE)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.judgements import Schema, Value
from dragoman.data.judgements.scales import EFFORT
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.answers import opened
from dragoman.human.draws import Draws
from dragoman.human.material import Material, check_choice
from dragoman.human.outputs import OutputProtocol
from dragoman.human.protocol import Assignment, Item
from dragoman.human.protocols.scales import five_steps, labelled
from dragoman.options import option

__all__ = ["PostEditing"]

# Callison-Burch et al. (Findings of WMT 2012), §6.1
_EFFORT = (
    "incomprehensible, to be translated from scratch",
    "50 to 70 % to be edited: significant effort",
    "25 to 50 % to be edited",
    "10 to 25 % to be edited, generally clear",
    "clear, little or no editing",
)
_ASKS = ("both", "edit", "effort")


@dataclass(frozen=True)
class PostEditing(OutputProtocol):
    """Post-editing: an output is corrected, and the effort judged from 1 to 5; time and keystrokes are recorded.

    With `asks = "effort"` three judges score source, output and a finished post-edit, as for WMT 2012's quality
    estimation; the post-edit is the test set's first reference.
    """

    name: ClassVar[str] = "post-editing"
    screen: ClassVar[str] = "post-edit"
    schema: ClassVar[Schema] = EFFORT
    scale: ClassVar[tuple[float, float] | None] = (1, 5)
    invites: ClassVar[tuple[str, ...]] = ("source",)
    typical_seconds: ClassVar[float] = 45.0

    against: str = option("source", text="what is shown beside: the source")
    asks: str = option("both", text="what is asked for: edit, effort or both")
    repeats: float = option(0.0, text="share of a task's outputs that are shown again")
    degraded: float = option(0.0, text="share of a task's outputs that are shown degraded, too")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("asks", self.asks, _ASKS)

    def material(self, test_set: TestSet, *, seed: int = 1) -> Material:
        """With a reference, where finished post-edits are judged."""
        if self.asks == "effort" and not test_set.refs:
            raise DataError("The test set has no reference, which must be the post-edit that is judged.")
        return super().material(test_set, seed=seed)

    def shown(self, material: Material, segment: int, text: str) -> dict[str, Any]:
        """Source and output, and the post-edit where it is given."""
        shown = super().shown(material, segment, text)
        if self.asks == "effort" and material.reference is not None:
            line = material.reference[segment - 1]
            if line is None:
                raise DataError(f"Segment {segment} has no reference to show.")
            shown["post_edit"] = line
        return shown

    def ask(self) -> dict[str, Any]:
        """Whether to edit, and the scale of the effort."""
        effort = None if self.asks == "edit" else {"low": 1, "high": 5, "labels": labelled(_EFFORT)}
        return {"edit": self.asks != "effort", "effort": effort, "question": self.question}

    def check(self, item: Item, answer: Mapping[str, Any]) -> None:
        """The corrected text, the effort, perhaps keystrokes."""
        edited = () if self.asks == "effort" else ("post_edit", "keystrokes")
        scored = () if self.asks == "edit" else ("effort",)
        opening = opened(item, answer, *edited, *scored)
        if edited:
            opening.text("post_edit")
            opening.number("keystrokes", 0, None, whole=True, required=False)
        if scored:
            opening.number("effort", 1, 5, whole=True)

    def rows(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """One judgement, with the source, the output and what became of it."""
        values = {name: answer.get(name) for name in ("effort", "post_edit", "keystrokes", "seconds")}
        texts = {"source": item.shown.get("source"), "output": item.shown["text"]}
        return [self.place(assignment, item) | texts | values]

    def marks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, float]:
        """The effort, 5 for none; else the share of the output's words that were kept."""
        if self.asks != "edit":
            return {"text": float(answer["effort"])}
        before, after = item.shown["text"].split(), answer["post_edit"].split()
        common = len(set(before) & set(after))
        return {"text": 2 * common / max(1, len(set(before)) + len(set(after)))}

    def invented(self, item: Item, quality: float, draws: Draws, careful: bool) -> dict[str, Any]:
        """The words that an output of this quality would keep, and a few more."""
        answer: dict[str, Any] = {}
        if self.asks != "effort":
            words = item.shown["text"].split() or ["…"]
            edited = [word if not careful or 100 * draws.share() < quality else f"{word}*" for word in words]
            changed = sum(word.endswith("*") for word in edited)
            answer = {"post_edit": " ".join(edited), "keystrokes": 6 * changed}
        return answer if self.asks == "edit" else answer | {"effort": five_steps(quality)}
