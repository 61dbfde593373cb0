"""What rules of order look at: words with their parts of speech and, where there is a tree, heads and relations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath
from dragoman.syntax import Parser
from dragoman.text.conllu import Sentence, iter_conllu
from dragoman.text.merging import merge_multiword_tokens

__all__ = ["Annotated", "annotate", "annotated_sentence", "read_annotated"]


@dataclass(frozen=True, slots=True)
class Annotated:
    """A sentence for rules: columns, one value a word. Heads are places from 0, -1 for roots; None without a tree."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...] | None = None
    relations: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        n = len(self.words)
        for name, column in (("tags", self.tags), ("heads", self.heads), ("relations", self.relations)):
            if column is not None and len(column) != n:
                raise DataError(
                    f"{len(column)} {name} stand beside {n} words: {' '.join(self.words[:8])!r}. "
                    "Tag the text as it is tokenised."
                )

    def __len__(self) -> int:
        return len(self.words)


def annotate(
    parser: Parser,
    token_lines: Sequence[Sequence[str]],
    *,
    trees: bool = True,
    xpos: bool = False,
    n_threads: int = 1,
) -> list[Annotated]:
    """The lines as a parser sees them; without `trees` by its tagger alone, with `xpos` by its treebank's own tags."""
    parses = parser.annotate(token_lines, trees=trees, n_threads=n_threads)
    names = parses.labels
    tags = [names.xpos[i] for i in parses.xpos.tolist()] if xpos else [names.upos[i] for i in parses.upos.tolist()]
    relations = None if parses.relations is None else [names.deprel[i] for i in parses.relations.tolist()]
    heads = None if parses.heads is None else (parses.heads - 1).tolist()
    return [
        Annotated(
            tuple(tokens),
            tuple(tags[begin:end]),
            None if heads is None else tuple(heads[begin:end]),
            None if relations is None else tuple(relations[begin:end]),
        )
        for tokens, (begin, end) in zip(token_lines, pairwise(parses.offsets.tolist()), strict=True)
    ]


def annotated_sentence(sentence: Sentence, *, xpos: bool = False) -> Annotated:
    """A sentence of CoNLL-U; with `xpos` by the tags of its own tag set, as STTS."""
    words = sentence.words
    has_tree = all(word.head is not None for word in words)
    return Annotated(
        tuple(word.form for word in words),
        tuple(word.xpos if xpos else word.upos for word in words),
        tuple((word.head or 0) - 1 for word in words) if has_tree else None,
        tuple(word.deprel for word in words) if has_tree else None,
    )


def read_annotated(path: StrPath, token_lines: Iterable[Sequence[str]], *, xpos: bool = False) -> list[Annotated]:
    """The sentences of a CoNLL-U file that stand beside lines of tokens, one for each line that has any."""
    sentences = iter_conllu(path)
    annotated = []
    for number, tokens in enumerate(token_lines, start=1):
        if not tokens:
            annotated.append(Annotated((), ()))
            continue
        sentence = next(sentences, None)
        if sentence is None:
            raise FormatError(f"the file ends before line {number} of the text. Annotate all of it.", path=path)
        if len(sentence.words) != len(tokens):
            sentence = merge_multiword_tokens(sentence)
        words = [word.form for word in sentence.words]
        if words != list(tokens):
            raise FormatError(
                f"expected the words of line {number} of the text, {' '.join(tokens[:8])!r}, got "
                f"{' '.join(words[:8])!r}. Tag the text as it is tokenised.",
                path=path,
                line=sentence.line,
            )
        annotated.append(annotated_sentence(sentence, xpos=xpos))
    if next(sentences, None) is not None:
        raise FormatError(f"the file has more sentences than the text, which has {len(annotated)} lines.", path=path)
    return annotated
