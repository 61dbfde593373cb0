"""CoNLL-U, the format of Universal Dependencies: sentences of annotated words, read strictly and written back exactly.

https://universaldependencies.org/format.html. Values are kept as the file has them; `_` is its word for "nothing".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines, write_lines

__all__ = [
    "EmptyNode",
    "MultiwordToken",
    "Sentence",
    "Word",
    "iter_conllu",
    "parse_conllu",
    "read_conllu",
    "write_conllu",
]

NOTHING = "_"
_COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
_MAY_HAVE_SPACES = {"FORM", "LEMMA", "MISC"}
_NUMBER = re.compile("0|[1-9][0-9]{0,8}")
_RANGE = re.compile("([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_DECIMAL = re.compile(r"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True)
class Word:
    """A syntactic word: the unit that has a lemma, a part of speech and a head."""

    id: int  # from 1
    form: str
    lemma: str = NOTHING
    upos: str = NOTHING
    xpos: str = NOTHING
    feats: str = NOTHING
    head: int | None = None  # 0 is the root; None where the file has no tree
    deprel: str = NOTHING
    deps: str = NOTHING
    misc: str = NOTHING

    @property
    def features(self) -> dict[str, str]:
        """`Case=Nom|Number=Sing` as a dictionary."""
        return _pairs(self.feats)

    @property
    def space_after(self) -> bool:
        """False if the next word follows without a space."""
        return "SpaceAfter=No" not in self.misc.split("|")

    def columns(self) -> tuple[str, ...]:
        """The ten columns of the file."""
        head = NOTHING if self.head is None else str(self.head)
        return (
            str(self.id),
            self.form,
            self.lemma,
            self.upos,
            self.xpos,
            self.feats,
            head,
            self.deprel,
            self.deps,
            self.misc,
        )


@dataclass(frozen=True, slots=True)
class MultiwordToken:
    """A token of the text that stands for several words: French `au` for `à` and `le`."""

    first: int
    last: int
    form: str
    feats: str = NOTHING  # only ever Typo=Yes
    misc: str = NOTHING

    @property
    def space_after(self) -> bool:
        """False if the next token follows without a space."""
        return "SpaceAfter=No" not in self.misc.split("|")

    def columns(self) -> tuple[str, ...]:
        """The ten columns of the file."""
        none = NOTHING
        return (f"{self.first}-{self.last}", self.form, none, none, none, self.feats, none, none, none, self.misc)


@dataclass(frozen=True, slots=True)
class EmptyNode:
    """A word that is not in the text but in its enhanced graph: `8.1` is the first behind word 8."""

    after: int
    number: int
    form: str = NOTHING
    lemma: str = NOTHING
    upos: str = NOTHING
    xpos: str = NOTHING
    feats: str = NOTHING
    deps: str = NOTHING
    misc: str = NOTHING

    def columns(self) -> tuple[str, ...]:
        """The ten columns of the file."""
        return (
            f"{self.after}.{self.number}",
            self.form,
            self.lemma,
            self.upos,
            self.xpos,
            self.feats,
            NOTHING,
            NOTHING,
            self.deps,
            self.misc,
        )


Row = Word | MultiwordToken | EmptyNode


class _RowError(DataError):
    """What is wrong with one row of a sentence; rows are counted from 0."""

    def __init__(self, message: str, row: int) -> None:
        self.row = row
        self.message = message
        super().__init__(f"Row {row + 1} of the sentence: {message}")


@dataclass(frozen=True, slots=True)
class Sentence:
    """The rows of a sentence in file order; ids and heads are right once it exists."""

    rows: tuple[Row, ...]
    comments: tuple[str, ...] = ()  # whole lines, with their #
    line: int | None = field(default=None, compare=False)  # of its first row, in the file it came from

    def __post_init__(self) -> None:
        _check_ids(self.rows)
        _check_heads(self.rows)

    @classmethod
    def of(
        cls,
        forms: Sequence[str],
        *,
        lemmas: Sequence[str] | None = None,
        upos: Sequence[str] | None = None,
        xpos: Sequence[str] | None = None,
        comments: Sequence[str] = (),
    ) -> Sentence:
        """A sentence without a tree, from annotations in lists of one length."""
        columns: list[Sequence[str]] = [forms]
        for name, values in (("lemma", lemmas), ("upos", upos), ("xpos", xpos)):
            if values is not None and len(values) != len(forms):
                raise DataError(f"A sentence needs one {name} per form, got forms={len(forms)}, {name}={len(values)}.")
            columns.append([NOTHING] * len(forms) if values is None else values)
        rows = tuple(Word(number, *cells) for number, cells in enumerate(zip(*columns, strict=True), start=1))
        return cls(rows, tuple(comments))

    @property
    def words(self) -> tuple[Word, ...]:
        """The syntactic words, without empty nodes."""
        return tuple(row for row in self.rows if isinstance(row, Word))

    @property
    def tokens(self) -> tuple[Word | MultiwordToken, ...]:
        """The tokens of the text: a multiword token stands in place of its words."""
        tokens: list[Word | MultiwordToken] = []
        covered = 0
        for row in self.rows:
            if isinstance(row, MultiwordToken):
                tokens.append(row)
                covered = row.last
            elif isinstance(row, Word) and row.id > covered:
                tokens.append(row)
        return tuple(tokens)

    @property
    def metadata(self) -> dict[str, str]:
        """The comments of the form `# key = value`."""
        pairs = (comment[1:].partition("=") for comment in self.comments if "=" in comment)
        return {key.strip(): value.strip() for key, _, value in pairs}

    @property
    def text(self) -> str:
        """The sentence as it was written: its `# text`, else its tokens with the spaces the file tells."""
        text = self.metadata.get("text")
        if text is not None:
            return text
        return "".join(token.form + " " * token.space_after for token in self.tokens).rstrip(" ")

    def check_tree(self) -> Sentence:
        """The sentence itself if its words form one tree; more than one root, none, or a cycle raises `DataError`."""
        heads = {word.id: word.head for word in self.words}
        missing = [word for word, head in heads.items() if head is None]
        if missing:
            raise DataError(f"Word {missing[0]} has no head.")
        roots = [word for word, head in heads.items() if head == 0]
        if len(roots) != 1:
            names = ", ".join(map(str, roots)) or "none"
            raise DataError(f"A tree has one root; this sentence has {len(roots)} ({names}).")
        reached = {0, *roots}
        for start in heads:
            path: dict[int, None] = {}  # in order, and quick to look up
            word = start
            while word not in reached:
                if word in path:
                    raise DataError(f"The heads of words {', '.join(map(str, path))} go in a circle.")
                path[word] = None
                word = heads[word] or 0
            reached.update(path)
        return self

    def lines(self) -> Iterator[str]:
        """The sentence as lines of a file, the closing empty one included."""
        yield from self.comments
        for number, row in enumerate(self.rows):
            cells = row.columns()
            line = "\t".join(cells)
            if line.count("\t") != len(_COLUMNS) - 1 or "" in cells:
                raise _RowError(f"a column is empty or has a tab inside: {cells!r}.", number)
            yield line
        yield ""


def iter_conllu(path: StrPath) -> Iterator[Sentence]:
    """The sentences of a file, one by one."""
    return parse_conllu(iter_lines(path), path=path)


def read_conllu(path: StrPath) -> list[Sentence]:
    """All sentences of a file."""
    return list(iter_conllu(path))


def write_conllu(path: StrPath, sentences: Iterable[Sentence]) -> int:
    """Write sentences to a file, atomically; returns how many."""
    count = 0

    def lines() -> Iterator[str]:
        nonlocal count
        for sentence in sentences:
            count += 1
            yield from sentence.lines()

    write_lines(path, lines())
    return count


def parse_conllu(lines: Iterable[str], *, path: StrPath = Path("<text>")) -> Iterator[Sentence]:
    """The sentences in lines of CoNLL-U; what is wrong raises `FormatError` with `path` and line."""
    comments: list[str] = []
    rows: list[Row] = []
    first = number = 0
    for number, line in enumerate(lines, start=1):
        if not line:
            if not rows:
                raise FormatError("an empty line without a sentence before it. Remove it.", path=path, line=number)
            yield _sentence(rows, comments, first, path)
            comments, rows = [], []
        elif line.startswith("#") and not rows:
            comments.append(line)
        else:
            if not rows:
                first = number
            rows.append(_row(line, path=path, line_number=number))
    if rows or comments:
        raise FormatError(
            "the last sentence is not closed by an empty line; the file may be cut short. If it is whole, add one.",
            path=path,
            line=number,
        )


def _sentence(rows: list[Row], comments: list[str], first: int, path: StrPath) -> Sentence:
    try:
        return Sentence(tuple(rows), tuple(comments), first)
    except _RowError as error:
        raise FormatError(error.message, path=path, line=first + error.row) from None


def _row(line: str, *, path: StrPath, line_number: int) -> Row:
    cells = line.split("\t")
    if len(cells) != len(_COLUMNS):
        hint = " Columns are separated by tabs." if len(cells) == 1 else ""
        if line.startswith("#"):
            hint = " Comments stand before the words of a sentence."
        raise FormatError(f"expected 10 columns, found {len(cells)}.{hint}", path=path, line=line_number)
    for name, cell in zip(_COLUMNS, cells, strict=True):
        if not cell:
            raise FormatError(f"the column {name} is empty; write _ for nothing.", path=path, line=line_number)
        if " " in cell and name not in _MAY_HAVE_SPACES:
            raise FormatError(f"the column {name} has a space inside: {cell!r}.", path=path, line=line_number)
    name, form, lemma, upos, xpos, feats, head, deprel, deps, misc = cells
    if _NUMBER.fullmatch(name):
        return Word(int(name), form, lemma, upos, xpos, feats, _head(head, path, line_number), deprel, deps, misc)
    span = _RANGE.fullmatch(name)
    if span:
        _check_nothing(
            cells, "a multiword token", ("LEMMA", "UPOS", "XPOS", "HEAD", "DEPREL", "DEPS"), path, line_number
        )
        return MultiwordToken(int(span[1]), int(span[2]), form, feats, misc)
    empty = _DECIMAL.fullmatch(name)
    if empty:
        _check_nothing(cells, "an empty node", ("HEAD", "DEPREL"), path, line_number)
        return EmptyNode(int(empty[1]), int(empty[2]), form, lemma, upos, xpos, feats, deps, misc)
    raise FormatError(
        f"{name!r} is no id; expected a number, a range (3-4) or an empty node (8.1).", path=path, line=line_number
    )


def _head(text: str, path: StrPath, line: int) -> int | None:
    if text == NOTHING:
        return None
    if not _NUMBER.fullmatch(text):
        raise FormatError(f"the head is {text!r}; expected a word's id, 0 for the root, or _.", path=path, line=line)
    return int(text)


def _check_nothing(cells: list[str], what: str, names: tuple[str, ...], path: StrPath, line: int) -> None:
    for name in names:
        cell = cells[_COLUMNS.index(name)]
        if cell != NOTHING:
            raise FormatError(f"{what} has no {name}; found {cell!r} for _.", path=path, line=line)


def _check_ids(rows: tuple[Row, ...]) -> None:
    words = empty = covered = 0  # last word, last empty node behind it, end of the last range
    for number, row in enumerate(rows):
        if isinstance(row, Word):
            if row.id != words + 1:
                raise _RowError(f"expected the word {words + 1}, found {row.id}.", number)
            words, empty = row.id, 0
        elif isinstance(row, MultiwordToken):
            name = f"{row.first}-{row.last}"
            if row.first != words + 1 or row.last < row.first:
                raise _RowError(f"the range {name} must begin at the next word, {words + 1}.", number)
            if row.first <= covered:
                raise _RowError(f"the range {name} overlaps the one before it.", number)
            covered = row.last
        else:
            if (row.after, row.number) != (words, empty + 1):
                raise _RowError(f"expected the empty node {words}.{empty + 1}, found {row.after}.{row.number}.", number)
            empty = row.number
    if covered > words:
        raise _RowError(f"a range ends at word {covered}, but the sentence has {words} words.", len(rows) - 1)
    if not words:
        raise _RowError("the sentence has no words.", max(0, len(rows) - 1))


def _check_heads(rows: tuple[Row, ...]) -> None:
    n_words = sum(isinstance(row, Word) for row in rows)
    for number, row in enumerate(rows):
        if isinstance(row, Word) and row.head is not None:
            if not 0 <= row.head <= n_words:
                raise _RowError(f"the head of word {row.id} is {row.head}; the sentence has {n_words} words.", number)
            if row.head == row.id:
                raise _RowError(f"word {row.id} is its own head.", number)


def _pairs(text: str) -> dict[str, str]:
    if text == NOTHING:
        return {}
    return {key: value for key, _, value in (pair.partition("=") for pair in text.split("|"))}
