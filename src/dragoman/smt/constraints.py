"""What is asked of a translation beyond its source: terms, spans kept as they are, walls, a prefix, all of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dragoman import _core
from dragoman.errors import DataError
from dragoman.notation import parse_json
from dragoman.text.vocabulary import Vocabulary

__all__ = ["Constraints", "Lattice", "Term", "UnknownWords", "read_markup"]

# What to try for a word that has no translation: its possible translations, tokens separated by spaces.
UnknownWords = Callable[[str], Sequence[str]]

LATTICE = "lattice"  # the given feature that takes the scores of lattices' arcs

_MOST_NODES = 65_535
_NOTHING = -2  # the core's word of an arc that says nothing
_OPEN = re.compile(r'<([a-z]+)(?:\s+translation="([^"<>]*)")?\s*>')


@dataclass(frozen=True)
class Term:
    """A translation of the source tokens `[begin, end)` that comes from outside."""

    begin: int
    end: int
    text: str  # tokens separated by spaces; empty: the source tokens are left out
    exclusive: bool = True  # nothing else may translate these tokens; else one more possibility
    values: Mapping[str, float] = field(default_factory=dict)  # of the engine's given features; the others are 0


@dataclass(frozen=True)
class Lattice:
    """Source text with alternatives: arcs (from, to, token, log score) between nodes 0, 1, …; an empty token is none.

    Scores are the feature `lattice` of engines that have it (recipe: `given`); others take all arcs as equally good.
    """

    arcs: tuple[tuple[int, int, str, float], ...]
    places: tuple[int, ...] = ()  # by arc: which word of a text it reads; none: links name nodes
    copies: tuple[str, ...] = ()  # by arc: what it says if it is copied for want of a translation; none: its token

    @classmethod
    def of_confusions(cls, columns: Sequence[Sequence[tuple[str, float]]]) -> Lattice:
        """A confusion network: for each place its tokens with log scores."""
        return cls(tuple((i, i + 1, token, score) for i, column in enumerate(columns) for token, score in column))

    @classmethod
    def parse(cls, text: str) -> Lattice:
        """A lattice from JSON: `[[0, 1, "a", -0.1], [1, 2, "man", 0]]`, arcs as in `arcs`.

        A fifth value is the place of the arc's word in a text, as `dragoman reorder apply --lattice json` writes it.
        """
        try:
            rows = sorted((_arc(row) for row in parse_json(text)), key=lambda row: row[:3])
        except (ValueError, TypeError, OverflowError) as error:
            raise DataError(
                f"Expected a lattice as JSON, a list of [from, to, token, score]; found {text[:60]!r} ({error})."
            ) from error
        places = tuple(place for *_, place in rows if place is not None)
        if places and len(places) != len(rows):
            raise DataError(f"Some arcs of a lattice have the place of their word, others have none: {text[:60]!r}.")
        return cls(tuple((a, b, token, score) for a, b, _, token, score, _ in rows), places)

    @property
    def tokens(self) -> list[str]:
        """The token of each arc."""
        return [token for _, _, token, _ in self.arcs]

    @property
    def copied(self) -> list[str]:
        """What each arc says if it is copied."""
        return list(self.copies) or self.tokens


def _arc(row: Sequence[Any]) -> tuple[int, int, int, str, float, int | None]:
    """An arc with what it is sorted by: nodes, then place."""
    a, b, token, score, *more = row
    if len(more) > 1:
        raise ValueError(f"an arc has 4 or 5 values, not {len(row)}")
    place = int(more[0]) if more else None
    if min(int(a), int(b), place or 0) < 0:
        raise ValueError("nodes and places are counted from 0")
    return int(a), int(b), -1 if place is None else place, str(token), float(score), place


@dataclass(frozen=True)
class Constraints:
    """What is asked of one sentence. All that is given must hold; a sentence for which it cannot has no translation."""

    terms: tuple[Term, ...] = ()
    walls: tuple[int, ...] = ()  # all tokens before such a place are translated before any behind it
    target: str | None = None  # the whole translation: forced decoding
    prefix: str | None = None  # how the translation begins
    begun: str = ""  # first letters of the word behind the prefix
    artificial: bool = False  # target or prefix: insert and leave out words where the models have no way
    lattice: Lattice | None = None  # in the place of the sentence's tokens

    def __post_init__(self) -> None:
        if self.target is not None and (self.prefix is not None or self.begun):
            raise DataError("A translation is constrained by a whole target or by a prefix, not by both.")


class TargetWords:
    """Numbers of target words; words that the vocabulary lacks are numbered behind it."""

    def __init__(self, vocabulary: Vocabulary, forms: Mapping[str, int] | None = None) -> None:
        """`forms` has the numbers of words that carry more than their form."""
        self._vocabulary = vocabulary
        self._forms = forms
        self.more: dict[str, int] = {}

    def id(self, word: str) -> int:
        number = self._vocabulary.get(word) if self._forms is None else self._forms.get(word)
        return self.more.setdefault(word, len(self._vocabulary) + len(self.more)) if number is None else number

    def ids(self, text: str) -> list[int]:
        return [self.id(word) for word in text.split(" ") if word]

    def beginning_with(self, letters: str) -> list[int]:
        """All words that begin with these letters; the letters themselves if there are none."""
        numbers = [number for number, word in enumerate(self._vocabulary.words()) if word.startswith(letters)]
        return numbers or [self.id(letters)]


def core_constraints(
    constraints: Constraints | None,
    tokens: Sequence[str],
    *,
    source: Vocabulary,
    words: TargetWords,
    unknown_words: UnknownWords | None = None,
    given: Sequence[str] = (),
) -> _core.phrase.Constraints | None:
    """Constraints of a sentence as the decoder takes them; `None` if nothing is asked."""
    asked = constraints or Constraints()
    core = _core.phrase.Constraints()
    terms = list(asked.terms)
    if unknown_words and not asked.lattice:
        taken = {place for term in terms if term.exclusive for place in range(term.begin, term.end)}
        for place, token in enumerate(tokens):
            if place not in taken and _is_unknown(source, token):
                terms.extend(Term(place, place + 1, text, exclusive=False) for text in unknown_words(token))
    for term in terms:
        if term.begin < 0 or term.begin >= term.end:
            raise DataError(f"A term needs source tokens, got [{term.begin}, {term.end}) for {term.text!r}.")
        core.give(term.begin, term.end, words.ids(term.text), _values(term, given), term.exclusive)
    for place in sorted(asked.walls):
        core.wall(place)
    if asked.target is not None or asked.prefix is not None or asked.begun:
        exact = asked.target is not None
        text = asked.target if asked.target is not None else asked.prefix or ""
        core.require(
            words.ids(text),
            not exact,
            words.beginning_with(asked.begun) if asked.begun else [],
            [words.id(token) for token in (asked.lattice.copied if asked.lattice else tokens)],
            asked.artificial,
        )
    if asked.lattice:
        arcs = asked.lattice.arcs
        n_nodes = 1 + max((to for _, to, _, _ in arcs), default=0)
        if n_nodes > _MOST_NODES:
            raise DataError(
                f"A lattice has at most {_MOST_NODES} nodes, this one has {n_nodes}. Cut it into sentences."
            )
        weighed = LATTICE in given
        rows = [
            (a, b, _source_id(source, token) if token else _NOTHING, score if weighed else 0.0)
            for a, b, token, score in arcs
        ]
        core.lattice(n_nodes, rows, asked.lattice.places)
    return core if constraints or terms else None


def _values(term: Term, features: Sequence[str]) -> list[float]:
    unknown = [name for name in term.values if name not in features]
    if unknown:
        raise DataError(
            f"The term {term.text!r} has a value of {', '.join(unknown)}; the engine's given features are: "
            f"{', '.join(features) or 'none'}. Name them in its recipe, or see Engine.with_features."
        )
    return [float(term.values.get(name, 0.0)) for name in features] if term.values else []


def _source_id(source: Vocabulary, token: str) -> int:
    number = source.get(token)
    return -1 if number is None else number


def _is_unknown(source: Vocabulary, token: str) -> bool:
    return source.get(token) in (None, source.unk_id)


def read_markup(line: str) -> tuple[str, Constraints]:
    """Plain tokens and constraints of a tokenised line with XML-like spans, one or more tokens each.

    `<term translation="der Bahnhof"> the station </term>` gives its translation, `<keep> ACME 3 </keep>` keeps its
    tokens as they are, `<wall/>` stands between tokens that nothing is reordered across. Tags stand between spaces.
    """
    tokens: list[str] = []
    terms: list[Term] = []
    walls: list[int] = []
    opened: tuple[str, str | None, int] | None = None
    for piece in re.findall(r"<[^<>]*>|[^\s<]+|<", line):
        tag = _OPEN.fullmatch(piece)
        if piece == "<wall/>":
            walls.append(len(tokens))
        elif tag and opened is None and tag[1] in {"term", "keep"}:
            opened = (tag[1], tag[2], len(tokens))
        elif opened and piece == f"</{opened[0]}>":
            name, text, begin = opened
            if name == "term" and text is None:
                raise DataError(f'A <term> needs translation="…" in {line[:60]!r}.')
            terms.append(Term(begin, len(tokens), " ".join(tokens[begin:]) if text is None else text))
            opened = None
        elif piece.startswith("<") and piece.endswith(">") and len(piece) > 2:
            raise DataError(
                f"Unexpected markup {piece!r} in {line[:60]!r}. Known: <term>, <keep>, <wall/>, not nested."
            )
        else:
            tokens.append(piece)
    if opened:
        raise DataError(f"<{opened[0]}> is not closed in {line[:60]!r}.")
    if any(term.begin == term.end for term in terms):
        raise DataError(f"There is markup around nothing in {line[:60]!r}.")
    return " ".join(tokens), Constraints(terms=tuple(terms), walls=tuple(walls))
