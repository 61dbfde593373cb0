"""Semantic frames that people marked in references and outputs, and the links between them: the data of HMEANT.

A *frame* is an action (one token) with its role fillers (stretches of tokens). An annotator marks the frames of the
reference and of an output, then links actions with actions and fillers with fillers, each link full or partial
(Lo & Wu, ACL 2011; Birch et al., WMT 2013).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from dragoman.errors import DataError

__all__ = [
    "ROLES",
    "ActionLink",
    "Filler",
    "FillerLink",
    "Frame",
    "FrameAnnotation",
    "FrameStudy",
    "ReferenceFrames",
    "Strength",
    "frame_values",
    "parse_frame_values",
]

# Birch et al. 2013, Table 1, under the names of the released annotations.
ROLES = (
    "agent",
    "experiencer-patient",
    "beneficiary",
    "temporal",
    "locative",
    "purpose",
    "degree-extent",
    "manner",
    "modal",
    "negation",
    "other",
)

Strength = Literal["full", "partial"]


@dataclass(frozen=True)
class Filler:
    """What fills a role: tokens `start` … `end` − 1, counted from 0."""

    role: str
    start: int
    end: int

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise DataError(f"No role is called {self.role!r}. Known: {', '.join(ROLES)}.")
        if not 0 <= self.start < self.end:
            raise DataError(f"A filler has at least one token, counted from 0; got {self.start} to {self.end}.")


@dataclass(frozen=True)
class Frame:
    """An action, by the number of its token from 0, and the fillers of its roles."""

    action: int
    fillers: tuple[Filler, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "fillers", tuple(self.fillers))
        if self.action < 0:
            raise DataError(f"Tokens are counted from 0; the action is {self.action}.")
        spans = [(filler.start, filler.end) for filler in self.fillers]
        for start, end in {span for span in spans if spans.count(span) > 1}:
            raise DataError(
                f"Tokens {start} to {end - 1} fill two roles of the action at token {self.action}; a stretch fills one."
            )

    @property
    def n_tokens(self) -> int:
        """How many tokens the frame covers, each counted once."""
        return len({self.action}.union(*(range(each.start, each.end) for each in self.fillers)))


@dataclass(frozen=True)
class ActionLink:
    """Two actions said to correspond, by the places of their frames; without a strength if the annotator gave none."""

    ref: int
    hyp: int
    strength: Strength | None = "full"


@dataclass(frozen=True)
class FillerLink:
    """Two fillers said to correspond, each by the places of its frame and of itself within the frame."""

    ref: tuple[int, int]
    hyp: tuple[int, int]
    strength: Strength | None = "full"


@dataclass(frozen=True)
class FrameAnnotation:
    """What one annotator marked in one output, with the reference's frames as they stood then, and the links."""

    annotator: str
    lang: str
    segment: str
    system: str
    ref: tuple[Frame, ...]
    hyp: tuple[Frame, ...]
    action_links: tuple[ActionLink, ...] = ()
    filler_links: tuple[FillerLink, ...] = ()

    def __post_init__(self) -> None:
        for name in ("ref", "hyp", "action_links", "filler_links"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        where = f"{self.annotator}'s annotation of {self.system}, segment {self.segment}"
        check_frames(self.ref, f"{where}, reference")
        check_frames(self.hyp, where)
        for side, frames in (("ref", self.ref), ("hyp", self.hyp)):
            actions = [(getattr(link, side),) for link in self.action_links]
            fillers = [getattr(link, side) for link in self.filler_links]
            _check_ends(actions, {(f,) for f in range(len(frames))}, f"{where}: an action link", side)
            there = {(f, s) for f, frame in enumerate(frames) for s in range(len(frame.fillers))}
            _check_ends(fillers, there, f"{where}: a filler link", side)


@dataclass(frozen=True)
class ReferenceFrames:
    """What one annotator marked in a reference, before any output was seen."""

    annotator: str
    lang: str
    segment: str
    frames: tuple[Frame, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "frames", tuple(self.frames))
        check_frames(self.frames, f"{self.annotator}'s annotation of the reference, segment {self.segment}")


@dataclass(frozen=True)
class FrameStudy:
    """All annotations of a study. `texts` has the tokens of (lang, segment, system), the reference under `None`."""

    annotations: tuple[FrameAnnotation, ...]
    references: tuple[ReferenceFrames, ...] = ()
    texts: Mapping[tuple[str, str, str | None], tuple[str, ...]] = field(default_factory=dict, repr=False)
    provenance: Mapping[str, str | int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "annotations", tuple(self.annotations))
        object.__setattr__(self, "references", tuple(self.references))
        object.__setattr__(self, "texts", MappingProxyType(dict(self.texts)))
        object.__setattr__(self, "provenance", MappingProxyType(dict(self.provenance)))
        outputs = [(each.annotator, each.lang, each.segment, each.system) for each in self.annotations]
        refs = [(each.annotator, each.lang, each.segment) for each in self.references]
        _refuse_twice(outputs)
        _refuse_twice(refs)
        for annotation in self.annotations:
            key = (annotation.lang, annotation.segment)
            self._check_tokens(annotation.hyp, (*key, annotation.system), annotation.annotator)
            self._check_tokens(annotation.ref, (*key, None), annotation.annotator)
        for reference in self.references:
            self._check_tokens(reference.frames, (reference.lang, reference.segment, None), reference.annotator)

    def _check_tokens(self, frames: Sequence[Frame], text: tuple[str, str, str | None], annotator: str) -> None:
        if text not in self.texts:
            return
        last = max((max(f.action + 1, *(s.end for s in f.fillers), 0) for f in frames), default=0)
        if last > len(self.texts[text]):
            raise DataError(
                f"{annotator} marked token {last - 1} of {text[2] or 'the reference'}, segment {text[1]}, "
                f"which has {len(self.texts[text])} tokens, counted from 0."
            )

    @property
    def langs(self) -> tuple[str, ...]:
        """The languages, in order of their names."""
        return tuple(sorted({each.lang for each in self.annotations}))

    def systems(self, lang: str) -> tuple[str, ...]:
        """The systems annotated in a language, in order of their names."""
        return tuple(sorted({each.system for each in self.annotations if each.lang == lang}))


def frame_values(frames: Sequence[Frame], n_tokens: int) -> list[str]:
    """Frames as the layer `frames` has them, a value for each token: `V,agent:0-2` at an action, else nothing.

    Fillers are written with their first token and the one behind their last, counted from 0.
    """
    values = [""] * n_tokens
    for frame in frames:
        fillers = [f"{each.role}:{each.start}-{each.end}" for each in frame.fillers]
        values[frame.action] = ",".join(["V", *fillers])
    return values


def parse_frame_values(values: Sequence[str]) -> tuple[Frame, ...]:
    """The frames that values of the layer `frames` tell."""
    frames = []
    for place, value in enumerate(values):
        if value:
            fillers = (re.fullmatch(r"([\w-]+):(\d+)-(\d+)", each) for each in value.split(",")[1:])
            parts = [each.groups() for each in fillers if each]
            frames.append(Frame(place, tuple(Filler(role, int(start), int(end)) for role, start, end in parts)))
    return tuple(frames)


def check_frames(frames: Sequence[Frame], where: str) -> None:
    """Refuse two frames of one action: agreement identifies a frame by its action."""
    actions = [frame.action for frame in frames]
    for action in {action for action in actions if actions.count(action) > 1}:
        raise DataError(f"{where}: token {action} is the action of two frames; join them.")


def _check_ends(ends: Sequence[tuple[int, ...]], there: Collection[tuple[int, ...]], where: str, side: str) -> None:
    side = {"ref": "reference", "hyp": "output"}[side]
    for end in ends:
        if end not in there:
            raise DataError(f"{where} leads to {end} in the {side}, where nothing is marked.")
        if ends.count(end) > 1:
            raise DataError(f"{where} leads to {end} in the {side}, which is linked already; links are one to one.")


def _refuse_twice(keys: Sequence[tuple[str, ...]]) -> None:
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise DataError(f"There are two annotations of {' / '.join(twice)}; keep one.")
