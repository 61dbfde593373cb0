"""Errors of agreement put into good text on purpose: how many of them rules mend, and how much else they change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.errors import DataError
from dragoman.repair.pairs import Node, Pair, words_of
from dragoman.repair.repairer import Repairer
from dragoman.repair.rules.base import NOMINAL
from dragoman.report import Column, Result, Table
from dragoman.rng import Stream
from dragoman.text.conllu import Sentence

__all__ = ["KEPT", "InjectedErrors", "Injection", "KindOfError", "inject_errors", "mend_injected"]

KINDS = ("attribute", "below a preposition", "predicate")
KEPT = ("VerbForm", "Tense", "Voice", "Mood", "Degree")  # another tense or degree is no error of agreement
_ATTRIBUTES = frozenset({"ADJ", "DET", "NUM"})


@dataclass(frozen=True, slots=True)
class Injection:
    """A form that was put in the place of another of the same lexeme."""

    line: int  # from 0
    place: int  # of the token
    kind: str
    old: str
    new: str


@dataclass(frozen=True)
class KindOfError:
    """How many errors of a kind were put in, found by a rule, and mended to the very form that was there."""

    kind: str
    injected: int
    changed: int
    mended: int


@dataclass(frozen=True)
class InjectedErrors(Result):
    """How rules do on good text with errors put in."""

    kind: ClassVar[str] = "injected errors"

    kinds: tuple[KindOfError, ...]
    n_lines: int
    n_changes: int  # words changed, among them some that nothing was done to
    n_good_changed: int  # lines that rules change in the text without errors
    seed: int

    @property
    def mended(self) -> float:
        """Of the errors, those that are gone; in per cent."""
        return 100 * sum(each.mended for each in self.kinds) / max(1, sum(each.injected for each in self.kinds))

    @property
    def precision(self) -> float:
        """Of the words changed, those that are what they were before the error; in per cent."""
        return 100 * sum(each.mended for each in self.kinds) / max(1, self.n_changes)

    @property
    def good_changed(self) -> float:
        """Of the lines without errors, those that rules change; in per cent."""
        return 100 * self.n_good_changed / max(1, self.n_lines)

    def answer(self) -> str:
        """The three figures."""
        return (
            f"{self.mended:.1f} % of the errors are mended, {self.precision:.1f} % of the words changed are right; "
            f"{self.good_changed:.1f} % of the lines without errors are changed."
        )

    def tables(self) -> list[Table]:
        """A row for each kind of error."""
        columns = [
            Column("kind"),
            Column("injected"),
            Column("changed"),
            Column("mended"),
            Column("share", "%", digits=1),
        ]
        rows = [(k.kind, k.injected, k.changed, k.mended, 100 * k.mended / max(1, k.injected)) for k in self.kinds]
        return [
            Table.of("Errors put in", columns, rows, note=f"{self.n_lines} lines, one error in each that has a place.")
        ]

    def meta(self) -> dict[str, Any]:
        """The three figures and the seed."""
        figures = {"mended": self.mended, "precision": self.precision, "good_changed": self.good_changed}
        return {**figures, "lines": self.n_lines, "changes": self.n_changes, "seed": self.seed}


def inject_errors(pairs: Sequence[Pair | None], *, seed: int = 1) -> list[Injection]:
    """One error in each line that has a word in agreement with another: another form of it that text has, at random."""
    draws = Stream(seed, "injected errors").bits(2 * len(pairs)).tolist()
    injections = []
    for number, pair in enumerate(pairs):
        options = [] if pair is None else [(n, kind) for n in range(len(pair.nodes)) for kind in _kinds(pair, n)]
        if pair is None or not options:
            continue
        place, kind = options[draws[2 * number] % len(options)]
        forms = _other_forms(pair, pair.nodes[place])
        new = forms[draws[2 * number + 1] % len(forms)]
        injections.append(Injection(number, place, kind, pair.nodes[place].form, new))
    return injections


def mend_injected(
    repairer: Repairer,
    references: Sequence[str],
    sources: Sequence[str],
    *,
    without: Collection[str] = (),
    seed: int = 1,
    n_threads: int = 1,
) -> InjectedErrors:
    """Put errors into references, repair them, and repair the references themselves."""
    if not references:
        raise DataError("There is no line to put errors into.")
    trees: list[Sentence | None] = repairer.parse(sources, n_threads=n_threads)
    pairs = repairer.pairs(references, trees)
    good = repairer.mend(references, trees, without=without)
    injections = {each.line: each for each in inject_errors(pairs, seed=seed)}
    lines = [_worsened(line, pairs[n], injections.get(n)) for n, line in enumerate(references)]
    mended = repairer.mend(lines, trees, without=without)
    injected: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    right: Counter[str] = Counter()
    n_changes = 0
    for n, each in injections.items():
        injected[each.kind] += 1
        before, after = words_of(lines[n]), words_of(mended.lines[n])
        same_length = len(before) == len(after)
        n_changes += sum(a != b for a, b in zip(before, after, strict=True)) if same_length else 1
        if same_length and before[each.place] != after[each.place]:
            changed[each.kind] += 1
            right[each.kind] += after[each.place] == each.old
    kinds = tuple(KindOfError(kind, injected[kind], changed[kind], right[kind]) for kind in KINDS)
    return InjectedErrors(kinds, len(references), n_changes, good.n_changed, seed)


def _kinds(pair: Pair, place: int) -> list[str]:
    node = pair.nodes[place]
    if not _other_forms(pair, node):
        return []
    if node.must_be(_ATTRIBUTES):
        noun = pair.noun_of(place)
        return [KINDS[0]] if noun is not None and pair.nodes[noun].must_be(NOMINAL) else []
    if node.must_be(NOMINAL):
        return [KINDS[1]] if pair.preposition(place) is not None else []
    is_verb = node.must_be({"VERB", "AUX"})
    return (
        [KINDS[2]] if is_verb and any(pair.nodes[n].relation.startswith("nsubj") for n in pair.children(place)) else []
    )


def _other_forms(pair: Pair, node: Node) -> list[str]:
    old = node.form
    forms = {
        form
        for reading in node.readings
        for form, feats in pair.lexicon.others(reading)
        if form != old.lower() and form in pair.lexicon.counts
        if all(feats.get(name) == reading.feats.get(name) for name in KEPT)
    }
    return [form.capitalize() if old[:1].isupper() else form for form in sorted(forms)]


def _worsened(line: str, pair: Pair | None, injection: Injection | None) -> str:
    if pair is None or injection is None:
        return line
    node = pair.nodes[injection.place]
    return line[: node.begin] + injection.new + line[node.end :]
