"""Which words are spelt right: those that a Hunspell dictionary knows.

Such dictionaries exist for a hundred languages (Debian's packages `hunspell-*`, LibreOffice's extensions). Affixes,
compounds, letter case, conversions and breaks are followed as Hunspell 1.7 follows them; it does not suggest anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Self

import numpy as np

from dragoman._core import text as core
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.text.casing import case_rules
from dragoman.text.hunspell import DictionaryFiles, read_dictionary

__all__ = ["Dictionary"]


class Dictionary:
    """A Hunspell dictionary, asked which words it knows."""

    def __init__(self, files: DictionaryFiles) -> None:
        self.n_words = len(files.words)
        self.left_out = tuple(files.left_out)  # options of the affix file that are not followed
        self._speller = core.Speller(
            _rules(files),
            np.fromiter(chain.from_iterable(files.flag_sets), dtype=np.uint32),
            np.array([0, *accumulate(map(len, files.flag_sets))], dtype=np.int64),
            [part for rule in files.affixes for part in (rule.strip, rule.add, rule.condition)],
            np.array(
                [(rule.is_suffix, rule.crosses, rule.flag, rule.flags) for rule in files.affixes], dtype=np.uint32
            ).reshape(-1, 4),
            files.words,
            np.array(files.word_flags, dtype=np.uint32),
        )

    @classmethod
    def load(cls, path: StrPath) -> Self:
        """The dictionary whose files are `path` with `.aff` and `.dic`; either file may be named, too."""
        return cls(read_dictionary(path))

    def knows(self, words: Sequence[str], *, n_threads: int = 1) -> list[bool]:
        """True for each word that is spelt right. Numbers are; punctuation is if the dictionary has it.

        A full stop at the end may belong to the word or not, a word in capitals may be any that its letters spell.
        """
        if isinstance(words, str):
            raise DataError("Expected words, got one str. Pass [word].")
        return [bool(is_known) for is_known in self._speller.knows(words, n_threads=n_threads)]


def _rules(files: DictionaryFiles) -> core.SpellingRules:
    rules = core.SpellingRules()
    for name, value in files.options.items():
        setattr(rules, name, value)
    turkic = files.language[:2] in {"tr", "az"} or files.language.startswith("crh")
    rules.case_rules = case_rules("tr" if turkic else None)
    rules.ignored = files.ignored
    rules.breaks = [text for text in files.breaks if text]
    rules.conversions = files.conversions
    rules.mistakes = files.mistakes
    rules.compound_rules = files.compound_rules
    return rules
