"""Text below the level of words: normalisation forms, control characters, white space, scripts."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from dragoman.errors import DataError, UnknownName
from dragoman.report import Column, Result, Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "NORMAL_FORMS",
    "SCRIPTS",
    "ControlReport",
    "NormalisationReport",
    "ScriptCounts",
    "character_class",
    "find_controls",
    "find_normalisation",
    "normalise_unicode",
    "remove_controls",
    "script_counts",
    "squeeze_spaces",
]

NormalForm = Literal["NFC", "NFD", "NFKC", "NFKD"]
NORMAL_FORMS: tuple[NormalForm, ...] = ("NFC", "NFD", "NFKC", "NFKD")

# The columns of `_core.text.count_scripts`, in the order of the core's enumeration (text/unicode.hpp).
SCRIPTS = (
    "Other",
    "Arabic",
    "Armenian",
    "Bengali",
    "Cyrillic",
    "Devanagari",
    "Ethiopic",
    "Georgian",
    "Greek",
    "Gujarati",
    "Gurmukhi",
    "Han",
    "Hangul",
    "Hebrew",
    "Hiragana",
    "Kannada",
    "Katakana",
    "Khmer",
    "Lao",
    "Latin",
    "Malayalam",
    "Myanmar",
    "Oriya",
    "Sinhala",
    "Tamil",
    "Telugu",
    "Thai",
    "Tibetan",
)

# C0 and C1 controls but for the tab, and lone surrogates, which are no characters at all.
_CONTROLS = "\x00-\x08\x0a-\x1f\x7f-\x9f\ud800-\udfff"
# Soft hyphen, zero-width space and joiners, direction marks, byte-order mark, interlinear marks. The zero-width joiner
# and non-joiner are spelling in Persian and the scripts of India, and stay.
_INVISIBLE = "\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"


def normalise_unicode(lines: Sequence[str], form: str = "NFC") -> list[str]:
    """Each line in one of Unicode's normalisation forms."""
    if form not in NORMAL_FORMS:
        raise UnknownName(f"No normalisation form is called {form!r}. Known: {', '.join(NORMAL_FORMS)}.")
    _check_lines(lines)
    normalize = unicodedata.normalize
    return [normalize(form, line) for line in lines]


@dataclass(frozen=True)
class NormalisationReport(Result):
    """How the lines are normalised: `composed` is NFC only, `decomposed` NFD only, `plain` both, `mixed` neither."""

    kind: ClassVar[str] = "normalisation"

    plain: int
    composed: int
    decomposed: int
    mixed: int
    compatibility: int  # lines with characters that NFKC would replace: ligatures, full-width letters, superscripts
    first_lines: tuple[int | None, ...]  # of plain, composed, decomposed, mixed, compatibility; from 1

    @property
    def is_mixed(self) -> bool:
        """True if no one form describes the text, so that equal words may be spelt with different code points."""
        return self.mixed > 0 or (self.composed > 0 and self.decomposed > 0)

    def tables(self) -> list[Table]:
        """Lines per state."""
        states = ("plain", "composed", "decomposed", "mixed", "compatibility")
        rows = [(state, getattr(self, state), first) for state, first in zip(states, self.first_lines, strict=True)]
        return [Table.of("Unicode normalisation", ["state", "lines", "first_line"], rows)]

    def meta(self) -> dict[str, Any]:
        """The verdict."""
        return {"is_mixed": self.is_mixed}


def find_normalisation(lines: Sequence[str]) -> NormalisationReport:
    """Count the lines by normalisation form; a text that mixes forms hides equal words from each other."""
    _check_lines(lines)
    counts = [0, 0, 0, 0, 0]
    firsts: list[int | None] = [None] * 5
    is_normalized = unicodedata.is_normalized
    for number, line in enumerate(lines, start=1):
        if line.isascii():
            form = [0]
        else:
            is_nfc, is_nfd = is_normalized("NFC", line), is_normalized("NFD", line)
            form = [0 if is_nfc and is_nfd else 1 if is_nfc else 2 if is_nfd else 3]
            if not is_normalized("NFKC", unicodedata.normalize("NFC", line)):
                form.append(4)
        for state in form:
            counts[state] += 1
            firsts[state] = firsts[state] or number
    plain, composed, decomposed, mixed, compatibility = counts
    return NormalisationReport(plain, composed, decomposed, mixed, compatibility, first_lines=tuple(firsts))


