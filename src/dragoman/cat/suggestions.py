"""What may stand in a segment: matches of memories and machine translation, in one order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Suggestion", "rank"]


@dataclass(frozen=True)
class Suggestion:
    """A text for a segment, and where it comes from."""

    kind: Literal["TM", "MT"]
    name: str  # of the memory or the engine
    text: str
    score: float  # in per cent: how much the source is the segment's; 101 in the same context
    source: str = ""  # what it is the translation of
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """As programs see it."""
        return {
            "kind": self.kind,
            "name": self.name,
            "text": self.text,
            "score": self.score,
            "source": self.source,
            **self.details,
        }


def rank(suggestions: Iterable[Suggestion], *, n: int = 3, threshold: float = 50.0) -> list[Suggestion]:
    """The best, a text once; what somebody translated stands before a machine's translation of the same score."""
    best: dict[str, Suggestion] = {}
    for each in sorted(suggestions, key=lambda each: (-each.score, each.kind == "MT")):
        if each.score >= threshold and each.text.strip():
            best.setdefault(each.text, each)
    return list(best.values())[:n]
