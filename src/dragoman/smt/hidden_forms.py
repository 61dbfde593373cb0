"""How many forms that an engine has not seen would be translated right by endings that change together (KIT, WMT 2012).

Forms are hidden from the lexicon of an engine's phrase table; whether they would be translated as the table translates
them is counted.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import ClassVar

from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.rng import Stream
from dragoman.smt.morphology import ENDING, STEM, EndingTransfer, change
from dragoman.smt.phrase_table import PhraseTable
from dragoman.smt.unknown_words import single_translation

__all__ = ["HiddenForms", "evaluate_endings"]


@dataclass(frozen=True)
class HiddenForms(Result):
    """Hidden forms and their translations."""

    kind: ClassVar[str] = "hidden forms"

    forms: tuple[tuple[str, str, str | None, bool], ...]  # form, translation, what endings gave, whether known
    n_inflected: int  # forms of words that have another one
    least: int
    seed: int

    @property
    def n_right(self) -> int:
        """Forms that got the table's own best translation."""
        return sum(given == best for _, best, given, _ in self.forms)

    def tables(self) -> list[Table]:
        """How many there are, then the forms."""
        n = len(self.forms)
        rows = [
            ("hidden", n, 100.0),
            ("translated", sum(given is not None for _, _, given, _ in self.forms), None),
            ("right: the table's best translation", self.n_right, None),
            ("right: one of the table's translations", sum(known for *_, known in self.forms), None),
        ]
        counts = [(what, count, share if share is not None else 100 * count / n) for what, count, share in rows]
        note = f"Of {self.n_inflected} inflected forms (seed {self.seed}); endings changed together {self.least} times."
        words = [(form, best, given, "yes" if known else "no") for form, best, given, known in self.forms]
        return [
            Table.of("Hidden forms", ["forms", "count", Column("percent", digits=1)], counts, note=note),
            Table.of("Forms", ["form", "translation", "by endings", "known"], words),
        ]


def evaluate_endings(table: PhraseTable, *, hidden: float = 0.05, least: int = 10, seed: int = 1) -> HiddenForms:
    """Hide a share of the inflected forms of a phrase table and translate them by the endings of the others."""
    if not 0 < hidden < 1:
        raise DataError(f"A share of forms between 0 and 1 is hidden, got {hidden}.")
    best = {word: target for word in table.source.words() if (target := single_translation(table, word))}
    lexicon = {word: target for word, target in best.items() if word.isalpha() and target.isalpha()}
    inflected = _inflected(lexicon)
    if not inflected:
        raise DataError("The phrase table has no two forms of one word; there is nothing to hide.")
    order = Stream(seed, "hidden forms").permutation(len(inflected)).tolist()
    chosen = [inflected[i] for i in order[: max(1, round(hidden * len(inflected)))]]
    away = set(chosen)
    left = [word for word in table.source.words() if word not in away]
    transfer = EndingTransfer(left, best.get, lambda word: table.target.get(word) is not None, least)
    rows = []
    for form in chosen:
        given = next(iter(transfer.translations(form)), None)
        known = given is not None and any(pair.target == given for pair in table.translations(form))
        rows.append((form, lexicon[form], given, known))
    return HiddenForms(tuple(rows), len(inflected), least, seed)


def _inflected(lexicon: dict[str, str]) -> list[str]:
    """The words that differ from another one in their endings alone."""
    by_stem: dict[str, set[str]] = defaultdict(set)
    for word in lexicon:
        for cut in range(max(STEM, len(word) - ENDING), len(word) + 1):
            by_stem[word[:cut]].add(word)
    stems = [words for words in by_stem.values() if len(words) > 1]
    return sorted({one for words in stems for one in words if any(one != o and change(one, o, STEM) for o in words)})
