"""Error spans that a model proposes and people correct, with a part that is judged without proposals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from dragoman.data.judgements import Value
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.answers import Answer
from dragoman.human.draws import Draws
from dragoman.human.material import Material
from dragoman.human.proposals import as_json, moved, read_proposals
from dragoman.human.protocol import Assignment, Item
from dragoman.human.protocols.spans import Esa
from dragoman.options import option

__all__ = ["EsaWithProposals"]

_PLACES = ("start", "end", "severity")


@dataclass(frozen=True)
class _Proposed(Material):
    """A test set with what a model proposes for its outputs."""

    proposals: Mapping[tuple[str, int], tuple[Mapping[str, Any], ...]] | None = None
    control: frozenset[tuple[str, int]] = frozenset()  # outputs whose proposals nobody is shown


@dataclass(frozen=True)
class EsaWithProposals(Esa):
    """ESA with proposals (Zouhar et al. 2025): errors that a model marked first, which people leave, change or remove.

    People tend to believe what is proposed. So a share of the outputs is judged without proposals: what people marked
    there on their own tells how much of their agreement with the model they owe to the model.
    """

    name: ClassVar[str] = "esa-ai"
    paths: ClassVar[tuple[str, ...]] = ("proposals",)

    proposals: str | Sequence[Mapping[str, Any]] = option(
        "", text="file of error spans with what a model proposes for every output"
    )
    control: float = option(0.2, text="share of each system's outputs that are judged without proposals")
    faultless: float = option(1.0, text="share of the outputs without any proposal that are judged all the same")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("control", "faultless"):
            if not 0 <= getattr(self, name) <= 1:
                raise DataError(f"{name} is {getattr(self, name):g}; expected a share from 0 to 1.")

    def material(self, test_set: TestSet, *, seed: int = 1) -> Material:
        """The test set with the proposals, and which outputs are judged without."""
        plain = super().material(test_set, seed=seed)
        if not self.proposals:
            raise DataError(
                "proposals is not given: name a file of error spans, as dragoman campaign propose makes it."
            )
        proposals = read_proposals(self.proposals, test_set, tuple(self.severities))
        draws = Draws(seed, "control")
        control: set[tuple[str, int]] = set()
        for system in test_set.systems:
            segments = range(1, len(test_set) + 1)
            control.update((system, n) for n in draws.sample(segments, round(self.control * len(test_set))))
        return _Proposed(
            plain.test_set,
            plain.beside,
            plain.context,
            plain.degrader,
            plain.neighbours,
            proposals=proposals,
            control=frozenset(control),
        )

    def chosen(self, material: Material, order: Sequence[tuple[str, int]], draws: Draws) -> list[tuple[str, int]]:
        """All outputs with proposals, and a share of the others."""
        if self.faultless == 1 or not isinstance(material, _Proposed):
            return list(order)
        proposals = material.proposals or {}
        without = [content for content in order if not proposals[content]]
        kept = set(draws.sample(without, round(self.faultless * len(without))))
        return [content for content in order if proposals[content] or content in kept]

    def made(
        self, material: Material, kind: str, system: str, segment: int, draws: Draws, *, text: str | None = None
    ) -> Item:
        """An output with its proposals, shown or kept back."""
        item = super().made(material, kind, system, segment, draws, text=text)
        if not isinstance(material, _Proposed) or material.proposals is None:
            return item
        spans = material.proposals[system, segment]
        if text is not None:
            spans = moved(spans, material.output(system, segment), text)
        notes = {"proposals": [dict(span) for span in spans]}
        if (system, segment) in material.control:
            return replace(item, notes=notes)
        return replace(item, notes=notes, shown={**item.shown, "proposals": notes["proposals"]})

    def check_origin(self, item: Item, spans: Sequence[Answer]) -> None:
        """`proposal` is the number of the proposal that a span was, from 0; each is one span at most."""
        offered = item.shown.get("proposals", ())
        seen: set[int] = set()
        for span in spans:
            number = span.get("proposal")
            if number is None:
                continue
            if type(number) is not int or not 0 <= number < len(offered):
                raise span.wrong(f"has the proposal {str(number)[:40]!r}; expected a number below {len(offered)}")
            if number in seen:
                raise span.wrong(f"has the proposal {number}, which another span has")
            seen.add(number)

    def rows(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """As ESA's, with what was proposed, whether it was shown, and what became of it."""
        rows = super().rows(assignment, item, answer)
        if "proposals" not in item.notes:
            return rows
        offered = item.shown.get("proposals")
        told: dict[str, Value] = {"assisted": offered is not None, "proposals": as_json(item.notes["proposals"])}
        origins: list[str | None] = [self._origin(span, offered or ()) for span in answer["spans"]] or [None]
        return [row | told | {"origin": origin} for row, origin in zip(rows, origins, strict=True)]

    def _origin(self, span: Mapping[str, Any], offered: Sequence[Mapping[str, Any]]) -> str:
        number = span.get("proposal")
        if number is None:
            return "added"
        is_same = all(span.get(name) == offered[number].get(name) for name in _PLACES)
        is_same = is_same and span.get("source_start") is None and not span.get("is_omission")
        return "accepted" if is_same else "changed"

    def invented(self, item: Item, quality: float, draws: Draws, careful: bool) -> dict[str, Any]:
        """Most proposals are left as they are, by the careless all; further errors as without."""
        answer = super().invented(item, quality, draws, careful)
        offered = item.shown.get("proposals", ())
        kept = [
            {**span, "proposal": number} for number, span in enumerate(offered) if not careful or draws.share() < 0.8
        ]
        spans = [*kept, *answer["spans"][: max(0, len(answer["spans"]) - len(kept))]]
        return answer | {"spans": spans[: self.max_spans or None]}
