"""Traces of what a decoder wrote: its n-best lists, with Moses' marks of phrases, beside its search graphs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dragoman.data.nbest import Candidate, NBestLists
from dragoman.data.traces import PhraseUse, Trace, Traces
from dragoman.errors import DataError

__all__ = ["joined_traces", "segmented"]

_SPAN = re.compile(r"\|([0-9]{1,9})-([0-9]{1,9})(?:,[^|]*)?\|")  # -report-segmentation; 'wp:' and 'tag:' may follow
_PHRASE = re.compile(r"N(?:-N)?=N(?:-N)?".replace("N", "([0-9]{1,9})"))  # with -print-alignment-info-in-n-best
_LINK = re.compile(r"[0-9]{1,9}-[0-9]{1,9}")


def joined_traces(
    sources: Sequence[str], lists: NBestLists | None = None, graphs: Traces | None = None
) -> Iterator[Trace]:
    """Traces of sources from what a decoder wrote: n-best lists (see `segmented`), search graphs, or both.

    Both are counted by segment from 0; a source for which the decoder found nothing has an empty trace.
    """
    if lists is None and graphs is None:
        raise DataError("Traces are made of n-best lists or of search graphs; there are neither.")
    searched = list(graphs) if graphs is not None else []
    if len(searched) > len(sources):
        raise DataError(f"There are search graphs of {len(searched)} sentences for {len(sources)} sources.")
    traces: dict[int, Trace] = {}
    for nbest in lists or ():
        if nbest.segment >= len(sources):
            raise DataError(
                f"The n-best lists have a segment {nbest.segment}, counted from 0; there are {len(sources)} sources."
            )
        cut = [segmented(each) for each in nbest.candidates]
        scored = [each.score for each in nbest.candidates]
        traces[nbest.segment] = Trace(
            sources[nbest.segment],
            tuple(text for text, _, _ in cut),
            tuple(0.0 if score is None else score for score in scored),
            tuple(each.features for each in nbest.candidates if each.features),
            cut[0][1],
            cut[0][2],
        )
    for number, source in enumerate(sources):
        graph = searched[number] if number < len(searched) else Trace(source)
        own = traces.get(number)
        if own is None:
            yield Trace(source, graph.texts, graph.scores, graph.features, graph.phrases, graph=graph.graph)
            continue
        yield Trace(
            source, own.texts, own.scores, own.features, own.phrases or graph.phrases, own.links, graph=graph.graph
        )


def segmented(candidate: Candidate) -> tuple[str, tuple[PhraseUse, ...], tuple[tuple[int, int], ...]]:
    """A candidate of Moses' list: its words without marks of phrases, its phrases, its word alignment.

    Phrases are told by marks behind them (`the house |0-1|`) or by the alignment field (`0-1=0-1`); words by `0-0 1-1`.
    """
    links: tuple[tuple[int, int], ...] = ()
    phrases: list[PhraseUse] = []
    field = (candidate.alignment or "").split()
    if field and all(_LINK.fullmatch(each) for each in field):
        pairs = (each.split("-") for each in field)
        links = tuple(sorted({(int(source), int(target)) for source, target in pairs}))
    elif field and all(_PHRASE.fullmatch(each) for each in field):
        for parts in filter(None, map(_PHRASE.fullmatch, field)):
            ends = [int(parts[1]), int(parts[2] or parts[1]) + 1, int(parts[3]), int(parts[4] or parts[3]) + 1]
            phrases.append((ends[0], ends[1], ends[2], ends[3]))
        phrases.sort(key=lambda phrase: phrase[2])
    if not _SPAN.search(candidate.text):
        return candidate.text, tuple(phrases), links
    phrases = []
    words: list[str] = []
    last = 0
    for mark in _SPAN.finditer(candidate.text):
        own = candidate.text[last : mark.start()].split()
        phrases.append((int(mark[1]), int(mark[2]) + 1, len(words), len(words) + len(own)))
        words += own
        last = mark.end()
    words += candidate.text[last:].split()
    return " ".join(words), tuple(phrases), links
