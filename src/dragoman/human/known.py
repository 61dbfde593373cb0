"""Items whose answer is known (gold), and items to learn on (tutorial), as a manifest describes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.draws import Draws
from dragoman.human.material import Material
from dragoman.human.protocol import Item

__all__ = ["check_entry", "known_output"]

_NOUNS = {int: "a whole number", float: "a number", str: "text"}


def check_entry(
    kind: str, entry: Mapping[str, Any], test_set: TestSet, needed: Mapping[str, type], more: Mapping[str, type]
) -> None:
    """Refuse an entry of `gold` or `tutorial` without what is needed, or with what has no meaning there."""
    name = "gold" if kind == "GOLD" else "tutorial"
    if kind == "GOLD" and "hint" in entry:
        raise DataError("An entry of gold has a hint, by which it would be known; hints are for the tutorial.")
    fields = {**needed, **more}
    for key in (*needed, *entry):
        if key not in entry:
            raise DataError(f"An entry of {name} has no {key}; it needs {', '.join(needed)}.")
        if key not in fields:
            raise DataError(f"An entry of {name} has {key!r}; known: {', '.join(fields)}.")
        value = entry[key]
        if type(value) is not fields[key] and not (fields[key] is float and type(value) is int):
            raise DataError(f"An entry of {name} has the {key} {value!r}; expected {_NOUNS[fields[key]]}.")
    if not 1 <= entry["segment"] <= len(test_set):
        raise DataError(f"An entry of {name} has the segment {entry['segment']}; the test set has {len(test_set)}.")


def known_output(
    material: Material,
    kind: str,
    entry: Mapping[str, Any],
    draws: Draws,
    *,
    scale: tuple[float, float] | None,
    show: Callable[[Material, int, str], dict[str, Any]] | None = None,
) -> Item:
    """The item of one output: `segment`, `system`, the range `low` to `high`; a `text` of its own; a `hint`."""
    more: dict[str, type] = {"low": float, "high": float, "text": str, "hint": str}
    check_entry(kind, entry, material.test_set, {"segment": int, "system": str}, more)
    segment, system = entry["segment"], entry["system"]
    material.test_set.system(system)
    low, high = scale or (0.0, 0.0)
    asked = [entry.get("low", low), entry.get("high", high)]
    if kind == "GOLD" and (asked == [low, high] or not low <= asked[0] <= asked[1] <= high):
        raise DataError(
            f"An entry of gold has low {asked[0]:g} and high {asked[1]:g}; expected a part of the scale, "
            f"{low:g} to {high:g}."
        )
    text = entry["text"] if "text" in entry else material.output(system, segment)
    shown = {"text": text, **material.around(segment)} if show is None else show(material, segment, text)
    hint = {"hint": entry["hint"]} if "hint" in entry else {}
    return Item(
        id=draws.name(),
        type=kind,
        system=system,
        segment=segment,
        doc=material.doc(segment),
        shown=shown | material.beside_output(system, segment) | hint,
        langs=material.langs,
        expected={"range": {"text": asked}} if kind == "GOLD" else None,
    )
