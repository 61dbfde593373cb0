"""What a protocol looks like: its screen with an item of the package's own sample test set."""

from __future__ import annotations

from functools import cache
from typing import Any

from dragoman.data import TestSet
from dragoman.files import read_lines
from dragoman.human.protocol import PROTOCOLS, Protocol
from dragoman.samples import sample_path

__all__ = ["preview", "protocol_rows"]

_SYSTEMS = ("cobalt", "atlas", "ember")
_N_SEGMENTS = 8  # enough for a task of any protocol
_LANGUAGES = {"source": "de", "target": "en"}
_ASKED = {"question": "1", "type": "factual", "text": "What is this about?", "answers": ["a journey"]}
_OUTPUTS = [
    {"annotator": "model", "item": f"{system}-{n}", "segment": n + 1, "system": system}
    for n in range(_N_SEGMENTS)
    for system in _SYSTEMS
]
# What a protocol needs beyond its defaults to have something to show of so few segments.
_OPTIONS: dict[str, dict[str, Any]] = {
    "blind-review": {"edits": [row | {"edit": "Our train to Vienna leaves tomorrow."} for row in _OUTPUTS]},
    "comprehension": {"questions": [{"segment": n + 1, **_ASKED} for n in range(_N_SEGMENTS)]},
    "da": {"section_size": 2, "controls": {}},
    "esa": {"context": 1},
    "esa-ai": {
        "proposals": [row | {"start": 0, "end": 3, "severity": "minor"} for row in _OUTPUTS],
        "control": 0.0,
    },
    "mqm": {"context": 1},
    "ranking": {"consecutive": 1},
}


def protocol_rows() -> list[dict[str, str]]:
    """The protocols: name, screen, and the first sentence that is said of each in English."""
    return [
        {"protocol": name, "screen": cls.screen, "text": (cls.__doc__ or "").partition("\n")[0]}
        for name in PROTOCOLS.names()
        for cls in [PROTOCOLS.get(name)]
    ]


def preview(name: str) -> dict[str, Any]:
    """What the screen of a protocol is given, with its defaults, to ask of a sample item."""
    protocol: Protocol = PROTOCOLS.get(name)(**_OPTIONS.get(name, {}))
    items = [item for task in protocol.tasks(_sample(), seed=1) for item in task.items]
    shown = next(item.shown for item in items if item.type == "TGT")
    return {"screen": protocol.screen, "ask": protocol.ask(), "languages": _LANGUAGES, "shown": dict(shown)}


@cache
def _sample() -> TestSet:
    """The beginning of the sample test set, small enough for any protocol to plan at once."""

    def lines(name: str) -> list[str]:
        return read_lines(sample_path(f"testset/{name}"))[:_N_SEGMENTS]

    return TestSet(
        name="sample",
        source_lang="de",
        target_lang="en",
        srcs=lines("source.de"),
        refs={"A": lines("reference-A.en")},
        systems={name: lines(f"systems/{name}.en") for name in _SYSTEMS},
        docs=["sample"] * _N_SEGMENTS,
    )
