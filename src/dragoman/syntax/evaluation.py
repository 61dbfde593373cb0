"""How good a parser is: its tags and trees against those of a treebank.

The measures are those of the CoNLL 2018 shared task (Zeman et al. 2018) for given tokens: all words count, punctuation
too; relations are compared without subtypes (`nmod` for `nmod:poss`) for LAS and CLAS; CLAS looks at content words
alone; UFeats compares universal features only. Here a word is a token as written (see `text.merging`), where that task
counted syntactic words, so its published figures are near but not the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.syntax.parser import Parser
from dragoman.text.conllu import NOTHING, Sentence, Word
from dragoman.text.merging import merge_multiword_tokens

__all__ = ["Measure", "ParserAccuracy", "compare_parses", "evaluate_parser"]

_UNIVERSAL = frozenset(
    {
        "PronType",
        "NumType",
        "Poss",
        "Reflex",
        "Foreign",
        "Abbr",
        "Gender",
        "Animacy",
        "Number",
        "Case",
        "Definite",
        "Degree",
        "VerbForm",
        "Mood",
        "Tense",
        "Aspect",
        "Voice",
        "Evident",
        "Polarity",
        "Person",
        "Polite",
    }
)
_CONTENT = frozenset(
    {
        "nsubj",
        "obj",
        "iobj",
        "csubj",
        "ccomp",
        "xcomp",
        "obl",
        "vocative",
        "expl",
        "dislocated",
        "advcl",
        "advmod",
        "discourse",
        "nmod",
        "appos",
        "nummod",
        "acl",
        "amod",
        "conj",
        "fixed",
        "flat",
        "compound",
        "list",
        "parataxis",
        "orphan",
        "goeswith",
        "reparandum",
        "root",
        "dep",
    }
)
_NAMES = {
    "UPOS": "parts of speech",
    "XPOS": "parts of speech of the treebank's own",
    "UFeats": "universal morphological features, all of a word's",
    "Feats": "morphological features, all of a word's",
    "UAS": "heads",
    "LAS": "heads and relations without subtypes",
    "LAS+": "heads and relations with subtypes",
    "CLAS": "heads and relations of content words (F1)",
}


@dataclass(frozen=True)
class Measure:
    """A share of words, in per cent: right ones of all, or F1 where parser and treebank count different ones."""

    name: str
    value: float
    right: int
    of: int


@dataclass(frozen=True)
class ParserAccuracy(Result):
    """How many tags and heads of a treebank a parser finds."""

    kind: ClassVar[str] = "parser accuracy"

    measures: tuple[Measure, ...]
    n_sentences: int
    n_words: int
    whole_trees: float  # sentences with every head right, in per cent

    def __getitem__(self, name: str) -> float:
        """A measure by its name, in per cent."""
        return next(each.value for each in self.measures if each.name == name)

    def tables(self) -> list[Table]:
        """One row for each measure."""
        columns = [Column("measure"), Column("value", "%", digits=2), Column("right"), Column("of"), Column("meaning")]
        rows = [(each.name, each.value, each.right, each.of, _NAMES[each.name]) for each in self.measures]
        note = f"{self.n_sentences} sentences, {self.n_words} words; {self.whole_trees:.1f} % of the trees are right."
        return [Table.of("Accuracy", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """How much was parsed."""
        return {"sentences": self.n_sentences, "words": self.n_words, "whole_trees": self.whole_trees}


def evaluate_parser(parser: Parser, sentences: Iterable[Sentence], *, n_threads: int = 1) -> ParserAccuracy:
    """Parse the tokens of a treebank, cut as the parser's own were, and compare."""
    merge = parser.recipe.multiword == "merge"
    expected = [merge_multiword_tokens(sentence) if merge else sentence for sentence in sentences]
    found = parser.parse([[word.form for word in sentence.words] for sentence in expected], n_threads=n_threads)
    return compare_parses([sentence for sentence in found if sentence is not None], expected)


def compare_parses(found: Sequence[Sentence], expected: Sequence[Sentence]) -> ParserAccuracy:
    """Compare parses of the same words; other words, or another number of sentences, raise `DataError`."""
    if len(found) != len(expected):
        raise DataError(f"Parses must be of the same sentences, got found={len(found)}, expected={len(expected)}.")
    if not expected:
        raise DataError("There is no sentence to compare.")
    counts = dict.fromkeys(_NAMES, 0)
    n_words = whole = content_found = content_expected = 0
    for number, (mine, right) in enumerate(zip(found, expected, strict=True), start=1):
        _check_words(mine, right, number)
        n_words += len(right.words)
        n_heads = 0
        for word, true in zip(mine.words, right.words, strict=True):
            for name in _agreements(word, true):
                counts[name] += 1
            n_heads += word.head == true.head
            content_found += _relation(word) in _CONTENT
            content_expected += _relation(true) in _CONTENT
        whole += n_heads == len(right.words)
    measures = []
    for name, count in counts.items():
        total = content_expected if name == "CLAS" else n_words
        value = 2 * count / max(1, content_found + content_expected) if name == "CLAS" else count / n_words
        measures.append(Measure(name, 100 * value, count, total))
    shown = [each for each in measures if each.name != "XPOS" or (_has_xpos(expected) and _has_xpos(found))]
    return ParserAccuracy(tuple(shown), len(expected), n_words, 100 * whole / len(expected))


def _agreements(word: Word, true: Word) -> Iterator[str]:
    if word.upos == true.upos:
        yield "UPOS"
    if word.xpos == true.xpos:
        yield "XPOS"
    if _universal(word) == _universal(true):
        yield "UFeats"
    if word.features == true.features:
        yield "Feats"
    if word.head == true.head:
        yield "UAS"
        if word.deprel == true.deprel:
            yield "LAS+"
        if _relation(word) == _relation(true):
            yield "LAS"
            if _relation(true) in _CONTENT:
                yield "CLAS"


def _check_words(found: Sentence, expected: Sentence, number: int) -> None:
    mine, right = [word.form for word in found.words], [word.form for word in expected.words]
    if mine != right:
        place = next(
            (i for i, (a, b) in enumerate(zip(mine, right, strict=False)) if a != b), min(len(mine), len(right))
        )
        raise DataError(
            f"Sentence {number}: the parses are of different words, from word {place + 1} on "
            f"({' '.join(mine[place : place + 3])!r}, expected {' '.join(right[place : place + 3])!r})."
        )


def _relation(word: Word) -> str:
    return word.deprel.partition(":")[0]


def _universal(word: Word) -> dict[str, str]:
    return {name: value for name, value in word.features.items() if name in _UNIVERSAL}


def _has_xpos(sentences: Iterable[Sentence]) -> bool:
    return any(word.xpos != NOTHING for sentence in sentences for word in sentence.words)
