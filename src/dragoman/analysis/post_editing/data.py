"""Outputs, their post-edits, and what editing them cost: as people felt it, as keys counted it, as the clock did."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dragoman.data import check_parallel
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_lines

__all__ = ["MEASURES", "PostEdited", "read_post_edits"]

# The three kinds of effort that Krings (2001) tells apart: felt (score), temporal (seconds), technical (keystrokes).
MEASURES = ("score", "seconds", "keystrokes")

# Names of columns, as PET writes them and as people do. PET's times are milliseconds.
_ALIASES = {
    "source": ("source", "src", "s"),
    "output": ("output", "mt"),
    "post_edit": ("post_edit", "post-edit", "pe"),
    "score": ("score", "effort", "da"),
    "seconds": ("seconds",),
    "milliseconds": ("time", "milliseconds"),
    "keystrokes": ("keystrokes", "allkeys"),
    "hter": ("hter",),
    "editor": ("editor", "who"),
}


@dataclass(frozen=True)
class PostEdited:
    """Post-edited segments. A measure is absent (None) or has a number for each segment (NaN: not known).

    `score` is perceived quality: the higher, the less effort was felt. `hter` is edits per word of the post-edit, where
    it was counted elsewhere.
    """

    outputs: tuple[str, ...]
    post_edits: tuple[str, ...]
    sources: tuple[str, ...] | None = None
    score: tuple[float, ...] | None = None
    seconds: tuple[float, ...] | None = None
    keystrokes: tuple[float, ...] | None = None
    hter: tuple[float, ...] | None = None
    editors: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if not self.outputs:
            raise DataError("There are no post-edited segments.")
        columns = {name: value for name, value in vars(self).items() if value is not None}
        check_parallel(columns)
        for name in (*MEASURES, "hter"):
            for number, value in enumerate(getattr(self, name) or (), start=1):
                if math.isinf(value) or (name != "score" and value < 0):
                    raise DataError(f"Segment {number} has {value:g} {name}; expected a number from 0 on.")

    def __len__(self) -> int:
        return len(self.outputs)


def read_post_edits(path: StrPath, *, header: StrPath | None = None) -> PostEdited:
    """The segments of a tab-separated file, a line each.

    The first line names the columns, or the first line of `header` does. Columns are known by their names: `output`
    (or `MT`), `post_edit` (`PE`), and if they are there `source` (`S`), `score` (`effort`, `DA`), `seconds`, or
    PET's `time` in milliseconds, `keystrokes`, `hter`, `editor` (`who`). Others are not read.
    """
    lines = read_lines(path)
    first = 1
    if header is None:
        if not lines:
            raise FormatError("the file is empty; expected a line that names the columns.", path=path, line=1)
        names, first = lines[0].split("\t"), 2
        lines = lines[1:]
    else:
        names = next(iter(read_lines(header)), "").split("\t")
    places = _places(names, path if header is None else header)
    columns: dict[str, list[str]] = {name: [] for name in places}
    for number, line in enumerate(lines, start=first):
        cells = line.split("\t")
        if len(cells) != len(names):
            raise FormatError(f"{len(cells)} columns; the header names {len(names)}.", path=path, line=number)
        for name, place in places.items():
            columns[name].append(cells[place])
    return _post_edited(columns, path, first)


def _places(names: Sequence[str], path: StrPath) -> dict[str, int]:
    plain = [name.strip().strip("<>").casefold() for name in names]
    places = {}
    for name, aliases in _ALIASES.items():
        place = next((plain.index(alias) for alias in aliases if alias in plain), None)
        if place is not None:
            places[name] = place
    for name in ("output", "post_edit"):
        if name not in places:
            spellings = " or ".join(_ALIASES[name])
            raise FormatError(f"there is no column {spellings}; found: {', '.join(names)}.", path=path, line=1)
    return places


def _post_edited(columns: Mapping[str, list[str]], path: StrPath, first: int) -> PostEdited:
    def numbers(name: str, scale: float = 1.0) -> tuple[float, ...] | None:
        if name not in columns:
            return None
        values = []
        for number, cell in enumerate(columns[name], start=first):
            try:
                values.append(float(cell or "nan") * scale)
            except ValueError:
                raise FormatError(f"{name} is {cell!r}; expected a number.", path=path, line=number) from None
        return tuple(values)

    return PostEdited(
        outputs=tuple(columns["output"]),
        post_edits=tuple(columns["post_edit"]),
        sources=tuple(columns["source"]) if "source" in columns else None,
        score=numbers("score"),
        seconds=numbers("seconds") or numbers("milliseconds", 0.001),
        keystrokes=numbers("keystrokes"),
        hter=numbers("hter"),
        editors=tuple(columns["editor"]) if "editor" in columns else None,
    )
