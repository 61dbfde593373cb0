"""Output whose segmentation differs from the references': cut anew so that the word errors are fewest.

Speech translation and document translation give streams, not segments. The stream of each document is cut into as many
pieces as the references have segments, at the places that make the edits to the references fewest (Matusov et al.,
IWSLT 2005). Scores of such segments carry `seg:mwer` in their signature.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.data import check_parallel
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.metrics.base import check_threads
from dragoman.metrics.references import References, RefsInput, check_lines
from dragoman.report import Column, Result, Table
from dragoman.text import Vocabulary

__all__ = ["Resegmentation", "resegment", "resegment_systems"]

Unit = Literal["word", "char"]


@dataclass(frozen=True)
class Resegmentation(Result):
    """The new segments, one for each segment of the references."""

    kind: ClassVar[str] = "resegmentation"

    segments: tuple[str, ...]
    n_lines: int  # how many lines the output had
    unit: str

    def tables(self) -> list[Table]:
        """One row per segment, counted from 1."""
        columns = [Column("segment"), Column("text", is_text=True)]
        return [Table.of("Segments", columns, enumerate(self.segments, start=1))]

    def meta(self) -> dict[str, Any]:
        """How the output was cut."""
        return {"segmentation": "mwer", "unit": self.unit, "n_lines": self.n_lines}


def resegment_systems(
    test_set: TestSet,
    outputs: Mapping[str, Sequence[str]],
    *,
    hyp_docs: Mapping[str, Sequence[str]] | None = None,
    n_threads: int = 1,
) -> TestSet:
    """The test set with further systems, whose output of any number of lines is cut into its segments.

    `hyp_docs` names the document of each system's lines, if there are several; scores tell with `run={"seg": "mwer"}`.
    """
    refs, docs = References.of_test_set(test_set), None if hyp_docs is None else test_set.docs
    return test_set.with_systems(
        {
            name: resegment(
                lines, refs, docs=docs, hyp_docs=None if hyp_docs is None else hyp_docs[name], n_threads=n_threads
            ).segments
            for name, lines in outputs.items()
        }
    )


def resegment(
    hyps: Sequence[str],
    refs: RefsInput,
    *,
    docs: Sequence[str] | None = None,
    hyp_docs: Sequence[str] | None = None,
    unit: Unit = "word",
    n_threads: int = 1,
) -> Resegmentation:
    """Cut output into the references' segments.

    `hyps` are lines of any number. `docs` names the document of each reference segment and `hyp_docs` that of each line
    of output; without them all is one stream. Words (or characters, `unit="char"`, for scripts without spaces) are
    compared without regard to case, and the text itself is kept as it is. A piece may be empty.
    """
    references = References.of(refs)
    check_lines("hyps", hyps)
    if unit not in {"word", "char"}:
        raise DataError(f"The unit of resegmentation is word or char; got {unit!r}.")
    check_threads(n_threads)
    names, bounds = _documents(references, docs, hyp_docs)
    texts = _streams(hyps, hyp_docs, names)
    vocabulary = Vocabulary()
    streams, places = [], []
    for text in texts:
        starts, words = _words(text, unit)
        places.append(starts)
        streams.append(words)
    ids = _encode(streams, vocabulary)
    ref_ids = [
        _encode([_words(line, unit)[1] for line in references.lines(r)], vocabulary)
        for r in range(len(references.streams))
    ]
    begins = _core.metrics.resegment(ids, ref_ids, references.present, bounds, n_threads=n_threads).tolist()
    segments: list[str] = []
    for d, (text, starts) in enumerate(zip(texts, places, strict=True)):
        first, end = int(bounds[d]), int(bounds[d + 1])
        cuts = [starts[word] if word < len(starts) else len(text) for word in begins[first:end]]
        segments += [text[a:b].strip() for a, b in zip(cuts, [*cuts[1:], len(text)], strict=True)]
    return Resegmentation(tuple(segments), len(hyps), unit)


def _documents(
    refs: References, docs: Sequence[str] | None, hyp_docs: Sequence[str] | None
) -> tuple[list[str], NDArray[np.int64]]:
    """The documents in order, and where each one's segments begin and end."""
    if hyp_docs is None:
        return [""], np.array([0, len(refs)], dtype=np.int64)
    if docs is None:
        raise DataError("hyp_docs names documents of the output; name the references' too: docs.")
    check_parallel({"refs": refs, "docs": docs})
    starts = [i for i, doc in enumerate(docs) if i == 0 or doc != docs[i - 1]]
    names = [docs[i] for i in starts]
    if len(set(names)) < len(names):
        raise DataError("The segments of a document must be consecutive; a document begins again later.")
    return names, np.array([*starts, len(docs)], dtype=np.int64)


def _streams(hyps: Sequence[str], hyp_docs: Sequence[str] | None, names: list[str]) -> list[str]:
    """Each document's output as one text."""
    if hyp_docs is None:
        return [" ".join(hyps)]
    check_parallel({"hyps": hyps, "hyp_docs": hyp_docs})
    lines: dict[str, list[str]] = {name: [] for name in names}
    for doc, line in zip(hyp_docs, hyps, strict=True):
        if doc not in lines:
            raise DataError(f"The output has a document {doc!r} that the references lack.")
        lines[doc].append(line)
    return [" ".join(lines[name]) for name in names]


def _words(text: str, unit: Unit) -> tuple[list[int], list[str]]:
    """Where each word or character begins, and what is compared of it."""
    if unit == "char":
        starts = [i for i, char in enumerate(text) if not char.isspace()]
        return starts, [text[i].lower() for i in starts]
    starts, at = [], 0
    words = text.split()
    for word in words:
        at = text.index(word, at)
        starts.append(at)
        at += len(word)
    return starts, [word.lower() for word in words]


def _encode(texts: list[list[str]], vocabulary: Vocabulary) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    ids = vocabulary.ids([word for words in texts for word in words])
    return ids, np.cumsum([0, *map(len, texts)], dtype=np.int64)
