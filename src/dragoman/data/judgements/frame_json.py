"""Semantic frames as JSON, because they nest.

A list of frames, each with the token of its head, its roles and, in an output, the frame and the roles of the reference
that it corresponds to.

    [{"head": 3, "link": [0, "full"], "roles": [{"type": "AGENT", "start": 2, "end": 3, "link": [0, 1, "full"]}]}]

A frame's link is (frame of the reference, type), a role's (frame, role, type); places count from 0 and are half-open.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dragoman.errors import DataError
from dragoman.notation import parse_json

__all__ = ["LINK_TYPES", "ROLE_TYPES", "Frame", "Link", "Role", "frames_json", "parse_frames"]

# Birch et al. (WMT 2013), §2: agent, patient/experiencer, benefactive, temporal, locative, purpose, degree/extent,
# manner, modal, negation, other; spelt as in the released annotation.
ROLE_TYPES = (
    "AGENT",
    "EXPERIENCER-PATIENT",
    "BENEFICIARY",
    "TEMPORAL",
    "LOCATIVE",
    "PURPOSE",
    "DEGREE-EXTENT",
    "MANNER",
    "MODAL",
    "NEGATION",
    "OTHER",
)
LINK_TYPES = ("full", "partial", "undefined", "null")  # the last two are what the tool left behind in a few places


@dataclass(frozen=True)
class Link:
    """What a frame or a role of an output corresponds to in the reference: a frame, and for a role its role there."""

    frame: int
    role: int | None
    type: str


@dataclass(frozen=True)
class Role:
    """A filler: its type, the tokens it spans (half-open), and what it corresponds to."""

    type: str
    start: int
    end: int
    link: Link | None = None


@dataclass(frozen=True)
class Frame:
    """An action: the token of its head, its roles, and the frame of the reference that it corresponds to."""

    head: int
    roles: tuple[Role, ...] = ()
    link: Link | None = None


def frames_json(frames: Iterable[Frame]) -> str:
    """Frames as the text of the field `frames`."""
    return json.dumps([_plain_frame(frame) for frame in frames], separators=(",", ":"))


def _plain_frame(frame: Frame) -> dict[str, Any]:
    plain: dict[str, Any] = {"head": frame.head}
    if frame.link is not None:
        plain["link"] = [frame.link.frame, frame.link.type]
    if frame.roles:
        plain["roles"] = [
            {"type": role.type, "start": role.start, "end": role.end}
            | ({} if role.link is None else {"link": [role.link.frame, role.link.role, role.link.type]})
            for role in frame.roles
        ]
    return plain


def parse_frames(text: str) -> tuple[Frame, ...]:
    """The frames that the field `frames` spells; what is wrong with them raises."""
    try:
        values = parse_json(text)
    except ValueError:
        raise DataError(f"frames is {text[:60]!r}; expected a list in JSON.") from None
    if not isinstance(values, list):
        raise DataError(f"frames is {text[:60]!r}; expected a list in JSON.")
    return tuple(_frame(value) for value in values)


def _frame(value: Any) -> Frame:
    fields = _object(value, {"head", "roles", "link"}, "frame")
    head, roles = fields.get("head"), fields.get("roles", [])
    if type(head) is not int or head < 0:
        raise DataError(f"a frame has the head {head!r}; expected the number of a token.")
    if not isinstance(roles, list):
        raise DataError(f"the frame at token {head} has roles {str(roles)[:40]!r}; expected a list.")
    return Frame(head, tuple(_role(role, head) for role in roles), _link(fields.get("link"), size=2))


def _role(value: Any, head: int) -> Role:
    fields = _object(value, {"type", "start", "end", "link"}, "role")
    kind, start, end = fields.get("type"), fields.get("start"), fields.get("end")
    if kind not in ROLE_TYPES:
        raise DataError(f"the frame at token {head} has a role {kind!r}; known: {', '.join(ROLE_TYPES)}.")
    if type(start) is not int or type(end) is not int or not 0 <= start < end:
        raise DataError(f"the {kind} of the frame at token {head} spans {start!r} to {end!r}; expected tokens.")
    return Role(kind, start, end, _link(fields.get("link"), size=3))


def _link(value: Any, *, size: int) -> Link | None:
    if value is None:
        return None
    is_list = isinstance(value, list) and len(value) == size and value[-1] in LINK_TYPES
    if not is_list or any(type(place) is not int or place < 0 for place in value[:-1]):
        raise DataError(
            f"a link is {str(value)[:40]!r}; expected the place in the reference and {', '.join(LINK_TYPES)}."
        )
    return Link(value[0], value[1] if size == 3 else None, value[-1])


def _object(value: Any, names: set[str], what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict) or set(value) - names:
        raise DataError(f"a {what} is {str(value)[:60]!r}; expected an object with {', '.join(sorted(names))}.")
    return value
