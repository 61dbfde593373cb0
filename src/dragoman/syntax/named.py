"""Sentences whose names are marked: what they hold, and the files they stand in.

Columns as of CoNLL 2002 and 2003 (Tjong Kim Sang & De Meulder 2003): a token a line, the token first, its label last,
blank lines between sentences. Labels are read as `conlleval` reads them, which covers IOB1, IOB2 and BIOES: a name
begins at `B-` or `S-`, and at `I-` or `E-` where the label before is of another kind. In CoNLL-U the label stands in
MISC, `NER=B-PER`; where words are marked `NamedEntity=Yes` (UD German-GSD), runs are names of the kind NAME.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dragoman.errors import FormatError
from dragoman.files import StrPath, iter_lines, plain_name
from dragoman.text.conllu import iter_conllu

__all__ = ["OUTSIDE", "Name", "NamedSentence", "labels_of", "names_of", "read_named"]

OUTSIDE = "O"
_LABEL = re.compile(r"O|[BIES]-(.+)")
_DOCUMENT = "-DOCSTART-"
_KEY, _UNTYPED = "NER", "NamedEntity"  # of MISC


@dataclass(frozen=True, order=True)
class Name:
    """A run of tokens, [start, end), that names something of a kind."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class NamedSentence:
    """Tokens, and the names among them in order."""

    tokens: tuple[str, ...]
    names: tuple[Name, ...]

    @property
    def labels(self) -> list[str]:
        """The label of each token, IOB2."""
        return labels_of(self.names, len(self.tokens))


def labels_of(names: Iterable[Name], n_tokens: int) -> list[str]:
    """The label of each token: `B-` at a name's first, `I-` at its others, `O` elsewhere."""
    labels = [OUTSIDE] * n_tokens
    for name in names:
        labels[name.start] = f"B-{name.kind}"
        labels[name.start + 1 : name.end] = [f"I-{name.kind}"] * (name.end - name.start - 1)
    return labels


def names_of(labels: Sequence[str]) -> tuple[Name, ...]:
    """The names that labels mark."""
    found: list[Name] = []
    start, kind = 0, ""
    for place, label in enumerate((*labels, OUTSIDE)):
        mark, _, own = label.partition("-")
        if kind and (mark in "BSO" or own != kind):
            found.append(Name(start, place, kind))
            kind = ""
        if mark != OUTSIDE and not kind:
            start, kind = place, own
    return tuple(found)


def read_named(path: StrPath) -> list[NamedSentence]:
    """The sentences of a file: columns, or CoNLL-U if its name ends in `.conllu`."""
    return list(_of_conllu(path) if plain_name(path).endswith(".conllu") else _of_columns(path))


def _of_columns(path: StrPath) -> Iterator[NamedSentence]:
    tokens: list[str] = []
    labels: list[str] = []
    for number, line in enumerate(iter_lines(path), start=1):
        fields = line.split()
        if not fields or fields[0] == _DOCUMENT:
            if tokens:
                yield NamedSentence(tuple(tokens), names_of(labels))
                tokens, labels = [], []
            continue
        if len(fields) < 2:
            raise FormatError(
                f"{line.strip()!r} is one column; a token is followed by its label, which stands last.",
                path=path,
                line=number,
            )
        _check(fields[-1], path, number)
        tokens.append(fields[0])
        labels.append(fields[-1])
    if tokens:
        yield NamedSentence(tuple(tokens), names_of(labels))


def _of_conllu(path: StrPath) -> Iterator[NamedSentence]:
    marked = False
    for sentence in iter_conllu(path):
        labels = []
        for word in sentence.words:
            pairs = dict(pair.split("=", 1) for pair in word.misc.split("|") if "=" in pair)
            label = "I-NAME" if pairs.get(_UNTYPED) == "Yes" else pairs.get(_KEY)
            if label is not None:
                _check(label, path, sentence.line)
                marked = True
            labels.append(label or OUTSIDE)
        yield NamedSentence(tuple(word.form for word in sentence.words), names_of(labels))
    if not marked:
        raise FormatError("no word has a label: expected NER=B-PER and the like in MISC.", path=path)


def _check(label: str, path: StrPath, line: int | None) -> None:
    if not _LABEL.fullmatch(label):
        raise FormatError(
            f"{label!r} is no label of a name; expected O, B-PER, I-PER and the like.", path=path, line=line
        )
