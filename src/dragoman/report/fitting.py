"""What a table shows where there is little room: which columns, how wide, in how many parts, and what is said of it.

Headings are wrapped first, then names lose what they all begin or end with, long texts are folded, columns with one
value in every row go below the table, and at last columns are left out, those of the highest rank first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from dragoman.report.table import MISSING
from dragoman.report.wrapping import width_of

__all__ = ["GAP", "Fit", "Strip", "fit"]

GAP = 2  # blanks between two columns
_FOLDED = 24  # columns that a longer text keeps when it is folded
_LONG = 12  # columns from which on a name is worth shortening
_AFFIX = 4  # characters that names must have in common before they are shortened
_MOST_PARTS = 8  # of a matrix, before it is left out like any other table's columns


@dataclass(frozen=True)
class Strip:
    """One column as it would be shown: its heading, its cells, and what may be done to it."""

    heading: str
    cells: tuple[str, ...]
    is_number: bool
    is_text: bool
    rank: int

    @property
    def natural(self) -> int:
        """The width that shows everything in one line."""
        return max(map(width_of, (self.heading, *self.cells)))

    @property
    def narrow(self) -> int:
        """The width with a wrapped heading and, if they are long, folded cells."""
        cells = max(map(width_of, self.cells), default=0)
        words = max(map(width_of, self.heading.split()), default=0)
        return max(words, cells if self.is_number else min(cells, _FOLDED))

    @property
    def constant(self) -> str | None:
        """The value that stands in every row, if there is one."""
        return self.cells[0] if len(self.cells) > 1 and len(set(self.cells)) == 1 and not self.is_text else None


@dataclass(frozen=True)
class Fit:
    """The columns as they are shown; `parts` has for each part the numbers of its columns with their widths."""

    strips: tuple[Strip, ...]
    parts: tuple[tuple[tuple[int, int], ...], ...]
    notes: tuple[str, ...] = field(default=())


def fit(strips: Sequence[Strip], width: int | None, *, is_matrix: bool = False) -> Fit:
    """Fit columns into a width; without one everything is shown as it is."""
    every = tuple(range(len(strips)))
    if width is None or _total(strip.natural for strip in strips) <= width:
        return Fit(tuple(strips), (tuple((i, strips[i].natural) for i in every),))
    strips, names = _without_affixes(strips)
    if is_matrix and 1 < len(parts := _parts(strips, width)) <= _MOST_PARTS:
        return Fit(strips, tuple(_widths(strips, part, width) for part in parts), names)
    kept, constant, left_out = _kept(strips, width)
    told = (*names, *_told([strips[i] for i in constant], [strips[i] for i in left_out], width))
    return Fit(strips, (_widths(strips, kept, width),), told)


def _total(widths: Iterable[int]) -> int:
    each = list(widths)
    return sum(each) + GAP * (len(each) - 1)


def _without_affixes(strips: Sequence[Strip]) -> tuple[tuple[Strip, ...], tuple[str, ...]]:
    """The columns with names shortened by what they have in common, in headings too, and what is to be said of it."""
    shortened: dict[str, str] = {}
    notes: list[str] = []
    for strip in strips:
        names = list(dict.fromkeys(cell for cell in strip.cells if cell != MISSING))
        before, behind = ("", "") if strip.is_number or strip.is_text else _affixes(names)
        if before or behind:
            left, right = "…" if before else "", "…" if behind else ""
            short = {name: left + name[len(before) : len(name) - len(behind)] + right for name in names}
            notes.append(_affix_note(strip.heading, before, behind))
            shortened |= short
    if not shortened:
        return tuple(strips), ()
    changed = (
        replace(
            strip,
            heading=shortened.get(strip.heading, strip.heading),
            cells=strip.cells if strip.is_text else tuple(shortened.get(cell, cell) for cell in strip.cells),
        )
        for strip in strips
    )
    return tuple(changed), tuple(dict.fromkeys(notes))


def _affixes(names: Sequence[str]) -> tuple[str, str]:
    """What all names begin and end with, if it is worth leaving out."""
    if len(names) < 2 or max(map(width_of, names)) < _LONG or any(" " in name for name in names):
        return "", ""
    before = _common_start(names)
    behind = _common_start([name[len(before) :][::-1] for name in names])[::-1]
    shortest = min(map(len, names))
    before, behind = (affix if len(affix) >= _AFFIX else "" for affix in (before, behind))
    return (before, behind) if len(before) + len(behind) < shortest else ("", "")


def _common_start(names: Sequence[str]) -> str:
    """What all names begin with, up to a mark that is neither letter nor digit."""
    length = next((i for i, chars in enumerate(zip(*names, strict=False)) if len(set(chars)) > 1), min(map(len, names)))
    start = names[0][:length]
    while start and start[-1].isalnum():
        start = start[:-1]
    return start


def _affix_note(heading: str, before: str, behind: str) -> str:
    places = [f"{before} before"] * bool(before) + [f"{behind} behind"] * bool(behind)
    return f"{heading}: … stands for {' and '.join(places)}."


def _parts(strips: Sequence[Strip], width: int) -> list[list[int]]:
    """The columns of a matrix cut into parts that fit, each with the first column."""
    parts = [[0]]
    for number in range(1, len(strips)):
        if len(parts[-1]) > 1 and _total(strips[i].narrow for i in (*parts[-1], number)) > width:
            parts.append([0])
        parts[-1].append(number)
    return parts


def _kept(strips: Sequence[Strip], width: int) -> tuple[list[int], list[int], list[int]]:
    """Which columns stay, which have one value that goes below, and which are left out."""
    kept = list(range(len(strips)))
    constant: list[int] = []
    left_out: list[int] = []
    while len(kept) > 1 and _total(strips[i].narrow for i in kept) > width:
        goes = max(kept, key=lambda i: (strips[i].rank, strips[i].constant is not None, i > 0, i))
        (left_out if strips[goes].constant is None else constant).append(goes)
        kept.remove(goes)
    return kept, sorted(constant), sorted(left_out)


def _widths(strips: Sequence[Strip], columns: Sequence[int], width: int) -> tuple[tuple[int, int], ...]:
    """How wide each column is: what it needs at least, and an equal share of what is left as far as it helps."""
    widths = {i: min(strips[i].narrow, width) for i in columns}
    spare = width - _total(widths.values())
    while hungry := [i for i in columns if widths[i] < strips[i].natural]:
        for i in hungry:
            if spare <= 0:
                return tuple(widths.items())
            widths[i] += 1
            spare -= 1
    return tuple(widths.items())


def _told(constant: Sequence[Strip], left_out: Sequence[Strip], width: int) -> list[str]:
    notes: list[str] = []
    values = [f"{strip.heading} {strip.constant}" for strip in constant if strip.constant != MISSING]
    empty = [strip.heading for strip in constant if strip.constant == MISSING]
    if values:
        notes.append(f"In every row: {', '.join(values)}.")
    if empty:
        notes.append(f"Without a value: {', '.join(empty)}.")
    if left_out:
        columns = ", ".join(strip.heading for strip in left_out)
        notes.append(f"Left out at {width} columns: {columns}; a wider terminal or -o FILE shows all.")
    return notes
