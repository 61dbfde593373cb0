"""Tags and dependencies of text, as features look at them: one entry a token, sentence after sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.syntax import Parser, Parses, merge_multiword_tokens
from dragoman.text.conllu import NOTHING, Sentence, iter_conllu

__all__ = ["COARSE", "UPOS", "GivenParses", "Parsed", "SentenceParser", "Symbols", "values_of"]

Flags = NDArray[np.bool_]
Places = NDArray[np.int64]

ROOT = -1  # in `Parsed.heads`
NO_TREE = -2

UPOS = (
    "ADJ",
    "ADP",
    "ADV",
    "AUX",
    "CCONJ",
    "DET",
    "INTJ",
    "NOUN",
    "NUM",
    "PART",
    "PRON",
    "PROPN",
    "PUNCT",
    "SCONJ",
    "SYM",
    "VERB",
    "X",
)
# The twelve tags of Petrov, Das & McDonald (LREC 2012), which FBK mapped to in WMT 2013, in those of UD.
COARSE = {
    "ADJ": "ADJ",
    "ADP": "ADP",
    "ADV": "ADV",
    "CONJ": "CCONJ+SCONJ",
    "DET": "DET",
    "NOUN": "NOUN+PROPN",
    "NUM": "NUM",
    "PRON": "PRON",
    "PRT": "PART",
    "PUNCT": "PUNCT",
    "VERB": "VERB+AUX",
    "X": "X+INTJ+SYM",
}
_BIT = {tag: 1 << place for place, tag in enumerate(UPOS)} | {"CONJ": 1 << UPOS.index("CCONJ")}  # as UD 1 wrote it


class SentenceParser(Protocol):
    """Whatever parses tokens as they are written: a trained parser, or parses at hand."""

    def parse(self, token_lines: Sequence[Sequence[str]]) -> Sequence[Sentence | None]:
        """A sentence for each line, none of which is empty."""


class GivenParses:
    """Parses that somebody has made, found again by the words of the sentence.

    Of a sentence that is there several times the first parse is taken.
    """

    def __init__(self, sentences: Iterable[Sentence], name: str = "the parses") -> None:
        self.name = name
        self._known: dict[tuple[str, ...], Sentence] = {}
        mark = sha256()
        for sentence in sentences:
            self._known.setdefault(tuple(token.form for token in sentence.tokens), sentence)
            mark.update("\n".join(sentence.lines()).encode())
        self.fingerprint = mark.hexdigest()

    @classmethod
    def read(cls, path: StrPath) -> GivenParses:
        """From a CoNLL-U file."""
        return cls(iter_conllu(path), str(path))

    def parse(self, token_lines: Sequence[Sequence[str]]) -> list[Sentence]:
        """The parse of each line; one that is not there raises."""
        parses = []
        for tokens in token_lines:
            sentence = self._known.get(tuple(tokens))
            if sentence is None:
                raise DataError(
                    f"{self.name}: there is no parse of the sentence {' '.join(tokens)[:60]!r}. Parse the text as it "
                    "is tokenised here, or give a parser."
                )
            parses.append(sentence)
        return parses


class Symbols:
    """A name for each token, as numbers of the different names."""

    def __init__(self, values: Sequence[str]) -> None:
        numbers: dict[str, int] = {}
        self.ids = np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int32)
        self.names = list(numbers)

    @classmethod
    def of(cls, ids: NDArray[Any], names: Sequence[str]) -> Symbols:
        """From numbers and what they stand for."""
        symbols = cls(())
        symbols.ids, symbols.names = ids.astype(np.int32), list(names)
        return symbols

    @classmethod
    def joined(cls, parts: Sequence[Symbols]) -> Symbols:
        """The names of several parts, one behind the other."""
        numbers: dict[str, int] = {}
        ids = [
            np.array([numbers.setdefault(name, len(numbers)) for name in part.names], dtype=np.int32)[part.ids]
            for part in parts
            if len(part.ids)
        ]
        return cls.of(np.concatenate([np.zeros(0, dtype=np.int32), *ids]), list(numbers))

    def __getitem__(self, place: int) -> str:
        return self.names[int(self.ids[place])]

    def where(self, test: Callable[[str], bool]) -> Flags:
        """The tokens whose name passes a test."""
        return self.map(test).astype(bool)

    def map(self, of: Callable[[str], int]) -> Places:
        """A number for each token, by its name."""
        if not self.names:
            return np.zeros(0, dtype=np.int64)
        numbers: Places = np.array([of(name) for name in self.names], dtype=np.int64)[self.ids]
        return numbers

    def list(self) -> list[str]:
        """The names of all tokens."""
        return [self.names[number] for number in self.ids.tolist()]


class Parsed:
    """Tags, morphology and dependencies of lines of tokens.

    A multiword token (`del` for `de` and `el`) is one token, with the tags of its words joined by `+` (see
    `dragoman.syntax.merge_multiword_tokens`).
    """

    def __init__(
        self,
        offsets: Places,
        tags: Symbols,
        feats: Symbols,
        relations: Symbols,
        heads: Places,
        *,
        tag_confidences: NDArray[np.float32] | None = None,
        arc_confidences: NDArray[np.float32] | None = None,
    ) -> None:
        self.offsets = offsets
        self.tags = tags
        self.feats = feats
        self.relations = relations
        self.heads = heads  # place of the head among all tokens; −1 for roots, −2 without a tree
        self.tag_confidences = tag_confidences  # of a trained parser: that each tag, each head is right
        self.arc_confidences = arc_confidences

    @classmethod
    def of(cls, parser: SentenceParser, token_lines: Sequence[Sequence[str]], *, n_threads: int = 1) -> Parsed:
        """The parses of lines; empty ones have none."""
        if isinstance(parser, Parser):
            return cls._annotated(parser.annotate(token_lines, n_threads=n_threads))
        full = [number for number, tokens in enumerate(token_lines) if len(tokens)]
        sentences = parser.parse([token_lines[number] for number in full])
        if len(sentences) != len(full):
            raise DataError(f"The parser gave {len(sentences)} sentences for {len(full)} lines.")
        offsets = np.zeros(len(token_lines) + 1, dtype=np.int64)
        np.cumsum([len(tokens) for tokens in token_lines], out=offsets[1:])
        columns: tuple[list[str], list[str], list[str], list[int]] = ([], [], [], [])
        for number, sentence in zip(full, sentences, strict=True):
            rows = _token_rows(sentence) if sentence is not None else []
            if len(rows) != len(token_lines[number]):
                raise DataError(
                    f"Line {number + 1} has {len(token_lines[number])} tokens, its parse {len(rows)}. "
                    "Parse the text as it is tokenised here."
                )
            start = int(offsets[number])
            for tag, feats, relation, head in rows:
                columns[0].append(tag)
                columns[1].append(feats)
                columns[2].append(relation)
                columns[3].append(head if head < 0 else start + head)
        symbols = [Symbols(column) for column in columns[:3]]
        return cls(offsets, symbols[0], symbols[1], symbols[2], np.array(columns[3], dtype=np.int64))

    @classmethod
    def _annotated(cls, parses: Parses) -> Parsed:
        """What a parser of ours says, without a detour over sentences."""
        names, heads, relations = parses.labels, parses.heads, parses.relations
        if heads is None or relations is None:
            raise DataError("The parser gave tags alone; a tree is needed.")
        starts = np.repeat(parses.offsets[:-1], np.diff(parses.offsets))
        return cls(
            parses.offsets,
            Symbols.of(parses.upos, names.upos),
            Symbols.of(parses.feats, names.feats),
            Symbols.of(relations, names.deprel),
            np.where(heads > 0, starts + heads - 1, ROOT),
            tag_confidences=parses.tag_confidences,
            arc_confidences=parses.arc_confidences,
        )

    def __len__(self) -> int:
        """The number of lines."""
        return len(self.offsets) - 1

    @cached_property
    def sentence(self) -> Places:
        """The line of each token."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    @cached_property
    def masks(self) -> Places:
        """The tags of UD as bits, in the order of `UPOS`; a multiword token has several."""
        return self.tags.map(_mask)

    def tagged(self, *tags: str) -> Flags:
        """The tokens that have one of these tags, each perhaps several joined by `+`."""
        wanted = sum({_BIT[part] for tag in tags for part in tag.split("+")})
        return np.asarray((self.masks & wanted) != 0)

    def related(self, *relations: str) -> Flags:
        """The tokens with one of these relations; `nsubj` stands for `nsubj:pass`, too, but not the other way."""
        return self.relations.where(lambda name: name in relations or name.partition(":")[0] in relations)

    def having(self, feature: str, *values: str) -> Flags:
        """The tokens with a morphological feature of one of these values, or of any."""

        def test(feats: str) -> bool:
            own = values_of(feats, feature)
            return bool(own & set(values) if values else own)

        return self.feats.where(test)

    def tree(self) -> Places:
        """The heads, which must be there."""
        if (self.heads == NO_TREE).any():
            line = int(self.sentence[np.flatnonzero(self.heads == NO_TREE)[0]])
            raise DataError(f"The parse of line {line + 1} has tags but no tree, which a feature needs.")
        return self.heads

    def parents_of(self, chosen: Flags) -> Flags:
        """The tokens that one of the chosen ones hangs on."""
        heads = self.tree()[chosen]
        parents = np.zeros(len(self.heads), dtype=bool)
        parents[heads[heads >= 0]] = True
        return parents

    @cached_property
    def depths(self) -> Places:
        """Tokens on the way from each token to its root, both counted."""
        heads = self.tree()
        depth = np.ones(len(heads), dtype=np.int64)
        above = heads.copy()
        for _ in range(int(np.diff(self.offsets).max(initial=0))):
            open_ones = np.flatnonzero(above >= 0)
            if not len(open_ones):
                return depth
            depth[open_ones] += 1
            above[open_ones] = heads[above[open_ones]]
        if (above >= 0).any():
            line = int(self.sentence[np.flatnonzero(above >= 0)[0]])
            raise DataError(f"The heads of the parse of line {line + 1} go in a circle.")
        return depth

    def count(self, chosen: Flags) -> NDArray[np.float64]:
        """How many of the chosen tokens each line has."""
        return np.bincount(self.sentence[chosen], minlength=len(self)).astype(np.float64)

    def lines(self, kind: str = "tag") -> list[str]:
        """The tags of each line between blanks: `tag` is the part of speech, `morph` has the features with it."""
        names = self.tags.list()
        if kind == "morph":
            names = [
                tag if feats == NOTHING else f"{tag}|{feats}"
                for tag, feats in zip(names, self.feats.list(), strict=True)
            ]
        return [" ".join(names[start:end]) for start, end in pairwise(self.offsets.tolist())]

    @classmethod
    def joined(cls, parts: Sequence[Parsed]) -> Parsed:
        """Parses of parts of a text, one behind the other, as one."""
        first = np.cumsum([0, *(len(part.heads) for part in parts)])
        pairs = list(zip(parts, first.tolist(), strict=False))
        return cls(
            np.concatenate([[0], *(part.offsets[1:] + start for part, start in pairs)]).astype(np.int64),
            Symbols.joined([part.tags for part in parts]),
            Symbols.joined([part.feats for part in parts]),
            Symbols.joined([part.relations for part in parts]),
            np.concatenate([np.where(part.heads >= 0, part.heads + start, part.heads) for part, start in pairs]),
        )

    def take(self, lines: Sequence[int]) -> Parsed:
        """Some of the lines."""
        lengths = np.diff(self.offsets)[list(lines)]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        starts = self.offsets[:-1][list(lines)]
        moved = np.repeat(starts - offsets[:-1], lengths)
        places = np.arange(int(offsets[-1])) + moved
        heads = self.heads[places]
        tags, feats, relations = (
            Symbols.of(each.ids[places], each.names) for each in (self.tags, self.feats, self.relations)
        )
        return Parsed(offsets, tags, feats, relations, np.where(heads >= 0, heads - moved, heads))


def values_of(feats: str, feature: str) -> set[str]:
    """The values of a feature of `Gender=Fem,Masc|Number=Plur`; none: nothing is said."""
    for pair in feats.split("|"):
        name, _, value = pair.partition("=")
        if name == feature:
            return set(value.split(","))
    return set()


def _mask(tag: str) -> int:
    bits = 0
    for part in tag.split("+"):
        bits |= _BIT.get(part, 0)
    return bits


def _token_rows(sentence: Sentence) -> list[tuple[str, str, str, int]]:
    """Tag, features, relation and head, counted from 0, of each token."""
    return [
        (word.upos, word.feats, word.deprel, NO_TREE if word.head is None else word.head - 1)
        for word in merge_multiword_tokens(sentence).words
    ]
