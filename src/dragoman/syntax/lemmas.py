"""Lemmas of tagged words: those that a treebank has, and for other words what edit scripts make of their forms."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.errors import FormatError
from dragoman.files import read_lines, write_lines
from dragoman.syntax.treebank import LabelIds
from dragoman.text.conllu import NOTHING
from dragoman.text.edit_scripts import KEEP, apply_script, edit_script

__all__ = ["LemmaTable", "scripts_of"]

_FILE = "lemmas.tsv"
_LEAST = 2  # words that a script must explain: rarer ones are of their words alone, which the table has


def scripts_of(forms: Sequence[str], lemmas: Sequence[str]) -> tuple[tuple[str, ...], LabelIds]:
    """The scripts from forms to lemmas and the number of each word's; `_` is for words whose script is theirs alone."""
    made: dict[tuple[str, str], str] = {}
    for pair in zip(forms, lemmas, strict=True):
        if pair not in made:
            made[pair] = NOTHING if pair[1] == NOTHING and pair[0] != NOTHING else edit_script(*pair)
    counts = Counter(made.values())
    known = tuple(sorted({NOTHING, *(script for script, count in counts.items() if count >= _LEAST)}))
    number = {script: i for i, script in enumerate(known)}
    scripts = (made[pair] for pair in zip(forms, lemmas, strict=True))
    return known, np.array([number.get(script, number[NOTHING]) for script in scripts], dtype=np.uint16)


@dataclass(frozen=True)
class LemmaTable:
    """The lemma that each form with each part of speech has most often."""

    lemmas: Mapping[tuple[str, str], str]

    @classmethod
    def count(cls, words: Iterable[tuple[str, str, str]]) -> LemmaTable:
        """From forms, parts of speech and lemmas."""
        counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for form, upos, lemma in words:
            if lemma != NOTHING:
                counts[form, upos][lemma] += 1
        return cls({key: max(each, key=lambda lemma: (each[lemma], lemma)) for key, each in counts.items()})

    def lemma(self, form: str, upos: str, script: str) -> str:
        """The lemma of a form: as it was met, else by the script, else the form itself."""
        known = self.lemmas.get((form, upos)) or self.lemmas.get((form.lower(), upos))
        return known or apply_script(KEEP if script == NOTHING else script, form) or form

    def write(self, folder: Path) -> None:
        """As lines of form, part of speech and lemma."""
        write_lines(folder / _FILE, ("\t".join([*key, lemma]) for key, lemma in sorted(self.lemmas.items())))

    @classmethod
    def read(cls, folder: Path) -> LemmaTable:
        """What `write` wrote."""
        lemmas = {}
        for number, line in enumerate(read_lines(folder / _FILE), start=1):
            cells = line.split("\t")
            if len(cells) != 3:
                raise FormatError("expected a form, a part of speech and a lemma.", path=folder / _FILE, line=number)
            lemmas[cells[0], cells[1]] = cells[2]
        return cls(lemmas)
