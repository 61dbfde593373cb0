"""Unicode, tokenisers, vocabulary."""

from collections.abc import Sequence
import enum

import numpy
from numpy.typing import NDArray


def count_scripts(lines: object, *, n_threads: int = 1) -> NDArray[numpy.int32]:
    """
    Alphabetic characters of each script in each line: int32 array (lines, scripts).
    """

class CaseRules(enum.Enum):
    """Which language's rules of casing hold."""

    STANDARD = 0

    TURKIC = 1

    GERMAN = 2

    DUTCH = 3

CASE_UNICODE_VERSION: str = '14.0.0'

def lowercase(lines: object, rules: CaseRules, *, n_threads: int = 1) -> list[str]:
    """Each line in lower case."""

def uppercase(lines: object, rules: CaseRules, *, n_threads: int = 1) -> list[str]:
    """Each line in upper case."""

def sentence_case(lines: object, rules: CaseRules, *, n_threads: int = 1) -> list[str]:
    """Each line with a capital at its first letter."""

def cast_case(forms: object, lemmas: object, rules: CaseRules, *, n_threads: int = 1) -> list[str]:
    """Each form with the case of its lemma."""

def recase(lines: object, *, ends: object, openers: object, rules: CaseRules, headlines: Sequence[bool], small_words: object, n_threads: int = 1) -> list[str]:
    """
    Each line with capitals at its sentence starts; headlines with a capital per word.
    """

class CaseCounts:
    """Counts of the forms of words, in tenths of a token."""

    def __init__(self, *, ends: object, openers: object, rules: CaseRules, possibly_use_first_token: bool, moses_starts: bool) -> None: ...

    def add(self, lines: object, *, n_threads: int = 1) -> None:
        """Count the tokens of the lines."""

    def add_form(self, form: str, tenths: int) -> None:
        """Add to the count of one form."""

    def rows(self) -> list[tuple[str, str, int]]:
        """
        (lower-cased word, form, tenths), sorted by word, its most frequent form first.
        """

class CaseModel:
    """Gives words the case they were mostly seen in."""

    def __init__(self, counts: CaseCounts) -> None: ...

    def apply(self, lines: object, *, ignore_case: bool = False, n_threads: int = 1) -> list[str]:
        """Each line in true case."""
