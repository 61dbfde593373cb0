"""A match made to fit: numbers and inline codes of the segment in the place of the unit's."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dragoman.cat.memory.codes import codes_of
from dragoman.cat.memory.index import Match

__all__ = ["Repair", "repair"]

_NUMBER = re.compile(r"\d+(?:[.,\u00a0\u202f' ]\d{3})*(?:[.,]\d+)?")
_SWAPPED = str.maketrans(".,", ",.")


@dataclass(frozen=True, slots=True)
class Repair:
    """The target of a match as it may be used, and what was changed in it."""

    target: str
    changes: tuple[str, ...]
    is_recoded: bool = False  # codes were left out, or added at its ends


def repair(source: str, match: Match) -> Repair:
    """Put the numbers and codes of a source into the target of a match, where it is plain which is which.

    A number is replaced if it stands alone in its target, written as in the source or with point and comma swapped.
    Codes that the source lacks go; those that the target lacks come to its begin or end, where the source has them.
    """
    target, changes = _with_numbers(source, match)
    target, more = _with_codes(source, target)
    return Repair(target, (*changes, *more), bool(more))


def _with_numbers(source: str, match: Match) -> tuple[str, list[str]]:
    old, new = _NUMBER.findall(match.source), _NUMBER.findall(source)
    target, changes = match.target, list[str]()
    if len(old) != len(new):
        return target, changes
    wanted = {a: b for a, b in zip(old, new, strict=True) if a != b}
    if any(dict(zip(old, new, strict=True))[a] != b for a, b in zip(old, new, strict=True)):
        return target, changes  # a number that would become two
    there = _NUMBER.findall(target)
    written = list(there)
    for a, b in wanted.items():
        forms = [(a, b), (a.translate(_SWAPPED), b.translate(_SWAPPED))]
        form = next((each for each in forms if there.count(each[0]) == old.count(a)), None)
        if form is None:
            continue
        written = [form[1] if before == form[0] else now for before, now in zip(there, written, strict=True)]
        changes.append(f"{form[0]} → {form[1]}")
    pieces = _NUMBER.split(target)
    return "".join(a + b for a, b in zip(pieces, [*written, ""], strict=True)), changes


def _with_codes(source: str, target: str) -> tuple[str, list[str]]:
    wanted, there = codes_of(source), codes_of(target)
    extra = [code for code in there if code not in wanted]
    missing = [code for code in wanted if code not in there]
    for code in extra:
        target = target.replace(code, "")
    first = next((k for k, char in enumerate(source) if char not in missing), len(source))
    opening = [code for code in missing if code in source[:first]]
    closing = [code for code in missing if code not in opening]
    changes = [f"{len(codes)} codes {what}" for codes, what in ((extra, "left out"), (missing, "added")) if codes]
    return "".join(opening) + target + "".join(closing), changes
