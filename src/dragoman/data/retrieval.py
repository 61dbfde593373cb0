"""What a search found and what was worth finding: TREC's runs and relevance judgements (qrels)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dragoman.errors import FormatError
from dragoman.files import StrPath, iter_lines, plain_name, write_lines

__all__ = ["Qrels", "Run", "read_documents", "read_qrels", "read_run", "write_qrels", "write_run"]


@dataclass(frozen=True)
class Qrels:
    """By topic and document, how relevant it was judged: 0 is not relevant, what is absent was not judged."""

    judged: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Run:
    """By topic, the documents found with their scores."""

    name: str
    found: Mapping[str, Mapping[str, float]]

    def ranking(self, topic: str) -> list[str]:
        """The documents of a topic, best first; of equal scores the last by name comes first, as in trec_eval."""
        scores = self.found.get(topic, {})
        by_name = sorted(scores, reverse=True)
        return sorted(by_name, key=lambda document: -scores[document])


def read_qrels(path: StrPath) -> Qrels:
    """A file of lines `topic iteration document relevance`."""
    judged: dict[str, dict[str, int]] = {}
    for line, cells in _cells(path, 4, "topic, iteration, document and relevance"):
        topic, _, document, relevance = cells
        try:
            value = int(relevance)
        except ValueError:
            raise FormatError(
                f"the relevance is {relevance!r}; expected a whole number.", path=path, line=line
            ) from None
        if document in judged.setdefault(topic, {}):
            raise FormatError(f"{document!r} was judged for topic {topic!r} before.", path=path, line=line)
        judged[topic][document] = value
    return Qrels(judged)


def read_run(path: StrPath, *, name: str = "") -> Run:
    """A file of lines `topic Q0 document rank score tag`; ranks are not looked at, scores order the documents."""
    found: dict[str, dict[str, float]] = {}
    for line, cells in _cells(path, 6, "topic, Q0, document, rank, score and tag"):
        topic, _, document, _, text, _ = cells
        try:
            score = float(text)
            if not math.isfinite(score):
                raise ValueError
        except ValueError:
            raise FormatError(f"the score is {text!r}; expected a number.", path=path, line=line) from None
        if document in found.setdefault(topic, {}):
            raise FormatError(f"{document!r} was found for topic {topic!r} before.", path=path, line=line)
        found[topic][document] = score
    return Run(name or plain_name(path), found)


def read_documents(path: StrPath) -> dict[str, str]:
    """A file of documents by name, one a line: name, tab, text."""
    documents: dict[str, str] = {}
    for line, text in enumerate(iter_lines(path), start=1):
        name, tab, content = text.partition("\t")
        if not tab or not name.strip():
            raise FormatError("expected the document's name, a tab and its text.", path=path, line=line)
        if name in documents:
            raise FormatError(f"the document {name!r} stood there before.", path=path, line=line)
        documents[name] = content
    return documents


def write_qrels(qrels: Qrels, path: StrPath) -> None:
    """Write the judgements as TREC does."""
    write_lines(path, (f"{t} 0 {d} {r}" for t, judged in qrels.judged.items() for d, r in judged.items()))


def write_run(run: Run, path: StrPath) -> None:
    """Write the documents of each topic, best first."""
    tag = "-".join(run.name.split()) or "run"
    rankings = ((topic, run.ranking(topic)) for topic in run.found)
    write_lines(
        path,
        (
            f"{topic} Q0 {document} {rank} {run.found[topic][document]!r} {tag}"
            for topic, documents in rankings
            for rank, document in enumerate(documents, start=1)
        ),
    )


def _cells(path: StrPath, n: int, expected: str) -> Iterable[tuple[int, Sequence[str]]]:
    for line, text in enumerate(iter_lines(path), start=1):
        cells = text.split()
        if len(cells) != n:
            raise FormatError(f"expected {expected}, got {len(cells)} cells: {text[:60]!r}.", path=path, line=line)
        yield line, cells
