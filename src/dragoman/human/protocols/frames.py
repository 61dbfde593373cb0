"""Semantic frames as a protocol (HMEANT): who did what to whom in reference and output, and what corresponds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.frame_tables import linked_annotation
from dragoman.data.frames import FrameAnnotation
from dragoman.data.judgements import Schema, Value
from dragoman.data.judgements.frame_json import ROLE_TYPES, frames_json, parse_frames
from dragoman.data.judgements.semantic_frames import FRAMES
from dragoman.errors import DataError
from dragoman.human.answers import Answer, opened
from dragoman.human.draws import Draws
from dragoman.human.material import Material
from dragoman.human.outputs import OutputProtocol
from dragoman.human.protocol import Assignment, Item
from dragoman.options import option
from dragoman.text import TOKENISERS

__all__ = ["HmeantFrames"]

_LINKS = ("full", "partial")
_STEP = 4  # tokens between the actions that invented judges mark


@dataclass(frozen=True)
class HmeantFrames(OutputProtocol):
    """Semantic frames (HMEANT, Lo & Wu 2011): actions with their roles in reference and output, and the links.

    The score of an output is the share of the reference's frames and roles that it keeps. Whoever annotates an output
    annotates its reference as well, so agreement on references can be measured, too.
    """

    name: ClassVar[str] = "hmeant"
    screen: ClassVar[str] = "frames"
    schema: ClassVar[Schema] = FRAMES
    recorded: ClassVar[tuple[str, ...]] = ("TGT",)  # a study has one annotation by an annotator of an output
    invites: ClassVar[tuple[str, ...]] = ("reference", "both")
    scale: ClassVar[tuple[float, float] | None] = (0, 1)
    typical_seconds: ClassVar[float] = 150.0

    against: str = option("reference", text="what is shown beside: reference or both")
    task_size: int = option(10, text="outputs in a task; controls come on top")
    repeats: float = option(0.0, text="share of a task's outputs that are shown again")
    degraded: float = option(0.0, text="share of a task's outputs that are shown degraded, too")
    tokeniser: str = option("intl", text="how reference and output are cut into tokens")

    def __post_init__(self) -> None:
        super().__post_init__()
        TOKENISERS.make(self.tokeniser)

    def shown(self, material: Material, segment: int, text: str) -> dict[str, Any]:
        """Reference and output as tokens."""
        around = material.around(segment)
        reference = around.pop("reference")
        cut = TOKENISERS.make(self.tokeniser).tokenise([reference, text])
        return {"reference": cut[0].split(), "output": cut[1].split(), **around}

    def ask(self) -> dict[str, Any]:
        """The roles and the strengths of links."""
        return {"roles": list(ROLE_TYPES), "links": list(_LINKS), "beside": self.against, "question": self.question}

    def check(self, item: Item, answer: Mapping[str, Any]) -> None:
        """Frames inside their sentences, links to what is there, one to one."""
        self._annotation(item, opened(item, answer, "reference", "output"))

    def _annotation(self, item: Item, opening: Answer) -> FrameAnnotation:
        sides = {}
        for side in ("reference", "output"):
            frames = opening.get(side)
            if not isinstance(frames, list | tuple):
                raise opening.wrong(f"has {'no' if frames is None else 'the wrong'} {side}; expected a list of frames")
            try:
                sides[side] = parse_frames(json.dumps(frames))
            except DataError as error:
                raise opening.wrong(f"is wrong in its {side}: {str(error).rstrip('.')}") from None
            n_tokens = len(item.shown[side])
            for frame in sides[side]:
                if max(frame.head + 1, *(role.end for role in frame.roles), 0) > n_tokens:
                    raise opening.wrong(f"marks a token behind the {n_tokens} tokens of its {side}")
                links = [link for link in (frame.link, *(role.link for role in frame.roles)) if link is not None]
                if side == "reference" and links:
                    raise opening.wrong("has links in its reference; links lead from the output to the reference")
                if any(link.type not in _LINKS for link in links):
                    raise opening.wrong(f"has a link that is neither {' nor '.join(_LINKS)}")
        try:
            return linked_annotation("annotator", "und", item.id, "the output", sides["reference"], sides["output"])
        except DataError as error:
            what = str(error).partition(": ")[2] or str(error)  # without whose annotation of what it is
            raise opening.wrong(f"is wrong: {what.rstrip('.')}") from None

    def rows(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """The frames of the reference, and those of the output with their links."""
        lang = item.langs[1] or "und"
        unit, number = item.doc or "set", str(item.segment)
        own = f"{item.id}.{assignment.annotator}"  # a table of frames knows annotations by their items alone
        rows: list[dict[str, Value]] = []
        for place, side in enumerate(("reference", "output"), start=1):
            rows.append(
                {
                    "annotator": assignment.annotator,
                    "item": f"{own}.{place}",
                    "sentence": f"{lang}.{unit}.{number}.{item.system}",
                    "language": lang,
                    "unit": unit,
                    "number": number,
                    "version": item.system,
                    "is_reference": side == "reference",
                    "text": " ".join(item.shown[side]) or None,
                    "reference": None if side == "reference" else f"{own}.1",
                    "frames": frames_json(parse_frames(json.dumps(answer[side]))),
                }
            )
        return rows

    def marks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, float]:
        """HMEANT of the output."""
        from dragoman.human.frames.sentence import sentence_hmeant

        return {"text": sentence_hmeant(self._annotation(item, opened(item, answer, "reference", "output"))).score}

    def invented(self, item: Item, quality: float, draws: Draws, careful: bool) -> dict[str, Any]:  # noqa: ARG002
        """An action every few tokens with a role before it; what is linked hangs on the quality."""
        reference = [_frame(n) for n in range(1, len(item.shown["reference"]), _STEP)]
        output = []
        for number, head in enumerate(range(1, len(item.shown["output"]), _STEP)):
            frame = _frame(head)
            if number < len(reference) and 100 * draws.share() < quality:
                frame["link"] = [number, "full" if draws.share() < 0.8 else "partial"]
                if 100 * draws.share() < quality:
                    frame["roles"][0]["link"] = [number, 0, "full"]
            output.append(frame)
        return {"reference": reference, "output": output}


def _frame(head: int) -> dict[str, Any]:
    return {"head": head, "roles": [{"type": "AGENT", "start": head - 1, "end": head}]}
