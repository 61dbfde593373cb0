"""A treebank made worse: forms as wrong as an engine's, trees as they were (DEPFIX 2012).

A parser that learnt from good text alone trusts agreement, which broken output lacks. How often an engine says a form
of a word in the place of another is counted over its output and references; a treebank's words are changed as often.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any, ClassVar

from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.repair.grammar import Features, Grammar
from dragoman.repair.injection import KEPT
from dragoman.repair.lexicon import Analysis, Lexicon, learn_lexicon
from dragoman.repair.pairs import words_of
from dragoman.report import Column, Result, Table
from dragoman.rng import Stream
from dragoman.text.conllu import NOTHING, Sentence, Word

__all__ = ["FormErrors", "WorsenedTreebank", "count_form_errors", "worsen_treebank"]

_NAMES = ("Case", "Gender", "Number", "Person")  # what an error of form changes
_SHOWN = 10
Slot = tuple[str, str]  # part of speech, values of these features


@dataclass(frozen=True)
class FormErrors:
    """How often a word that should have certain features has others, by maximum likelihood."""

    counts: Mapping[Slot, Mapping[str, float]]  # right → as said, the same among them

    def drawn(self, slot: Slot, chance: float) -> str:
        """The features that a word has where these would be right; `chance` is from [0, 1)."""
        said = self.counts.get(slot)
        if not said:
            return slot[1]
        total, passed = sum(said.values()), 0.0
        for features, count in sorted(said.items()):
            passed += count
            if chance * total < passed:
                return features
        return slot[1]

    def errors(self) -> list[tuple[Slot, str, float]]:
        """What was said in the place of what, and how often, the commonest first; without what was right."""
        wrong = [(slot, said, n) for slot, each in self.counts.items() for said, n in each.items() if said != slot[1]]
        return sorted(wrong, key=lambda each: (-each[2], each[:2]))


@dataclass(frozen=True)
class WorsenedTreebank(Result):
    """Sentences with forms changed, and how many."""

    kind: ClassVar[str] = "worsened treebank"

    sentences: tuple[Sentence, ...]
    n_changed: int
    errors: FormErrors
    seed: int

    @property
    def n_words(self) -> int:
        """All words, changed or not."""
        return sum(len(sentence.words) for sentence in self.sentences)

    def answer(self) -> str:
        """How many words were changed."""
        return f"{self.n_changed} of {self.n_words} words in {len(self.sentences)} sentences have another form."

    def tables(self) -> list[Table]:
        """The commonest errors of the engine."""
        columns = [
            Column("upos"),
            Column("right"),
            Column("said"),
            Column("count", digits=1),
            Column("share", "%", digits=2),
        ]
        rows = []
        for slot, said, n in self.errors.errors()[:_SHOWN]:
            rows.append((slot[0], slot[1], said, n, 100 * n / sum(self.errors.counts[slot].values())))
        note = (
            "Share: of the words that should have had these features. A form counts for each of its readings in part."
        )
        return [Table.of("Errors of form", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Words, and the seed."""
        return {"words": self.n_words, "changed": self.n_changed, "seed": self.seed}


def count_form_errors(lexicon: Lexicon, outputs: Sequence[str], references: Sequence[str]) -> FormErrors:
    """Compare an engine's output with references, word by word where they differ in the form of a word alone."""
    check_parallel({"outputs": outputs, "references": references})
    counts: dict[Slot, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for output, reference in zip(outputs, references, strict=True):
        for said, right in _twins(words_of(output.lower()), words_of(reference.lower())):
            pairs = [
                (a, b)
                for a in lexicon.analyses(right)
                for b in lexicon.analyses(said)
                if _is_same_word(a, b, said == right)
            ]
            for a, b in pairs:
                counts[a.upos, _values(a.feats)][_values(b.feats)] += 1 / len(pairs)
    if not any(said != slot[1] for slot, each in counts.items() for said in each):
        raise DataError("No word of the output is another form of the reference's: give the output of an engine.")
    return FormErrors({slot: dict(each) for slot, each in counts.items()})


def worsen_treebank(
    grammar: Grammar, sentences: Iterable[Sentence], errors: FormErrors, *, seed: int = 1
) -> WorsenedTreebank:
    """Put errors into the forms of a treebank as often as the engine makes them; the trees stay."""
    bank = list(sentences)
    lexicon = learn_lexicon(grammar, (), bank)
    chances = iter(Stream(seed, "worsened treebank").uniform(sum(len(each.words) for each in bank)).tolist())
    worse, n_changed = [], 0
    for sentence in bank:
        words = {word.id: _worse(word, grammar, lexicon, errors, next(chances)) for word in sentence.words}
        n_changed += sum(words[word.id] is not word for word in sentence.words)
        rows = tuple(words[row.id] if isinstance(row, Word) else row for row in sentence.rows)
        worse.append(replace(sentence, rows=rows))
    return WorsenedTreebank(tuple(worse), n_changed, errors, seed)


def _twins(output: Sequence[str], reference: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Words at the same place of both: equal ones, and runs of equal length that replace each other."""
    for kind, a, b, c, d in SequenceMatcher(None, output, reference, autojunk=False).get_opcodes():
        if kind == "equal" or (kind == "replace" and b - a == d - c):
            yield from zip(output[a:b], reference[c:d], strict=True)


def _is_same_word(right: Analysis, said: Analysis, is_same_form: bool) -> bool:
    if is_same_form:
        return right == said
    return right.lexeme == said.lexeme and all(right.feats.get(name) == said.feats.get(name) for name in KEPT)


def _values(feats: Features) -> str:
    return "|".join(f"{name}={feats[name]}" for name in _NAMES if name in feats)


def _worse(word: Word, grammar: Grammar, lexicon: Lexicon, errors: FormErrors, chance: float) -> Word:
    right = _values(grammar.features(word.features))
    drawn = errors.drawn((word.upos, right), chance)
    if drawn == right:
        return word
    readings = [each for each in lexicon.analyses(word.form) if each.upos == word.upos and _values(each.feats) == right]
    for reading in readings:
        for form, feats in lexicon.others(reading):
            if _values(feats) == drawn and form != word.form.lower():
                new = form.capitalize() if word.form[:1].isupper() else form
                return replace(word, form=new, feats=_changed(word, feats, grammar))
    return word


def _changed(word: Word, feats: Features, grammar: Grammar) -> str:
    """The features of a word with those of its new form; values that count as one here are told apart again."""
    values = word.features
    for name in (name for name in _NAMES if name in feats):
        if name in grammar.joined[:1]:
            rest = feats[name].split("+")
            values = {key: value for key, value in values.items() if key not in grammar.joined}
            values.update({key: rest[n] for n, key in enumerate(grammar.joined) if n < len(rest)})
        else:
            values[name] = feats[name]
    return (
        "|".join(f"{name}={value}" for name, value in sorted(values.items(), key=lambda each: each[0].lower()))
        or NOTHING
    )
