"""Aligned bitexts from files."""

from __future__ import annotations

from dragoman.data import check_parallel
from dragoman.data.formats.pharaoh import PharaohFormat
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_lines
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.pairs import encode
from dragoman.smt.phrase_table import UNKNOWN
from dragoman.text.vocabulary import Vocabulary

__all__ = ["read_aligned"]


def read_aligned(
    src: StrPath, tgt: StrPath, alignment: StrPath, *, vocabularies: tuple[Vocabulary, Vocabulary] | None = None
) -> tuple[AlignedText, Vocabulary, Vocabulary]:
    """Tokenised lines of two files with the links of a third (Pharaoh format), and the vocabularies of both sides.

    With `vocabularies` given, words get their numbers, those that they lack one and the same.

    Possible links count as sure ones. A link outside its sentences raises with file and line.
    """
    import numpy as np

    lines = read_lines(src), read_lines(tgt)
    alignments = list(PharaohFormat().read(alignment))
    check_parallel({str(src): lines[0], str(tgt): lines[1], str(alignment): alignments})
    source, target = vocabularies or (Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN))
    ids = encode(source, lines[0]), encode(target, lines[1])
    for number, (links, n_src, n_tgt) in enumerate(
        zip(alignments, *(x.lengths().tolist() for x in ids), strict=True), 1
    ):
        try:
            links.check_within(n_src, n_tgt)
        except DataError as error:
            raise FormatError(str(error), path=alignment, line=number) from None
    links_of = [each.links for each in alignments]
    flat = np.array([link for each in links_of for link in each], dtype=np.uint16).reshape(-1, 2)
    offsets = np.cumsum([0, *map(len, links_of)], dtype=np.int64)
    return AlignedText(*ids, flat, offsets), source, target
