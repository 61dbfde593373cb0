"""Parses beside a text: read from files, or made by a parser's model, one for each line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman.artifact import MANIFEST, read_manifest
from dragoman.errors import DataError, FormatError, ModelError
from dragoman.files import StrPath
from dragoman.syntax import Grammar, Parser
from dragoman.text.conllu import Sentence, iter_conllu
from dragoman.text.merging import merge_multiword_tokens
from dragoman.text.trees import Tree, read_trees

__all__ = [
    "GivenParses",
    "InputParser",
    "LineParse",
    "ParsedText",
    "is_parser",
    "parse_lines",
    "parse_text",
    "read_parser",
    "read_parses",
]

LineParse = Sentence | Tree | None  # dependencies, constituents, or no parse


@dataclass(frozen=True, eq=False)
class ParsedText:
    """What is known of the syntax of each line of a text."""

    lines: tuple[LineParse, ...]

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def n_missing(self) -> int:
        """Lines without a parse."""
        return sum(line is None for line in self.lines)

    def take(self, places: Sequence[int]) -> ParsedText:
        """Those of some lines, as when a text was cleaned."""
        return ParsedText(tuple(self.lines[place] for place in places))


@dataclass(frozen=True, eq=False)
class GivenParses:
    """Parses that somebody else made, of some lines, in the place of a parser."""

    by_tokens: Mapping[tuple[str, ...], LineParse]

    @classmethod
    def read(cls, path: StrPath, token_lines: Sequence[Sequence[str]]) -> GivenParses:
        """Those of lines, one for each (see `read_parses`)."""
        parses = read_parses(path, [len(tokens) for tokens in token_lines])
        return cls(dict(zip(map(tuple, token_lines), parses.lines, strict=True)))

    def parse(self, token_lines: Sequence[Sequence[str]]) -> list[LineParse]:
        """The parses of lines, which must be among those that are known."""
        unknown = next((tokens for tokens in token_lines if tokens and tuple(tokens) not in self.by_tokens), None)
        if unknown is not None:
            raise DataError(f"There is no parse of {' '.join(unknown)!r} among those that were given.")
        return [self.by_tokens.get(tuple(tokens)) for tokens in token_lines]


InputParser = Parser | Grammar | GivenParses


def parse_text(path: StrPath, token_lines: Sequence[Sequence[str]], *, n_threads: int = 1) -> ParsedText:
    """The parses of a text: by the model in the folder `path`, or read from there if that is none (`read_parses`)."""
    if not is_parser(path):
        return read_parses(path, [len(tokens) for tokens in token_lines])
    return ParsedText(tuple(parse_lines(read_parser(path), token_lines, n_threads=n_threads)))


def is_parser(path: StrPath) -> bool:
    """True if a folder holds a model, not files of parses."""
    return (Path(path) / MANIFEST).is_file()


def read_parser(folder: StrPath) -> Parser | Grammar:
    """The parser in a folder."""
    if not is_parser(folder):
        raise DataError(
            f"{folder} is no parser's model. Train one: dragoman syntax train, or dragoman syntax grammar train."
        )
    kind = read_manifest(Path(folder)).kind
    if kind == Parser.kind:
        return Parser.load(folder)
    if kind == Grammar.kind:
        return Grammar.load(folder)
    raise ModelError(f"{folder} is a {kind}, which parses nothing. Name a {Parser.kind} or a {Grammar.kind}.")


def parse_lines(parser: InputParser, token_lines: Sequence[Sequence[str]], *, n_threads: int = 1) -> list[LineParse]:
    """The parse of each line; None where there is none."""
    if isinstance(parser, GivenParses):
        return parser.parse(token_lines)
    if isinstance(parser, Parser):
        return [*parser.parse(token_lines, n_threads=n_threads)]
    trees = parser.parse(token_lines, n_threads=n_threads)
    return [None if each.failed or not len(each.tree) else each.tree for each in trees]


def read_parses(path: StrPath, lengths: Sequence[int]) -> ParsedText:
    """Parses of a text whose lines have so many tokens: a file, or the files of a folder in the order of their names.

    `.conllu` (also compressed) is dependencies, in which tokens of several words may be split; a line without tokens
    has no sentence there, and a sentence without heads is no parse. Anything else is trees in brackets, a line each, an
    empty one for no parse.
    """
    name = Path(path)
    files = sorted(each for each in name.iterdir() if each.is_file()) if name.is_dir() else [name]
    if not files:
        raise DataError(f"The folder of parses {name} has no files.")
    lines: list[LineParse] = []
    for file in files:
        reading = _dependencies(file) if ".conllu" in file.suffixes else _constituents(file)
        for parse, where in reading:
            # CoNLL-U has no sentence for a line without tokens.
            while isinstance(parse, Sentence) and len(lines) < len(lengths) and lengths[len(lines)] == 0:
                lines.append(None)
            if len(lines) == len(lengths):
                raise FormatError(
                    f"a parse too many: the text has {len(lengths)} lines. Parses stand beside the text line by line.",
                    path=file,
                    line=where,
                )
            lines.append(_checked(parse, lengths[len(lines)], len(lines) + 1, file, where))
    while len(lines) < len(lengths) and lengths[len(lines)] == 0:
        lines.append(None)
    if len(lines) < len(lengths):
        raise DataError(
            f"{name} has no parse for line {len(lines) + 1} of the text, which has {len(lengths)} lines. "
            "Parses stand beside the text line by line."
        )
    return ParsedText(tuple(lines))


def _dependencies(path: Path) -> Iterator[tuple[LineParse, int]]:
    for sentence in iter_conllu(path):
        yield sentence, sentence.line or 1


def _constituents(path: Path) -> Iterator[tuple[LineParse, int]]:
    for number, tree in enumerate(read_trees(path), start=1):
        yield tree, number


def _checked(parse: LineParse, n_tokens: int, number: int, path: Path, where: int) -> LineParse:
    """The parse, if it has the line's tokens; None if it has no tree."""
    if isinstance(parse, Sentence):
        if all(word.head is None for word in parse.words):
            return None
        try:
            parse.check_tree()
        except DataError as error:
            raise FormatError(f"sentence {number}: {error}", path=path, line=where) from None
        if len(parse.words) != n_tokens:
            parse = merge_multiword_tokens(parse)
        n_words = len(parse.words)
    else:
        if parse is None or not len(parse):
            return None
        parents = set(parse.parents)
        n_words = sum(node not in parents for node in range(len(parse)))
    if n_words != n_tokens:
        raise FormatError(
            f"the parse of line {number} has {n_words} tokens, the line has {n_tokens}. "
            "Parse the text as it is tokenised for training.",
            path=path,
            line=where,
        )
    return parse