@dataclass(frozen=True)
class ControlReport(Result):
    """The control characters of a text: code point, name, how often, in how many lines, where first."""

    kind: ClassVar[str] = "controls"

    found: tuple[tuple[int, int, int, int], ...]  # code point, characters, lines, first line
    n_lines: int

    def tables(self) -> list[Table]:
        """One row per control character."""
        rows = [(f"U+{code:04X}", _name(code), *numbers) for code, *numbers in self.found]
        return [Table.of("Control characters", ["code_point", "name", "characters", "lines", "first_line"], rows)]

    def meta(self) -> dict[str, Any]:
        """How much was looked at."""
        return {"n_lines": self.n_lines}


def find_controls(lines: Sequence[str], *, invisible: bool = False) -> ControlReport:
    """Report control characters (all but the tab) and lone surrogates; with `invisible`, soft hyphens and the like."""
    _check_lines(lines)
    pattern = _control_pattern(invisible)
    characters: Counter[str] = Counter()
    in_lines: Counter[str] = Counter()
    firsts: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        here = pattern.findall(line)
        characters.update(here)
        in_lines.update(set(here))
        for char in here:
            firsts.setdefault(char, number)
    rows = tuple((ord(char), characters[char], in_lines[char], firsts[char]) for char in sorted(firsts))
    return ControlReport(rows, n_lines=len(lines))


def remove_controls(lines: Sequence[str], *, replacement: str = "", invisible: bool = False) -> list[str]:
    """The lines without what `find_controls` reports."""
    _check_lines(lines)
    substitute = _control_pattern(invisible).sub
    plain = replacement.replace("\\", r"\\")
    return [substitute(plain, line) for line in lines]


def squeeze_spaces(lines: Sequence[str]) -> list[str]:
    """The lines with every run of white space (Unicode's, tabs too) made one space, and none at the ends."""
    _check_lines(lines)
    return [" ".join(line.split()) for line in lines]


@dataclass(frozen=True, eq=False)
class ScriptCounts(Result):
    """Alphabetic characters by script: `counts[i, j]` of line `i` and script `SCRIPTS[j]`."""

    kind: ClassVar[str] = "scripts"

    counts: NDArray[np.int32]

    def tables(self) -> list[Table]:
        """The scripts that occur, the commonest first."""
        totals = self.counts.sum(axis=0, dtype="int64")
        lines = (self.counts > 0).sum(axis=0)
        order = sorted((index for index in range(len(SCRIPTS)) if totals[index]), key=lambda index: -totals[index])
        all_letters = int(totals.sum())
        rows = [(SCRIPTS[i], int(totals[i]), int(lines[i]), float(totals[i] / all_letters)) for i in order]
        columns: list[Column | str] = ["script", "characters", "lines", Column("share", digits=4)]
        return [Table.of("Scripts", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """How much was looked at."""
        return {"n_lines": len(self.counts)}

    def share(self, scripts: Sequence[str]) -> NDArray[np.float64]:
        """Per line, the share of its letters that belong to `scripts`; NaN for a line without letters."""
        import numpy as np

        unknown = sorted(set(scripts) - set(SCRIPTS))
        if unknown:
            raise UnknownName(f"No script is called {', '.join(unknown)}. Known: {', '.join(SCRIPTS)}.")
        letters = self.counts.sum(axis=1, dtype=np.float64)
        wanted = self.counts[:, [SCRIPTS.index(script) for script in scripts]].sum(axis=1, dtype=np.float64)
        shares = np.full(len(letters), np.nan)
        np.divide(wanted, letters, out=shares, where=letters > 0)
        return shares


def script_counts(lines: Sequence[str], *, n_threads: int = 1) -> ScriptCounts:
    """Count the letters of each script in each line; digits, punctuation and marks do not count."""
    from dragoman._core import text

    return ScriptCounts(text.count_scripts(lines, n_threads=n_threads))


def _control_pattern(invisible: bool) -> re.Pattern[str]:
    return re.compile(f"[{_CONTROLS}{_INVISIBLE if invisible else ''}]")


def _name(code: int) -> str:
    if 0xD800 <= code < 0xE000:
        return "LONE SURROGATE"
    # Controls have no name in the Unicode data, only aliases.
    return unicodedata.name(chr(code), "CONTROL")


def _check_lines(lines: Sequence[str]) -> None:
    # A lone str is a sequence of str too, and would be taken character by character.
    if isinstance(lines, str):
        raise DataError("Expected a sequence of lines, got one str. Pass [line].")


def character_class(*kinds: str) -> str:
    """What stands between the brackets of a pattern for characters of these categories: `L` letters, `M` marks."""
    codes = [code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)).startswith(kinds)]
    ends = [code for code, after in zip(codes, [*codes[1:], -1], strict=True) if after != code + 1]
    begins = [code for code, before in zip(codes, [-1, *codes], strict=False) if before != code - 1]
    return "".join(re.escape(chr(a)) + "-" + re.escape(chr(b)) for a, b in zip(begins, ends, strict=True))
