"""What stands beside an output: source, reference, neighbours; and outputs made worse on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.direct_assessment.degraders import DEGRADERS, Words
from dragoman.human.draws import Draws

__all__ = ["BESIDE", "NEIGHBOURS", "Material", "check_choice", "check_neighbours"]

BESIDE = {"source": ("source",), "reference": ("reference",), "both": ("source", "reference"), "nothing": ()}
NEIGHBOURS = ("beside", "outputs", "both")  # whose neighbouring segments are shown
_POOL = 8  # references of other segments from which words are taken: a plan stays linear


def check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Refuse an option that is none of these."""
    if value not in choices:
        raise DataError(f"{name} is {value!r}; expected {', '.join(choices[:-1])} or {choices[-1]}.")


def check_neighbours(neighbours: str, context: int) -> None:
    """Refuse a choice that is none, and outputs' neighbours of which none would be shown."""
    check_choice("neighbours", neighbours, NEIGHBOURS)
    if neighbours != "beside" and not context:
        raise DataError(f"neighbours is {neighbours!r}, but context is 0; say how many are shown on either side.")


@dataclass(frozen=True)
class Material:
    """A test set as annotators see it. Segments count from 1."""

    test_set: TestSet
    beside: str
    context: int = 0  # neighbouring segments on either side, of the same document
    degrader: str = "delete"
    neighbours: str = "beside"  # whose they are: of what stands beside, of the outputs by the same system, or both

    def __post_init__(self) -> None:
        if not len(self.test_set):
            raise DataError("The test set has no segments to judge.")
        if "source" in BESIDE[self.beside] and self.test_set.srcs is None:
            raise DataError("The test set has no source, which this plan shows.")
        if "reference" in BESIDE[self.beside] and not self.test_set.refs:
            raise DataError("The test set has no reference, which this plan shows.")

    @property
    def langs(self) -> tuple[str | None, str | None]:
        """Source and target language."""
        return self.test_set.source_lang, self.test_set.target_lang

    @property
    def reference(self) -> Sequence[str | None] | None:
        """The first reference."""
        return next(iter(self.test_set.refs.values()), None)

    def doc(self, segment: int) -> str | None:
        """The document of a segment."""
        return None if self.test_set.docs is None else self.test_set.docs[segment - 1]

    def doc_segment(self, segment: int) -> int | None:
        """Its place in the document, from 1."""
        for span in self.test_set.documents().values():
            if segment - 1 in span:
                return segment - span.start
        return None

    def output(self, system: str, segment: int) -> str:
        """What a system made of a segment."""
        return self.test_set.systems[system][segment - 1]

    def around(self, segment: int) -> dict[str, Any]:
        """What stands beside the outputs of a segment, by place on the screen."""
        shown: dict[str, Any] = {}
        for name in BESIDE[self.beside]:
            lines = self._lines(name)
            line = lines[segment - 1]
            if line is None:
                raise DataError(f"Segment {segment} has no {name} to show.")
            shown[name] = line
        if self.context and shown and self.neighbours != "outputs":
            shown |= self._near(self._lines(next(iter(shown))), segment)
        return shown

    def beside_output(self, system: str | None, segment: int) -> dict[str, Any]:
        """What a system made of the segments before and after, where that is shown; None: the reference's own lines.

        Whose they are is not said. A text that stands in a system's place has the neighbours of that system.
        """
        if self.neighbours == "beside" or not self.context:
            return {}
        lines = self._lines("reference") if system is None else self.test_set.systems[system]
        return {"neighbours": self._near(lines, segment)}

    def _near(self, lines: Sequence[str | None], segment: int) -> dict[str, list[str]]:
        near = [n for n in range(segment - self.context, segment + self.context + 1) if self._is_near(n, segment)]
        return {
            "before": [lines[n - 1] or "" for n in near if n < segment],
            "after": [lines[n - 1] or "" for n in near if n > segment],
        }

    def _lines(self, name: str) -> Sequence[str | None]:
        return (self.test_set.srcs if name == "source" else self.reference) or ()

    def _is_near(self, other: int, segment: int) -> bool:
        return 1 <= other <= len(self.test_set) and other != segment and self.doc(other) == self.doc(segment)

    def degraded(self, text: str, segment: int, draws: Draws) -> str | None:
        """The text made worse; None where it gives no room for it."""
        method = DEGRADERS.get(self.degrader)()
        target = self.test_set.target_lang
        cut = Words.of(text, target)
        pool = []
        if method.needs_pool:
            if self.reference is None:
                raise DataError("The test set has no reference, which this plan needs for its controls.")
            for other in draws.sample(range(len(self.reference)), min(_POOL, len(self.reference))):
                line = self.reference[other]
                if other != segment - 1 and line is not None:
                    pool.append(Words.of(line, target).words)
        worse = method.degrade(cut.words, draws, lang=target, pool=pool)
        if worse is None or tuple(worse) == cut.words:
            return None
        return cut.glue.join(worse)
