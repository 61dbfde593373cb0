"""Edit scripts: how one form of a word becomes another, so that other words can be changed likewise.

The longest run of letters that both share stays; what stands before and behind it is cut off and put on (after Straka &
Straková's UDPipe, and Chrupała's edit trees). `neočekávali` → `očekávat` cuts two letters off in front and two behind,
where a `t` comes: `=|2||2|t`; `neslyšeli` becomes `slyšet` by the same script.
"""

from __future__ import annotations

from collections.abc import Callable

from dragoman.notation import whole_number

__all__ = ["KEEP", "apply_script", "edit_script"]

KEEP = "=|0||0|"  # nothing changes
_CASES: dict[str, Callable[[str], str]] = {
    "=": str,
    "l": str.lower,
    "u": lambda word: word[:1].upper() + word[1:],
    "U": str.upper,
}
_LONGEST = 60  # letters of a word that is compared


def edit_script(form: str, other: str) -> str:
    """What makes `other` of `form`; words that share nothing are replaced whole."""
    if max(len(form), len(other)) > _LONGEST:
        return KEEP if form == other else f"=|0||{len(form)}|{_escaped(other)}"
    # The case in which they share most: Häuser and haus have more in common in small letters.
    runs = {case: _longest_run(change(form), other) for case, change in _CASES.items()}
    case = max(runs, key=lambda each: runs[each][2])
    begin, start, size = runs[case]
    length = len(_CASES[case](form))
    cut = length - begin - size
    if not size:
        begin, start, cut = 0, 0, length
    return f"{case}|{begin}|{_escaped(other[:start])}|{cut}|{_escaped(other[start + size :])}"


def apply_script(script: str, word: str) -> str | None:
    """The word changed as the script says; None if it is too short for it, or this is no script."""
    parts = script.split("|")
    if len(parts) != 5 or parts[0] not in _CASES:
        return None
    case, _, prefix, _, suffix = parts
    before, behind = whole_number(parts[1]), whole_number(parts[3])
    if before is None or behind is None:
        return None
    cased = _CASES[case](word)
    begin, end = before, len(cased) - behind
    if begin > end:
        return None
    return (prefix + cased[begin:end] + suffix).replace("\x1f", "|") or None


def _escaped(text: str) -> str:
    return text.replace("|", "\x1f")


def _longest_run(one: str, other: str) -> tuple[int, int, int]:
    """Where the longest run of letters that both words have begins in each, and its length; the first of several."""
    best = (0, 0, 0)
    before = [0] * (len(other) + 1)
    for i, letter in enumerate(one, start=1):
        row = [0] * (len(other) + 1)
        for j, its in enumerate(other, start=1):
            if letter == its:
                row[j] = before[j - 1] + 1
                if row[j] > best[2]:
                    best = (i - row[j], j - row[j], row[j])
        before = row
    return best
