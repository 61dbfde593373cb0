"""Semantic frames that a labeller or people wrote: CoNLL-2005 and CoNLL-2009 columns, CoNLL-U trees, frame studies.

Roles are called as in HMEANT, whatever a file calls them: PropBank's numbered arguments and modifiers are mapped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dragoman.data.frame_tables import read_frames
from dragoman.data.frames import ROLES, Filler, Frame
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines
from dragoman.syntax.predicates import sentence_frames
from dragoman.text.conllu import read_conllu
from dragoman.text.merging import merge_multiword_tokens

__all__ = ["FramedTokens", "read_framed_sentences", "role_of_label"]

FramedTokens = tuple[tuple[str, ...], tuple[Frame, ...]]
Row = tuple[int, list[str]]  # the number of a line, and its columns

_NUMBERED = {"0": "agent", "1": "experiencer-patient", "2": "beneficiary"}
_MODIFIERS = {
    "TMP": "temporal",
    "LOC": "locative",
    "DIR": "locative",
    "PRP": "purpose",
    "PNC": "purpose",
    "CAU": "purpose",
    "EXT": "degree-extent",
    "MNR": "manner",
    "MOD": "modal",
    "NEG": "negation",
}
_LABEL = re.compile(r"(?:[CR]-)?A(?:RG)?(?:([0-9A])|M-?([A-Z]+))(?:-.*)?")
_LEAST_2009 = 14  # columns before those of the predicates
_OPENING = re.compile(r"\(([^*()]+)")


def role_of_label(label: str) -> str:
    """The role that PropBank's label (`A0`, `ARGM-TMP`, `R-A1`), or one of HMEANT's own names, means."""
    if label.lower() in ROLES:
        return label.lower()
    match = _LABEL.fullmatch(label)
    if match is None:
        return "other"
    return _NUMBERED.get(match[1], "other") if match[1] else _MODIFIERS.get(match[2], "other")


def read_framed_sentences(path: StrPath, *, annotator: str | None = None) -> list[FramedTokens]:
    """The tokens and frames of every sentence of a file, or of a study in a folder.

    A file's columns tell what it is. Of a study that several people annotated, `annotator` says whose frames to take;
    else the first one's count.
    """
    if Path(path).is_dir():
        return _of_study(path, annotator)
    rows = [(number, line) for number, line in enumerate(iter_lines(path), start=1)]
    first = next((line.split() for _, line in rows if line.strip() and not line.startswith("#")), None)
    if first is None:
        raise FormatError("the file has no sentence.", path=path, line=max(1, len(rows)))
    if len(first) >= _LEAST_2009 and first[0] == "1":
        return [_of_2009(block, path) for block in _blocks(rows)]
    if first[0].split("-")[0] == "1" and len(first) == 10:
        trees = [merge_multiword_tokens(sentence) for sentence in read_conllu(path)]
        return [(tuple(word.form for word in tree.words), sentence_frames(tree)) for tree in trees]
    return [_of_2005(block, path) for block in _blocks(rows)]


def _blocks(rows: Iterable[tuple[int, str]]) -> Iterator[list[Row]]:
    """The rows of each sentence: sentences are parted by empty lines."""
    block: list[Row] = []
    for number, line in rows:
        if line.strip():
            block.append((number, line.split()))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _of_2005(block: Sequence[Row], path: StrPath) -> FramedTokens:
    """Word, perhaps other columns, predicate or `-`, then a column of brackets for each predicate: `(A0*`, `*)`."""
    _check_width(block, path)
    columns = list(zip(*(columns for _, columns in block), strict=True))
    brackets = next((c for c in range(len(columns) - 1, -1, -1) if not _is_bracketed(columns[c])), 0) + 1
    frames = [_bracketed(columns[c], block, path) for c in range(brackets, len(columns))]
    return tuple(columns[0]), tuple(sorted((each for each in frames if each), key=lambda each: each.action))


def _is_bracketed(column: Sequence[str]) -> bool:
    return all(re.fullmatch(r"(\([^*()]+)*\*\)*|(\([^*()]+)+\*?\)*", cell) for cell in column)


def _bracketed(column: Sequence[str], block: Sequence[Row], path: StrPath) -> Frame | None:
    opened: list[tuple[str, int]] = []
    fillers: list[Filler] = []
    action = None
    for place, cell in enumerate(column):
        opened += [(label, place) for label in _OPENING.findall(cell)]
        for _ in range(cell.count(")")):
            if not opened:
                raise FormatError("a bracket closes that none opened.", path=path, line=block[place][0])
            label, start = opened.pop()
            if label == "V":
                action = start
            elif label != "C-V":
                fillers.append(Filler(role_of_label(label), start, place + 1))
    if opened:
        raise FormatError(f"the bracket of {opened[-1][0]} is never closed.", path=path, line=block[opened[-1][1]][0])
    return None if action is None else Frame(action, _distinct(fillers))


def _of_2009(block: Sequence[Row], path: StrPath) -> FramedTokens:
    """Predicates have a Y in the 13th column; an argument is the words below its head, which is marked."""
    _check_width(block, path)
    below = _subtrees(block, path)
    predicates = [place for place, (_, columns) in enumerate(block) if columns[12] == "Y"]
    width = len(block[0][1]) - _LEAST_2009
    if len(predicates) != width:
        raise FormatError(
            f"the sentence has {len(predicates)} predicates and {width} columns of arguments.",
            path=path,
            line=block[0][0],
        )
    frames = []
    for number, action in enumerate(predicates):
        fillers = [
            Filler(role_of_label(columns[_LEAST_2009 + number]), *_stretch(below[place], place))
            for place, (_, columns) in enumerate(block)
            if columns[_LEAST_2009 + number] != "_" and place != action
        ]
        frames.append(Frame(action, _distinct(fillers)))
    return tuple(columns[1] for _, columns in block), tuple(frames)


def _subtrees(block: Sequence[Row], path: StrPath) -> list[set[int]]:
    """The places of each word and of all below it, by the head in the 9th column, or the predicted one in the 10th."""
    heads = []
    for line, columns in block:
        head = columns[8] if columns[8] != "_" else columns[9]
        if not head.isdigit() or int(head) > len(block):
            raise FormatError(f"{columns[1]!r} has the head {head!r}, which is no word here.", path=path, line=line)
        heads.append(int(head) - 1)
    below = [{place} for place in range(len(block))]
    for place in range(len(block)):
        above, steps = heads[place], 0
        while above >= 0 and steps <= len(block):  # a circle of heads is left at its length
            below[above].add(place)
            above, steps = heads[above], steps + 1
    return below


def _stretch(places: set[int], head: int) -> tuple[int, int]:
    first = last = head
    while first - 1 in places:
        first -= 1
    while last + 1 in places:
        last += 1
    return first, last + 1


def _check_width(block: Sequence[Row], path: StrPath) -> None:
    width = len(block[0][1])
    for line, columns in block:
        if len(columns) != width:
            raise FormatError(
                f"the row has {len(columns)} columns, the first of its sentence {width}.", path=path, line=line
            )


def _distinct(fillers: Sequence[Filler]) -> tuple[Filler, ...]:
    """Fillers, of those of one stretch the first."""
    return tuple({(each.start, each.end): each for each in reversed(fillers)}.values())[::-1]


def _of_study(path: StrPath, annotator: str | None) -> list[FramedTokens]:
    study = read_frames(path)
    people = sorted({each.annotator for each in study.references} | {each.annotator for each in study.annotations})
    if annotator is not None and annotator not in people:
        raise DataError(f"{path} has no annotator {annotator!r}. There are: {', '.join(people)}.")
    framed = [
        *((each.annotator, (each.lang, each.segment, None), each.frames) for each in study.references),
        *((each.annotator, (each.lang, each.segment, each.system), each.hyp) for each in study.annotations),
    ]
    return [
        (study.texts[key], frames) for who, key, frames in framed if key in study.texts and annotator in {None, who}
    ]
